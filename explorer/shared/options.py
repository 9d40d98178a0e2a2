"""The choices at the side of Search, and the filters that Map and Library share with it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine import encoders
from engine.documents import KIND_NAMES
from engine.documents.markup import Markup, element
from engine.documents.questions import RANKINGS
from engine.documents.text import how_many
from engine.library import Filters, fault_of, whole_lines
from explorer.shared import notices
from explorer.shared.encoder import choice_card
from explorer.shared.markup import show
from explorer.shared.widgets import bind
from explorer.state import handles, session
from explorer.state.handles import choice_label, encoder_name
from explorer.state.links import MAX_LISTED
from explorer.state.visit import Visit

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
FILTERED_KINDS = ("paper", "patent")
FILTER_FIELDS: Mapping[str, tuple[str, ...]] = {
    "kind": ("kinds",),
    "years": ("year_from", "year_to"),
    "categories": ("categories",),
    "venues": ("venues",),
    "collections": ("collections",),
    "imports": ("files",),
    "lines": ("lines",),
}
"""The filters as they are named to people, each with its fields."""
RANKING_NAMES = {"default": "Both", "encoder": "Meaning", "keywords": "Keywords"}
_RANKING_HELP = (
    "Meaning compares the encoder's picture of whole texts and finds related work in other words. "
    "Keywords counts rare words that both texts use, a short question’s in all their forms. Both joins the two lists, "
    "papers and patents separately, and is best for most documents."
)
_YEAR_HELP = "Limiting the years leaves out documents without one"
_NUMBERS = (10, 20, 50)
_MOST_LISTED, _BARS = 500, 40


def documents_that_pass(count: int, filters: Filters) -> str:
    """Count documents, and say that they pass the filters if there are any: "1 document that passes the filters"."""
    passing = f" that pass{'es' if count == 1 else ''} the filters" if filters != Filters() else ""
    return how_many(count, "document") + passing


def begin_options() -> DeltaGenerator:
    """Open the sidebar, so that the page has its width from the start, and give back the place of the options."""
    with st.sidebar:
        st.header("Ranking", anchor=False)
        return st.container(key="options")


def search_options(visit: Visit) -> None:
    """Draw the options where they belong; each change goes into the visit, the only place of state."""
    _ranking(visit)
    _encoder(visit)
    change = lambda k: session.update(k=k)  # noqa: E731
    bind(st.selectbox, "Results", sorted({*_NUMBERS, visit.k}), key="option-k", value=visit.k, change=change)
    st.header("Filters", anchor=False)
    field_filters(visit)
    lines_choice(visit, key="option-lines")
    clear_button(visit, key="clear-filters")


def field_filters(visit: Visit) -> None:
    """Kind, years, categories, venues, collections and imports."""
    library = handles.library()
    found = library.facets(visit.filters)
    _kinds(visit, found.kinds)
    _years(visit, found.years)
    listed_filter("Categories", "categories", visit, found.categories)
    listed_filter("Venues", "venues", visit, found.venues)
    listed_filter("Collections", "collections", visit, library.collections.counts())
    imports = library.import_counts()
    if len(imports) > 1 or visit.filters.files:  # one alone is all
        listed_filter("Imports", "files", visit, imports)


def other_filters(visit: Visit, *, key: str, with_lines: bool = False) -> None:
    """Draw the filters beside the lines, or with them, behind a button, and a button that clears them all."""
    label = filters_label(visit.filters if with_lines else dataclasses.replace(visit.filters, lines=()))
    with st.popover(label, icon=":material/filter_alt:", key=f"{key}-filters", on_change="rerun") as opened:
        if opened.open:
            field_filters(visit)
            if with_lines:
                lines_choice(visit, key=f"{key}-lines")
    clear_button(visit, key=f"{key}-clear", look="tertiary")


def filters_label(filters: Filters) -> str:
    """Name the button of the filters with how many are set; the years are one."""
    years = filters.year_from is not None or filters.year_to is not None
    names = (filters.kinds, filters.categories, filters.venues, filters.collections, filters.files, filters.lines)
    count = years + sum(map(len, names))
    return f"Filters ({count})" if count else "Filters"


def clear_button(visit: Visit, *, key: str, look: Literal["secondary", "tertiary"] = "secondary") -> None:
    """Draw the button that clears the filters, where any is set."""
    if visit.filters != Filters():
        icon = ":material/filter_alt_off:"
        st.button("Clear filters", icon=icon, on_click=clear_filters, key=key, type=look)


def clear_filters() -> None:
    """Let every document through again."""
    session.update(filters=Filters(), cited="")


def _ranking(visit: Visit) -> None:
    bind(
        st.segmented_control,
        "Rank by",
        RANKINGS,
        key="option-ranking",
        value=visit.ranking,
        change=lambda ranking: session.update(ranking=ranking),
        required=True,
        format_func=RANKING_NAMES.__getitem__,
        help=_RANKING_HELP,
    )


def _encoder(visit: Visit) -> None:
    name = encoder_name(visit.encoder)
    bind(
        st.selectbox,
        "Encoder for meaning",
        encoders.search_names(),
        key="option-encoder",
        value=name,
        change=lambda chosen: session.update(encoder=chosen),
        format_func=choice_label,
        disabled=visit.ranking == "keywords",
        help="Keywords alone need no encoder" if visit.ranking == "keywords" else None,
    )
    show(choice_card(name, folded=True))


def _kinds(visit: Visit, counts: Mapping[str, int]) -> None:
    """Papers, patents, or both, with how many there are of each."""
    bind(
        st.segmented_control,
        "Kind",
        FILTERED_KINDS,
        key="option-kinds",
        value=[kind for kind in FILTERED_KINDS if kind in visit.filters.kinds],
        change=lambda kinds: session.change("filters", kinds=frozenset(kinds)),
        selection_mode="multi",
        format_func=lambda name: f"{KIND_NAMES[name]}s ({counts.get(name, 0):,})",
        width="content",
        help="None chosen means both",
    )


def drop_idle_years() -> None:
    """Remove limits outside the library's years from the visit, because a slider could not show them.

    If they would have let nothing through, a note says that they are gone.
    """
    filters = session.current().filters
    if filters.year_from is None and filters.year_to is None:
        return
    counts = handles.library().counts()
    first, last = counts.year_min or 0, counts.year_max or 0
    low, high = filters.year_from, filters.year_to
    kept = dataclasses.replace(
        filters,
        year_from=low if low is not None and first < low <= last else None,
        year_to=high if high is not None and first <= high < last else None,
    )
    if kept == filters:
        return
    session.update(filters=kept)
    if not last or (low or first) > last or (high or last) < first:
        notices.note("Your library has no document of the years that were asked for, so all years are shown.")


def _years(visit: Visit, counts: Mapping[int, int]) -> None:
    """Draw the years from the library's first to its last; an end that is not moved limits nothing.

    `counts` are drawn as bars above: how many documents of each year there are.
    """
    whole = handles.library().counts()
    first, last = whole.year_min, whole.year_max
    if first is None or last is None or first == last:
        return
    low = min(last, max(first, visit.filters.year_from or first))
    high = max(low, min(last, visit.filters.year_to or last))
    change = lambda years: limit_years(*years)  # noqa: E731
    bind(st.slider, "Years", first, last, key="option-years", value=(low, high), change=change, help=_YEAR_HELP)
    if counts:
        show(year_bars(counts, first, last))


def year_bars(counts: Mapping[int, int], first: int, last: int) -> Markup:
    """Return how many documents each stretch of years has, as bars under the slider from `first` to `last`."""
    width = -(-(last - first + 1) // _BARS)
    totals = [
        sum(counts.get(year, 0) for year in range(start, start + width)) for start in range(first, last + 1, width)
    ]
    most = max(totals) or 1
    bars = []
    for start, total in zip(range(first, last + 1, width), totals, strict=True):
        end = min(last, start + width - 1)
        said = f"{start}" if start == end else f"{start}–{end}"
        height = f"height:{max(0.02 if total else 0.0, total / most):.0%}"
        bars.append(element("span", element("span", style=height), title=f"{said}: {total:,}"))
    largest = max(counts, key=lambda year: counts[year])
    label = f"Documents by year, most of them from {largest}"
    return element("div", *bars, class_="ps-years", role="img", aria_label=label)


def limit_years(low: int, high: int) -> None:
    """Let through the years from `low` to `high`; an end at or beyond the library's own limits nothing."""
    counts = handles.library().counts()
    first, last = counts.year_min or 0, counts.year_max or 0
    session.change("filters", year_from=low if low > first else None, year_to=high if high < last else None)


