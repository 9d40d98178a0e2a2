"""How small a CTPE document may be: `python -m engine.research ctpe_size --encoder FOLDER --benchmarks DIR [DIR ...]`.

One shared map reduces the halves of every document to fewer dimensions (--dims), which are kept as float32, float16,
int8 or 4 bits a number. MAP@20 and nDCG@10 are compared with those of all floats: 8 n_f in the paper's form, or the
sum of both halves for an encoder that compares sums. The map is fitted on documents of the sets of --fit (default: the
benchmarks' corpora), never on queries; choose on --queries valid.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from engine.cli.terminal import Parser, bar
from engine.core import files, provenance
from engine.core.errors import EvaluationError
from engine.core.progress import Meter
from engine.core.rows import DenseRows
from engine.documents import Document, Hit
from engine.encoders.ctpe import WHOLE, CtpeEncoder, Reduction, summed
from engine.evaluation import PARTS, Benchmark, Prepared, load_benchmark
from engine.evaluation.benchmarks import CORPUS
from engine.evaluation.measure import rank, score
from engine.reading import iter_documents
from engine.vectors import VectorIndex, open_index

DIMENSIONS = (32, 64, 128, 192, 256)
METRICS = ("MAP@20", "nDCG@10")
MOST_LOSS, MOST_BYTES = 0.01, 1_024
_DOCUMENTS_AT_ONCE = 1_000

Bits = Literal["float32", "float16", "int8", "int4"]
KINDS: tuple[Bits, ...] = ("float32", "float16", "int8", "int4")
Halves = tuple[DenseRows, ...]
"""The former and the latter halves of documents, (n, d) each, or only their sums."""


@dataclass(frozen=True)
class Figure:
    """One benchmark with rows of one size; `dim` is of a half or sum, `lost` the share of MAP@20 lost to all floats."""

    benchmark: str
    dim: int
    centred: bool | None
    bits: Bits
    bytes_a_document: int
    metrics: dict[str, float]
    lost: float


@dataclass(frozen=True)
class Sides:
    """A benchmark with the unreduced halves, or sums, of its documents and of its queries."""

    benchmark: Benchmark
    documents: Halves
    queries: Halves


@dataclass(frozen=True)
class _Rows:
    """An index of rows, and the rows of the queries in the benchmark's order."""

    index: VectorIndex
    asked: DenseRows

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        """The k best documents of each query, best first."""
        del queries
        return self.index.search(self.asked, k)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the curve, print it and save it."""
    given = _parser().parse_args(arguments)
    files.check_writable(given.save)
    encoder = CtpeEncoder.load(given.encoder)
    benchmarks = [load_benchmark(folder, part=given.queries) for folder in given.benchmarks]
    fitted_on = given.fit or given.benchmarks
    halves = _halves(encoder, _drawn(fitted_on, given.fit_documents, given.seed), "encode what the map is fitted on")
    dims = [dim for dim in sorted(set(given.dims)) if dim <= halves[0].shape[1]]
    if not dims:
        raise EvaluationError(f"Expected dimensions up to {halves[0].shape[1]}, those of a half; got none.")
    figures = [figure for one in benchmarks for figure in curve(_sides(encoder, one), halves, dims)]
    report = {
        "command": "python -m engine.research ctpe_size",
        "fingerprint": encoder.card.fingerprint,
        "part": given.queries,
        "fitted_on": [folder.name for folder in fitted_on],
        "fit_documents": len(halves[0]),
        "seed": given.seed,
        "commit": provenance.commit(),
        "hardware": provenance.hardware(),
        "sha256": {one.name: dict(one.sha256) for one in benchmarks},
        "smallest": asdict(least) if (least := smallest(figures)) else None,
        "figures": [asdict(figure) for figure in figures],
    }
    table = as_markdown(figures, report)
    files.write_json(given.save, report)
    files.write_bytes(given.save.with_suffix(".md"), table.encode())
    print(table)


def curve(sides: Sides, fit_on: Halves, dims: Sequence[int]) -> Iterator[Figure]:
    """The figures of one benchmark: all floats first, then every number of dimensions with every kind of number.

    The directions of a smaller map are the first of a larger one's, so one fit serves all dimensions.
    """
    whole = _metrics(sides, "float32")
    dim, parts = sides.documents[0].shape[1], len(sides.documents)
    yield Figure(sides.benchmark.name, dim, None, "float32", bytes_of(parts * dim, "float32"), whole, 0.0)
    for centred in (True, False):
        largest = Reduction.fit(*fit_on, dim=max(dims), centred=centred)
        for dim in dims:
            reduction = replace(largest, components=largest.components[:, :dim])
            reduced = replace(
                sides,
                documents=tuple(reduction.apply(half) for half in sides.documents),
                queries=tuple(reduction.apply(half) for half in sides.queries),
            )
            for bits in KINDS:
                metrics = _metrics(reduced, bits)
                lost = 1 - metrics["MAP@20"] / whole["MAP@20"] if whole["MAP@20"] else 0.0
                size = bytes_of(parts * dim, bits)
                yield Figure(sides.benchmark.name, dim, centred, bits, size, metrics, round(lost, 4))


def bytes_of(numbers: int, bits: Bits) -> int:
    """The bytes of a row; whole numbers need a float32 step a row."""
    return {"float32": 4 * numbers, "float16": 2 * numbers, "int8": numbers + 4, "int4": -(-numbers // 2) + 4}[bits]


def four_bits(rows: DenseRows) -> DenseRows:
    """Rows (n, dim) as 4 bits a number hold them: whole steps from -7 to 7, a step a row."""
    steps = np.abs(rows).max(axis=1, keepdims=True, initial=0) / 7
    return np.asarray(np.rint(np.divide(rows, steps, out=np.zeros_like(rows), where=steps > 0)) * steps, np.float32)


def smallest(figures: Sequence[Figure]) -> Figure | None:
    """The smallest rows that lose at most 1 % of MAP@20 on the mean of the benchmarks and take at most 1 KB."""
    good = [figure for figure in means(figures) if figure.lost <= MOST_LOSS and figure.bytes_a_document <= MOST_BYTES]
    return min(good, key=lambda figure: (figure.bytes_a_document, figure.lost), default=None)


def means(figures: Sequence[Figure]) -> list[Figure]:
    """Each size's mean over the benchmarks."""
    by_size: dict[tuple[object, ...], list[Figure]] = {}
    for figure in figures:
        by_size.setdefault((figure.dim, figure.centred, figure.bits), []).append(figure)
    return [
        replace(
            group[0],
            benchmark="mean",
            metrics={name: round(float(np.mean([one.metrics[name] for one in group])), 4) for name in METRICS},
            lost=round(float(np.mean([one.lost for one in group])), 4),
        )
        for group in by_size.values()
    ]


