"""Models of whole documents, Doc2vec, Doc2VecC and LDA: the contract, the arithmetic and what they make of topics."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
import torch

from engine.core.errors import NotFittedError, StorageError
from engine.documents import Document
from engine.encoders import storage
from engine.research.baselines import doc2vec, doc2vecc, lda
from engine.research.baselines.doc2vec import Doc2vecEncoder, Doc2vecSettings
from engine.research.baselines.doc2vecc import Batch, Doc2veccRecipe, Model, successes
from engine.research.baselines.glove import number_words
from engine.research.baselines.lda import LdaEncoder, LdaSettings
from tests.contracts.encoder import EMPTY, FOREIGN, SUBJECTS, FittedEncoderContract, corpus, fitted_once

PROJECT = Path(__file__).resolve().parents[3]


class TestContract(FittedEncoderContract):
    method = Doc2vecEncoder


def test_rows_are_a_hundred_wide_and_of_unit_length_and_none_without_a_known_word() -> None:
    rows = fitted_once(Doc2vecEncoder).encode_documents([*corpus(), EMPTY, FOREIGN])
    assert rows.shape[1] == 100
    np.testing.assert_allclose(np.linalg.norm(rows[:-2], axis=1), 1, atol=1e-5)
    assert not rows[-2:].any()


def test_a_row_is_the_same_in_another_process(tmp_path: Path) -> None:
    """Python salts the hash of a text in each process, and gensim starts its inference from that hash."""
    fitted_once(Doc2vecEncoder).save(tmp_path / "saved")
    script = (
        "import sys\nfrom pathlib import Path\nfrom engine.research.baselines.doc2vec import Doc2vecEncoder\n"
        "from tests.contracts.encoder import corpus\n"
        "rows = Doc2vecEncoder.load(Path(sys.argv[1])).encode_documents(corpus()[:3])\n"
        "sys.stdout.write(rows.tobytes().hex())\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "saved")],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "12345"},
    )
    assert run.stdout == fitted_once(Doc2vecEncoder).encode_documents(corpus()[:3]).tobytes().hex()


def test_other_settings_make_another_encoder_and_come_back_from_its_folder(tmp_path: Path) -> None:
    usual, other = fitted_once(Doc2vecEncoder), Doc2vecEncoder.fit(corpus(), Doc2vecSettings(window=10, epochs=2))
    assert usual.card.fingerprint != other.card.fingerprint
    other.save(tmp_path / "saved")
    again = Doc2vecEncoder.load(tmp_path / "saved")
    assert again.card == other.card
    np.testing.assert_array_equal(again.encode_documents(corpus()[:3]), other.encode_documents(corpus()[:3]))
    same = Doc2vecEncoder(again._words, *(again._arrays[name] for name in ("counts", "vectors", "outputs")))
    assert not np.array_equal(same.encode_documents(corpus()[:3]), other.encode_documents(corpus()[:3]))  # by window


def test_ctpes_settings_are_the_papers() -> None:
    assert (doc2vec.OF_CTPE.window, doc2vec.OF_CTPE.epochs, doc2vec.DIMENSIONS) == (10, 50, 100)
    with pytest.raises(ValueError, match="window and epochs must be at least 1, got 0 and 20"):
        Doc2vecSettings(window=0)


def test_words_that_come_up_once_teach_nothing() -> None:
    with pytest.raises(NotFittedError, match="one of them 2 times; got none"):
        Doc2vecEncoder.fit([Document(id="a", title="steam boiler"), Document(id="b", title="protein gene")])


def test_a_row_too_few_is_told(tmp_path: Path) -> None:
    good = Doc2vecEncoder(["a", "b"], np.array([3, 2]), np.ones((2, 4), np.float32), np.ones((2, 4), np.float32))
    arrays = {
        "counts": np.array([3, 2]),
        "vectors": np.ones((2, 4), np.float32),
        "outputs": np.ones((1, 4), np.float32),
    }
    settings = asdict(doc2vec.USUAL)
    fingerprint = storage.fingerprint_of(doc2vec.METHOD, arrays, ["a", "b"], settings=settings)
    card = replace(good.card, fingerprint=fingerprint)
    facts = {storage.SETTINGS: settings}
    storage.write(tmp_path / "saved", method=doc2vec.METHOD, card=card, arrays=arrays, words=["a", "b"], facts=facts)
    with pytest.raises(StorageError, match="found 2 words, 2 counts, 2 and 1 rows"):
        Doc2vecEncoder.load(tmp_path / "saved")


def test_words_stand_by_frequency_and_rare_ones_are_left_out() -> None:
    read = number_words(["Valve, boiler valve.", "", "gene boiler valve gene once"], min_count=2, keep_words=9)
    assert read.words == ["valve", "boiler", "gene"]
    assert read.counts.tolist() == [3, 2, 2]
    assert read.ids.tolist() == [0, 1, 0, 2, 1, 0, 2]
    assert read.starts.tolist() == [0, 3, 3, 7]
    assert read.text_of.tolist() == [0, 0, 0, 2, 2, 2, 2]
    assert read.tokens == 8


def test_no_more_words_are_kept_than_asked_for() -> None:
    assert number_words(["a a b b c"], min_count=1, keep_words=2).words == ["a", "b"]


@pytest.mark.parametrize("texts", [[], [""], ["each word once"]])
def test_text_without_a_word_often_enough_is_told(texts: list[str]) -> None:
    with pytest.raises(NotFittedError, match="Expected words that occur at least 2 times to train on, got none"):
        number_words(texts, min_count=2, keep_words=9)


SMALL = Doc2veccRecipe(dim=8, window=3, epochs=10, batch_words=128, min_count=2, subsample=0.05)


def test_a_step_is_that_of_the_formulas_by_torch() -> None:
    random = np.random.default_rng(1)
    u, v = (random.standard_normal((5, 4)).astype(np.float32) for _ in range(2))
    theirs = [torch.from_numpy(rows.copy()).requires_grad_() for rows in (u, v)]
    batch = Batch(
        words=np.array([0, 3]),
        near=np.array([1, 2, 4]),
        near_starts=np.array([0, 2]),
        text=np.array([1, 1, 3]),
        text_starts=np.array([0, 3]),  # nothing of the second word's text was left
        lengths=np.array([6, 2], np.float32),
        negatives=np.array([[2, 2], [1, 4]]),
    )
    recipe = dataclasses.replace(SMALL, kept_share=0.5, learning_rate=0.1)
    model, optimizer = Model(u, v, recipe), torch.optim.Adagrad(theirs, lr=0.1)
    for _ in range(3):
        read, said = theirs
        hidden = [(read[1] + read[2]) / 2 + (read[1] + read[1] + read[3]) / 0.5 / 6, read[4]]
        loss = torch.zeros(())
        for one, right, wrong in zip(hidden, [0, 3], [[2, 2], [1, 4]], strict=True):
            loss = loss - torch.log(torch.sigmoid(one @ said[right]))
            loss = loss - torch.log(torch.sigmoid(-(said[wrong] @ one))).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        model.step(batch)
    torch.testing.assert_close(torch.from_numpy(u), theirs[0].detach(), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(torch.from_numpy(v), theirs[1].detach(), rtol=1e-4, atol=1e-5)


def test_a_word_with_nothing_around_it_moves_nothing_that_is_read() -> None:
    """A text of one word, with nothing kept of it."""
    u, v = np.ones((3, 4), np.float32), np.ones((3, 4), np.float32)
    none = np.zeros(0, np.int64)
    start, one = np.array([0]), np.array([1], np.float32)
    Model(u, v, SMALL).step(Batch(start, none, start, none, start, one, np.array([[2]])))
    assert (u == 1).all() and (v == 1).all()


def test_a_batch_reads_its_own_text_alone() -> None:
    """Each text holds words of its own, so that a word read from another would show."""
    texts = [" ".join(f"{letter}{number}x" for number in range(6)) for letter in "abc"]
    read = number_words(texts, min_count=1, keep_words=99)
    recipe = dataclasses.replace(SMALL, min_count=1, epochs=2, batch_words=7, kept_share=0.5, subsample=1.0)
    guessed = []
    for batch in doc2vecc.batches(read, recipe):
        ends = [*batch.near_starts[1:], len(batch.near)], [*batch.text_starts[1:], len(batch.text)]
        for place, word in enumerate(batch.words):
            near = batch.near[batch.near_starts[place] : ends[0][place]]
            text = batch.text[batch.text_starts[place] : ends[1][place]]
            name = read.words[word]
            assert {read.words[one][0] for one in (*near, *text)} <= {name[0]}
            assert 1 <= len(near) <= 6
            assert all(1 <= abs(int(read.words[one][1]) - int(name[1])) <= 3 for one in near)
            guessed.append(word)
        assert (batch.lengths == 6).all()
        assert batch.negatives.shape == (len(batch.words), 5)
    assert sorted(guessed) == sorted([*range(18)] * 2)


def test_a_long_text_is_learned_from_in_pieces() -> None:
    assert doc2vecc._pieces(np.array([0, 5, 5, 12]), 3).tolist() == [0, 3, 5, 8, 11, 12]


@pytest.mark.parametrize("share", [0.1, 1.0])
def test_successes_come_as_often_as_their_chance_and_nowhere_else(share: float) -> None:
    found = successes(20_000, share, np.random.default_rng(4))
    assert len(found) / 20_000 == pytest.approx(share, abs=0.01)
    assert (np.diff(found) > 0).all()
    assert 0 <= found[0] and found[-1] < 20_000
    halves = [(found < 10_000).sum(), (found >= 10_000).sum()]
    assert halves[0] == pytest.approx(halves[1], rel=0.1)
    assert len(successes(0, share, np.random.default_rng(4))) == 0


def test_words_of_one_subject_come_out_near_and_the_same_again() -> None:
    texts = [document.text for document in corpus()]
    trained, again = (doc2vecc.train(texts, SMALL) for _ in range(2))
    np.testing.assert_array_equal(trained.vectors, again.vectors)
    unit = trained.vectors / np.linalg.norm(trained.vectors, axis=1, keepdims=True)
    place = {word: number for number, word in enumerate(trained.words)}
    steam, gene = ([place[word] for word in SUBJECTS[name].split() if word in place] for name in ("steam", "protein"))
    same = (unit[steam] @ unit[steam].T).mean()
    assert same > (unit[steam] @ unit[gene].T).mean() + 0.3


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"window": 0, "negatives": 0}, "window must be at least 1, got 0; negatives must be at least 1"),
        ({"kept_share": 0.0, "subsample": 2.0}, "kept_share must be above 0 and at most 1, got 0.0; subsample must be"),
    ],
)
def test_a_recipe_out_of_range_is_refused(changed: dict[str, object], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        Doc2veccRecipe(**changed)  # type: ignore[arg-type]


class TestLdaContract(FittedEncoderContract):
    method = LdaEncoder


def test_a_small_corpus_has_one_topic_for_ten_documents() -> None:
    assert fitted_once(LdaEncoder).card.dim == 4
    assert LdaEncoder.fit(corpus()[:12]).card.dim == 2


def test_rows_are_of_unit_length_and_none_without_a_known_word() -> None:
    rows = fitted_once(LdaEncoder).encode_documents([*corpus(), EMPTY, FOREIGN])
    np.testing.assert_allclose(np.linalg.norm(rows[:-2], axis=1), 1, atol=1e-5)
    assert not rows[-2:].any()


def test_ctpes_settings_learn_from_every_word_and_come_back_from_a_folder(tmp_path: Path) -> None:
    assert (lda.OF_CTPE.passes, lda.OF_CTPE.iterations, lda.TOPICS) == (1, 100, 100)
    made = LdaEncoder.fit(corpus(), lda.OF_CTPE)
    assert "the" in made._words and "the" not in fitted_once(LdaEncoder)._words
    made.save(tmp_path / "saved")
    again = LdaEncoder.load(tmp_path / "saved")
    assert again.card == made.card
    document = [Document("a", title="the the the boiler")]
    np.testing.assert_array_equal(again.encode_documents(document), made.encode_documents(document))
    assert not np.array_equal(made.encode_documents(document), made.encode_documents([Document("a", title="boiler")]))


def test_no_pass_and_no_iteration_are_refused() -> None:
    with pytest.raises(ValueError, match="passes and iterations must be at least 1, got 5 and 0"):
        LdaSettings(iterations=0)


def test_words_of_one_document_only_teach_nothing() -> None:
    with pytest.raises(NotFittedError, match="of which two share one; got none"):
        LdaEncoder.fit([Document(id="a", title="steam boiler"), Document(id="b", title="protein gene")])


def test_a_word_too_few_is_told(tmp_path: Path) -> None:
    LdaEncoder(["boiler", "valve"], np.ones((3, 2), np.float32), np.ones(3, np.float32)).save(tmp_path / "a")
    LdaEncoder.load(tmp_path / "a")
    LdaEncoder(["boiler", "valve", "crank"], np.ones((3, 2), np.float32), np.ones(3, np.float32)).save(tmp_path / "b")
    with pytest.raises(StorageError, match=r"Expected topics of 3 by 3 in .*, found 3 by 2"):
        LdaEncoder.load(tmp_path / "b")
