"""The answer to a question: what was done, the seeds, the cards, and what to do without results."""

from __future__ import annotations

import dataclasses
from contextlib import nullcontext
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from engine.documents import Document
from engine.errors import EngineError
from engine.library import Filters
from engine.markup import Markup, element
from engine.readings import MEANINGS
from engine.text import how_many
from explorer.search.cited_works import chosen, citation_bar, near_and_not_cited, nothing
from explorer.search.couplings import TITLE, meaning
from explorer.search.hits import Actions, hit_card, spoken_names
from explorer.shared import notices
from explorer.shared.downloads import downloads
from explorer.shared.formulas import typeset
from explorer.shared.group_names import name_groups
from explorer.shared.judging import grades_of, judged_line, thumbs
from explorer.shared.markup import show
from explorer.shared.options import RANKING_NAMES, clear_filters
from explorer.shared.passages import Asked
from explorer.shared.preparation import keywords_meanwhile, reading, show_unread
from explorer.shared.salient_slots import Slots
from explorer.state import compared, handles, links, session
from explorer.state.encoder_names import encoder_name
from explorer.state.link_values import MAX_LISTED
from explorer.state.links import Visit

if TYPE_CHECKING:
    from engine.search import Answer, Question

_ANSWER, _NEAR_ANSWER = "answer", "near_answer"
_SHOWN_SEEDS = 6
_MAP_PAGE = Path(__file__).resolve().parent.parent / "map" / "view.py"
_ORDER = (
    "The word beside a hit comes from the two texts alone, not from the order: a nearer one can stand further down."
)
_KINDS = (
    "Papers and patents are ranked separately and then put in one list, weighted by how near each kind comes: wording "
    "alone would put your document's own kind first. The filters show one kind alone."
)
_QUOTED = (
    "The word beside a hit is of the beginnings of the two texts. Where a passage further down holds three quarters of "
    "your telling words, it says so below the word."
)
_BY_WORDS = (
    "Your text cites other work, so its words count more in the order than they usually do, those of the sentences "
    "that cite most of all."
)


def results(query: Document, visit: Visit) -> Slots:
    """Search and draw the results; an engine error is shown as its sentence.

    Returns the places in the cards for salient sentences.
    """
    name = encoder_name(visit.encoder)
    with st.spinner("Getting ready to search"):  # the first search waits for its encoder
        found = None if visit.ranking == "keywords" else reading(name)
        if found is not None and not found.is_whole:
            show_unread(found)
    if found is not None and not found.can_be_searched:
        if not keywords_meanwhile(name, visit):
            return []
        visit = dataclasses.replace(visit, ranking="keywords")
    try:
        with st.spinner("Searching"):
            answer = _answer(_question(query, visit), name)
    except EngineError as error:
        notices.problem(str(error))
        return []
    _seeds(visit)
    if not answer.results:
        if answer.verdict.is_gibberish:
            notices.empty_state("Nothing is near", answer.verdict.sentence)
            return []
        citation_bar(answer, visit)
        if chosen(query, visit) is not None:
            notices.empty_state("Nothing found", nothing(visit))
            return []
        _nothing(visit)
        return []
    _summary(query, answer, visit)
    _verdict(answer)
    citation_bar(answer, visit)
    if answer.citations.references:
        near_and_not_cited(_question(query, visit), partial(_answer, name=name, key=_NEAR_ANSWER))
    return _cards(query, answer, visit)


def _question(query: Document, visit: Visit) -> Question:
    from engine.search import Question

    seeds, words = (visit.liked, visit.disliked), (visit.stressed, visit.muted)
    return Question(query, visit.k, visit.ranking, visit.filters, *seeds, *words, cited=chosen(query, visit))


