"""A model beside the default encoder, before it is used: the same questions, the same documents, the same machine."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from engine import encoders
from engine.core import files, provenance
from engine.core.errors import EvaluationError
from engine.core.progress import Report, silent
from engine.documents import Document
from engine.documents.selections import ids_by_kind
from engine.documents.text import how_many
from engine.encoders import Encoder
from engine.evaluation.benchmarks import Benchmark, from_parts, load_benchmark
from engine.evaluation.kept_rows import RowFolders, rows_in
from engine.evaluation.measure import PreparedSystem, System
from engine.evaluation.significance import Corrected, contrast_runs, holm, interval
from engine.evaluation.systems import AsSearched, Encoded
from engine.library import KeywordIndex, Library
from engine.search import Corpus

QuestionSource = Literal["small", "judged", "subjects"]
"""The small set that comes with Priorscope; the library's judged queries; its documents of the same subjects."""

SMALL = Path(__file__).resolve().parents[2] / "assets" / "benchmarks" / "small"
METRIC = "nDCG@10"
MOST_DOCUMENTS = 2_000
"""How many of a library's documents are ranked: a transformer reads this many in about a minute without a GPU."""

_WARMING = 4
ALONE, IN_SEARCH = "alone", "in search"
_WEIGHT_BEFORE = 2.0  # of keywords, where figures were measured before they noted it


def questions_of(kind: QuestionSource, library: Library | None = None, *, report: Report = silent) -> Benchmark:
    """Return questions with known answers; of a library at most 2,000 documents, those judged among them.

    Raises EvaluationError for questions of a library without one, or where it has none.
    """
    if kind == "small":
        return load_benchmark(SMALL)
    if library is None:
        raise EvaluationError(f"Expected a library for the questions {kind!r}, got none. Name its folder.")
    made = Benchmark.from_judgements if kind == "judged" else Benchmark.from_subjects
    return narrowed(made(library, report=report), MOST_DOCUMENTS)


