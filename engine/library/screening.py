"""Screening for systematic reviews: which documents are in, which are out and why, and what PRISMA's flow counts.

They are counted as in the flow diagram of Page et al. 2021, "The PRISMA 2020 statement", figure 1: records
identified, duplicates removed before screening, records screened, records excluded with reasons, and those included.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, get_args

from engine.core.errors import LibraryError
from engine.documents.text import clean
from engine.library import passing, remembered
from engine.library.annotations import AT_ONCE
from engine.library.categories import marks
from engine.library.database import Database
from engine.library.filters import Filters
from engine.library.held import id_of
from engine.library.passing import Totals
from engine.library.reviews import name_of, number_of

Decision = Literal["included", "excluded"]
"""A document without a decision is undecided."""
DECISIONS: tuple[Decision, ...] = get_args(Decision)
MAX_REASON = 200
"""Characters of a reason to exclude."""


@dataclass(frozen=True, slots=True)
class Screened:
    """A decision on a document, why it is excluded (may be empty), and when it was taken (ISO 8601, UTC)."""

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
        """The decisions of the review of a name, of the first without one."""
        return Screening(self._database, self._totals, name)

    def decide(self, ids: Sequence[str], decision: Decision, reason: str = "") -> int:
        """Decide on documents; returns how many had another decision, another reason, or none.

        A reason's letter case is as first written. Raises LibraryError for an unknown decision, and for a reason that
        is too long or without an exclusion.
        """
        reason = " ".join(clean(reason).split())
        if decision not in DECISIONS:
            raise LibraryError(f"Expected a decision, {' or '.join(DECISIONS)}, got {decision!r}. Give one of the two.")
        if len(reason) > MAX_REASON or (reason and decision != "excluded"):
            raise LibraryError(
                f"Expected a reason of at most {MAX_REASON} characters for what is excluded, got {len(reason)} for "
                f"what is {decision}. Shorten it, or keep it in a note."
            )
        if reason:
            folded = reason.casefold()
            reason = next((given for given in self.reasons() if given.casefold() == folded), reason)
        put = (
            "INSERT INTO screened VALUES (?, ?, ?, ?, ?) ON CONFLICT (review, document) DO UPDATE SET"
            " decision = excluded.decision, reason = excluded.reason, decided_at = excluded.decided_at"
            " WHERE decision != excluded.decision OR reason != excluded.reason"
        )
        return self._change(put, ids, (decision, reason, _now()))

    def take_back(self, ids: Sequence[str]) -> int:
        """Make documents undecided again; returns how many had a decision."""
        return self._change("DELETE FROM screened WHERE review = ? AND document = ?", ids, ())

    def of(self, ids: Sequence[str]) -> list[Screened | None]:
        """The decisions on some documents, in their order; None for undecided ones."""
        with self._database.read() as connection:
            held = [id_of(connection, id_) for id_ in ids]
            found = decisions_on(connection, held, number_of(connection, self._review))
        return [found.get(id_) for id_ in held]

    def reasons(self) -> list[str]:
        """Every reason that was given, the one given most first."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT reason FROM screened WHERE review = ? AND decision = 'excluded' AND reason != ''"
                " GROUP BY reason ORDER BY count(*) DESC, reason",
                [number_of(connection, self._review)],
            )
            return [reason for (reason,) in rows]

    def next(self, filters: Filters | None = None, *, after: str = "") -> str | None:
        """The id of the first undecided document that passes the filters, in the order in which they were added.

        `after` is the id of a document: only those added later come, then those added before it. None if all are
        decided. Raises LineError for a faulty line, UnknownDocumentError for an id that is not held.
        """
        decided = "SELECT 1 FROM screened WHERE review = ? AND document = documents.id"
        with self._database.read() as connection:
            condition, given = passing.condition(connection, filters or Filters())
            parameters = [number_of(connection, self._review), *given]
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
        """The numbers of the documents that pass the filters. Raises LineError for a faulty line.

        A record is one that a file brought: of the chosen imports where some are chosen, else of all.
        """
        filters = filters or Filters()
        with self._database.read() as connection:
            documents = self._totals.documents(connection, filters)
            records, known = self._totals.records(connection, filters)
            review = number_of(connection, self._review)
            name = name_of(connection, review)
            now = f"{passing.state(connection, filters)} {remembered.changes(connection)}"
            decided = ("decided", review, filters)
            rows = self._totals.once(decided, now, lambda: _decided(connection, review, filters))
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
            review = number_of(connection, self._review)
            rows = [(review, id_of(connection, id_), *values) for id_ in ids]
            before = connection.total_changes
            connection.executemany(statement, rows)
            number = connection.total_changes - before
            if number:
                remembered.note_change(connection)
            return number


def _decided(connection: sqlite3.Connection, review: int, filters: Filters) -> list[tuple[str, str, int]]:
    """How many held documents that pass the filters have each decision with each reason, the largest number first."""
    query = "SELECT decision, reason, count(*) FROM {} WHERE review = ? AND {} GROUP BY decision, reason"
    if filters != Filters():  # in this order: what passes is found as a whole, then each document's decision
        condition, parameters = passing.condition(connection, filters)
        joined = query.format("documents CROSS JOIN screened ON document = id", condition)
        counts = {one[:2]: one[2] for one in connection.execute(joined, [review, *parameters])}
    else:  # counted in the index alone, and without those that wait for removed documents
        counts = {one[:2]: one[2] for one in connection.execute(query.format("screened", "1"), [review])}
        waiting = query.format("screened", "document >= ? AND document < ?")
        for decision, reason, number in connection.execute(waiting, [review, *remembered.AWAY]):
            counts[decision, reason] -= number
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0][1]))
    return [(*what, number) for what, number in ordered if number]


def decisions_on(connection: sqlite3.Connection, ids: Sequence[str], review: int) -> dict[str, Screened]:
    """The decisions of a review on some held documents, by id; undecided ones are left out."""
    found: dict[str, Screened] = {}
    for start in range(0, len(ids), AT_ONCE):
        part = ids[start : start + AT_ONCE]
        query = (
            "SELECT document, decision, reason, decided_at FROM screened"
            f" WHERE review = ? AND document IN ({marks(len(part))})"
        )
        found.update({id_: Screened(*values) for id_, *values in connection.execute(query, [review, *part])})
    return found


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")
