"""The answer to a question: the verdict, what was done, the seeds, the list with the chosen hit's details.

The details stand beside the list where there is room, else below the row. Choosing another hit draws only the list
again; nothing is searched.
"""

from __future__ import annotations

import dataclasses
from contextlib import nullcontext
from datetime import date
from functools import partial

import streamlit as st

from engine import exports, search
from engine.core.errors import EngineError
from engine.documents import Document
from engine.documents.markup import Markup, element
from engine.documents.text import how_many
from engine.library import Filters
from explorer.search import asking, cited_works
from explorer.search.asking import hits_first
from explorer.search.chosen_hit import BEFORE, ShownAnswer, details, drop_seed, name_details
from explorer.search.hits import HitEntry, Steered, hit_entries, hit_rows, keys_button, more_button, row_list
from explorer.search.person import person_first
from explorer.shared import notices, salient
from explorer.shared.document import heading, itself_here
from explorer.shared.encoder import reading, reading_line, show_unread
from explorer.shared.judging import grades_of, judged_line
from explorer.shared.keeping import screen_button
from explorer.shared.markup import name_groups, show, typeset
from explorer.shared.options import FILTER_FIELDS, RANKING_NAMES, clear_filters, documents_that_pass
from explorer.shared.widgets import file_stem, result_downloads
from explorer.state import handles, session
from explorer.state.handles import encoder_name
from explorer.state.visit import Visit

