"""The ways to run a system: the commands that they name, and names that lead nowhere."""

from __future__ import annotations

import pytest

from engine.research.paper import suite
from engine.research.paper.ways import ROWS_OF, Way, as_folder, as_matcher, as_pairs, as_recipe, as_row, in_table

KNOWN: dict[str, Way] = {
    "evaluate --encoders lda": as_row("lda"),
    "evaluate --encoders 'wmd(glove-own)'": as_row("wmd(glove-own)"),
    "evaluate --encoders 'wmd(glove-full)=FOLDER'": as_row("wmd(glove-full)=FOLDER"),
    "match --encoders minilm": as_pairs("minilm"),
    "evaluate --encoders bert=FOLDER:tokens": as_folder("bert"),
    "evaluate --encoders elmo=FOLDER": as_folder("elmo", ""),
    "train ctpe-paper --set objective.sampling=tfidf": as_recipe("ctpe-paper", ("objective.sampling=tfidf",)),
    "train matcher-han": as_matcher("han"),
    "tables --tables ctpe-6": in_table("ctpe-6", "CTPE_T"),
    "tables --tables ctpe-4 --set seed=2": in_table("ctpe-4", "GloVe", ("seed=2",)),
}
UNKNOWN: dict[str, Way] = {
    "Expected a row of evaluate, got 'ldaa'": as_row("ldaa"),
    "Expected a row of evaluate, got 'wmd(glove)'": as_row("wmd(glove)"),
    "Expected a row of evaluate, got 'glove-full=FOLDER'": as_row("glove-full=FOLDER"),
    "Expected a row of match, got 'doc2vec'": as_pairs("doc2vec"),
    "Expected a reading of a folder, got 'words'": as_folder("bert", "words"),
    "Expected a recipe among": as_recipe("ctpe-papers"),
    "objective.sampling must be": as_recipe("ctpe-paper", ("objective.sampling=nearest",)),
    "Expected a kind of matcher with a recipe, got 'bert'": as_matcher("bert"),
    "Expected a table among": in_table("ctpe-7", "CTPE"),
    "Expected a row of ctpe-6, got 'CTPE_X'": in_table("ctpe-6", "CTPE_X"),
    "--set: ": in_table("ctpe-6", "CTPE_T", ("ctpe.filters=3",)),
}


@pytest.mark.parametrize("command", KNOWN)
def test_a_known_name_has_its_command_and_no_problem(command: str) -> None:
    assert KNOWN[command].command == command
    assert KNOWN[command].check() == ""


@pytest.mark.parametrize("said", UNKNOWN)
def test_an_unknown_name_is_a_problem(said: str) -> None:
    assert said in UNKNOWN[said].check()


def test_every_table_of_the_suite_has_rows() -> None:
    assert set(ROWS_OF) == set(suite.TABLES)
    assert all(ROWS_OF.values())
