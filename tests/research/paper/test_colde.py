"""CoLDE's table 2 and its figures, what is trained for them, and the three documents that are shown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from engine.compare import LevelGrid, ReadDocument, Words, compare
from engine.core import config
from engine.core.errors import EvaluationError
from engine.core.progress import Report
from engine.documents import Document, Section
from engine.encoders.colde import ColdeEncoder
from engine.research.matchers import trainer
from engine.research.matching.judging import Scored, judge
from engine.research.matching.pair_set import Form, PairSet, load_pair_set
from engine.research.matching.rows import Row
from engine.research.matching.scoring import Plan, encoder_scores, score
from engine.research.measures import three_documents
from engine.research.paper import colde, colde_models
from engine.research.paper.colde_models import ABLATIONS, Pairs
from engine.research.paper.levels import (
    Cell,
    LevelGrids,
    candidates,
    draw_levels,
    draw_words,
    key_words_of,
    level_grids,
    middle,
    nearest_cells,
    section_of,
)
from engine.research.paper.settings import PaperSettings
from engine.research.paper.tables import Line, Panel, Table
from engine.research.paper.work import Work
from engine.search import Vocabulary
from engine.training.colde import trainer as colde_trainer
from engine.training.long_corpus import body_of
from tests.encoders.colde import tiny
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.research.matching.small_pairs import write_pairs


def paper(name: str, subject: str, *, headings: tuple[str, str] = ("1 Introduction", "II. Related Work.")) -> Document:
    """A paper about a subject of the contract's corpus."""
    seed = sum(map(ord, name))
    sections = [Section(title, tiny.words(subject, 24, seed=seed + place)) for place, title in enumerate(headings)]
    return Document(
        name,
        title=f"On {subject} in {name}",
        sections=(*sections, Section("Method", tiny.words(subject, 16, seed=seed + 7))),
    )


def documents() -> list[Document]:
    """Seven papers, of which "f" has no related work."""
    subjects = {"a": "steam", "b": "steam", "c": "protein", "d": "steam", "e": "steam", "g": "protein"}
    made = [paper(name, subject) for name, subject in subjects.items()]
    return [*made, paper("f", "steam", headings=("Introduction", "Proof"))]


ROWS = (
    "a\tb\t1\ttest",
    "a\tc\t0\ttest",
    "d\te\t1\ttest",
    "d\tc\t0\ttest",
    "f\tb\t1\ttest",
    "f\tc\t0\ttest",
    "b\td\t1\ttrain",
)


def papers_set(folder: Path, rows: tuple[str, ...] = ROWS) -> PairSet:
    """The set with whole documents, in a folder."""
    write_pairs(folder, rows, documents())
    return load_pair_set(folder, form=None)


def tiny_encoder(folder: Path) -> ColdeEncoder:
    """An encoder that cuts a section of these papers into several chunks."""
    write_tiny_transformer(folder / "tiny")
    return tiny.placed(folder / "tiny")


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


@pytest.fixture
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


@pytest.mark.usefixtures("quick")
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


