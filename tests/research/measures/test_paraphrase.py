"""Citing sentences ask for what they cite: which are asked, what is masked, what is relevant and left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.documents import Document, Section
from engine.research.matching.pair_set import PairSet, load_pair_set
from engine.research.measures import paraphrase
from engine.research.salience.texts import Link, links, read_citations
from tests.evaluation.small import write_table

BOILERS = "Boilers of iron burst under too much steam pressure, as Adams (1990) found in old mills."
VALVES = "Some have fitted valves of cast brass to pumps in mines (Baker et al., 1991)."
BOTH = "Pressure in boilers and wear of brass valves are studied at length (Adams, 1990; Baker, 1991)."


def citing(name: str, *said: str) -> Document:
    return Document(name, title=f"On {name}", year=2005, sections=(Section("Work", " ".join(said)),))


DOCUMENTS = [
    Document("boilers", title="Hot: a study of steam pressure", year=1990),
    Document("valves", title="Brass valves that wear", year=1991),
    citing("mills", BOILERS, VALVES),
    citing("mines", BOTH),
    citing("ships", BOILERS, VALVES),
    citing("other", "Nothing is said of these things at all."),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three papers cite two; a train pair relates one of the three to one of the two."""
    (tmp_path / "ours").mkdir()
    write_table(tmp_path / "ours" / "corpus.parquet", DOCUMENTS)
    rows = ["mills\tboilers\t1\ttest", "ships\tvalves\t1\ttrain", "mines\tother\t1\tvalid", "mills\tother\t0\ttest"]
    (tmp_path / "ours" / "pairs.tsv").write_text("\n".join(["id-a\tid-b\tlabel\tsplit", *rows, ""]))
    cited = [f"{name}\t{of}" for name in ("mills", "mines", "ships") for of in ("boilers", "valves")]
    (tmp_path / "ours" / "citations.tsv").write_text("\n".join(["citing\tcited", *cited, ""]))
    return tmp_path


@pytest.fixture
def pairs(folder: Path) -> PairSet:
    return load_pair_set(folder / "ours", form=None)


@pytest.fixture
def every(folder: Path, pairs: PairSet) -> list[Link]:
    return links(pairs.corpus, read_citations(folder / "ours" / "citations.tsv"))


def test_a_sentence_asks_for_all_that_it_cites_but_for_pairs_of_other_parts(pairs: PairSet, every: list[Link]) -> None:
    made = paraphrase.asked(pairs, every, "test")
    found = {query.abstract[:13]: set(made.qrels[query.id]) for query in made.queries if "mills" in query.id}
    assert found == {"Boilers of ir": {"boilers"}, "Some have fit": {"valves"}}
    by = {query.id.split()[0]: set(made.qrels[query.id]) for query in made.queries if "mills" not in query.id}
    assert by == {"mines": {"boilers", "valves"}, "ships": {"boilers"}}
    left_out = {query.id.split()[0]: made.excluded[query.id] for query in made.queries}
    assert left_out == {"mills": {"mills"}, "mines": {"mines", "other"}, "ships": {"ships", "valves"}}
    assert len(made.corpus) == 6


def test_a_corpus_is_cut_to_what_is_relevant_and_some_others(pairs: PairSet, every: list[Link]) -> None:
    made = paraphrase.asked(pairs, every, "test", 3)
    ids = {one.id for one in made.corpus}
    assert len(ids) == 3 and ids >= {"boilers", "valves"}
    assert all(names <= ids for names in made.excluded.values())
    assert {one.id for one in paraphrase.asked(pairs, every, "test", 1).corpus} == {"boilers", "valves"}


def test_one_sentence_of_each_pair_of_papers_asks() -> None:
    every = [Link("a", "b", ("Adams", 1990), f"sentence {n}") for n in range(5)]
    every.append(Link("a", "c", ("Baker", 1991), "other"))
    found = paraphrase.drawn(every)
    assert len(found) == 2 and found == paraphrase.drawn(every)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Steam, as Adams (1990) found, bursts boilers.", "Steam, as found, bursts boilers."),
        ("Iron bursts (Adams, 1990; Clark et al., 1991a), and brass wears.", "Iron bursts, and brass wears."),
        ("It bursts (see Adams, 1990) often (but not always).", "It bursts often (but not always)."),
        ("Others (Clark, 1991) follow the Adams test; so does Adams’s pump.", "Others follow the test; so does pump."),
        ("We repeat SteamNet and A Study of Steam at sea.", "We repeat and at sea."),
        (
            "(Where Adams (1990) tests iron, we test brass and steel.)",
            "(Where tests iron, we test brass and steel.)",
        ),
        ("Iron is tested at length (e.g., Adams (1990)).", "Iron is tested at length."),
    ],
)
def test_marks_names_and_titles_are_masked(sentence: str, expected: str) -> None:
    cited = [("Adams", "SteamNet: trials at sea"), ("Adams", "A Study of Steam")]
    assert paraphrase.masked(sentence, cited) == expected


def test_the_command_saves_figures_and_contrasts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = folder / "report.json"
    words = ["--data", str(folder), "--set", "ours", "--rows", "bm25", "bm25-passages", "--documents", "6"]
    paraphrase.main([*words, "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert set(report["figures"]) == {"bm25", "bm25-passages"} and report["contrasts"] == []
    assert report["questions"] == 4 and report["relevant documents"] == 2
    assert set(report["sha256"]) == {"pairs.tsv", "corpus.parquet", "citations.tsv"}
    assert report["command"].endswith("--rows bm25 bm25-passages --part test --documents 6")
    assert "| bm25-passages |" in saved.with_suffix(".md").read_text() and "| bm25 |" in capsys.readouterr().out


def test_the_default_is_held_against_every_other_row() -> None:
    corrected = {"ours": "bm25", "metric": "R@100", "means": [0.5, 0.75], "interval": [-0.5, 0.1], "p_holm": 0.25}
    text = "\n".join(paraphrase.as_markdown({"bm25": {"nDCG@10": 0.1, "R@100": 0.5, "first": 0.0}}, [corrected]))
    assert "| bm25 | 0.100 | 0.500 | 0.000 |" in text
    assert "| bm25 | R@100 | 0.500 | 0.750 | -0.500 to +0.100 | 0.2500 |" in text
