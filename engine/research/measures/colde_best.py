"""How many chunks of a document tell best what it is near to: `python -m engine.research colde_best --data DIR`.

Two documents are compared by each chunk's best match in the other (`engine.encoders.colde.long_documents.Levels.late`).
Of each document a share of its chunks may count, those that match best: here the area under the ROC curve on the valid
pairs of --sets with each of --shares. Beside it stands what a set gets by the share that the other sets choose. --keep
SHARE keeps a share in the encoder's folder; fit the mix of the document score again then (`colde_mix`). With --cache
DIR the chunk vectors that training kept there are used, and what is read now is kept for the next run.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from engine.cli.terminal import bar
from engine.core.errors import EvaluationError
from engine.encoders.colde import ColdeEncoder
from engine.research import measurement
from engine.research.matching.pair_set import PairSet, load_pair_set
from engine.research.matching.scoring import long_vectors
from engine.training.long_corpus import Split

SHARES = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.8, 1.0)
_SPLIT: Split = "valid"
_DIGITS = 4
_ALL = 1.0

Areas = Mapping[str, Mapping[float, float]]
"""The area under the curve by set and share."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure each share, print the table, and keep what was asked for."""
    given = measurement.read_options(_parser(), arguments)
    shares = sorted({*given.shares, _ALL})
    for share in (*shares, *([] if given.keep is None else [given.keep])):
        if not 0 < share <= 1:
            raise EvaluationError(f"Expected shares above 0 and up to 1, got {share:g}. Give others.")
    encoder = ColdeEncoder.load(given.encoder)
    sets = [load_pair_set(given.data / name) for name in given.sets or encoder.card.trained_on]
    found = {one.name: areas(encoder, one, shares, cache=given.cache) for one in sets}
    words = ["--data", "DIR", "--encoder", given.encoder.name]
    told = measurement.circumstances("colde_best", words)
    about = {"fingerprint": encoder.card.fingerprint, "pairs": {one.name: int(one.of(_SPLIT).sum()) for one in sets}}
    markdown = as_markdown(found, told)
    print(markdown)
    values = {name: {f"{share:g}": area for share, area in by.items()} for name, by in found.items()}
    sums = {one.name: dict(one.sha256) for one in sets}
    measurement.save(given.save, {**told, **about, "sha256": sums, "auc": values}, markdown)
    if given.keep is not None:
        encoder.with_late_best(given.keep).save_settings(given.encoder)


def areas(
    encoder: ColdeEncoder, pairs: PairSet, shares: Sequence[float], *, cache: Path | None = None
) -> dict[float, float]:
    """Return the area under the curve on a set's valid pairs by the share of chunks that count.

    Raises EvaluationError if the set has no related or no unrelated valid pairs.
    """
    from sklearn.metrics import roc_auc_score

    pairs.require_both(_SPLIT)
    chosen = pairs.of(_SPLIT)
    vectors = long_vectors(encoder, pairs.documents, cache=cache, report=bar())
    levels = {int(one): encoder.levels_of(vectors.of(int(one))) for one in np.unique(pairs.places[chosen])}
    both = [(levels[a], levels[b]) for a, b in pairs.places[chosen].tolist()]
    related = pairs.related[chosen]
    return {
        share: round(float(roc_auc_score(related, [a.late(b, best=share) for a, b in both])), _DIGITS)
        for share in shares
    }


def chosen_by(found: Areas, names: Sequence[str]) -> float:
    """Return the share with the largest mean area over some sets; of equal ones the largest share."""
    shares = next(iter(found.values()))
    return max(shares, key=lambda share: (np.mean([found[name][share] for name in names]), share))


def as_markdown(found: Areas, told: Mapping[str, str]) -> str:
    """Return the curve of each set, and what each gets by the share that the others choose."""
    shares = list(next(iter(found.values())))
    lines = ["# The share of a document's chunks that count: AUC on valid pairs", ""]
    rows = [[f"{share:.0%}", *(f"{by[share]:.4f}" for by in found.values())] for share in shares]
    lines += measurement.table(["chunks", *found], rows)
    if len(found) > 1:
        others = {name: [one for one in found if one != name] for name in found}
        left = {name: chosen_by(found, names) for name, names in others.items()}
        rows = [
            [name, f"{left[name]:.0%}", f"{found[name][left[name]]:.4f}", f"{found[name][_ALL]:.4f}"] for name in found
        ]
        lines += measurement.table(["set", "share that the others choose", "AUC with it", "with all chunks"], rows)
    return "\n".join([*lines, *measurement.as_list(told), ""])


def _parser() -> argparse.ArgumentParser:
    parser = measurement.make_parser("colde_best", __doc__, cache=True)
    parser.add_argument("--encoder", type=Path, required=True, metavar="DIR", help="the encoder's folder")
    parser.add_argument("--sets", nargs="+", metavar="NAME", help="measured on these (default: those it learnt from)")
    parser.add_argument("--shares", nargs="+", type=float, default=list(SHARES), metavar="SHARE", help="above 0 to 1")
    parser.add_argument("--keep", type=float, metavar="SHARE", help="keep this share in the encoder's folder")
    return parser