@pytest.mark.usefixtures("quick")
def test_a_set_takes_long_only_where_it_is_asked_for(work: Work, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(colde, "_BEYOND", ("bm25", "compare"))
    careful = Work(work.data, work.cache, settings(folder, "colde.read_sets=[]", "colde.matcher_sets=[]"))
    panel, rows = rows_of(colde.matching(careful))
    why = {one.name: one.why for one in panel.skipped}
    assert set(rows) == {"bm25"}
    assert "Expected acl-long among the sets that CoLDE is trained on" in why["CoLDE"]
    assert all(why[name].endswith("Add it to colde.matcher_sets.") for name in ("DSSM", "S-BERT"))
    assert "add it to colde.read_sets" in why["compare"]


@pytest.mark.usefixtures("quick")
def test_rows_are_left_out_by_name_by_set_and_as_those_whose_transformer_learns(work: Work, folder: Path) -> None:
    left_out = f'colde.leave_out=["CoLDE", "DSSM@{NAME}", "bm25@elsewhere", "learnt"]'
    given = Work(work.data, work.cache, settings(folder, f'colde.learnt_sets=["{NAME}"]', left_out))
    panel, rows = rows_of(colde.matching(given))
    assert list(rows) == ["S-BERT", "CoLDE-Aug", "CoLDE-LSTM", "CoLDE-CL", "bm25"]
    assert [one.name for one in panel.skipped if one.why == "asked to be left out"] == ["DSSM", "CoLDE"]


@pytest.mark.usefixtures("quick")
def test_s_bert_learns_for_as_many_epochs_as_its_set_is_given(work: Work, folder: Path) -> None:
    given = Work(work.data, work.cache, settings(folder, f"colde.sbert_epochs_of.{NAME}=2"))
    Pairs(given, NAME).told("S-BERT")
    curves = given.encoders.glob(f"S-BERT@{NAME}-*-run/curve.json")
    assert 2 in {len(json.loads(curve.read_text())) for curve in curves}


@pytest.mark.usefixtures("quick")
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


@pytest.mark.usefixtures("quick")
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


@pytest.mark.usefixtures("quick")
def test_the_paper_s_figures_stand_beside_the_models_that_learn_whole(work: Work, folder: Path) -> None:
    given = Work(work.data, work.cache, settings(folder, f'colde.learnt_sets=["{NAME}"]'))
    panel, rows = rows_of(colde.matching(given))
    assert list(rows)[-4:] == [f"{name} learnt" for name in ABLATIONS]
    assert rows["CoLDE learnt"].theirs["accuracy"] == 0.742 and rows["CoLDE"].theirs == {}
    assert rows["CoLDE learnt"].facts["fingerprint"] != rows["CoLDE"].facts["fingerprint"]
    assert [claim.said.partition(" ahead")[0] for claim in panel.claims] == ["CoLDE learnt"] * 2
    assert panel.claims[1].figures.endswith("of 3")


@pytest.mark.usefixtures("quick")
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


@pytest.mark.usefixtures("quick")
def test_figure_8_holds_both_orders_against_what_the_paper_says(work: Work) -> None:
    panel, rows = rows_of(colde.shuffled(work))
    assert set(rows) == {"CoLDE", "tfidf", "DSSM", "S-BERT"}
    assert all(0 <= line.ours["p"] <= 1 for line in rows.values())
    assert rows["tfidf"].ours["p"] == 1  # words counted are the same in any order
    said = {claim.said: claim.holds for claim in panel.claims}
    assert len(said) == 3  # the paper says nothing of what S-BERT begins with
    assert "S-BERT does worse with its sections in another order" in said
    assert said["CoLDE does as well with its sections in another order"] is True


@pytest.mark.usefixtures("quick")
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


@pytest.mark.usefixtures("quick")
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


@pytest.mark.usefixtures("quick")
def test_sets_and_models_that_are_not_there_are_skipped(work: Work, tmp_path: Path) -> None:
    lost = Work(tmp_path, tmp_path / "cache", work.settings)
    makers = (colde.matching, colde.batches, colde.lengths, colde.shuffled)
    for make in makers:
        panel, rows = rows_of(make(lost))
        assert rows == {} and "Expected pairs.tsv in the set acl-long" in panel.skipped[0].why


def named(folder: Path, rows: tuple[str, ...] = ROWS) -> tuple[list[str], int]:
    pairs = papers_set(folder, rows)
    found = candidates(pairs)
    return ["".join(pairs.documents[place].id for place in one) for one in found.triples], found.asked


def test_a_query_comes_with_its_first_related_and_unrelated_document(tmp_path: Path) -> None:
    assert named(tmp_path) == (["abc", "dec"], 3)  # "f" has no related work


def test_a_pair_of_any_split_that_relates_the_other_two_rules_them_out(tmp_path: Path) -> None:
    rows = (*ROWS, "b\tc\t1\ttrain", "a\tg\t0\ttest")
    assert named(tmp_path, rows)[0] == ["abg", "dec"]


def test_a_set_without_such_documents_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"sections abstract, claims; got none of 3\. Name other sections"):
        candidates(papers_set(tmp_path), ("abstract", "claims"))


