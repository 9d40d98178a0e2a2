"""HTML that is safe by construction: the only place where the report turns text into tags."""

from __future__ import annotations

import html
from collections.abc import Iterable

from engine.text import clean

_WITHOUT_CONTENT = frozenset({"meta", "path", "rect"})


class Markup(str):
    """HTML that this module built; a plain string among its children is a text, whatever stands in it."""

    __slots__ = ()


def escaped(text: str) -> Markup:
    """Text as text: tags, quotes, control characters and marks that turn the writing direction lose their power."""
    return Markup(html.escape(clean(text)))


def joined(children: Iterable[str]) -> Markup:
    """Children one after the other; plain strings among them are escaped."""
    return Markup("".join(child if isinstance(child, Markup) else escaped(child) for child in children))


def element(name: str, /, *children: str, **attributes: object) -> Markup:
    """One element; `class_` names the class, `aria_label` the label, and an empty value or None leaves one out."""
    opening = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escaped(str(value))}"'
        for key, value in attributes.items()
        if value not in ("", None)
    )
    if name in _WITHOUT_CONTENT and not children:
        return Markup(f"<{name}{opening}/>")
    return Markup(f"<{name}{opening}>{joined(children)}</{name}>")


def link(to: str, *children: str, **attributes: object) -> Markup:
    """A link to a place in the same file; the report knows no other links."""
    return element("a", *children, href=f"#{to}", **attributes)
