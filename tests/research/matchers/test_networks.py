"""The networks of matchers, by hand and as encoders: rows in batches, the contract for each kind, and folders."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention
from torch.utils._python_dispatch import TorchDispatchMode

from engine.core import files
from engine.core.errors import EncoderError, StorageError
from engine.documents import Document, Section, text
from engine.encoders import registry, storage
from engine.research.baselines.rows import ROWS
from engine.research.matchers.encoder import Lexicon, MatcherEncoder, build, frequent_trigrams, sentences_of
from engine.research.matchers.networks import (
    KINDS,
    Dssm,
    FrozenWords,
    Kind,
    Level,
    MatcherNetwork,
    MatcherSettings,
    Read,
    batches,
    encode_reads,
    in_windows,
    method_of,
    name_of,
    padded,
    positions,
    reads_words,
)
from tests.contracts.encoder import EMPTY, SUBJECTS, EncoderContract, corpus


def a_read(kind: Kind, rows: list[int], *, seed: int) -> Read:
    generator = np.random.default_rng(seed)
    numbers = generator.integers(0, len(lexicon(kind).words), sum(rows)).astype(np.int32)
    weights = None if reads_words(kind) else generator.random(sum(rows)).astype(np.float32)
    return Read(numbers, np.array(rows, np.int64), weights)


def some_reads(kind: Kind) -> list[Read]:
    """Documents of one and of many words; in rows where the kind has them."""
    shapes = [[1], [2, 1], [5, 3, 1], [4] * 9, [5] * 20]
    if kind not in ("han", "smith"):
        shapes = [[sum(rows)] for rows in shapes]
    return [a_read(kind, rows, seed=number) for number, rows in enumerate(shapes)]


DIM = 6
SETTINGS = MatcherSettings(max_words=60, width=32, dim=24, row_words=5, layers=2, heads=2, window=4, trigrams=150)


@cache
def lexicon(kind: Kind) -> Lexicon:
    """Word vectors of which those of one subject lie near each other, or the corpus's trigrams."""
    if not reads_words(kind):
        return Lexicon(frequent_trigrams(corpus(), SETTINGS))
    words = sorted({token for document in corpus() for token in text.tokens(document.text)})
    vectors = np.random.default_rng(5).normal(scale=0.3, size=(len(words), DIM))
    for row, word in zip(vectors, words, strict=True):
        for number, known in enumerate(SUBJECTS.values()):
            row[number] += word in known.split()
    return Lexicon(tuple(words), vectors.astype(np.float16))


def network(kind: Kind, settings: MatcherSettings = SETTINGS) -> MatcherNetwork:
    """Weights that are the same every time, and none that begin at nothing."""
    made = build(kind, settings, lexicon(kind), seed=2)
    for parameter in made.parameters():
        if not parameter.any():
            torch.nn.init.constant_(parameter, 0.1)
    return made


@cache
def untrained(kind: Kind, settings: MatcherSettings = SETTINGS) -> MatcherEncoder:
    """An encoder that nothing has trained."""
    facts = {"pairs": 0}
    return MatcherEncoder(
        kind, settings, lexicon(kind), network=network(kind, settings), trained_on=("ours",), facts=facts
    )


CPU = torch.device("cpu")
TWO_ROWS, ONE_ROW, NOTHING = Read.of([[1, 2], [], [3]]), Read.of([[4, 5, 6]]), Read.of([[], []])


def weighed(read: Read, *weights: float) -> Read:
    return Read(read.numbers, read.lengths, np.array(weights, np.float32))


def test_rows_stand_end_to_end_and_empty_ones_are_skipped() -> None:
    assert TWO_ROWS.numbers.tolist() == [1, 2, 3]
    assert TWO_ROWS.lengths.tolist() == [2, 1]
    assert (len(TWO_ROWS), len(NOTHING), NOTHING.lengths.tolist()) == (3, 0, [])


