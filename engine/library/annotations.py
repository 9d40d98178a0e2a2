"""What a person says of documents: notes, tags, which are read, and judgements of a query's hits.

Notes, tags and read marks are found by lines. They belong to a document's id, so they stay when a file is imported
again or another version completes the document. When a document is removed they are set aside, so that they come back
when it is imported again: its title, year, authors and numbers stay, and its keys, by which the rules of import know
the work (`engine/documents/works.py`). `forget_removed` drops all of it.

A judgement says that a hit is relevant to a query, or not. It is kept with the whole document that asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from engine.core import files
from engine.core.errors import LibraryError
from engine.documents import Document, works
from engine.documents.people import name_words
from engine.documents.text import clean
from engine.library.connections import (
    AT_ONCE,
    AnyDatabase,
    Connection,
    Parameter,
    change_rows,
    now,
    rewrite_key,
    upsert,
)
from engine.library.records import id_of, keys_at, pack, placeholders, unpack

AWAY = ("\n", "\v")
"""What is set aside has names between these two: no document's id begins so, and no other work gets it."""
_TABLES = {"notes": (), "tags": ("key",), "read_marks": (), "screened": ("review",), "to_screen": ("review",)}
"""What a person says of documents, with what of each table's key is not the document."""
_SPACES = re.compile(r"[^\S\n]+")


@dataclass(frozen=True, slots=True)
class Annotation:
    """A document's tags in alphabetical order, its note, and whether it is read."""

    MAX_TAG: ClassVar[int] = 60
    MAX_NOTE: ClassVar[int] = 20_000
    """Characters of a tag, and of a note."""

    tags: tuple[str, ...] = ()
    note: str = ""
    is_read: bool = False


NOTHING = Annotation()
"""What a document has that nobody wrote about."""


