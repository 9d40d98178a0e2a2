"""What is asked and what is answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.documents import Document
from engine.errors import SearchError
from engine.evidence import Evidence
from engine.library import Filters
from engine.questions import RANKINGS, Ranking
from engine.readings import Reading, Verdict
from engine.search.words import token_set


@dataclass(frozen=True, slots=True)
class Question:
    """The document to search for, what to leave out, and documents of the library to move towards and away from.

    Near documents with `stressed` words move up; `muted` words do not count among the keywords.
    """

    document: Document
    k: int = 10
    ranking: Ranking = "default"
    filters: Filters = field(default_factory=Filters)
    liked: tuple[str, ...] = ()
    disliked: tuple[str, ...] = ()
    stressed: tuple[str, ...] = ()
    muted: tuple[str, ...] = ()

    @property
    def unanswered(self) -> str:
        """What an empty answer says."""
        return "Nothing was found." if self.filters == Filters() else "Nothing was found that passes the filters."


@dataclass(frozen=True, slots=True)
class Result:
    """One document of the answer.

    Results are in the order of the chosen ranking, and `rank` counts from 1. `reading` says how near the document is,
    in a word that means the same in every library and with every encoder. It does not set the order, which would find
    less (engine/research/reports/word-order.md). `scores` holds the known raw parts: `encoder` (inner product of unit
    rows) and `keywords` (BM25; absent for a document that only the encoder found). `folded` are the ids of other
    versions of the same work, hidden behind this result. `stressed` and `muted` are the words that the question
    stresses, or leaves out, and that the document holds.
    """

    rank: int
    document: Document
    reading: Reading
    scores: Mapping[str, float]
    evidence: Evidence
    folded: tuple[str, ...] = ()
    stressed: tuple[str, ...] = ()
    muted: tuple[str, ...] = ()

    @property
    def score(self) -> float:
        """How near the document is, from 0 to 1: the cosine that the reading reads."""
        return min(1.0, max(0.0, self.reading.cosine))

    @property
    def by_passage(self) -> Reading | None:
        """How near its nearest passage is, where that has a reading and stands in the body, not in the abstract."""
        nearest = next(iter(self.evidence.passages), None)
        if nearest is None:
            return None
        is_body = self.document.parts[nearest.document.part].role not in {"title", "abstract"}
        return nearest.reading if is_body else None


@dataclass(frozen=True, slots=True)
class Answer:
    """The results, and what a person should know about them.

    `seconds` has one entry a stage: encode, search, evidence. `query_duplicates` are documents of the
    library that are the query itself or the same work; they are left out of the results. `goes_by_words` is true where
    keywords counted more than usual, because the question is a passage that cites. `kinds_apart` is true where papers
    and patents were ranked separately and then joined. `holders` says of each stressed word, and each left out, how
    many documents of the library hold it in any form.
    """

    results: tuple[Result, ...]
    encoder: str
    seconds: Mapping[str, float]
    verdict: Verdict
    query_duplicates: tuple[str, ...] = ()
    goes_by_words: bool = False
    kinds_apart: bool = False
    holders: Mapping[str, int] = field(default_factory=dict)


def check_asked(question: Question) -> None:
    """Raise SearchError for a question that could not be answered from any library."""
    if question.k < 1:
        raise SearchError(f"Expected to be asked for at least 1 result; got k = {question.k}. Ask for more.")
    if question.ranking not in RANKINGS:
        raise SearchError(
            f"Expected a ranking of {', '.join(RANKINGS)}; got '{question.ranking}'. Choose one of these."
        )
    both = sorted(set(question.liked) & set(question.disliked))
    if both:
        raise SearchError(
            f"Expected a document to be liked or disliked, not both; {both[0]} is both. Keep one of the two."
        )
    words = sorted(token_set(question.stressed) & token_set(question.muted))
    if words:
        raise SearchError(
            f"Expected a word to be stressed or left out, not both; {words[0]!r} is both. Keep one of the two."
        )
