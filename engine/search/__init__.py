"""A question in, ranked documents with their evidence out."""

from engine.search.base import RANKINGS, Answer, Question, Ranking, Result
from engine.search.ranks import asks_by_stems, rank_all, ranking_fingerprint, words_fingerprint
from engine.search.report import search_report
from engine.search.searcher import Searcher
from engine.search.words import leading_words

__all__ = [
    "RANKINGS",
    "Answer",
    "Question",
    "Ranking",
    "Result",
    "Searcher",
    "asks_by_stems",
    "leading_words",
    "rank_all",
    "ranking_fingerprint",
    "search_report",
    "words_fingerprint",
]
