"""What KeyVec reads of its corpora."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.documents import Document
from engine.encoders.ctpe import WordEmbeddings
from engine.training.corpora import HeldOut
from engine.training.keyvec.reading import abstracts_of, full_texts_of, splits_of
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
