"""A question in, ranked documents with their evidence out."""

from engine.search.asking import words_fingerprint
from engine.search.base import RANKINGS, Answer, Question, Ranking, Result
from engine.search.ranks import rank_all, rank_by_keywords, ranking_fingerprint
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
    "leading_words",
    "rank_all",
    "rank_by_keywords",
    "ranking_fingerprint",
    "search_report",
    "words_fingerprint",
]
