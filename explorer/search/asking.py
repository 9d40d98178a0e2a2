"""A question that is answered in the background, so that the page can show what it has until the answer is there."""

from __future__ import annotations

import threading
import time
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from engine.core.errors import EngineError
from engine.documents.questions import is_short
from explorer.shared.preparation import reading
from explorer.state import handles

if TYPE_CHECKING:
    from engine.search import Answer, Question, WordHit

PATIENCE_SECONDS: float | None = 0.1
"""How long a page waits for an answer before it shows something else; None waits for all of it."""

_SHORT_TIMES, _LISTED_TIMES = 2, 10
"""It waits this many times longer for a short question, whose answer is about to come, and for another list of a
document that has one: it stays meanwhile, and two lists would flicker."""

_ASKING = "asking"


class Asking:
    """One question on its way: what is being done, since when, and in the end the answer or what went wrong.

    `stage` says what is being done. `is_touched` says that the visitor is at work in what the page shows meanwhile,
    `is_told` that the answer was announced there, and `is_wanted` that it may take its place.
    """

    def __init__(self, question: Question, name: str) -> None:
        """Answer `question` with the encoder called `name`, in a thread of its own."""
        self.question, self.name = question, name
        self.stage = "loading the encoder"
        self.is_touched = self.is_told = self.is_wanted = False
        self.answer: Answer | None = None
        self._problem: EngineError | None = None
        self._began = time.monotonic()
        self._state: Hashable = None
        self._words: Sequence[WordHit] | None = None
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

    def word_hits(self) -> Sequence[WordHit]:
        """The documents that share the question's words, found at the first look.

        None where its words alone say too little: it ranks by meaning, is steered, or asks for what is cited.
        """
        asked = self.question
        if self._words is None:
            from engine.search import find_word_hits

            by_more = asked.ranking == "encoder" or asked.liked or asked.disliked or asked.cited is not None
            self._words = () if by_more else find_word_hits(asked, handles.library())
        return self._words

    def wait(self, seconds: float | None) -> None:
        """Wait until it is done, `seconds` at most."""
        self._done.wait(seconds)

    def found(self, state: Hashable) -> Answer | None:
        """The answer if it is one of this state of library and vectors; passes on the error that there was instead."""
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

    def _answered(self) -> tuple[Hashable, Answer | None]:
        vectors = 0
        if self.question.ranking != "keywords":
            found = reading(self.name)
            if not found.can_be_searched:
                return None, None
            vectors = found.count
        state = handles.library_state(), vectors
        searcher = handles.searcher(self.name)
        self.stage = f"comparing your text with {handles.document_count():,} documents"
        return state, searcher.search(self.question)


def asked(question: Question, name: str, *, is_listed: bool = False) -> Asking:
    """The question of this visitor on its way; where all is open already, its answer after a moment's wait.

    `is_listed` says that the page shows an answer to this document already, which waits longer for another one.
    """
    held = st.session_state.get(_ASKING)
    if isinstance(held, Asking) and (held.question, held.name) == (question, name):
        return held
    is_open = handles.is_open(name)
    begun = st.session_state[_ASKING] = Asking(question, name)
    if is_open or PATIENCE_SECONDS is None:
        begun.wait(_patience(question, is_listed=is_listed))
    return begun


def _patience(question: Question, *, is_listed: bool) -> float | None:
    """How long the page waits for an answer; for one that is steered, as long as it takes: the list stays meanwhile."""
    if PATIENCE_SECONDS is None or question.liked or question.disliked:
        return None
    times = _LISTED_TIMES if is_listed else _SHORT_TIMES if is_short(question.document) else 1
    return times * PATIENCE_SECONDS


def taken(question: Question, name: str, state: Hashable) -> Answer | None:
    """The answer that came in the background, once; None where it is of another state, or another question's.

    Passes on the EngineError that there was instead.
    """
    held = st.session_state.get(_ASKING)
    if not isinstance(held, Asking) or not held.is_done or (held.question, held.name) != (question, name):
        return None
    del st.session_state[_ASKING]
    return held.found(state)