def as_markdown(figures: Sequence[Figure], report: dict[str, object]) -> str:
    """A table a benchmark and one of the means, and the circumstances."""
    lines = ["# How small a CTPE document may be", ""]
    shown = [*means(figures), *figures]
    for name in dict.fromkeys(figure.benchmark for figure in shown):
        lines += [f"## {name}", "", "| dimensions | mean taken off | number | bytes a document | "]
        lines[-1] += " | ".join(METRICS) + " | MAP@20 lost |"
        lines.append("|---" * (5 + len(METRICS)) + "|")
        for figure in (one for one in shown if one.benchmark == name):
            taken = "all floats" if figure.centred is None else "yes" if figure.centred else "no"
            cells = [str(figure.dim), taken, figure.bits, f"{figure.bytes_a_document:,}"]
            cells += [*(f"{figure.metrics[metric]:.4f}" for metric in METRICS), f"{figure.lost:.1%}"]
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    skipped = ("figures", "smallest")
    lines += [f"* {name}: {value}" for name, value in report.items() if name not in skipped]
    least = report["smallest"]
    lines.append(f"* smallest with at most 1 % of MAP@20 lost on the mean and at most 1,024 bytes: {least or 'none'}")
    return "\n".join([*lines, ""])


def _metrics(sides: Sides, bits: Bits) -> dict[str, float]:
    rows, asked = (
        np.concatenate(parts, axis=1) / np.float32(np.sqrt(len(parts)))
        for parts in (sides.documents[::-1], sides.queries)
    )
    kept = "float32" if bits == "int4" else bits
    with tempfile.TemporaryDirectory() as folder:
        index = open_index(
            Path(folder) / "index", fingerprint="size", dim=rows.shape[1], kind="embedded", precision=kept
        )
    index.add([document.id for document in sides.benchmark.corpus], four_bits(rows) if bits == "int4" else rows)
    run = rank(sides.benchmark, Prepared(bits, _Rows(index, asked), "size", None))
    found = score(run, sides.benchmark)[0]
    return {name: round(found[name], 4) for name in METRICS}


def _sides(encoder: CtpeEncoder, benchmark: Benchmark) -> Sides:
    documents = _halves(encoder, benchmark.corpus, f"encode {benchmark.name}")
    return Sides(benchmark, documents, _halves(encoder, benchmark.queries, "encode the queries"))


def _halves(encoder: CtpeEncoder, documents: Sequence[Document], stage: str) -> Halves:
    """The unreduced halves of many documents, or their sums where the encoder compares those, a block at a time."""
    meter, blocks = Meter(stage, len(documents), bar()), []
    for start in range(0, len(documents), _DOCUMENTS_AT_ONCE):
        block = documents[start : start + _DOCUMENTS_AT_ONCE]
        blocks.append(encoder.encode_halves(block, reduced=False))
        meter.add(len(block))
    meter.finish()
    former, latter = (np.concatenate(side) for side in zip(*blocks, strict=True))
    return (summed(former, latter),) if encoder.settings.similarity == WHOLE else (former, latter)


def _drawn(folders: Sequence[Path], count: int, seed: int) -> list[Document]:
    """As many documents of each set, drawn evenly."""
    chance, found = np.random.default_rng(seed), []
    for folder in folders:
        documents = list(iter_documents(folder / CORPUS))
        places = chance.permutation(len(documents))[: -(-count // len(folders))]
        found += [documents[place] for place in sorted(places)]
    return found


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="python -m engine.research ctpe_size", description=__doc__)
    parser.add_argument("--encoder", type=Path, required=True, metavar="FOLDER", help="of a CTPE encoder")
    parser.add_argument("--benchmarks", type=Path, nargs="+", required=True, metavar="DIR")
    parser.add_argument("--queries", choices=PARTS, default="valid", help="which queries ask (default: valid)")
    parser.add_argument("--dims", type=int, nargs="+", default=DIMENSIONS, metavar="N", help="dimensions of a half")
    parser.add_argument("--fit", type=Path, nargs="+", metavar="DIR", help="sets whose documents the map is fitted on")
    parser.add_argument("--fit-documents", type=int, default=10_000, metavar="N", help="how many (default: 10000)")
    parser.add_argument("--seed", type=int, default=0, help="which documents are drawn (default: 0)")
    parser.add_argument(
        "--save", type=Path, default=Path("engine/research/reports/ctpe-size.json"), help="JSON, and a table beside it"
    )
    return parser
