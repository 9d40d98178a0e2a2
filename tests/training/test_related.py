"""Documents that belong together: what a step draws of them, from one source or several, and who is no stranger."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import torch

from engine.core.config import from_mapping
from engine.core.errors import InputError, TrainingError
from engine.encoders.ctpe import PairNetwork, WordEmbeddings
from engine.training.cdssm.trainer import WordCorpus
from engine.training.ctpe.corpus import PairTokens, Sampling
from engine.training.ctpe.recipe import CtpeRecipe
from engine.training.ctpe.trainer import PairTask
from engine.training.loop import Processes
from engine.training.related import RelatedDocuments, RelatedPairs, related_pairs, subject_groups
from engine.training.settings import RelatedFile, RelatedSettings
from tests.training.small import cdssm_recipe as recipe

WORDS, DIM = 30, 4
STEPS = [(1, epoch, step) for epoch in range(4) for step in range(100)]


def tokens() -> PairTokens:
    """Six documents of each of five subjects, the fifth of another corpus, then three of one and two of none."""
    generator = np.random.default_rng(2)
    subjects = [f"ours\t{name}" for name in "abcd" for _ in range(6)] + ["theirs\te"] * 6 + ["ours\tf"] * 3 + [""] * 2
    halves = [
        (generator.integers(0, WORDS, 1 + i % 4).tolist(), generator.integers(0, WORDS, 3 + i % 5).tolist())
        for i in range(len(subjects))
    ]
    held = PairTokens.of(halves, [f"d{i}" for i in range(len(subjects))])
    return PairTokens(held.flat, held.starts, held.cuts, held.names, subjects)


def settings(**more: object) -> RelatedSettings:
    values = {"share": 0.5, "batch": 3, "subjects": ("ours",), **more}
    return RelatedSettings(**values)  # type: ignore[arg-type]


def documents(folder: Path, **more: object) -> RelatedDocuments:
    (folder / "ours").mkdir(exist_ok=True)
    rows = [f"d{i}\td{i + 1}" for i in range(0, 20, 2)]
    (folder / "ours" / "train-pairs.tsv").write_text("\n".join(["id-a\tid-b", *rows]))
    made = RelatedDocuments.of(settings(**more), folder, names=tokens().names, subjects=tokens().subjects)
    assert made is not None
    return made


def test_a_subject_is_a_set_of_categories_that_four_documents_of_a_named_corpus_carry() -> None:
    assert [group.tolist() for group in subject_groups(tokens().subjects, ["ours"])] == [
        list(range(start, start + 6)) for start in (0, 6, 12, 18)
    ]
    assert len(subject_groups(tokens().subjects, ["ours", "theirs"])) == 5
    assert subject_groups(tokens().subjects, []) == []


def test_no_two_rows_are_of_one_subject_and_no_row_has_a_document_twice(tmp_path: Path) -> None:
    held = tokens()
    drawn = [pairs for key in STEPS if (pairs := documents(tmp_path).draw(key)) is not None]
    assert 0.4 < len(drawn) / len(STEPS) < 0.6
    seen = set()
    for pairs in drawn:
        assert pairs.shape == (3, 2)
        assert (pairs[:, 0] != pairs[:, 1]).all()
        subjects = [[held.subjects[place] for place in pair] for pair in pairs]
        assert all(one == other for one, other in subjects)
        assert len({one for one, _ in subjects}) == 3
        seen |= set(pairs.ravel().tolist())
    assert seen == set(range(24))


def test_larger_groups_come_more_often_by_the_root_of_their_size() -> None:
    groups = [np.arange(4), np.arange(4, 40), np.arange(40, 140)]  # roots 2, 6 and 10
    made = RelatedDocuments(settings(share=1.0, batch=2), groups, np.empty((0, 2), np.int64))
    first = [pairs[0, 0] for key in STEPS if (pairs := made.draw(key)) is not None]
    shares = np.histogram(first, [0, 4, 40, 140])[0] / len(STEPS)
    assert shares == pytest.approx([2 / 18, 6 / 18, 10 / 18], abs=0.07)


def test_pairs_of_a_file_come_in_the_steps_that_subjects_leave(tmp_path: Path) -> None:
    made = documents(tmp_path, share=1.0, batch=4, files=(RelatedFile("ours"),), subject_share=0.7)
    assert made.counts == {"subjects": 4, "related_pairs": 10}
    drawn = [pairs.tolist() for key in STEPS if (pairs := made.draw(key)) is not None]
    known = made.pairs.tolist()
    of_files = [pairs for pairs in drawn if all(pair in known for pair in pairs)]
    assert 0.22 < len(of_files) / len(STEPS) < 0.38
    assert all(len({tuple(pair) for pair in pairs}) == 4 for pairs in of_files)
    only = documents(tmp_path, share=1.0, subjects=(), files=(RelatedFile("ours"),))
    assert all(pair in known for key in STEPS for pair in only.draw(key).tolist())  # type: ignore[union-attr]


def test_a_step_draws_the_same_again_and_another_step_something_else(tmp_path: Path) -> None:
    made = documents(tmp_path, share=1.0)
    first, again, step, epoch, seed = (
        made.draw(key) for key in ((1, 0, 0), (1, 0, 0), (1, 0, 1), (1, 1, 0), (2, 0, 0))
    )
    assert np.array_equal(first, again)  # type: ignore[arg-type]
    for other in (step, epoch, seed):
        assert not np.array_equal(first, other)  # type: ignore[arg-type]


def test_too_few_to_fill_a_batch_are_told(tmp_path: Path) -> None:
    told = r"at least 5 sets of categories with 4 documents in ours for related\.batch, got 4\. Lower related\.batch"
    with pytest.raises(InputError, match=told):
        documents(tmp_path, batch=5)
    told = r"at least 11 related pairs in ours/train-pairs\.tsv for related\.batch, got 10\. Lower related\.batch"
    with pytest.raises(InputError, match=told):
        documents(tmp_path, batch=11, subjects=(), files=(RelatedFile("ours"),))
    assert RelatedDocuments.of(RelatedSettings(), tmp_path, names=[], subjects=[]) is None


def test_related_pairs_are_those_of_documents_held(tmp_path: Path) -> None:
    (tmp_path / "ours").mkdir()
    table = tmp_path / "ours" / "train-pairs.tsv"
    table.write_text("id-a\tid-b\na\tb\nb\tzz\nc\tc\n")
    found = related_pairs([RelatedFile("ours")], tmp_path, ["a", "b", "c"])
    assert found.tolist() == [[0, 1]]
    assert related_pairs([], tmp_path, ["a"]).shape == (0, 2)


def test_only_train_pairs_of_a_judged_table_are_read(tmp_path: Path) -> None:
    (tmp_path / "ours").mkdir()
    rows = ["id-a\tid-b\tlabel\tsplit", "a\tb\t1\ttrain", "a\tc\t0\ttrain", "b\tc\t1\ttest"]
    (tmp_path / "ours" / "pairs.tsv").write_text("\n".join(rows))
    found = related_pairs([RelatedFile("ours", "pairs.tsv")], tmp_path, ["a", "b", "c"])
    assert found.tolist() == [[0, 1]]


def test_related_pairs_that_cannot_be_had_are_told(tmp_path: Path) -> None:
    (tmp_path / "ours").mkdir()
    table = tmp_path / "ours" / "train-pairs.tsv"
    with pytest.raises(InputError, match=r"Expected a table of related pairs at .*train-pairs\.tsv; there is none"):
        related_pairs([RelatedFile("ours")], tmp_path, ["a"])
    table.write_text("a\tb\n")
    with pytest.raises(InputError, match=r"Expected the columns id-a and id-b in train-pairs\.tsv, found a, b"):
        related_pairs([RelatedFile("ours")], tmp_path, ["a"])
    table.write_text("id-a\tid-b\nx\ty\n")
    with pytest.raises(InputError, match=r"in ours/train-pairs\.tsv, found none"):
        related_pairs([RelatedFile("ours")], tmp_path, ["a"])


def unit(row: list[float]) -> list[float]:
    length = math.sqrt(sum(x * x for x in row))
    return [x / length for x in row]


def task(draw: np.ndarray | None, **more: Processes) -> PairTask:
    values = {
        "data": {"corpora": ["ours"]},
        "schedule": {"epochs": 1},
        "objective": {"kind": "softmax"},
        "network": {"mean_dim": 4},
        "related": {"share": 0.5, "batch": 3, "weight": 0.7, "temperature": 0.3, "subjects": ["ours"]},
    }
    torch.manual_seed(1)
    rows = np.random.default_rng(3).normal(size=(WORDS, DIM)).astype(np.float32)
    weights = np.random.default_rng(4).normal(size=WORDS).astype(np.float32)
    embedding = WordEmbeddings([f"w{i}" for i in range(WORDS)], rows, log_weights=weights)
    examples = (tokens(), Sampling(batch=6, related=lambda key: draw))
    recipe = from_mapping(values, CtpeRecipe, origin="test")
    return PairTask(recipe, embedding, PairNetwork(DIM, 3, mean_dim=4), examples=examples, **more)


def whole_of(made: PairTask, document: int) -> list[float]:
    """unit(unit(f) + unit(b)) by plain loops over what the network gives for each half alone."""
    held, halves = tokens(), []
    for start, stop in ((held.starts[document], held.cuts[document]), (held.cuts[document], held.starts[document + 1])):
        ids = held.flat[start:stop], np.array([0, stop - start])
        halves.append(
            unit(made.network(*made.embedding.encode_ids(*ids), made.embedding.token_weights(*ids))[0].tolist())
        )
    return unit([x + y for x, y in zip(*halves, strict=True)])


def test_the_second_loss_is_the_plain_softmax_over_whole_documents() -> None:
    drawn = np.array([[0, 1], [6, 9], [12, 14], [1, 20]])  # the last shares a document with the first
    made = task(drawn)
    batch = made.batches(0)[0]
    one, other = ([whole_of(made, place) for place in side] for side in drawn.T)
    score = [[math.exp(sum(x * y for x, y in zip(u, v, strict=True)) / 0.3) for v in other] for u in one]
    rivals = [[{i, j} != {0, 3} for j in range(4)] for i in range(4)]
    total = 0.0
    for i in range(4):
        total -= math.log(score[i][i] / sum(score[i][j] for j in range(4) if rivals[i][j])) / 2
        total -= math.log(score[i][i] / sum(score[j][i] for j in range(4) if rivals[j][i])) / 2
    added = made.loss(batch).item() - task(None).loss(batch).item()
    assert added == pytest.approx(0.7 * total / 4, abs=1e-5)


def test_more_processes_than_related_pairs_are_refused() -> None:
    with pytest.raises(TrainingError, match=r"a pair for each of 4 processes in every batch, the smallest has 3\."):
        task(np.array([[0, 1]]), processes=Processes(0, 4))


KEYS = [(1, number, place) for number in range(2) for place in range(150)]


def corpus() -> WordCorpus:
    """Six documents of each of four subjects, then eight of none, the last two of one family."""
    subjects = [f"ours\t{name}" for name in "abcd" for _ in range(6)] + [""] * 8
    families = [""] * 30 + ["f"] * 2
    names = [f"d{place}" for place in range(32)]
    none = np.zeros(32, np.int32), np.arange(33)
    return WordCorpus(*none, ["word"], names, subjects, families, {})


def pairs(folder: Path, *settings: str) -> RelatedPairs:
    for name, joined in (("ours", [(24, 25), (25, 26), (24, 27), (28, 29)]), ("theirs", [(0, 24), (1, 30), (2, 31)])):
        (folder / name).mkdir(exist_ok=True)
        rows = [f"d{one}\td{other}" for one, other in joined]
        (folder / name / "train-pairs.tsv").write_text("\n".join(["id-a\tid-b", *rows]))
    files = "data.files=[{corpus = 'ours'}, {corpus = 'theirs'}]"
    given = recipe(folder, files, *settings)
    return RelatedPairs.of(given.data, corpus(), folder, batch=given.optimizer.batch)


def test_a_step_draws_from_one_source_by_its_share(tmp_path: Path) -> None:
    made = pairs(tmp_path, "data.subject_share=0.5")
    assert made.counts == {"subjects": 4, "related_pairs": 7}
    np.testing.assert_allclose(made.chances, [0.5, 0.5 * 4 / 7, 0.5 * 3 / 7])
    subjects, seen = corpus().subjects, []
    for key in KEYS:
        drawn = made.draw(key)
        assert drawn.pairs.shape == (3, 2)
        same = [subjects[one] and subjects[one] == subjects[other] for one, other in drawn.pairs]
        held = {frozenset(pair) for pair in drawn.pairs.tolist()}
        seen.append("subjects" if all(same) else "theirs" if held == {frozenset(p) for p in THEIRS} else "ours")
        if seen[-1] == "subjects":
            assert len({subjects[one] for one, _ in drawn.pairs}) == 3
    shares = [seen.count(name) / len(KEYS) for name in ("subjects", "ours", "theirs")]
    np.testing.assert_allclose(shares, made.chances, atol=0.08)


THEIRS = [(0, 24), (1, 30), (2, 31)]


def test_either_document_of_a_pair_may_ask(tmp_path: Path) -> None:
    made = pairs(tmp_path, "data.subjects=[]")
    asks = {tuple(pair) for key in KEYS for pair in made.draw(key).pairs.tolist()}
    assert {(24, 25), (25, 24), (0, 24), (24, 0)} <= asks


def test_of_several_sources_a_step_draws_the_same_again(tmp_path: Path) -> None:
    made = pairs(tmp_path)
    first, again, other = (made.draw(key).pairs for key in ((1, 0, 0), (1, 0, 0), (1, 0, 1)))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_documents_that_share_a_label_or_a_train_pair_are_no_strangers(tmp_path: Path) -> None:
    made = pairs(tmp_path)
    one, other = np.array([0, 24, 30, 28]), np.array([0, 5, 6, 25, 27, 31, 29])
    expected = [
        [True, True, False, False, False, False, False],  # itself, one of its subject, one of another
        [True, False, False, True, True, False, False],  # joined by train pairs
        [False, False, False, False, False, True, False],  # of its family
        [False, False, False, False, False, False, True],
    ]
    assert made.same_label(one, other).tolist() == expected
    assert made.same_label(other, one).tolist() == np.array(expected).T.tolist()
