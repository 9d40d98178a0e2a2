"""Lines for experts: words, phrases and fields that documents must hold, with how many each finds, or its fault."""

from __future__ import annotations

import dataclasses

import streamlit as st

from engine.documents.markup import Markup, element
from engine.documents.text import how_many
from engine.library import MOST_LINE_CHARACTERS, MOST_LINES, Filters, fault_of, whole_lines
from explorer.shared.markup import show
from explorer.state import handles, session
from explorer.state.links import Visit

_TYPED = "typed_lines"
_HELP = """One line for each thing that a document must hold; only what passes every line is ranked.

| write | to find |
| --- | --- |
| `heat pump` | both words, in any order |
| `"heat pump"` | the two in a row |
| `fin*` | fin, fins, finned |
| `fin OR rib` | one of them |
| `pump NOT hand` | the first without the second |
| `seal near/5 ring` | at most five words apart |
| `title:pump` | in the title |
| `author:"ada smith"`, `assignee:siemens` | a person or an owner |
| `year:2015-2020`, `year:2015-` | these years |
| `tag:"to read"`, `note:pump`, `read:no` | by what you wrote and read |
| `screen:included`, `excluded`, `undecided` | by your review's decisions |
| `cpc:F28F`, `category:cs.CL`, `venue:physics`, `kind:patent` | these alone |

Brackets group: `(fin* OR rib) NOT tube`.
"""


def lines_choice(visit: Visit, *, key: str) -> None:
    """A field for the lines; those with a fault limit nothing until it is mended."""
    typed: list[str] = st.session_state.get(_TYPED, [])
    if whole_lines(typed) != visit.filters.lines:
        typed = list(visit.filters.lines)
    st.session_state[key] = "\n".join(typed)

    def changed() -> None:
        st.session_state[_TYPED] = lines = [one.strip() for one in st.session_state[key].splitlines() if one.strip()]
        session.update(filters=dataclasses.replace(session.current().filters, lines=whole_lines(lines)))

    st.text_area(
        "Lines of words and fields",
        key=key,
        height="content",
        max_chars=MOST_LINES * (MOST_LINE_CHARACTERS + 1),
        placeholder='"heat exchanger" fin* NOT tube',
        help=_HELP,
        on_change=changed,
    )
    if typed:
        show(element("ul", *map(_said, typed), class_="ps-lines", aria_label="What each line finds"))


def _said(line: str) -> Markup:
    """How many documents a line finds by itself, or what is wrong with it and where."""
    fault = fault_of(line)
    if fault is None:
        count = how_many(handles.library().count(Filters(lines=(line,))), "document")
        return element("li", element("code", line), element("span", count, class_="ps-quiet"))
    marked = element("code", line[: fault.at], element("mark", line[fault.at :] or "\u00a0"))
    return element("li", marked, element("span", str(fault), class_="ps-fault", role="alert"))
