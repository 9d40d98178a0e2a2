"""The keyword index: BM25 over a library's documents, with a whole document as the question.

The tokens of a library's document are counted in the transaction that adds it. The first question reads the counts into
memory (`Postings`), half a second for 26,000 papers and patents, and those of a larger library from files
(`engine.library.word_files`); later ones read what was added since. FTS5's own
bm25() needs 0.5 s for 160 terms over 20,000 patents and does not count a question's repeated terms; the postings need
2 ms. An FTS5 table beside them finds titles. Both tables are written with each document. Terms are chosen for quality,
not for speed (`postings.QUESTION_TERMS`).
"""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

import numpy as np

from engine.core.progress import Meter, Report
from engine.documents import Document, Hit, text
from engine.documents.words import phrase, terms
from engine.library.connections import (
    AT_ONCE,
    MATCHING,
    Adjacent,
    AnyDatabase,
    Connection,
    FullText,
    TitleAndBody,
    last_position,
    read_removals,
    upsert,
)
from engine.library.postings import HEAD, K3, Postings, TermFrequencies, count_terms, term_counts
from engine.library.records import Titled, placeholders, unpack
from engine.library.segments import FULL, MOST_COUNT, TermCounts
from engine.library.term_numbers import TermNumbers
from engine.library.word_files import WordFiles


class KeywordIndex:
    """BM25 with k1 1.2 and b 0.75 over CTPE tokens of title, abstract, body and claims. Thread-safe."""

    HEAD: ClassVar[int] = HEAD
    """How often a term of a long question's title and abstract counts."""

    def __init__(self, source: StoredKeywords | Postings) -> None:
        """Ask a library, as it is at each question, or postings that stay as they are."""
        self._source = source

    @classmethod
    def in_memory(cls, documents: Iterable[Document]) -> KeywordIndex:
        """Return an index of documents that stand in no library, for benchmarks."""
        return cls(_count_all(documents))

    def search(
        self,
        question: str | Mapping[str, int],
        k: int,
        *,
        within: Collection[str] | None = None,
        stemmed: bool = False,
    ) -> list[Hit]:
        """Return the k documents that share the most telling terms with a question, best first.

        A question is a text of any length, or its terms with their counts (`question_terms` of a document).
        `within` limits the answer to these ids. Documents that share no term are left out. A term is a token as written
        or, where `stemmed`, a stem, which stands for all forms of a word.
        """
        counts = Counter(terms(question, ends=False) if isinstance(question, str) else question)
        postings = self._postings()
        rows = None if within is None else postings.rows_of(within)
        return [Hit(id_, score) for id_, score in postings.search(counts, k, rows, stemmed=stemmed)]

    def spread(
        self, question: Mapping[str, int], *, within: Collection[str] | None = None, stemmed: bool = False
    ) -> float:
        """Return the standard deviation of all documents' scores for a question: what a difference says."""
        postings = self._postings()
        rows = None if within is None else postings.rows_of(within)
        return postings.spread(question, rows, stemmed=stemmed)

    def weigh(self, *stemmed: bool) -> None:
        """Read the words now, as written, by stems or both, so that the first question does not wait."""
        self._postings().weigh(*stemmed)

    def holding(self, questions: Iterable[Collection[str]], *, above: float = 0) -> list[int]:
        """Count the documents that hold all terms of each question; 0 for no terms, and unless more than `above` do."""
        postings = self._postings()
        return [postings.holding(terms, above=above) for terms in questions]

    def holders(self, words: Sequence[str]) -> list[frozenset[str]]:
        """Return the documents that hold each word in any form; of several tokens in one word, all."""
        postings = self._postings()
        return [postings.holders(word) for word in words]

    def holds(self, word: str) -> bool:
        """Tell whether any document holds a word in any form."""
        return self._postings().holds(word)

    def frequencies(self) -> TermFrequencies:
        """Return in how many documents each token stands."""
        return self._postings().frequencies

    def weights(self, question: Mapping[str, int]) -> dict[str, float]:
        """Return how much each term of a question counts in a search: n (k3 + 1) / (n + k3) idf, held n times.

        A term that no document holds is left out; one that most hold weighs less than nothing.
        """
        frequencies = self.frequencies()
        size = frequencies.documents
        weights: dict[str, float] = {}
        for term, times in question.items():
            if "-" not in term and (held := frequencies.get(term, 0)):
                idf = math.log((size - held + 0.5) / (held + 0.5))
                weights[term] = times * (K3 + 1) / (times + K3) * idf
        return weights

    @property
    def size(self) -> int:
        """How many documents are indexed."""
        return len(self._postings().ids)

    @property
    def holds_long(self) -> bool:
        """Whether many documents are long (`engine.library.postings`): their beginnings do not stand for them."""
        return self._postings().holds_long

    @property
    def long_ids(self) -> list[str]:
        """The documents that are long, as whole papers are."""
        return self._postings().long_ids

    def lengths(self) -> dict[str, int]:
        """Return how many tokens each document has, by id, not counting its reference list."""
        return self._postings().lengths

    def _postings(self) -> Postings:
        return self._source if isinstance(self._source, Postings) else self._source.postings()


