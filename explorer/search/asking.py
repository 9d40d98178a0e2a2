"""A question that is answered in the background, and until then the first hits: by words, then by meaning, too.

Nothing moves under a hand: once the visitor is at work in the list, the answer waits to be asked for.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Hashable, Sequence

import streamlit as st

from engine import search
from engine.core.errors import EngineError
from engine.core.progress import duration
from engine.documents import Document
from engine.documents.markup import Markup, element
from engine.documents.questions import is_short
from engine.documents.text import how_many
from explorer.search.hits import choose_hit, first_hit_rows, row_list
from explorer.shared.document import full_text, head
from explorer.shared.encoder import reading
from explorer.shared.markup import show
from explorer.state import handles

PATIENCE_SECONDS: float | None = 0.1
"""How long a page waits for an answer before it shows something else; None waits for all of it."""

_SHORT_TIMES, _LISTED_TIMES = 2, 10
"""It waits this many times longer for a short question, whose answer is about to come, and for another list of a
document that has one: it stays meanwhile, and two lists would flicker."""

_LOG = logging.getLogger(__name__)
_ASKING, _AHEAD = "asking", "read_ahead"
_SECONDS_BETWEEN_LOOKS = 0.3
_LATER = "How near it is, and which passages say so, comes next."


class PendingAnswer:
    """One question on its way: what is being done, since when, and in the end the answer or what went wrong.

    `stage` says what is being done. `is_touched` says that the visitor is at work in what the page shows meanwhile,
    `is_told` that the answer was announced there, and `is_wanted` that it may take its place.
    """

    def __init__(self, question: search.Question, name: str) -> None:
        """Answer `question` with the encoder called `name`, in a thread of its own."""
        self.question, self.name = question, name
        self.stage = "loading the encoder"
        self.is_touched = self.is_told = self.is_wanted = False
        self.answer: search.Answer | None = None
        self._problem: EngineError | None = None
        self._began = time.monotonic()
        self._state: Hashable = None
        self._first: Sequence[search.FirstHit] | None = None
        self._near: Sequence[search.FirstHit] = ()
        self._done = threading.Event()
        threading.Thread(target=self._work, name="asking", daemon=True).start()

    @property
    def seconds(self) -> float:
        """Since when it has been asked."""
        return time.monotonic() - self._began

    @property
    def is_done(self) -> bool:
        """Whether the answer is there, or what went wrong."""
        return self._done.is_set()

    @property
    def may_show(self) -> bool:
        """Whether the page may show the answer: not under the hand of a visitor who has not asked for it."""
        return self.is_done and (self.is_wanted or not self.is_touched)

    def first_hits(self) -> Sequence[search.FirstHit]:
        """Return what is shown meanwhile: the documents that share the question's words, found at the first look.

        Of a long text its near documents take their place before its passages are read, unless a hand is in the list.
        Empty where words alone say too little: it ranks by meaning, is steered, or asks for what is cited.
        """
        asked = self.question
        if self._near and not self.is_touched:
            self._first = self._near
        if self._first is None:
            by_more = asked.ranking == "encoder" or asked.liked or asked.disliked or asked.cited is not None
            self._first = () if by_more else asked.find_word_hits(handles.library())
        return self._first

    def wait(self, seconds: float | None) -> None:
        """Wait until it is done, `seconds` at most."""
        self._done.wait(seconds)

    def found(self, state: Hashable) -> search.Answer | None:
        """Return the answer if it is one of this state of library and vectors; pass on the error that came instead."""
        if self._problem is not None:
            raise self._problem
        return self.answer if self._state == state else None

    def _work(self) -> None:
        try:
            self._state, self.answer = self._answered()
        except EngineError as error:  # the page shows it; any other arises again where the page asks by itself
            self._problem = error
        finally:
            self._done.set()

    def _answered(self) -> tuple[Hashable, search.Answer | None]:
        vectors = 0
        if self.question.ranking != "keywords":
            found = reading(self.name)
            if not found.can_be_searched:
                return None, None
            vectors = found.count
        state = handles.workspace().state(), vectors
        searcher = handles.workspace().searcher(self.name)
        self.stage = f"comparing your text with {len(handles.library()):,} documents"
        self._near = searcher.first_hits(self.question)
        if self._near:
            self.stage = "reading the passages of your text"
        return state, searcher.search(self.question)


def read_ahead(document: Document, name: str) -> None:
    """Open what a search needs and read a document's passages, once, while the visitor still checks it."""
    if st.session_state.get(_AHEAD) == (document, name):
        return
    st.session_state[_AHEAD] = document, name
    threading.Thread(target=_read_ahead, args=(document, name), name="reading ahead", daemon=True).start()


