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
    """A document that asks, what to leave out, and documents of the library to move towards and away from.

    Near documents that say `stressed` words come further up; `muted` ones do not count among the keywords.
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
        """What an answer without a result says."""
        return "Nothing was found." if self.filters == Filters() else "Nothing was found that passes the filters."


@dataclass(frozen=True, slots=True)
class Result:
    """One document of the answer.

    Results stand in the order of the ranking that was asked for, and `rank` counts them from 1.
    `score` is for a bar from 0 to 1. With the rankings `default` and `encoder` it says how far the document stands
    from the library's average towards the query: 0 = no nearer than the average document, 1 = as near as a
    document can be, which is the query's own vector where the encoder is symmetric; (cosine - m) / (1 - m), where
    m is the mean cosine of the query's row and the rows of all documents but its own copies, because bare cosines
    do not compare between encoders (means of word vectors are all above .9). It does not make the order:
    in the fused one a lower result may have the longer bar. With `keywords` it is the BM25 score as a share of the
    best result's. `scores` holds the raw parts that are known: `encoder`
    (inner product of unit rows) and `keywords` (BM25; absent for a document that only the encoder found).
    `folded` are the ids of other versions of the same work, hidden under this result.
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
    library that are the query itself or the same work; they are no results. `goes_by_words` where keywords counted more
    than usual, as the question is a passage that cites. `kinds_apart` where papers and patents were each ranked by
    themselves and then joined.
    """

    results: tuple[Result, ...]
    encoder: str
    seconds: Mapping[str, float]
    query_duplicates: tuple[str, ...] = ()
    goes_by_words: bool = False
    kinds_apart: bool = False


def check_asked(question: Question) -> None:
    """Raise SearchError for a question that asks for what cannot be, whatever the library holds."""
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
