"""C-DSSM's lexicon, and its network against plain autograd: windows, the max over a text's own words, gradients."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor

from engine.encoders.cdssm import network as module
from engine.encoders.cdssm.network import Bags, CdssmNetwork, Lexicon, NumberedTexts, Windows, begin_network, distinct
from engine.encoders.cdssm.settings import CdssmSettings


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
    monkeypatch.setitem(module._TEXTS_AT_ONCE, "cpu", 3)
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
