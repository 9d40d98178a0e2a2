"""The answer to a question: the verdict, what was done, the seeds, the list, and what to do without results."""

from __future__ import annotations

import dataclasses
from contextlib import nullcontext
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from engine.core.errors import EngineError
from engine.documents import Document
from engine.documents.markup import Markup, element
from engine.documents.text import how_many
from engine.library import Filters
from engine.search import MEANINGS
from explorer.search import asking
from explorer.search.cited_works import chosen, citation_bar, has_filter, near_and_not_cited, nothing
from explorer.search.couplings import TITLE, meaning
from explorer.search.hit_list import Shown, drop_seed, hit_list
from explorer.search.hits import key_list
from explorer.search.person import person_first
from explorer.search.words_first import words_first
from explorer.shared import notices
from explorer.shared.downloads import downloads
from explorer.shared.formulas import typeset
from explorer.shared.group_names import name_groups
from explorer.shared.markup import show
from explorer.shared.options import RANKING_NAMES, clear_filters
from explorer.shared.preparation import keywords_meanwhile, reading, show_unread
from explorer.state import handles
from explorer.state.encoder_names import encoder_name
from explorer.state.links import Visit

if TYPE_CHECKING:
    from engine.search import Answer, Question

_ANSWER, _NEAR_ANSWER = "answer", "near_answer"
_SHOWN_SEEDS = 6
_ORDER = (
    "The word beside a result comes from the two texts alone, not from the order: a nearer one can stand further down."
)
_KINDS = (
    "Papers and patents are ranked separately and then put in one list, weighted by how near each kind comes: wording "
    "alone would put your document's own kind first. The filters show one kind alone."
)
_QUOTED = (
    "The word beside a result is of the beginnings of the two texts. Where a passage further down holds three quarters "
    "of your telling words, its details say so below the word."
)
_BY_WORDS = (
    "Your text cites other work, so its words count more in the order than they usually do, those of the sentences "
    "that cite most of all."
)


def results(query: Document, visit: Visit) -> None:
    """Search and draw the results; an engine error is shown as its sentence."""
    if person_first(query, visit):
        return
    name = encoder_name(visit.encoder)
    if not _is_answered(question := _question(query, visit), name):
        on_its_way = asking.asked(question, name, is_listed=_is_listed(query))
        hits = () if on_its_way.may_show else on_its_way.word_hits()
        if not on_its_way.may_show:
            words_first(on_its_way, hits)
            return
    with st.spinner("Getting ready to search"):  # the first search waits for its encoder
        found = None if visit.ranking == "keywords" else reading(name)
        if found is not None and not found.is_whole:
            show_unread(found)
    if found is not None and not found.can_be_searched:
        if not keywords_meanwhile(name, visit):
            return
        visit = dataclasses.replace(visit, ranking="keywords")
    try:
        with st.spinner("Searching"):
            answer = _answer(_question(query, visit), name)
    except EngineError as error:
        notices.problem(str(error))
        return
    if not answer.results:
        _seeds(visit)
        _empty(query, answer, visit)
        return
    library = handles.library()
    total = handles.document_count() if visit.filters == Filters() else library.count(visit.filters)
    with st.container(
        gap=None, key="found-words"
    ):  # one place, whatever it holds: else the list below would be rebuilt
        _verdict(answer, visit)
        _summary(query, answer, visit, total)
        _seeds(visit)
        citation_bar(answer, visit)
    question = _question(query, visit)
    hit_list(Shown(query, question, answer, total, library.collections.version()))
    if answer.citations.references:
        near_and_not_cited(question, partial(_answer, name=name, key=_NEAR_ANSWER))


def _empty(query: Document, answer: Answer, visit: Visit) -> None:
    """What to do without results."""
    if answer.verdict.is_gibberish:
        notices.empty_state("Nothing is near", answer.sentence)
        return
    citation_bar(answer, visit)
    if chosen(query, visit) is not None:
        notices.empty_state("Nothing found", nothing(visit))
        return
    _nothing(visit)


def _question(query: Document, visit: Visit) -> Question:
    from engine.search import Question

    seeds, words = (visit.liked, visit.disliked), (visit.stressed, visit.muted)
    return Question(query, visit.k, visit.ranking, visit.filters, *seeds, *words, cited=chosen(query, visit))


def _is_listed(query: Document) -> bool:
    """Whether the last answer was to this document, whatever was asked of it."""
    held = st.session_state.get(_ANSWER)
    return held is not None and held[0][0].document == query


def _is_answered(question: Question, name: str) -> bool:
    """Whether the page has an answer to this question, even if one of before the library changed."""
    held = st.session_state.get(_ANSWER)
    return held is not None and held[0][:2] == (question, name)


