"""Corpora on disk into pairs of token ids, what is left out, what an epoch draws, and the nearest by TF-IDF."""

from __future__ import annotations

import itertools
from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest

from engine.core.progress import Progress, silent
from engine.documents import Document
from engine.encoders.ctpe import Position, WordEmbeddings
from engine.training import corpora
from engine.training.ctpe import corpus as nearest
from engine.training.ctpe.corpus import (
    CtpeBatch,
    PairCorpus,
    PairTokens,
    Sampling,
    epoch_batches,
    half_lengths,
    halves_of,
    negatives,
    read_pairs,
    texts_of,
    tokenise,
)
from tests.contracts.encoder import corpus
from tests.training.small import recipe, word_vectors, write_data

N = 30


def tokens(count: int = N) -> PairTokens:
    halves = [([i] * (1 + i % 3), [100 + i] * (2 + i % 5)) for i in range(count)]
    return PairTokens.of(halves, [f"d{i}" for i in range(count)])


def draw(sampling: Sampling, *, seed: int = 1, epoch: int = 0, count: int = N) -> list[CtpeBatch]:
    return epoch_batches(tokens(count), sampling, seed=seed, epoch=epoch)


def same(one: list[CtpeBatch], other: list[CtpeBatch]) -> bool:
    return all(
        np.array_equal(a, b)
        for first, second in zip(one, other, strict=True)
        for a, b in zip(astuple(first), astuple(second), strict=True)
    )


def test_halves_are_the_tokens_before_and_behind_the_cut() -> None:
    held = tokens()
    documents, is_former = np.array([4, 0, 4]), np.array([True, False, False])
    flat, offsets = halves_of(held, documents, is_former)
    found = [flat[start:stop].tolist() for start, stop in itertools.pairwise(offsets)]
    assert found == [[4, 4], [100, 100], [104] * 6]
    assert half_lengths(held, documents, is_former).tolist() == [2, 2, 6]


def test_every_document_comes_once_an_epoch_in_even_batches() -> None:
    batches = draw(Sampling(batch=8))
    assert [len(batch.documents) for batch in batches] == [7, 8, 7, 8]
    assert sorted(np.concatenate([batch.documents for batch in batches])) == list(range(N))


def test_epochs_draw_anew_and_the_same_again() -> None:
    sampling = Sampling(batch=8)
    first, again, second, other = (
        draw(sampling, epoch=0),
        draw(sampling, epoch=0),
        draw(sampling, epoch=1),
        draw(sampling, seed=2),
    )
    assert same(first, again)
    assert not same(first, second)
    assert not same(first, other)


def test_a_negative_is_another_document_and_lends_either_half() -> None:
    batches = [batch for epoch in range(40) for batch in draw(Sampling(batch=8), epoch=epoch)]
    assert all((batch.other != batch.documents).all() for batch in batches)
    assert np.unique(np.concatenate([batch.other for batch in batches])).tolist() == list(range(N))
    swaps = np.concatenate([batch.swaps_former for batch in batches])
    assert 0.4 < swaps.mean() < 0.6


def test_every_second_negative_is_a_near_one() -> None:
    generator = np.random.default_rng(0)
    nearest = np.full((N, 4), -1, np.int32)
    nearest[0, :2] = [7, 9]
    other = negatives(np.zeros(4000, np.int64), N, generator=generator, nearest=nearest)
    shares = np.bincount(other, minlength=N) / len(other)
    # Half the draws look among the four places; two of them are empty and give any document.
    assert shares[7] == pytest.approx(0.5 / 4 + 0.75 / (N - 1), abs=0.03)
    assert shares[9] == pytest.approx(0.5 / 4 + 0.75 / (N - 1), abs=0.03)
    assert shares[3] == pytest.approx(0.75 / (N - 1), abs=0.02)
    assert shares[0] == 0


PAPER = Document(id="p", title="Steam boiler", abstract="The valve of a steam engine", categories=("B", "A", "B"))
MORE = (
    PAPER,
    Document(id="p", title="Twice the same id", abstract="steam"),
    Document(id="q-steam", title="Steam", abstract="A query of a benchmark"),
    Document(id="child", title="Steam", abstract="A later patent of a query's family", family="q-family"),
    Document(id="none", title="", abstract="17"),
)


def words() -> WordEmbeddings:
    return WordEmbeddings.of(word_vectors())


def read(folder: Path, *settings: str, report: object = silent) -> object:
    made = recipe(folder, *settings)
    digests = corpora.digests(made.data.corpora, folder)
    return read_pairs(made, words(), folder, corpora=digests, cache=folder / "cache", report=report)  # type: ignore[arg-type]


def test_documents_become_numbered_halves_and_what_is_left_out_is_counted() -> None:
    model = words()
    held_out = corpora.HeldOut(frozenset({"q-steam", "q-family"}))
    tokens, left_out = tokenise(
        [("ours", one) for one in MORE], Position(), lambda half: model.ids(half, 20), held_out=held_out
    )
    assert (tokens.names, tokens.subjects) == (["p"], ["ours\tA\tB"])
    former, latter = np.split(tokens.flat, [tokens.cuts[0]])
    assert [model.words[number] for number in former] == ["steam", "boiler"]
    assert [model.words[number] for number in latter] == ["the", "valve", "of", "a", "steam", "engine"]
    assert left_out == {"a benchmark's query": 2, "an id seen before": 1, "a half without known words": 1}