def narrowed(benchmark: Benchmark, most: int) -> Benchmark:
    """Return the benchmark over at most `most` documents: up to half are judged ones, drawn by their ids as the others.

    The same documents are drawn every time. Queries that lose every relevant document are left out and counted.
    """
    if len(benchmark.corpus) <= most:
        return benchmark

    def drawn(documents: Sequence[Document], count: int) -> list[Document]:
        return sorted(documents, key=lambda document: files.fingerprint(document.id))[:count]

    judged = {name for grades in benchmark.qrels.values() for name in grades}
    kept = drawn([one for one in benchmark.corpus if one.id in judged], most // 2)
    kept += drawn([one for one in benchmark.corpus if one.id not in judged], most - len(kept))
    ids = {document.id for document in kept}
    qrels = {
        query: {name: grade for name, grade in grades.items() if name in ids}
        for query, grades in benchmark.qrels.items()
    }
    corpus = [document for document in benchmark.corpus if document.id in ids]
    made = from_parts(benchmark.name, corpus, benchmark.queries, qrels)
    own = {query: works for query, works in benchmark.own_works.items() if query in made.qrels}
    return replace(made, left_out=benchmark.left_out + made.left_out, own_works=own)


@dataclass(frozen=True, slots=True)
class BesideDefault:
    """A model and the default on the same questions: `figures` are a JSON value, as it is kept with the model.

    It holds `questions` and their number, the number of documents ranked and `of` how many in the library (0 for
    files), and for `model` and `default` a row's numbers, its speed, its scores with their 95 % intervals, alone and in
    a search, and what the keywords count where the encoder counts 1. `differences` are the model's less the default's,
    with p corrected for two comparisons, and in words.
    """

    figures: Mapping[str, Any]

    @classmethod
    def measure(
        cls, name: str, questions: QuestionSource, library: Library | None = None, *, report: Report = silent
    ) -> BesideDefault:
        """Measure a kept model beside the default and keep the figures with it.

        Raises UnknownEncoderError for a model that is not kept, or EvaluationError as `questions_of` does.
        """
        kept = encoders.KeptModel.read(name)
        benchmark = questions_of(questions, library, report=report)
        of = 0 if library is None or questions == "small" else len(library)
        encoder = encoders.load_folder(kept.folder)
        made = cls.of_encoders(encoder, encoders.load(encoders.DEFAULT), benchmark, of=of, report=report)
        encoders.KeptModel.read(name).add_measured(questions, dict(made.figures))
        return made

    @classmethod
    def of_encoders(
        cls, encoder: Encoder, default: Encoder, benchmark: Benchmark, *, of: int = 0, report: Report = silent
    ) -> BesideDefault:
        """Rank the questions by both encoders, each alone and together with the keywords as a search does, and compare.

        Neither ranking matches passages. Both encoders read the documents one after the other, so that their speeds
        compare.
        """
        keywords = KeywordIndex.in_memory(benchmark.corpus)
        keywords.weigh(False, True)
        measured, speeds = {}, {}
        for one in (encoder, default):
            rows, speeds[one] = _rows(one, benchmark.corpus, report)
            corpus = Corpus(one, rows, keywords, ids_by_kind(benchmark.corpus))
            for way, system in ((ALONE, Encoded(one, rows)), (IN_SEARCH, AsSearched(corpus, "default"))):
                measured[one, way] = _scores(benchmark, system, one)
        names = (encoder.card.name, default.card.name)
        contrasts = {
            way: contrast_runs(measured[encoder, way], measured[default, way], names=names, metric=METRIC)
            for way in (ALONE, IN_SEARCH)
        }
        corrected = holm([one.p for one in contrasts.values()])
        model, usual = (
            {
                "name": one.card.name,
                "fingerprint": one.card.fingerprint,
                "dim": one.card.dim,
                "documents_per_second": speeds[one],
                "scores": {way: asdict(interval(list(measured[one, way].values()))) for way in (ALONE, IN_SEARCH)},
                "keyword_weight": encoders.keyword_weights(one.card.name).usual,
            }
            for one in (encoder, default)
        )
        figures = {
            "questions": benchmark.name,
            "queries": len(benchmark.queries),
            "documents": len(benchmark.corpus),
            "of": of,
            "metric": METRIC,
            "model": model,
            "default": usual,
            "differences": {
                way: {"by": asdict(one.difference), "p": p, "verdict": Corrected(one, p).verdict}
                for (way, one), p in zip(contrasts.items(), corrected, strict=True)
            },
            "when": datetime.now(UTC).isoformat(timespec="seconds"),
            "hardware": provenance.hardware(),
            "commit": provenance.commit(),
        }
        return cls(_rounded(figures))

    def sentences(self) -> list[str]:
        """Return the figures in plain sentences."""
        found, model, default = self.figures, self.figures["model"], self.figures["default"]
        of = f" of your {found['of']:,}" if found["of"] > found["documents"] else ""
        asked = f"{how_many(found['queries'], 'question')} over {how_many(found['documents'], 'document')}{of}"
        lines = [f"{found['metric']} on {asked}, with 95 % intervals:"]
        for way, difference in found["differences"].items():
            ours, theirs, by = model["scores"][way], default["scores"][way], difference["by"]
            lines.append(
                f"{'Alone' if way == ALONE else 'In a search, with the keywords'}: {model['name']} {_interval(ours)}, "
                f"the default {_interval(theirs)}; difference {by['mean']:+.3f} ({by['low']:+.3f} to "
                f"{by['high']:+.3f}), {difference['verdict']}."
            )
        lines.append(
            f"{model['name']} reads {model['documents_per_second']:,.0f} documents a second here and makes "
            f"{model['dim']:,} numbers of each, the default {default['documents_per_second']:,.0f} and "
            f"{default['dim']:,}."
        )
        return [*lines, self.keywords_in_words()]

    def keywords_in_words(self) -> str:
        """Return what the keywords count in a search beside the model, and why.

        Where they counted something else when this was measured, the sentence asks to measure again.
        """
        model, default = self.figures["model"], self.figures["default"]
        weights = encoders.keyword_weights(model["name"])
        measured, now = model.get("keyword_weight", _WEIGHT_BEFORE), weights.usual
        sentence = (
            f"In a search, keywords count {now:g} where {model['name']} counts 1, {weights.reason} "
            f"(beside the default: {encoders.keyword_weights(default['name']).usual:g})."
        )
        if measured == now:
            return sentence
        return f"{sentence} When this was measured they counted {measured:g}: measure it again."

    def save(self, path: Path, *, command: str) -> None:
        """Write the figures to `path`, and as Markdown beside it. Raises StorageError."""
        files.write_json(path, {"command": command, **self.figures})
        head, *rest = self.sentences()
        circumstances = [(name, self.figures[name]) for name in ("questions", "commit", "hardware", "when")]
        made = [f"* {name}: {value}" for name, value in (("command", command), *circumstances)]
        title = f"# {self.figures['model']['name']} beside the default encoder"
        lines = [title, "", head, "", *(f"* {one}" for one in rest), "", *made, ""]
        files.write_bytes(path.with_suffix(".md"), "\n".join(lines).encode())


def _scores(benchmark: Benchmark, system: System, encoder: Encoder) -> dict[str, float]:
    """Return the metric by query."""
    measured = PreparedSystem(encoder.card.name, system, encoder.card.fingerprint, None).measure(benchmark)
    return {query: scores[METRIC] for query, scores in measured.by_query.items()}


def _interval(one: Mapping[str, float]) -> str:
    return f"{one['mean']:.3f} ({one['low']:.3f} to {one['high']:.3f})"


def _rows(encoder: Encoder, corpus: Sequence[Document], report: Report) -> tuple[Any, float]:
    """Return the corpus in an index, and how many documents a second were read."""
    encoder.encode_documents(corpus[:_WARMING])
    started = time.perf_counter()
    index, _ = rows_in(RowFolders(), encoder, corpus, name=encoder.card.name, report=report)
    return index, len(corpus) / (time.perf_counter() - started)


def _rounded(value: Any) -> Any:  # noqa: ANN401  any JSON value
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    return round(value, 4) if isinstance(value, float) else value
