"""C-DSSM's table 1: how many trigrams words have, and how many words they cannot tell apart."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.research.paper import cdssm
from engine.research.paper.published import cdssm as published
from engine.research.paper.settings import CdssmTables, PaperSettings
from engine.research.paper.work import Work
from tests.contracts.encoder import corpus
from tests.evaluation.small import write_table


def test_words_with_the_same_trigrams_equally_often_collide() -> None:
    assert cdssm.collisions(["cat", "cab"]) == {"trigrams": 5, "collisions": 0}  # #ca cat at# cab ab#
    assert cdssm.collisions(["ababaab", "abaabab", "ab"])["collisions"] == 1  # the same seven in another order
    assert cdssm.collisions(["aaaa", "aaaaa"])["collisions"] == 0  # how often counts


def test_the_most_frequent_words_are_counted_and_a_small_vocabulary_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = [*corpus(), *(replace(corpus()[0], id=f"x{n}", title="ababaab abaabab", sections=()) for n in range(9))]
    (tmp_path / "ours").mkdir()
    write_table(tmp_path / "ours" / "corpus.parquet", documents)
    found = {3: {"trigrams": 9.0, "collisions": 1.0}, 10_000: {"trigrams": 9.0, "collisions": 2.0}}
    monkeypatch.setattr(published, "COLLISIONS", found)
    work = Work(tmp_path, tmp_path / "cache", PaperSettings(cdssm=CdssmTables(texts=("ours",))))
    (panel,) = cdssm.letters(work).panels
    few, every = panel.lines
    assert (few.name, few.theirs) == ("3 words", found[3])
    assert few.ours["trigrams"] < every.ours["trigrams"]
    assert every.name.startswith("all ") and every.ours["collisions"] == 1 and not every.theirs
    assert [one.name for one in panel.skipped] == ["10,000 words"]
    assert "Expected 10,000 different words in ours, found" in panel.skipped[0].why
    assert cdssm.letters(work).panels == [panel]  # from the cache
