"""Corpora on disk: queries that nothing is trained on, pairs of token ids, long documents with labels."""

from __future__ import annotations

import itertools
from dataclasses import astuple, replace
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import InputError
from engine.core.progress import Progress, silent
from engine.documents import Document, Section
from engine.encoders.ctpe import Position, WordEmbeddings
from engine.training import corpora
from engine.training.corpora import HeldOut, to_train_on
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
from tests.contracts.encoder import corpus
from tests.contracts.encoder import corpus as documents
from tests.evaluation.small import write_table
from tests.training.long import write_long_data
from tests.training.small import recipe, word_vectors, write_data


def test_queries_and_their_families_are_found_in_every_benchmark(tmp_path: Path) -> None:
    write_data(tmp_path)
    found = HeldOut.below(tmp_path).ids
    assert {"q-steam", "q-graph"} <= found
    assert "" not in found


def test_a_copy_of_a_query_is_left_out_under_any_id(tmp_path: Path) -> None:
    abstract = "Steam drives a piston, and a condenser cools what the piston leaves. " * 3
    query = Document("q", title="How the governor of a steam engine works", abstract=abstract)
    (tmp_path / "asked").mkdir()
    write_table(tmp_path / "asked" / "queries.parquet", [query])
    documents = [
        Document("same-title", title="How the Governor of a Steam Engine works", abstract="Another text."),
        Document("same-abstract", title="Governors", abstract=abstract),
        Document("other", title="How a boiler works", abstract="Another text."),
    ]
    left_out = {"a benchmark's query": 0, "an id seen before": 0}
    given = [("ours", document) for document in documents]
    kept = to_train_on(given, held_out=HeldOut.below(tmp_path), taken=(), left_out=left_out)
    assert [document.id for _, document in kept] == ["other"]
    assert left_out == {"a benchmark's query": 2, "an id seen before": 0}


def test_no_benchmark_query_is_in_the_real_corpora_that_are_trained_on(shared: Path) -> None:
    import pyarrow.parquet as parquet

    queries = HeldOut.below(shared / "data").ids
    assert len(queries) > 2000
    for name in ("arxiv-abstracts", "acm-citation", "patents-abstracts", "patents-citation"):
        ids = parquet.read_table(shared / "data" / name / "corpus.parquet", columns=["id"])["id"].to_pylist()
        assert queries.isdisjoint(ids)


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
def long_corpus(data: Path) -> LongCorpus:
    return read_long_corpora(["ours", "more"], data)


def test_each_corpus_stands_in_its_part_with_bodies_alone(long_corpus: LongCorpus) -> None:
    assert long_corpus.parts == {"ours": slice(0, 20), "more": slice(20, 40)}
    names = [document.id for document in long_corpus.documents]
    assert names[:20] == sorted(names[:20])
    assert not any(document.title or document.abstract for document in long_corpus.documents)
    assert {name: len(pairs.related) for name, pairs in long_corpus.train.items()} == {"ours": 24, "more": 24}
    assert {name: len(pairs.related) for name, pairs in long_corpus.valid.items()} == {"ours": 12, "more": 12}


def test_only_train_pairs_and_families_say_what_belongs_together(long_corpus: LongCorpus) -> None:
    train = {tuple(pair) for pairs in long_corpus.train.values() for pair in pairs.places[pairs.related].tolist()}
    everything = np.arange(len(long_corpus.documents))
    same = long_corpus.same_label(everything)
    wanted = np.eye(len(everything), dtype=bool)
    for one, other in train:
        wanted[one, other] = wanted[other, one] = True
    assert (same == wanted).all()
    assert not long_corpus.same_label(long_corpus.valid["ours"].places[0]).all()


def test_documents_of_a_family_belong_together(tmp_path: Path) -> None:
    folder = write_long_data(tmp_path)
    family = ("steam0", "neural5")
    held = [replace(one, family="f" if one.id in family else "") for one in documents()]
    write_table(folder / "ours" / "corpus.parquet", held)
    found = read_long_corpora(["ours"], folder)
    names = [one.id for one in found.documents]
    assert found.same_label(np.array([names.index(name) for name in family])).all()
    assert not found.same_label(np.array([names.index(name) for name in ("steam0", "neural1")])).all()


def test_an_epoch_has_every_related_pair_once_in_batches_of_one_corpus(long_corpus: LongCorpus) -> None:
    batches = contrastive_batches(long_corpus, 8, seed=1, epoch=0)
    assert len(batches) == step_count(long_corpus, 8, related_only=True) == 6
    assert all(len({place // 20 for place in batch.documents}) == 1 for batch in batches)
    held = {tuple(pair) for batch in batches for pair in _pairs_within(long_corpus, batch.documents)}
    assert {
        tuple(pair) for pairs in long_corpus.train.values() for pair in pairs.places[pairs.related].tolist()
    } <= held
    again, other = (contrastive_batches(long_corpus, 8, seed=1, epoch=epoch) for epoch in (0, 1))
    assert [batch.documents.tolist() for batch in again] == [batch.documents.tolist() for batch in batches]
    assert [batch.documents.tolist() for batch in other] != [batch.documents.tolist() for batch in batches]


def _pairs_within(corpus: LongCorpus, held: np.ndarray) -> list[list[int]]:
    pairs = np.concatenate([one.places[one.related] for one in corpus.train.values()])
    return pairs[np.isin(pairs, held).all(1)].tolist()


def test_pairs_of_both_labels_come_once_with_their_places(long_corpus: LongCorpus) -> None:
    batches = pair_batches(long_corpus, 10, seed=1, epoch=0)
    assert len(batches) == step_count(long_corpus, 10, related_only=False) == 10
    found = sorted(
        (*batch.documents[places].tolist(), bool(related))
        for batch in batches
        for places, related in zip(*batch.pairs, strict=True)
    )
    wanted = sorted(
        (*places, bool(related))
        for pairs in long_corpus.train.values()
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
