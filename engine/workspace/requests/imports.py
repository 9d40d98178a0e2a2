"""A request for an import: files into the library, which is then read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typing_extensions import Doc

from engine.core.progress import Report, silent
from engine.vectors import IndexChoice
from engine.workspace.requests.search import INDEX
from engine.workspace.workspace import Workspace

if TYPE_CHECKING:
    from engine.workspace.importing import ImportSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRequest:
    """How files come in."""

    encoder: Annotated[str, Doc("an encoder's name")] = "default"
    index: Annotated[IndexChoice, Doc(INDEX)] = "auto"
    no_copies: Annotated[bool, Doc("keep no copies of these PDFs; their pages cannot be shown then")] = False

    def run(
        self,
        workspace: Workspace,
        paths: Sequence[Path],
        *,
        names: Mapping[Path, str] | None = None,
        report: Report = silent,
    ) -> ImportSummary:
        """Add files and folders, then read the library; `names` are what files are called, by their paths.

        Raises LibraryError while other work holds the library, InputError for a path that is not there.
        """
        if self.no_copies:
            workspace.library.copies.pause()
        return workspace.import_paths(paths, encoder=self.encoder, names=names, choice=self.index, report=report)
