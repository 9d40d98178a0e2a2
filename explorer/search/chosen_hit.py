"""The chosen hit: what it is, how near, why, and what to do with it.

Its categories and shared terms are buttons: one filters the list, the other stresses a word. A second press takes it
back, and the hit stays the one that is shown.
"""

from __future__ import annotations

import dataclasses
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
from explorer.shared.evidence import QuestionForm, both_cite, passage_pair, reading_line
from explorer.shared.judging import grades_of, thumbs
from explorer.shared.keeping import keep_button, kept_in, notes_button, written_about
from explorer.shared.markup import component, name_groups, show
from explorer.shared.options import is_full, toggle_listed
from explorer.shared.page_view import OnPage, page_view
from explorer.shared.salient import Slots, known_sentences, leave_slot
from explorer.state import compared, session
from explorer.state.links import MAX_LISTED, as_words, to_link

BEFORE = "ranking_before"
"""Where the question and the answer stand that were shown before the last step of steering."""
_CATEGORIES = "categories"
_FULL_FILTER = "No more categories fit into the filter: take one out first"
_FULL_WORDS = "No more words can be stressed: take one out first"
SHOWN_TERMS = 8
_LANDING = Path(__file__).parent / "landing_script"
"""What scrolls an opened text to what was found in it."""

_PART_NAMES = {"encoder": "meaning", "keywords": "keywords"}


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """What is listed: the question with its answer, how many documents could answer, and the collections' state."""

    query: Document
    question: search.Question
    answer: search.Answer
    total: int
    kept: str


def details(entry: HitEntry, shown: ShownAnswer) -> Slots:
    """Draw all that is known of one hit; its text opens at the passage that is shown.

    Returns the place for its salient sentences, which are found once everything else is drawn. Without a text of the
    query, comparing and judging are off.
    """
    result, id_, query = entry.result, entry.document.id, shown.query
    note = Markup("") if entry.steered else citation_mark(result)
    show(head(result.document, note=note, categories=False))
    draw_chips(category_chips(result.document), "hit-categories", id_)
    near = element("p", entry.asked_for, class_="ps-asked-for") if entry.steered else near_lines(result)
    show(element("div", kept_in(id_), written_about(id_), near))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="hit-uses"):
        if query.text:
            st.button(
                "Compare",
                key=f"compare-{id_}",
                icon=":material/compare:",
                help=f"Your document beside result {result.rank}",
                on_click=session.go_to,
                args=("compare", lambda: compared.with_query(query, id_)),
            )
        keep_buttons(result.document, what=f"result {result.rank}")
        link = to_link(dataclasses.replace(session.current(), selected=id_))
        st.page_link("explorer/map/view.py", label="Show on map", icon=":material/scatter_plot:", query_params=link)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="hit-steering"):
        _steering(entry, shown)
    chips = _terms(entry, shown)
    form: QuestionForm = "document" if query.kind != "query" else "question" if query.text else "seeds"
    show(why(result, asked=form, with_terms=not chips))
    if chips:
        show(element("p", "Shared terms", class_="ps-label"))
        draw_chips(chips, "hit-terms", id_)
    if (pair := result.evidence.passage) is not None:
        asking = OnPage("In your document", session.query_document(), pair.query)
        page_view([OnPage("In this one", result.document, pair.document), asking], key=id_)
    slots = leave_slot(result.document, key="salient-hit")
    with st.expander("Abstract, sections and scores", key=f"more-{id_}", type="compact", on_change="rerun") as more:
        if more.open:
            _text(result)
    if query.text and not entry.steered:
        thumbs(query, id_, grades_of(query))
    return slots


def keep_buttons(document: Document, *, what: str) -> None:
    """Draw the buttons that keep a document, note something on it, and open its source; `what` names it."""
    keep_button([document.id], key=document.id, what=what)
    notes_button(document.id, key=document.id, what=what)
    if address := document.web_address:
        icon, key = ":material/open_in_new:", f"open-{document.id}"
        st.link_button("See the original", address, icon=icon, key=key, type="tertiary")


def _text(result: search.Result) -> None:
    """Draw the text of a hit with its raw scores, at the passage that was found."""
    document, passage = result.document, result.evidence.passage
    raw = ", ".join(f"{_PART_NAMES.get(name, name)} {value:.3f}" for name, value in result.scores.items())
    scores = element("p", f"Raw scores: {raw}", class_="ps-quiet") if raw else Markup("")
    text = full_text(document, salient=known_sentences(document), found=passage.document if passage else None)
    show(joined([source_link(document), scores, text]))
    component("landing", _LANDING, "landing.js")(key=f"landing-{document.id}", height=1)


