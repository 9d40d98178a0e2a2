"""The systems that the papers name: what the papers publish of them, how each is run here, and their table."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core import config
from engine.core.errors import EvaluationError
from engine.evaluation.metrics import harmonic_mean
from engine.research.baselines.doc2vecc import Doc2veccRecipe
from engine.research.baselines.glove import GloveRecipe
from engine.research.baselines.rows import OWN_CORPUS, OWN_RECIPE, ROWS
from engine.research.measures import names
from engine.research.paper import suite
from engine.research.paper.ctpe_models import changed
from engine.research.paper.named_systems import (
    CDSSM,
    COLDE,
    CTPE,
    DEPARTS,
    EPOCHS,
    GLOVE_FULL_OF_CTPE,
    GLOVE_OF_CTPE,
    MISSING,
    NOTES,
    RUNS,
    STATES,
    SYSTEMS,
    WORD2VEC_OF_CTPE,
    Here,
    System,
)
from engine.research.paper.published import cdssm, colde, ctpe, keyvec
from engine.research.paper.settings import PaperSettings
from engine.research.paper.ways import ROWS_OF, Way, as_folder, as_matcher, as_pairs, as_recipe, as_row, in_table
from engine.research.train import RECIPES

ONE = System("CTPE", "table 2", "LDA", Here(RUNS, (as_row("lda"),)))


def how(name: str, paper: str = CTPE) -> str:
    return next(system.here.how for system in SYSTEMS if (system.paper, system.name) == (paper, name))


def test_a_departure_is_told_with_the_values_of_the_code() -> None:
    assert f"{Doc2veccRecipe().epochs} epochs" in how("Doc2VecC")
    for recipe, said in (("glove-full", "GloVe {} with"), ("word2vec-full", "word2vec has {} epochs")):
        assert said.format(RECIPES.load(recipe).epochs) in NOTES[EPOCHS]
    assert f"less than {RECIPES.load('glove-full').least_together}" in NOTES[EPOCHS]
    for kind, name in (("dssm", "DSSM"), ("arc-i", "ARC-I"), ("han", "HAN"), ("smith", "SMITH"), ("s-long", "S-LONG")):
        recipe = RECIPES.load(f"matcher-{kind}")
        assert f"the first {recipe.network.max_words:,} words" in how(name, COLDE)
        assert f"up to {recipe.schedule.epochs} by its recipe" in how(name, COLDE)


def test_the_settings_of_word_vectors_make_them_as_the_paper_does() -> None:
    own = changed(OWN_RECIPE, WORD2VEC_OF_CTPE)
    assert (own.dim, own.window, own.epochs) == (100, 10, 100)
    for glove in (changed(GloveRecipe(OWN_CORPUS), GLOVE_OF_CTPE), RECIPES.load("glove-full", GLOVE_FULL_OF_CTPE)):
        assert (glove.dim, glove.window, glove.epochs) == (100, 10, 100)
        assert (glove.most_weighed, glove.learning_rate, glove.exponent, glove.least_together) == (100, 0.05, 0.75, 0)
    held = {system.name: system.here for system in SYSTEMS if system.where == "tables 2 and 3"}
    table = held["WMD-GloVe"].ways[0].command
    assert shlex.split(table)[-1] == f"ctpe.glove={json.dumps(GLOVE_OF_CTPE)}"
    assert config.with_settings({}, [shlex.split(table)[-1]]) == {"ctpe": {"glove": list(GLOVE_OF_CTPE)}}


def test_a_recipe_has_the_papers_size() -> None:
    recipe = RECIPES.load("ctpe-paper")
    assert (recipe.network.channels, recipe.optimizer.batch, recipe.objective.margin) == (1024, 200, 0.1)
    assert recipe.schedule.epochs == 50
    assert PaperSettings().ctpe.size.channels < recipe.network.channels


def test_c_dssms_sizes_are_those_of_its_recipes() -> None:
    network = RECIPES.load("cdssm-trigrams").network
    assert f"{network.channels} filters, {network.dim} numbers a document and {network.trigrams:,} trigrams" in how(
        "unaltered C-DSSM", CDSSM
    )


def test_transformers_does_not_know_transformer_xl() -> None:
    from transformers import CONFIG_MAPPING

    assert "transfo-xl" not in CONFIG_MAPPING
    assert {"bert", "roberta", "openai-gpt", "gpt2", "xlm", "xlnet"} <= set(CONFIG_MAPPING)


@pytest.mark.parametrize(
    ("here", "said"),
    [
        (Here(RUNS), "Expected a way to run it, got none."),
        (Here(MISSING, (as_row("lda"),), "So it is."), "Expected no way to run a missing system, got one."),
        (Here(MISSING), "Expected in words how or why it is 'missing', got nothing."),
        (Here(DEPARTS, (as_row("lda"),)), "Expected in words how or why it is 'departs', got nothing."),
        (Here(RUNS, (as_row("lda"),), notes=("sizes",)), "Expected a note among size, "),
        (Here(RUNS, (as_row("ldaa"),)), "Expected a row of evaluate, got 'ldaa'."),
        (Here(MISSING, how="So it is.", beside=(as_row("ldaa"),)), "Expected a row of evaluate, got 'ldaa'."),
    ],
)
def test_an_entry_that_contradicts_itself_is_a_problem(here: Here, said: str) -> None:
    assert not ONE.problems
    assert any(problem.startswith(said) for problem in replace(ONE, here=here).problems)


def test_the_published_order_is_the_published_order() -> None:
    figures = cdssm.FIGURES
    for metric in ("f1@1-cdssm", "f1@5-cdssm", "f1@10-cdssm"):
        values = [figures[row][metric] for row in cdssm.ROWS]
        assert values == sorted(values)
    for row in figures.values():
        for k in (1, 5, 10, 20, 30, 40, 50):
            wanted = harmonic_mean(row[f"precision@{k}-cdssm"], row[f"recall@{k}-cdssm"])
            assert row[f"f1@{k}-cdssm"] == pytest.approx(wanted, abs=1.6e-3)


def test_the_published_table_is_whole() -> None:
    assert {name for row in colde.TABLE_2.values() for name in row} == set(colde.DATASETS.values())
    best = {
        name: max(colde.TABLE_2, key=lambda row: colde.TABLE_2[row][name]["accuracy"])
        for name in ("AAN", "PAT", "WIKI")
    }
    assert set(best.values()) == {"CoLDE"}


def test_the_published_figures_agree_with_each_other() -> None:
    sets = set(ctpe.DATASETS.values())
    for method, figures in ctpe.TABLES_2_AND_3.items():
        assert set(figures) == sets
        for row in figures.values():
            harmonic = 2 * row["P@20"] * row["R@20"] / (row["P@20"] + row["R@20"])
            assert row["F1@20"] == pytest.approx(harmonic, abs=2e-4), method
    full = ctpe.TABLES_2_AND_3["CTPE-word2vec(full)"]
    for name in sets:
        meaningful, sampled = ctpe.TABLE_5["meaningful"][name], ctpe.TABLE_6["CTPE"][name]
        assert (full[name]["P@20"], full[name]["R@20"]) == (meaningful.p, meaningful.r) == (sampled.p, sampled.r)
        assert full[name]["F1@20"] == meaningful.f1 == ctpe.TABLE_4["word2vec(full)"][name][2]
        assert ctpe.TABLES_2_AND_3["avg-GloVe"][name]["F1@20"] == ctpe.TABLE_4["GloVe"][name][0]


def test_table_4_has_fourteen_rows_of_every_set() -> None:
    assert len(ctpe.TABLE_4) == 14
    assert all(set(sets) == set(ctpe.DATASETS.values()) for sets in ctpe.TABLE_4.values())
    skip_thoughts = ctpe.TABLES_2_AND_3["avg-Skip-thoughts"]
    assert {name: figures[0] for name, figures in ctpe.TABLE_4["Skip-thoughts"].items()} == {
        name: row["F1@20"] for name, row in skip_thoughts.items()
    }


def test_the_last_column_of_table_5_is_the_mean_of_its_row() -> None:
    assert ctpe.TABLE_5_MEANS.keys() == ctpe.TABLE_5.keys()
    for place, mean in ctpe.TABLE_5_MEANS.items():
        figures = [figure for row in ctpe.TABLE_5[place].values() for figure in (row.p, row.r, row.f1)]
        assert mean == pytest.approx(sum(figures) / 9, abs=6e-5), place


def test_precision_and_recall_fit_the_labels_of_table_1() -> None:
    for name, columns in ctpe.TABLE_1.items():
        assert set(columns[ctpe.CANDIDATE]) == set(ctpe.SIZES[:5])
        assert set(columns[ctpe.TEST]) == set(ctpe.SIZES)
        fewest, most = (columns[ctpe.TEST][f"{end} labels"] for end in ("fewest", "most"))
        row = ctpe.TABLES_2_AND_3["CTPE-word2vec(full)"][name]
        assert fewest <= 20 * row["P@20"] / row["R@20"] <= most


def test_every_method_of_the_paper_is_a_row_with_a_place() -> None:
    assert set(keyvec.PLACES) == set(keyvec.ROWS)
    assert set(keyvec.ROWS) - {"word2vec-own"} <= set(ROWS.names())  # which is trained for the tables alone


def test_keyvec_is_first_and_both_averages_share_the_last_place() -> None:
    order = sorted(keyvec.PLACES, key=lambda row: -keyvec.PLACES[row])
    assert order[:2] == ["keyvec", "doc2vec"]
    assert keyvec.PLACES["word2vec-mean"] == keyvec.PLACES["word2vec-own"] == min(keyvec.PLACES.values())


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


REPORTS = Path(names.__file__).resolve().parents[1] / "reports"


def test_every_name_resolves_and_every_state_is_one_of_four() -> None:
    names.check(SYSTEMS)
    assert {system.here.state for system in SYSTEMS} == set(STATES)


def test_every_method_of_the_published_tables_has_an_entry() -> None:
    listed = {(system.paper, system.name) for system in SYSTEMS}
    for table in (ctpe.TABLES_2_AND_3, ctpe.TABLE_4, ctpe.METHODS, ctpe.TABLE_5, ctpe.TABLE_6):
        assert {("CTPE", name) for name in table} <= listed
    assert {("CoLDE", name) for name in colde.TABLE_2} <= listed
    assert {("KeyVec", name) for name in keyvec.ROWS.values()} <= listed
    assert {("C-DSSM", named.partition(": ")[2]) for named in cdssm.ROWS.values()} <= listed
    assert names.unlisted(SYSTEMS) == []


def test_a_system_runs_only_where_a_saved_report_ran_it() -> None:
    states = {(system.name, system.where): names.state_of(system) for system in SYSTEMS}
    assert states["TF-IDF", "tables 2 and 3"] == RUNS
    assert states["DSSM, which labels salient sentences", "the reader's objective"] == names.UNRUN
    assert states["avg-word2vec", "tables 2 and 3"] == names.UNRUN  # a report has the row, with fewer epochs
    report = json.loads((REPORTS / "paper-all.json").read_text("utf-8"))
    panels = [(name, panel) for name, table in report["tables"].items() for panel in table["panels"]]
    held = {(name, line["name"]) for name, panel in panels for line in panel["lines"]}
    for system in SYSTEMS:
        rows = [(way.command.split()[2], way.row) for way in system.here.ways if way.row]
        assert names.state_of(system) != RUNS or not rows or held.intersection(rows), system.name


def test_a_name_that_leads_nowhere_is_an_error() -> None:
    wrong = replace(SYSTEMS[0], here=Here(RUNS, (as_row("randoms"),)))
    with pytest.raises(EvaluationError, match=r"doc2vec\(ran\): Expected a row of evaluate, got 'randoms'"):
        names.check([wrong, *SYSTEMS[1:]])


def test_a_method_without_an_entry_is_an_error() -> None:
    without = [system for system in SYSTEMS if system.name != "HAN"]
    with pytest.raises(EvaluationError, match="Expected an entry for every method of the published tables; CoLDE: HAN"):
        names.check(without)


def test_two_entries_of_one_name_are_an_error() -> None:
    with pytest.raises(
        EvaluationError, match="Expected one entry a system and place, got several of CTPE, tables 2 an"
    ):
        names.check([*SYSTEMS, SYSTEMS[0]])


def test_the_table_is_printed_and_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "names.json"
    names.main(["--save", str(file)])
    report = json.loads(file.read_text("utf-8"))
    assert report["command"] == "python -m engine.research names --save names.json"
    assert sum(report["counts"].values()) == len(report["systems"]) == len(SYSTEMS)
    lda = next(system for system in report["systems"] if system["name"] == "LDA")
    assert lda["run_by"] == [
        {"command": "evaluate --encoders lda-ctpe"},
        {"command": "tables --tables ctpe-2", "row": "lda-ctpe"},
    ]
    text = file.with_suffix(".md").read_text("utf-8")
    assert text == capsys.readouterr().out.removesuffix("\n")
    rows = [line for line in text.splitlines() if line.startswith("| C")]
    assert "| CTPE | tables 2 and 3 | TF-IDF | `evaluate --encoders tfidf`; `tables --tables ctpe-2` row tfidf " in text
    assert all(line.count(" | ") == 4 for line in rows)
    with pytest.raises(EvaluationError, match=r"Expected a name for the JSON, got names\.md"):
        names.main(["--save", str(file.with_suffix(".md"))])


def test_the_saved_report_is_what_the_command_says() -> None:
    report = json.loads((REPORTS / "names.json").read_text("utf-8"))
    said = "Run: python -m engine.research names --save engine/research/reports/names.json"
    assert report["systems"] == [names.as_json(system) for system in SYSTEMS], said
