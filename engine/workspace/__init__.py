"""One opened library with all that is made from it: imports, indexing, jobs, what a person keeps; all skins use it."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.workspace.backup import BackupFolder
    from engine.workspace.caches import Cache
    from engine.workspace.checks import check_all
    from engine.workspace.comparison import COMPARE_ENCODER
    from engine.workspace.importing import ImportSummary
    from engine.workspace.jobs import Job, JobWork, Rank
    from engine.workspace.keeping import (
        KeepingSettings,
        OwnDocument,
        OwnDocuments,
        Page,
        Recent,
        RecentEntry,
        change_keeping,
        is_key,
        keeping_settings,
    )
    from engine.workspace.opened_library import LibraryState
    from engine.workspace.pages import PageFile, PageReader, given_file, lines_of
    from engine.workspace.passages import fill_store
    from engine.workspace.quotes import QuoteSource, QuoteSources, sources_of
    from engine.workspace.requests.compare import CompareRequest, CoverageRequest
    from engine.workspace.requests.documents import (
        ChangeRequest,
        CollectionRequest,
        DocumentsRequest,
        ImportRequest,
        ReviewRequest,
    )
    from engine.workspace.requests.map import MapRequest
    from engine.workspace.requests.one_document import DrawnPageJson, PageRequest, SalientJson, SalientRequest
    from engine.workspace.requests.search import NOTHING_READ, FilterRequest, SearchRequest
    from engine.workspace.salience import SalienceReader
    from engine.workspace.tasks import (
        begin_work,
        encoding_key,
        is_of_passages,
        read_on,
        resume_imports,
        safe_name,
        start_import,
        take_files,
    )
    from engine.workspace.vector_stores import copy_vectors
    from engine.workspace.workers import Workers, open_workers
    from engine.workspace.workspace import Workspace

__getattr__ = door(__name__)
