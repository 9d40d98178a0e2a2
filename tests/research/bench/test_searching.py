"""What searching costs: encoding, each stage of a search, codes of real and made rows, and passages."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import EmptyLibraryError, EvaluationError, UnsupportedFormatError
from engine.core.rows import DenseRows
from engine.documents import Document, Section
from engine.encoders import Word2vecMeanEncoder, processor, registry
from engine.encoders.processor import PRECISIONS
from engine.encoders.tfidf import TfidfEncoder
from engine.evaluation import kept_rows
from engine.reading import read_text
from engine.research.__main__ import main
from engine.research.bench import encoding, searching
from engine.research.bench.encoding import EncodeSpeed, matrix_limit, measure_encoding, passages_of
from engine.research.bench.encoding import Plan as EncodingPlan
from engine.research.bench.passage_search import measure_search as measure_passage_search
from engine.research.bench.retrieving import Plan, Source, encode_kept, measure_retrieval, read_sets
from engine.research.bench.searching import (
    FEW_WORDS,
    STAGES,
    Asked,
    StartTimes,
    as_markdown,
    load,
    measure_search,
    measure_start,
    of_library,
    threads,
)
from engine.vectors import VectorIndex, binary, passages
from engine.vectors.binary import BinarySettings
from engine.vectors.codes import CodeSettings
from tests.contracts.encoder import SUBJECTS, corpus
from tests.encoders.test_word_vectors import by_subject
from tests.evaluation.small import write_table
from tests.search.hashed_words import HashedWords, sentences
from tests.search.library import DOCUMENTS, fill

ENCODER = "word2vec-mean"


def texts(count: int, *, seed: int = 1) -> list[Document]:
    """Documents of twelve words of one of four subjects."""
    chance, subjects = random.Random(seed), sorted(SUBJECTS)
    return [
        Document(
            id=f"d{seed}-{number}",
            kind="paper",
            abstract=" ".join(chance.choices(SUBJECTS[subjects[number % len(subjects)]].split(), k=12)),
        )
        for number in range(count)
    ]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name, seed in (("one", 1), ("two", 2)):
        (tmp_path / "data" / name).mkdir(parents=True)
        write_table(tmp_path / "data" / name / "corpus.parquet", texts(60, seed=seed))
    return tmp_path / "data"


@pytest.fixture
def real(data: Path, tmp_path: Path) -> VectorIndex:
    return encode_kept(registry.load(ENCODER), read_sets(data, ["one", "two"]), tmp_path / "kept")


def test_papers_and_patents_are_measured_in_turn(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path)
    with library:
        speed = measure_search(library, encoder, index, of_library(library, 2, 0), k=3)
        again = measure_search(library, encoder, index, of_library(library, 2, 0), k=3)
    assert (speed.queries, speed.papers + speed.patents, speed.documents) == (2, 2, 7)
    assert speed.encoder == "tfidf" and speed.fingerprint == encoder.card.fingerprint
    assert set(speed.stages) == {*STAGES, "total"}
    assert all(0 <= times.p50 <= times.p95 <= times.max for times in speed.stages.values())
    assert again.median_query_words == speed.median_query_words
    assert speed.hardware and speed.precision in PRECISIONS and speed.load >= 0 and not speed.commands


def test_files_ask_and_short_questions_are_told_apart(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path)
    long = Asked("long.md", b"# Of boilers\n\n" + b"The boiler has a valve and a gauge. " * 80)
    warm_up = [Asked.of(one) for one in DOCUMENTS[:5]]
    with library:
        speed = measure_search(library, encoder, index, [*warm_up, long, Asked.of(DOCUMENTS[4])], k=3)
        alone = measure_search(library, encoder, index, [long], k=3)
        with pytest.raises(UnsupportedFormatError):
            measure_search(library, encoder, index, [Asked("x.zip", b"PK\x03\x04")])
    assert (speed.queries, speed.patents, alone.queries) == (2, 1, 1) and alone.of_few_words is None
    assert speed.of_few_words is not None and speed.of_few_words.max <= speed.stages["total"].max
    assert alone.median_query_words > FEW_WORDS


def test_one_search_and_help_are_timed_from_their_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library, encoder, index = fill(tmp_path)
    with library:
        speed = measure_search(library, encoder, index, of_library(library, 2, 0), k=3)
    asked: list[tuple[list[str], str]] = []

    def measured(arguments: list[str], *, text: str = "") -> StartTimes:
        asked.append((arguments, text))
        return StartTimes(1.5, 1.2, 5)

    monkeypatch.setattr(searching, "measure_start", measured)
    commands = searching.with_commands(speed, tmp_path, DOCUMENTS[0]).commands
    assert set(commands) == {"search", "--help"} and commands["search"].seconds == 1.5
    assert str(tmp_path) in asked[0][0] and DOCUMENTS[0].title in asked[0][1] and asked[1] == (["--help"], "")


def test_a_library_smaller_than_the_warm_up_is_measured_whole(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path, DOCUMENTS[:3])
    with library:
        assert measure_search(library, encoder, index, of_library(library, 50, 0)).queries == 3


def test_a_document_survives_the_way_through_markdown() -> None:
    patent = DOCUMENTS[4]
    read = read_text(as_markdown(patent)).document
    assert read.title == patent.title
    assert read.abstract == patent.abstract
    assert patent.sections[0].text in read.text
    assert "eccentric rod on the crank shaft" in read.text
    assert as_markdown(Document("a")) == ""


def test_errors_are_named(tmp_path: Path) -> None:
    library, _encoder, _index = fill(tmp_path / "full")
    with library, pytest.raises(EvaluationError, match="at least 1 query to measure; got 0"):
        of_library(library, 0, 0)
    from engine.library import Library

    with Library.open(tmp_path / "empty", create=True) as empty, pytest.raises(EmptyLibraryError, match="holds none"):
        of_library(empty, 1, 0)


def test_a_command_is_timed_in_a_process_of_its_own() -> None:
    taken = measure_start(["--help"], runs=2)
    assert taken.runs == 2 and taken.seconds > 0.01 and taken.processor_seconds > 0.01
    assert load() >= 0


def test_a_command_that_fails_is_told() -> None:
    with pytest.raises(
        EvaluationError, match=r"Expected `priorscope search` to end well, it ended with 2: .*got neither"
    ):
        measure_start(["search"], runs=1)


def rows(count: int) -> np.ndarray:
    """Rows of unit length about twenty subjects."""
    rng = np.random.default_rng(0)
    found = rng.normal(size=(20, 32))[np.arange(count) % 20] + rng.normal(size=(count, 32))
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def test_a_library_grows_and_few_passages_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passages, "_ALL_COMPARED", 2_000)
    first, second = measure_passage_search(rows(1_000), (900, 3_000), 20, 10, 0)
    assert (first.passages, first.made, second.passages, second.made) == (900, 0, 3_000, 3_000 - 975)
    assert first.recall == 1 and 0.9 <= second.recall <= 1
    assert first.bytes_each > 32 and second.segments >= first.segments
    assert first.milliseconds.p95 >= first.milliseconds.p50 > 0


def test_too_few_passages_are_refused() -> None:
    with pytest.raises(EvaluationError, match="Expected more than 26 passages for 20 queries and 5 to warm up, got 9"):
        measure_passage_search(rows(9), (5,), 20, 10, 0)


@pytest.fixture
def passage_data(tmp_path: Path) -> Path:
    (tmp_path / "data" / "small").mkdir(parents=True)
    words = ("boiler", "valve", "crank", "piston")
    documents = [
        Document(f"d{n}", sections=(Section("Trials", sentences(120, word=f"{words[n % 4]} {n}")),)) for n in range(8)
    ]
    write_table(tmp_path / "data" / "small" / "corpus.parquet", documents)
    return tmp_path / "data"


def test_the_command_prints_and_saves_the_report(
    passage_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kept_rows, "_encoder", HashedWords)
    saved = tmp_path / "report.json"
    given = [
        "bench",
        "passages",
        "--data",
        str(passage_data),
        "--set",
        "small",
        "--sizes",
        "20",
        "60",
        "--queries",
        "4",
    ]
    assert main([*given, "-k", "3", "--save", str(saved)]) == 0
    assert "4 passages of small ask, one at a time, for 3" in capsys.readouterr().out
    value = json.loads(saved.read_text())
    assert [one["passages"] for one in value["sizes"]] == [20, 60]
    assert main([*given, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["source"] == "small"


def test_without_what_reads_passages_nothing_is_measured(
    passage_data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kept_rows.PassageEncoder, "is_installed", lambda: False)
    assert main(["bench", "passages", "--data", str(passage_data), "--set", "small"]) == 2
    assert "Expected what reads passages; it is not installed" in capsys.readouterr().err


def test_real_rows_come_first_and_made_ones_lie_between_two_of_them(real: VectorIndex) -> None:
    source = Source(real, real.ids[:50])
    batches = list(source.batches(40, 170))
    names = [name for names, _ in batches for name in names]
    rows = np.concatenate([rows for _, rows in batches])
    assert names == [*real.ids[40:50], *(f"made:{number}" for number in range(50, 170))]
    np.testing.assert_array_equal(rows[:10], real.rows(names[:10]))
    held = np.asarray(real.rows(source.ids))
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-3)
    assert (rows[10:] @ held.T).max() < 1 - 1e-4
    parents = held[np.arange(50, 170) % 50]
    assert ((rows[10:] * parents).sum(axis=1) > (rows[10:] @ held.T).mean(axis=1)).all()
    again = np.concatenate([rows for _, rows in source.batches(40, 170)])
    np.testing.assert_array_equal(again, rows)


def test_rows_are_kept_and_only_missing_documents_are_encoded(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder, encoded = registry.load(ENCODER), []
    whole = encoder.encode_documents
    monkeypatch.setattr(encoder, "encode_documents", lambda some: encoded.append(len(some)) or whole(some))
    for names, held in ((["one"], 60), (["one", "two"], 120), (["two"], 120)):
        assert len(encode_kept(encoder, read_sets(data, names), tmp_path / "kept")) == held
    assert encoded == [60, 60]


@pytest.fixture
def _eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Codes from fifty rows on."""
    settings = BinarySettings(candidates=200, rerank=40, fewest=50, codes=CodeSettings(code_bits=64))
    monkeypatch.setattr(binary, "BinarySettings", lambda: settings)


