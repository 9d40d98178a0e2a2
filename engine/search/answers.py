"""What is asked and what is answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.documents import Document
from engine.errors import SearchError
from engine.evidence import Evidence
from engine.library import Filters
from engine.questions import RANKINGS, Ranking
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

    Results are in the order of the chosen ranking, and `rank` counts from 1.
    `score` is for a bar from 0 to 1. With the rankings `default` and `encoder` it is (cosine - m) / (1 - m), where m is
    the mean cosine of the query's row and all documents' rows except its own copies: 0 = no nearer than the average
    document, 1 = the query's own vector where the encoder is symmetric. Bare cosines do not compare between encoders
    (means of word vectors are all above .9). The score does not set the order: in the fused ranking a lower result may
    have the longer bar. With `keywords` it is the BM25 score as a share of the best result's. `scores` holds the known
    raw parts: `encoder` (inner product of unit rows) and `keywords` (BM25; absent for a document that only the encoder
    found). `folded` are the ids of other versions of the same work, hidden behind this result.
    """

    rank: int
    document: Document
    score: float
    scores: Mapping[str, float]
    evidence: Evidence
    folded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The results, and what a person should know about them.

    `seconds` has one entry a stage: encode, search, evidence. `query_duplicates` are documents of the
    library that are the query itself or the same work; they are left out of the results. `goes_by_words` is true where
    keywords counted more than usual, because the question is a passage that cites. `kinds_apart` is true where papers
    and patents were ranked separately and then joined.
    """

    results: tuple[Result, ...]
    encoder: str
    seconds: Mapping[str, float]
    query_duplicates: tuple[str, ...] = ()
    goes_by_words: bool = False
    kinds_apart: bool = False


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
