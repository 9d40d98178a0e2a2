"""Sets of documents: CTPE's released files, the stand-in for DBLP, and folders that are written one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import EngineError, EvaluationError
from engine.documents import Document, Section
from engine.encoders.ctpe import Position, cut_pair
from engine.evaluation import load_benchmark
from engine.evaluation.formats import Bounds
from engine.research.__main__ import main
from engine.research.sets import ctpe_files
from engine.research.sets import folder as writing
from engine.research.sets.ctpe_files import convert, document_in, labels_in
from engine.research.sets.dblp_stand_in import Copies, StandIn, StandInSettings, citations_in, first_of_copies
from engine.research.sets.folder import new_benchmark
from tests.contracts.encoder import SUBJECTS
from tests.evaluation.small import write_table

LABELS = "{'q1': {'d1', 'd2'}, 'q2': {'d3'}}"
LINES = [
    "d1\tsteam ships\ta boiler of a ship",
    "d2\tsails\tthe wind & <i>weather</i>",
    "d3\trails\tthe iron of rails",
    "d4\trope\thow rope is laid",
    "q1\tships\tby steam and by sail",
    "q2\tlocomotives\tthe wheels of engines",
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(tmp_path / "DBLP20000.txt", LABELS, *LINES)


def write(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def test_a_released_file_becomes_a_benchmark(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ctpe_files", "--file", str(path), "--to", str(tmp_path / "dblp20000")]) == 0
    assert "4 documents and 2 queries with 3 relevant documents" in capsys.readouterr().out
    found = load_benchmark(tmp_path / "dblp20000")
    assert [one.id for one in found.corpus] == ["d1", "d2", "d3", "d4"]
    assert found.qrels == {"q1": {"d1": 1, "d2": 1}, "q2": {"d3": 1}}
    pair = cut_pair(found.queries[0], Position())
    assert (pair.former, pair.latter) == ("ships", "by steam and by sail")


def test_a_patents_parts_are_cut_as_the_paper_cuts_them(path: Path, tmp_path: Path) -> None:
    convert(path, tmp_path / "uspto20000", kind="patent")
    pair = cut_pair(load_benchmark(tmp_path / "uspto20000").corpus[0], Position())
    assert (pair.former, pair.latter) == ("steam ships", "a boiler of a ship")
    assert (pair.former_name, pair.latter_name) == ("abstract", "first claim")


def test_text_behind_a_third_tab_is_the_latter_parts() -> None:
    assert document_in("d\ttitle\tone\ttwo", "line 2", "paper").abstract == "one two"


@pytest.mark.parametrize(
    ("line", "relevant"),
    [
        ("{'q': {'d'}}", {"q": {"d"}}),
        ("  { 'q' : [ 'd' , 'e', ] , }  ", {"q": {"d", "e"}}),
        ("\ufeff{'q': {'d'}}", {"q": {"d"}}),
        ("""{"it's": {'a "d"', 'b\\'c', 'd\\\\'}, 'r': set()}""", {"it's": {'a "d"', "b'c", "d\\"}, "r": set()}),
        ("{'oai:arXiv.org:1601.1': {'{,}:'}}", {"oai:arXiv.org:1601.1": {"{,}:"}}),
    ],
)
def test_the_first_line_is_a_dictionary_of_sets(line: str, relevant: dict[str, set[str]]) -> None:
    assert labels_in(line, "file") == relevant


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "Expected '{' at character 1 of the first line of file, got 'the end'"),
        ("d1\tsteam\tships", "Expected '{' at character 1"),
        ("{'q': {'d'}", "Expected '}' at character 12 .*, got 'the end'"),
        ("{'q': {'d'}} more", "Expected nothing more at character 13 .*, got 'more'"),
        ("{'q' {'d'}}", "Expected ':' at character 5"),
        ("{'q': 'd'}", "Expected a set of ids at character 6"),
        ("{'q': {'d']}", "Expected '}' at character 11"),
        ("{'q': {d}}", "Expected an id in quotes at character 8"),
        ("{'q': {'d}}", "Expected an id in quotes at character 8"),
        ("{'q': {3}}", "Expected an id in quotes at character 8"),
        ("{'q': {'\\x'}}", "Expected an id in quotes, its escapes as Python writes them"),
        ("{'q': {'d'}, 'q': {'e'}}", "Expected each test document once, 'q' among them"),
        ("{}", "Expected a test document with a relevant candidate"),
        ("{'q': set()}", "Expected a test document with a relevant candidate"),
        ("{'q': __import__('os').getcwd()}", "Expected a set of ids at character 6"),
        ("{" * 100_000, "Expected an id in quotes at character 2"),
    ],
)
def test_a_first_line_of_another_form_is_told_by_its_character(line: str, said: str) -> None:
    with pytest.raises(EvaluationError, match=said):
        labels_in(line, "file")


