"""The rows of baselines: what each says of itself and keeps, best passages, and what chance finds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import EvaluationError, NotFittedError
from engine.core.progress import Progress
from engine.documents import Document, Section
from engine.encoders import Encoder, TransformerMeanEncoder, Word2vecMeanEncoder, minilm, registry
from engine.evaluation import PRODUCT, EvaluationReport, load_benchmark, systems
from engine.evaluation.kept_rows import read_by
from engine.evaluation.measure import rank
from engine.evaluation.metrics import METRICS
from engine.research.baselines import passage_rows, word_mover
from engine.research.baselines.passage_rows import (
    BM25_PASSAGES,
    COLDE_PASSAGES,
    MINILM_PASSAGES,
    PASSAGES,
    EncoderReader,
    NearestPassage,
)
from engine.research.baselines.random_rows import RandomEncoder, drawn, random_words
from engine.research.baselines.rows import BASELINES, FETCHED, MINILM_SENTENCES, ROWS
from engine.search import cut_passages, passage_text
from tests.contracts.encoder import EMPTY, EncoderContract, corpus
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.evaluation.small import write_benchmark
from tests.search.hashed_words import HashedWords, sentences

LEARNING = [name for name, baseline in BASELINES.items() if baseline.learn]
CORPUS_ALONE = [name for name in LEARNING if name != "random-words"]  # whose words are drawn, the same in every corpus


def test_every_baseline_is_a_row_that_no_search_offers_and_says_what_it_is() -> None:
    assert set(BASELINES) == set(ROWS.names()) - set(PRODUCT.names())
    assert not set(BASELINES) & set(registry.encoder_names())
    said = {name: baseline.summary for name, baseline in BASELINES.items()}
    assert set(word_mover.KINDS) <= set(said)
    assert all(summary.endswith(".") for summary in said.values())
    assert "first 200" in said["wmd"]
    assert set(BASELINES) >= FETCHED
    for name, baseline in BASELINES.items():
        assert sum(made is not None for made in (baseline.learn, baseline.load, baseline.prepare)) == 1, name


@pytest.mark.parametrize("name", CORPUS_ALONE)
def test_a_row_that_learns_comes_out_the_same_again_and_keeps_nothing(name: str, tmp_path: Path) -> None:
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    first, again = (ROWS.prepare(name, benchmark.corpus, keep=tmp_path / "kept") for _ in range(2))
    assert first.fingerprint == again.fingerprint
    assert rank(benchmark, first) == rank(benchmark, again)
    assert not (tmp_path / "kept").exists()
    assert ROWS.prepare(name, benchmark.corpus[:30]).fingerprint != first.fingerprint


@pytest.mark.parametrize("name", ["sentence-mean", "wmd", "rwmd", "random"])
def test_a_row_that_learns_nothing_here_uses_what_was_kept(name: str, tmp_path: Path) -> None:
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    measured = [ROWS.measure(benchmark, name, cache=tmp_path / "kept") for _ in range(2)]
    assert measured[0].documents_per_second is not None
    assert measured[1].documents_per_second is None
    assert measured[0].metrics == measured[1].metrics


def test_word_movers_distance_goes_over_any_row_of_word_vectors(tmp_path: Path) -> None:
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    folder = f"wmd(glove-full)={registry.PRETRAINED / 'word2vec'}"
    rows = ["wmd", "wmd(word2vec-mean)", "wmd(word2vec-own)", "rwmd(doc2vecc)", folder]
    assert ROWS.rows_of(",".join(rows)) == rows
    assert ROWS.again(folder) == ("wmd", folder[4:].replace(")", "", 1))
    found = {row: ROWS.measure(benchmark, row) for row in rows}
    assert [one.name for one in found.values()] == [*rows[:4], "wmd(glove-full)"]
    assert found["wmd"].metrics == found["wmd(word2vec-mean)"].metrics == found[folder].metrics
    assert found["wmd"].fingerprint == found["wmd(word2vec-mean)"].fingerprint == found[folder].fingerprint
    assert len({found[row].fingerprint for row in rows[1:4]}) == 3
    assert found["wmd(word2vec-own)"].metrics["nDCG@10"] > 0.9
    assert "over the first 200 of word2vec-own" in found["wmd(word2vec-own)"].summary


def test_word_movers_distance_goes_over_nothing_else(tmp_path: Path) -> None:
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    for row in ("wmd(glove)", "mwd(glove-own)", "wmd()", "wmd(glove-own"):
        assert ROWS.again(row) is None
        with pytest.raises(EvaluationError, match=r"wmd\(NAME\), rwmd\(NAME\) or NAME=FOLDER; got "):
            ROWS.rows_of(row)
    with pytest.raises(EvaluationError, match=r"Expected a row that averages word vectors for wmd to move, got tfidf"):
        ROWS.prepare("wmd(tfidf)", benchmark.corpus)
    assert PRODUCT.again("wmd(word2vec-mean)") is None


def test_rows_of_a_larger_corpus_are_taken_over_and_the_rest_is_encoded(tmp_path: Path) -> None:
    documents = load_benchmark(write_benchmark(tmp_path / "small")).corpus
    ids = [document.id for document in documents]
    larger, own = tmp_path / "larger", tmp_path / "own"
    ROWS.prepare("random", documents[:25], keep=larger)
    asked = list(reversed(documents[20:]))
    found = {}
    for name, among in (("alone", None), ("taken", larger), ("nowhere", tmp_path / "nowhere")):
        said: list[Progress] = []
        prepared = ROWS.prepare("random", asked, keep=own / name, among=among, report=said.append)
        assert isinstance(prepared.system, systems.Encoded)
        found[name] = (said[-1].total, prepared.system.index.rows(ids[20:]), prepared.seconds is None)
    assert [one[0] for one in found.values()] == [20, 15, 20]
    assert [one[2] for one in found.values()] == [False, True, False]
    assert (found["alone"][1] == found["taken"][1]).all()
    said = []
    ROWS.prepare("random", asked[-5:], keep=own / "all", among=larger)
    ROWS.prepare("random", asked[-5:], keep=own / "all", report=said.append)
    assert said[-1].total == 0  # what was taken over is kept, too


def test_the_peers_sentences_are_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = TransformerMeanEncoder.open(write_tiny_transformer(tmp_path / "tiny"))
    monkeypatch.setattr(minilm, "load", lambda: tiny)
    measured = ROWS.measure(load_benchmark(write_benchmark(tmp_path / "small")), MINILM_SENTENCES)
    assert measured.name == MINILM_SENTENCES
    assert measured.fingerprint != tiny.card.fingerprint
    assert measured.metrics["nDCG@10"] > 0.4


def test_a_report_says_what_its_baselines_are(tmp_path: Path) -> None:
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    report = EvaluationReport(benchmark, [ROWS.measure(benchmark, name) for name in ("bm25", "rwmd")])
    assert set(report.as_json()["rows"]) == {"rwmd"}
    assert "rwmd Relaxed word mover's distance over the first 200 of" in report.as_markdown()
    assert "rows" not in EvaluationReport(benchmark, [PRODUCT.measure(benchmark, "bm25")]).as_json()


BY_CHANCE = "random"
LEAST = {"glove-own": 0.4, "lda-ctpe": 0.4, "doc2vec-ctpe": 0.8}
"""nDCG@10, where chance gives .25: GloVe learns from words that meet, and no two subjects of the small set do.