def test_thinning_keeps_numbers_with_their_weights_and_drops_rows_that_are_empty_then() -> None:
    read = weighed(TWO_ROWS, 0.1, 0.2, 0.3)
    for kept, numbers, lengths in (
        ([True, False, True], [1, 3], [1, 1]),
        ([False, True, False], [2], [1]),
        ([False, False, True], [3], [1]),
        ([True, True, True], [1, 2, 3], [2, 1]),
    ):
        thin = read.thinned(np.array(kept))
        assert (thin.numbers.tolist(), thin.lengths.tolist()) == (numbers, lengths)
        assert thin.weights is not None
        np.testing.assert_allclose(thin.weights, np.array(numbers) / 10)
    assert TWO_ROWS.thinned(np.array([True, False, False])).weights is None
    assert read.thinned(np.zeros(3, bool)) is read, "no document loses its last word"


def test_a_batch_is_padded_to_its_longest_row() -> None:
    batch = padded([TWO_ROWS, ONE_ROW], CPU)
    assert batch.numbers.tolist() == [[1, 2, 0], [3, 0, 0], [4, 5, 6]]
    assert (batch.lengths.tolist(), batch.rows.tolist(), batch.weights) == ([2, 1, 3], [2, 1], None)
    assert batch.inside.tolist() == [[True, True, False], [True, False, False], [True, True, True]]


def test_weights_lie_where_their_numbers_do() -> None:
    batch = padded([weighed(TWO_ROWS, 1, 2, 3), weighed(ONE_ROW, 4, 5, 6)], CPU)
    assert batch.weights is not None
    assert batch.weights.tolist() == batch.numbers.tolist() == [[1, 2, 0], [3, 0, 0], [4, 5, 6]]


def test_batches_hold_documents_of_like_size_and_none_without_a_word() -> None:
    long, pair, short = Read.of([[1, 2, 3, 4]]), Read.of([[1], [2]]), Read.of([[9]])
    reads = [long, NOTHING, pair, short]
    assert list(batches(reads, 4)) == [[3, 2], [0]]
    assert list(batches(reads, 16)) == [[3, 2, 0]], "three rows and one, four wide"
    assert list(batches(reads, 1)) == [[3], [2], [0]], "a document that is too large is read alone"
    assert list(batches([NOTHING], 4)) == []


