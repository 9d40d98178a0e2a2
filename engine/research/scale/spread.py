"""`python -m engine.research scale spread`: made documents beside as many real ones, by their words and their rows.

Each kind is measured alone, so that neighbours are of one kind. "Joined" is all of them together: how near the
nearest is in a library of twice as many.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from engine.cli.terminal import bar
from engine.core.progress import Meter, Report, silent
from engine.core.rows import DenseRows, unit_length
from engine.library.postings import term_counts
from engine.research import measurement
from engine.research.scale.embedded import REAL
from engine.research.scale.made import Batch, Maker
from engine.research.scale.real import open_real

_RANKS = (10, 100, 1_000, 10_000)
_ASKED, _AT_ONCE = 1_000, 500
_COMPONENTS = (1, 10, 100)
_QUANTILES = (5, 25, 50, 75, 95)
Figures = dict[str, float]


def add_parser(measurements: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the measurement and its options."""
    parser = measurements.add_parser("spread", help="how made documents differ from real ones")
    parser.add_argument("--work", type=Path, required=True, metavar="DIR", help="where `scale embedded` keeps these")
    parser.add_argument("--documents", type=int, default=5_000, metavar="N", help="of each (default: 5000)")
    parser.add_argument("--save", type=Path, metavar="FILE", help="the report, as JSON and as .md")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Measure and print the table."""
    maker = Maker(open_real(arguments.work / REAL))
    found = measure_spread(maker, min(arguments.documents, len(maker)), report=bar())
    words = ["spread", "--work", "DIR", "--documents", str(arguments.documents)]
    report = {**measurement.circumstances("scale", words), "spread": found}
    rows = [[name, *(f"{found[kind].get(name, np.nan):,.3f}" for kind in found)] for name in found["real"]]
    text = "\n".join([*measurement.as_list({name: report[name] for name in ("command", "commit", "hardware")}), ""])
    text += "\n" + "\n".join(measurement.table(["", *found], rows))
    measurement.save(arguments.save, report, text)
    print(text)


def measure_spread(maker: Maker, count: int, *, report: Report = silent) -> Mapping[str, Figures]:
    """Return the figures of `count` real documents, of as many made ones, and of both joined."""
    each: dict[str, list[Batch]] = {}
    meter = Meter("look at documents", 3 * count, report)
    found: dict[str, Figures] = {}
    for kind, first in (("real", 0), ("made", len(maker))):
        each[kind] = list(maker.batches(first, first + count, _AT_ONCE))
        found[kind] = _figures(each[kind])
        meter.add(count)
    found["joined"] = _figures([*each["real"], *each["made"]])
    meter.finish()
    return found


def _figures(batches: Sequence[Batch]) -> Figures:
    held = [term_counts(document) for batch in batches for document in batch.documents]
    rows = unit_length(np.concatenate([batch.rows for batch in batches]))
    passages = [one.rows for batch in batches for one in batch.passages]
    found = _of_words(held)
    nearest = _of_rows(found, "row", rows)
    own = [set(held[place]) for place in np.linspace(0, len(rows) - 1, len(nearest)).astype(int)]
    shared = [len(one & held[other].keys()) / max(1, len(one)) for one, other in zip(own, nearest, strict=True)]
    found["terms shared with the nearest, median"] = float(np.median(shared))
    by_chance = [len(one & held[place].keys()) / max(1, len(one)) for place, one in enumerate(own)]
    found["terms shared with any other, median"] = float(np.median(by_chance[1:]))
    if passages:
        found["passages"] = float(sum(map(len, passages)))
        _of_rows(found, "passage", np.concatenate(passages))
    return found


def _of_words(held: Sequence[Counter[str]]) -> Figures:
    """Return how long documents are, and in how many each term stands: by rank, how many stand in one, their growth."""
    found: Figures = {}
    for name, sizes in (("words", [one.total() for one in held]), ("different terms", [len(one) for one in held])):
        for part, value in zip(_QUANTILES, np.percentile(sizes, _QUANTILES), strict=True):
            found[f"{name} of a document, {part} %"] = float(value)
    documents = Counter(term for one in held for term in one)
    ordered = np.sort(np.fromiter(documents.values(), float, len(documents)))[::-1]
    for rank in _RANKS:
        if rank <= len(ordered):
            found[f"share of documents with term number {rank:,}"] = float(ordered[rank - 1]) / len(held)
    ranks = np.arange(_RANKS[0], min(_RANKS[-1], len(ordered)) + 1)
    slope = np.polyfit(np.log(ranks), np.log(ordered[ranks - 1]), 1)[0]
    found["exponent of terms' frequencies (Zipf)"] = float(slope)
    found["different terms"] = float(len(ordered))
    found["share of them in one document"] = float(np.mean(ordered == 1))
    half = len({term for one in held[::2] for term in one})
    found["exponent of different terms (Heaps)"] = float(np.log(len(ordered) / half) / np.log(2))
    return found


def _of_rows(found: Figures, name: str, rows: DenseRows) -> list[int]:
    """Add how near neighbours are, and how rows spread over directions; returns the nearest of 1,000 rows."""
    asked = np.linspace(0, len(rows) - 1, min(_ASKED, len(rows))).astype(int)
    products = rows[asked] @ rows.T
    chance = float(np.median(products))
    products[np.arange(len(asked)), asked] = -np.inf
    nearest = products.argmax(axis=1)
    ordered = -np.partition(-products, 10, axis=1)[:, :11]
    ordered = -np.sort(-ordered, axis=1)
    for place, said in ((0, "nearest"), (9, "10th nearest")):
        for part in (5, 50, 95):
            found[f"product of a {name} with its {said}, {part} %"] = float(np.percentile(ordered[:, place], part))
    found[f"product of a {name} with any other, median"] = chance
    some = rows[np.linspace(0, len(rows) - 1, min(len(rows), 20_000)).astype(int)]
    variances = np.linalg.eigvalsh(np.cov(some.T))[::-1]
    for count in _COMPONENTS:
        found[f"variance of {name}s in {count} directions"] = float(variances[:count].sum() / variances.sum())
    return [int(one) for one in nearest]