One pass over forty documents teaches LDA little.
"""


@pytest.mark.parametrize("name", [row for row in BASELINES if row not in FETCHED and row != BY_CHANCE])
def test_every_baseline_finds_the_subject(name: str, tmp_path: Path) -> None:
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    measured = ROWS.measure(benchmark, name)
    assert measured.name == name
    assert measured.fingerprint
    assert measured.documents_per_second > 0
    assert set(measured.metrics) == set(METRICS)
    assert measured.metrics["nDCG@10"] > LEAST.get(name, 0.9)
    assert measured.metrics["R@20"] > LEAST.get(name, 0.9)
    assert set(measured.by_query) == set(benchmark.qrels)


def test_the_peer_is_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = TransformerMeanEncoder.open(write_tiny_transformer(tmp_path / "tiny"))
    monkeypatch.setattr(minilm, "load", lambda: tiny)
    measured = ROWS.measure(load_benchmark(write_benchmark(tmp_path / "small")), "minilm")
    assert (measured.name, measured.fingerprint) == ("minilm", tiny.card.fingerprint)
    assert measured.metrics["nDCG@10"] > 0.5


def test_cranfield_gives_the_reference_point_of_own_word_vectors(shared: Path) -> None:
    measured = ROWS.measure(load_benchmark(shared / "data" / "cranfield"), "word2vec-own")
    assert (measured.metrics["nDCG@10"], measured.metrics["P@20"]) == pytest.approx((0.192, 0.085), abs=0.005)


SUBJECTS = {"a": "boiler", "b": "valve", "c": "crank"}
CORPUS = [
    *(Document(name, sections=(Section("Trials", sentences(40, word=word)),)) for name, word in SUBJECTS.items()),
    Document("empty"),
]


def quote(name: str) -> Document:
    """The last passage of a paper, as a question."""
    document = next(one for one in CORPUS if one.id == name)
    return Document("q", "query", abstract=passage_text(document, cut_passages(document)[-1]))


def test_the_document_of_the_nearest_passage_comes_first() -> None:
    system = NearestPassage(read_by(HashedWords(), CORPUS, None))
    hits = system.rank([quote("b"), Document("q", "query")], 2)
    assert hits[0][0].id == "b" and len(hits[0]) == 2 and hits[1] == []
    assert hits[0][0].score == pytest.approx(1, abs=0.01)


def test_the_document_of_the_best_passage_by_words_comes_first(tmp_path: Path) -> None:
    prepared = ROWS.prepare(BM25_PASSAGES, CORPUS, keep=tmp_path)
    (hits,) = prepared.system.rank([quote("c")], 3)
    assert hits[0].id == "c" and len({hit.id for hit in hits}) == len(hits)
    assert prepared.name == BM25_PASSAGES and prepared.summary.endswith(".")


@pytest.mark.parametrize("row", [PASSAGES, MINILM_PASSAGES, "passages(student)", COLDE_PASSAGES])
def test_rows_of_passages_are_kept_by_what_read_them(row: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = TransformerMeanEncoder.open(write_tiny_transformer(tmp_path / "tiny"))
    monkeypatch.setattr(minilm, "load", lambda: tiny)
    prepared = ROWS.prepare(row, CORPUS[:2], keep=tmp_path / "kept" / "corpus")
    assert (tmp_path / "kept" / "passages" / prepared.fingerprint).is_dir()
    (hits,) = prepared.system.rank([quote("a")], 2)
    assert {hit.id for hit in hits} == {"a", "b"}


def test_another_model_and_another_cut_have_other_fingerprints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = TransformerMeanEncoder.open(write_tiny_transformer(tmp_path / "tiny"))
    monkeypatch.setattr(minilm, "load", lambda: tiny)
    reader = EncoderReader(minilm.load)
    assert reader.dim == tiny.card.dim and reader.fingerprint != tiny.card.fingerprint
    monkeypatch.setattr(passage_rows, "cutting_fingerprint", lambda: "cut otherwise")
    assert EncoderReader(minilm.load).fingerprint != reader.fingerprint


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return RandomEncoder()

    def test_the_inner_product_puts_the_same_subject_first(self, encoder: Encoder) -> None:
        """Not by chance: one document in four is of the same subject."""
        documents = corpus()
        rows = np.asarray(encoder.encode_documents(documents))
        scores = rows @ rows.T
        np.fill_diagonal(scores, -np.inf)
        subjects = np.array([document.id.rstrip("0123456789") for document in documents])
        same = subjects[scores.argmax(axis=1)] == subjects
        assert np.mean(same) < 0.5

    def test_the_reference_list_is_not_read(self, encoder: Encoder) -> None:
        """No text is: a row is its id's."""
        other = Document(EMPTY.id, title="Boiler valve")
        np.testing.assert_array_equal(encoder.encode_documents([EMPTY]), encoder.encode_documents([other]))


