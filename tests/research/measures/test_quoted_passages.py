"""`python -m engine.research quoted_passages`, on small papers that we made up."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from engine.documents import Document, Section
from engine.research.measures import quoted_passages
from tests.evaluation.small import write_table
from tests.search.hashed_words import HashedWords

PORTS = "harbour quay warehouse crane ferry tide channel pilot lantern beacon rope barrel wharf customs cargo".split()
WOODS = "oak birch larch spruce willow alder hazel maple cedar juniper rowan aspen poplar walnut chestnut".split()
ANIMALS = "fox badger otter hedgehog squirrel weasel marten beaver lynx wolf stoat hare mole shrew vole".split()


def said(words: list[str], count: int, seed: int) -> str:
    """Sentences of twenty words each."""
    draw = random.Random(seed)
    each = (" ".join(f"{draw.choice(words)} {draw.choice('abcdefgh') * 4}{n}" for _ in range(10)) for n in range(count))
    return " ".join(f"The {one}." for one in each)


@pytest.fixture
def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two long papers on harbours and woods that ask, and abstracts on animals."""
    monkeypatch.setattr("engine.evaluation.kept_rows._encoder", HashedWords)
    papers = [
        Document(f"p{n}", title=f"Paper {n}", sections=(Section("All", said(words, 400, n)),))
        for n, words in enumerate((PORTS, WOODS))
    ]
    animals = [Document(f"w{n}", title=f"Animals {n}", abstract=said(ANIMALS, 3, 50 + n)) for n in range(3)]
    for name, documents in (("ours", papers), ("animals", animals)):
        (tmp_path / name).mkdir()
        write_table(tmp_path / name / "corpus.parquet", documents)
    return ["--data", str(tmp_path), "--set", "ours", "--far", "animals", "--save", str(tmp_path / "report.json")]


def test_passages_show_sentences_and_quotes_that_beginnings_do_not(
    line: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    quoted_passages.main([*line, "--count", "2", "--cache", str(tmp_path / "cache")])
    assert (tmp_path / "cache" / "passages").is_dir()
    report = json.loads((tmp_path / "report.json").read_text())
    written = report["sentences"]["as written"]
    assert written["by beginnings"] <= written["and passages"] == 1
    assert report["quoted"]["quotes as written"] == {"its paper": 1, "another paper": 0}
    assert report["quoted"]["abstracts of animals"] == {"another paper": 0}
    assert set(report["quoted"]) == {
        "quotes as written",
        "quotes a third of the words dropped",
        "abstracts of animals",
    }
    assert (
        "| as written |" in (tmp_path / "report.md").read_text() and "abstracts of animals" in capsys.readouterr().out
    )
    assert str(tmp_path) not in json.dumps(report)