_ANSWER, _NEAR_ANSWER = "answer", "near_answer"
_ANSWERS = 8
"""How many of this visitor's last answers are held, so that Back or a filter taken off again searches nothing."""
_SHOWN_SEEDS = 6
_ORDER = (
    "The word beside a result comes from the two texts alone, not from the order: a nearer one can stand further down."
)
_NEARNESS = (
    "Nearness is the similarity in meaning that the word is read from, with the words that both texts share. The ruler "
    "shows where the usual pairs lie: unrelated ones, those of one field, those that cite one another, and duplicates."
)
_TOPIC = (
    "Your text names a topic or asks a short question, so no document can say the same, and one word stands for the "
    "five. What is on the topic comes first. A text of a few sentences gets the finer words."
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
        on_its_way = asking.ask_in_background(question, name, is_listed=_is_listed(query))
        if not on_its_way.may_show:
            hits_first(on_its_way)
            return
    with st.spinner("Getting ready to search"):  # the first search waits for its encoder
        found = None if visit.ranking == "keywords" else reading(name)
        if found is not None and not found.can_be_searched:
            show_unread(found)
            return
    if found is not None and found.away:
        notices.problem(found.problem)
    try:
        with st.spinner("Searching"):
            answer = _answer(_question(query, visit), name)
    except EngineError as error:
        notices.problem(str(error))
        return
    if not answer.results:
        _seeds(visit)
        _empty(query, answer, visit, name)
        return
    library = handles.library()
    total = len(library) if visit.filters == Filters() else library.count(visit.filters)
    with st.container(gap=None, key="found-words"):  # one place, whatever it holds: else the list would be rebuilt
        _verdict(answer, visit)
        if answer.verdict.read:
            reading_line(name, answer)
        _summary(query, answer, visit, total)
        _seeds(visit)
        cited_works.citation_bar(answer, visit)
    question = _question(query, visit)
    hit_list(ShownAnswer(query, question, answer, total, library.collections.version()))
    if answer.citations.references:
        cited_works.near_and_not_cited(question, partial(_answer, name=name, key=_NEAR_ANSWER))


def _empty(query: Document, answer: search.Answer, visit: Visit, name: str) -> None:
    """Say what to do without results."""
    if answer.verdict.read:
        notices.empty_state("No document shares its words", "What is near in meaning is found once it is read.")
        reading_line(name, answer)
        return
    if answer.verdict.is_gibberish:
        notices.empty_state("Nothing is near", answer.sentence)
        return
    cited_works.citation_bar(answer, visit)
    if cited_works.citation_filter(query, visit) is not None:
        notices.empty_state("Nothing found", cited_works.explain_empty(visit))
        return
    _nothing(visit)


def _question(query: Document, visit: Visit) -> search.Question:
    seeds, words = (visit.liked, visit.disliked), (visit.stressed, visit.muted)
    return search.Question(
        query, visit.k, visit.ranking, visit.filters, *seeds, *words, cited=cited_works.citation_filter(query, visit)
    )


def _is_listed(query: Document) -> bool:
    """Tell whether the last answer was to this document, whatever was asked of it."""
    return any(key[0].document == query for key in session.remembered(_ANSWER)[:1])


def _is_answered(question: search.Question, name: str) -> bool:
    """Tell whether the page has an answer to this question, even if one of before the library changed."""
    return any(key[:2] == (question, name) for key in session.remembered(_ANSWER))


def _answer(question: search.Question, name: str, key: str = _ANSWER) -> search.Answer:
    """Return the answer, searched once for each change of the question, the encoder, the library or its vectors."""
    vectors = 0 if question.ranking == "keywords" else reading(name).count
    library = handles.library()
    kept = library.collections.version() if question.filters.collections else ""
    kept += f" {library.annotations.version()}" if question.filters.lines else ""  # they may ask for tags
    state = (question, name, handles.workspace().state(), library.revision(), vectors, kept)

    def make() -> search.Answer:
        found = asking.take_answer(question, name, (handles.workspace().state(), vectors))
        return found if found is not None else handles.workspace().searcher(name).search(question)

    return session.remember(key, state, make, most=_ANSWERS)


def _verdict(answer: search.Answer, visit: Visit) -> None:
    """Draw the verdict on the whole list, then what the library holds and lacks of the question."""
    told = answer.headline
    kind = "" if told.near or answer.verdict.read else " ps-verdict-far"
    show(element("p", told.sentence, class_=f"ps-verdict{kind}", role="status"))
    said = [
        f"“{word}” stands in {how_many(count, 'document')} of the library." for word, count in answer.holders.items()
    ]
    if answer.query_duplicates:
        said.append(itself_here(answer.query_duplicates))
    if answer.cites and not cited_works.has_filter(answer, visit):
        said.append(answer.cites)
    if answer.verdict.lacks:
        said.append(answer.verdict.lacks)
    if said:
        show(element("p", " ".join(said), class_="ps-quiet"))


def _summary(query: Document, answer: search.Answer, visit: Visit, total: int) -> None:
    """Say how many are listed of how many; offer how to read them, the files, and the keys."""
    seconds = sum(answer.seconds.values())
    ranked = {"default": "meaning and keywords", "encoder": "meaning", "keywords": "keywords"}[visit.ranking]
    if answer.verdict.read and visit.ranking != "keywords":
        ranked = "keywords, and meaning where it is read,"
    of = documents_that_pass(total, visit.filters)
    listed = of if len(answer.results) == total else f"{len(answer.results):,} of {of}"
    line = element("p", f"{listed}, ranked by {ranked} in {seconds:.2f} s", class_="ps-quiet")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="summary"):
        show(element("div", line, _key(answer), class_="ps-summary"))
        keys_button()
        about = heading(query) if query.text else "documents of the library"
        screen_button([result.document.id for result in answer.results], about)
        question = _question(query, visit)  # here: a file is made outside the visitor's session
        report = lambda: exports.search_html(question, answer, made_on=date.today())  # noqa: E731
        result_downloads(answer.results, stem=file_stem("near", about), report=report)


def _key(answer: search.Answer) -> Markup:
    """Explain how to read the list, folded away."""
    readings = [result.reading for result in answer.results]
    ranks, of_topic = [one.rank for one in readings], any(one.is_of_topic for one in readings)
    meanings = dict(search.Reading.topic_meanings if of_topic else search.Reading.meanings)
    meanings |= {one.word: one.meaning for one in readings if not one.is_compared}
    words = "; ".join(f"“{word}”: {meaning}" for word, meaning in meanings.items())
    lines = [
        f"A word says how near a document is to yours: {words}. It is the nearest one that is at least as likely right "
        "as not, and its percentage says how likely the document is so near, or so far. It depends on the two texts "
        "alone and means the same in every library, with every encoder and on every page.",
    ]
    lines.append(_TOPIC if of_topic else _NEARNESS)
    if ranks != sorted(ranks):
        lines.append(_ORDER)
    if answer.goes_by_words:
        lines.append(_BY_WORDS)
    if any(result.evidence.quoted for result in answer.results):
        lines.append(_QUOTED)
    if answer.kinds_apart:
        lines.append(_KINDS)
    if any(result.evidence.couplings for result in answer.results):
        lines.append(f"{cited_works.COUPLINGS}: {cited_works.explain_couplings(answer.encoder)}")
    said = (element("p", line) for line in lines)
    return element("details", element("summary", "How to read the results"), *said, class_="ps-key")


