"""A library: documents on disk in one folder, added a whole file at a time.

Long, because all that others do with a library stands in one place: it goes in, out, and is found here.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from engine.core import files
from engine.core.errors import LibraryError, MissingExtraError, UnknownDocumentError
from engine.core.progress import Report, silent
from engine.core.stores import STORES, stores_of
from engine.documents import Document, Identifier
from engine.documents.identifiers import asked_number, spoken
from engine.documents.people import PersonName, name_words
from engine.documents.selections import Selection
from engine.documents.text import clean, how_many, normalised_title
from engine.library.annotations import Annotations, Judgements
from engine.library.collections import Collections
from engine.library.connections import (
    AnyDatabase,
    Connection,
    DatabaseState,
    Parameter,
    documents_version,
    now,
    upsert,
)
from engine.library.copies import Copies
from engine.library.database import Database, inspect_database
from engine.library.filters import Filters, Selections, Totals, condition_of, ids_that_pass, state_of
from engine.library.keywords import KeywordIndex, StoredKeywords, count_left, index_again
from engine.library.listing import FacetCounts, Facets, Listing
from engine.library.people import AUTHOR, named, works_of
from engine.library.records import (
    Added,
    Counts,
    Failure,
    ImportedFile,
    Summaries,
    Titled,
    copies_of,
    find_by_numbers,
    pack,
    position_of,
    read_document,
    unpack,
)
from engine.library.screening import Reviews, Screening
from engine.library.word_files import WordFiles
from engine.library.writer import (
    FileWriter,
    documents_brought_by,
    files_that_brought,
    forget_file,
    holds_whole,
    latest_revision,
    numbers_lost,
    remove_documents,
    revised_since,
    was_removed,
)

if TYPE_CHECKING:
    from engine.library.postgres import PostgresDatabase

DATABASE = "library.sqlite3"
_WORDS = "words"
_NAMED, _FITTING = 5, 8
KEPT = frozenset(
    {"bake-offs.json", "chunks", "copies", "copies.json", "encoders", "evaluations", "incoming", "kept", "maps"}
    | {"passages", STORES, "tokens.json", "vectors"}
)
"""What is made of a library, or kept with it, lies beside its database in these."""


class Library:
    """Documents in one folder, their keyword index, and beside them the folders for vectors and maps.

    Everything may be called from several threads. Use it as a context manager, or close it.
    """

    def __init__(self, folder: Path, database: AnyDatabase) -> None:
        """Use `Library.open`."""
        self.folder = folder
        self._database = database
        self._stored_keywords = StoredKeywords(database, WordFiles(folder / _WORDS, database))
        self.keywords = KeywordIndex(self._stored_keywords)
        self.judgements = Judgements(database)
        self.collections = Collections(database)
        self.annotations = Annotations(database)
        self._totals = Totals()
        self._selections = Selections()
        self.reviews = Reviews(database)
        self.screening = Screening(database, self._totals)
        self.listing = Listing(database, self._totals)
        self.copies = Copies(folder / "copies", folder / "copies.json")
        self._facets = FacetCounts(database)

    @classmethod
    def inspect(cls, folder: Path) -> DatabaseState:
        """Look whether the library in `folder`, which need not be up to date, is whole; nothing of it is changed.

        Raises LibraryError where it is missing, StorageError where it is not ours, of a later schema, or so damaged
        that the database cannot go on.
        """
        if address := stores_of(folder).documents:
            with closing(_server(address, read_only=True)) as database:
                return database.inspect()
        return inspect_database(folder / DATABASE)

    @classmethod
    def open(cls, folder: Path, *, create: bool = False, read_only: bool = False) -> Self:
        """Open the library in `folder`; `create` makes an empty one if it is missing.

        Nothing of it changes where it is `read_only`, for which it must be up to date (`inspect_database` says).
        Raises LibraryError where it is missing, StorageError where it is damaged or not ours.
        """
        return cls(folder, open_database(folder, create=create, read_only=read_only))

    def is_in_place(self) -> bool:
        """Return whether the opened library still exists: its folder may have been deleted or replaced since."""
        return self._database.is_in_place()

    def stamp(self) -> Hashable:
        """Return what changes whenever anything is written to the database, by any process."""
        return self._database.stamp()

    def copy_database(self, path: Path, report: Report = silent) -> None:
        """Copy the database to a new file as it is at one moment. Raises StorageError where it cannot be written."""
        self._database.copy_to(path, report)

    def database_bytes(self) -> int:
        """Return the size of the database."""
        return self._database.bytes()

    def close(self) -> None:
        """Close the database."""
        self._facets.close()
        self._database.close()

    def __enter__(self) -> Self:
        """Return the library itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the database."""
        self.close()

    # Adding -----------------------------------------------------------------------------------

    def add_file(self, key: str, name: str, documents: Iterable[Document]) -> Added:
        """Add all documents of one file, or none: whatever stops it leaves the library as it was.

        `key` is the sha256 of the file's content; a file that is held already adds nothing, unless documents of it were
        removed: those come back.
        """
        with self._database.write() as connection:
            writer = FileWriter(connection)
            if writer.holds(key):
                return Added(0, 0)
            for document in documents:
                writer.add(document)
            return writer.finish(key, name, now())

    def give_numbers_back(self) -> int:
        """Let documents be known by the ids of versions that an earlier Priorscope folded into them; return how many.

        Numbers that were not a version's id are lost until its file is imported into a new library.
        """
        with self._database.read() as connection:
            if not numbers_lost(connection):
                return 0
        with self._database.write() as connection:
            return FileWriter(connection).give_numbers_back()

    def note_file(self, key: str, notes: Sequence[str]) -> None:
        """Keep notes on how a file was read, such as what was left out of it."""
        with self._database.write() as connection:
            lines = "\n".join(" ".join(note.splitlines()) for note in notes)
            connection.execute("UPDATE files SET notes = ? WHERE key = ?", (lines, key))

    def place(self, id_: str, read: Document) -> bool:
        """Let a document know where its lines stand, as its file was read again; whether its text is the same.

        Raises UnknownDocumentError for an id that is not held.
        """
        with self._database.write() as connection:
            held = _document(connection, id_)
            if [one.text for one in held.parts] != [one.text for one in read.parts]:
                return False
            placed = replace(held, sections=read.sections, file=read.file, placed=read.placed)
            position = position_of(connection, id_)
            connection.execute("UPDATE contents SET body = ? WHERE position = ?", (pack(placed), position))
        return True

    def record_failure(self, name: str, reason: str) -> Failure:
        """Keep why a file could not be imported; a later success of the same name takes it away."""
        failure = Failure(name, reason, now())
        with self._database.write() as connection:
            put = upsert("failures", "name", "reason", "failed_at")
            connection.execute(put, (failure.name, failure.reason, failure.when))
        return failure

    def forget_failure(self, name: str) -> None:
        """Forget why a file of this name could not be imported; does nothing if it did not fail."""
        if self._column("SELECT count(*) FROM failures WHERE name = ?", [name])[0]:
            with self._database.write() as connection:
                connection.execute("DELETE FROM failures WHERE name = ?", (name,))

    def count_left_to_index(self) -> int:
        """Return how many documents an earlier version indexed, so that some lines do not find them yet."""
        with self._database.read() as connection:
            return count_left(connection)

    def index_again(self, report: Report = silent) -> None:
        """Index what an earlier version indexed; a report that raises stops it, and what was done stays."""
        index_again(self._database, report)

    # Taking out -------------------------------------------------------------------------------

    def remove(self, ids: Sequence[str]) -> list[str]:
        """Remove documents, all or none, with their places in collections and their grades.

        A folded duplicate's id stands for the document it is folded into. A file with no document left is forgotten, so
        that it can be imported again; notes, tags and decisions wait for it. Returns the ids that were held. Raises
        UnknownDocumentError for an id that is not.
        """
        with self._database.write(erasing=True) as connection:
            positions = list(dict.fromkeys(position_of(connection, id_) for id_ in ids))
            found = [_document(connection, id_).id for id_ in ids]
            if positions:
                remove_documents(connection, positions)
        self._stored_keywords.erase(positions)
        self._drop_copies()
        return list(dict.fromkeys(found))

    def files_of(self, id_: str) -> list[str]:
        """Return the keys of the files that a document came with; empty for one of an import before that was recorded.

        Raises UnknownDocumentError for an id that is not held.
        """
        with self._database.read() as connection:
            return files_that_brought(connection, _document(connection, id_).id)

    def documents_with(self, key: str) -> list[str]:
        """Return the ids of the documents that came with a file, also with others."""
        query = (
            "SELECT id FROM files JOIN origins ON number = file JOIN documents USING (added) WHERE key = ? ORDER BY id"
        )
        return self._column(query, [key])

    def documents_of_file(self, key: str) -> list[str]:
        """Return the ids of the documents that only this file brought, and that would go with it.

        Raises LibraryError for an unknown file, or one imported before the library recorded what came with each.
        """
        with self._database.read() as connection:
            return documents_brought_by(connection, key)

    def remove_file(self, key: str) -> list[str]:
        """Remove a file, and its copy, with the documents that only it brought; returns their ids.

        Raises LibraryError as `documents_of_file` does.
        """
        with self._database.write(erasing=True) as connection:
            ids = documents_brought_by(connection, key)
            positions = [position_of(connection, id_) for id_ in ids]
            if positions:
                remove_documents(connection, positions)
            forget_file(connection, key)
        self._stored_keywords.erase(positions)
        self._drop_copies()
        return ids

    def _drop_copies(self) -> None:
        """Remove the copies of files that are held no more; one that comes meanwhile is left alone."""
        there = self.copies.keys()  # read before the files are: another process may be importing
        self.copies.drop(set(there) - {one.key for one in self.files()} if there else ())

    # Looking up -------------------------------------------------------------------------------

    def get(self, ids: Sequence[str]) -> list[Document]:
        """Return the documents of some ids, in their order; a folded duplicate's id gives the one it is folded into.

        Raises UnknownDocumentError for an id that is not held.
        """
        with self._database.read() as connection:
            return [_document(connection, id_) for id_ in ids]

    def holds(self, document: Document) -> bool:
        """Return whether the library holds this very document, word for word."""
        return next(self.iter_documents([document.id]), None) == document

    def iter_documents(self, ids: Sequence[str] | None = None, *, batch: int = 500) -> Iterator[Document]:
        """Yield every document in the order of import, read `batch` at a time; imports meanwhile may be seen.

        Where `ids` are given, only these, in their order; those that are not held are left out.
        """
        if ids is not None:
            yield from self._iter_some(ids, batch)
            return
        last = -1
        while True:
            with self._database.read() as connection:
                rows = connection.execute(
                    "SELECT position, body FROM contents WHERE position > ? ORDER BY position LIMIT ?", (last, batch)
                ).fetchall()
            if not rows:
                return
            last = rows[-1][0]
            yield from (unpack(body) for _, body in rows)

    def _iter_some(self, ids: Sequence[str], batch: int) -> Iterator[Document]:
        query = "SELECT body FROM contents JOIN documents USING (position) WHERE id = ?"
        for start in range(0, len(ids), batch):
            with self._database.read() as connection:
                found = [connection.execute(query, (id_,)).fetchone() for id_ in ids[start : start + batch]]
            yield from (unpack(row[0]) for row in found if row is not None)

    def ids(self, filters: Filters | None = None) -> list[str]:
        """Return the ids of all documents that pass the filters, as imported. Raises LineError for a faulty line."""
        with self._database.read() as connection:
            return ids_that_pass(connection, filters or Filters())

    def selection(self, filters: Filters) -> Selection:
        """Return the ids of all documents that pass the filters, for questions within them; the last few are held.

        Raises LineError for a faulty line.
        """
        with self._database.read() as connection:
            return self._selections.of(connection, filters)

    def selections_by_kind(self) -> dict[str, Selection]:
        """Return the ids of the documents of each kind that any has, read at once."""
        with self._database.read() as connection:
            return self._selections.by_kind(connection)

    def count(self, filters: Filters) -> int:
        """Return how many documents pass the filters. Raises LineError for a line with a fault."""
        with self._database.read() as connection:
            return self._totals.documents(connection, filters)

    def by_person(self, name: str, k: int = 10) -> list[str]:
        """Return the ids of documents by an author or inventor of this name, the last word as the beginning of one."""
        if not (words := name_words(name)):
            return []
        query, parameters = named(AUTHOR, words, open_end=True)
        return self._column(f"SELECT id FROM documents WHERE position IN ({query}) LIMIT ?", [*parameters, k])

    def by_author(self, name: PersonName, filters: Filters | None = None) -> list[str]:
        """Return the ids of documents by an author or inventor who may be this person, the latest first.

        Only those that pass the filters. Raises LineError for a line with a fault.
        """
        with self._database.read() as connection:
            where, parameters = condition_of(connection, filters or Filters())
            positions = works_of(connection, name)
            some = f"position IN (SELECT value FROM json_each(?)) AND {where}"
            query = f"SELECT id FROM documents WHERE {some} ORDER BY year IS NULL, year DESC, position"
            return [id_ for (id_,) in connection.execute(query, [json.dumps(positions), *parameters])]

    def version(self) -> int:
        """Return a number that grows whenever a document is added, changed or removed."""
        with self._database.read() as connection:
            return documents_version(connection)

    def revision(self) -> int:
        """Return a number that grows whenever a document's text changes, as when a reference gets its paper's text."""
        with self._database.read() as connection:
            return latest_revision(connection)

    def revised_since(self, revision: int) -> list[str]:
        """Return the ids of the documents whose text has changed after a revision."""
        with self._database.read() as connection:
            return revised_since(connection, revision)

    def title_matches(self, words: str, k: int = 10) -> list[str]:
        """Return the ids of documents whose title holds all the words, the last one as the beginning of a word."""
        return self._stored_keywords.titles(words.replace("\0", " "), k)

    def titled(self, groups: Sequence[Sequence[str]], k: int) -> list[Titled]:
        """Return up to k documents whose title holds all words of at least one group; words are tokens as written."""
        return self._stored_keywords.titled(groups, k)

    def known_as(self, identifiers: Iterable[Identifier]) -> list[str]:
        """Return the ids of the documents with one of these numbers: DOI, arXiv, PubMed, PubMed Central, patent."""
        with self._database.read() as connection:
            return find_by_numbers(connection, identifiers)

    def find(self, words: str, k: int) -> list[Document]:
        """Return up to k documents by what a person types of one: its id, its number, words of its title, an author."""
        words = clean(words)
        number = asked_number(words)
        ids = self.known_as([number]) if number is not None else []
        ids += [*self.title_matches(words, k), *self.by_person(words, k)]
        if (name := PersonName.read(words)) is not None and name.given:
            ids += self.by_author(name)[:k]
        try:
            found = self.get([words.strip(), *ids])
        except UnknownDocumentError:
            found = self.get(ids)
        return list({document.id: document for document in found}.values())[:k]

    def find_one(self, words: str) -> Document:
        """Return the one document that `find` finds, or that has the id, the number or the whole title.

        Raises UnknownDocumentError where none does, or where several do, which it names.
        """
        words = clean(words)
        try:
            return self.get([words.strip()])[0]
        except UnknownDocumentError:
            if (number := asked_number(words)) is not None:
                return self.get([self.find_by_number(number)])[0]
        found = self.find(words, _FITTING)
        titled = [one for one in found if normalised_title(one.title) == normalised_title(words)]
        if len(fitting := titled or found) == 1:
            return fitting[0]
        several = "; ".join(f"{one.id} ({one.name}{f', {one.year}' if one.year else ''})" for one in fitting)
        count = f"{'at least ' if len(found) == _FITTING else ''}{how_many(len(fitting), 'document')}"
        told = f"which {count} have: {several}. Name one by its id." if fitting else ""
        raise UnknownDocumentError(
            "Expected the id, a number, words of the title or an author of a document in the library, got "
            f"{files.shown(words)!r}, {told or 'which none has. Type fewer words, or import the document first.'}"
        )

    def find_by_number(self, number: Identifier) -> str:
        """Return the id of the document with this number. Raises UnknownDocumentError, which says how to bring it."""
        if found := self.known_as([number]):
            return found[0]
        raise UnknownDocumentError(
            f"Expected a document of your library, got the {spoken(number)}, which none of them has. "
            "Bring the document itself, as its PDF or as its text, or import it into the library."
        )

    def duplicates_of(self, document: Document) -> set[str]:
        """Return the ids of documents that are the same work as this one, which need not be in the library.

        The same id; the same text or abstract; the same telling title where the years agree or one
        is unknown (for patents: never by title alone); the same family.
        """
        with self._database.read() as connection:
            return copies_of(connection, document)

    # What it holds ----------------------------------------------------------------------------

    def __len__(self) -> int:
        """Return how many documents are held."""
        with self._database.read() as connection:
            ((held,),) = self._once(connection, "SELECT count(*) FROM documents")
        return int(held)

    def counts(self) -> Counts:
        """Return how many documents of each kind, files, folded duplicates and failures the library holds."""
        counted = (
            "SELECT count(*), count(*) FILTER (WHERE kind = 'paper'), count(*) FILTER (WHERE kind = 'patent'),"
            " min(year), max(year) FROM documents"
        )
        brought = "SELECT count(*), coalesce(sum(folded), 0), (SELECT count(*) FROM failures) FROM files"
        with self._database.read() as connection:
            ((documents, papers, patents, first, last),) = self._once(connection, counted)
            files, folded, failures = connection.execute(brought).fetchone()
        return Counts(documents, papers, patents, files, folded, failures, first, last)

    def has_file(self, key: str) -> bool:
        """Return whether the file with this content is held."""
        return bool(self._column("SELECT count(*) FROM files WHERE key = ?", [key])[0])

    def has_whole_file(self, key: str) -> bool:
        """Return whether the file with this content is held with all documents that it brought: none was removed."""
        with self._database.read() as connection:
            return holds_whole(connection, key)

    def had_file(self, key: str) -> bool:
        """Return whether the file with this content was held once, and was removed."""
        with self._database.read() as connection:
            return was_removed(connection, key)

    def files(self) -> list[ImportedFile]:
        """Return every file that is held, the first import first."""
        columns = "key, name, documents, folded, imported_at, notes"
        rows = self._rows(f"SELECT {columns} FROM files ORDER BY imported_at, name")
        found = [(ImportedFile(*held), notes) for *held, notes in rows]
        return [replace(file, notes=tuple(notes.splitlines())) for file, notes in found]

    def import_counts(self) -> dict[str, int]:
        """Return how many documents came with each imported file, by its name, the last import first."""
        one = "(SELECT count(*) FROM origins WHERE file = max(number))"  # from the index alone, unlike what is distinct
        some = "(SELECT count(DISTINCT added) FROM files AS one JOIN origins ON file = number WHERE name = files.name)"
        query = (
            f"SELECT name, CASE WHEN count(*) = 1 THEN {one} ELSE {some} END FROM files GROUP BY name"
            " ORDER BY max(imported_at) DESC, name"
        )
        with self._database.read() as connection:
            return dict(self._once(connection, query))

    def files_named(self, name: str) -> list[ImportedFile]:
        """Return the files imported under a name, or else those whose path ends in it. Raises LibraryError for none."""
        held = self.files()
        found = [one for one in held if one.name == name]
        found = found or [one for one in held if one.name.replace("\\", "/").rpartition("/")[2] == name]
        if not found:
            known = ", ".join(one.name for one in held[:_NAMED]) or "none"
            raise LibraryError(f"Expected the name of an imported file, got {name!r}; the library has {known}.")
        return found

    def failures(self) -> list[Failure]:
        """Return every file that could not be imported, by name."""
        return [Failure(*row) for row in self._rows("SELECT name, reason, failed_at FROM failures ORDER BY name")]

    def summaries(self) -> Summaries:
        """Return what the map needs of every document, column by column."""
        rows = self._rows("SELECT id, title, coalesce(year, 0), kind, category, venue FROM documents ORDER BY position")
        columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(6)]
        return Summaries(*columns)

    def category_counts(self) -> dict[str, int]:
        """Return how many documents each category has, the largest first; patents count by class ("G06F")."""
        return dict(
            self._rows(
                "SELECT category, count(*) AS number FROM categories WHERE is_group = 1 GROUP BY category"
                " ORDER BY number DESC, category"
            )
        )

    def venue_counts(self) -> dict[str, int]:
        """Return how many documents each venue has, the largest first."""
        return dict(
            self._rows(
                "SELECT venue, count(*) AS number FROM documents WHERE venue != '' GROUP BY venue"
                " ORDER BY number DESC, venue"
            )
        )

    def facets(self, filters: Filters | None = None) -> Facets:
        """Return how many documents pass the filters, by kind, year, category and venue; read `Facets`."""
        return self._facets.count(filters or Filters())

    # Folders beside the database --------------------------------------------------------------

    def vectors_folder(self, encoder_name: str) -> Path:
        """Return where an encoder's vectors of this library lie, each fingerprint's in a folder of its own."""
        return self.folder / "vectors" / encoder_name

    @property
    def passages_folder(self) -> Path:
        """Where the passages of its documents lie, a folder for each way to read them."""
        return self.folder / "passages"

    @property
    def chunks_folder(self) -> Path:
        """Where the chunks by which its whole documents are compared lie, a folder for each way to read them."""
        return self.folder / "chunks"

    def encoder_folder(self, name: str) -> Path:
        """Return where an encoder that learnt from this library lies."""
        return self.folder / "encoders" / name

    def map_folder(self, name: str) -> Path:
        """Return where the map of an encoder's vectors lies."""
        return self.folder / "maps" / name

    def _rows(self, query: str, parameters: Sequence[Parameter] = ()) -> list[Any]:
        with self._database.read() as connection:
            return connection.execute(query, parameters).fetchall()

    def _once(self, connection: Connection, query: str) -> list[Any]:
        """Return the rows of a query about documents and files, read again only when these have changed."""
        state = state_of(connection, Filters())
        return self._totals.once(query, state, lambda: connection.execute(query).fetchall())

    def _column(self, query: str, parameters: Sequence[Parameter] = ()) -> list[Any]:
        return [value for (value,) in self._rows(query, parameters)]