def test_a_second_run_reads_what_the_first_one_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_data(tmp_path)
    reports: list[Progress] = []
    first = read(tmp_path, report=reports.append)
    assert (reports[-1].stage, reports[-1].done) == ("read ours", 40)
    monkeypatch.setattr("engine.training.ctpe.corpus.tokenise", None)
    again = read(tmp_path)
    assert (again.key, again.left_out) == (first.key, first.left_out)  # type: ignore[attr-defined]
    np.testing.assert_array_equal(again.tokens.flat, first.tokens.flat)  # type: ignore[attr-defined]
    assert again.tokens.subjects == first.tokens.subjects  # type: ignore[attr-defined]
    assert again.tokens.names == first.tokens.names == [one.id for one in corpus()]  # type: ignore[attr-defined]


def test_another_cut_length_or_corpus_is_read_anew(tmp_path: Path) -> None:
    write_data(tmp_path)
    changes = (["pairs.position=30%"], ["pairs.max_tokens=5"], [])
    keys = {read(tmp_path, *change).key for change in changes}  # type: ignore[attr-defined]
    other = tmp_path / "other"
    write_data(other, documents=corpus()[:30])
    assert len(keys | {read(other).key}) == 4  # type: ignore[attr-defined]


def test_texts_come_in_the_order_of_the_tokens(tmp_path: Path) -> None:
    folder = write_data(tmp_path / "data")
    tokens = read(folder).tokens  # type: ignore[attr-defined]
    wanted = {document.id: document.text for document in corpus()}
    assert texts_of(tokens, ["ours"], folder, silent) == [wanted[name] for name in tokens.names]


WORDS = 60


def tokens_of_words(documents: int = 50) -> PairTokens:
    generator = np.random.default_rng(8)
    halves = [
        (generator.integers(0, WORDS, 4).tolist(), generator.integers(0, WORDS, 6).tolist()) for _ in range(documents)
    ]
    return PairTokens.of(halves, [str(number) for number in range(documents)])


def plain(held: PairTokens) -> np.ndarray:
    """Every cosine of rows (1 + ln tf) (1 + ln((1 + n) / (1 + df))) without the words in over a tenth of documents."""
    n = len(held)
    counts = np.zeros((n, WORDS))
    for i in range(n):
        np.add.at(counts[i], held.flat[held.starts[i] : held.starts[i + 1]], 1)
    df = (counts > 0).sum(axis=0)
    weights = np.where(counts > 0, 1 + np.log(np.maximum(counts, 1)), 0) * (1 + np.log((1 + n) / (1 + df)))
    weights[:, df > 0.1 * n] = 0
    lengths = np.linalg.norm(weights, axis=1, keepdims=True)
    rows = np.divide(weights, lengths, out=np.zeros_like(weights), where=lengths > 0)
    return rows @ rows.T


@pytest.mark.parametrize("block", [7, 50])
def test_the_nearest_are_those_of_the_whole_matrix(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    held, untouched = tokens_of_words(), tokens_of_words()
    monkeypatch.setattr(nearest, "_PRODUCTS_AT_ONCE", block * len(held))
    reports: list[Progress] = []
    found = nearest.nearest_by_tfidf(held, count=5, report=reports.append)
    np.testing.assert_array_equal(held.starts, untouched.starts)
    similarities = plain(untouched)
    np.fill_diagonal(similarities, 0)
    for i, row in enumerate(found):
        wanted = [j for j in np.argsort(-similarities[i], kind="stable")[:5] if similarities[i, j] > 0]
        assert similarities[i, row[row >= 0]] == pytest.approx(similarities[i, wanted], abs=1e-5)
        assert (row >= 0).sum() == len(wanted)
        assert i not in row
    assert (found < 0).any()
    assert (reports[-1].done, reports[-1].total) == (50, 50)


def test_marks_between_sentences_are_no_words() -> None:
    held = tokens_of_words()
    halves = np.split(held.flat, np.sort([*held.starts[1:-1], *held.cuts]))
    marked = PairTokens.of(
        [([*former, -1], [*latter, -1]) for former, latter in zip(halves[::2], halves[1::2], strict=True)], held.names
    )
    np.testing.assert_array_equal(nearest.nearest_by_tfidf(marked, count=5), nearest.nearest_by_tfidf(held, count=5))


def test_a_second_run_reads_what_the_first_one_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = PairCorpus(tokens_of_words(), {}, "key")
    first = nearest.read_nearest(corpus, cache=tmp_path)
    assert first.shape == (50, 100)
    monkeypatch.setattr(nearest, "nearest_by_tfidf", None)
    np.testing.assert_array_equal(nearest.read_nearest(corpus, cache=tmp_path), first)
