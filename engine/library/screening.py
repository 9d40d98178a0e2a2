"""Screening for systematic reviews: which documents are in, which are out and why, and what PRISMA's flow counts.

They are counted as in the flow diagram of Page et al. 2021, "The PRISMA 2020 statement", figure 1: records
identified, duplicates removed before screening, records screened, records excluded with reasons, and those included.
A library is screened for one review or several: each has decisions, reasons and counts of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import ClassVar, Literal, get_args

from engine.core.errors import LibraryError
from engine.documents.text import clean
from engine.library.annotations import AWAY, count_changes, note_change
from engine.library.connections import AT_ONCE, AnyDatabase, Connection, change_rows, lowered, now
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

    Where no review has begun, nothing is decided, and the first decision begins one. Every method raises LibraryError
    where the review is gone. A folded duplicate's id stands for the document it is folded into. Whatever takes ids
    raises UnknownDocumentError for one that is not held, and changes nothing then.
    """

    def __init__(self, database: AnyDatabase, totals: Totals, review: str = "") -> None:
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
            " WHERE screened.decision != excluded.decision OR screened.reason != excluded.reason"
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
        """Return the id of the first undecided document that passes the filters.

        They come in the review's own order where it is of some documents alone, else as they were added. `after` is
        the id of a document: only those behind it come, then those before it; one that was removed changes nothing.
        None if all are decided. Raises LineError for a faulty line.
        """
        decided = "SELECT 1 FROM screened WHERE review = ? AND document = documents.id"
        with self._database.read() as connection:
            review = find_review(connection, self._review)
            condition, given = condition_of(connection, filters or Filters())
            of, place = "documents", "added"
            if _is_limited(connection, review):
                of, place = f"to_screen JOIN documents ON document = id AND review = {review}", "place"
            parameters = [review, *given]
            query = f"SELECT id FROM {of} WHERE NOT EXISTS ({decided}) AND {condition}"
            if after:
                row = connection.execute(
                    f"{query} AND {place} > (SELECT {place} FROM {of} WHERE id = ?) ORDER BY {place} LIMIT 1",
                    [*parameters, after],
                ).fetchone()
                if row is not None:
                    return str(row[0])
                query, parameters = f"{query} AND id != ?", [*parameters, after]
            row = connection.execute(f"{query} ORDER BY {place} LIMIT 1", parameters).fetchone()
        return None if row is None else str(row[0])

    def included(self, most: int) -> list[str]:
        """Return the ids of the held documents that were included last, `most` at most, the last one first."""
        query = (
            "SELECT id FROM screened JOIN documents ON document = id WHERE review = ? AND decision = 'included'"
            " ORDER BY decided_at DESC, id LIMIT ?"
        )
        with self._database.read() as connection:
            return [id_ for (id_,) in connection.execute(query, [find_review(connection, self._review), most])]

    def flow(self, filters: Filters | None = None) -> Flow:
        """Return the numbers of the documents that pass the filters. Raises LineError for a faulty line.

        A record is one that a file brought: of the chosen imports where some are chosen, else of all.
        """
        with self._database.read() as connection:
            review = find_review(connection, self._review)
            filters = _within(connection, review, filters or Filters())
            documents = self._totals.documents(connection, filters)
            records, known = self._totals.records(connection, filters)
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
            if ids and values and not review:
                review = _begin(connection, Reviews.FIRST)
            rows = [(review, id_of(connection, id_), *values) for id_ in ids]
            if values and _is_limited(connection, review):  # what is decided on from elsewhere comes last
                last = "(SELECT coalesce(max(place), 0) + 1 FROM to_screen WHERE review = ?)"
                put = f"INSERT INTO to_screen VALUES (?, ?, {last}) ON CONFLICT DO NOTHING"
                connection.executemany(put, [(review, row[1], review) for row in rows])
            number = change_rows(connection, statement, rows)
            if number:
                note_change(connection)
            return number


def _decided(connection: Connection, review: int, filters: Filters) -> list[tuple[str, str, int]]:
    """Count the held documents that pass the filters by decision and reason, the largest number first."""
    query = "SELECT decision, reason, count(*) FROM {} WHERE review = ? AND {} GROUP BY decision, reason"
    if filters != Filters():  # in this order: what passes is found as a whole, then each document's decision
        condition, parameters = condition_of(connection, filters)
        joined = query.format("documents CROSS JOIN screened", f"document = id AND {condition}")
        counts = {one[:2]: one[2] for one in connection.execute(joined, [review, *parameters])}
    else:  # counted in the index alone, and without those that wait for removed documents
        counts = {one[:2]: one[2] for one in connection.execute(query.format("screened", "TRUE"), [review])}
        waiting = query.format("screened", "document >= ? AND document < ?")
        for decision, reason, number in connection.execute(waiting, [review, *AWAY]):
            counts[decision, reason] -= number
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0][1]))
    return [(*what, number) for what, number in ordered if number]