@pytest.mark.parametrize("line", ["d9", "d9\ttitle", "d9\ttitle\t ", "\ttitle\tabstract", "d9\t\tabstract"])
def test_a_broken_line_is_told_by_its_number(line: str, tmp_path: Path) -> None:
    source = write(tmp_path / "file.txt", LABELS, "", LINES[0], line, *LINES[1:])
    with pytest.raises(EvaluationError, match=r"Expected an id, a former and a latter part .* in line 4 of file\.txt"):
        convert(source, tmp_path / "made")
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ((LABELS, *LINES, LINES[0]), r"Expected each document once, line 8 of file\.txt gives 'd1' again"),
        ((LABELS, *LINES[1:]), r"names, 1 are missing, the first 'd1'\. Take the whole file"),
        ((LABELS, *LINES[:-1]), "1 are missing, the first 'q2'"),
        (("{'q1': {'q2'}, 'q2': {'d1'}}", *LINES), "Expected candidates other than the test documents .* 'q2' as both"),
    ],
    ids=["twice", "a lost candidate", "a lost query", "a query as candidate"],
)
def test_a_file_that_is_not_whole_is_refused(lines: tuple[str, ...], said: str, tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=said):
        convert(write(tmp_path / "file.txt", *lines), tmp_path / "made")
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("bounds", "said"),
    [
        (Bounds(max_lines=3), r"Expected at most 3 lines in DBLP20000\.txt; it has more"),
        (Bounds(max_bytes=10), r"Expected at most 0 MiB in DBLP20000\.txt"),
    ],
)
def test_a_file_beyond_the_bounds_is_refused(bounds: Bounds, said: str, path: Path, tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=said):
        convert(path, tmp_path / "made", bounds=bounds)


def test_bytes_that_are_no_utf_8_are_refused(path: Path, tmp_path: Path) -> None:
    path.write_bytes(path.read_bytes() + "d5\tMärz\tder März\n".encode("latin-1"))
    with pytest.raises(EngineError, match=r"Expected UTF-8 text in DBLP20000\.txt"):
        convert(path, tmp_path / "made")


