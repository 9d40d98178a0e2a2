"""The chosen hit: what it is, how near, why, and what to do with it.

Its categories and shared terms are buttons: one filters the list, the other stresses a word. A second press takes it
back, and the hit stays the one that is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import streamlit as st

from engine import search
from engine.documents import Document
from engine.documents.markup import Markup, element, in_label, joined
from engine.search import Term
from explorer.search import cited_works
from explorer.search.cited_works import citation_mark
from explorer.search.hits import HitEntry
from explorer.shared.document import SHOWN_CATEGORIES, full_text, head, source_link
from explorer.shared.evidence import Asked, both_cite, passage_pair, reading_line
from explorer.shared.keeping import keep_button, kept_in, noted, notes_button
from explorer.shared.markup import component, name_groups, show
from explorer.shared.options import is_full, toggle_listed
from explorer.shared.page_view import OnPage, page_view
from explorer.shared.salient import Slots, leave, marked
from explorer.state import session
from explorer.state.links import MAX_LISTED, as_words

_CATEGORIES = "categories"
_FULL_FILTER = "No more categories fit into the filter: take one out first"
_FULL_WORDS = "No more words can be stressed: take one out first"
SHOWN_TERMS = 8
_LANDING = Path(__file__).parent / "landing_script"
"""What scrolls an opened text to what was found in it."""

_PART_NAMES = {"encoder": "meaning", "keywords": "keywords"}


@dataclass(frozen=True, slots=True)
class Actions:
    """What the buttons do; without a query, comparing and judging are off.

    Each gets the document's id. `on_like`, `on_dislike` and `on_drop` steer the ranking, which is then searched again;
    so does `on_stress`, which gets the words that shall count more, and is off where words do not rank.
    """

    on_like: Callable[[str], None]
    on_dislike: Callable[[str], None]
    on_drop: Callable[[str], None]
    on_stress: Callable[[Sequence[str]], None] | None
    on_compare: Callable[[str], None] | None
    thumbs: Callable[[str], None] | None
    map_page: str | None
    map_link: Callable[[str], dict[str, list[str]]]


def details(entry: HitEntry, *, asked: Asked, actions: Actions) -> Slots:
    """All that is known of one hit; its text opens at the passage that is shown.

    Returns the place for its salient sentences, which are found once everything else is drawn.
    """
    result, id_ = entry.result, entry.document.id
    note = Markup("") if entry.steered else citation_mark(result)
    show(head(result.document, note=note, categories=False))
    draw(category_chips(result.document), "hit-categories", id_)
    near = element("p", entry.asked_for, class_="ps-asked-for") if entry.steered else near_lines(result)
    show(element("div", kept_in(id_), noted(id_), near))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="hit-uses"):
        _uses(result, actions)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="hit-steering"):
        _steering(entry, actions)
    chips = _terms(entry, actions)
    show(why(result, asked=asked, with_terms=not chips))
    if chips:
        show(element("p", "Shared terms", class_="ps-label"))
        draw(chips, "hit-terms", id_)
    if (pair := result.evidence.passage) is not None:
        asking = OnPage("In your document", session.query_document(), pair.query)
        page_view([OnPage("In this one", result.document, pair.document), asking], key=id_)
    slots = leave(result.document, key="salient-hit")
    with st.expander("Abstract, sections and scores", key=f"more-{id_}", type="compact", on_change="rerun") as more:
        if more.open:
            passage = result.evidence.passage
            found = passage.document if passage else None
            text = full_text(result.document, salient=marked(result.document), found=found)
            show(joined([source_link(result.document), _parts(result), text]))
            component("landing", _LANDING, "landing.js")(key=f"landing-{id_}", height=1)
    if actions.thumbs and not entry.steered:
        actions.thumbs(id_)
    return slots


def _terms(entry: HitEntry, actions: Actions) -> list[Chip]:
    """The shared terms as buttons where words rank; not of a hit that steers, whose row the next ranking has not."""
    if actions.on_stress is None or entry.steered:
        return []
    return term_chips(entry.result.evidence.terms, actions.on_stress)


def name_details(entry: HitEntry, key: str, actions: Actions) -> None:
    """Name the details and their groups of buttons for people who cannot see where a button is."""
    rank = entry.result.rank
    names = {
        key: entry.spoken,
        "hit-steering": "Rank again",
        "hit-terms": "Shared terms",
        "thumbs": f"Is result {rank} relevant?",
    }
    name_groups("hits", names | chip_names([*category_chips(entry.document), *_terms(entry, actions)]))


def near_lines(result: search.Result) -> Markup:
    """How near a hit is in a word and on the ruler, and whether one of its passages says most of the question."""
    lines = [reading_line(result.reading)]
    if (quoted := result.evidence.quoted) is not None:
        lines.append(element("p", quoted.sentence, class_="ps-score"))
    return joined(lines)


def why(result: search.Result, *, asked: Asked = "document", with_terms: bool = True) -> Markup:
    """The evidence: shared terms, which parts met, the best pair of passages, other versions of the work.

    `with_terms` is off where the terms are buttons beside it. If documents of the library are the query, it is about
    the one with most in common, without its parts.
    """
    evidence = result.evidence
    pieces: list[Markup] = []
    for words, label in ((result.stressed, "Says"), (result.muted, "Says, though left out")):
        if words:
            pieces.append(element("p", f"{label}: {', '.join(words)}", class_="ps-label"))
    if evidence.passage is not None:
        pieces.append(element("p", "Closest passages", class_="ps-label"))
        pieces.append(passage_pair(evidence.passage.query, evidence.passage.document, asked=asked))
    if result.by_passage is not None:
        pieces.append(element("p", "Its nearest passage", class_="ps-label"))
        pieces.append(reading_line(result.by_passage, "passage"))
    if evidence.terms and with_terms:
        chips = [element("li", term.term) for term in evidence.terms[:SHOWN_TERMS]]
        pieces.append(element("p", "Shared terms", class_="ps-label"))
        pieces.append(element("ul", *chips, class_="ps-terms", aria_label="Shared terms"))
    if (met := evidence.couplings) and asked != "seeds":
        pieces.append(element("p", cited_works.COUPLINGS, class_="ps-label"))
        pieces.append(cited_works.coupling_list(met))
    if result.shared:
        pieces.append(both_cite(result.shared))
    if not pieces and not evidence.terms:
        pieces.append(
            element("p", "No shared words: the texts are near by the meaning of other words.", class_="ps-quiet")
        )
    if result.folded:
        also = ", ".join(result.folded)
        pieces.append(element("p", f"Also in the library as {also}", class_="ps-quiet ps-also"))
    return element("div", *pieces, class_="ps-why")


def _parts(result: search.Result) -> Markup:
    """The raw scores behind the bar."""
    raw = ", ".join(f"{_PART_NAMES.get(name, name)} {value:.3f}" for name, value in result.scores.items())
    return element("p", f"Raw scores: {raw}", class_="ps-quiet") if raw else Markup("")


def _uses(result: search.Result, actions: Actions) -> None:
    id_, rank = result.document.id, result.rank
    if actions.on_compare and st.button(
        "Compare", key=f"compare-{id_}", icon=":material/compare:", help=f"Your document beside result {rank}"
    ):
        actions.on_compare(id_)
    keep_button([id_], key=id_, what=f"result {rank}")
    notes_button(id_, key=id_, what=f"result {rank}")
    if address := result.document.web_address:
        st.link_button("Open source", address, icon=":material/open_in_new:", key=f"open-{id_}", type="tertiary")
    if actions.map_page:
        link = actions.map_link(id_)
        st.page_link(actions.map_page, label="Show on map", icon=":material/scatter_plot:", query_params=link)


def _steering(entry: HitEntry, actions: Actions) -> None:
    """The buttons that rank again, from within a part of the page that is drawn by itself."""
    id_, rank = entry.document.id, entry.result.rank
    if entry.steered:  # in the place of what was pressed, so that the focus stays
        name = {"like": "like", "unlike": "dislike"}[entry.steered]
        offered = [("Take it out again", name, ":material/undo:", "Rank again without it", actions.on_drop)]
    else:
        offered = [
            ("More like this", "like", ":material/add:", f"Rank again, nearer to result {rank}", actions.on_like),
            (
                "Less like this",
                "dislike",
                ":material/remove:",
                f"Rank again, away from result {rank}",
                actions.on_dislike,
            ),
        ]
    for label, name, icon, help_, act in offered:
        if st.button(label, key=f"{name}-{id_}", icon=icon, help=help_, type="tertiary"):
            act(id_)
            st.rerun()


@dataclass(frozen=True, slots=True)
class Chip:
    """A button by its key: its text, whether it is on, what a press does in words, and why it is off, if it is."""

    key: str
    text: str
    is_on: bool
    does: str
    press: Callable[[], object]
    why_off: str = ""


def category_chips(document: Document) -> list[Chip]:
    """One for each of the first categories."""
    chosen = session.current().filters.categories
    chips = []
    for number, category in enumerate(document.categories[:SHOWN_CATEGORIES]):
        does = "list documents of this category, too" if chosen else "list only documents of this category"
        why_off = _FULL_FILTER if is_full(_CATEGORIES) else ""
        if category in chosen:
            does, why_off = "take this category out of the filters", ""
        press = partial(toggle_listed, _CATEGORIES, category)
        chips.append(Chip(f"hit-category-{number}", category, category in chosen, does, press, why_off))
    return chips


def term_chips(terms: Sequence[Term], on_stress: Callable[[Sequence[str]], object]) -> list[Chip]:
    """One for each of the strongest terms; a term of two words stresses both.

    `on_stress` gets all words that shall be stressed.
    """
    chosen = session.current().stressed
    chips = []
    for number, term in enumerate(terms[:SHOWN_TERMS]):
        words = as_words([term.term])
        is_on = bool(words) and set(words) <= set(chosen)
        does, why_off = "stress it, so that near documents that say it come further up", ""
        if is_on:
            does = "stress it no longer"
        elif len({*chosen, *words}) > MAX_LISTED:
            why_off = _FULL_WORDS
        left = [word for word in chosen if word not in words]
        press = partial(on_stress, left if is_on else [*left, *words])
        chips.append(Chip(f"hit-term-{number}", term.term, is_on, does, press, why_off))
    return chips


def draw(chips: Sequence[Chip], key: str, shown: str) -> None:
    """The buttons in a row that has this key; the document with the id `shown` stays the one chosen."""
    if not chips:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=key):
        for chip in chips:
            if st.button(
                in_label(chip.text),
                key=chip.key,
                icon=":material/close:" if chip.is_on else None,  # another type would lose the focus
                help=chip.why_off or chip.does,
                disabled=bool(chip.why_off),
            ):
                chip.press()
                session.update(selected=shown)
                st.rerun()


def chip_names(chips: Sequence[Chip]) -> dict[str, str]:
    """The names of the buttons by their keys, for people who cannot see what stands beside them."""
    return {chip.key: f"{chip.text}: {chip.does}" for chip in chips}
