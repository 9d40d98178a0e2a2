"""What KeyVec learns from: which documents, which of their text, and what each epoch draws."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

from engine.documents import Document
from engine.encoders.ctpe.embeddings import WordEmbeddings
from engine.training.keyvec.corpus import corpus_of, epoch_batches, step_count
from engine.training.keyvec.reading import abstracts_of, full_texts_of, splits_of
from engine.training.keyvec.texts import UNKNOWN, ReadTexts, Texts, WordCounts
from tests.contracts.encoder import corpus
from tests.training.keyvec.small import full_text, recipe, write_data
from tests.training.small import word_vectors


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_data(tmp_path_factory.mktemp("keyvec"))


def ids(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int32)


def texts() -> Texts:
    return Texts.of([[ids(1, 2), ids(3)], [], [ids(2), ids(4, 4, 4), ids(1)]], np.array([0, 1, 1, 0, -1], np.int8))


def listed(found: Texts) -> list[list[list[int]]]:
    return [[one.tolist() for one in found.sentences(place)] for place in range(len(found))]


def test_sentences_come_back_by_document() -> None:
    assert listed(texts()) == [[[1, 2], [3]], [], [[2], [4, 4, 4], [1]]]
    assert texts().labels(2).tolist() == [1, 0, -1]
    assert Texts.of([[ids(1)]]).salient.tolist() == [UNKNOWN]
    assert listed(Texts.of([])) == []


def test_documents_are_chosen_in_any_order() -> None:
    chosen = texts().chosen(np.array([2, 0]))
    assert listed(chosen) == [[[2], [4, 4, 4], [1]], [[1, 2], [3]]]
    assert chosen.salient.tolist() == [1, 0, -1, 0, 1]


def test_unknown_words_are_dropped_and_sentences_of_them_with_their_labels() -> None:
    known = texts().renumbered(ids(-1, 0, 7, -1, 1))
    assert listed(known) == [[[0, 7]], [], [[7], [1, 1, 1], [0]]]
    assert known.salient.tolist() == [0, 1, 0, -1]


def test_two_readings_are_joined_by_their_words() -> None:
    def reading(names: list[str], counts: list[list[int]], words: list[str]) -> ReadTexts:
        made = Texts.of([[ids(1)] for _ in names])
        rows = csr_array(np.array(counts, np.float32))
        return ReadTexts(names, made, rows, words, np.zeros(len(names), bool), {names[0]: 1})

    both = reading(["a"], [[1, 2]], ["x", "y"]).joined(reading(["b", "c"], [[3, 0], [0, 4]], ["y", "z"]))
    assert both.names == ["a", "b", "c"] and both.words == ["x", "y", "z"]
    assert both.counts.toarray().tolist() == [[1, 2, 0], [0, 3, 0], [0, 0, 4]]
    assert both.left_out == {"a": 1, "b": 1}
    assert both.chosen(np.array([2, 0])).counts.toarray().tolist() == [[0, 0, 4], [1, 2, 0]]


def test_words_are_counted_a_text_a_row() -> None:
    counted = WordCounts()
    for words in (["a", "b", "a"], [], ["b"]):
        counted.add(words)
    assert counted.rows().toarray().tolist() == [[2, 1], [0, 0], [0, 1]]
    assert WordCounts().rows().shape == (0, 0)


def test_documents_of_valid_and_test_pairs_are_not_trained_on(tmp_path: Path) -> None:
    rows = ["a b train", "b c valid", "c d valid", "d e test", "f a train", "e f valid"]
    lines = ["\t".join((*row.split()[:2], "1", row.split()[2])) for row in rows]
    (tmp_path / "pairs.tsv").write_text("\n".join(["id-a\tid-b\tlabel\tsplit", *lines]) + "\n")
    assert splits_of(tmp_path / "pairs.tsv", apart=True) == {"a": False, "b": True, "c": True, "f": True}
    assert splits_of(tmp_path / "pairs.tsv", apart=False) == {"a": False, "b": False, "f": False, "c": True}


def test_the_abstract_and_the_title_are_not_read_for_labels(data: Path) -> None:
    words = WordEmbeddings.of(word_vectors())
    documents = [full_text(number) for number in range(3)]
    read = full_texts_of(documents, dict.fromkeys(("full0", "full1", "full2"), False), words, recipe(data))
    assert np.diff(read.texts.documents).tolist() == [8, 8, 8]
    assert [read.texts.labels(place).tolist() for place in range(3)] == [[0, 1, 0, 0, 0, 1, 0, 0]] * 3
    moved = [replace(one, title="Gene protein", abstract=one.abstract + " Clique.") for one in documents]
    again = full_texts_of(moved, dict.fromkeys(read.names, False), words, recipe(data))
    np.testing.assert_array_equal(again.texts.flat, read.texts.flat)


def test_what_cannot_be_trained_on_is_counted(data: Path) -> None:
    words = WordEmbeddings.of(word_vectors())
    short = replace(full_text(0), sections=full_text(0).sections[:1])
    documents = [full_text(0), full_text(0), replace(short, id="short"), replace(full_text(1), abstract="")]
    read = full_texts_of(documents, dict.fromkeys(("full0", "full1", "short"), False), words, recipe(data))
    assert read.names == ["full0"]
    assert list(read.left_out.values()) == [1, 2]
    queries = [Document("q", abstract="Steam and boiler."), Document("kin", abstract="Steam.", family="f")]
    others = [corpus()[0], corpus()[0], Document("numbers", abstract="1 2 3.")]
    given = [("ours", one) for one in (*queries, *others)]
    found = abstracts_of(given, words, recipe(data), held_out=frozenset({"q", "f"}))
    assert found.names == ["steam0"]
    assert list(found.left_out.values()) == [2, 1, 1]


def test_an_epoch_has_every_abstract_once_and_every_full_text_as_often_as_asked(data: Path) -> None:
    words, chosen = word_vectors(), recipe(data, "data.full_text_passes=3", "optimizer.batch=9")
    read = WordEmbeddings.of(words)
    full = full_texts_of([full_text(n) for n in range(4)], {f"full{n}": n == 3 for n in range(4)}, read, chosen)
    abstracts = abstracts_of([("ours", one) for one in corpus()], read, chosen)
    made = corpus_of(chosen, words, [abstracts, full])
    assert (len(made.abstracts), len(made.full), len(made.valid.texts)) == (40, 3, 1)
    batches = epoch_batches(made, chosen, epoch=0)
    assert len(batches) == step_count(made, chosen) == 6
    seen = np.bincount(np.concatenate([batch.documents for batch in batches]))
    assert seen.tolist() == [1] * 40 + [3] * 3
    assert {len(batch.documents) for batch in batches} <= {8, 9}
    again, later = (epoch_batches(made, chosen, epoch=epoch) for epoch in (0, 1))
    assert all((one.documents == other.documents).all() for one, other in zip(batches, again, strict=True))
    assert any((one.documents != other.documents).any() for one, other in zip(batches, later, strict=True))
    named = [made.keywords[number] for number in made.train.keywords(40)]
    assert len(named) == 5 and all(word in full_text(0).abstract for word in named)
