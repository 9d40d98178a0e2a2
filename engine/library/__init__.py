"""Documents on disk: one folder a library, with its keyword index and its duplicates folded."""

from engine.library.collections import Collections
from engine.library.facets import Facets
from engine.library.filters import Filters
from engine.library.judgements import JudgedQuery, Judgements
from engine.library.keywords import KeywordIndex
from engine.library.postings import keyword_fingerprint, question_terms
from engine.library.records import Added, Counts, Failure, ImportedFile, Summaries
from engine.library.store import Library

__all__ = [
    "Added",
    "Collections",
    "Counts",
    "Facets",
    "Failure",
    "Filters",
    "ImportedFile",
    "JudgedQuery",
    "Judgements",
    "KeywordIndex",
    "Library",
    "Summaries",
    "keyword_fingerprint",
    "question_terms",
]
