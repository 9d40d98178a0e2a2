"""How much each part of a comparison's score counts: `python -m engine.research colde_mix --data DIR --encoder FOLDER`.

A comparison's score mixes the encoder's similarity with the words that both documents share, and with the similarity by
--second. Papers and patents each have a mix, learned on the valid pairs of --sets; only bodies are compared, as
`python -m engine.research match` does. Words that are common in long documents are counted in the train documents of
--word-sets. --without takes a mix away again.

What scores mean is then measured: unrelated valid pairs of each set of --calibration-sets are compared whole, as
`priorscope compare` does without options, and the quantiles of their scores say "closer than 97 % of unrelated pairs".
--most pairs of a set are drawn, since reading takes a second or two a document on two cores. The encoder's folder keeps
both among its facts.

With --cache DIR the chunk vectors that training kept there are used, and what is read now is kept for the next run.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from engine.cli.terminal import Parser, bar
from engine.compare import document_score
from engine.compare.document_score import MIX_FACT, PinnedEncoder
from engine.core import provenance
from engine.encoders import storage
from engine.encoders.colde import ColdeEncoder
from engine.encoders.ctpe import settings as ctpe
from engine.research.matching.fitting import FittedMix, calibrate, fit_mix
from engine.research.matching.pair_set import PairSet, load_pair_set

ABOUT = "mix_fitted_on"
SETS = ("acl-long", "pmc-long", "patents-long")


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit the mix, measure what scores mean with it, and keep both in the encoder's card."""
    given = _parser().parse_args(arguments)
    encoder = ColdeEncoder.load(given.encoder)
    encoder = encoder.with_facts({key: fact for key, fact in encoder.facts.items() if key not in (MIX_FACT, ABOUT)})
    if not given.without:
        encoder = mixed(encoder, given)
    storage.replace_facts(given.encoder, calibrated(encoder, given).facts)


def mixed(encoder: ColdeEncoder, given: argparse.Namespace) -> ColdeEncoder:
    """Return the encoder with a mix fitted as the options say; prints what was found."""
    names = given.sets or encoder.card.trained_on
    sets, words_of = ([load_pair_set(given.data / name) for name in some] for some in (names, given.word_sets))
    second = PinnedEncoder.shipped(given.second) if given.second else None
    fitted = fit_mix(encoder, sets, second=second, words_of=words_of, cache=given.cache, report=bar())
    _tell(fitted)
    about = {**fitted.about, "commit": provenance.commit(), "hardware": provenance.hardware()}
    return encoder.with_facts({**encoder.facts, MIX_FACT: fitted.mix.as_facts(), ABOUT: about})


def _tell(fitted: FittedMix) -> None:
    mix = fitted.mix
    for kinds, one in mix.shares.items():
        rest = 1 - one.words - one.second
        second = f" + {one.second:.3f} {mix.second.name}" if mix.second is not None and one.second else ""
        print(f"{kinds}: {rest:.3f} similarity + {one.words:.3f} shared words{second}")
    print(f"common words of long documents: {len(mix.common):,}; mean length in words: {mix.mean_length:,.0f}")
    for name, auc in fitted.about["auc"].items():
        print(f"{name}: AUC on valid " + ", ".join(f"{part} {value:.4f}" for part, value in auc.items()))


def calibrated(encoder: ColdeEncoder, given: argparse.Namespace) -> ColdeEncoder:
    """Return the encoder with its scores measured as the options say; prints what was found."""
    names = given.calibration_sets
    sets = [drawn(load_pair_set(given.data / name, form=None), given.most, seed=given.seed) for name in names]
    found = calibrate(encoder, sets, seed=given.seed, cache=given.cache, report=bar())
    about = {"sets": list(names), "pairs_a_set": given.most, "seed": given.seed}
    for kinds, one in found.unrelated.items():
        middle = one.quantiles[len(one.quantiles) // 2]
        print(f"{kinds}: {one.pairs:,} unrelated pairs, half of them above {middle:.2f}")
    return encoder.with_facts(
        {**encoder.facts, document_score.CALIBRATION_FACT: found.as_facts(), "calibrated_on": about}
    )


def drawn(pairs: PairSet, most: int, *, seed: int) -> PairSet:
    """Return a set with `most` of its unrelated valid pairs alone, evenly drawn."""
    chosen = [pair for pair in pairs.pairs if pair.split == "valid" and not pair.related]
    order = np.random.default_rng(seed).permutation(len(chosen))[:most]
    return dataclasses.replace(pairs, pairs=[chosen[place] for place in sorted(order)])


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="python -m engine.research colde_mix", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="holds one folder a set")
    parser.add_argument("--encoder", type=Path, required=True, metavar="DIR", help="the encoder's folder")
    parser.add_argument(
        "--sets", nargs="+", metavar="NAME", help="the mix is fitted on these (default: those it was trained on)"
    )
    parser.add_argument(
        "--word-sets",
        nargs="+",
        default=SETS,
        metavar="NAME",
        help="common words are counted in these",
    )
    parser.add_argument(
        "--second", default=ctpe.NAME, metavar="NAME", help=f"a shipped encoder, or '' (default: {ctpe.NAME})"
    )
    parser.add_argument("--without", action="store_true", help="take the mix away, and measure again what scores mean")
    parser.add_argument(
        "--calibration-sets", nargs="+", default=SETS, metavar="NAME", help="what scores mean is measured on these"
    )
    parser.add_argument("--most", type=int, default=150, metavar="N", help="pairs of each such set (default: 150)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cache", type=Path, metavar="DIR", help="keeps what was read for the next run")
    return parser