class StoredKeywords:
    """The keyword tables of a library, as a `KeywordIndex` reads them. Thread-safe."""

    def __init__(self, database: AnyDatabase, kept: WordFiles) -> None:
        """Read at the first question from a library's database, and what was kept of it in files."""
        self._database, self._kept = database, kept
        self._lock = threading.Lock()
        self._read = Postings(TermNumbers())
        self._state = (0, 0, True)  # the last position, how many documents were removed, whether some are left to index

    def postings(self) -> Postings:
        """Return the term counts of the library as it is now; only those of documents that came since are read.

        All are read again where half are gone, and while some are indexed by tokens as written (`index_again`).
        """
        with self._lock, self._database.read() as connection:
            (left,) = connection.execute("SELECT last FROM indexing").fetchone()
            state = last_position(connection), read_removals(connection)[0], bool(left)
            if state == self._state:
                return self._read
            kept = None if left else self._kept  # they are of terms, not of tokens as written
            read, (since, removed, _) = self._read, self._state
            if left or self._state[2] or read.holes > len(read.ids):
                is_first, removed = not read.holes, state[1]
                read, since = (is_first and kept and kept.read(connection)) or (Postings(TermNumbers()), 0)
                if kept and not since:
                    kept.begin_again()
            query = "SELECT term, number FROM terms WHERE number >= ? ORDER BY number"
            terms = dict(connection.execute(query, (read.terms.width,)))
            as_terms = _as_terms(terms) if left else None
            read.terms.add(terms)
            gone: Collection[str] = ()
            if removed != state[1]:
                gone = read.ids - {id_ for (id_,) in connection.execute("SELECT id FROM documents")}
            if gone:
                read = read.changed((), gone)
            for some in _counts_since(connection, since, as_terms):
                read = read.changed([some])
                if kept:
                    read = kept.keep(connection, read)
            self._read, self._state = read, state
            return self._read

    def erase(self, positions: Collection[int]) -> None:
        """Take what files hold of removed documents out of them: no word of these is to be left."""
        with self._lock:
            self._kept.erase(positions)

    def titles(self, words: str, k: int) -> list[str]:
        """Return the ids of documents whose title holds all words, the last one as the beginning of a word."""
        if not (asked := phrase(words)[0]):
            return []
        *whole, last = asked
        way = (*(Adjacent((word,)) for word in whole), Adjacent((last,), open=True))
        with self._database.read() as connection:
            return connection.titles(FullText((way,), in_title=True), k)

    def titled(self, groups: Sequence[Sequence[str]], k: int) -> list[Titled]:
        """Return up to k documents whose title holds all words of a group, unordered: bm25() would read every match."""
        asked = ([term for word in group for term in terms(word, ends=False)] for group in groups)
        ways = tuple(tuple(Adjacent((word,)) for word in group) for group in asked if group)
        if not ways:
            return []
        query = f"SELECT id, kind, title, year FROM documents WHERE position IN ({MATCHING}) LIMIT ?"
        with self._database.read() as connection:
            return [Titled(*row) for row in connection.execute(query, (FullText(ways, in_title=True), k))]


_COUNT = np.dtype(np.uint16)
_PAGE = 2_000
"""Documents that are read in one query."""


