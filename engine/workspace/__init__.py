"""One opened library with all that is made from it: imports, indexing, jobs, what a person keeps; all skins use it."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.workspace.backup import BackupFolder, backup_as_json, made_backup_as_json
    from engine.workspace.caches import Cache
    from engine.workspace.checks import check_all, checks_as_json
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
    from engine.workspace.pages import PageFile, PageReader, found_in, given_file, lines_of
    from engine.workspace.passages import fill_store
    from engine.workspace.reading_state import WAITING
    from engine.workspace.salience import SalienceReader
    from engine.workspace.workspace import Workspace


__all__ = [
    "COMPARE_ENCODER",
    "WAITING",
    "BackupFolder",
    "Cache",
    "ImportSummary",
    "Job",
    "JobWork",
    "KeepingSettings",
    "LibraryState",
    "OwnDocument",
    "OwnDocuments",
    "Page",
    "PageFile",
    "PageReader",
    "Rank",
    "Recent",
    "RecentEntry",
    "SalienceReader",
    "Workspace",
    "backup_as_json",
    "change_keeping",
    "check_all",
    "checks_as_json",
    "fill_store",
    "found_in",
    "given_file",
    "is_key",
    "keeping_settings",
    "lines_of",
    "made_backup_as_json",
]

__getattr__ = door(__name__)
