"""Requests for the documents of a library: how they come in, which are listed, and what a person keeps of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

from typing_extensions import Doc

from engine.core.errors import InputError
from engine.core.progress import Report, silent
from engine.documents import Document
from engine.exports import CollectionChangeJson, DocumentsChangeJson
from engine.library import Decision, Flow, Library, Listed, Order
from engine.vectors import IndexChoice
from engine.workspace.requests.search import INDEX, FilterRequest
from engine.workspace.workspace import Workspace

if TYPE_CHECKING:
    from engine.workspace.importing import ImportSummary

_SHOWN = 50
_SCREEN: dict[str, Decision | None] = {"include": "included", "exclude": "excluded", "undecided": None}


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRequest(FilterRequest):
    """Which documents of a review are looked at."""

    review: Annotated[str, Doc("which review (default: the first)")] = ""

    def next(self, library: Library) -> tuple[Listed, Document] | None:
        """Return the first undecided document that passes, as its row and whole; None where all are decided.

        Raises LibraryError as `filters` does and for an unknown review.
        """
        id_ = library.screening.in_review(self.review).next(self.filters(library))
        if id_ is None:
            return None
        (row,), (document,) = library.listing.in_review(self.review).of([id_]), library.get([id_])
        return row, document

    def flow(self, library: Library) -> Flow:
        """Return the review's numbers. Raises LibraryError as `next` does."""
        return library.screening.in_review(self.review).flow(self.filters(library))


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentsRequest(ReviewRequest):
    """Which documents are listed, in what order: some by name, or a page of all that pass."""

    ids: Annotated[tuple[str, ...], Doc("documents by id, number, title or author (default: all that pass)")] = ()
    sort: Annotated[Order, Doc("the order")] = "added"
    descending: Annotated[bool, Doc("the other way round: newest or last first")] = False
    first: Annotated[int, Doc("start at this place")] = 1
    limit: Annotated[int | None, Doc(f"list at most this many (default: {_SHOWN}; all as references)")] = None

    def check(self) -> None:
        """Raise InputError for a place or a number of documents below 1."""
        for name, value in (("first", self.first), ("limit", self.limit)):
            if value is not None and value < 1:
                raise InputError(f"Expected {name} to be 1 or more, got {value}. Leave it out for the usual one.")

    def rows(self, library: Library, *, every: bool = False) -> tuple[list[Listed], int]:
        """Return the rows that are listed, and how many there are in all; `every` lists all without a limit.

        Raises UnknownDocumentError for a name that nothing fits, LibraryError as `filters` does and for an unknown
        review, InputError as `check` does.
        """
        self.check()
        listing = library.listing.in_review(self.review)
        if self.ids:
            found = [one.id for name in self.ids for one in library.find(name, _SHOWN) or [library.find_one(name)]]
            return listing.of(list(dict.fromkeys(found))), len(set(found))
        chosen, rows = self.filters(library), list[Listed]()
        total = library.count(chosen)
        wanted = self.limit or (total if every else _SHOWN)
        while len(rows) < wanted:
            first, count = self.first - 1 + len(rows), wanted - len(rows)
            page = listing.page(chosen, order=self.sort, descending=self.descending, first=first, count=count)
            if not page:
                break
            rows += page
        return rows, total


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRequest(ReviewRequest):
    """What a person notes on documents, and decides: on some by name, or on all that pass."""

    ids: Annotated[tuple[str, ...], Doc("documents by id, number, title or author")] = ()
    all: Annotated[bool, Doc("change all documents that pass, without naming ids")] = False
    tag: Annotated[tuple[str, ...], Doc("tag the documents")] = ()
    untag: Annotated[tuple[str, ...], Doc("take a tag off")] = ()
    note: Annotated[str | None, Doc("replace the note; an empty one takes it away")] = None
    read: Annotated[bool | None, Doc("mark as read, or take the mark away")] = None
    screen: Annotated[Literal["include", "exclude", "undecided"] | None, Doc("decide on them for a review")] = None
    reason: Annotated[str, Doc("why they are excluded")] = ""

    @property
    def changes(self) -> bool:
        """Whether it changes anything."""
        return bool(self.tag or self.untag or self.screen) or self.note is not None or self.read is not None

    def check(self) -> None:
        """Raise InputError where nothing changes, or it is not said which documents do."""
        if not self.changes:
            raise InputError("Expected a change, such as a tag; got none. Say what to change.")
        if bool(self.ids) == self.all:
            got = "both" if self.all else "neither"
            raise InputError(f"Expected documents by id, or all that pass the filters, got {got}. Give one of the two.")
        if self.reason and self.screen != "exclude":
            raise InputError("Expected a reason only to exclude documents, got one for another change. Leave it out.")

    def run(self, library: Library) -> DocumentsChangeJson:
        """Make the changes once all ids are known, and say how many documents each one changed.

        Raises UnknownDocumentError for a name that not exactly one document has, LibraryError as `filters` does and for
        an unknown review, InputError as `check` does.
        """
        self.check()
        ids = [library.find_one(name).id for name in self.ids]  # an unknown one changes nothing at all
        ids = library.ids(self.filters(library)) if self.all else ids
        library.screening.in_review(self.review).of(())  # nor does an unknown review
        done: DocumentsChangeJson = {"documents": len(ids)}
        if self.tag:
            done["tagged"] = sum(library.annotations.tag(ids, tag) for tag in self.tag)
        if self.untag:
            done["untagged"] = sum(library.annotations.untag(ids, tag) for tag in self.untag)
        if self.note is not None:
            done["noted"] = library.annotations.note(ids, self.note)
        if self.read is not None:
            done["read" if self.read else "unread"] = library.annotations.mark_read(ids, self.read)
        if self.screen is not None:
            screening, decision = library.screening.in_review(self.review), _SCREEN[self.screen]
            if decision is None:
                done["undecided"] = screening.take_back(ids)
            else:
                done[decision] = screening.decide(ids, decision, self.reason)
        return done


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionRequest:
    """A collection that changes, and documents that go into it or out of it.

    Each change raises LibraryError for a collection that does not exist, but for one that documents are put into.
    """

    name: Annotated[str, Doc("the collection's name")]
    ids: Annotated[tuple[str, ...], Doc("documents by id; to put them in, by number, title or author, too")] = ()

    def add(self, library: Library) -> CollectionChangeJson:
        """Put them in, and make the collection where it does not exist; says how many are new in it.

        Raises UnknownDocumentError for a name that not exactly one document has.
        """
        ids = [library.find_one(name).id for name in self.ids]
        return self._told(library, added=library.collections.add(self.name, ids))

    def remove(self, library: Library) -> CollectionChangeJson:
        """Take them out; says how many it held. Raises UnknownDocumentError for what is not an id of the library."""
        return self._told(library, removed=library.collections.take_out(self.name, self.ids))

    def rename(self, library: Library, new: str) -> CollectionChangeJson:
        """Give it another name. Raises LibraryError for one that another has."""
        library.collections.rename(self.name, new)
        return replace(self, name=new)._told(library, renamed=1)

    def delete(self, library: Library) -> CollectionChangeJson:
        """Forget it; its documents stay."""
        told = self._told(library, deleted=1)
        library.collections.delete(self.name)
        return told

    def _told(self, library: Library, **done: int) -> CollectionChangeJson:
        held = len(library.collections.ids(self.name))
        return cast(CollectionChangeJson, {**done, "name": self.name, "documents": held})
