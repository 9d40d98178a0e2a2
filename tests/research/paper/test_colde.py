"""CoLDE's table 2 and figures 6 to 8, and what is trained for them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from engine.core import config
from engine.core.errors import EvaluationError
from engine.core.progress import Report
from engine.encoders.colde import ColdeEncoder
from engine.research.matchers import trainer
from engine.research.matching.judging import Scored, judge
from engine.research.matching.pair_set import Form, PairSet, load_pair_set
from engine.research.matching.rows import Row
from engine.research.matching.scoring import Plan, encoder_scores, score
from engine.research.paper import colde, colde_models
from engine.research.paper.colde_models import ABLATIONS, Pairs
from engine.research.paper.settings import PaperSettings
from engine.research.paper.tables import Line, Panel, Table
from engine.research.paper.work import Work
from engine.training.colde import trainer as colde_trainer
from tests.encoders.colde import tiny
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.research.matching.small_pairs import write_pairs

NAME = "acl-long"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("paper")
    write_tiny_transformer(made / "tiny")
    write_pairs(made / "data" / NAME)
    return made


@pytest.fixture(scope="module")
def work(folder: Path) -> Work:
    """The tables' work, with what was trained kept from one test to the next."""
    return Work(folder / "data", folder / "cache", settings(folder))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No transformer but the tiny one, and the quickest rivals."""
    for module in (colde_models, colde):
        monkeypatch.setattr(module, "MATCHERS", {"DSSM": "matcher-dssm", "S-BERT": "matcher-s-bert"})
    monkeypatch.setattr(colde, "PLAIN", "tfidf")
    monkeypatch.setattr(colde, "_BEYOND", ("bm25", "nothing"))


def settings(folder: Path, *changes: str) -> PaperSettings:
    own = [f"backbone.source={folder / 'tiny'}", "backbone.chunk_tokens=8", "backbone.chunk_numbers=4"]
    own += ["backbone.tokens_at_once=64", "head.heads=2", "head.lstm_dim=8", "head.dim=6", "optimizer.batch=8"]
    own += ["schedule.epochs=1", "schedule.warmup=0"]
    small = ["network.dim=6", "network.width=8", "network.max_words=30", "optimizer.batch=8", "schedule.warmup=0"]
    given = [f'colde.sets=["{NAME}"]', f'colde.read_sets=["{NAME}"]', "colde.matcher_epochs=1"]
    given += [f"colde.settings={own!r}", f"colde.matcher_settings={small!r}"]
    tiny = [f"network.source={folder / 'tiny'}", "optimizer.batch=8", "schedule.warmup=0"]
    given += ["colde.sbert_epochs=1", "colde.sbert_tokens=16", f"colde.sbert_settings={tiny!r}"]
    given += ["colde.batches=[6, 8]", "colde.lengths=[9, 30]", 'colde.length_rivals=["DSSM", "S-BERT"]']
    made: PaperSettings = config.from_mapping(config.with_settings({}, [*given, *changes]), PaperSettings, origin="t")
    return made


def rows_of(table: Table) -> tuple[Panel, dict[str, Line]]:
    (panel,) = table.panels
    return panel, {line.name: line for line in panel.lines}


def test_table_2_has_the_model_its_ablations_and_its_rivals(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    table = colde.matching(work)
    panel, rows = rows_of(table)
    assert list(rows) == ["DSSM", "S-BERT", "CoLDE", "CoLDE-Aug", "CoLDE-LSTM", "CoLDE-CL", "bm25"]
    assert rows["S-BERT"].theirs["accuracy"] == 0.566
    assert rows["CoLDE"].theirs == {"precision": 0.719, "recall": 0.756, "f1": 0.734, "accuracy": 0.742}
    assert rows["bm25"].theirs == {} and rows["bm25"].ours["auc"] == 1
    assert len({rows[name].facts["fingerprint"] for name in ("CoLDE", "CoLDE-Aug", "CoLDE-LSTM", "CoLDE-CL")}) == 4
    assert [order.over for order in panel.orders] == ["f1", "accuracy"]
    assert panel.claims[0].said == "CoLDE ahead of its rivals by accuracy"
    why = {one.name: one.why for one in panel.skipped}
    assert why["nothing"].startswith("Expected a row of `python -m engine.research match`, got nothing")
    for module in (colde_trainer, trainer):
        monkeypatch.setattr(module, "train", None)
    monkeypatch.setattr(colde_models, "judge", None)
    assert colde.matching(work) == table  # nothing is trained or measured twice


def test_a_set_takes_long_only_where_it_is_asked_for(work: Work, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(colde, "_BEYOND", ("bm25", "compare"))
    careful = Work(work.data, work.cache, settings(folder, "colde.read_sets=[]", "colde.matcher_sets=[]"))
    panel, rows = rows_of(colde.matching(careful))
    why = {one.name: one.why for one in panel.skipped}
    assert set(rows) == {"bm25"}
    assert "Expected acl-long among the sets that CoLDE is trained on" in why["CoLDE"]
    assert all(why[name].endswith("Add it to colde.matcher_sets.") for name in ("DSSM", "S-BERT"))
    assert "add it to colde.read_sets" in why["compare"]


def test_rows_are_left_out_by_name_by_set_and_as_those_whose_transformer_learns(work: Work, folder: Path) -> None:
    left_out = f'colde.leave_out=["CoLDE", "DSSM@{NAME}", "bm25@elsewhere", "learnt"]'
    given = Work(work.data, work.cache, settings(folder, f'colde.learnt_sets=["{NAME}"]', left_out))
    panel, rows = rows_of(colde.matching(given))
    assert list(rows) == ["S-BERT", "CoLDE-Aug", "CoLDE-LSTM", "CoLDE-CL", "bm25"]
    assert [one.name for one in panel.skipped if one.why == "asked to be left out"] == ["DSSM", "CoLDE"]


def test_s_bert_learns_for_as_many_epochs_as_its_set_is_given(work: Work, folder: Path) -> None:
    given = Work(work.data, work.cache, settings(folder, f"colde.sbert_epochs_of.{NAME}=2"))
    Pairs(given, NAME).told("S-BERT")
    curves = given.encoders.glob(f"S-BERT@{NAME}-*-run/curve.json")
    assert 2 in {len(json.loads(curve.read_text())) for curve in curves}


def test_a_document_of_one_section_reads_as_much_as_two_sections(work: Work, folder: Path) -> None:
    given = Work(work.data, work.cache, settings(folder, f'colde.learnt_sets=["{NAME}"]', "colde.section_tokens=8"))
    pairs = Pairs(given, NAME, learnt=True)
    read = {}
    for model in ABLATIONS:
        made = pairs._row(model, ()).folder
        assert made is not None
        recipe = ColdeEncoder.load(made).facts["recipe"]
        read[model] = recipe["objective"]["max_tokens"] * recipe["objective"]["sections"]
    assert read == dict.fromkeys(ABLATIONS, 16)


def test_the_transformer_learns_too_where_it_is_asked_for(work: Work, folder: Path) -> None:
    given = Work(work.data, work.cache, settings(folder, f'colde.learnt_sets=["{NAME}"]'))
    pairs = Pairs(given, NAME, learnt=True)
    found = {}
    for model in ("CoLDE", "CoLDE-Aug"):
        made = pairs._row(model, ()).folder
        assert made is not None
        found[model] = ColdeEncoder.load(made)
        assert found[model].facts["curve"][0]["watched"]["sections"] > 0
    numbers = {name: (one.settings.section_numbers, one.settings.chunk_numbers) for name, one in found.items()}
    assert numbers == {"CoLDE": (5, 4), "CoLDE-Aug": (1, 1)}
    with pytest.raises(EvaluationError, match=r"Add it to colde\.learnt_sets"):
        Pairs(work, NAME, learnt=True).told("CoLDE")


def test_the_paper_s_figures_stand_beside_the_models_that_learn_whole(work: Work, folder: Path) -> None:
    given = Work(work.data, work.cache, settings(folder, f'colde.learnt_sets=["{NAME}"]'))
    panel, rows = rows_of(colde.matching(given))
    assert list(rows)[-4:] == [f"{name} learnt" for name in ABLATIONS]
    assert rows["CoLDE learnt"].theirs["accuracy"] == 0.742 and rows["CoLDE"].theirs == {}
    assert rows["CoLDE learnt"].facts["fingerprint"] != rows["CoLDE"].facts["fingerprint"]
    assert [claim.said.partition(" ahead")[0] for claim in panel.claims] == ["CoLDE learnt"] * 2
    assert panel.claims[1].figures.endswith("of 3")


def test_figures_6_and_7_are_curves_of_trained_models(work: Work) -> None:
    panel, rows = rows_of(colde.batches(work))
    assert panel.columns == ("6", "8") == panel.drawn and panel.kind == "lines"
    assert set(rows) == {"accuracy", "auc"}
    assert panel.orders[0].pairs == 1  # larger batches help on AAN
    assert len(set(panel.facts["fingerprints by column"].values())) == 2
    panel, rows = rows_of(colde.lengths(work))
    assert panel.columns == ("9", "30") == tuple(rows["DSSM"].ours)
    assert set(rows) == {"CoLDE", "DSSM"} and [order.over for order in panel.orders] == ["CoLDE"]
    assert len(set(panel.facts["fingerprints of DSSM by column"].values())) == 2  # trained with each bound
    ahead = all(rows["CoLDE"].ours[size] > rows["DSSM"].ours[size] for size in panel.columns)
    assert [(claim.said, claim.holds) for claim in panel.claims] == [
        ("CoLDE ahead of its rivals at every length", ahead)
    ]
    assert panel.skipped[0].why == "Expected rivals among DSSM; got S-BERT. Change colde.length_rivals."


def test_figure_8_holds_both_orders_against_what_the_paper_says(work: Work) -> None:
    panel, rows = rows_of(colde.shuffled(work))
    assert set(rows) == {"CoLDE", "tfidf", "DSSM", "S-BERT"}
    assert all(0 <= line.ours["p"] <= 1 for line in rows.values())
    assert rows["tfidf"].ours["p"] == 1  # words counted are the same in any order
    said = {claim.said: claim.holds for claim in panel.claims}
    assert len(said) == 3  # the paper says nothing of what S-BERT begins with
    assert "S-BERT does worse with its sections in another order" in said
    assert said["CoLDE does as well with its sections in another order"] is True


def test_pairs_are_told_as_the_encoder_tells_them(work: Work, folder: Path) -> None:
    tiny.placed(folder / "tiny", chunk_tokens=8).save(folder / "given")
    given = Work(work.data, folder / "other", work.settings, trained={f"CoLDE@{NAME}": folder / "given"})
    form = Form(shuffle_sections=3)
    pairs = Pairs(given, NAME)
    row = pairs._row("CoLDE", ())
    found = pairs._scored(row, colde_models.of_form(pairs.whole, form))
    encoder = colde_models.encoder_of(row)
    np.testing.assert_allclose(
        found.scores, encoder_scores(encoder, load_pair_set(work.data / NAME, form=form)), atol=2e-3
    )


def test_pairs_of_train_are_not_scored_and_change_no_figure(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs, row = Pairs(work, NAME), Row("tfidf")
    asked: list[str] = []

    def noted(rows: Sequence[Row], given: PairSet, *others: Plan, report: Report) -> list[Scored]:
        asked.extend(pair.split for pair in given.pairs)
        return score(rows, given, *others, report=report)

    monkeypatch.setattr(colde_models, "score", noted)
    found = pairs._tell(row, Form())
    assert set(asked) == {"valid", "test"}
    every = colde_models.of_form(pairs.whole, Form())
    expected = judge(score([row], every)[0], every)
    assert found["figures"] == expected.test.rounded() and found["valid"] == expected.valid.rounded()
    assert found["right"] == [int(one) for one in expected.right]


def test_sets_and_models_that_are_not_there_are_skipped(work: Work, tmp_path: Path) -> None:
    lost = Work(tmp_path, tmp_path / "cache", work.settings)
    makers = (colde.matching, colde.batches, colde.lengths, colde.shuffled)
    for make in makers:
        panel, rows = rows_of(make(lost))
        assert rows == {} and "Expected pairs.tsv in the set acl-long" in panel.skipped[0].why
