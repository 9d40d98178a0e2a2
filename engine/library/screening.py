"""Screening for systematic reviews: which documents are in, which are out and why, and what PRISMA's flow counts.

They are counted as in the flow diagram of Page et al. 2021, "The PRISMA 2020 statement", figure 1: records
identified, duplicates removed before screening, records screened, records excluded with reasons, and those included.
A library is screened for one review or several: each has decisions, reasons and counts of its own.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from engine.core.errors import LibraryError
from engine.documents.text import clean
from engine.library.annotations import AWAY, count_changes, note_change
from engine.library.database import AT_ONCE, Database, change_rows, now
from engine.library.filters import Filters, Totals, condition_of, state_of
from engine.library.lines import name_on_one_line, review_number
from engine.library.records import id_of, placeholders

Decision = Literal["included", "excluded"]
"""A document without a decision is undecided."""
DECISIONS: tuple[Decision, ...] = get_args(Decision)


@dataclass(frozen=True, slots=True)
class Screened:
    """A decision on a document, why it is excluded (may be empty), and when it was taken (ISO 8601, UTC)."""

    MAX_REASON: ClassVar[int] = 200
    """Characters of a reason to exclude."""

    decision: Decision
    reason: str
    when: str


@dataclass(frozen=True, slots=True)
class Flow:
    """The numbers of a review's flow; `reasons` counts the excluded by reason, "" without one, the largest first.

    `review` is its name. `identified` less `duplicates` is `included` + `excluded` + `undecided`.
    """

    review: str
    identified: int
    duplicates: int
    undecided: int
    included: int
    excluded: int
    reasons: Mapping[str, int]

    @property
    def documents(self) -> int:
        """How many records are left to screen once duplicates are removed."""
        return self.identified - self.duplicates

    @property
    def screened(self) -> int:
        """How many have a decision."""
        return self.included + self.excluded


class Screening:
    """The decisions of one review on a library's documents; each is kept at once.

    Every method raises LibraryError where the review is gone. A folded duplicate's id stands for the document it is
    folded into. Whatever takes ids raises UnknownDocumentError for one that is not held, and changes nothing then.
    """

    def __init__(self, database: Database, totals: Totals, review: str = "") -> None:
        """Use `Library.screening`, the first review's."""
        self._database, self._totals, self._review = database, totals, review

    def in_review(self, name: str) -> Screening:
        """Return the decisions of the review of a name, of the first without one."""
        return Screening(self._database, self._totals, name)

    def decide(self, ids: Sequence[str], decision: Decision, reason: str = "") -> int:
        """Decide on documents; returns how many had another decision, another reason, or none.

        A reason's letter case is as first written. Raises LibraryError for an unknown decision, and for a reason that
        is too long or without an exclusion.
        """
        reason = " ".join(clean(reason).split())
        if decision not in DECISIONS:
            raise LibraryError(f"Expected a decision, {' or '.join(DECISIONS)}, got {decision!r}. Give one of the two.")
        if len(reason) > Screened.MAX_REASON or (reason and decision != "excluded"):
            raise LibraryError(
                f"Expected a reason of at most {Screened.MAX_REASON} characters for what is excluded, got "
                f"{len(reason)} for what is {decision}. Shorten it, or keep it in a note."
            )
        if reason:
            folded = reason.casefold()
            reason = next((given for given in self.reasons() if given.casefold() == folded), reason)
        put = (
            "INSERT INTO screened VALUES (?, ?, ?, ?, ?) ON CONFLICT (review, document) DO UPDATE SET"
            " decision = excluded.decision, reason = excluded.reason, decided_at = excluded.decided_at"
            " WHERE decision != excluded.decision OR reason != excluded.reason"
        )
        return self._change(put, ids, (decision, reason, now()))

    def take_back(self, ids: Sequence[str]) -> int:
        """Make documents undecided again; returns how many had a decision."""
        return self._change("DELETE FROM screened WHERE review = ? AND document = ?", ids, ())

    def of(self, ids: Sequence[str]) -> list[Screened | None]:
        """Return the decisions on some documents, in their order; None for undecided ones."""
        with self._database.read() as connection:
            held = [id_of(connection, id_) for id_ in ids]
            found = decisions_on(connection, held, find_review(connection, self._review))
        return [found.get(id_) for id_ in held]

    def reasons(self) -> list[str]:
        """Return every reason that was given, the one given most first."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT reason FROM screened WHERE review = ? AND decision = 'excluded' AND reason != ''"
                " GROUP BY reason ORDER BY count(*) DESC, reason",
                [find_review(connection, self._review)],
            )
            return [reason for (reason,) in rows]

    def next(self, filters: Filters | None = None, *, after: str = "") -> str | None:
        """Return the id of the first undecided document that passes the filters, in the order in which they were added.

        `after` is the id of a document: only those added later come, then those added before it. None if all are
        decided. Raises LineError for a faulty line, UnknownDocumentError for an id that is not held.
        """
        decided = "SELECT 1 FROM screened WHERE review = ? AND document = documents.id"
        with self._database.read() as connection:
            condition, given = condition_of(connection, filters or Filters())
            parameters = [find_review(connection, self._review), *given]
            query = f"SELECT id FROM documents WHERE NOT EXISTS ({decided}) AND {condition}"
            if after:
                id_ = id_of(connection, after)
                row = connection.execute(
                    f"{query} AND added > (SELECT added FROM documents WHERE id = ?) ORDER BY added LIMIT 1",
                    [*parameters, id_],
                ).fetchone()
                if row is not None:
                    return str(row[0])
                query, parameters = f"{query} AND id != ?", [*parameters, id_]
            row = connection.execute(f"{query} ORDER BY added LIMIT 1", parameters).fetchone()
        return None if row is None else str(row[0])

    def flow(self, filters: Filters | None = None) -> Flow:
        """Return the numbers of the documents that pass the filters. Raises LineError for a faulty line.

        A record is one that a file brought: of the chosen imports where some are chosen, else of all.
        """
        filters = filters or Filters()
        with self._database.read() as connection:
            documents = self._totals.documents(connection, filters)
            records, known = self._totals.records(connection, filters)
            review = find_review(connection, self._review)
            name = read_review_name(connection, review)
            state = f"{state_of(connection, filters)} {count_changes(connection)}"
            decided = ("decided", review, filters)
            rows = self._totals.once(decided, state, lambda: _decided(connection, review, filters))
        included = sum(number for decision, _, number in rows if decision == "included")
        reasons = {reason: number for decision, reason, number in rows if decision == "excluded"}
        excluded = sum(reasons.values())
        identified = records + documents - known  # a document of an import before origins were recorded is one record
        return Flow(
            review=name,
            identified=identified,
            duplicates=identified - documents,
            undecided=documents - included - excluded,
            included=included,
            excluded=excluded,
            reasons=reasons,
        )

    def _change(self, statement: str, ids: Sequence[str], values: tuple[str, ...]) -> int:
        with self._database.write() as connection:
            review = find_review(connection, self._review)
            rows = [(review, id_of(connection, id_), *values) for id_ in ids]
            number = change_rows(connection, statement, rows)
            if number:
                note_change(connection)
            return number


def _decided(connection: sqlite3.Connection, review: int, filters: Filters) -> list[tuple[str, str, int]]:
    """Count the held documents that pass the filters by decision and reason, the largest number first."""
    query = "SELECT decision, reason, count(*) FROM {} WHERE review = ? AND {} GROUP BY decision, reason"
    if filters != Filters():  # in this order: what passes is found as a whole, then each document's decision
        condition, parameters = condition_of(connection, filters)
        joined = query.format("documents CROSS JOIN screened ON document = id", condition)
        counts = {one[:2]: one[2] for one in connection.execute(joined, [review, *parameters])}
    else:  # counted in the index alone, and without those that wait for removed documents
        counts = {one[:2]: one[2] for one in connection.execute(query.format("screened", "1"), [review])}
        waiting = query.format("screened", "document >= ? AND document < ?")
        for decision, reason, number in connection.execute(waiting, [review, *AWAY]):
            counts[decision, reason] -= number
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0][1]))
    return [(*what, number) for what, number in ordered if number]


def decisions_on(connection: sqlite3.Connection, ids: Sequence[str], review: int) -> dict[str, Screened]:
    """Return the decisions of a review on some held documents, by id; undecided ones are left out."""
    found: dict[str, Screened] = {}
    for start in range(0, len(ids), AT_ONCE):
        part = ids[start : start + AT_ONCE]
        query = (
            "SELECT document, decision, reason, decided_at FROM screened"
            f" WHERE review = ? AND document IN ({placeholders(len(part))})"
        )
        found.update({id_: Screened(*values) for id_, *values in connection.execute(query, [review, *part])})
    return found


class Reviews:
    """The reviews of one library, at least one: the first is meant where none is named. Each change is kept at once."""

    MAX_NAME: ClassVar[int] = 60
    """Characters of a review's name."""

    def __init__(self, database: Database) -> None:
        """Use `Library.reviews`."""
        self._database = database

    def counts(self) -> dict[str, int]:
        """Return how many held documents each review has decided on, by name, the first review first."""
        query = (
            "SELECT name, (SELECT count(*) FROM screened WHERE review = number)"
            " - (SELECT count(*) FROM screened WHERE review = number AND document >= ? AND document < ?)"
            " FROM reviews ORDER BY number"
        )
        with self._database.read() as connection:
            return dict(connection.execute(query, AWAY).fetchall())

    def make(self, name: str) -> str:
        """Begin a review; returns its name on one line.

        Raises LibraryError for a name that is taken or cannot be one.
        """
        with self._database.write() as connection:
            name = _free(connection, name)
            connection.execute("INSERT INTO reviews (name, made_at) VALUES (?, ?)", (name, now()))
        return name

    def rename(self, name: str, to: str) -> str:
        """Give a review another name; returns it. Raises LibraryError for an unknown name, and as `make` does."""
        with self._database.write() as connection:
            number = find_review(connection, name)
            to = _free(connection, to, but=number)
            connection.execute("UPDATE reviews SET name = ? WHERE number = ?", (to, number))
        return to

    def delete(self, name: str) -> int:
        """Forget a review with its decisions, also those on removed documents; returns how many.

        Raises LibraryError for an unknown name, and for the only review.
        """
        with self._database.write() as connection:
            number = find_review(connection, name)
            if connection.execute("SELECT count(*) FROM reviews").fetchone()[0] == 1:
                raise LibraryError(
                    "Expected another review to be left; this is the only one. Take its decisions back, or make "
                    "another review first."
                )
            gone = connection.execute("DELETE FROM screened WHERE review = ?", (number,)).rowcount
            connection.execute("DELETE FROM reviews WHERE number = ?", (number,))
            note_change(connection)
        return gone


