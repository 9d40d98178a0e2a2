"""What a CoLDE encoder's scores mean: `python -m engine.research colde_calibration --data DIR --encoder FOLDER`.

Compares unrelated valid pairs of each set whole, as `priorscope compare` does without options, and keeps the quantiles
of their scores among the encoder's facts, in its folder: the app says "closer than 97 % of unrelated pairs" by them.
--most pairs of a set are drawn, since reading takes a second or two a document on two cores.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from engine.cli.terminal import Parser, bar
from engine.compare.calibration import FACT
from engine.encoders import storage
from engine.encoders.colde import ColdeEncoder
from engine.research.matching.calibrating import calibrate
from engine.research.matching.pair_set import PairSet, load_pair_set

SETS = ("acl-long", "pmc-long", "patents-long")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and keep what was found in the encoder's card."""
    given = _parser().parse_args(arguments)
    storage.replace_facts(given.encoder, calibrated(ColdeEncoder.load(given.encoder), given).facts)


def calibrated(encoder: ColdeEncoder, given: argparse.Namespace) -> ColdeEncoder:
    """The encoder with its scores measured as the options of `add_calibration` say; prints what was found."""
    names = given.calibration_sets
    sets = [drawn(load_pair_set(given.data / name, form=None), given.most, seed=given.seed) for name in names]
    found = calibrate(encoder, sets, seed=given.seed, cache=given.cache, report=bar())
    about = {"sets": list(names), "pairs_a_set": given.most, "seed": given.seed}
    for kinds, one in found.unrelated.items():
        middle = one.quantiles[len(one.quantiles) // 2]
        print(f"{kinds}: {one.pairs:,} unrelated pairs, half of them above {middle:.2f}")
    return encoder.with_facts({**encoder.facts, FACT: found.as_facts(), "calibrated_on": about})


def drawn(pairs: PairSet, most: int, *, seed: int) -> PairSet:
    """A set with `most` of its unrelated valid pairs alone, evenly drawn."""
    chosen = [pair for pair in pairs.pairs if pair.split == "valid" and not pair.related]
    order = np.random.default_rng(seed).permutation(len(chosen))[:most]
    return dataclasses.replace(pairs, pairs=[chosen[place] for place in sorted(order)])


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="python -m engine.research colde_calibration", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="holds one folder a set")
    parser.add_argument("--encoder", type=Path, required=True, metavar="DIR", help="the encoder's folder")
    add_calibration(parser, flag="--sets")
    return parser


def add_calibration(parser: argparse.ArgumentParser, *, flag: str) -> None:
    """Add what a calibration can be told; `flag` names its sets."""
    parser.add_argument(
        flag,
        dest="calibration_sets",
        nargs="+",
        default=list(SETS),
        metavar="NAME",
        help="what scores mean is measured on these",
    )
    parser.add_argument("--most", type=int, default=150, metavar="N", help="pairs of each such set (default: 150)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cache", type=Path, metavar="DIR", help="keeps what was read for the next run")