def listed_filter(label: str, field: str, visit: Visit, counts: Mapping[str, int]) -> None:
    """Draw a choice among the library's own names, with how many documents have each under the other filters."""
    chosen = sorted(getattr(visit.filters, field))
    names = list(dict.fromkeys([*chosen, *list(counts)[:_MOST_LISTED]]))
    if not names:
        return
    bind(
        st.multiselect,
        label,
        names,
        key=f"option-{field}",
        value=chosen,
        change=lambda picked: session.change("filters", **{field: frozenset(picked)}),
        placeholder=f"All {len(counts):,}",
        select_all=False,
        max_selections=MAX_LISTED,
        format_func=lambda name: f"{name} ({counts[name]:,})" if name in counts else name,
    )


def toggle_listed(field: str, name: str) -> None:
    """Choose one of the library's own names, or choose it no longer."""
    session.change("filters", **{field: getattr(session.current().filters, field) ^ {name}})


def is_full(field: str) -> bool:
    """Tell whether no further name can be chosen."""
    return len(getattr(session.current().filters, field)) >= MAX_LISTED


def lines_choice(visit: Visit, *, key: str) -> None:
    """Draw a field for the lines; those with a fault limit nothing until it is mended."""
    typed: list[str] = st.session_state.get(_TYPED, [])
    if whole_lines(typed) != visit.filters.lines:
        typed = list(visit.filters.lines)

    def changed(text: str) -> None:
        st.session_state[_TYPED] = lines = [one.strip() for one in text.splitlines() if one.strip()]
        session.change("filters", lines=whole_lines(lines))

    bind(
        st.text_area,
        "Lines of words and fields",
        key=key,
        value="\n".join(typed),
        change=changed,
        height="content",
        max_chars=Filters.MOST_LINES * (Filters.MOST_LINE_CHARACTERS + 1),
        placeholder='"heat exchanger" fin* NOT tube',
        help=_HELP,
    )
    if typed:
        show(element("ul", *map(_said, typed), class_="ps-lines", aria_label="What each line finds"))


def _said(line: str) -> Markup:
    """Say how many documents a line finds by itself, or what is wrong with it and where."""
    fault = fault_of(line)
    if fault is None:
        count = how_many(handles.library().count(Filters(lines=(line,))), "document")
        return element("li", element("code", line), element("span", count, class_="ps-quiet"))
    marked = element("code", line[: fault.at], element("mark", line[fault.at :] or "\u00a0"))
    return element("li", marked, element("span", str(fault), class_="ps-fault", role="alert"))
