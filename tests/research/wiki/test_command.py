"""From a dump to a set that trains and is matched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core.errors import ConfigError, InputError
from engine.research.__main__ import main as research
from engine.research.matching.pair_set import load_pair_set
from engine.research.wiki import command
from engine.training.long_corpus import read_long_corpora
from tests.research.wiki.small_dump import page, pages, write_dump


def test_a_dump_becomes_a_set_of_pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dump = write_dump(tmp_path / "dump.xml.bz2", pages(groups=20))
    line = ["--dump", str(dump), "--out", str(tmp_path / "data" / "wiki"), "--fewest-links", "5"]
    assert research(["wiki", *line]) == 0
    about = json.loads(capsys.readouterr().out)
    assert about == json.loads((tmp_path / "data" / "wiki" / "about.json").read_text())
    assert about["articles read"] == 80 and about["dump"] == "dump.xml.bz2"  # "Short" has no sections
    pairs = load_pair_set(tmp_path / "data" / "wiki")
    assert pairs.counts["train"] == {**about["pairs"]["train"], "left_out": 0}
    assert about["documents"] == len(pairs.documents) > 60
    groups = {one.id: int(one.id.removeprefix("wiki:")) // 100 for one in pairs.documents}
    assert all((groups[one.a] == groups[one.b]) == one.related for one in pairs.pairs)
    splits: dict[str, set[str]] = {}
    for one in pairs.pairs:
        for id_ in (one.a, one.b):
            splits.setdefault(id_, set()).add(one.split)
    assert all(len(held) == 1 for held in splits.values())  # no article is in two splits
    corpus = read_long_corpora(["wiki"], tmp_path / "data")
    assert len(corpus.train["wiki"].related) == sum(about["pairs"]["train"].values())
    assert "It began with Thing" in corpus.documents[0].text and "[[" not in corpus.documents[0].text
    first = (tmp_path / "data" / "wiki" / "pairs.tsv").read_bytes()
    command.main(line)
    assert (tmp_path / "data" / "wiki" / "pairs.tsv").read_bytes() == first


def test_only_the_first_articles_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dump = write_dump(tmp_path / "dump.xml", pages(groups=20))
    command.main(["--dump", str(dump), "--out", str(tmp_path / "wiki"), "--most-articles", "40"])
    assert json.loads(capsys.readouterr().out)["articles read"] == 40


def test_a_dump_without_similar_articles_leaves_no_folder(tmp_path: Path) -> None:
    dump = write_dump(tmp_path / "dump.xml", [page(7, "One", "== A ==\nx [[Y]]\n== B ==\nz"), *pages(groups=1)])
    with pytest.raises(InputError, match=r"Expected groups of similar articles in dump\.xml, found none to train on"):
        command.main(["--dump", str(dump), "--out", str(tmp_path / "wiki")])
    assert not (tmp_path / "wiki").exists()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--most-articles", "0"], "Expected --most-articles of 1 or more, got 0"),
        (["--above", "1"], r"above must be from 0 to below 1, got 1\.0\. Give another value"),
    ],
)
def test_options_out_of_range_are_refused(options: list[str], told: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=told):
        command.main(["--dump", str(tmp_path / "a"), "--out", str(tmp_path / "b"), *options])
