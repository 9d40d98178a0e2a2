"""Corpora on disk into pairs of token ids, and what is left out of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.progress import Progress, silent
from engine.documents import Document
from engine.encoders.ctpe import Position, WordEmbeddings
from engine.training import corpora
from engine.training.ctpe.corpus import read_pairs, texts_of, tokenise
from tests.contracts.encoder import corpus
from tests.training.small import recipe, word_vectors, write_data

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