@pytest.mark.usefixtures("_eager")
def test_sizes_are_measured_one_after_another(real: VectorIndex) -> None:
    encoder = registry.load(ENCODER)
    report = measure_retrieval(encoder, real, Plan([30, 70, 200], queries=10, k=3), source="one, two")
    assert [(size.documents, size.real, size.made) for size in report.sizes] == [
        (30, 30, 0),
        (70, 70, 0),
        (200, 90, 110),
    ]
    few, some, many = report.sizes
    assert (few.recall, few.code_bytes, few.table_bytes, few.candidates.p50) == (1, 0, 0, 30)
    assert few.times_the_size_before is None
    for size in (some, many):
        assert size.recall >= 0.5
        assert size.code_bytes == 8
        assert size.table_bytes > 16
        assert 3 < size.candidates.p50 <= size.candidates.max <= min(200, size.documents)
        assert size.times_the_size_before is not None
        assert size.times_the_size_before > 0
    assert all(0 <= size.milliseconds.p50 <= size.milliseconds.p95 <= size.milliseconds.max for size in report.sizes)
    value = report.as_json()
    assert value["fingerprint"] == encoder.card.fingerprint
    assert (report.settings["candidates"], report.settings["codes"]["code_bits"]) == (200, 64)  # type: ignore[index]
    assert "a point between a real row and one of its 10 nearest" in str(value["made_of"])