def find_review(connection: sqlite3.Connection, name: str) -> int:
    """Return the number of a review, of the first without a name. Raises LibraryError for an unknown one."""
    query, parameters = review_number(name)
    (number,) = connection.execute(f"SELECT {query}", parameters).fetchone()
    if number is not None:
        return int(number)
    names = ", ".join(held for (held,) in connection.execute("SELECT name FROM reviews ORDER BY number LIMIT 10"))
    raise LibraryError(f"Expected the name of a review, got {name!r}; the library has {names}. Name one, or make it.")


def read_review_name(connection: sqlite3.Connection, number: int) -> str:
    """Return the name of a review that is there."""
    return str(connection.execute("SELECT name FROM reviews WHERE number = ?", (number,)).fetchone()[0])


def _free(connection: sqlite3.Connection, name: str, but: int = 0) -> str:
    """Return a name that no other review has. Raises LibraryError for one that is taken or cannot be one."""
    name, most = name_on_one_line(name), Reviews.MAX_NAME
    if not name or len(name) > most or not name.isprintable() or set(name) & set('"/'):
        raise LibraryError(
            f"Expected a review's name of 1 to {most} characters without \" and /; got {name[:most]!r}. "
            "Give it another name."
        )
    taken = connection.execute("SELECT name FROM reviews WHERE name = ? AND number != ?", (name, but)).fetchone()
    if taken is not None:
        raise LibraryError(
            f"Expected a name that no review has, got {name!r}; one is called {taken[0]!r}. Choose another name."
        )
    return name
