"""C-DSSM: its settings, the contract, its similarity by hand, unseen words, and its network against autograd."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from engine.core import files
from engine.core.errors import EncoderError, StorageError
from engine.documents import Document, Section, text
from engine.documents.text import trigrams
from engine.encoders import registry
from engine.encoders.base import Encoder
from engine.encoders.cdssm import encoder as module
from engine.encoders.cdssm import network as network_module
from engine.encoders.cdssm.encoder import CdssmEncoder
from engine.encoders.cdssm.network import Bags, CdssmNetwork, Lexicon, NumberedTexts, Windows, begin_network, distinct
from engine.encoders.cdssm.settings import CdssmSettings
from tests.contracts.encoder import EMPTY, FOREIGN, EncoderContract, corpus
from tests.encoders import tiny_cdssm as tiny
from tests.encoders.test_word_vectors import by_subject

TWO = CdssmSettings(towers="two", channels=64, dim=24)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"window": 0, "dim": -1}, "window must be at least 1, got 0; dim must be at least 1, got -1"),
        ({"window": 4}, "window must be odd, a word with as many on either side, got 4"),
        ({"words": "letters", "towers": "three"}, "words must be one of trigrams, vectors, got 'letters'; towers must"),
        ({"padding": "ones"}, "padding must be one of zeros, none, got 'ones'"),
        ({"stored": "int4"}, "stored must be one of float32, float16, int8, got 'int4'"),
    ],
)
def test_values_out_of_range_are_refused(settings: dict[str, object], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        CdssmSettings(**settings)  # type: ignore[arg-type]


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
        """Two towers, which begin alike; before training their similarity means nothing."""
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


def test_a_word_is_its_known_trigrams_each_as_often_as_it_stands_there() -> None:
    lexicon = Lexicon("trigrams", ["ana", "#an", "xyz"])
    assert lexicon.numbers("anana") == (1, 0, 0)
    assert lexicon.numbers("anab") == (1, 0)  # never seen, and read all the same
    assert lexicon.numbers("bob") == ()
    assert len(lexicon.numbers("ana" * 10_000)) == 34  # of its first hundred letters


def test_with_vectors_a_word_is_its_own_number() -> None:
    lexicon = Lexicon("vectors", ["ana", "#an", "xyz"])
    assert (lexicon.numbers("xyz"), lexicon.numbers("anana")) == ((2,), ())


def test_texts_share_the_bags_of_their_distinct_known_words() -> None:
    texts = Lexicon("vectors", ["a", "b", "c"]).read([["c", "x", "a", "c"], [], ["x"], ["a", "b"]])
    assert (texts.bags.numbers.tolist(), texts.bags.starts.tolist()) == ([2, 0, 1], [0, 1, 2, 3])
    assert (texts.words.tolist(), texts.starts.tolist()) == ([0, 1, 0, 1, 2], [0, 3, 3, 3, 5])
    assert (len(texts), len(texts.bags)) == (4, 3)
    assert len(Lexicon("vectors", ["a"]).read([])) == 0


def test_bags_of_a_vocabulary_are_taken_for_the_words_of_some_texts() -> None:
    bags = Bags.of([(5, 6), (), (7,), (8, 9, 8)])
    taken = bags.taken(np.array([3, 0]))
    assert (taken.numbers.tolist(), taken.starts.tolist()) == ([8, 9, 8, 5, 6], [0, 3, 5])
    words = np.array([3, 1, 3, 1, 0], np.int32)
    texts = distinct(words, np.array([0, 3, 4, 5]), bags)
    assert (texts.bags.numbers.tolist(), texts.bags.starts.tolist()) == ([5, 6, 8, 9, 8], [0, 2, 5])
    assert (texts.words.tolist(), texts.starts.tolist()) == ([1, 1, 0], [0, 2, 2, 3])


ENTRIES = 40


LENGTHS = (7, 1, 2, 30, 3, 0, 12, 30)


def texts(lengths: tuple[int, ...] = LENGTHS, *, words: int = 25, longest_bag: int = 6) -> NumberedTexts:
    generator = np.random.default_rng(4)
    bags = Bags.of(
        [generator.integers(0, ENTRIES, generator.integers(1, longest_bag + 1)).tolist() for _ in range(words)]
    )
    starts = np.cumsum((0, *lengths))
    return NumberedTexts(bags, generator.integers(0, words, starts[-1]).astype(np.int32), starts)


def network(settings: CdssmSettings) -> CdssmNetwork:
    vectors = None
    if settings.words == "vectors":
        vectors = np.random.default_rng(6).normal(size=(ENTRIES, 5)).astype(np.float32)
    made = begin_network(settings, ENTRIES, vectors=vectors, seed=2)
    with torch.no_grad():
        made.towers[0].bias.normal_()
    return made.requires_grad_()


def by_autograd(made: CdssmNetwork, given: NumberedTexts) -> Tensor:
    """The vectors text by text, every step a plain operation: (n, dim)."""
    tower = made.towers[0]
    counts = torch.zeros(len(given.bags), ENTRIES)
    for word in range(len(given.bags)):
        for number in given.bags.numbers[given.bags.starts[word] : given.bags.starts[word + 1]]:
            counts[word, number] += 1
    inputs = counts if made.vectors is None else counts @ made.vectors  # (w, inputs)
    size, padded = tower.windows.size, tower.windows.padded
    rows = []
    for start, stop in zip(given.starts[:-1], given.starts[1:], strict=True):
        if start == stop:
            rows.append(torch.zeros(tower.out.out_features))
            continue
        own = inputs[given.words[start:stop].tolist()]  # (t, inputs)
        short = max(size - len(own), 0)
        before, after = (size // 2, size // 2) if padded else (short // 2, short - short // 2)
        wide = torch.cat([own.new_zeros(before, own.shape[1]), own, own.new_zeros(after, own.shape[1])])
        filters = tower.filters.reshape(own.shape[1], size, -1)
        count = len(wide) - size + 1
        sums = sum(wide[place : place + count] @ filters[:, place] for place in range(size))
        rows.append(torch.tanh(tower.out(torch.tanh(sums + tower.bias).amax(0))))
    return torch.stack(rows)


@pytest.mark.parametrize("padding", ["zeros", "none"])
@pytest.mark.parametrize("window", [1, 3, 5])
@pytest.mark.parametrize("words", ["trigrams", "vectors"])
def test_vectors_and_gradients_are_those_of_plain_autograd(
    words: str, window: int, padding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(network_module._TEXTS_AT_ONCE, "cpu", 3)
    made = network(CdssmSettings(words=words, window=window, padding=padding, channels=6, dim=4))
    given = texts(longest_bag=1 if words == "vectors" else 6)
    seed = torch.randn(len(given), 4, generator=torch.Generator().manual_seed(1))
    found = []
    for rows in (made(given), by_autograd(made, given)):
        made.zero_grad()
        (rows * seed).sum().backward()
        gradients = {name: part.grad.clone() for name, part in made.named_parameters() if part.grad is not None}
        found.append((rows.detach(), gradients))
    (rows, gradients), (rows_by_hand, gradients_by_hand) = found
    torch.testing.assert_close(rows, rows_by_hand)
    assert gradients.keys() == gradients_by_hand.keys() == dict(made.named_parameters()).keys()
    for name, gradient in gradients.items():
        torch.testing.assert_close(gradient, gradients_by_hand[name], msg=name)


def test_windows_without_padding_lie_within_the_text() -> None:
    words, starts, lengths = np.array([10, 11, 12, 13, 20, 30, 31], np.int32), np.array([0, 4, 5, 7]), [4, 1, 2, 0]
    rows = Windows(3, padded=False).rows(words, starts, np.array(lengths), empty=99) // 3
    assert rows[0].tolist() == [[10, 11, 12], [11, 12, 13]]
    assert rows[1].tolist() == [[99, 20, 99]] * 2  # one window, and again as a text of two has
    assert rows[2].tolist() == [[30, 31, 99]] * 2
    assert rows[3].tolist() == [[99, 99, 99]] * 2
    padded = Windows(3).rows(words, starts, np.array(lengths), empty=99) // 3
    assert padded[0].tolist() == [[99, 10, 11], [10, 11, 12], [11, 12, 13], [12, 13, 99]]


@pytest.mark.parametrize("padding", ["zeros", "none"])
def test_reading_texts_together_never_changes_a_vector(padding: str) -> None:
    made = network(CdssmSettings(channels=6, dim=4, padding=padding))
    given = texts()
    with torch.no_grad():
        for tower in made.towers:
            tower.filters.sub_(0.5)  # so that zeros would win every max
        together = made(given)
        for place, (start, stop) in enumerate(zip(given.starts[:-1], given.starts[1:], strict=True)):
            alone = made(NumberedTexts(given.bags, given.words[start:stop], np.array([0, stop - start])))
            torch.testing.assert_close(alone[0], together[place], atol=1e-6, rtol=0)


def test_a_text_without_words_is_zeros() -> None:
    made = network(CdssmSettings(channels=6, dim=4))
    assert not made(texts((0, 0), words=0)).any()
    assert made(texts((), words=0)).shape == (0, 4)
    assert made(texts((0, 1))).any(dim=1).tolist() == [False, True]


def test_inference_and_training_give_the_same_vectors() -> None:
    made = network(CdssmSettings(channels=6, dim=4))
    with torch.inference_mode():
        read = made(texts())
    torch.testing.assert_close(made(texts()).detach(), read, atol=0, rtol=0)


def test_two_towers_read_by_their_own_weights() -> None:
    made = network(CdssmSettings(channels=6, dim=4, towers="two"))
    asks, answers = made(texts()), made(texts(), asks=False)
    assert not torch.allclose(asks, answers)
    one = network(CdssmSettings(channels=6, dim=4))
    torch.testing.assert_close(one(texts()), one(texts(), asks=False))


@pytest.mark.parametrize("towers", ["shared", "two"])
def test_a_centred_network_begins_around_zero(towers: str) -> None:
    made = begin_network(CdssmSettings(channels=60, dim=20, towers=towers), ENTRIES, seed=3)
    given = texts((30,) * 50)
    before = torch.nn.functional.normalize(made(given))
    made.centre(given)
    for asks in (True, False):
        after = torch.nn.functional.normalize(made(given, asks=asks))
        assert (before @ before.T).mean() > 0.8
        assert (after @ after.T).mean() < 0.1


@pytest.mark.parametrize("towers", ["shared", "two"])
def test_letters_begin_as_if_their_sums_were_words_that_have_vectors(towers: str) -> None:
    settings = CdssmSettings(channels=6, dim=4, towers=towers)
    letters = np.random.default_rng(7).normal(size=(ENTRIES, 3)).astype(np.float32)
    made = begin_network(settings, ENTRIES, vectors=letters, seed=3)
    assert made.vectors is None
    for tower in made.towers:
        filters = tower.filters.detach().numpy()
        drawn = np.linalg.lstsq(letters, filters, rcond=None)[0]  # (3, k c)
        np.testing.assert_allclose(letters @ drawn, filters, atol=1e-5)
        assert 0.04 < drawn.std() < 0.1
    if towers == "two":
        assert not torch.equal(made.towers[0].filters, made.towers[1].filters)


def test_the_seed_draws_the_weights_and_leaves_torchs_own_alone() -> None:
    settings = CdssmSettings(channels=6, dim=4)
    state = torch.random.get_rng_state()
    one, same, other = (begin_network(settings, ENTRIES, seed=seed).towers[0].filters for seed in (1, 1, 2))
    assert torch.equal(one, same)
    assert not torch.equal(one, other)
    assert torch.equal(torch.random.get_rng_state(), state)
