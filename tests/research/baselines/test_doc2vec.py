"""Doc2vec: the contract, and rows that do not depend on what was drawn before."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import NotFittedError, StorageError
from engine.documents import Document
from engine.encoders import storage
from engine.research.baselines import doc2vec
from engine.research.baselines.doc2vec import Doc2vecEncoder, Doc2vecSettings
from tests.contracts.encoder import EMPTY, FOREIGN, FittedEncoderContract, corpus, fitted_once

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