def _counts_since(
    connection: Connection, last: int, as_terms: Callable[[TermCounts], TermCounts] | None
) -> Iterator[tuple[Sequence[str], TermCounts]]:
    """Yield the ids and the counts of the documents at positions above `last`, as many at once as a segment holds."""
    query = (
        "SELECT position, id, numbers, counts FROM documents JOIN postings USING (position)"
        " WHERE position > ? ORDER BY position LIMIT ?"
    )
    rows: list[tuple[int, str, bytes, bytes]] = []
    held = 0
    while True:
        page = connection.execute(query, (last, _PAGE)).fetchall()
        rows += page
        held += sum(len(counts) for *_, counts in page) // _COUNT.itemsize
        if rows and (not page or held >= FULL):
            _, ids, numbers, counts = zip(*rows, strict=True)
            starts = np.cumsum([0, *map(len, counts)]) // _COUNT.itemsize
            counted = TermCounts(
                starts, np.frombuffer(b"".join(numbers), np.uint32), np.frombuffer(b"".join(counts), _COUNT)
            )
            yield ids, as_terms(counted) if as_terms else counted
            rows, held = [], 0
        if not page:
            return
        last = page[-1][0]


class KeywordWriter:
    """Writes documents' terms within one transaction; each makes its own, so that a rollback leaves no trace."""

    def __init__(self, connection: Connection) -> None:
        """Write through the connection of an open transaction."""
        self._connection = connection
        self._numbers: dict[str, int] = {}
        self._new: list[tuple[int, str]] = []
        self._held: int = connection.execute("SELECT coalesce(max(number) + 1, 0) FROM terms").fetchone()[0]

    def add(self, position: int, document: Document) -> None:
        """Index one document under its position."""
        listed, titled = columns_of(document)
        self.count(position, document, listed)
        # Only titles are searched there; bodies stand beside them so that every library has one layout.
        self._connection.add_words(position, listed[:titled], listed[titled:])

    def count(self, position: int, document: Document, listed: Sequence[str]) -> None:
        """Keep how often a document holds each of its listed terms."""
        counts = count_terms(document.text, listed)
        self._look_up(counts)
        numbers = np.fromiter(map(self._numbers.__getitem__, counts), np.uint32, len(counts))
        found = np.fromiter((min(count, MOST_COUNT) for count in counts.values()), np.uint16, len(counts))
        put = upsert("postings", "position", "numbers", "counts")
        self._connection.insert(put, [(position, numbers.tobytes(), found.tobytes())])

    def finish(self) -> None:
        """Write the terms that are new: all at once, which takes half the time of one by one."""
        self._connection.insert("INSERT INTO terms VALUES (?, ?)", self._new)
        self._held += len(self._new)
        self._new.clear()

    def _look_up(self, listed: Iterable[str]) -> None:
        """Learn the numbers of terms that this transaction has not met; terms that are new get the next ones."""
        unmet = [term for term in listed if term not in self._numbers]
        for start in range(0, len(unmet) if self._held else 0, AT_ONCE):
            part = unmet[start : start + AT_ONCE]
            query = f"SELECT term, number FROM terms WHERE term IN ({placeholders(len(part))})"
            self._numbers.update(self._connection.execute(query, part).fetchall())
        for term in unmet:
            if term not in self._numbers:
                self._numbers[term] = self._held + len(self._new)
                self._new.append((self._numbers[term], term))


def erase_keywords(connection: Connection, position: int, document: Document) -> None:
    """Let a document that is still held be found by no word."""
    connection.erase_words(position, lambda: _find_words(connection, position, document))


def _find_words(connection: Connection, position: int, document: Document) -> TitleAndBody | None:
    """Return the words of a held document as they were indexed; None if its text now gives others."""
    row = connection.execute("SELECT numbers, counts FROM postings WHERE position = ?", (position,)).fetchone()
    numbers, counts = np.frombuffer(row[0], np.uint32), np.frombuffer(row[1], np.uint16)
    held = (connection.execute("SELECT term FROM terms WHERE number = ?", (int(n),)) for n in numbers)
    indexed = {found.fetchone()[0]: int(count) for found, count in zip(held, counts, strict=True)}
    before = text.tokens(document.text), len(text.tokens(document.title))
    for (listed, titled), counted in (
        (now := columns_of(document), count_terms(document.text, now[0])),
        (before, Counter(before[0])),
    ):
        if counted == Counter(indexed):
            return listed[:titled], listed[titled:]
    return None


def columns_of(document: Document) -> tuple[list[str], int]:
    """Return a document's terms, and how many of them are the title's, which has a column of its own."""
    return terms(document.text), len(terms(document.title))  # the text begins with the title