def test_rows_are_drawn_uniformly_and_differ() -> None:
    rows = drawn([str(number) for number in range(400)], 100)
    assert abs(rows.mean()) < 0.02
    assert -1 <= rows.min() < -0.99 and 0.99 < rows.max() <= 1
    counts, _ = np.histogram(rows, 10, (-1, 1))
    np.testing.assert_allclose(counts, rows.size / 10, rtol=0.06)
    assert len(np.unique(rows[:, 0])) == 400


def test_a_name_always_gets_the_same_row() -> None:
    np.testing.assert_array_equal(drawn(["a", "b"], 8)[1], drawn(["b"], 8)[0])
    assert drawn([], 8).shape == (0, 8)


def test_random_words_average_to_counts_seen_through_a_random_projection() -> None:
    documents = [Document("x", title="valve valve boiler"), Document("y", title="gene")]
    vectors = random_words(documents, dim=50)
    assert (list(vectors.words), vectors.counts.tolist(), vectors.tokens) == (["valve", "boiler", "gene"], [2, 1, 1], 4)
    expected = np.array([2, 1]) @ drawn(["valve", "boiler"], 50)
    row = Word2vecMeanEncoder(vectors).encode_documents(documents)[0]
    np.testing.assert_allclose(row, expected / np.linalg.norm(expected), atol=1e-3)


def test_a_corpus_without_words_is_refused() -> None:
    with pytest.raises(NotFittedError, match="Expected documents with words to learn from"):
        random_words([EMPTY])
