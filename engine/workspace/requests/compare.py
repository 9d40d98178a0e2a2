"""Requests that hold a document against others: two or three compared, one within itself, one against the library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from typing_extensions import Doc

from engine import compare
from engine.compare import ColumnOrder, RowKind, RowOrder
from engine.core.errors import EmptyLibraryError, InputError
from engine.core.progress import Report, silent
from engine.documents import Document
from engine.workspace.comparison import COMPARE_ENCODER
from engine.workspace.workspace import Workspace

_PAIR = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareRequest:
    """How documents are compared: one with itself, two with each other, every two of three."""

    encoder: Annotated[str, Doc("the name of an encoder of long documents, or its folder")] = COMPARE_ENCODER
    versions: Annotated[bool, Doc("the second is a later version of the first: say what it changes")] = False
    keep_references: Annotated[bool, Doc("compare reference lists, too")] = False
    keep_recurring: Annotated[bool, Doc("compare boilerplate and common sentences, too")] = False
    min_words: Annotated[int, Doc("leave out matches of fewer words")] = 0

    def check(self, documents: int) -> None:
        """Raise InputError where this number of documents cannot be compared this way."""
        if self.min_words < 0:
            raise InputError(f"Expected matches of 0 words or more, got {self.min_words}. Give 0 to keep every match.")
        if not documents:
            raise InputError("Expected one, two or three documents to compare, got none. Name them.")
        if self.versions and documents != _PAIR:
            raise InputError(f"Expected two documents as versions, got {documents}. Name two, or ask for no versions.")

    def run(
        self, workspace: Workspace, documents: Sequence[Document], *, report: Report = silent
    ) -> tuple[compare.Comparison | compare.Together, compare.Versions | None]:
        """Compare one, two or three documents; `versions` says what the second of two changes, if that was asked for.

        Raises InputError as `check` does, and for another number of documents or one without a text.
        """
        self.check(len(documents))
        exclusions = compare.Exclusions(not self.keep_references, not self.keep_recurring, self.min_words)
        comparer = workspace.comparer(self.encoder)
        if len(documents) == 1:
            return comparer.within(documents[0], exclusions, report=report), None
        if len(documents) != _PAIR:
            return comparer.together(documents, exclusions, report=report), None
        a, b = documents
        found = comparer.compare(a, b, exclusions, report=report)
        return found, comparer.versions(a, b, exclusions) if self.versions else None


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageRequest:
    """Which parts of a document are held against which documents of the library."""

    collection: Annotated[str, Doc("columns: all documents of this collection")] = ""
    rows: Annotated[RowKind, Doc("rows: which parts of it")] = "sections"
    documents: Annotated[int, Doc("columns: how many of the nearest documents")] = 30
    sort_rows: Annotated[RowOrder, Doc("rows as they stand, or the least said first")] = "text"
    sort_columns: Annotated[ColumnOrder, Doc("columns that say most first, or the earliest first")] = "coverage"

    def run(self, workspace: Workspace, document: Document, *, report: Report = silent) -> compare.Coverage:
        """Cover a document by the library.

        Raises EmptyLibraryError for a library without other documents, LibraryError for an unknown collection,
        SearchError where the document has no such rows.
        """
        settings = compare.CoverageSettings(self.rows, self.documents, self.collection)
        if not len(workspace.library):
            raise EmptyLibraryError(
                "Expected a library with documents to compare with; it holds none. "
                "Get the sample library or import files first."
            )
        found = compare.cover(workspace.shelf(), document, settings, report=report)
        return found.arranged(self.sort_rows, self.sort_columns)