def _answer(question: Question, name: str, key: str = _ANSWER) -> Answer:
    """The answer, searched once for each change of the question, the encoder, the library or its vectors."""
    vectors = 0 if question.ranking == "keywords" else handles.vector_count(name)
    library = handles.library()
    kept = library.collections.version() if question.filters.collections else ""
    state = (question, name, handles.library_state(), library.revision(), vectors, kept)
    held = st.session_state.get(key)
    if held is not None and held[0] == state:
        return held[1]  # type: ignore[no-any-return]
    answer = handles.searcher(name).search(question)
    st.session_state[key] = (state, answer)
    return answer


def _summary(query: Document, answer: Answer, visit: Visit) -> None:
    seconds = sum(answer.seconds.values())
    ranked = {"default": "meaning and keywords", "encoder": "meaning", "keywords": "keywords"}[visit.ranking]
    found = f"{len(answer.results):,} of {how_many(handles.document_count(), 'document')}"
    line = f"{found}, ranked by {ranked} in {seconds:.2f} s"
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        show(element("p", line, class_="ps-quiet", role="status"))
        report = partial(_report, _question(query, visit), answer)
        downloads(answer.results, stem="priorscope-results", report=report)
    show(_key(answer))
    if answer.query_duplicates:
        ids = ", ".join(answer.query_duplicates[:3])
        notices.note(f"Your document is itself in the library ({ids}), so it is not listed below.")


def _verdict(answer: Answer) -> None:
    """The verdict on the whole list: always where nothing is near, else only what the library lacks."""
    if not answer.verdict.near or answer.verdict.unknown_terms:
        notices.note(answer.verdict.sentence)
    for word, count in answer.holders.items():
        notices.note(f"“{word}”: {how_many(count, 'document')} of the library say it.")


def _report(question: Question, answer: Answer) -> str:
    from engine.exports.search_report import search_report

    return search_report(question, answer, made_on=date.today())


def _key(answer: Answer) -> Markup:
    """How to read the cards. Why bars need not fall from card to card is always shown; the rest is folded away."""
    ranks = [result.reading.rank for result in answer.results]
    order = [element("p", _ORDER, class_="ps-quiet")] if ranks != sorted(ranks) else []
    if answer.goes_by_words:
        order.append(element("p", _BY_WORDS, class_="ps-quiet"))
    words = "; ".join(f"“{word}”: {meaning}" for word, meaning in MEANINGS.items())
    lines = [
        f"A word says how near a document is to yours, with its probability: {words}. It depends on the two texts "
        "alone and means the same in every library, with every encoder and on every page.",
        "Nearness is the similarity in meaning that the word is read from, with the words that both texts share. The "
        "ruler shows where the usual pairs lie: unrelated ones, those of one field, those that cite one another, and "
        "duplicates.",
    ]
    if any(result.evidence.quoted for result in answer.results):
        lines.append(_QUOTED)
    if answer.kinds_apart:
        lines.append(_KINDS)
    if any(result.evidence.couplings for result in answer.results):
        lines.append(f"{TITLE}: {meaning(answer.encoder)}")
    folded = element("details", element("summary", "How to read the results"), *(element("p", line) for line in lines))
    return element("div", *order, folded, class_="ps-key")


def _cards(query: Document, answer: Answer, visit: Visit) -> Slots:
    grades = grades_of(query)
    judged_line(grades)
    actions = Actions(
        on_like=_like,
        on_dislike=_dislike,
        on_compare=(lambda id_: _compare(query, id_)) if query.text else None,
        thumbs=(lambda id_, rank: thumbs(query, id_, rank, grades)) if query.text else None,
        map_page="explorer/map/view.py" if _MAP_PAGE.is_file() else None,
        map_link=lambda id_: links.to_link(dataclasses.replace(session.current(), selected=id_)),
    )
    asked: Asked = "document" if query.kind != "query" else "question" if query.text else "seeds"
    slots: Slots = []
    for result in answer.results:
        slots += hit_card(
            result,
            asked=asked,
            actions=actions,
            selected=result.document.id == visit.selected,
        )
    name_groups("hits", spoken_names(answer.results, visit.selected))
    return slots