def _terms(entry: HitEntry, shown: ShownAnswer) -> list[Chip]:
    """Return the shared terms as buttons where words rank; none of a hit that steers, whose row goes next time."""
    if entry.steered or not shown.query.text or shown.question.ranking == "encoder":
        return []

    def stress(words: Sequence[str]) -> None:
        st.session_state[BEFORE] = (shown.question, shown.answer)
        session.choose_words("stressed", words)

    return term_chips(entry.result.evidence.terms, stress)


def name_details(entry: HitEntry, shown: ShownAnswer) -> None:
    """Name the details and their groups of buttons for people who cannot see where a button is."""
    rank = entry.result.rank
    names = {
        "hit-details": entry.spoken,
        "hit-details-first": entry.spoken,
        "hit-steering": "Rank again",
        "hit-terms": "Shared terms",
        "thumbs": f"Is result {rank} relevant?",
    }
    name_groups("hits", names | chip_names([*category_chips(entry.document), *_terms(entry, shown)]))


def near_lines(result: search.Result) -> Markup:
    """Say how near a hit is in a word and on the ruler, and whether one of its passages says most of the question."""
    lines = [reading_line(result.reading)]
    if (quoted := result.evidence.quoted) is not None:
        lines.append(element("p", quoted.sentence, class_="ps-score"))
    return joined(lines)


def why(result: search.Result, *, asked: QuestionForm = "document", with_terms: bool = True) -> Markup:
    """Return the evidence: shared terms, which parts met, the best pair of passages, other versions of the work.

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
        pieces.append(reading_line(result.by_passage))
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


def _steering(entry: HitEntry, shown: ShownAnswer) -> None:
    """Draw the buttons that rank again, from within a part of the page that is drawn by itself."""
    id_, rank = entry.document.id, entry.result.rank
    if entry.steered:  # in the place of what was pressed, so that the focus stays
        name = {"like": "like", "unlike": "dislike"}[entry.steered]
        offered = [("Take it out", name, ":material/undo:", "Rank again without it", partial(drop_seed, id_))]
    else:
        near, away = (partial(_steer, shown, id_, liked=liked) for liked in (True, False))
        offered = [
            ("More like this", "like", ":material/add:", f"Rank again, nearer to result {rank}", near),
            ("Less like this", "dislike", ":material/remove:", f"Rank again, away from result {rank}", away),
        ]
    for label, name, icon, help_, act in offered:
        st.button(label, key=f"{name}-{id_}", icon=icon, help=help_, type="tertiary", on_click=act)


def _steer(shown: ShownAnswer, id_: str, *, liked: bool) -> None:
    """Rank again towards a hit or away from it; it stays the one that is shown, and its row where it is."""
    visit = session.current()
    st.session_state[BEFORE] = (shown.question, shown.answer)
    towards, away = (tuple(other for other in ids if other != id_) for ids in (visit.liked, visit.disliked))
    if liked:
        towards = (*towards, id_)[-MAX_LISTED:]
    else:
        away = (*away, id_)[-MAX_LISTED:]
    session.update(liked=towards, disliked=away, selected=id_)


def drop_seed(id_: str) -> None:
    """Rank again without a document that steers."""
    visit = session.current()
    st.session_state.pop(BEFORE, None)
    session.update(
        liked=tuple(other for other in visit.liked if other != id_),
        disliked=tuple(other for other in visit.disliked if other != id_),
    )


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
    """Return a chip for each of the first categories."""
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
    """Return a chip for each of the strongest terms; a term of two words stresses both.

    `on_stress` gets all words that shall be stressed.
    """
    chosen = session.current().stressed
    chips = []
    for number, term in enumerate(terms[:SHOWN_TERMS]):
        words = as_words([term.term])
        is_on = bool(words) and set(words) <= set(chosen)
        does, why_off = "stress it, so that near documents that say it come further up", ""
        if is_on:
            does = "stop stressing it"
        elif len({*chosen, *words}) > MAX_LISTED:
            why_off = _FULL_WORDS
        left = [word for word in chosen if word not in words]
        press = partial(on_stress, left if is_on else [*left, *words])
        chips.append(Chip(f"hit-term-{number}", term.term, is_on, does, press, why_off))
    return chips


def draw_chips(chips: Sequence[Chip], key: str, shown: str) -> None:
    """Draw the chips in a row that has this key; the document with the id `shown` stays the one chosen."""
    if not chips:
        return

    def pressed(chip: Chip) -> None:
        chip.press()
        session.update(selected=shown)

    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=key):
        for chip in chips:
            icon = ":material/close:" if chip.is_on else None  # another type would lose the focus
            why, off = chip.why_off or chip.does, bool(chip.why_off)
            text, act = in_label(chip.text), pressed
            st.button(text, key=chip.key, icon=icon, help=why, disabled=off, on_click=act, args=(chip,))


def chip_names(chips: Sequence[Chip]) -> dict[str, str]:
    """Name the chips by their keys, for people who cannot see what stands beside them."""
    return {chip.key: f"{chip.text}: {chip.does}" for chip in chips}
