"""CTPE beyond the paper: the mean of the words beside the max, and documents compared by the sums of their halves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from engine.core import files
from engine.core.errors import StorageError
from engine.documents import Document, text
from engine.encoders import registry
from engine.encoders.base import Encoder
from engine.encoders.ctpe import encoder as module
from engine.encoders.ctpe.embeddings import SentenceMeans
from engine.encoders.ctpe.encoder import CtpeEncoder, Reduction, summed
from engine.encoders.ctpe.network import PairNetwork
from engine.encoders.ctpe.settings import CtpeSettings
from tests.contracts.encoder import EMPTY, FOREIGN, EncoderContract, corpus
from tests.encoders.ctpe import tiny
from tests.encoders.ctpe.test_encoder import BAD

WHOLE = CtpeSettings(similarity="whole")
WIDTH = 4 * 16 + 10  # what tiny.averaging's network gives


@pytest.fixture(autouse=True)
def float32(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whole precision, so that numbers can be compared to 1e-6 on every processor."""
    monkeypatch.setattr(module, "reading_precision", lambda: "float32")
    yield


def reduced(encoder: CtpeEncoder, *, dim: int) -> CtpeEncoder:
    return encoder.with_reduction(Reduction.fit(summed(*encoder.encode_halves(corpus())), dim=dim))