def test_no_batch_is_larger_than_asked_and_no_document_is_left_out() -> None:
    generator = np.random.default_rng(4)
    reads = [Read.of([[7] * int(width) for width in generator.integers(0, 9, 5)]) for _ in range(60)]
    found = list(batches(reads, 200))
    assert sorted(place for batch in found for place in batch) == [n for n, read in enumerate(reads) if len(read)]
    for batch in found:
        assert padded([reads[place] for place in batch], CPU).numbers.numel() <= 200
    assert len(found) < 15


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"max_words": 0, "window": -1}, "max_words must be at least 1, got 0; window must be at least 1, got -1"),
        ({"width": 12, "heads": 4}, "width must be a multiple of 2 heads = 8, got 12"),
    ],
)
def test_sizes_out_of_range_are_refused(settings: dict[str, int], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        MatcherSettings(**settings)


@pytest.mark.parametrize("kind", KINDS)
@torch.inference_mode()
def test_padding_and_other_documents_change_nothing(kind: Kind) -> None:
    net, reads = network(kind), some_reads(kind)
    together = encode_reads(net, reads)
    alone = torch.cat([encode_reads(net, [read]) for read in reads])
    torch.testing.assert_close(alone, together, atol=1e-5, rtol=0)
    texts = padded(reads, CPU)
    more = torch.full((len(texts.numbers), 7), 3)
    weights = None if texts.weights is None else torch.cat([texts.weights, more + 0.5], 1)
    wider = texts._replace(numbers=torch.cat([texts.numbers, more], 1), weights=weights)
    torch.testing.assert_close(net(wider), net(texts), atol=1e-5, rtol=0)
    assert not torch.allclose(together[3], together[4], atol=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_a_document_of_nothing_is_zeros_and_has_no_gradient_of_its_own(kind: Kind) -> None:
    net, nothing = network(kind), Read.of([])
    assert not encode_reads(net, [nothing]).any()
    rows = encode_reads(net, [nothing, *some_reads(kind)])
    assert not rows[0].any()
    rows.square().sum().backward()
    assert all(torch.isfinite(one.grad).all() for one in net.parameters() if one.grad is not None)


class Largest(TorchDispatchMode):
    """Notes the size of the largest tensor that is made."""

    numbers = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN204
        made = func(*args, **(kwargs or {}))
        for one in made if isinstance(made, tuple | list) else [made]:
            if isinstance(one, torch.Tensor):
                self.numbers = max(self.numbers, one.numel())
        return made


@pytest.mark.parametrize("kind", KINDS)
@torch.inference_mode()
def test_memory_grows_with_a_document_and_not_with_its_square(kind: Kind) -> None:
    words = 50_000
    rows = [5] * (words // 5) if kind == "han" else [50] * (words // 50) if kind == "smith" else [words]
    net = network(kind, MatcherSettings(max_words=words, width=8, layers=1, heads=2, window=16))
    with Largest() as largest:
        assert torch.isfinite(encode_reads(net, [a_read(kind, rows, seed=1)])).all()
    assert largest.numbers <= 150 * words  # 30 MB; the square is 10 GB


@pytest.mark.parametrize("kind", ["arc-i", "han", "smith", "s-long"])
@torch.inference_mode()
def test_the_order_of_words_counts(kind: Kind) -> None:
    read = a_read(kind, [30], seed=3)
    backwards = Read(read.numbers[::-1].copy(), read.lengths)
    rows = encode_reads(network(kind), [read, backwards])
    assert (rows[0] - rows[1]).abs().max() > 1e-4


def test_positions_differ_and_word_vectors_have_one_size() -> None:
    found = positions(50, 8)
    assert torch.cdist(found, found).add(torch.eye(50)).min() > 0.1
    table = FrozenWords(np.full((3, 4), 0.25, np.float16)).table
    torch.testing.assert_close(table, torch.ones(3, 4))
    assert torch.isfinite(FrozenWords(np.zeros((2, 4), np.float16)).table).all()


@torch.inference_mode()
def test_arc_i_takes_the_largest_of_windows_three_times() -> None:
    net, read = network("arc-i"), a_read("arc-i", [11], seed=4)
    weights = {name: tensor.numpy() for name, tensor in net.state_dict().items()}
    states = FrozenWords(lexicon("arc-i").vectors).table.numpy()[read.numbers]  # type: ignore[arg-type]
    for layer in range(3):
        if layer:
            states = np.stack([states[start : start + 2].max(axis=0) for start in range(0, len(states), 2)])
        kernel, bias = weights[f"layers.{layer}.weight"], weights[f"layers.{layer}.bias"]
        around = np.pad(states, ((1, 1), (0, 0)))
        windows = [np.einsum("odk,kd->o", kernel, around[place : place + 3]) for place in range(len(states))]
        states = np.maximum(np.stack(windows) + bias, 0)
    wanted = weights["out.weight"] @ states.max(axis=0) + weights["out.bias"]
    np.testing.assert_allclose(encode_reads(net, [read])[0].numpy(), wanted, atol=1e-5)


@torch.inference_mode()
def test_dssm_is_three_layers_of_tanh() -> None:
    net = network("dssm")
    assert isinstance(net, Dssm)
    read = a_read("dssm", [9], seed=4)
    assert read.weights is not None
    weights = {name: tensor.numpy() for name, tensor in net.state_dict().items()}
    first = np.zeros(SETTINGS.width)
    for number, weight in zip(read.numbers, read.weights, strict=True):
        first += weight * weights["letters.weight"][number]
    first = np.tanh(first + weights["bias"])
    second = np.tanh(weights["hidden.weight"] @ first + weights["hidden.bias"])
    third = np.tanh(weights["out.weight"] @ second + weights["out.bias"])
    np.testing.assert_allclose(encode_reads(net, [read])[0].numpy(), third, atol=1e-6)


@torch.inference_mode()
def test_han_weighs_states_by_their_nearness_to_a_context() -> None:
    torch.manual_seed(1)
    level, given = Level(3, 4), torch.randn(1, 5, 3)
    states = level.gru(given)[0][0]
    scores = torch.tanh(states @ level.hidden.weight.T + level.hidden.bias) @ level.context.weight[0]
    weights = scores.exp() / scores.exp().sum()
    found = level(given, torch.ones(1, 5, dtype=torch.bool))
    torch.testing.assert_close(found[0], (weights[:, None] * states).sum(0))


@pytest.mark.parametrize("words", [1, 3, 4, 9, 16])
def test_attention_in_windows_is_attention_under_a_band(words: int) -> None:
    torch.manual_seed(words)
    window, length = 3, 1 + words
    queries, keys, values = torch.randn(3, 2, 2, length, 5)
    inside = torch.arange(length) < torch.tensor([[length], [max(2, length - 4)]])
    places = torch.arange(length)
    band = ((places[:, None] - places).abs() <= window) | (places[:, None] == 0) | (places == 0)
    mask = (band & inside[:, None, :])[:, None]
    wanted = scaled_dot_product_attention(queries, keys, values, attn_mask=mask)
    found = in_windows(queries, keys, values, inside, window=window)
    there = inside[:, None, :, None].expand_as(found)
    torch.testing.assert_close(found[there], wanted[there])


TEXT = "The valve opens. The boiler of the engine is hot, and the steam rises! A valve closes."
DOCUMENT = Document("d", sections=(Section("Body", TEXT), Section("References", "Engine 1999.", "references")))
WORDS = ("the", "valve", "opens", "boiler", "engine", "hot", "steam", "rises", "closes")


def few_words() -> Lexicon:
    return Lexicon(WORDS, np.ones((len(WORDS), 2), np.float16))


def rows(kind: Kind, **settings: int) -> list[list[str]]:
    read = few_words().read(DOCUMENT, kind, MatcherSettings(**settings))
    return [[WORDS[number] for number in row] for row in np.split(read.numbers, np.cumsum(read.lengths)[:-1])]


def test_sentences_end_after_the_words_that_are_read() -> None:
    assert [len(one) for one in sentences_of(DOCUMENT, 100)] == [3, 11, 3]
    assert sentences_of(DOCUMENT, 5) == [["the", "valve", "opens"], ["the", "boiler"]]
    assert sentences_of(DOCUMENT, 3) == [["the", "valve", "opens"]]
    assert sentences_of(Document("empty"), 3) == []


def test_han_reads_sentences_and_cuts_long_ones() -> None:
    first, last = ["the", "valve", "opens"], ["valve", "closes"]
    assert rows("han") == [first, ["the", "boiler", "the", "engine", "hot", "the", "steam", "rises"], last]
    middle = [["the", "boiler", "the", "engine", "hot"], ["the", "steam", "rises"]]
    assert rows("han", row_words=5) == [first, *middle, last]


def test_smith_fills_blocks_with_whole_sentences() -> None:
    assert [len(row) for row in rows("smith", row_words=11)] == [11, 2]
    assert [len(row) for row in rows("smith", row_words=5)] == [3, 5, 5]


@pytest.mark.parametrize("kind", ["arc-i", "s-long"])
def test_others_read_one_row(kind: Kind) -> None:
    assert [len(row) for row in rows(kind)] == [13]
    assert rows(kind, max_words=5) == [["the", "valve", "opens", "the", "boiler"]]


def test_known_trigrams_are_counted() -> None:
    read = Lexicon(("#th", "the", "he#", "xyz", "alv")).read(DOCUMENT, "dssm", MatcherSettings())
    assert (read.numbers.tolist(), read.lengths.tolist()) == ([0, 1, 2, 4], [4])
    counts = np.log1p(np.array([4, 4, 4, 2]))
    assert read.weights is not None
    np.testing.assert_allclose(read.weights, counts / np.linalg.norm(counts), rtol=1e-6)
    assert len(Lexicon(("xyz",)).read(DOCUMENT, "dssm", MatcherSettings())) == 0


def test_frequent_trigrams_stand_in_most_documents() -> None:
    documents = [Document("a", title="aba aba aba"), Document("b", title="cab"), Document("c", title="cab")]
    assert frequent_trigrams(documents, MatcherSettings(trigrams=3)) == ("#ca", "ab#", "cab")
    assert frequent_trigrams(documents[:1], MatcherSettings()) == ("#ab", "aba", "ba#")


def test_words_without_vectors_are_refused() -> None:
    with pytest.raises(EncoderError, match=r"Expected one vector for each of 2 words, got \(3, 4\)\. Give them in"):
        Lexicon(("a", "b"), np.zeros((3, 4), np.float16))


def test_hidden_words_leave_rows_that_hold_some() -> None:
    read = Read(np.arange(6, dtype=np.int32), np.array([2, 3, 1]), np.arange(6, dtype=np.float32))
    kept = np.array([False, False, True, False, True, True])
    thin = read.thinned(kept)
    assert (thin.numbers.tolist(), thin.lengths.tolist()) == ([2, 4, 5], [2, 1])
    assert thin.weights is not None and thin.weights.tolist() == [2, 4, 5]
    assert read.thinned(~kept & kept) is read


def test_batches_hold_so_many_numbers_with_their_padding() -> None:
    reads = [Read.of([[1] * length] * count) for length, count in ((3, 2), (10, 1), (1, 4), (0, 1), (10, 9))]
    assert list(batches(reads, 24)) == [[2, 0], [1], [4]]
    assert sorted(place for batch in batches(reads, 10**6) for place in batch) == [0, 1, 2, 4]
    assert list(batches([], 5)) == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_weights_that_learn_do_not_hold_the_words(kind: Kind) -> None:
    net = network(kind)
    encode_reads(net, some_reads(kind)).square().sum().backward()
    assert all(one.grad is not None for one in net.parameters())
    assert not any("table" in name for name in net.state_dict())


class TestMatcher(EncoderContract):
    @pytest.fixture(params=KINDS)
    def encoder(self, request: pytest.FixtureRequest) -> MatcherEncoder:
        return untrained(request.param)

    def test_rows_are_unit_or_nothing(self, encoder: MatcherEncoder) -> None:
        lengths = np.linalg.norm(encoder.encode_documents([*corpus(), EMPTY]), axis=1)
        np.testing.assert_allclose(lengths, [1] * 40 + [0], atol=1e-6)

    def test_any_folder_is_read_by_its_method(self, encoder: MatcherEncoder, tmp_path: Path) -> None:
        encoder.save(tmp_path / "saved")
        again = registry.load_folder(tmp_path / "saved", ROWS.loaders)
        assert isinstance(again, MatcherEncoder)
        assert (again.card, again.kind, again.facts) == (encoder.card, encoder.kind, {"pairs": 0})
        assert storage.read_head(tmp_path / "saved")[1]["method"] == method_of(encoder.kind)
        assert again.card.name == name_of(encoder.kind)


@pytest.mark.parametrize("kind", KINDS)
def test_what_stands_behind_the_first_words_is_not_read(kind: Kind) -> None:
    encoder = untrained(kind, replace(SETTINGS, max_words=400))
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
    untrained("smith").save(tmp_path / "saved")
    rewritten(tmp_path / "saved", settings={"width": -8})
    with pytest.raises(
        StorageError, match=r"Expected a matcher in .*width must be at least 1.* Build the folder again"
    ):
        MatcherEncoder.load(tmp_path / "saved")


def forged(folder: Path, **arrays: np.ndarray) -> Path:
    """The folder with other arrays, checksums and fingerprint made to fit."""
    untrained("arc-i").save(folder)
    card = json.loads((folder / "card.json").read_text())
    found = {**files.read_arrays(folder / storage.WEIGHTS, card["weights_sha256"]), **arrays}
    words, settings = lexicon("arc-i").words, card["facts"]["settings"]
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