def test_codes_are_made_from_the_number_of_documents_that_is_asked_for(real: VectorIndex) -> None:
    encoder = registry.load(ENCODER)
    for codes_from, code_bytes, fewest in ((None, 0, 20_000), (40, 40, 40)):
        plan = Plan([30, 80], queries=10, k=3, codes_from=codes_from)
        report = measure_retrieval(encoder, real, plan, source="one, two")
        assert [size.code_bytes for size in report.sizes] == [0, code_bytes]
        assert report.settings["fewest"] == fewest


def test_what_cannot_be_measured_is_told(data: Path, real: VectorIndex, tmp_path: Path) -> None:
    encoder = registry.load(ENCODER)
    with pytest.raises(EvaluationError, match=r"Expected corpus\.parquet in .*three; it is missing"):
        read_sets(data, ["one", "three"])
    with pytest.raises(EvaluationError, match="Expected an encoder of dense rows, got tfidf of sparse ones"):
        encode_kept(TfidfEncoder.fit(texts(8)), texts(8), tmp_path / "sparse")
    with pytest.raises(EvaluationError, match="Expected more than 121 real documents for 100 queries and 20 to warm"):
        measure_retrieval(encoder, real, Plan([5], queries=100), source="one")
    for plan in (
        {"sizes": []},
        {"sizes": [5, 5]},
        {"sizes": [5], "queries": 0},
        {"sizes": [0, 5]},
        {"sizes": [5], "codes_from": 0},
    ):
        with pytest.raises(EvaluationError, match="Expected sizes of at least 1 in rising order"):
            Plan(**plan)  # type: ignore[arg-type]