def _like(id_: str) -> None:
    visit = session.current()
    disliked = tuple(other for other in visit.disliked if other != id_)
    session.update(liked=(*visit.liked, id_)[-MAX_LISTED:], disliked=disliked)


def _dislike(id_: str) -> None:
    visit = session.current()
    liked = tuple(other for other in visit.liked if other != id_)
    session.update(disliked=(*visit.disliked, id_)[-MAX_LISTED:], liked=liked)


def _compare(query: Document, id_: str) -> None:
    """Open the Compare page on the query and a hit."""
    with notices.shown_errors():
        compared.with_query(query, id_)
        st.switch_page("explorer/compare/view.py")


def _drop_seed(id_: str) -> None:
    visit = session.current()
    session.update(
        liked=tuple(other for other in visit.liked if other != id_),
        disliked=tuple(other for other in visit.disliked if other != id_),
    )


def _seeds(visit: Visit) -> None:
    """The documents that steer the ranking, each with a way to remove it."""
    if not (visit.liked or visit.disliked):
        return
    names: dict[str, str] = {}
    seeds = [(word, id_) for word, ids in (("More like", visit.liked), ("Less like", visit.disliked)) for id_ in ids]
    documents = handles.library().get([id_ for _, id_ in seeds])
    with st.container(border=True, gap="xsmall", key="seeds"):
        show(element("p", "Steering the ranking", class_="ps-label"))
        folded = None
        for number, ((word, _), document) in enumerate(zip(seeds, documents, strict=True)):
            if number == _SHOWN_SEEDS:
                folded = st.expander(f"and {len(seeds) - number} more", key="more-seeds", type="compact")
            key = f"seed-row-{number}"
            names[key] = f"{word}: {document.name}"
            with folded or nullcontext():
                _seed(word, document, key)
    name_groups("seeds", names)


def _seed(word: str, document: Document, key: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key=key):
        show(element("p", element("strong", f"{word}: "), typeset(document.name), class_="ps-seed"))
        args = (document.id,)
        st.button("Take out", key=f"seed-{document.id}", type="tertiary", on_click=_drop_seed, args=args)


def _nothing(visit: Visit) -> None:
    """No result: name the filters that are on, and offer to clear them."""
    filters = visit.filters
    active = [
        name
        for name, is_on in (
            ("kind", bool(filters.kinds)),
            ("years", filters.year_from is not None or filters.year_to is not None),
            ("categories", bool(filters.categories)),
            ("venues", bool(filters.venues)),
            ("collections", bool(filters.collections)),
            ("lines", bool(filters.lines)),
        )
        if is_on
    ]
    if handles.library().ids(filters):  # what passes shares no word with the document, or is the document itself
        way = f"Rank by {RANKING_NAMES['encoder']} at the side: it finds related texts that share no words with yours."
        only = "The library holds nothing else." if not active else "Only your document itself passes the filters."
        notices.empty_state("Nothing found", way if visit.ranking == "keywords" else only)
        if not active:
            return
    else:
        each = {name: _number_under(visit, name) for name in active}
        widest = max(each, key=lambda name: each[name])
        more = how_many(each[widest], "document")
        text = f"Filters on: {', '.join(active)}. Without {widest}, {more} would be looked at."
        notices.empty_state("No document passes the filters", text)
    with st.container(horizontal=True, horizontal_alignment="center"):
        st.button("Clear filters", key="clear-filters-here", on_click=clear_filters, type="primary")


def _number_under(visit: Visit, left_out: str) -> int:
    """How many documents pass when one filter is taken away."""
    defaults = Filters()
    fields = {"kind": ("kinds",), "years": ("year_from", "year_to")}.get(left_out, (left_out,))
    wider = dataclasses.replace(visit.filters, **{field: getattr(defaults, field) for field in fields})
    return len(handles.library().ids(wider))
