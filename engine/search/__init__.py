"""A question in, ranked documents with their evidence out."""

from engine.search.answers import Answer, Question, Result
from engine.search.author_works import AuthorWorks, author_works
from engine.search.kinds import by_kind
from engine.search.ranking import Corpus, meaning_fingerprint, rank_all, rank_by_keywords, ranking_fingerprint
from engine.search.searcher import Searcher
from engine.search.settings import RankingSettings
from engine.search.word_hits import WordHit, word_hits
from engine.search.words import leading_words, words_fingerprint

__all__ = [
    "Answer",
    "AuthorWorks",
    "Corpus",
    "Question",
    "RankingSettings",
    "Result",
    "Searcher",
    "WordHit",
    "author_works",
    "by_kind",
    "leading_words",
    "meaning_fingerprint",
    "rank_all",
    "rank_by_keywords",
    "ranking_fingerprint",
    "word_hits",
    "words_fingerprint",
]
