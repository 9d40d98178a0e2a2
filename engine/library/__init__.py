"""Documents on disk: one folder a library, with keywords, lines, collections, notes, screening; versions folded."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.library.annotations import Annotation, Grade, JudgedQuery
    from engine.library.database import LIBRARY_VARIABLE, default_library, inspect_database
    from engine.library.filters import Filters
    from engine.library.keywords import KeywordIndex
    from engine.library.lines import fault_of, whole_lines
    from engine.library.listing import Kept, Listed, Order
    from engine.library.moving import move_library
    from engine.library.postings import are_many, is_long, keyword_fingerprint, question_terms, weigh_answer
    from engine.library.records import Added, Counts, Failure, ImportedFile, Summaries
    from engine.library.screening import Decision, Flow, Screened, Screening
    from engine.library.shared import SharedLock, shared_lock, shared_value
    from engine.library.store import DATABASE, KEPT, Library, is_own

__getattr__ = door(__name__)
