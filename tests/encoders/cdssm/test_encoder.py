"""C-DSSM's encoder: the contract, its similarity by hand, unseen words, bad input, storage."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from engine.core import files
from engine.core.errors import EncoderError, StorageError
from engine.documents import Document, Section, text
from engine.documents.text import trigrams
from engine.encoders import registry
from engine.encoders.base import Encoder
from engine.encoders.cdssm import encoder as module
from engine.encoders.cdssm.encoder import CdssmEncoder
from engine.encoders.cdssm.network import CdssmNetwork, begin_network
from engine.encoders.cdssm.settings import CdssmSettings
from tests.contracts.encoder import EMPTY, FOREIGN, EncoderContract, corpus
from tests.encoders.cdssm import tiny
from tests.encoders.cdssm.cosines import TWO
from tests.encoders.test_word_vectors import by_subject


@pytest.mark.parametrize("settings", [TWO, CdssmSettings(words="vectors", channels=9, dim=4, stored="float16")])
def test_facts_and_settings_come_back(settings: CdssmSettings, tmp_path: Path) -> None:
    facts = {"recipe": {"epochs": 2}, "hardware": "a machine"}
    made = tiny.network(settings), tiny.entries(settings), settings
    encoder = CdssmEncoder.of(*made, trained_on=("ours",), facts=facts)
    encoder.save(tmp_path / "saved")
    again = CdssmEncoder.load(tmp_path / "saved")
    assert (again.settings, again.facts, again.card) == (settings, facts, encoder.card)
    assert registry.load("cdssm", folder=tmp_path / "saved").card == encoder.card
    assert registry.load_folder(tmp_path / "saved").card == encoder.card
    again.save(tmp_path / "twice")
    for name in ("weights.safetensors", "vocabulary.txt"):
        assert (tmp_path / "twice" / name).read_bytes() == (tmp_path / "saved" / name).read_bytes()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"entries": 0}, "entries must be from 1 to 10000000, got 0"),
        ({"entries": 7}, r"Expected the encoder \w+ in .*, found other"),
        ({"vector_dim": 3}, "vector_dim must be 0 for trigrams and 1 or more for vectors, got 3"),
        ({"reading": {"towers": "three"}}, "towers must be one of shared, two, got 'three'"),
        ({"reading": {"towers": "two"}}, "Expected the arrays"),
        ({"reading": {"channels": 64, "dim": 24, "max_tokens": 9}}, r"Expected the encoder \w+ in .*, found other"),
        ({"more": 1}, "unknown key more"),
    ],
)
def test_changed_settings_are_refused(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    tiny.encoder().save(tmp_path / "saved")
    value = files.read_json(tmp_path / "saved" / "card.json")
    value["facts"]["settings"] |= change
    files.write_json(tmp_path / "saved" / "card.json", value)
    with pytest.raises(StorageError, match=told):
        CdssmEncoder.load(tmp_path / "saved")


def test_folders_from_before_padding_was_a_setting_are_read_as_padded(tmp_path: Path) -> None:
    encoder = tiny.encoder()
    encoder.save(tmp_path / "padded")
    tiny.encoder(padding="none").save(tmp_path / "within")
    kept, within = (files.read_json(tmp_path / name / "card.json") for name in ("padded", "within"))
    assert "padding" not in kept["facts"]["settings"]["reading"]
    assert within["facts"]["settings"]["reading"]["padding"] == "none"
    assert CdssmEncoder.load(tmp_path / "padded").settings.padding == "zeros"
    assert CdssmEncoder.load(tmp_path / "padded").card.fingerprint == encoder.card.fingerprint
    assert CdssmEncoder.load(tmp_path / "within").settings.padding == "none"


def test_parts_that_do_not_fit_are_refused() -> None:
    with pytest.raises(EncoderError, match=r"Expected 2 different trigrams, got 2, 1 of them different\. Give one"):
        CdssmEncoder.of(tiny.network(), ["abc", "abc"], tiny.SETTINGS)
    with pytest.raises(EncoderError, match=r"Expected towers\.0\.filters of shape \(2, 192\), got \(242, 192\)"):
        CdssmEncoder.of(tiny.network(), ["abc", "abd"], tiny.SETTINGS)


@pytest.mark.parametrize("value", [float("nan"), 1e6])
def test_a_network_that_went_astray_is_refused(value: float) -> None:
    network = tiny.network()
    with torch.no_grad():
        network.towers[0].bias[3] = value
    with pytest.raises(EncoderError, match=r"finite numbers in every part, found others in towers\.0\.bias\. The tra"):
        CdssmEncoder.of(network, tiny.letters(), tiny.SETTINGS)


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return tiny.encoder()


class TestContractOfTwoTowers(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        """Two towers that begin alike; their similarity is no one's own before training."""
        network = tiny.network(TWO)
        network.towers[1].load_state_dict(network.towers[0].state_dict())
        with torch.no_grad():
            network.towers[1].bias.add_(0.01)
        return CdssmEncoder.of(network, tiny.letters(), TWO)


