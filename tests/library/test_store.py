"""The library: what goes in comes out, a whole file at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from engine.documents import Document, PageStart, Section
from engine.errors import InputError, LibraryError, StorageError, UnknownDocumentError
from engine.library import Added, Filters, Library
from engine.library.records import unpack
from engine.library.writer import FileWriter

PAPER = Document(
    "doi:10.1/kites",
    "paper",
    "Stable flight of tethered kites in gusty wind",
    "We study kites. They fly.",
    (Section("Method", "A kite is tethered."), Section("References", "[1] Kites.", "references")),
    year=2015,
    categories=("cs.RO", "physics.flu-dyn"),
    keywords=("kite",),
    venue="Journal of Wind",
    authors=("Ada Gale", "Bo Breeze"),
    url="https://example.org/kites",
    family="",
    claims=(),
)
PATENT = Document(
    "US1234567B2",
    "patent",
    "Kite line reel",
    "A reel for the line of a kite.",
    (Section("Background", "Lines tangle."),),
    year=2011,
    categories=("A63H27/08", "B65H75/44"),
    claims=("A reel with a drum.",),
    family="reel-1",
)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library", create=True) as opened:
        yield opened


def test_a_document_comes_back_as_it_went_in(library: Library) -> None:
    assert library.add_file("k1", "two.jsonl", [PAPER, PATENT]) == Added(2, 0)
    assert library.get([PATENT.id, PAPER.id]) == [PATENT, PAPER]
    assert list(library.iter_documents(batch=1)) == [PAPER, PATENT]
    assert len(library) == 2


def test_it_is_there_after_reopening(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k1", "one.jsonl", [PAPER])
    with Library.open(tmp_path) as library:
        assert library.ids() == [PAPER.id]
        assert [hit.id for hit in library.keywords.search("kites", 3)] == [PAPER.id]


def test_counts_and_columns(library: Library) -> None:
    library.add_file("k1", "two.jsonl", [PAPER, PATENT])
    counts = library.counts()
    assert (counts.documents, counts.papers, counts.patents, counts.files) == (2, 1, 1, 1)
    assert (counts.year_min, counts.year_max) == (2011, 2015)
    assert library.category_counts() == {"A63H": 1, "B65H": 1, "cs.RO": 1, "physics.flu-dyn": 1}
    assert library.venue_counts() == {"Journal of Wind": 1}
    summaries = library.summaries()
    assert summaries.ids == [PAPER.id, PATENT.id]
    assert summaries.categories == ["cs.RO", "A63H"]
    assert summaries.years == [2015, 2011]


def test_an_empty_library_answers(library: Library) -> None:
    counts = library.counts()
    assert (counts.documents, counts.papers, counts.year_min) == (0, 0, None)
    assert library.summaries().ids == [] and library.ids() == [] and len(library) == 0
    assert library.keywords.search("kite", 5) == []
    assert library.keywords.size == 0


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(), [PAPER.id, PATENT.id]),
        (Filters(kinds=frozenset({"patent"})), [PATENT.id]),
        (Filters(year_from=2012), [PAPER.id]),
        (Filters(year_to=2012), [PATENT.id]),
        (Filters(categories=frozenset({"A63H"})), [PATENT.id]),
        (Filters(categories=frozenset({"A63H27/08"})), [PATENT.id]),
        (Filters(categories=frozenset({"cs.RO", "B65H"})), [PAPER.id, PATENT.id]),
        (Filters(venues=frozenset({"Journal of Wind"})), [PAPER.id]),
        (Filters(kinds=frozenset({"patent"}), year_from=2014), []),
    ],
)
def test_filters(library: Library, filters: Filters, expected: list[str]) -> None:
    library.add_file("k1", "two.jsonl", [PAPER, PATENT])
    assert library.ids(filters) == expected


@pytest.mark.parametrize("asked", ["G06F17/30", "G06F 17/30", "g06f17/30", "G 06 F 17/30"])
def test_a_patent_code_is_found_however_it_is_spelt(library: Library, asked: str) -> None:
    spellings = ["G06F 17/30", "G06F17/30", "g06f 17/30", "G 06 F 17/30"]
    documents = [Document(f"d{n}", title=f"Reel {n}", categories=(code,)) for n, code in enumerate(spellings)]
    others = [("G06F 17/301",), ("G06F 17/3",), ("G06Q 17/30",), ("cs.LG",)]
    documents += [Document(f"o{n}", title=f"Line {n}", categories=codes) for n, codes in enumerate(others)]
    library.add_file("k1", "codes.jsonl", documents)
    assert library.ids(Filters(categories=frozenset({asked}))) == ["d0", "d1", "d2", "d3"]
    assert library.ids(Filters(categories=frozenset({asked, "cs.LG"}))) == ["d0", "d1", "d2", "d3", "o3"]
    assert library.ids(Filters(categories=frozenset({asked[:-3], "cs.lg"}))) == []
    assert library.ids(Filters(categories=frozenset({"g06f"}))) == ["d0", "d1", "d2", "d3", "o0", "o1"]
    assert library.category_counts() == {"G06F": 6, "G06Q": 1, "cs.LG": 1}


def test_a_patent_code_is_looked_up_by_the_table_s_key(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True):
        condition, parameters = Filters(categories=frozenset({"G06F17/30"})).condition()
    connection = sqlite3.connect(tmp_path / "library.sqlite3")
    plan = connection.execute(f"EXPLAIN QUERY PLAN SELECT id FROM documents WHERE {condition}", parameters).fetchall()
    connection.close()
    assert not any("SCAN categories" in step for *_, step in plan)


def test_a_document_without_a_year_passes_no_limit_on_years(library: Library) -> None:
    library.add_file("k1", "one.txt", [Document("undated", title="Kites")])
    assert library.ids(Filters(year_to=2030)) == []
    assert library.summaries().years == [0]


def test_a_file_that_fails_midway_leaves_nothing(library: Library) -> None:
    def documents() -> Iterator[Document]:
        yield PAPER
        raise InputError("line 2 is broken")

    with pytest.raises(InputError, match="line 2"):
        library.add_file("k1", "broken.jsonl", documents())
    assert len(library) == 0 and not library.has_file("k1")
    assert library.keywords.search("kites", 3) == []
    assert library.add_file("k1", "mended.jsonl", [PAPER, PATENT]) == Added(2, 0)
    assert [hit.id for hit in library.keywords.search("reel", 3)] == [PATENT.id]


def test_the_same_file_adds_nothing_twice(library: Library) -> None:
    library.add_file("k1", "two.jsonl", [PAPER, PATENT])
    assert library.add_file("k1", "copy.jsonl", [PAPER, PATENT]) == Added(0, 0)
    assert [file.name for file in library.files()] == ["two.jsonl"]


def test_a_failure_is_kept_until_the_file_succeeds(library: Library) -> None:
    library.record_failure("bad.pdf", "Expected text; found pictures.")
    assert [(failure.name, failure.reason) for failure in library.failures()] == [
        ("bad.pdf", "Expected text; found pictures.")
    ]
    library.add_file("k1", "bad.pdf", [PAPER])
    assert library.failures() == []


def test_half_characters_are_replaced(library: Library) -> None:
    library.add_file("k1", "odd.jsonl", [Document("a\ud800", title="Kites \udfff fly", venue="\ud800")])
    (document,) = library.iter_documents()
    assert document.title == "Kites ? fly" and library.ids() == ["a?"]


def test_titles_are_found_by_their_words(library: Library) -> None:
    library.add_file("k1", "two.jsonl", [PAPER, PATENT])
    assert library.title_matches("tethered ki") == [PAPER.id]
    assert library.title_matches("reel") == [PATENT.id]
    assert library.title_matches("drum") == []
    assert library.title_matches(" ") == []


def test_an_unknown_id_is_named(library: Library) -> None:
    with pytest.raises(UnknownDocumentError, match="none with the id 'nowhere'"):
        library.get(["nowhere"])


def test_no_library_in_the_folder(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="there is none"):
        Library.open(tmp_path / "absent")
    assert not (tmp_path / "absent").exists()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(LibraryError, match="Expected to make a library in"):
        Library.open(tmp_path / "file" / "library", create=True)


def test_a_damaged_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "library.sqlite3").write_bytes(b"this is no database at all" * 100)
    with pytest.raises(StorageError, match="Expected a library's database at"):
        Library.open(tmp_path)


def test_a_refused_database_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def remember(path: Path, **_: object) -> sqlite3.Connection:
        opened.append(connect(path))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", remember)
    (tmp_path / "library.sqlite3").write_bytes(b"this is no database at all" * 100)
    with pytest.raises(StorageError):
        Library.open(tmp_path)
    with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
        opened[0].execute("SELECT 1")


def test_damage_that_shows_while_reading_is_said(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k1", "many.jsonl", [Document(f"d{n}", title=f"Kite {n} " * 200) for n in range(60)])
    path = tmp_path / "library.sqlite3"
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"damaged!" * ((len(whole) - 4096) // 8))
    with Library.open(tmp_path) as library, pytest.raises(StorageError, match=r"SQLite says: .*malformed"):
        library.get(["d1"])


def test_pages_are_kept(tmp_path: Path) -> None:
    pages = (PageStart(0, 1), PageStart(9, 2))
    paged = Document("p", sections=(Section("Methods", "We walk. We rest.", pages=pages), Section("Results", "None.")))
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k1", "paper.pdf", [paged])
        assert [section.pages for section in library.get(["p"])[0].sections] == [pages, ()]


def test_a_damaged_document_is_said() -> None:
    with pytest.raises(StorageError, match="Expected a document in the library, found damaged bytes"):
        unpack(b"not compressed")


def test_nothing_is_written_into_a_library_that_was_deleted(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    with Library.open(folder, create=True) as library:
        assert library.is_in_place()
        folder.rename(tmp_path / "elsewhere")
        assert not library.is_in_place()
        with pytest.raises(StorageError, match="it was deleted, moved or replaced meanwhile"):
            library.add_file("k1", "one.jsonl", [PAPER])
        assert len(library) == 0


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "library.sqlite3") as connection:
        connection.execute("CREATE TABLE notes (text)")
    connection.close()
    with pytest.raises(StorageError, match="found a database of another program"):
        Library.open(tmp_path)


def test_a_library_of_another_version_is_refused(tmp_path: Path) -> None:
    Library.open(tmp_path, create=True).close()
    with sqlite3.connect(tmp_path / "library.sqlite3") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StorageError, match=r"Expected a library of version 2 at .* found version 99"):
        Library.open(tmp_path)


LATER_TABLES = ("origins", "revisions", "removals", "collections", "collected", "judged_queries", "judgements")


def as_version_1(folder: Path, *, without: Sequence[str]) -> None:
    """Make a library what the first version wrote, which lacks the tables that nothing had asked for."""
    with sqlite3.connect(folder / "library.sqlite3") as connection:
        for table in without:
            connection.execute(f"DROP TABLE {table}")
        connection.execute("PRAGMA user_version = 1")
    connection.close()


@pytest.mark.parametrize("without", [LATER_TABLES, ("judgements", "judged_queries"), ()])
def test_a_library_of_version_1_is_brought_up_to_date_once(tmp_path: Path, without: Sequence[str]) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k1", "one.jsonl", [PAPER, PATENT])
        library.remove([PATENT.id])
    as_version_1(tmp_path, without=without)
    with Library.open(tmp_path) as library:
        assert library.get([PAPER.id]) == [PAPER]
        assert library.collections.add("kept", [PAPER.id]) == 1
        library.judgements.judge(PATENT, PAPER.id, 1)
        assert library.revision() == 0
        assert library.remove([PAPER.id]) == [PAPER.id]
        assert library.collections.ids("kept") == []
    with sqlite3.connect(tmp_path / "library.sqlite3") as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)
        assert connection.execute("SELECT count(*) FROM removals").fetchone() == (1,)
    connection.close()


def test_a_library_of_version_1_keeps_the_places_that_it_gave(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k1", "one.jsonl", [PAPER, PATENT])
        library.remove([PATENT.id])
        version = library.version()
    as_version_1(tmp_path, without=("collections", "collected"))
    with Library.open(tmp_path) as library:
        assert library.version() == version


def test_a_library_opens_and_answers_while_another_process_imports(tmp_path: Path) -> None:
    seen: list[int] = []

    def documents() -> Iterator[Document]:
        yield PAPER
        with Library.open(tmp_path) as other:
            seen.append(len(other))

    with Library.open(tmp_path, create=True) as library:
        library.add_file("k1", "slow.jsonl", documents())
        assert (seen, len(library)) == ([0], 1)


def test_a_write_that_cannot_be_done_is_said(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(FileWriter, "finish", fail)
    with pytest.raises(StorageError, match="SQLite says: database or disk is full"):
        library.add_file("k1", "two.jsonl", [PAPER])
    monkeypatch.undo()
    assert library.add_file("k1", "two.jsonl", [PAPER]) == Added(1, 0)


def test_folders_lie_beside_the_database(library: Library) -> None:
    assert library.vectors_folder("lsa") == library.folder / "vectors" / "lsa"
    assert library.encoder_folder("lsa") == library.folder / "encoders" / "lsa"
    assert library.map_folder("lsa") == library.folder / "maps" / "lsa"
