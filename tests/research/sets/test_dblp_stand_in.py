"""The stand-in for DBLP, built from papers of our own."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document, Section
from engine.evaluation import load_benchmark
from engine.research.__main__ import main
from engine.research.sets.dblp_stand_in import Copies, StandIn, StandInSettings, citations_in, first_of_copies
from tests.contracts.encoder import SUBJECTS
from tests.evaluation.small import write_table

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
