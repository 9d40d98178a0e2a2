"""GloVe: the loss by hand, a step as torch's own AdaGrad takes it, and the command that trains it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import torch

from engine.core.errors import NotFittedError
from engine.encoders import Word2vecMeanEncoder, WordVectors, registry
from engine.research.baselines import glove
from engine.research.baselines.glove import GloveRecipe, Model, Pairs, SparseAdagrad, number_words
from engine.research.train import RECIPES, main
from engine.training import runs
from tests.contracts.encoder import SUBJECTS, corpus
from tests.evaluation.small import write_table

SMALL = GloveRecipe(corpora=("ours",), dim=8, window=5, epochs=20, batch_pairs=64, min_count=2, learning_rate=0.2)


@pytest.mark.parametrize("at_once", [7, 10_000])
def test_counts_are_those_of_plain_loops(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(glove, "_TOKENS_AT_ONCE", at_once)
    read = number_words((document.text for document in corpus()[:6]), min_count=1, keep_words=99)
    expected = np.zeros((len(read.words), len(read.words)))
    for start, stop in zip(read.starts, read.starts[1:], strict=False):
        for one in range(start, stop):
            for other in range(one + 1, min(one + 5, stop)):
                expected[read.ids[one], read.ids[other]] += 1 / (other - one)
                expected[read.ids[other], read.ids[one]] += 1 / (other - one)
    np.testing.assert_allclose(glove.count(read, 4).toarray(), expected, rtol=1e-5)


def test_words_of_two_texts_do_not_meet() -> None:
    read = number_words(["a b", "c"], min_count=1, keep_words=9)
    counts = glove.count(read, 10).toarray()
    assert counts.tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize(("start", "least"), [(0.0, 1e-10), (1.0, 0.0)])
def test_steps_are_torchs_and_only_touched_rows_move(start: float, least: float) -> None:
    random = np.random.default_rng(1)
    rows = random.standard_normal((6, 5)).astype(np.float32)
    theirs = torch.from_numpy(rows.copy()).requires_grad_()
    before = rows.copy()
    ours = SparseAdagrad(rows, 0.1, start=start, least=least)
    optimizer = torch.optim.Adagrad([theirs], lr=0.1, initial_accumulator_value=start, eps=least)
    for _ in range(4):
        touched = np.array([[4, 1], [1, 1]])
        for place in (1, 4):
            ours.gradients[place] += random.standard_normal(5).astype(np.float32)
        theirs.grad = torch.from_numpy(ours.gradients.copy())
        ours.step(touched[0], touched[1])
        optimizer.step()
        assert not ours.gradients.any()
    torch.testing.assert_close(torch.from_numpy(rows), theirs.detach(), rtol=1e-5, atol=1e-6)
    assert (rows[[0, 2, 3, 5]] == before[[0, 2, 3, 5]]).all() and (rows[[1, 4]] != before[[1, 4]]).all()


OURS, THEIRS = torch.tensor([0, 0, 1, 2]), torch.tensor([1, 2, 0, 1])
TOGETHER = torch.tensor([4.0, 0.5, 4.0, 200.0])


def test_the_loss_is_the_papers() -> None:
    model = Model(3, SMALL)
    expected = []
    for one, other, together in zip(OURS.tolist(), THEIRS.tolist(), TOGETHER.tolist(), strict=True):
        ours, theirs = model.sides[0][one].tolist(), model.sides[1][other].tolist()
        product = sum(a * b for a, b in zip(ours[:-1], theirs[:-1], strict=True))
        weight = min(1.0, (together / 10) ** 0.75)
        expected.append(weight * (product + ours[-1] + theirs[-1] - np.log(together)) ** 2)
    np.testing.assert_allclose(model.losses(OURS, THEIRS, TOGETHER).numpy(), expected, rtol=1e-5)


def test_a_step_is_adagrads() -> None:
    ours, theirs = Model(3, SMALL), Model(3, SMALL)
    theirs.sides = [side.requires_grad_() for side in theirs.sides]
    optimizer = torch.optim.Adagrad(theirs.sides, lr=0.2, initial_accumulator_value=1.0, eps=0.0)
    for _ in range(3):
        ours.step(OURS, THEIRS, TOGETHER)
        optimizer.zero_grad()
        (theirs.losses(OURS, THEIRS, TOGETHER).sum() / 2).backward()
        optimizer.step()
    for side, expected in zip(ours.sides, theirs.sides, strict=True):
        torch.testing.assert_close(side, expected.detach(), rtol=1e-5, atol=1e-6)


def mixed() -> list[str]:
    """Texts of one subject with a word of another now and then: GloVe learns from words that meet, often or seldom."""
    drawn = np.random.default_rng(2)
    words = [subject.split() for subject in SUBJECTS.values()]
    return [
        " ".join(drawn.choice(words[drawn.choice(4) if drawn.random() < 0.2 else number % 4]) for _ in range(40))
        for number in range(60)
    ]


def test_words_of_one_subject_come_out_near_and_the_same_again() -> None:
    trained, again = (glove.train(mixed(), SMALL) for _ in range(2))
    np.testing.assert_array_equal(trained.vectors, again.vectors)
    assert trained.vectors.shape == (len(trained.words), 8)
    assert (trained.documents, trained.tokens) == (60, 2400)
    unit = trained.vectors / np.linalg.norm(trained.vectors, axis=1, keepdims=True)
    place = {word: number for number, word in enumerate(trained.words)}
    steam, gene = ([place[word] for word in SUBJECTS[name].split()] for name in ("steam", "protein"))
    assert (unit[steam] @ unit[steam].T).mean() > (unit[steam] @ unit[gene].T).mean() + 0.3


def test_products_come_to_give_the_counts() -> None:
    read = number_words(mixed(), min_count=1, keep_words=99)
    pairs = Pairs.of(glove.count(read, 5))
    recipe = dataclasses.replace(SMALL, dim=40)
    model = Model(len(read.words), recipe)
    every = [torch.from_numpy(part) for part in (pairs.ours.astype(int), pairs.theirs.astype(int), pairs.together)]
    before = model.losses(*every).mean()
    for batch in glove._batches(pairs, recipe):
        model.step(*(torch.from_numpy(part) for part in batch))
    assert model.losses(*every).mean() < before / 20


def test_pairs_that_count_too_little_are_left_out() -> None:
    recipe = dataclasses.replace(SMALL, least_together=1e6)
    with pytest.raises(NotFittedError, match="Expected words that stand near each other to train on, got none"):
        glove.train(["a a a b b b"], recipe)


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"dim": 0, "epochs": 0}, "dim must be at least 1, got 0; epochs must be at least 1"),
        ({"exponent": 0.0, "learning_rate": -1.0}, "exponent must be above 0, got .*; learning_rate must be above 0"),
        ({"least_together": -1.0}, "least_together must be 0 or more"),
        ({"corpora": ()}, "at least one corpus"),
    ],
)
def test_a_recipe_out_of_range_is_refused(changed: dict[str, object], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        GloveRecipe(**{"corpora": ("ours",), **changed})  # type: ignore[arg-type]


def test_the_command_writes_word_vectors_that_are_read_as_their_mean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data" / "ours").mkdir(parents=True)
    write_table(tmp_path / "data" / "ours" / "corpus.parquet", corpus())
    monkeypatch.setattr(runs.Recipes, "load", lambda recipes, name, settings: SMALL)
    main(["glove-full", "--data", str(tmp_path / "data"), "--out", str(tmp_path / "out")])
    vectors = WordVectors.load(tmp_path / "out")
    assert (vectors.card.name, vectors.card.dim, vectors.trained_on) == ("glove", 8, ("ours",))
    assert vectors.facts["recipe"]["most_weighed"] == 10
    assert "agree" in vectors.facts["repeatable"]
    encoder = registry.load_folder(tmp_path / "out")
    assert isinstance(encoder, Word2vecMeanEncoder)
    assert encoder.encode_documents(corpus()).any(axis=1).all()


def test_the_shipped_recipe_reads_what_word2vecs_does() -> None:
    recipe, other = RECIPES.load("glove-full"), RECIPES.load("word2vec-full")
    assert isinstance(recipe, GloveRecipe)
    assert (recipe.corpora, recipe.dim, recipe.window) == (other.corpora, other.dim, other.window)