def test_the_command_prints_and_saves_the_report_retrieving(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved, common = tmp_path / "report.json", ["bench", "retrieve", "--data", str(data), "--encoder", ENCODER]
    given = [*common, "--sets", "one, two", "--sizes", "20,110", "--queries", "5", "--cache", str(tmp_path / "cache")]
    assert main([*given, "--save", str(saved)]) == 0
    printed = capsys.readouterr().out
    assert "5 documents of one, two ask, one at a time, for 10; encoder word2vec-mean" in printed
    value = json.loads(saved.read_text())
    assert [size["made"] for size in value["sizes"]] == [0, 15]
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [value["fingerprint"]]
    assert main([*given, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["source"] == "one, two"
    assert main([*common, "--sizes", "20,many"]) != 0
    assert "Expected whole numbers separated by commas for --sizes, got '20,many'" in capsys.readouterr().err


SMALL = EncodingPlan(documents=10, rounds=3, seed=1, matrix_size=64)


class Remembering(Word2vecMeanEncoder):
    """An encoder that writes down who was asked for what."""

    def __init__(self, name: str, asked: list[tuple[str, tuple[str, ...]]]) -> None:
        super().__init__(by_subject())
        self.own_name, self.asked = name, asked

    def encode_documents(self, documents: list[Document]) -> DenseRows:
        self.asked.append((self.own_name, tuple(document.id for document in documents)))
        return super().encode_documents(documents)


class Counting(Remembering):
    """An encoder that says what a document costs it."""

    def operations(self, documents: list[Document]) -> int:
        return 1_000_000 * len(documents)


def measured(documents: list[Document], plan: EncodingPlan) -> tuple[EncodeSpeed, list[tuple[str, tuple[str, ...]]]]:
    asked: list[tuple[str, tuple[str, ...]]] = []
    encoders = {"own": Counting("own", asked), "peer": Remembering("peer", asked)}
    return measure_encoding(documents, encoders, plan, peer="peer", source="ours"), asked


def test_encoders_read_the_same_documents_in_turn() -> None:
    report, asked = measured(corpus(), SMALL)
    assert [name for name, _ in asked] == ["own", "peer", *["own", "peer"] * 3]
    drawn = {ids for _, ids in asked[2:]}
    assert len(drawn) == 1 and len(set(drawn.pop())) == 10
    assert (report.documents, report.rounds, report.source, report.peer) == (10, 3, "ours", "peer")
    assert asked[2] == measured(corpus(), SMALL)[1][2]
    assert asked[2] != measured(corpus(), EncodingPlan(10, 3, seed=2, matrix_size=64))[1][2]


def test_passages_are_read_as_an_import_reads_them() -> None:
    (paper,) = corpus()[:1]
    body = tuple(Section(f"Part {n}", " ".join(f"Valve {n} of boiler {k} leaks." for k in range(30))) for n in range(3))
    found = passages_of([replace(paper, sections=body)])
    assert len(found) > 3 and len({one.id for one in found}) == len(found)
    assert found[0].text == f"{paper.title}\n\n{paper.abstract}" and found[1].text.startswith("Valve 0 of boiler 0")


def test_a_small_corpus_is_read_whole() -> None:
    assert measured(corpus()[:4], SMALL)[0].documents == 4


def test_times_the_peer_and_the_share_of_the_limit_follow_from_the_speeds(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"float32": 100.0, "bfloat16": 200.0}
    monkeypatch.setattr(encoding, "matrix_limit", lambda precision, *, size: limits[precision])
    monkeypatch.setattr(processor, "fastest_precision", lambda: "bfloat16")
    report, _ = measured(corpus(), SMALL)
    own, peer = report.encoders["own"], report.encoders["peer"]
    assert peer.times_the_peer is None and own.times_the_peer is not None
    assert own.times_the_peer.min <= own.times_the_peer.median <= own.times_the_peer.max
    assert (peer.gigaflop_a_document, peer.gigaflops, peer.share_of_limit) == (None, None, None)
    assert own.gigaflop_a_document == 0.001
    assert own.gigaflops == pytest.approx(own.documents_per_second.median * 0.001, rel=0.1, abs=0.06)
    assert report.matrix_limit == limits
    assert own.share_of_limit == pytest.approx(own.gigaflops / report.matrix_limit[report.precision], abs=1e-3)


def test_a_format_that_the_processor_multiplies_slowly_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processor, "fastest_precision", lambda: "float32")
    assert measured(corpus(), SMALL)[0].matrix_limit.keys() == {"float32"}


def test_nothing_to_measure_is_told() -> None:
    for plan in ((0, 1), (1, 0)):
        with pytest.raises(EvaluationError, match=f"at least 1 document and 1 round .* got {plan[0]} and {plan[1]}"):
            EncodingPlan(*plan)
    with pytest.raises(EvaluationError, match="Expected documents to encode; there are none"):
        measured([], SMALL)


def test_the_matrix_limit_and_threads_are_numbers_of_this_machine() -> None:
    assert matrix_limit("float32", size=32) > 0
    assert threads() >= 1