class TestContractCoupled(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return tiny.averaging()


class TestContractWhole(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return tiny.averaging(WHOLE)


class TestContractWholeWithoutMean(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return tiny.encoder(settings=CtpeSettings(similarity="whole", whole_below_tokens=40))


class TestContractWholeReduced(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return reduced(tiny.averaging(WHOLE), dim=12)


class TestContractSentencesOfWeightedWords(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        embedding = SentenceMeans(tiny.weighted_words())
        return CtpeEncoder.of(embedding, PairNetwork(embedding.dim, 16, mean_dim=5), WHOLE)


def unit(row: np.ndarray) -> np.ndarray:
    return row / np.linalg.norm(row)


def test_the_mean_part_of_a_half_is_that_of_its_words_one_by_one() -> None:
    network = PairNetwork(12, 16, mean_dim=10)
    with torch.no_grad():
        network.shift.normal_()
    words = tiny.weighted_words()
    encoder = CtpeEncoder.of(words, network)
    stored = words.as_stored()
    logs, mean_map = stored.log_weights.numpy(), network.mean_map.detach().half().float().numpy()
    for document, former in zip(corpus()[:5], encoder.encode_halves(corpus()[:5])[0], strict=True):
        total = np.zeros(12)
        for token in text.tokens(document.title):
            if token in stored.words:
                place = stored.words.index(token)
                total += np.exp(logs[place]) * stored.table[place].numpy() - network.shift.detach().numpy()
        assert former.shape == (WIDTH,)
        np.testing.assert_allclose(former[64:], unit(mean_map @ total) / np.sqrt(2), atol=1e-5)
        assert np.linalg.norm(former[:64]) == pytest.approx(np.sqrt(0.5), abs=1e-5)


def test_a_row_is_the_sum_of_the_halves_at_unit_length_whoever_asks() -> None:
    encoder = tiny.averaging(WHOLE)
    former, latter = encoder.encode_halves(corpus())
    rows = encoder.encode_documents(corpus())
    assert rows.shape == (40, WIDTH) == (40, encoder.card.dim)
    for row, one, other in zip(rows, former, latter, strict=True):
        np.testing.assert_allclose(row, unit(one + other), atol=1e-6)
    np.testing.assert_array_equal(encoder.encode_queries(corpus()), rows)
    assert encoder.as_queries(rows) is rows


def test_the_similarity_is_the_coupled_one_and_the_straight_one_over_the_lengths() -> None:
    whole, coupled = tiny.averaging(WHOLE), tiny.averaging()
    former, latter = whole.encode_halves(corpus())
    np.testing.assert_array_equal(coupled.encode_halves(corpus()), (former, latter))
    lengths = np.linalg.norm(former + latter, axis=1)
    crossed = 2 * coupled.encode_queries(corpus()) @ coupled.encode_documents(corpus()).T
    straight = former @ former.T + latter @ latter.T
    found = whole.encode_queries(corpus()) @ whole.encode_documents(corpus()).T
    np.testing.assert_allclose(found, (crossed + straight) / np.outer(lengths, lengths), atol=1e-5)


def test_each_half_of_the_query_meets_the_whole_document_and_both_make_up_the_score() -> None:
    encoder = tiny.averaging(WHOLE)
    query, documents = corpus()[0], corpus()[1:6]
    rows = encoder.encode_documents(documents)
    scores = (encoder.encode_queries([query]) @ rows.T)[0]
    length = np.linalg.norm(np.add(*encoder.encode_halves([query])))
    former, latter = (half[0] for half in encoder.encode_halves([query]))
    for couplings, score, row in zip(encoder.couplings(query, documents, rows), scores, rows, strict=True):
        found = [coupling.similarity for coupling in couplings]
        assert found == sorted(found, reverse=True)
        assert sum(found) / length == pytest.approx(score, abs=1e-5)
        by_part = {one.query_part: one.similarity for one in couplings}
        assert by_part == {
            "title": pytest.approx(former @ row, abs=1e-6),
            "abstract": pytest.approx(latter @ row, abs=1e-6),
        }
        assert {one.document_part for one in couplings} == {"whole text"}


def test_a_reduced_encoder_couples_reduced_halves() -> None:
    encoder = reduced(tiny.averaging(WHOLE), dim=5)
    query, documents = corpus()[0], corpus()[1:4]
    rows = encoder.encode_documents(documents)
    assert encoder.reduction is not None
    former = encoder.reduction.apply(encoder.encode_halves([query])[0])[0]
    for couplings, row in zip(encoder.couplings(query, documents, rows), rows, strict=True):
        assert {one.query_part: one.similarity for one in couplings}["title"] == pytest.approx(former @ row, abs=1e-6)


def test_a_query_that_is_both_halves_has_no_couplings() -> None:
    encoder = tiny.averaging(CtpeSettings(similarity="whole", whole_below_tokens=7))
    short, documents = Document("s", abstract="boiler valve of a piston"), corpus()[:2]
    assert encoder.couplings(short, documents, encoder.encode_documents(documents)) == [(), ()]


def test_a_reduction_is_applied_to_the_sums_and_leaves_the_halves() -> None:
    whole = tiny.averaging(WHOLE)
    reduction = Reduction.fit(summed(*whole.encode_halves(corpus())), dim=9)
    small = whole.with_reduction(reduction)
    assert (small.reduction, whole.reduction) == (reduction, None)
    rows = small.encode_documents([*corpus(), EMPTY])
    assert rows.shape == (41, 9) == (41, small.card.dim)
    np.testing.assert_allclose(rows[:-1], reduction.apply(whole.encode_documents(corpus())), atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(rows[:-1], axis=1), 1, atol=1e-5)
    assert not rows[-1].any()
    np.testing.assert_array_equal(small.encode_halves(corpus()), whole.encode_halves(corpus()))
    assert small.with_reduction(None).card == whole.card


@pytest.mark.parametrize("small", [True, False])
def test_bad_input_gives_finite_rows(small: bool) -> None:
    encoder = tiny.averaging(CtpeSettings(similarity="whole", whole_below_tokens=40))
    encoder = reduced(encoder, dim=8) if small else encoder
    documents = list(BAD.values())
    with np.errstate(all="raise"):
        rows = encoder.encode_documents(documents)
        couplings = encoder.couplings(corpus()[0], documents, rows)
    lengths = np.linalg.norm(rows, axis=1)
    assert (np.isclose(lengths, 1, atol=1e-5) | (lengths == 0)).all()
    assert rows[0].any()
    assert not rows[list(BAD).index("no text")].any()
    assert all(np.isfinite(coupling.similarity) for met in couplings for coupling in met)


def test_bfloat16_holds_rows_to_a_hundredth(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tiny.averaging(WHOLE).encode_documents([*corpus(), EMPTY, FOREIGN])
    monkeypatch.setattr(module, "reading_precision", lambda: "bfloat16")
    quick = tiny.averaging(WHOLE).encode_documents([*corpus(), EMPTY, FOREIGN])
    assert not np.array_equal(quick, whole)
    np.testing.assert_allclose(quick, whole, atol=1e-2)


def test_training_further_does_not_change_an_encoder() -> None:
    embedding = tiny.weighted_words()
    network = PairNetwork(embedding.dim, 16, mean_dim=10)
    encoder = CtpeEncoder.of(embedding, network, WHOLE)
    before = encoder.encode_documents(corpus())
    with torch.no_grad():
        for parameter in (*network.parameters(), *embedding.parameters()):
            parameter.mul_(-3)
    np.testing.assert_array_equal(encoder.encode_documents(corpus()), before)


def saved(folder: Path) -> dict[str, np.ndarray]:
    digest = files.read_json(folder / "card.json")["weights_sha256"]
    return files.read_arrays(folder / "weights.safetensors", digest)


def test_everything_comes_back_in_the_precision_it_is_kept_in(tmp_path: Path) -> None:
    encoder = reduced(tiny.averaging(WHOLE, facts={"note": 1}), dim=7)
    encoder.save(tmp_path / "saved")
    types = {name: (array.dtype.name, array.shape) for name, array in saved(tmp_path / "saved").items()}
    assert types["embedding.log_weights"] == ("float16", (len(tiny.words().words),))
    assert types["mean_map"] == ("float16", (10, 12))
    assert types["shift"] == ("float32", (12,))
    again = CtpeEncoder.load(tmp_path / "saved")
    assert (again.settings, again.facts, again.card) == (WHOLE, {"note": 1}, encoder.card)
    assert registry.load_folder(tmp_path / "saved").card == encoder.card


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"averaged": False}, "Expected the arrays"),
        ({"embedding_config": {}}, "Expected the arrays"),
        ({"reading": {"similarity": "both"}}, "similarity must be one of coupled, whole, got 'both'"),
        ({"reading": {"similarity": "coupled"}}, r"Expected the encoder \w+ in .*, found other weights"),
    ],
)
def test_changed_settings_are_refused(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    tiny.averaging(WHOLE).save(tmp_path / "saved")
    value = files.read_json(tmp_path / "saved" / "card.json")
    value["facts"]["settings"] |= change
    files.write_json(tmp_path / "saved" / "card.json", value)
    with pytest.raises(StorageError, match=told):
        CtpeEncoder.load(tmp_path / "saved")


@pytest.mark.parametrize("rows", [0, 9])
def test_a_map_of_another_size_is_refused(tmp_path: Path, rows: int) -> None:
    tiny.averaging(WHOLE).save(tmp_path / "saved")
    arrays = saved(tmp_path / "saved")
    arrays["mean_map"] = arrays["mean_map"][:rows]
    card = files.read_json(tmp_path / "saved" / "card.json")
    card["weights_sha256"] = files.write_arrays(tmp_path / "saved" / "weights.safetensors", arrays)
    files.write_json(tmp_path / "saved" / "card.json", card)
    with pytest.raises(StorageError, match="Expected"):
        CtpeEncoder.load(tmp_path / "saved")


def test_operations_are_those_of_every_half_and_one_reduction_a_document() -> None:
    settings = CtpeSettings("50%", similarity="whole")
    whole = tiny.averaging(settings)
    document = Document("a", abstract="boiler valve piston boiler")  # two known words a half
    halves = 2 * PairNetwork(12, 16, mean_dim=10).operations(2)
    assert whole.operations([document, EMPTY]) == halves
    assert reduced(whole, dim=5).operations([document, EMPTY]) == halves + 2 * WIDTH * 5


def test_gradients_reach_words_weights_and_network_through_the_mean() -> None:
    words = tiny.weighted_words().requires_grad_(True)
    network = PairNetwork(12, 4, mean_dim=6)
    ids = module.end_to_end([words.ids("boiler valve", 9), words.ids("gene protein of a cell", 9)])
    rows = network(*words.encode_ids(*ids), words.token_weights(*ids))
    (rows[0] @ rows[1]).backward()
    for parameter in (words.table, words.log_weights, *network.parameters()):
        assert bool(parameter.grad.any())
        assert bool(torch.isfinite(parameter.grad).all())
    said = {words.words.index(word) for word in ("boiler", "valve", "gene", "protein", "cell")}
    assert set(words.log_weights.grad.nonzero().ravel().tolist()) == said
