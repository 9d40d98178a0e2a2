"""A question in, ranked documents with their evidence out."""

from engine.search.asking import words_fingerprint
from engine.search.base import Answer, Question, Result
from engine.search.kinds import by_kind
from engine.search.ranks import Corpus, rank_all, rank_by_keywords, ranking_fingerprint
from engine.search.searcher import Searcher
from engine.search.words import leading_words

__all__ = [
    "Answer",
    "Corpus",
    "Question",
    "Result",
    "Searcher",
    "by_kind",
    "leading_words",
    "rank_all",
    "rank_by_keywords",
    "ranking_fingerprint",
    "words_fingerprint",
]