def test_no_document_is_held_once_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents go out in the order of the lines, each before the next line is read."""
    read: list[int] = []
    numbered = ctpe_files.numbered_lines

    def noted(*given: object) -> object:
        for number, line in numbered(*given):  # type: ignore[arg-type]
            read.append(number)
            yield number, line

    written: list[tuple[int, str]] = []
    monkeypatch.setattr(ctpe_files, "numbered_lines", noted)
    monkeypatch.setattr(
        "engine.research.sets.folder.Table.add", lambda _, document: written.append((read[-1], document.id))
    )
    convert(write(tmp_path / "file.txt", LABELS, *LINES), tmp_path / "made")
    assert written == [(number, line.partition("\t")[0]) for number, line in enumerate(LINES, start=2)]


TEXT = "the boiler of a steam ship bursts where its plates are thin and its valve is held down by rust or by a weight"
QUERY = Document("q", title="Why do boilers burst?", abstract=TEXT)
OTHER = Document(
    "other", title="On sails", abstract="a sail of hemp holds the wind of a winter better than one of cotton"
)


@pytest.mark.parametrize(
    "copy",
    [
        Document("d", title="WHY DO BOILERS BURST", abstract="another text altogether", year=1890),
        Document("d", title="Bursting boilers", abstract=TEXT),
        Document("d", title="Bursting boilers", abstract=TEXT.replace("rust", "dirt")),
        Document("d", title="", abstract=" ".join(TEXT.split()[:12])),
    ],
    ids=["its title", "its text", "nearly its text", "the beginning of its text"],
)
def test_a_copy_is_found_by_title_or_by_text(copy: Document) -> None:
    copies = Copies([QUERY, OTHER])
    assert copies.of(copy) == {"q"}
    assert list(copies.without([copy, Document("e", title="Rope", abstract="how rope is laid")])) == [
        Document("e", title="Rope", abstract="how rope is laid")
    ]


def test_a_text_on_the_same_subject_is_no_copy() -> None:
    mixed = " ".join(sorted(TEXT.split()))
    assert Copies([QUERY]).of(Document("d", title="Boilers", abstract=mixed)) == set()
    assert Copies([QUERY]).of(Document("d", title="Boilers", abstract=f"{' '.join(TEXT.split()[:8])} {mixed}")) == set()


def test_documents_without_title_or_text_copy_nothing() -> None:
    nothing = Document("n")
    assert Copies([QUERY, nothing]).of(Document("m")) == set()
    assert Copies([nothing]).of(QUERY) == set()


def test_of_documents_that_copy_each_other_the_first_stays() -> None:
    again = Document("again", title=QUERY.title, abstract="a reply")
    assert first_of_copies([OTHER, QUERY, again]) == [OTHER, QUERY]
    assert first_of_copies([again, OTHER, QUERY]) == [again, OTHER]


WORDS = [word for words in SUBJECTS.values() for word in words.split()]
SETTINGS = StandInSettings(since=2000, fewest=2, fewest_words=5, most_words=60)


def paper(name: str, year: int | None, *, shift: int, title: str = "") -> Document:
    """A paper whose text shares no run of five words with one of another shift."""
    text = " ".join(f"{word}{shift}" for word in WORDS[:40])
    return Document(name, title=title or f"Paper {name}", abstract=text, sections=(Section("1", "body"),), year=year)


OLD = [paper(f"old{number}", 1990 + number, shift=number) for number in range(4)]
NEW = [paper(f"new{number}", 2000 + number, shift=10 + number) for number in range(3)]
CITED = {"new0": {"old0", "old1", "new1"}, "new1": {"old0"}, "new2": {"old2", "old3"}, "old1": {"old0"}}


def test_younger_papers_ask_for_the_older_ones_that_they_cite() -> None:
    made = StandIn.of([*NEW, *OLD], CITED, SETTINGS)
    assert [one.id for one in made.corpus] == [one.id for one in OLD]
    assert made.relevant == {"new0": {"old0", "old1"}, "new2": {"old2", "old3"}}
    assert [one.id for one in made.queries] == ["new0", "new2"] and made.copies == 0
    assert not any(one.sections for one in (*made.corpus, *made.queries))


def test_copies_of_queries_are_neither_candidates_nor_queries() -> None:
    by_title = paper("by-title", 1980, shift=50, title=NEW[0].title)
    by_text = paper("by-text", 1981, shift=10)
    again = paper("again", 2005, shift=12)
    cited = CITED | {"again": {"old0", "old1"}, "new0": {"old0", "by-title", "by-text"}}
    made = StandIn.of([by_title, by_text, *OLD, *NEW, again], cited, SETTINGS)
    assert made.copies == 2 and {one.id for one in made.corpus} == {one.id for one in OLD}
    assert set(made.relevant) == {"new2"}, "new0 is left with one citation, and again copies new2"


@pytest.mark.parametrize(
    "left_out",
    [
        Document("d", title="Paper d", abstract="too few words", year=1990),
        Document("d", title="Paper d", abstract=" ".join(WORDS[:40]) * 2, year=1990),
        Document("d", title="", abstract=" ".join(WORDS[:40]), year=1990),
        Document("d", title=" ".join(WORDS[:40]), year=1990),
        Document("d", title="Paper d", abstract=" ".join(WORDS[:40]), year=None),
    ],
    ids=["short", "long", "no title", "no abstract", "no year"],
)
def test_papers_that_cannot_ask_or_answer_are_left_out(left_out: Document) -> None:
    settings = StandInSettings(since=2000, fewest=2, fewest_words=6, most_words=45)
    assert "d" not in {one.id for one in StandIn.of([left_out, *OLD, *NEW], CITED, settings).corpus}


def test_no_query_is_an_error() -> None:
    with pytest.raises(EvaluationError, match="Expected papers of 2000 or later that cite 3 earlier ones, found none"):
        StandIn.of([*OLD, *NEW], CITED, StandInSettings(since=2000, fewest=3, fewest_words=5))
    with pytest.raises(ValueError, match="fewest_words must be from 1 to most_words, got 9 and 8"):
        StandInSettings(fewest_words=9, most_words=8)


@pytest.mark.parametrize("line", ["a", "a\tb\tc", "a\t", ""])
def test_a_line_without_two_columns_is_told(line: str, tmp_path: Path) -> None:
    path = tmp_path / "citations.tsv"
    path.write_text(f"citing\tcited\na\tb\n{line}\n")
    with pytest.raises(EvaluationError, match=r"Expected citing and cited with a tab .* in line 3 of citations\.tsv"):
        citations_in(path)


def test_the_command_builds_a_benchmark(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "data" / "acl-long", tmp_path / "data" / "acl-citation"
    source.mkdir(parents=True)
    write_table(source / "corpus.parquet", [*NEW, *OLD])
    line = ["dblp_stand_in", "--data", str(tmp_path / "data"), "--to", str(target), "--since", "2000"]
    assert main(line) == 2 and "Expected citations.tsv in" in capsys.readouterr().err
    rows = [f"{citing}\t{name}" for citing, names in CITED.items() for name in sorted(names)]
    (source / "citations.tsv").write_text("\n".join(["citing\tcited", *rows, ""]))
    assert main([*line, "--fewest", "0"]) == 2 and "fewest must be at least 1, got 0" in capsys.readouterr().err
    assert main([*line, "--fewest", "1"]) == 0
    benchmark = load_benchmark(target)
    assert {query.id for query in benchmark.queries} == {"new0", "new1", "new2"} and len(benchmark.corpus) == 4
    assert "4 documents and 3 queries with 5 citations" in capsys.readouterr().out
    assert main(line) == 2 and "Expected a new folder at" in capsys.readouterr().err


CLAIM = "a boiler comprising: a drum; a valve, and a weight"
DOCUMENTS = [
    Document("p", kind="patent", abstract="boiler. a boiler with a valve", claims=(CLAIM,)),
    Document("d1", title="Steam", abstract="of ships", year=1901),
    Document("d2", title="Sails", abstract="of hemp"),
]


def test_what_is_written_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "_ROWS", 2)  # more than one stretch of the file
    with new_benchmark(tmp_path / "ships") as made:
        for document in DOCUMENTS:
            made.corpus.add(document)
        made.queries.add(Document("q", title="Ships", abstract="by steam"))
        made.judge({"q": {"d1", "p"}})
    found = load_benchmark(tmp_path / "ships")
    assert list(found.corpus) == DOCUMENTS and made.corpus.count == 3
    assert found.qrels == {"q": {"d1": 1, "p": 1}} and found.queries[0].title == "Ships"


def test_an_error_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no more"), new_benchmark(tmp_path / "ships") as made:
        made.corpus.add(DOCUMENTS[0])
        raise ValueError("no more")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_exists_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(EvaluationError, match=r"Expected a new folder at .*, it exists\. Name another"):
        with new_benchmark(tmp_path):
            raise AssertionError("not reached")
    assert (tmp_path / "mine.txt").read_text() == "mine"
