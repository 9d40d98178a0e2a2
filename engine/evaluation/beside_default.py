"""A model beside the default encoder, before it is used: the same questions, the same documents, the same machine."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

from engine import encoders
from engine.core import files, provenance
from engine.core.errors import EvaluationError
from engine.core.progress import Report, silent
from engine.documents import Document
from engine.documents.text import how_many
from engine.encoders import Encoder
from engine.evaluation.benchmarks import Benchmark, from_judgements, from_parts, from_subjects, load_benchmark
from engine.evaluation.kept_rows import RowFolders, rows_in
from engine.evaluation.measure import Measured, measure_prepared
from engine.evaluation.significance import Corrected, Interval, contrast_runs, holm, interval
from engine.evaluation.systems import AsSearched, Encoded, Prepared
from engine.library import KeywordIndex, Library
from engine.search import Corpus, by_kind, keyword_weight

Questions = Literal["small", "judged", "subjects"]
"""The small set that comes with Priorscope; the library's judged queries; its documents of the same subjects."""
QUESTIONS: tuple[Questions, ...] = get_args(Questions)

SMALL = Path(__file__).resolve().parents[2] / "assets" / "benchmarks" / "small"
METRIC = "nDCG@10"
MOST_DOCUMENTS = 2_000
"""How many of a library's documents are ranked: a transformer reads this many in about a minute without a GPU."""

_WARMING = 4
ALONE, IN_SEARCH = "alone", "in search"


@dataclass(frozen=True, slots=True)
class Side:
    """One encoder's part: its name, a row's numbers, its speed, and the metric alone and with the keywords.

    `keyword_weight` is what the keywords count where the encoder counts 1.
    """

    name: str
    fingerprint: str
    dim: int
    documents_per_second: float
    scores: Mapping[str, Interval]
    keyword_weight: float


@dataclass(frozen=True, slots=True)
class Difference:
    """How much better the model is than the default, 95 % interval, p corrected for two comparisons, and in words."""

    by: Interval
    p: float
    verdict: str


@dataclass(frozen=True, slots=True)
class Beside:
    """A model and the default on the same questions; `of` is how many documents the library holds, 0 for files."""

    questions: str
    queries: int
    documents: int
    of: int
    metric: str
    model: Side
    default: Side
    differences: Mapping[str, Difference]
    when: str
    hardware: str
    commit: str

    def as_json(self) -> dict[str, Any]:
        """Return the figures as a JSON value, scores to four decimals."""
        return {key: _rounded(value) for key, value in asdict(self).items()}


def questions_of(kind: Questions, library: Library | None = None, *, report: Report = silent) -> Benchmark:
    """Questions with known answers; of a library at most 2,000 documents are ranked, those judged among them.

    Raises EvaluationError for questions of a library without one, or where it has none.
    """
    if kind == "small":
        return load_benchmark(SMALL)
    if library is None:
        raise EvaluationError(f"Expected a library for the questions {kind!r}, got none. Name its folder.")
    made = from_judgements if kind == "judged" else from_subjects
    return narrowed(made(library, report=report), MOST_DOCUMENTS)


