"""Named sets of documents that a person keeps in the library: a reading list, prior art of one case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

from engine.core.errors import LibraryError
from engine.library.connections import AT_ONCE, AnyDatabase, Connection, change_rows, lowered, now
from engine.library.records import id_of, placeholders


class Collections:
    """The collections of one library; a document may stand in several, and each change is kept at once."""

    MAX_NAME: ClassVar[int] = 80
    """Characters of a collection's name."""

    def __init__(self, database: AnyDatabase) -> None:
        """Use `Library.collections`."""
        self._database = database

    def counts(self) -> dict[str, int]:
        """Return how many documents each collection holds, by name in alphabetical order."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT name, count(document) FROM collections LEFT JOIN collected ON collection = name"
                " GROUP BY name ORDER BY lower(name)"
            )
            return dict(rows.fetchall())

    def ids(self, name: str) -> list[str]:
        """Return the ids of a collection's documents, as they were added. Raises LibraryError for an unknown name."""
        with self._database.read() as connection:
            name = _known(connection, name)
            rows = connection.execute(
                "SELECT document FROM collected WHERE collection = ? ORDER BY added_at, document", (name,)
            )
            return [id_ for (id_,) in rows]

    def holding(self, ids: Sequence[str]) -> dict[str, int]:
        """Return how many of some documents each collection holds; those that hold none are left out."""
        with self._database.read() as connection:
            asked = sorted({id_of(connection, id_) for id_ in ids})
            found: Counter[str] = Counter()
            for start in range(0, len(asked), AT_ONCE):
                part = asked[start : start + AT_ONCE]
                query = (
                    "SELECT collection, count(*) FROM collections JOIN collected ON collection = name"
                    f" WHERE document IN ({placeholders(len(part))}) GROUP BY collection"
                )
                found.update(dict(connection.execute(query, part).fetchall()))
            return dict(sorted(found.items()))

    def add(self, name: str, ids: Sequence[str]) -> int:
        """Put documents into a collection, made if it does not exist; returns how many are new.

        A folded duplicate's id stands for the document it is folded into. Raises LibraryError for a name that cannot
        be one, UnknownDocumentError for an id that is not held; nothing is kept then.
        """
        name, when = _checked(name), now()
        with self._database.write() as connection:
            connection.execute("INSERT INTO collections VALUES (?, ?) ON CONFLICT DO NOTHING", (name, when))
            name = _known(connection, name)
            rows = [(name, id_of(connection, id_), when) for id_ in ids]
            return change_rows(connection, "INSERT INTO collected VALUES (?, ?, ?) ON CONFLICT DO NOTHING", rows)

    def take_out(self, name: str, ids: Sequence[str]) -> int:
        """Take documents out of a collection, which stays even when empty; returns how many it held.

        Raises LibraryError for an unknown name, UnknownDocumentError for an id that is not in the library.
        """
        with self._database.write() as connection:
            name = _known(connection, name)
            rows = [(name, id_of(connection, id_)) for id_ in ids]
            return change_rows(connection, "DELETE FROM collected WHERE collection = ? AND document = ?", rows)

    def rename(self, name: str, to: str) -> None:
        """Give a collection another name. Raises LibraryError for an unknown name, and for one that is taken."""
        to = _checked(to)
        with self._database.write() as connection:
            name = _known(connection, name)
            query = "SELECT name FROM collections WHERE lower(name) = ? AND name != ?"
            taken = connection.execute(query, (lowered(to), name))
            if (other := taken.fetchone()) is not None:
                raise LibraryError(
                    f"Expected a name that no collection has, got {to!r}; there is one called {other[0]!r}. "
                    "Choose another name, or delete that collection first."
                )
            connection.execute("UPDATE collections SET name = ? WHERE name = ?", (to, name))
            connection.execute("UPDATE collected SET collection = ? WHERE collection = ?", (to, name))

    def delete(self, name: str) -> None:
        """Forget a collection; its documents stay in the library. Raises LibraryError for an unknown name."""
        with self._database.write() as connection:
            name = _known(connection, name)
            connection.execute("DELETE FROM collected WHERE collection = ?", (name,))
            connection.execute("DELETE FROM collections WHERE name = ?", (name,))

    def version(self) -> str:
        """Return what changes whenever a document comes into a collection or leaves one, or one gets another name."""
        with self._database.read() as connection:
            return collections_version(connection)


def collections_version(connection: Connection) -> str:
    """Return what changes whenever a document comes into a collection or leaves one, or one gets another name."""
    names = ",".join(name for (name,) in connection.execute("SELECT name FROM collections ORDER BY lower(name)"))
    number, last = connection.execute("SELECT count(*), max(added_at) FROM collected").fetchone()
    return f"{number} {last or ''} {names}".strip()


def _known(connection: Connection, name: str) -> str:
    """Return a collection's name as it was first written. Raises LibraryError for an unknown name."""
    query = "SELECT name FROM collections WHERE lower(name) = ?"
    row = connection.execute(query, (lowered(name.strip()),)).fetchone()
    if row is not None:
        return str(row[0])
    names = [held for (held,) in connection.execute("SELECT name FROM collections ORDER BY lower(name) LIMIT 10")]
    kept = f"the library has {', '.join(names)}" if names else "the library has none yet"
    raise LibraryError(f"Expected the name of a collection, got {name!r}; {kept}. Add a document to one to make it.")


def _checked(name: str) -> str:
    """Return a name on one line and not too long. Raises LibraryError for any other."""
    name, most = " ".join(name.split()), Collections.MAX_NAME
    if not name or len(name) > most or not name.isprintable():
        got = f"{len(name)}: {name[:most]!r}" if name else "none"
        raise LibraryError(
            f"Expected a collection's name of 1 to {most} visible characters, got {got}. Give it another name."
        )
    return name
