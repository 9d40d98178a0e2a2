"""How HTML, formulas, tables and plain text come onto the page safely, with names for screen readers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from engine.documents.markup import Markup, element, joined
from engine.reading import formula_html

SHARED = Path(__file__).resolve().parent


def shortened(text: str, characters: int) -> str:
    """Return the beginning of a text on one line."""
    line = " ".join(text.split())
    return line if len(line) <= characters else line[: characters - 1].rstrip() + "…"


def cut_at_word(text: str, characters: int) -> str:
    """Return the beginning of a text, cut between two words."""
    return text if len(text) <= characters else f"{text[:characters].rsplit(' ', 1)[0]} …"


def three_places(value: float | None) -> str:
    """Write a measured figure with three decimals; a dash where it is not known."""
    return "–" if value is None else f"{value:.3f}"


def show(markup: Markup) -> None:
    """Put HTML on the page. Raises TypeError for a plain string, which may hold somebody's tags."""
    if not isinstance(markup, Markup):
        raise TypeError(f"Expected Markup from element(); got {type(markup).__name__}. Build it with element().")
    if markup:
        st.html(str(markup))


def typeset(source: str, words: Callable[[str], Markup] | None = None) -> Markup:
    """Return a text as HTML with its formulas; `words` marks up what stands between them.

    A formula's MathML comes in an attribute, and the script of `dress` puts it in place; before that, and without it,
    its plain characters are read.
    """

    def set_formula(mathml: Markup, text: str) -> Markup:
        return element("span", text, class_="ps-tex", data_math=str(mathml))

    def between(piece: Markup) -> Markup:
        return piece if words is None or "<" in piece else words(piece.unescape())

    return formula_html(source, set_formula, between)


def name_groups(place: str, names: Mapping[str, str]) -> None:
    """Name containers, by their keys, for screen readers to say on the way in; `place` tells lists of names apart.

    The key of a button names the button itself; its name then begins with the label that is seen.
    """
    named = component("group_names", SHARED / "group_names_script", "names.js")
    named(key=f"names-{place}", data=dict(names), height=1)


@cache
def component(
    name: str, folder: Path, *scripts: str, shared: tuple[str, ...] = (), style: str = ""
) -> Callable[..., Any]:
    """Return what draws the scripts of a folder, as a component of the page that Streamlit knows by its name.

    `shared` are scripts of this folder that they use, `style` the name of their style sheet.
    """
    css = (folder / style).read_text("utf-8") if style else None
    return st.components.v2.component(f"priorscope_{name}", js=joined_scripts(folder, scripts, shared=shared), css=css)


def joined_scripts(folder: Path, names: Iterable[str], *, shared: Iterable[str] = ()) -> str:
    """Return the scripts of a folder after what keeps a widget's view between Streamlit's calls, and `shared` ones."""
    paths = (*(SHARED / name for name in ("kept.js", *shared)), *(folder / name for name in names))
    return "\n".join(path.read_text("utf-8") for path in paths)


def fact_list(facts: Mapping[str, str | int], *, look: str = "", grouped: bool = True) -> Markup:
    """Return facts under their names; `grouped` puts each with its name in an element of its own."""
    said = {name: fact if isinstance(fact, str) else f"{fact:,}" for name, fact in facts.items()}
    pairs = [(element("dt", name), element("dd", fact)) for name, fact in said.items()]
    return element("dl", *(element("div", *pair) if grouped else joined(pair) for pair in pairs), class_=look)


def number_list(tiles: Mapping[str, str | int]) -> Markup:
    """Return numbers in a row, each under its name."""
    return fact_list(tiles, look="ps-numbers")


def scroll_region(body: Markup, label: str, *, look: str = "ps-scroll") -> Markup:
    """Return a part of the page that scrolls by itself, also with the keyboard."""
    return element("div", body, class_=look, role="region", aria_label=label, tabindex="0")


def table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    label: str,
    numbers: Sequence[int] = (),
    look: str = "ps-table",
) -> Markup:
    """Return a table named `label`; a row's first cell is its heading, columns in `numbers` are set to the right."""
    head = [
        element("th", name, scope="col", class_=_cell_class(at, numbers)) if name else element("td")
        for at, name in enumerate(headings)
    ]
    body = [
        element(
            "tr",
            element("th", row[0], scope="row", class_=_cell_class(0, numbers)),
            *(element("td", value, class_=_cell_class(at, numbers)) for at, value in enumerate(row[1:], start=1)),
        )
        for row in rows
    ]
    parts = element("thead", element("tr", *head)), element("tbody", *body)
    return element("table", *parts, class_=look, aria_label=label)


def _cell_class(column: int, numbers: Sequence[int]) -> str:
    return "ps-number" if column in numbers else ""
