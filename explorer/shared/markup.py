"""HTML that is safe by construction: the only place where the screen turns text into tags.

A child that is a plain string is escaped; only what `element` built is a tag. Document text can
therefore never become markup, and it never passes through Markdown.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping

import streamlit as st

from engine.documents import web_address

_ELEMENTS = frozenset(
    (
        "a b code dd details div dl dt em h2 h3 h4 li mark ol p section span strong sub summary sup table tbody td th "
        "thead tr ul"
    ).split()
)
_ATTRIBUTES = frozenset(
    "aria-label aria-hidden class colspan href id lang rel role scope style tabindex target title".split()
)
INVISIBLE = {
    number: None for number in (*range(9), 11, 12, *range(14, 32), 127, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
}
_MARKDOWN = frozenset("\\`*_{}[]()<>#+-.!|~:$&")


class Markup(str):
    """HTML that `element` or `escaped` built; nothing else makes one."""

    __slots__ = ()


def escaped(text: str) -> Markup:
    """Text as text: tags, quotes, control and direction characters lose their power."""
    return Markup(html.escape(text.translate(INVISIBLE), quote=True))


def element(name: str, *children: str, **attributes: str) -> Markup:
    """One HTML element; `class_` names the class, `aria_label` the label.

    Raises ValueError for an element or an attribute outside the short lists above, and for a link
    that is not http or https.
    """
    if name not in _ELEMENTS:
        raise ValueError(f"Expected one of {', '.join(sorted(_ELEMENTS))}; got {name!r}.")
    opening = "".join(
        f' {key}="{escaped(value)}"' for key, value in _attributes(attributes).items() if value or key == "aria-label"
    )
    return Markup(f"<{name}{opening}>{joined(children)}</{name}>")


def joined(children: Iterable[str]) -> Markup:
    """Children one after the other; plain strings among them are escaped."""
    return Markup("".join(child if isinstance(child, Markup) else escaped(child) for child in children))


def plain(text: str) -> str:
    """A text as it is written, for the labels of widgets, in which Streamlit reads Markdown."""
    return "".join(f"\\{character}" if character in _MARKDOWN else character for character in text)


def show(markup: Markup) -> None:
    """Put HTML on the page. Raises TypeError for a plain string, which may hold somebody's tags."""
    if not isinstance(markup, Markup):
        raise TypeError(f"Expected Markup from element(); got {type(markup).__name__}. Build it with element().")
    if markup:
        st.html(str(markup))


def _attributes(given: Mapping[str, str]) -> dict[str, str]:
    named = {key.rstrip("_").replace("_", "-"): value for key, value in given.items()}
    if strangers := named.keys() - _ATTRIBUTES:
        raise ValueError(f"Expected attributes among {', '.join(sorted(_ATTRIBUTES))}; got {sorted(strangers)}.")
    if "href" in named and not web_address(named["href"]):
        raise ValueError(f"Expected an http or https address; got {named['href']!r}.")
    return named