def open_database(folder: Path, *, create: bool = False, read_only: bool = False) -> AnyDatabase:
    """Open the database of the library in a folder, as `Library.open` does."""
    if address := stores_of(folder).documents:
        return _server(address, create=create, read_only=read_only)
    path = folder / DATABASE
    if not path.is_file():
        if not create:
            raise LibraryError(
                f"Expected a library in {folder}; there is none. Make one with `priorscope samples` or "
                "`priorscope import PATH`, or name another folder with --library."
            )
        try:
            files.make_private_folder(folder)
            files.make_private_file(path)
        except OSError as error:
            raise LibraryError(
                f"Expected to make a library in {folder}; {error.strerror}. Name another folder with --library."
            ) from None
    database = Database(path, read_only=read_only)
    if not read_only:
        _close_to_others(folder)
    return database


def _server(address: str, *, create: bool = False, read_only: bool = False) -> PostgresDatabase:
    """Open the tables on a server; no other library needs its driver."""
    try:
        from engine.library.postgres import PostgresDatabase
    except ModuleNotFoundError:
        raise MissingExtraError(
            "Expected psycopg, by which a library on a server is reached; it is not installed. Run: "
            "pip install 'priorscope[postgres]'"
        ) from None
    return PostgresDatabase(address, create=create, read_only=read_only)


def is_own(name: str) -> bool:
    """Tell whether what lies in a library's folder under a name is the library's, and not a person's."""
    is_database = name in (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", f"{DATABASE}-journal")
    is_begun = name.startswith(tuple(f".{one}." for one in (*KEPT, DATABASE)))  # what a stopped process left unfinished
    return is_database or name in KEPT or name in ("downloads", _WORDS) or name.endswith(".lock") or is_begun


def _close_to_others(folder: Path) -> None:
    """Let only the owner read a library, as earlier versions did not; what else lies in its folder stays as it is."""
    found = list(folder.iterdir())
    ours = [path for path in found if is_own(path.name) or path.name.startswith(DATABASE)]
    for path in ours if len(ours) < len(found) else [folder.resolve(), *ours]:
        files.keep_private(path)


def _document(connection: Connection, id_: str) -> Document:
    return read_document(connection, position_of(connection, id_))