def test_a_heading_is_found_behind_its_number_and_only_with_text() -> None:
    sections = [Section("Introduction", " "), Section("1. INTRODUCTION", "x"), Section("IV Related works", "y")]
    document = Document("a", sections=tuple(sections))
    assert (section_of(document, "introduction"), section_of(document, "Related Work")) == (1, 2)
    assert section_of(document, "method") is None


def test_the_median_is_the_lower_of_two_and_the_first_of_equals() -> None:
    assert middle([0.4, 0.1, 0.3]) == 2
    assert middle([0.4, 0.1, 0.3, 0.2]) == 3
    assert middle([0.2, 0.2, 0.2]) == 1


PARTS = {"I": 0, "RW": 1}


@cache
def words() -> Words:
    return Words.shipped()


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> ColdeEncoder:
    return tiny_encoder(tmp_path_factory.mktemp("grids"))


@pytest.fixture(scope="module")
def grids(encoder: ColdeEncoder) -> LevelGrids:
    return level_grids([body_of(one) for one in documents()[:3]], encoder, words(), parts=[PARTS] * 3)


def test_every_level_has_the_numbers_of_the_comparison(grids: LevelGrids, encoder: ColdeEncoder) -> None:
    a, c = (ReadDocument.read(body_of(documents()[place]), encoder, words()) for place in (0, 2))
    found = compare(a, c)
    assert grids.documents.names == ("D1", "D2", "D3")
    assert grids.documents.values[0, 2] == grids.shown.values[2, 0] == found.score
    assert grids.sections.names == ("I1", "RW1", "I2", "RW2", "I3", "RW3")
    np.testing.assert_array_equal(grids.sections.values[:2, 4:], found.sections.across[:2, :2])
    np.testing.assert_array_equal(grids.sections.values[:2, :2], found.sections.within_a[:2, :2])
    np.testing.assert_array_equal(grids.chunks.values, grids.chunks.values.T)
    shown = [[place for place, chunk in enumerate(one.long.chunks) if chunk.part < 2] for one in (a, c)]
    owners = np.array(grids.chunks.owners)
    block = grids.chunks.values[np.ix_(owners == 0, owners == 2)]
    np.testing.assert_array_equal(block, found.chunks.across[np.ix_(*shown)])
    assert grids.chunks.names[:2] == ("I1.1", "I1.2")


def test_cells_are_of_two_documents_and_name_what_both_say(grids: LevelGrids) -> None:
    owners, names = grids.chunks.owners, grids.chunks.names
    assert len(grids.key_words) == len(names)
    assert all(owners[one.row] < owners[one.column] for one in grids.cells)
    counts = [owners.count(number) for number in range(3)]
    assert len(grids.cells) == counts[0] * counts[1] + counts[0] * counts[2] + counts[1] * counts[2]
    steam = [one for one in grids.cells if owners[one.column] == 1]
    assert any(set(one.shared) & {"boiler", "piston", "steam", "valve", "crank", "cylinder"} for one in steam)
    value = grids.as_json()
    assert value["cells"][0].keys() == {"a", "b", "similarity", "shared"}
    assert value["key words"].keys() == set(names)


def test_key_words_are_frequent_in_the_text_and_rare_elsewhere_but_known() -> None:
    vocabulary = Vocabulary({"boiler": 100, "crank": 10, "water": 10_000, "lagus": 1}, 50_000)
    text = "The boiler and boilers. A crank, the water, water and water, said Lagus."
    assert key_words_of(text, vocabulary) == ("boiler", "crank", "water")
    assert key_words_of(text, vocabulary, most=1) == ("boiler",)


OWNERS = (0, 0, 1, 1, 1, 2)
NAMES = ("I1.1", "RW1.1", "I2.1", "I2.2", "RW2.1", "I3.1")


def drawn_grids() -> LevelGrids:
    values = np.random.default_rng(2).random((6, 6)).round(4)
    values = (values + values.T) / 2
    documents = LevelGrid(("D1", "D2", "D3"), (0, 1, 2), np.eye(3))
    sections = LevelGrid(("I1", "RW1", "I2", "RW2", "I3"), (0, 0, 1, 1, 2), np.full((5, 5), 0.5))
    cells = [
        Cell(row, column, float(values[row, column]), ("valve",))
        for row in range(6)
        for column in range(row + 1, 6)
        if OWNERS[row] != OWNERS[column]
    ]
    words = tuple((f"word{place}", "valve") for place in range(6))
    return LevelGrids(documents, documents, sections, LevelGrid(NAMES, OWNERS, values), words, tuple(cells))


