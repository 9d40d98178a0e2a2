"""Documents on disk: one folder a library, with keywords, lines, collections, notes, screening; versions folded."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.library.annotations import Annotation
    from engine.library.collections import MAX_COLLECTION_NAME
    from engine.library.database import LIBRARY_VARIABLE, default_library
    from engine.library.filters import Filters
    from engine.library.judgements import Grade, JudgedQuery, query_key
    from engine.library.keywords import KeywordIndex
    from engine.library.lines import MOST_LINE_CHARACTERS, MOST_LINES, fault_of, whole_lines
    from engine.library.listing import ORDERS, Kept, Listed, Order
    from engine.library.people import PersonName
    from engine.library.postings import (
        HEAD,
        K1,
        K3,
        QUESTION_TERMS,
        B,
        are_many,
        is_long,
        keyword_fingerprint,
        question_terms,
    )
    from engine.library.records import Counts, Failure, ImportedFile, Summaries
    from engine.library.screening import MAX_REVIEW_NAME, Decision, Flow, Screened, Screening
    from engine.library.store import Library

__all__ = [
    "HEAD",
    "K1",
    "K3",
    "LIBRARY_VARIABLE",
    "MAX_COLLECTION_NAME",
    "MAX_REVIEW_NAME",
    "MOST_LINES",
    "MOST_LINE_CHARACTERS",
    "ORDERS",
    "QUESTION_TERMS",
    "Annotation",
    "B",
    "Counts",
    "Decision",
    "Failure",
    "Filters",
    "Flow",
    "Grade",
    "ImportedFile",
    "JudgedQuery",
    "Kept",
    "KeywordIndex",
    "Library",
    "Listed",
    "Order",
    "PersonName",
    "Screened",
    "Screening",
    "Summaries",
    "are_many",
    "default_library",
    "fault_of",
    "is_long",
    "keyword_fingerprint",
    "query_key",
    "question_terms",
    "whole_lines",
]

__getattr__ = door(__name__)
