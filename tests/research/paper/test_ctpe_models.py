"""The models of CTPE's tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import ConfigError, EvaluationError, InputError
from engine.encoders import Word2vecMeanEncoder, WordVectors, registry
from engine.encoders.ctpe import WordEmbeddings
from engine.evaluation import load_benchmark
from engine.research.paper import ctpe, ctpe_models
from engine.research.paper import work as works
from engine.research.paper.ctpe_models import (
    FULL,
    GLOVE,
    GLOVE_FULL,
    OWN,
    RANDOM,
    SENTENCES,
    SUBWORDS,
    Average,
    Models,
    drawn,
)
from engine.research.paper.work import Work
from engine.training import Recipes
from engine.training.ctpe import trainer
from tests.contracts.encoder import EMPTY, corpus
from tests.encoders.test_word_vectors import by_subject
from tests.research.paper.small_ctpe import NAME, rows_of, small_work

pytestmark = pytest.mark.usefixtures("few_words")


def test_a_training_that_was_stopped_goes_on(ctpe_work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctpe_models, "score", None)
    with pytest.raises(TypeError):
        Models(ctpe_work, ctpe_work.benchmark(NAME)).ctpe("CTPE")
    monkeypatch.undo()
    by_subject().save(tmp_path / "pretrained" / "word2vec")
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path / "pretrained")
    cell = Models(ctpe_work, ctpe_work.benchmark(NAME)).ctpe("CTPE")
    other = small_work(tmp_path, cache="others")
    again = Models(other, other.benchmark(NAME)).ctpe("CTPE")
    assert (again.fingerprint, again.metrics, again.epochs) == (cell.fingerprint, cell.metrics, 2)


def test_own_random_and_subword_vectors_are_made_once(ctpe_work: Work) -> None:
    models = Models(ctpe_work, ctpe_work.benchmark(NAME))
    own = models.average(OWN)
    assert own.metrics["nDCG@10"] > 0.5
    others = [models.average(name) for name in (RANDOM, SUBWORDS, GLOVE)]
    assert len({own.fingerprint, *(one.fingerprint for one in others)}) == 4
    assert others[1].metrics["nDCG@10"] > 0.5
    assert models.average(OWN) == own


def test_glove_on_all_text_is_given_or_trained_once(
    ctpe_work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_subject().save(tmp_path / "all")
    given = Work(ctpe_work.data, ctpe_work.cache, ctpe_work.settings, trained={"glove-full": tmp_path / "all"})
    assert Models(given, given.benchmark(NAME)).average("GloVe(full)").metrics["nDCG@10"] > 0.5
    plain = WordVectors.load(tmp_path / "all")
    WordVectors(plain.words, plain.vectors[::-1], plain.counts, plain.tokens).save(tmp_path / "others")
    others = Work(ctpe_work.data, ctpe_work.cache, ctpe_work.settings, trained={"glove-full": tmp_path / "others"})
    cells = [Models(one, one.benchmark(NAME)).average("GloVe(full)") for one in (given, others)]
    assert cells[0].fingerprint != cells[1].fingerprint
    with pytest.raises(InputError, match="arxiv-abstracts"):  # the recipe's corpora are not among the data
        ctpe_work.train_words("glove-full")
    monkeypatch.setattr(works, "RECIPES", Recipes(works.RECIPES.methods, (tmp_path,)))
    recipe = f'method = "glove"\ncorpora = ["{NAME}"]\nepochs = 2\ndim = 8\nmin_count = 1\nseed = 7\n'
    (tmp_path / "glove-full.toml").write_text(recipe)
    folder = ctpe_work.train_words("glove-full")
    facts = WordVectors.load(folder).facts
    assert facts["recipe"]["corpora"] == [NAME] and facts["recipe"]["seed"] == ctpe_work.settings.seed
    written = (folder / "card.json").stat().st_mtime_ns
    _, rows = rows_of(ctpe.retrieval(ctpe_work, "ctpe-2"))
    assert "glove-full" in rows
    assert ctpe_work.train_words("glove-full") == folder and (folder / "card.json").stat().st_mtime_ns == written


def test_settings_of_word_vectors_change_own_ones_and_those_of_all_text(
    ctpe_work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in ("word2vec", "glove"):
        recipe = f'method = "{kind}"\ncorpora = ["{NAME}"]\nepochs = 2\ndim = 8\nmin_count = 1\n'
        (tmp_path / f"{kind}-full.toml").write_text(recipe)
    monkeypatch.setattr(works, "RECIPES", Recipes(works.RECIPES.methods, (tmp_path,)))
    given = ['ctpe.word2vec=["epochs=1", "dim=5"]', 'ctpe.glove=["epochs=1", "dim=6"]']
    usual, changed = (
        Models(one, one.benchmark(NAME)) for one in (ctpe_work, small_work(tmp_path, *given, cache="changed"))
    )
    assert usual.words(FULL) == registry.PRETRAINED / "word2vec"
    for embedding, dim in ((OWN, 5), (FULL, 5), (GLOVE, 6), (GLOVE_FULL, 6)):
        assert WordVectors.load(changed.words(embedding)).card.dim == dim
    assert changed.words(OWN).name != usual.words(OWN).name
    assert changed.words(RANDOM).name == usual.words(RANDOM).name
    assert changed.words(SENTENCES) == usual.words(SENTENCES) == registry.PRETRAINED / "word2vec"
    by_name = Work(ctpe_work.data, ctpe_work.cache, ctpe_work.settings, trained={"word2vec-full": tmp_path / "mine"})
    assert Models(by_name, by_name.benchmark(NAME)).words(FULL) == tmp_path / "mine"
    wrong = small_work(tmp_path, 'ctpe.glove=["epoch=1"]', cache="wrong")
    with pytest.raises(ConfigError, match="unknown key epoch"):
        Models(wrong, wrong.benchmark(NAME)).words(GLOVE)


def test_drawn_vectors_are_uniform(ctpe_work: Work) -> None:
    drawn_words = WordVectors.load(Models(ctpe_work, ctpe_work.benchmark(NAME)).words(RANDOM)).vectors.astype(float)
    assert -1 <= drawn_words.min() < -0.9 and 0.9 < drawn_words.max() <= 1
    assert drawn_words.std() == pytest.approx(3**-0.5, abs=0.05)


def test_one_process_trains(ctpe_work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trainer, "train", lambda *_, **__: None)
    with pytest.raises(EvaluationError, match="Expected one process to train these tables, got several"):
        Models(ctpe_work, ctpe_work.benchmark(NAME)).ctpe("CTPE")


def test_fewer_documents_are_drawn_evenly_and_queries_stay_held_out(ctpe_work: Work, tmp_path: Path) -> None:
    folder = drawn(ctpe_work.data / NAME, tmp_path / "drawn", 10)
    whole = ctpe_work.benchmark(NAME).corpus
    (folder / NAME / "qrels.tsv").write_text("q-steam\tsteam0\t1\n")
    fewer = load_benchmark(folder / NAME)
    assert [document.id for document in fewer.corpus] == [document.id for document in whole[::4]]
    assert (folder / NAME / "queries.parquet").exists()
    less = small_work(tmp_path, "ctpe.documents=10", cache="fewer")
    assert Models(less, less.benchmark(NAME)).ctpe("CTPE").epochs == 2


def test_the_average_is_that_of_the_encoder_of_word_means() -> None:
    documents = [*corpus(), EMPTY]
    words = by_subject()
    rows = Average(WordEmbeddings.of(words), 100_000).encode_documents(documents)
    wanted = np.asarray(Word2vecMeanEncoder(words).encode_documents(documents))
    np.testing.assert_allclose(rows, wanted, atol=2e-3)
    assert not rows[-1].any()
