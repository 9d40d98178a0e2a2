"""The ways to run a system: the commands that they name, and names that lead nowhere."""

from __future__ import annotations

import pytest

from engine.research.paper import suite
from engine.research.paper.ways import ROWS_OF, AsFolder, AsMatcher, AsPairs, AsRecipe, AsRow, InTable, Way

KNOWN: dict[str, Way] = {
    "evaluate --encoders lda": AsRow("lda"),
    "match --encoders minilm": AsPairs("minilm"),
    "evaluate --encoders bert=FOLDER:tokens": AsFolder("bert"),
    "train ctpe-paper --set objective.sampling=tfidf": AsRecipe("ctpe-paper", ("objective.sampling=tfidf",)),
    "train matcher-han": AsMatcher("han"),
    "tables --tables ctpe-6": InTable("ctpe-6", "CTPE_T"),
    "tables --tables ctpe-4 --set seed=2": InTable("ctpe-4", "GloVe", ("seed=2",)),
}
UNKNOWN: dict[str, Way] = {
    "Expected a row of evaluate, got 'ldaa'": AsRow("ldaa"),
    "Expected a row of match, got 'doc2vec'": AsPairs("doc2vec"),
    "Expected a reading of a folder, got 'words'": AsFolder("bert", "words"),
    "Expected a recipe among": AsRecipe("ctpe-papers"),
    "objective.sampling must be": AsRecipe("ctpe-paper", ("objective.sampling=nearest",)),
    "Expected a kind of matcher with a recipe, got 'bert'": AsMatcher("bert"),
    "Expected a table among": InTable("ctpe-1", "CTPE"),
    "Expected a row of ctpe-6, got 'CTPE_X'": InTable("ctpe-6", "CTPE_X"),
    "--set: ": InTable("ctpe-6", "CTPE_T", ("ctpe.filters=3",)),
}


@pytest.mark.parametrize("command", KNOWN)
def test_a_known_name_has_its_command_and_no_problem(command: str) -> None:
    assert KNOWN[command].command == command
    assert KNOWN[command].problem == ""


@pytest.mark.parametrize("said", UNKNOWN)
def test_an_unknown_name_is_a_problem(said: str) -> None:
    assert said in UNKNOWN[said].problem


def test_every_table_of_the_suite_has_rows() -> None:
    assert set(ROWS_OF) == set(suite.TABLES)
    assert all(ROWS_OF.values())