def narrowed(benchmark: Benchmark, most: int) -> Benchmark:
    """The benchmark over at most `most` documents: up to half are judged ones, drawn with the others by their ids.

    The same documents are drawn every time. Queries that lose every relevant document are left out and counted.
    """
    if len(benchmark.corpus) <= most:
        return benchmark

    def drawn(documents: Sequence[Document], count: int) -> list[Document]:
        return sorted(documents, key=lambda document: files.fingerprint(document.id))[:count]

    judged = {name for grades in benchmark.qrels.values() for name in grades}
    kept = drawn([one for one in benchmark.corpus if one.id in judged], most // 2)
    kept += drawn([one for one in benchmark.corpus if one.id not in judged], most - len(kept))
    held = {document.id for document in kept}
    qrels = {
        query: {name: grade for name, grade in grades.items() if name in held}
        for query, grades in benchmark.qrels.items()
    }
    corpus = [document for document in benchmark.corpus if document.id in held]
    made = from_parts(benchmark.name, corpus, benchmark.queries, qrels)
    own = {query: works for query, works in benchmark.own_works.items() if query in made.qrels}
    return replace(made, left_out=benchmark.left_out + made.left_out, own_works=own)


def beside_default(
    encoder: Encoder, default: Encoder, benchmark: Benchmark, *, of: int = 0, report: Report = silent
) -> Beside:
    """Rank the questions by both encoders, each alone and together with the keywords as a search does, and compare.

    Neither ranking matches passages. Both encoders read the documents one after the other, so that their speeds
    compare.
    """
    keywords = KeywordIndex.in_memory(benchmark.corpus)
    keywords.weigh(False, True)
    measured, speeds = {}, {}
    for side in (encoder, default):
        rows, speeds[side] = _rows(side, benchmark.corpus, report)
        corpus = Corpus(side, rows, keywords, by_kind(benchmark.corpus))
        for way, system in ((ALONE, Encoded(side, rows)), (IN_SEARCH, AsSearched(corpus, "default"))):
            prepared = Prepared(f"{side.card.name} {way}", system, side.card.fingerprint, None)
            measured[side, way] = measure_prepared(benchmark, prepared)
    names = (encoder.card.name, default.card.name)
    contrasts = {
        way: contrast_runs(
            _by_query(measured[encoder, way]), _by_query(measured[default, way]), names=names, metric=METRIC
        )
        for way in (ALONE, IN_SEARCH)
    }
    corrected = holm([one.p for one in contrasts.values()])
    differences = {
        way: Difference(one.difference, p, Corrected(one, p).verdict)
        for (way, one), p in zip(contrasts.items(), corrected, strict=True)
    }
    ours, theirs = (
        _side(side, speeds[side], {way: measured[side, way] for way in (ALONE, IN_SEARCH)})
        for side in (encoder, default)
    )
    return Beside(
        benchmark.name,
        len(benchmark.queries),
        len(benchmark.corpus),
        of,
        METRIC,
        ours,
        theirs,
        differences=differences,
        when=datetime.now(UTC).isoformat(timespec="seconds"),
        hardware=provenance.hardware(),
        commit=provenance.commit(),
    )


def _side(encoder: Encoder, speed: float, measured: Mapping[str, Measured]) -> Side:
    card = encoder.card
    scores = {way: interval(list(_by_query(one).values())) for way, one in measured.items()}
    return Side(card.name, card.fingerprint, card.dim, speed, scores, keyword_weight(card.name))


def measure_model(
    name: str, questions: Questions, library: Library | None = None, *, report: Report = silent
) -> dict[str, Any]:
    """Measure a kept model beside the default and keep the figures with it; returns them.

    Raises UnknownEncoderError for a model that is not kept, or EvaluationError as `questions_of` does.
    """
    encoders.read_kept(name)
    benchmark = questions_of(questions, library, report=report)
    of = 0 if library is None or questions == "small" else len(library)
    encoder = encoders.load_folder(encoders.kept_folder(name))
    found = beside_default(encoder, encoders.load(encoders.DEFAULT), benchmark, of=of, report=report).as_json()
    encoders.add_measured(name, questions, found)
    return found


def sentences(figures: Mapping[str, Any]) -> list[str]:
    """Return what `Beside.as_json` holds, in plain sentences."""
    model, default = figures["model"], figures["default"]
    of = f" of your {figures['of']:,}" if figures["of"] > figures["documents"] else ""
    asked = f"{how_many(figures['queries'], 'question')} over {how_many(figures['documents'], 'document')}{of}"
    told = [f"{figures['metric']} on {asked}, with 95 % intervals:"]
    for way, difference in figures["differences"].items():
        ours, theirs, by = model["scores"][way], default["scores"][way], difference["by"]
        told.append(
            f"{'Alone' if way == ALONE else 'In a search, with the keywords'}: {model['name']} {_interval(ours)}, "
            f"the default {_interval(theirs)}; difference {by['mean']:+.3f} ({by['low']:+.3f} to {by['high']:+.3f}), "
            f"{difference['verdict']}."
        )
    told.append(
        f"{model['name']} reads {model['documents_per_second']:,.0f} documents a second here and makes "
        f"{model['dim']:,} numbers of each, the default {default['documents_per_second']:,.0f} and {default['dim']:,}."
    )
    told.append(keywords_told(figures))
    return told


def keywords_told(figures: Mapping[str, Any]) -> str:
    """What the keywords count in a search beside the model, and why; where that was another when measured, to do so."""
    model, default = figures["model"], figures["default"]
    measured, now = model.get("keyword_weight", encoders.USUAL_KEYWORD_WEIGHT), keyword_weight(model["name"])
    told = (
        f"In a search, keywords count {now:g} where {model['name']} counts 1, {encoders.keyword_reason(model['name'])} "
        f"(beside the default: {keyword_weight(default['name']):g})."
    )
    return told if measured == now else f"{told} When this was measured they counted {measured:g}: measure it again."


def save(figures: Mapping[str, Any], path: Path, *, command: str) -> None:
    """Write what `Beside.as_json` holds to `path`, and as Markdown beside it. Raises StorageError."""
    files.write_json(path, {"command": command, **figures})
    head, *told = sentences(figures)
    made = [f"* {name}: {value}" for name, value in (("command", command), *_circumstances(figures))]
    lines = [f"# {figures['model']['name']} beside the default encoder", "", head, "", *(f"* {one}" for one in told)]
    files.write_bytes(path.with_suffix(".md"), "\n".join([*lines, "", *made, ""]).encode())


def _circumstances(figures: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(name, str(figures[name])) for name in ("questions", "commit", "hardware", "when")]


def _interval(one: Mapping[str, float]) -> str:
    return f"{one['mean']:.3f} ({one['low']:.3f} to {one['high']:.3f})"


def _rows(encoder: Encoder, corpus: Sequence[Document], report: Report) -> tuple[Any, float]:
    """Return the corpus in an index, and how many documents a second were read."""
    encoder.encode_documents(corpus[:_WARMING])
    started = time.perf_counter()
    index, _ = rows_in(RowFolders(), encoder, corpus, name=encoder.card.name, report=report)
    return index, len(corpus) / (time.perf_counter() - started)


def _by_query(measured: Measured) -> dict[str, float]:
    return {query: scores[METRIC] for query, scores in measured.by_query.items()}


def _rounded(value: Any) -> Any:  # noqa: ANN401  any JSON value
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    return round(value, 4) if isinstance(value, float) else value
