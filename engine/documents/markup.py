"""Text that is safe where it is put: the only place that turns text into HTML, or escapes it for Markdown.

A child that is a plain string is escaped; only what `element` or a template of ours built is a tag. A document's text
can therefore never become markup.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from typing import Self

import markupsafe

from engine.documents import web_address
from engine.documents.text import clean

_ELEMENTS = frozenset(
    (
        "a b button code dd details div dl dt em h2 h3 h4 kbd li mark ol p section span strong sub summary sup table "
        "tbody td th thead tr ul"
    ).split()
)
_ATTRIBUTES = frozenset(
    (
        "aria-current aria-hidden aria-label class colspan data-id data-math href id lang rel role scope style "
        "tabindex target title type"
    ).split()
)
_MARKDOWN = frozenset("\\`*_[]<>|!~#&$")


class Markup(markupsafe.Markup):
    """HTML that this module or a template built; a plain string added to it stays text, whatever it holds."""

    __slots__ = ()

    @classmethod
    def escape(cls, s: object, /) -> Self:
        """Escape a text: tags, quotes, control characters and marks of writing direction lose their power."""
        return super().escape(cleaned(s))


def cleaned(value: object) -> object:
    """Return a text without control characters and marks of writing direction, to be escaped; markup unchanged."""
    return value if hasattr(value, "__html__") else clean(str(value))


def escaped(text: str) -> Markup:
    """Return a text as it is to be shown, whatever it holds."""
    return Markup.escape(text)


def joined(children: Iterable[str]) -> Markup:
    """Join children one after the other; plain strings among them are escaped."""
    return Markup("").join(children)


def element(name: str, *children: str, **attributes: str) -> Markup:
    """Build one HTML element; `class_` names the class, `aria_label` the label.

    Raises ValueError for an element or an attribute outside the short lists above, and for a link
    that is not http or https.
    """
    if name not in _ELEMENTS:
        raise ValueError(f"Expected one of {', '.join(sorted(_ELEMENTS))}; got {name!r}.")
    opening = "".join(
        f' {key}="{escaped(value)}"' for key, value in _attributes(attributes).items() if value or key == "aria-label"
    )
    return Markup(f"<{name}{opening}>{joined(children)}</{name}>")


def in_markdown(text: str) -> str:
    """Return a text on one line with every mark of Markdown escaped, so that it fits a heading or a table's cell.

    Nothing in it is a link, a picture that a viewer would fetch, or the end of its cell.
    """
    return "".join(f"\\{character}" if character in _MARKDOWN else character for character in " ".join(text.split()))


def in_label(text: str) -> str:
    """Return a text for a widget's label, which Streamlit reads as Markdown, with colours and icons between colons.

    It looks for those in the text that the marks have become, so a sign that nobody sees, a word joiner, parts each
    colon from what follows.
    """
    return in_markdown(text).replace(":", ":\u2060")


def in_chart(text: str) -> str:
    """Return a text for a chart's label, in which Plotly reads some tags; quotes stay, as no attribute holds it."""
    return html.escape(clean(text), quote=False)


def _attributes(given: Mapping[str, str]) -> dict[str, str]:
    named = {key.rstrip("_").replace("_", "-"): value for key, value in given.items()}
    if strangers := named.keys() - _ATTRIBUTES:
        raise ValueError(f"Expected attributes among {', '.join(sorted(_ATTRIBUTES))}; got {sorted(strangers)}.")
    if "href" in named and not web_address(named["href"]):
        raise ValueError(f"Expected an http or https address; got {named['href']!r}.")
    return named
