"""`python -m engine.research kinds`, on a few documents of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.research.measures import kinds
from engine.research.measures.kinds import SharedTopics, TopicSettings
from tests.evaluation.small import write_table

SETTINGS = TopicSettings(fewest_papers=2, most_papers=3, most_patents=2, others=1)


def paper(name: str, *keywords: str) -> Document:
    return Document(name, title=f"On {name}", keywords=keywords)


def patent(name: str, title: str, family: str = "") -> Document:
    return Document(name, kind="patent", title=title, family=family)


PAPERS = [
    paper("p1", "Steam engines", "Access control"),
    paper("p2", "steam engines", "boilers"),
    paper("p3", "access control", "Rare phrase"),
    paper("p4", "real-time"),
    *(paper(f"q{number}", "steam engines of ships", "wide topic") for number in range(4)),  # four are too many
]
PATENTS = [
    patent("US1", "Access control for steam engines", "f1"),
    patent("US2", "Device for access control", "f1"),
    patent("US3", "Steam engines"),
    patent("US4", "A wide topic of rare phrase and boilers"),
]


def test_topics_are_phrases_of_both_kinds_within_bounds() -> None:
    shared = SharedTopics.of(PAPERS, PATENTS, SETTINGS)
    steam, access = ("steam", "engines"), ("access", "control")
    assert shared.topics == {
        "p1": {steam, access},
        "p2": {steam},
        "p3": {access},
        "US1": {steam, access},
        "US2": {access},
        "US3": {steam},
    }
    ids = [one.id for one in shared.corpus]
    assert ids[:3] == ["p1", "p2", "p3"] and ids[-4:] == ["US1", "US2", "US3", "US4"]
    assert len(ids) == 8  # one paper without a topic is drawn
    assert SharedTopics.of(PAPERS, PATENTS, SETTINGS).corpus == shared.corpus


def test_what_shares_a_topic_is_relevant_whatever_its_kind_but_for_the_own_family() -> None:
    shared = SharedTopics.of(PAPERS, PATENTS, SETTINGS)
    of_patents = shared.benchmark("patent", "all", SETTINGS)
    assert {query: set(grades) for query, grades in of_patents.qrels.items()} == {
        "US1": {"p1", "p2", "p3", "US3"},
        "US2": {"p1", "p3"},
        "US3": {"p1", "p2", "US1"},
    }
    assert shared.benchmark("paper", "all", SETTINGS).qrels["p2"].keys() == {"p1", "US1", "US3"}
    parts = [{one.id for one in shared.benchmark("paper", part, SETTINGS).queries} for part in ("valid", "test")]  # type: ignore[arg-type]
    assert parts[0] | parts[1] == {"p1", "p2", "p3"} and not parts[0] & parts[1]


def test_patents_without_a_topic_ask_nothing() -> None:
    shared = SharedTopics.of(PAPERS, [PATENTS[3]], SETTINGS)
    with pytest.raises(EvaluationError, match="Expected judged queries"):
        shared.benchmark("patent", "all", SETTINGS)


TOPICS = ("steam engines", "sorting networks", "access control")


def write_papers(path: Path, count: int) -> None:
    """So many papers of each topic, which they carry as keywords."""
    titles = [f"{topic} {number}" for topic in TOPICS for number in range(count)]
    write_table(
        path, [Document(title.replace(" ", "-"), title=title, abstract=f"We study {title}.") for title in titles]
    )
    plain = pq.read_table(path)
    keywords = [[" ".join(title.split()[:2])] for title in titles]
    pq.write_table(plain.append_column("keywords", pa.array(keywords, pa.list_(pa.string()))), path)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    for name in ("papers", "patents"):
        (folder / name).mkdir(parents=True)
    write_papers(folder / "papers" / "corpus.parquet", 8)
    patents = [
        Document(
            f"US{number}{topic[:2]}",
            kind="patent",
            title=f"Means for {topic}",
            abstract="Said means comprise said housing.",
        )
        for topic in TOPICS
        for number in range(4)
    ]
    write_table(folder / "patents" / "corpus.parquet", patents)
    return folder


def test_every_ranking_is_measured_for_both_kinds(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save = tmp_path / "report.json"
    line = ["--data", str(data), "--papers", "papers", "--patents", "patents", "--encoder", "lsa"]
    kinds.main([*line, "--queries", "all", "--sharpness", "0", "1", "--save", str(save)])
    report = json.loads(save.read_text())
    assert report["sets"]["patents"]["queries"] == {"patents": 12, "papers": 24}
    assert report["sets"]["patents"]["topics"] == 3
    assert set(report["figures"]) == {"patents of papers and patents", "papers of papers and patents"}
    of_patents = report["figures"]["patents of papers and patents"]
    assert set(of_patents) == {"relevant", "one list", "apart, sharpness 0", "apart, sharpness 1"}
    assert of_patents["relevant"] == pytest.approx(8 / 11, abs=1e-3)
    assert of_patents["one list"]["other kind"] == 0 < of_patents["apart, sharpness 0"]["other kind"]
    assert of_patents["one list"]["nDCG@10"] < of_patents["apart, sharpness 0"]["nDCG@10"]
    assert of_patents["one list"]["p"] == {"nDCG@10": 1.0, "R@100": 1.0}
    assert of_patents["apart, sharpness 0"]["p"]["nDCG@10"] < 0.05
    printed = capsys.readouterr().out
    assert save.with_suffix(".md").read_text() in printed
    assert "## papers of papers and patents, all queries" in printed and "## Means of the above" in printed
    assert str(tmp_path) not in save.read_text()


def test_the_means_are_over_every_asker() -> None:
    found = {"nDCG@10": 0.2, "R@100": 0.4, "other kind": 0.5, "p": {"nDCG@10": 1.0, "R@100": 1.0}}
    other = {**found, "nDCG@10": 0.4}
    figures = {"patents": {"relevant": 0.5, "one list": found}, "papers": {"relevant": 0.25, "one list": other}}
    text = kinds.as_markdown(figures, "valid", {"commit": "c"})
    assert "| one list | 0.3000 | 0.4000 |" in text
    assert "Of the relevant, 0.250 are of the other kind." in text
