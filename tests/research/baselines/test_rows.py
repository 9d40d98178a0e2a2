"""The table of baselines: what each row says of itself, what it learns from, and what it keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.core.progress import Progress
from engine.encoders import TransformerMeanEncoder, minilm, registry
from engine.evaluation import PRODUCT, EvaluationReport, load_benchmark, systems
from engine.evaluation.measure import rank
from engine.evaluation.metrics import METRICS
from engine.research.baselines import word_mover
from engine.research.baselines.rows import BASELINES, FETCHED, MINILM_SENTENCES, ROWS
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.evaluation.small import write_benchmark

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
