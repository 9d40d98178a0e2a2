"""The files that CTPE's authors released, by one of our own in their form."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import EngineError, EvaluationError
from engine.encoders.ctpe import Position, cut_pair
from engine.evaluation import load_benchmark
from engine.evaluation.formats import Bounds
from engine.research.__main__ import main
from engine.research.sets import ctpe_files
from engine.research.sets.ctpe_files import convert, document_in, labels_in

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