def _answer(question: Question, name: str, key: str = _ANSWER) -> Answer:
    """The answer, searched once for each change of the question, the encoder, the library or its vectors."""
    vectors = 0 if question.ranking == "keywords" else handles.vector_count(name)
    library = handles.library()
    kept = library.collections.version() if question.filters.collections else ""
    kept += f" {library.annotations.version()}" if question.filters.lines else ""  # they may ask for tags
    state = (question, name, handles.library_state(), library.revision(), vectors, kept)
    held = st.session_state.get(key)
    if held is not None and held[0] == state:
        return held[1]  # type: ignore[no-any-return]
    answer = asking.taken(question, name, (handles.library_state(), vectors))
    if answer is None:
        answer = handles.searcher(name).search(question)
    st.session_state[key] = (state, answer)
    return answer


def _verdict(answer: Answer, visit: Visit) -> None:
    """The verdict on the whole list, first; then what the library holds and lacks of the question."""
    sentence = answer.sentence.removesuffix(answer.verdict.lacks).strip()
    kind = "" if answer.is_near else " ps-verdict-far"
    show(element("p", sentence, class_=f"ps-verdict{kind}", role="status"))
    said = [f"“{word}”: {how_many(count, 'document')} of the library say it." for word, count in answer.holders.items()]
    if answer.query_duplicates:
        ids = ", ".join(answer.query_duplicates[:3])
        said.append(f"Your document is itself in the library ({ids}), so it is not listed.")
    if answer.cites and not has_filter(answer, visit):
        said.append(answer.cites)
    if answer.verdict.lacks:
        said.append(answer.verdict.lacks)
    if said:
        show(element("p", " ".join(said), class_="ps-quiet"))


def _summary(query: Document, answer: Answer, visit: Visit, total: int) -> None:
    """How many are listed of how many, how to read them, the files, and the keys."""
    seconds = sum(answer.seconds.values())
    ranked = {"default": "meaning and keywords", "encoder": "meaning", "keywords": "keywords"}[visit.ranking]
    of = how_many(total, "document") + (" that pass the filters" if visit.filters != Filters() else "")
    line = element("p", f"{len(answer.results):,} of {of}, ranked by {ranked} in {seconds:.2f} s", class_="ps-quiet")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="summary"):
        show(element("div", line, _key(answer), class_="ps-summary"))
        with st.popover("Keys", icon=":material/keyboard:", key="hit-help", type="tertiary"):
            show(key_list())
        report = partial(_report, _question(query, visit), answer)
        downloads(answer.results, stem="priorscope-results", report=report)


def _report(question: Question, answer: Answer) -> str:
    from engine.exports import search_html

    return search_html(question, answer, made_on=date.today())


def _key(answer: Answer) -> Markup:
    """How to read the list, folded away."""
    ranks = [result.reading.rank for result in answer.results]
    words = "; ".join(f"“{word}”: {meaning}" for word, meaning in MEANINGS.items())
    lines = [
        f"A word says how near a document is to yours, with its probability: {words}. It depends on the two texts "
        "alone and means the same in every library, with every encoder and on every page.",
        "Nearness is the similarity in meaning that the word is read from, with the words that both texts share. The "
        "ruler shows where the usual pairs lie: unrelated ones, those of one field, those that cite one another, and "
        "duplicates.",
    ]
    if ranks != sorted(ranks):
        lines.append(_ORDER)
    if answer.goes_by_words:
        lines.append(_BY_WORDS)
    if any(result.evidence.quoted for result in answer.results):
        lines.append(_QUOTED)
    if answer.kinds_apart:
        lines.append(_KINDS)
    if any(result.evidence.couplings for result in answer.results):
        lines.append(f"{TITLE}: {meaning(answer.encoder)}")
    said = (element("p", line) for line in lines)
    return element("details", element("summary", "How to read the results"), *said, class_="ps-key")


def _seeds(visit: Visit) -> None:
    """The documents that steer the ranking, each with a way to remove it."""
    if not (visit.liked or visit.disliked):
        return
    names: dict[str, str] = {}
    seeds = [(word, id_) for word, ids in (("More like", visit.liked), ("Less like", visit.disliked)) for id_ in ids]
    documents = handles.library().get([id_ for _, id_ in seeds])
    with st.container(gap=None, key="seeds"):
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
        st.button("Take out", key=f"seed-{document.id}", type="tertiary", on_click=drop_seed, args=args)


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
            ("imports", bool(filters.files)),
            ("lines", bool(filters.lines)),
        )
        if is_on
    ]
    if handles.library().count(filters):  # what passes shares no word with the document, or is the document itself
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
    fields = {"kind": ("kinds",), "imports": ("files",), "years": ("year_from", "year_to")}.get(left_out, (left_out,))
    wider = dataclasses.replace(visit.filters, **{field: getattr(defaults, field) for field in fields})
    return handles.library().count(wider)
