"""One opened library with all that is made from it: imports, indexing, jobs, what a person keeps; all skins use it."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.workspace.answers import (
        LibraryJson,
        RemovedJson,
        import_as_json,
        library_as_json,
        recent_as_json,
        removed_as_json,
        samples_as_json,
    )
    from engine.workspace.backup import BackupFolder, BackupJson, BackupsJson, backup_as_json, made_backup_as_json
    from engine.workspace.caches import Cache
    from engine.workspace.checks import check_all, checks_as_json
    from engine.workspace.comparison import COMPARE_ENCODER
    from engine.workspace.compute import Workers, open_workers
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
    from engine.workspace.requests.documents import ChangeRequest, CollectionRequest, DocumentsRequest, ImportRequest
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
    from engine.workspace.workspace import Workspace


__all__ = [
    "COMPARE_ENCODER",
    "NOTHING_READ",
    "BackupFolder",
    "BackupJson",
    "BackupsJson",
    "Cache",
    "ChangeRequest",
    "CollectionRequest",
    "CompareRequest",
    "CoverageRequest",
    "DocumentsRequest",
    "DrawnPageJson",
    "FilterRequest",
    "ImportRequest",
    "ImportSummary",
    "Job",
    "JobWork",
    "KeepingSettings",
    "LibraryJson",
    "LibraryState",
    "MapRequest",
    "OwnDocument",
    "OwnDocuments",
    "Page",
    "PageFile",
    "PageReader",
    "PageRequest",
    "QuoteSource",
    "QuoteSources",
    "Rank",
    "Recent",
    "RecentEntry",
    "RemovedJson",
    "SalienceReader",
    "SalientJson",
    "SalientRequest",
    "SearchRequest",
    "Workers",
    "Workspace",
    "backup_as_json",
    "begin_work",
    "change_keeping",
    "check_all",
    "checks_as_json",
    "encoding_key",
    "fill_store",
    "given_file",
    "import_as_json",
    "is_key",
    "is_of_passages",
    "keeping_settings",
    "library_as_json",
    "lines_of",
    "made_backup_as_json",
    "open_workers",
    "read_on",
    "recent_as_json",
    "removed_as_json",
    "resume_imports",
    "safe_name",
    "samples_as_json",
    "sources_of",
    "start_import",
    "take_files",
]

__getattr__ = door(__name__)