class TestContractOfVectors(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return tiny.encoder(words="vectors")


OURS = [
    Document("a", title="A kettle that whistles", abstract="Steam drives a small whistle, then it stops."),
    Document("b", title="Boilers", abstract="The pressure of steam in boilers of copper and of iron."),
    Document("c", title="Learning to rank papers", abstract="A neural network scores a query and a document."),
    Document("d", title="Gene"),
]


def vector_by_hand(document: Document, network: CdssmNetwork, *, tower: int) -> list[float]:
    """y of a document by plain loops over the windows around its words."""
    settings, part = tiny.SETTINGS, network.towers[tower]
    filters = part.filters.detach().reshape(-1, settings.window, settings.channels).tolist()
    number = {one: place for place, one in enumerate(tiny.letters())}
    words = [[number[one] for one in trigrams(word) if one in number] for word in text.tokens(document.text)]
    words = [word for word in words if word]
    pooled = []
    for channel in range(settings.channels):
        found = []
        for place in range(len(words)):
            window = {0: place - 1, 1: place, 2: place + 1}
            found.append(
                sum(
                    filters[letter][position][channel]
                    for position, other in window.items()
                    if 0 <= other < len(words)
                    for letter in words[other]
                )
            )
        pooled.append(max(math.tanh(one + part.bias[channel].item()) for one in found))
    rows = part.out.weight.tolist()
    return [
        math.tanh(sum(w * x for w, x in zip(row, pooled, strict=True)) + bias.item())
        for row, bias in zip(rows, part.out.bias, strict=True)
    ]


def cosine(one: list[float], other: list[float]) -> float:
    product = sum(x * y for x, y in zip(one, other, strict=True))
    return product / math.sqrt(sum(x * x for x in one) * sum(y * y for y in other))


@pytest.mark.parametrize("towers", ["shared", "two"])
def test_an_inner_product_is_the_cosine_of_the_query_s_and_the_document_s_vectors(towers: str) -> None:
    settings = CdssmSettings(towers=towers, channels=64, dim=24)
    network = tiny.network(settings)
    encoder = CdssmEncoder.of(network, tiny.letters(), settings)
    asks = [vector_by_hand(one, network, tower=0) for one in OURS]
    answers = [vector_by_hand(one, network, tower=-1) for one in OURS]
    by_hand = [[cosine(query, document) for document in answers] for query in asks]
    found = encoder.encode_queries(OURS) @ encoder.encode_documents(OURS).T
    np.testing.assert_allclose(found, by_hand, atol=5e-3)  # filters and layers are stored in half precision


def test_rows_of_two_towers_are_the_answer_and_then_the_question() -> None:
    encoder = tiny.encoder(TWO)
    answers, asks = encoder.encode_documents(OURS), encoder.encode_queries(OURS)
    assert (encoder.card.dim, answers.shape) == (48, (4, 48))
    np.testing.assert_allclose(np.linalg.norm(answers.reshape(4, 2, 24), axis=2), 1, atol=1e-6)
    np.testing.assert_array_equal(asks[:, 24:], 0)
    np.testing.assert_allclose(asks[:, :24], answers[:, 24:], atol=1e-6)


def test_misspelt_and_unseen_words_have_a_vector_near_the_word_s_own() -> None:
    encoder = tiny.encoder()
    sure, misspelt, unseen, other = encoder.encode_documents(
        [Document(str(n), title=word) for n, word in enumerate(("expression", "expresion", "expressions", "clique"))]
    )
    assert not {"expresion", "expressions"} & {token for one in corpus() for token in text.tokens(one.text)}
    assert min(sure @ misspelt, sure @ unseen) > 0.97 > 0.9 > sure @ other
    vectors = tiny.encoder(words="vectors").encode_documents([Document("m", title="expresion")])
    assert not vectors.any()


BAD = {
    "one word": Document("1", title="boiler"),
    "one unknown word": Document("2", title="zyzzyva"),
    "no letters that are known": Document("3", title="ʘʘʘ ʘʘ"),
    "50,000 words": Document("4", title="boiler", sections=(Section("", "boiler valve gene " * 17_000),)),
    "one long word": Document("5", title="boiler" * 9_000),
    "other scripts": Document("6", title="ボイラーの圧力", abstract="давление пара в котле. ضغط البخار"),
    "only numbers": Document("7", title="3.14159", abstract="42 + 17 = 59, 1e9"),
    "signs": Document("8", title="\x00\ud7ff\u202e", abstract="<<<>>> &&& ;;; \\"),
    "no text": Document("9"),
}


@pytest.mark.parametrize(
    "settings",
    [
        *(tiny.SETTINGS, TWO, CdssmSettings(channels=64, dim=24, padding="none")),
        CdssmSettings(words="vectors", channels=64, dim=24, max_tokens=1, window=1),
    ],
)
def test_bad_input_gives_finite_rows(settings: CdssmSettings) -> None:
    encoder = tiny.encoder(settings)
    documents = list(BAD.values())
    with np.errstate(all="raise"):
        for rows in (encoder.encode_documents(documents), encoder.encode_queries(documents)):
            assert np.isfinite(rows).all()
            assert rows[0].any() and rows[3].any()
            for name in ("no letters that are known", "no text"):
                assert not rows[list(BAD).index(name)].any()


def test_only_the_first_words_are_read() -> None:
    encoder = tiny.encoder(max_tokens=4)
    short, long = (
        Document(str(n), title="boiler valve gene clique" + more) for n, more in enumerate(("", " tree" * 9))
    )
    rows = encoder.encode_documents([short, long])
    np.testing.assert_array_equal(rows[0], rows[1])
    assert encoder.card.max_tokens == 4


def test_documents_are_read_in_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [*corpus(), EMPTY, FOREIGN]
    together = tiny.encoder().encode_documents(documents)
    monkeypatch.setattr(module, "_DOCUMENTS_AT_ONCE", 5)
    np.testing.assert_allclose(tiny.encoder().encode_documents(documents), together, atol=1e-6)


def test_training_further_does_not_change_an_encoder() -> None:
    network = tiny.network()
    encoder = CdssmEncoder.of(network, tiny.letters(), tiny.SETTINGS)
    before = encoder.encode_documents(corpus())
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.mul_(-3)
    np.testing.assert_array_equal(encoder.encode_documents(corpus()), before)
    assert all(parameter.requires_grad for parameter in network.parameters())


def test_what_changes_a_vector_changes_the_fingerprint() -> None:
    changes: list[dict[str, Any]] = [
        {},
        {"towers": "two"},
        {"words": "vectors"},
        {"max_tokens": 100},
        {"window": 5},
        {"padding": "none"},
        {"channels": 65},
        {"dim": 25},
    ]
    kinds = [tiny.encoder(**change) for change in changes]
    kinds.append(CdssmEncoder.of(tiny.network(seed=1), tiny.letters(), tiny.SETTINGS))
    kinds.append(CdssmEncoder.of(tiny.network(), tiny.letters()[::-1], tiny.SETTINGS))
    assert len({kind.card.fingerprint for kind in kinds}) == len(kinds)
    noted = CdssmEncoder.of(tiny.network(), tiny.letters(), tiny.SETTINGS, facts={"note": 1}, trained_on=("x",))
    assert noted.card.fingerprint == kinds[0].card.fingerprint


def test_the_card_tells_what_is_read_and_how_it_is_kept() -> None:
    card = tiny.encoder(max_tokens=7, stored="int8").card
    assert (card.name, card.dim, card.max_tokens, card.stored) == ("cdssm", 24, 7, "int8")
    assert len(text.sentences(card.summary)) == 2


def test_a_shared_tower_of_12_000_trigrams_takes_less_than_10_mb(tmp_path: Path) -> None:
    entries = [a + b + c for a in ALPHABET for b in ALPHABET for c in ALPHABET][:12_000]
    settings = CdssmSettings(channels=200, dim=256)
    CdssmEncoder.of(begin_network(settings, 12_000, seed=1), entries, settings).save(tmp_path / "saved")
    sizes = {path.name: path.stat().st_size for path in (tmp_path / "saved").iterdir()}
    assert sum(sizes.values()) < 10_000_000
    digest = files.read_json(tmp_path / "saved" / "card.json")["weights_sha256"]
    arrays = files.read_arrays(tmp_path / "saved" / "weights.safetensors", digest)
    assert {name: array.dtype.name for name, array in arrays.items()} == {
        "towers.0.filters": "int8",
        "towers.0.filters:scales": "float32",
        "towers.0.bias": "float16",
        "towers.0.out.weight": "float16",
        "towers.0.out.bias": "float16",
    }


ALPHABET = "abcdefghijklmnopqrstuvwxyz#"


def test_word_vectors_are_no_cdssm_encoder(tmp_path: Path) -> None:
    by_subject().save(tmp_path / "words")
    with pytest.raises(StorageError, match=r"Expected an encoder of cdssm/1 in .*, found one of word-vectors/1"):
        CdssmEncoder.load(tmp_path / "words")
