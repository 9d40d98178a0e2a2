"""Matchers as encoders: the contract for each kind, and folders that are not theirs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.core import files
from engine.core.errors import StorageError
from engine.documents import Document
from engine.encoders import registry, storage
from engine.research.baselines.rows import ROWS
from engine.research.matchers.encoder import MatcherEncoder
from engine.research.matchers.settings import KINDS, Kind, method_of, name_of
from tests.contracts.encoder import EMPTY, EncoderContract, corpus
from tests.research.matchers import small


class TestMatcher(EncoderContract):
    @pytest.fixture(params=KINDS)
    def encoder(self, request: pytest.FixtureRequest) -> MatcherEncoder:
        return small.encoder(request.param)

    def test_rows_are_unit_or_nothing(self, encoder: MatcherEncoder) -> None:
        lengths = np.linalg.norm(encoder.encode_documents([*corpus(), EMPTY]), axis=1)
        np.testing.assert_allclose(lengths, [1] * 40 + [0], atol=1e-6)

    def test_any_folder_is_read_by_its_method(self, encoder: MatcherEncoder, tmp_path: Path) -> None:
        encoder.save(tmp_path / "saved")
        again = registry.load_folder(tmp_path / "saved", ROWS.loaders)
        assert isinstance(again, MatcherEncoder)
        assert (again.card, again.kind, again.facts) == (encoder.card, encoder.kind, {"pairs": 0})
        assert storage.read_card(tmp_path / "saved")[1]["method"] == method_of(encoder.kind)
        assert again.card.name == name_of(encoder.kind)


@pytest.mark.parametrize("kind", KINDS)
def test_what_stands_behind_the_first_words_is_not_read(kind: Kind) -> None:
    encoder = small.encoder(kind, replace(small.SETTINGS, max_words=400))
    words = [word for document in corpus() for word in document.sections[0].text.split()]
    long = [*words[:400], *reversed(words * 80)]
    assert len(long) > 50_000
    texts = (words[:400], long, words[:399])  # each alone: the rows of one batch may be rounded apart
    rows = [encoder.encode_documents([Document("a", title=" ".join(one))])[0] for one in texts]
    np.testing.assert_array_equal(rows[0], rows[1])
    assert np.abs(rows[0] - rows[2]).max() > 1e-5
    assert encoder.card.max_tokens == 400


def rewritten(folder: Path, **facts: object) -> Path:
    """The folder with other facts in its card."""
    card = files.read_json(folder / "card.json")
    files.write_json(folder / "card.json", {**card, "facts": {**card["facts"], **facts}})
    return folder


def test_other_settings_than_a_matchers_are_refused(tmp_path: Path) -> None:
    small.encoder("smith").save(tmp_path / "saved")
    rewritten(tmp_path / "saved", settings={"width": -8})
    with pytest.raises(
        StorageError, match=r"Expected a matcher in .*width must be at least 1.* Build the folder again"
    ):
        MatcherEncoder.load(tmp_path / "saved")


def forged(folder: Path, **arrays: np.ndarray) -> Path:
    """The folder with other arrays, checksums and fingerprint made to fit."""
    small.encoder("arc-i").save(folder)
    card = json.loads((folder / "card.json").read_text())
    found = {**files.read_arrays(folder / storage.WEIGHTS, card["weights_sha256"]), **arrays}
    words, settings = small.lexicon("arc-i").words, card["facts"]["settings"]
    card["weights_sha256"] = files.write_arrays(folder / storage.WEIGHTS, found)
    card["card"]["fingerprint"] = storage.fingerprint_of(card["method"], found, words, settings=settings)
    files.write_json(folder / "card.json", card)
    return folder


def test_weights_of_another_network_are_refused(tmp_path: Path) -> None:
    bias = {"network.out.bias": np.zeros(3, np.float32)}
    with pytest.raises(StorageError, match=r"Expected weights of the shapes .*found .*'out.bias': \(3,\).* Build it"):
        MatcherEncoder.load(forged(tmp_path / "bias", **bias))
    with pytest.raises(StorageError, match=r"Expected a matcher in .*: Expected one vector for each of"):
        MatcherEncoder.load(forged(tmp_path / "words", words=np.zeros((3, 6), np.float16)))
