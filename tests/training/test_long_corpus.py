"""Tables of pairs, long documents with their labels, and what an epoch draws of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import InputError
from engine.documents import Document, Section
from engine.training.long_corpus import (
    LabelledPair,
    LongCorpus,
    body_of,
    contrastive_batches,
    ids_in,
    pair_batches,
    read_labelled_pairs,
    read_long_corpora,
    step_count,
    write_labelled_pairs,
)
from tests.contracts.encoder import corpus as documents
from tests.evaluation.small import write_table
from tests.training.long import write_long_data

HEAD = "id-a\tid-b\tlabel\tsplit\n"


def written(folder: Path, text: str) -> Path:
    (folder / "pairs.tsv").write_text(text, "utf-8")
    return folder / "pairs.tsv"


def test_pairs_are_read_in_order(tmp_path: Path) -> None:
    pairs = read_labelled_pairs(written(tmp_path, HEAD + "b\ta\t1\ttrain\na\tc\t0\ttest\n"))
    assert pairs == [LabelledPair("b", "a", True, "train"), LabelledPair("a", "c", False, "test")]
    assert ids_in(pairs) == ["a", "b", "c"]
    write_labelled_pairs(tmp_path / "again.tsv", pairs)
    assert (tmp_path / "again.tsv").read_bytes() == (tmp_path / "pairs.tsv").read_bytes()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id-a\tid-b\tlabel\na\tb\t1\n", r"columns id-a, id-b, label, split in pairs.tsv; missing: split"),
        (
            HEAD + "a\tb\t2\ttrain\n",
            r"label 0 or 1, and split .* in pairs.tsv, line 2; got 'a', 'b', '2'",
        ),
        (HEAD + "a\tb\t1\tdev\n", r"line 2; got 'a', 'b', '1', 'dev'"),
        (HEAD + "a\n", r"line 2; got 'a', '', '', ''"),
        (HEAD, "Expected pairs of documents in pairs.tsv, found none"),
    ],
)
def test_another_table_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_labelled_pairs(written(tmp_path, text))


def test_no_table_and_no_text_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Expected a table of pairs at .*; there is none"):
        read_labelled_pairs(tmp_path / "pairs.tsv")
    (tmp_path / "pairs.tsv").write_bytes(HEAD.encode() + b"\xff\xfe\t\xff\t1\ttrain\n")
    with pytest.raises(InputError, match=r"Expected pairs.tsv to be text in UTF-8"):
        read_labelled_pairs(tmp_path / "pairs.tsv")


def test_only_the_body_is_compared() -> None:
    kept = Section("Introduction", "Engines turn heat into work.")
    document = Document(
        id="one",
        title="On engines",
        abstract="We build one.",
        sections=(
            Section("Abstract", "We build one."),
            kept,
            Section("References.", "Watt 1769."),
            Section("Sources", "Watt 1769.", "references"),
        ),
        claims=("An engine.",),
    )
    assert body_of(document) == Document(id="one", sections=(kept,))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_long_data(tmp_path_factory.mktemp("long"))


@pytest.fixture(scope="module")
def corpus(data: Path) -> LongCorpus:
    return read_long_corpora(["ours", "more"], data)


def test_each_corpus_stands_in_its_part_with_bodies_alone(corpus: LongCorpus) -> None:
    assert corpus.parts == {"ours": slice(0, 20), "more": slice(20, 40)}
    names = [document.id for document in corpus.documents]
    assert names[:20] == sorted(names[:20])
    assert not any(document.title or document.abstract for document in corpus.documents)
    assert {name: len(pairs.related) for name, pairs in corpus.train.items()} == {"ours": 24, "more": 24}
    assert {name: len(pairs.related) for name, pairs in corpus.valid.items()} == {"ours": 12, "more": 12}


def test_only_train_pairs_and_families_say_what_belongs_together(corpus: LongCorpus) -> None:
    train = {tuple(pair) for pairs in corpus.train.values() for pair in pairs.places[pairs.related].tolist()}
    everything = np.arange(len(corpus.documents))
    same = corpus.same_label(everything)
    wanted = np.eye(len(everything), dtype=bool)
    for one, other in train:
        wanted[one, other] = wanted[other, one] = True
    assert (same == wanted).all()
    assert not corpus.same_label(corpus.valid["ours"].places[0]).all()


def test_documents_of_a_family_belong_together(tmp_path: Path) -> None:
    folder = write_long_data(tmp_path)
    family = ("steam0", "neural5")
    held = [replace(one, family="f" if one.id in family else "") for one in documents()]
    write_table(folder / "ours" / "corpus.parquet", held)
    found = read_long_corpora(["ours"], folder)
    names = [one.id for one in found.documents]
    assert found.same_label(np.array([names.index(name) for name in family])).all()
    assert not found.same_label(np.array([names.index(name) for name in ("steam0", "neural1")])).all()


def test_an_epoch_has_every_related_pair_once_in_batches_of_one_corpus(corpus: LongCorpus) -> None:
    batches = contrastive_batches(corpus, 8, seed=1, epoch=0)
    assert len(batches) == step_count(corpus, 8, related_only=True) == 6
    assert all(len({place // 20 for place in batch.documents}) == 1 for batch in batches)
    held = {tuple(pair) for batch in batches for pair in _pairs_within(corpus, batch.documents)}
    assert {tuple(pair) for pairs in corpus.train.values() for pair in pairs.places[pairs.related].tolist()} <= held
    again, other = (contrastive_batches(corpus, 8, seed=1, epoch=epoch) for epoch in (0, 1))
    assert [batch.documents.tolist() for batch in again] == [batch.documents.tolist() for batch in batches]
    assert [batch.documents.tolist() for batch in other] != [batch.documents.tolist() for batch in batches]


def _pairs_within(corpus: LongCorpus, held: np.ndarray) -> list[list[int]]:
    pairs = np.concatenate([one.places[one.related] for one in corpus.train.values()])
    return pairs[np.isin(pairs, held).all(1)].tolist()


def test_pairs_of_both_labels_come_once_with_their_places(corpus: LongCorpus) -> None:
    batches = pair_batches(corpus, 10, seed=1, epoch=0)
    assert len(batches) == step_count(corpus, 10, related_only=False) == 10
    found = sorted(
        (*batch.documents[places].tolist(), bool(related))
        for batch in batches
        for places, related in zip(*batch.pairs, strict=True)
    )
    wanted = sorted(
        (*places, bool(related))
        for pairs in corpus.train.values()
        for places, related in zip(pairs.places.tolist(), pairs.related, strict=True)
    )
    assert found == wanted


def test_a_pair_without_its_document_and_pairs_without_a_relation_are_told(tmp_path: Path) -> None:
    folder = write_long_data(tmp_path)
    pairs = folder / "ours" / "pairs.tsv"
    text = pairs.read_text()
    pairs.write_text(text + "nobody\tsteam0\t1\ttrain\n")
    with pytest.raises(InputError, match=r"of ours/pairs.tsv in its corpus.parquet; 1 are not there, nobody"):
        read_long_corpora(["ours"], folder)
    pairs.write_text(text.replace("\t1\ttrain", "\t0\ttrain"))
    with pytest.raises(InputError, match="Expected train pairs with label 1 for ours, found none"):
        read_long_corpora(["ours"], folder)