def test_figure_4_has_every_part_and_its_legend() -> None:
    picture = draw_levels(drawn_grids(), ["D1: one & two", "D2: other"]).decode()
    assert picture == draw_levels(drawn_grids(), ["D1: one & two", "D2: other"]).decode()
    assert all(f">{name}<" in picture for name in ("D3", "RW2", *NAMES))
    assert "D1: one &amp; two" in picture and ">0.50<" in picture


def test_figure_5_names_what_chunks_speak_of() -> None:
    picture = draw_words(drawn_grids(), ["D1: one"]).decode()
    assert picture == draw_words(drawn_grids(), ["D1: one"]).decode()
    assert all(f">{name}: word{place}, valve<" in picture for place, name in enumerate(NAMES))


def test_a_chunk_of_the_first_document_meets_the_nearest_of_each_other() -> None:
    found = nearest_cells(drawn_grids())
    assert [(one.row, OWNERS[one.column]) for one in found] == [(0, 1), (0, 1), (0, 2), (1, 1), (1, 1), (1, 2)]
    values = drawn_grids().chunks.values
    assert {one.column for one in found[:2]} == set((np.argsort(-values[0, 2:5])[:2] + 2).tolist())


def test_the_page_shows_the_query_with_the_median_similarity(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    papers_set(tmp_path / "data" / "ours")
    encoder = tiny_encoder(tmp_path)
    encoder.save(tmp_path / "colde")
    line = ["--data", str(tmp_path / "data"), "--set", "ours", "--encoder", str(tmp_path / "colde")]
    three_documents.main([*line, "--cache", str(tmp_path / "kept"), "--save", str(tmp_path / "out" / "three.json")])
    value = json.loads((tmp_path / "out" / "three.json").read_text())
    held = {one.id: body_of(one) for one in load_pair_set(tmp_path / "data" / "ours", form=None).documents}
    levels = {name: encoder.levels(encoder.read([held[name]])[0]) for name in "abde"}
    near = {one[0]: encoder.similarity(levels[one[0]], levels[one[1]]) for one in ("ab", "de")}
    query = min(near, key=lambda name: near[name])  # the lower of two is their median
    assert [one["id"] for one in value["three"]] == [query, {"a": "b", "d": "e"}[query], "c"]
    assert value["three"][0]["title"] == f"On steam in {query}"
    assert value["picked"]["similarity of the query to its related document"] == pytest.approx(near[query], abs=2e-3)
    assert (value["picked"]["queries of test pairs"], value["picked"]["queries to pick from"]) == (3, 2)
    page = (tmp_path / "out" / "three.md").read_text()
    assert capsys.readouterr().out == page + "\n"
    for number in (4, 5):
        assert f"(three-colde-{number}.svg)" in page
        assert (tmp_path / "out" / f"three-colde-{number}.svg").read_bytes().startswith(b"<?xml")
    assert f"* D1, the query: On steam in {query} ({query})" in page
    assert "python -m engine.research three_documents --data DIR --set ours" in page


def test_other_sections_are_asked_for_by_their_titles(tmp_path: Path) -> None:
    papers_set(tmp_path / "data" / "ours")
    tiny_encoder(tmp_path).save(tmp_path / "colde")
    line = ["--data", str(tmp_path / "data"), "--set", "ours", "--encoder", str(tmp_path / "colde")]
    with pytest.raises(EvaluationError, match="sections proof, method; got none"):
        three_documents.main([*line, "--headings", "proof", "method"])
    with pytest.raises(EvaluationError, match="Expected two titles with other initials"):
        three_documents.main([*line, "--headings", "method", "materials"])
    three_documents.main([*line, "--headings", "introduction", "method", "--save", str(tmp_path / "three.json")])
    assert json.loads((tmp_path / "three.json").read_text())["sections"]["names"][:2] == ["I1", "M1"]