class Annotations:
    """The notes, tags and read marks of one library; each change is kept at once.

    A folded duplicate's id stands for the document it is folded into. Whatever takes ids raises UnknownDocumentError
    for one that is not held, and changes nothing then.
    """

    def __init__(self, database: AnyDatabase) -> None:
        """Use `Library.annotations`."""
        self._database = database

    def of(self, ids: Sequence[str]) -> list[Annotation]:
        """Return what was written about some documents, in their order."""
        with self._database.read() as connection:
            held = [id_of(connection, id_) for id_ in ids]
            found = annotations_of(connection, held)
        return [found.get(id_, NOTHING) for id_ in held]

    def tags(self) -> dict[str, int]:
        """Return how many documents have each tag, by name in alphabetical order."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT min(name), count(*) FROM tags JOIN documents ON id = document GROUP BY key ORDER BY key"
            )
            return dict(rows.fetchall())

    def tag(self, ids: Sequence[str], tag: str) -> int:
        """Tag documents; returns how many did not have the tag, whose letter case and spaces are as first written.

        Raises LibraryError for a tag that cannot be one.
        """
        name = _checked_tag(tag)
        key = name.casefold()
        with self._database.write() as connection:
            first = connection.execute("SELECT name FROM tags WHERE key = ? LIMIT 1", (key,)).fetchone()
            rows = [(key, first[0] if first else name, id_of(connection, id_)) for id_ in ids]
            return _changed(connection, "INSERT INTO tags VALUES (?, ?, ?) ON CONFLICT DO NOTHING", rows)

    def untag(self, ids: Sequence[str], tag: str) -> int:
        """Take a tag off documents; returns how many had it."""
        key = _one_line(tag).casefold()
        with self._database.write() as connection:
            rows = [(key, id_of(connection, id_)) for id_ in ids]
            return _changed(connection, "DELETE FROM tags WHERE key = ? AND document = ?", rows)

    def rename_tag(self, tag: str, to: str) -> int:
        """Give a tag another name everywhere; returns how many documents had it.

        Where another tag has that name, they become one, called as that was first written. Raises LibraryError for an
        unknown tag, and for a name that cannot be one.
        """
        key, name = _one_line(tag).casefold(), _checked_tag(to)
        new = name.casefold()
        with self._database.write() as connection:
            (number,) = connection.execute("SELECT count(*) FROM tags WHERE key = ?", (key,)).fetchone()
            if not number:
                raise LibraryError(f"Expected a tag that a document has, got {tag!r}. Choose one that is listed.")
            if new != key:
                first = connection.execute("SELECT name FROM tags WHERE key = ? LIMIT 1", (new,)).fetchone()
                name = first[0] if first else name
                rewrite_key(connection, "tags", "key", key, new, "document")
            connection.execute("UPDATE tags SET name = ? WHERE key = ?", (name, new))
            note_change(connection)
        return int(number)

    def note(self, ids: Sequence[str], note: str) -> int:
        """Replace the note of documents, an empty one takes it away; returns how many notes differ now.

        Raises LibraryError for a note that is too long.
        """
        text = "\n".join(_SPACES.sub(" ", line).strip() for line in clean(note).strip().splitlines())
        if len(text) > Annotation.MAX_NOTE:
            raise LibraryError(
                f"Expected a note of at most {Annotation.MAX_NOTE:,} characters, got {len(text):,}. Shorten it, or "
                "keep the text in a file of your own."
            )
        words = f" {' '.join(name_words(text))} "
        with self._database.write() as connection:
            held = [id_of(connection, id_) for id_ in ids]
            if not text:
                return _changed(connection, "DELETE FROM notes WHERE document = ?", [(id_,) for id_ in held])
            put = (
                "INSERT INTO notes VALUES (?, ?, ?, ?) ON CONFLICT (document) DO UPDATE SET note = excluded.note,"
                " words = excluded.words, changed_at = excluded.changed_at WHERE notes.note != excluded.note"
            )
            return _changed(connection, put, [(id_, text, words, now()) for id_ in held])

    def mark_read(self, ids: Sequence[str], is_read: bool) -> int:
        """Mark documents as read, or as not read; returns how many were not marked so."""
        with self._database.write() as connection:
            held = [id_of(connection, id_) for id_ in ids]
            if is_read:
                rows = [(id_, now()) for id_ in held]
                return _changed(connection, "INSERT INTO read_marks VALUES (?, ?) ON CONFLICT DO NOTHING", rows)
            return _changed(connection, "DELETE FROM read_marks WHERE document = ?", [(id_,) for id_ in held])

    def version(self) -> int:
        """Return a number that grows whenever a note, a tag, a read mark or a screening decision changes."""
        with self._database.read() as connection:
            return count_changes(connection)

    def of_removed(self) -> int:
        """Return about how many removed documents something is kept, for when they are imported again."""
        with self._database.read() as connection:
            return count_set_aside(connection)

    def forget_removed(self) -> int:
        """Forget what was written about removed documents, and that they were here; returns about how many."""
        with self._database.write(erasing=True) as connection:
            number = count_set_aside(connection)
            for table in _TABLES:
                connection.execute(f"DELETE FROM {table} WHERE document IN (SELECT document FROM remembered)")
            for table in ("remembered", "remembered_keys"):
                connection.execute(f"DELETE FROM {table}")
        return number


def annotations_of(connection: Connection, ids: Sequence[str]) -> dict[str, Annotation]:
    """Return what was written about some held documents, by id; those with nothing are left out."""
    tags: dict[str, list[str]] = {}
    notes: dict[str, str] = {}
    read: set[str] = set()
    for start in range(0, len(ids), AT_ONCE):
        part = ids[start : start + AT_ONCE]
        among = f"document IN ({placeholders(len(part))})"
        for id_, name in connection.execute(f"SELECT document, name FROM tags WHERE {among} ORDER BY key", part):
            tags.setdefault(id_, []).append(name)
        notes.update(connection.execute(f"SELECT document, note FROM notes WHERE {among}", part).fetchall())
        read.update(id_ for (id_,) in connection.execute(f"SELECT document FROM read_marks WHERE {among}", part))
    return {
        id_: Annotation(tuple(tags.get(id_, ())), notes.get(id_, ""), id_ in read) for id_ in {*tags, *notes, *read}
    }


def select_tagged(tag: str) -> tuple[str, list[Parameter]]:
    """Return an SQL query for the ids of documents with a tag, "meth*" for those that begin so, and its parameters."""
    key = _one_line(tag).casefold()
    if key.endswith("*"):
        return "SELECT document FROM tags WHERE key >= ? AND key < ?", [key[:-1], key[:-1] + chr(0x10FFFF)]
    return "SELECT document FROM tags WHERE key = ?", [key]


def select_noted(words: Sequence[str], *, open_start: bool, open_end: bool) -> tuple[str, list[Parameter]]:
    """Return an SQL query for the ids of documents whose note holds words in a row, and its parameters.

    `words` are such as `name_words` gives, at least one; with `open_start` the first is the end of a word, with
    `open_end` the last the beginning of one.
    """
    held = f"{'' if open_start else ' '}{' '.join(words)}{'' if open_end else ' '}"
    return "SELECT document FROM notes WHERE instr(words, ?) > 0", [held]


def _changed(connection: Connection, statement: str, rows: Sequence[tuple[str, ...]]) -> int:
    """Run a statement for each row; returns how many rows of the table it changed."""
    number = change_rows(connection, statement, rows)
    if number:
        note_change(connection)
    return number


def _checked_tag(tag: str) -> str:
    """Return a tag on one line and not too long. Raises LibraryError for any other."""
    name, most = _one_line(tag), Annotation.MAX_TAG
    if not name or len(name) > most or '"' in name or name.endswith("*"):
        raise LibraryError(
            f"Expected a tag of 1 to {most} characters without quotes, not ending in *; got {name[:most]!r}. "
            "Choose another tag."
        )
    return name


def _one_line(text: str) -> str:
    return " ".join(clean(text).split())


def set_aside(connection: Connection, documents: Iterable[tuple[int, Document]]) -> None:
    """Set aside what was written about documents, by position, that are about to be removed."""
    for position, document in documents:
        marks = (f"SELECT 1 FROM {table} WHERE document = ? LIMIT 1" for table in _TABLES)
        if not any(connection.execute(query, (document.id,)).fetchone() for query in marks):
            continue
        keys = keys_at(connection, position)
        known = pack(
            replace(
                Document(document.id, document.kind, document.title, year=document.year, authors=document.authors),
                identifiers=document.identifiers,
            )
        )
        away = AWAY[0] + document.id
        _rename(connection, document.id, away)
        connection.execute(upsert("remembered", "document", "body"), (away, known))
        rows = [(key, away) for key in (*keys, _id_key(document.id))]
        connection.executemany("INSERT INTO remembered_keys VALUES (?, ?) ON CONFLICT DO NOTHING", rows)
        note_change(connection)


def bring_back(connection: Connection, document: Document, keys: Sequence[str]) -> None:
    """Give a document that came in what was written about the same work before it was removed."""
    rules = (*works.RULES_OF_IMPORT, (_id_key(""), works.same_title))
    for beginning, same in rules:
        for key in (one for one in (*keys, _id_key(document.id)) if one.startswith(beginning)):
            query = "SELECT document, body FROM remembered JOIN remembered_keys USING (document) WHERE key = ?"
            for away, body in connection.execute(query, (key,)).fetchall():
                if same(unpack(body), document):
                    _rename(connection, away, document.id)
                    connection.execute("DELETE FROM remembered WHERE document = ?", (away,))
                    connection.execute("DELETE FROM remembered_keys WHERE document = ?", (away,))
                    note_change(connection)
                    return


def count_set_aside(connection: Connection) -> int:
    """Return about how many removed documents something is kept."""
    return int(connection.execute("SELECT count(*) FROM remembered").fetchone()[0])


def count_changes(connection: Connection) -> int:
    """Return how often notes, tags, read marks or screening decisions have changed."""
    return int(connection.execute("SELECT changes FROM annotating").fetchone()[0])


def note_change(connection: Connection) -> None:
    """Count a change of notes, tags, read marks or screening decisions."""
    connection.execute("UPDATE annotating SET changes = changes + 1")


def _rename(connection: Connection, id_: str, to: str) -> None:
    for table, beside in _TABLES.items():
        rewrite_key(connection, table, "document", id_, to, *beside)


def _id_key(id_: str) -> str:
    return f"own:{id_}"


# Judgements --------------------------------------------------------------------------------------

Grade = Literal[0, 1]
"""1: relevant to the query; 0: seen, and not relevant."""


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """A document that asked, the grades of library documents by id, and when the last was given (ISO 8601, UTC)."""

    key: str
    query: Document
    grades: Mapping[str, int]
    when: str

    @staticmethod
    def key_of(query: Document) -> str:
        """Return what names a query: its id and text. A corrected one counts as another, because its hits differ."""
        return files.fingerprint(query.id, query.text)


class Judgements:
    """Grades of hits, by the document that asked; queries are kept whole, so that they can be asked again."""

    def __init__(self, database: AnyDatabase) -> None:
        """Use `Library.judgements`."""
        self._database = database

    def judge(self, query: Document, document: str, grade: Grade) -> None:
        """Keep one grade; it replaces an earlier one. Raises LibraryError for a grade that is neither 0 nor 1."""
        if grade not in (0, 1):
            raise LibraryError(
                f"Expected the grade 1 (relevant) or 0 (not relevant), got {grade!r}. Give one of the two."
            )
        key, body = JudgedQuery.key_of(query), pack(query)
        with self._database.write() as connection:
            connection.execute(upsert("judged_queries", "key", "body"), (key, body))
            put = upsert("judgements", "query, document", "grade", "judged_at")
            connection.execute(put, (key, document, grade, now()))

    def take_back(self, query: Document, document: str) -> None:
        """Forget one grade, and the query with its last one; a grade that was never given is ignored."""
        key = JudgedQuery.key_of(query)
        with self._database.write() as connection:
            connection.execute("DELETE FROM judgements WHERE query = ? AND document = ?", (key, document))
            drop_without_grades(connection)

    def forget(self, key: str) -> None:
        """Forget a query with all its grades; `key` is its `JudgedQuery.key`."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM judgements WHERE query = ?", (key,))
            drop_without_grades(connection)

    def grades(self, query: Document) -> dict[str, int]:
        """Return the grades of one query's documents, by id."""
        with self._database.read() as connection:
            key = JudgedQuery.key_of(query)
            return dict(connection.execute("SELECT document, grade FROM judgements WHERE query = ?", (key,)).fetchall())

    def queries(self) -> list[JudgedQuery]:
        """Return every query that was judged, the one judged last first."""
        with self._database.read() as connection:
            rows = connection.execute("SELECT query, document, grade, judged_at FROM judgements").fetchall()
            bodies = dict(connection.execute("SELECT key, body FROM judged_queries").fetchall())
        grades: dict[str, dict[str, int]] = {}
        last: dict[str, str] = {}
        for key, document, grade, when in rows:
            grades.setdefault(key, {})[document] = grade
            last[key] = max(when, last.get(key, ""))
        newest_first = sorted(grades, key=lambda key: last[key], reverse=True)
        return [JudgedQuery(key, unpack(bodies[key]), grades[key], last[key]) for key in newest_first]

    def version(self) -> str:
        """Return what changes whenever a grade is given or taken back."""
        with self._database.read() as connection:
            count, last = connection.execute("SELECT count(*), max(judged_at) FROM judgements").fetchone()
            return f"{count} {last or ''}".strip()

    def __len__(self) -> int:
        """Return how many grades are kept."""
        with self._database.read() as connection:
            return int(connection.execute("SELECT count(*) FROM judgements").fetchone()[0])


def drop_without_grades(connection: Connection) -> None:
    """Forget queries whose last grade is gone."""
    connection.execute("DELETE FROM judged_queries WHERE key NOT IN (SELECT query FROM judgements)")