def _seeds(visit: Visit) -> None:
    """Draw the documents that steer the ranking, each with a way to remove it."""
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
            with (
                folded or nullcontext(),
                st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key=key),
            ):
                show(element("p", element("strong", f"{word}: "), typeset(document.name), class_="ps-seed"))
                args = (document.id,)
                st.button("Take out", key=f"seed-{document.id}", type="tertiary", on_click=drop_seed, args=args)
    name_groups("seeds", names)


def _nothing(visit: Visit) -> None:
    """Name the filters that are on where nothing is found, and offer to clear them."""
    library, none = handles.library(), Filters()
    active: dict[str, Filters] = {}
    for name, fields in FILTER_FIELDS.items():
        wider = dataclasses.replace(visit.filters, **{field: getattr(none, field) for field in fields})
        if wider != visit.filters:
            active[name] = wider
    if library.count(visit.filters):  # what passes shares no word with the document, or is the document itself
        way = f"Rank by {RANKING_NAMES['encoder']} at the side: it finds related texts that share no words with yours."
        only = "The library holds nothing else." if not active else "Only your document itself passes the filters."
        notices.empty_state("Nothing found", way if visit.ranking == "keywords" else only)
        if not active:
            return
    else:
        each = {name: library.count(wider) for name, wider in active.items()}
        widest = max(each, key=lambda name: each[name])
        more = how_many(each[widest], "document")
        text = f"Filters on: {', '.join(active)}. Without {widest}, {more} would be searched."
        notices.empty_state("No document passes the filters", text)
    with st.container(horizontal=True, horizontal_alignment="center"):
        st.button("Clear filters", key="clear-filters-here", on_click=clear_filters, type="primary")


def steered_rows(shown: ShownAnswer) -> list[HitEntry]:
    """Return the rows of the answer, with what the last step of steering changed in it."""
    results = shown.answer.results
    if not shown.answer.citations.held:  # a sentence above says so, once
        results = tuple(dataclasses.replace(result, cited=None) for result in results)
    before: tuple[search.Question, search.Answer] | None = st.session_state.get(BEFORE)
    if before is None or not _is_a_step(before[0], shown.question):
        return hit_entries(results, {}, ())
    seeds: dict[str, Steered] = {
        **dict.fromkeys(shown.question.liked, "like"),
        **dict.fromkeys(shown.question.disliked, "unlike"),
    }
    steered = [(result, seeds[result.document.id]) for result in before[1].results if result.document.id in seeds]
    return hit_entries(results, shown.answer.moves_since(before[1], gone=seeds), steered)


@st.fragment
def hit_list(shown: ShownAnswer) -> None:
    """Draw the rows, the chosen hit's details, and what leads on."""
    asks_on = _question(shown.query, session.current()) != shown.question
    if asks_on or session.leads_away() or handles.library().collections.version() != shown.kept:
        st.rerun()  # for another list; to Compare; or kept here, and the filters at the side count again
    notices.show_told()
    visit, listed = session.current(), steered_rows(shown)
    slots: salient.Slots = []
    collections = handles.library().collections
    named = [entry.document.id for entry in listed] if collections.counts() else []
    kept = {id_: ", ".join(names) for id_ in named if (names := collections.holding([id_]))}

    def lead_on() -> None:
        """Ten more results, and what became of the visitor's judgements."""
        found = len(shown.answer.results)
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="hits-foot"):
            if found >= visit.k:
                more_button(found, shown.total)
            judged_line(grades_of(shown.query))

    at = row_list(
        [entry.document.id for entry in listed],
        lambda some, selected: hit_rows(listed[some], selected, kept),
        lambda at: slots.extend(details(listed[at], shown)),
        below=lead_on,
    )
    name_details(listed[at], shown)
    salient.fill_slots(slots)


def _is_a_step(before: search.Question, now: search.Question) -> bool:
    """Tell whether only the documents that steer, or the stressed words, differ between two questions."""
    steering = {name: getattr(now, name) for name in ("liked", "disliked", "stressed", "muted")}
    return dataclasses.replace(before, **steering) == now != before
