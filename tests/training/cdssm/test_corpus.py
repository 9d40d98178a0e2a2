"""Corpora on disk into the words of the documents that may be trained on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.documents import Document, Section
from engine.training import corpora
from engine.training.cdssm.corpus import Chosen, WordCorpus, number_words, read_words
from engine.training.related import pair_digests
from tests.contracts.encoder import corpus
from tests.training.cdssm.small import recipe
from tests.training.small import write_data

GIVEN = (
    ("ours", Document("a", title="Steam boiler", abstract="steam", categories=("B", "A"), family="f")),
    ("ours", Document("a", title="The same id", categories=("A",))),
    ("ours", Document("none", title="No subject")),
    ("theirs", Document("b", title="boiler valve", categories=("A",))),
    ("theirs", Document("test", title="In no train pair", categories=("A",))),
    ("theirs", Document("wordless", title="17 + 4")),
    ("ours", Document("q", title="A query", categories=("A",))),
    ("ours", Document("child", title="A query's family", family="q-family", categories=("A",))),
)
CHOSEN = Chosen(frozenset({"ours"}), {"theirs": {"b", "wordless"}}, corpora.HeldOut(frozenset({"q", "q-family"})))


def read(folder: Path, *settings: str) -> WordCorpus:
    made = recipe(folder, *settings)
    digests = corpora.digests(made.data.corpora, folder) | pair_digests(made.data.files, folder)
    return read_words(made, folder, digests=digests, cache=folder / "cache", report=lambda _: None)


def test_documents_with_a_subject_or_a_train_pair_become_numbers_of_words() -> None:
    found = number_words(GIVEN, CHOSEN, max_tokens=20)
    assert (found.names, found.subjects, found.families) == (["a", "b"], ["ours\tA\tB", ""], ["f", ""])
    assert (found.words, found.counts.tolist()) == (["steam", "boiler", "valve"], [2, 2, 1])
    assert (found.flat.tolist(), found.starts.tolist()) == ([0, 1, 0, 1, 2], [0, 3, 5])
    words, ends = found.words_of(np.array([1, 0, 1]))
    assert (words.tolist(), ends.tolist()) == ([1, 2, 0, 1, 0, 1, 2], [0, 2, 5, 7])
    assert found.left_out == {
        "a benchmark's query": 2,
        "an id seen before": 1,
        "a text without words": 1,
        "in no subject and no train pair": 2,
    }


def test_only_the_first_words_are_read() -> None:
    found = number_words(GIVEN[:1], CHOSEN, max_tokens=2)
    assert found.flat.tolist() == [0, 1]


def test_a_second_run_reads_what_the_first_one_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_data(tmp_path)
    first = read(tmp_path)
    monkeypatch.setattr("engine.training.cdssm.corpus.number_words", None)
    again = read(tmp_path)
    assert again.names == first.names == [one.id for one in corpus()]
    assert (again.words, again.subjects, again.left_out) == (first.words, first.subjects, first.left_out)
    np.testing.assert_array_equal(again.flat, first.flat)


def test_without_subjects_documents_of_train_pairs_alone_are_read(tmp_path: Path) -> None:
    write_data(tmp_path)
    found = read(tmp_path, "data.subjects=[]")
    assert sorted(found.names) == sorted(["steam0", "steam4", "graph3", "graph7", "neural1", "neural5"])
    assert set(found.subjects) == {""}


def test_of_some_corpora_the_title_and_the_abstract_alone_are_read(tmp_path: Path) -> None:
    document = Document("steam0", title="Boiler", abstract="A valve", sections=(Section("Body", "piston"),))
    write_data(tmp_path, documents=[document, *corpus()[1:]])
    whole, abstracts = read(tmp_path), read(tmp_path, "data.abstracts=['ours']")
    lengths = [int(np.diff(one.starts)[one.names.index("steam0")]) for one in (whole, abstracts)]
    assert lengths == [4, 3]