def _read_ahead(document: Document, name: str) -> None:
    try:
        if reading(name).can_be_searched:
            handles.workspace().searcher(name).read_ahead(document)
    except Exception:  # noqa: BLE001  it arises again, and is shown, where the document asks
        _LOG.info("reading ahead", exc_info=True)


def ask_in_background(question: search.Question, name: str, *, is_listed: bool = False) -> PendingAnswer:
    """Ask in the background, and wait a moment for the answer where all is open already.

    `is_listed` says that the page shows an answer to this document already, which waits longer for another one.
    """
    held = st.session_state.get(_ASKING)
    if isinstance(held, PendingAnswer) and (held.question, held.name) == (question, name):
        return held
    is_open = handles.workspace().is_open(name)
    begun = st.session_state[_ASKING] = PendingAnswer(question, name)
    if is_open or PATIENCE_SECONDS is None:
        begun.wait(_patience(question, is_listed=is_listed))
    return begun


def _patience(question: search.Question, *, is_listed: bool) -> float | None:
    """Return how long the page waits for an answer; None for one that is steered: the list stays meanwhile."""
    if PATIENCE_SECONDS is None or question.liked or question.disliked:
        return None
    times = _LISTED_TIMES if is_listed else _SHORT_TIMES if is_short(question.document) else 1
    return times * PATIENCE_SECONDS


def take_answer(question: search.Question, name: str, state: Hashable) -> search.Answer | None:
    """Take the answer that came in the background, once; None where it is of another state, or another question's.

    Passes on the EngineError that there was instead.
    """
    held = st.session_state.get(_ASKING)
    if not isinstance(held, PendingAnswer) or not held.is_done or (held.question, held.name) != (question, name):
        return None
    del st.session_state[_ASKING]
    return held.found(state)


def hits_first(asking: PendingAnswer) -> None:
    """Show the first hits and how far the answer is; draw the whole page when it is there, or say that it is."""
    st.fragment(_drawn, run_every=None if asking.is_done else _SECONDS_BETWEEN_LOOKS)(asking)


def _drawn(asking: PendingAnswer) -> None:
    hits = asking.first_hits()
    if asking.may_show or (asking.is_done and not asking.is_told):
        asking.is_told = True
        st.rerun()
    with st.container(gap=None, key="found-words"):  # as high as what stands above an answer
        first, second = progress_sentences(asking, hits)
        show(element("p", first, class_="ps-verdict", role="status"))
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="summary"):
            show(element("p", second, class_="ps-quiet"))
            if asking.is_done:
                want = (asking, "is_wanted", True)
                st.button("Show them", key="show-answer", type="primary", on_click=setattr, args=want)
    if hits:
        _list(asking, hits)


def progress_sentences(asking: PendingAnswer, hits: Sequence[search.FirstHit]) -> tuple[str, str]:
    """Say how far the answer is: a sentence for all, and what is being done, which changes each second."""
    by_meaning = bool(hits) and hits[0].by_meaning
    if asking.is_done:
        by = "meaning and words of the whole, not by passages" if by_meaning else "words alone"
        read = "passages are" if by_meaning else "meaning is"
        return f"The {read} read: {nearer(asking.answer, hits)}.", f"The list below goes by {by}."
    doing = f"{asking.stage}, {duration(asking.seconds)}" if asking.seconds >= 1 else asking.stage
    first = "These share words with your text. " if hits else ""
    said = f"{first}What is near in meaning comes next."
    if by_meaning:
        said = "These are near your text as a whole. How near, and which passages say so, comes next."
    return said, f"{doing[:1].upper()}{doing[1:]}"


def nearer(answer: search.Answer | None, hits: Sequence[search.FirstHit]) -> str:
    """Say in a few words what an answer adds to the first hits."""
    shown = {hit.document.id for hit in hits}
    new = 0 if answer is None else sum(result.document.id not in shown for result in answer.results)
    return how_many(new, "nearer one") if new else "the same ones, in the order of nearness"


def _list(asking: PendingAnswer, hits: Sequence[search.FirstHit]) -> None:
    """Draw the rows, and the chosen one's text."""
    ids = [hit.document.id for hit in hits]

    def touched() -> None:
        asking.is_touched = True

    def choose(id_: str) -> None:
        touched()
        choose_hit(id_)

    row_list(
        ids,
        lambda some, selected: first_hit_rows(hits[some], selected),
        lambda at: show(_details(hits[at])),
        on_choose=choose,
        on_touch=None if asking.is_touched else touched,
    )


def _details(hit: search.FirstHit) -> Markup:
    chips = (element("li", term) for term in hit.terms)
    shared = element("ul", *chips, class_="ps-terms", aria_label="Shared words")
    why = element("div", element("p", "Shared words", class_="ps-label"), shared, class_="ps-why")
    later = element("p", _LATER, class_="ps-quiet")
    return element("div", head(hit.document), *([why] if hit.terms else []), later, full_text(hit.document))