_AT_ONCE = 500
"""Documents that are indexed again in one transaction: others who write wait so long."""


def count_left(connection: Connection) -> int:
    """Return how many documents are indexed as version 8 did, by tokens as written, and are to be indexed again."""
    query = "SELECT count(*) FROM contents, indexing WHERE position > done AND position <= last"
    return int(connection.execute(query).fetchone()[0])


def index_again(database: AnyDatabase, report: Report) -> None:
    """Index again what version 8 indexed, a few documents at a time; what was done stays if `report` stops it.

    Until all is done, questions and lines are answered from both: tokens are read as the terms that they hold.
    """
    with database.read() as connection:
        meter = Meter("index words", count_left(connection), report)
    meter.begin()
    while True:
        with database.write() as connection:
            query = (
                "SELECT position, body FROM contents, indexing WHERE position > done AND position <= last"
                " ORDER BY position LIMIT ?"
            )
            rows = connection.execute(query, (_AT_ONCE,)).fetchall()
            if rows:
                _index_rows(connection, rows)
            else:
                _finish(connection)
        if not rows:
            return meter.finish()
        meter.add(len(rows))


def _index_rows(connection: Connection, rows: Sequence[tuple[int, bytes]]) -> None:
    writer = KeywordWriter(connection)
    for position, body in rows:
        document = unpack(body)
        if (listed := terms(document.text)) == text.tokens(document.text):
            writer.count(position, document, listed)
        else:
            erase_keywords(connection, position, document)
            writer.add(position, document)
    writer.finish()
    connection.execute("UPDATE indexing SET done = ?", (rows[-1][0],))


def _finish(connection: Connection) -> None:
    """Note that all is indexed again, and drop the tokens that no document is indexed by any more."""
    connection.execute("UPDATE indexing SET done = 0, last = 0")
    listed = connection.execute("SELECT term FROM terms").fetchall()
    old = [(token,) for token in _as_written(token for (token,) in listed)]
    connection.executemany("DELETE FROM terms WHERE term = ?", old)


def _as_written(listed: Iterable[str]) -> dict[str, list[str]]:
    """Return the terms of those tokens that are none themselves; compounds have a hyphen, as no token has."""
    some = (token for token in listed if not token.isascii() and "-" not in token)
    return {token: found for token in some if (found := terms(token, ends=False)) != [token]}


def _as_terms(numbers: dict[str, int]) -> Callable[[TermCounts], TermCounts]:
    """Return what makes counts of terms of those of tokens as written, and name these in `numbers`."""
    cut = _as_written(numbers)
    width = max(numbers.values(), default=-1) + 1
    places: list[Sequence[int]] = [(number,) for number in range(width)]
    new = (one for found in cut.values() for one in found if one not in numbers)
    numbers |= {one: width + place for place, one in enumerate(dict.fromkeys(new))}
    for token, found in cut.items():
        places[numbers.pop(token)] = [numbers[one] for one in found]
    sizes = np.array([len(each) for each in places], np.int64)
    begins, flat = np.cumsum(sizes) - sizes, np.array([one for each in places for one in each], np.uint32)

    def counted(counts: TermCounts) -> TermCounts:
        times = sizes[counts.numbers]
        stops = np.cumsum(times)
        within = np.arange(int(stops[-1]) if len(stops) else 0) - np.repeat(stops - times, times)
        starts = np.concatenate([[0], stops])[counts.starts]
        listed = flat[np.repeat(begins[counts.numbers], times) + within]
        return TermCounts(starts, listed, np.repeat(counts.counts, times))

    return counted


def _count_all(documents: Iterable[Document]) -> Postings:
    numbers: dict[str, int] = {}
    ids: list[str] = []
    columns: list[int] = []
    found: list[int] = []
    starts = [0]
    for document in documents:
        counts = term_counts(document)
        ids.append(document.id)
        columns += [numbers.setdefault(term, len(numbers)) for term in counts]
        found += [min(count, MOST_COUNT) for count in counts.values()]
        starts.append(len(columns))
    arrays = TermCounts(np.array(starts), np.array(columns, np.uint32), np.array(found, np.uint16))
    known = TermNumbers()
    known.add(numbers)
    return Postings(known).changed([(ids, arrays)])
