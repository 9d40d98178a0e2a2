"""What KeyVec reads of its corpora, which of it is learnt from, and what each epoch draws."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

from engine.core import files
from engine.documents import Document
from engine.encoders.ctpe import WordEmbeddings
from engine.training.corpora import HeldOut
from engine.training.keyvec.labels import WordCounts
from engine.training.keyvec.recipe import KeyvecRecipe
from engine.training.keyvec.texts import UNKNOWN, NumberedSentences, ReadTexts, abstracts_of, full_texts_of, splits_of
from engine.training.keyvec.trainer import (
    KeyvecBatch,
    KeyvecCorpus,
    KeyvecStep,
    corpus_of,
    epoch_batches,
    step_count,
    step_of,
)
from tests.contracts.encoder import corpus
from tests.training.keyvec.small import full_text, recipe
from tests.training.small import word_vectors


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
    assert read.texts.salient.tolist() == [0, 1, 0, 0, 0, 1, 0, 0] * 3
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
    found = abstracts_of(given, words, recipe(data), held_out=HeldOut(frozenset({"q", "f"})))
    assert found.names == ["steam0"]
    assert list(found.left_out.values()) == [2, 1, 1]


def ids(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int32)


def texts() -> NumberedSentences:
    return NumberedSentences.of(
        [[ids(1, 2), ids(3)], [], [ids(2), ids(4, 4, 4), ids(1)]], np.array([0, 1, 1, 0, -1], np.int8)
    )


def listed(found: NumberedSentences) -> list[list[list[int]]]:
    return [[one.tolist() for one in found.sentences(place)] for place in range(len(found))]


def test_sentences_come_back_by_document() -> None:
    assert listed(texts()) == [[[1, 2], [3]], [], [[2], [4, 4, 4], [1]]]
    assert NumberedSentences.of([[ids(1)]]).salient.tolist() == [UNKNOWN]
    assert listed(NumberedSentences.of([])) == []


def test_documents_are_chosen_in_any_order() -> None:
    chosen = texts().chosen(np.array([2, 0]))
    assert listed(chosen) == [[[2], [4, 4, 4], [1]], [[1, 2], [3]]]
    assert chosen.salient.tolist() == [1, 0, -1, 0, 1]


def test_some_words_are_kept_and_sentences_without_one_dropped() -> None:
    kept = texts().kept(np.array([True, False, False, True, False, True, True, False]))
    assert listed(kept) == [[[1]], [], [[2], [4, 4]]]
    assert kept.salient.tolist() == [0, 1, 0]


def test_unknown_words_are_dropped_and_sentences_of_them_with_their_labels() -> None:
    known = texts().renumbered(ids(-1, 0, 7, -1, 1))
    assert listed(known) == [[[0, 7]], [], [[7], [1, 1, 1], [0]]]
    assert known.salient.tolist() == [0, 1, 0, -1]


def test_two_readings_are_joined_by_their_words() -> None:
    def reading(names: list[str], counts: list[list[int]], words: list[str]) -> ReadTexts:
        made = NumberedSentences.of([[ids(1)] for _ in names])
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


def small_corpus(chosen: KeyvecRecipe) -> KeyvecCorpus:
    """Forty abstracts and three full texts to train on, a fourth one valid."""
    words = word_vectors()
    read = WordEmbeddings.of(words)
    full = full_texts_of([full_text(n) for n in range(4)], {f"full{n}": n == 3 for n in range(4)}, read, chosen)
    abstracts = abstracts_of([("ours", one) for one in corpus()], read, chosen)
    return corpus_of(chosen, words, [abstracts, full])


def words_of(made: KeyvecCorpus, step: KeyvecStep, place: int) -> tuple[list[int], set[int]]:
    """The words that a step reads of a document, and those of the key words that it predicts."""
    read = [int(word) for one in step.texts.sentences(place) for word in one]
    return read, {int(made.word_of[number]) for number in step.wanted[step.of == place]}


def test_an_epoch_has_every_abstract_once_and_every_full_text_as_often_as_asked(data: Path) -> None:
    chosen = recipe(data, "data.full_text_passes=3", "optimizer.batch=9")
    made = small_corpus(chosen)
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


def test_words_of_an_abstract_are_either_read_or_predicted(data: Path) -> None:
    made = small_corpus(recipe(data))
    documents = np.array([3, 41, 8])  # two abstracts, a full text between them
    whole = step_of(made, KeyvecBatch(documents, (1, 0, 0)))
    step = step_of(made, KeyvecBatch(documents, (1, 0, 0)), hidden=0.5)
    for place in (0, 2):
        before, keywords = words_of(made, whole, place)
        read, predicted = words_of(made, step, place)
        assert 0.2 < len(set(read)) / len(set(before)) < 0.8
        assert read == [word for word in before if word in set(read)]  # a word is hidden wherever it stands
        assert predicted == keywords - set(read)
    assert words_of(made, step, 1) == words_of(made, whole, 1)
    again, other = (step_of(made, KeyvecBatch(documents, (1, 0, n)), hidden=0.5) for n in (0, 1))
    assert again.texts.flat.tolist() == step.texts.flat.tolist() != other.texts.flat.tolist()


def test_a_key_word_without_a_vector_is_always_predicted(data: Path) -> None:
    made = small_corpus(recipe(data, "words.most=12"))
    unknown = set(np.flatnonzero(made.word_of < 0).tolist())
    batch = KeyvecBatch(made.abstracts, (1, 0, 0))
    whole, step = step_of(made, batch), step_of(made, batch, hidden=0.5)
    wanted, predicted = (sum(int(word) in unknown for word in one.wanted) for one in (whole, step))
    assert predicted == wanted > 0


def test_documents_that_tables_ask_with_are_not_trained_on(data: Path) -> None:
    made = small_corpus(recipe(data, "data.held_out_one_in=2"))
    assert len(made.abstracts) == sum(files.spread(one.id, 2) > 0 for one in corpus()) < 40
    assert len(made.full) == 3