def decisions_on(connection: Connection, ids: Sequence[str], review: int) -> dict[str, Screened]:
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
    """The reviews of one library that were begun: the first is meant where none is named. Each change is kept at once.

    A review is of all documents, those that come later included, or of some alone, in an order of its own.
    """

    MAX_NAME: ClassVar[int] = 60
    """Characters of a review's name."""
    FIRST: ClassVar[str] = "Review 1"
    """What a review is called that has no other name."""

    def __init__(self, database: AnyDatabase) -> None:
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
            _begin(connection, name)
        return name

    def make_of(self, ids: Sequence[str], about: str) -> str:
        """Begin a review of some documents alone, in this order; returns its name, made from what it is about.

        One that was begun of these documents in this order is not begun again: its name is returned. Raises
        UnknownDocumentError for an id that is not held.
        """
        about = "".join(one for one in name_on_one_line(about) if one.isprintable() and one not in '"/')
        about = shorten(about, self.MAX_NAME - 5, placeholder="…") or self.FIRST  # with room for a number
        with self._database.write() as connection:
            held = list(dict.fromkeys(id_of(connection, id_) for id_ in ids))
            names = dict(connection.execute("SELECT number, name FROM reviews").fetchall())
            for number, name in names.items():
                query = "SELECT document FROM to_screen WHERE review = ? ORDER BY place"
                if held and [id_ for (id_,) in connection.execute(query, (number,))] == held:
                    return str(name)
            taken = {name.casefold() for name in names.values()}
            tries = (about, *(f"{about} {number}" for number in range(2, len(taken) + 3)))
            name = next(one for one in tries if one.casefold() not in taken)
            review = _begin(connection, name, limited=True)
            rows = [(review, id_, place) for place, id_ in enumerate(held)]
            connection.executemany("INSERT INTO to_screen VALUES (?, ?, ?)", rows)
        return name

    def rename(self, name: str, to: str) -> str:
        """Give a review another name; returns it. Raises LibraryError for an unknown name, and as `make` does."""
        with self._database.write() as connection:
            number = find_review(connection, name)
            to = _free(connection, to, but=number)
            connection.execute("UPDATE reviews SET name = ? WHERE number = ?", (to, number))
            note_change(connection)
        return to

    def delete(self, name: str) -> int:
        """Forget a review with its decisions, also those on removed documents; returns how many.

        Raises LibraryError for an unknown name.
        """
        with self._database.write() as connection:
            number = find_review(connection, name)
            gone = connection.execute("DELETE FROM screened WHERE review = ?", (number,)).rowcount
            connection.execute("DELETE FROM to_screen WHERE review = ?", (number,))
            connection.execute("DELETE FROM reviews WHERE number = ?", (number,))
            note_change(connection)
        return gone


def find_review(connection: Connection, name: str) -> int:
    """Return the number of a review, of the first without a name: 0 where none has begun.

    Raises LibraryError for an unknown one.
    """
    query, parameters = review_number(name)
    (number,) = connection.execute(f"SELECT {query}", parameters).fetchone()
    if number is not None or not name:
        return int(number or 0)
    names = ", ".join(held for (held,) in connection.execute("SELECT name FROM reviews ORDER BY number LIMIT 10"))
    has = f"the library has {names or 'none yet'}"
    raise LibraryError(f"Expected the name of a review, got {name!r}; {has}. Name one, or make it.")


def read_review_name(connection: Connection, number: int) -> str:
    """Return the name of a review, "" for 0."""
    row = connection.execute("SELECT name FROM reviews WHERE number = ?", (number,)).fetchone()
    return str(row[0]) if row else ""


def _is_limited(connection: Connection, review: int) -> bool:
    return bool(connection.execute("SELECT limited FROM reviews WHERE number = ?", (review,)).fetchone() == (1,))


def _within(connection: Connection, review: int, filters: Filters) -> Filters:
    """Return filters that pass only what a review screens."""
    if not _is_limited(connection, review):
        return filters
    return replace(filters, lines=(*filters.lines, f'screen:"{read_review_name(connection, review)}/all"'))


def _begin(connection: Connection, name: str, *, limited: bool = False) -> int:
    """Begin a review; returns its number."""
    note_change(connection)
    (number,) = connection.execute("SELECT coalesce(max(number), 0) + 1 FROM reviews").fetchone()
    put = "INSERT INTO reviews (number, name, made_at, limited) VALUES (?, ?, ?, ?)"
    connection.execute(put, (number, name, now(), int(limited)))
    return int(number)


def _free(connection: Connection, name: str, but: int = 0) -> str:
    """Return a name that no other review has. Raises LibraryError for one that is taken or cannot be one."""
    name, most = name_on_one_line(name), Reviews.MAX_NAME
    if not name or len(name) > most or not name.isprintable() or set(name) & set('"/'):
        raise LibraryError(
            f"Expected a review's name of 1 to {most} characters without \" and /; got {name[:most]!r}. "
            "Give it another name."
        )
    query = "SELECT name FROM reviews WHERE lower(name) = ? AND number != ?"
    taken = connection.execute(query, (lowered(name), but)).fetchone()
    if taken is not None:
        raise LibraryError(
            f"Expected a name that no review has, got {name!r}; one is called {taken[0]!r}. Choose another name."
        )
    return name
