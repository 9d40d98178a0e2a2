"""What CoLDE withstands: `python -m engine.research colde_robustness --data DIR --encoder DIR --benchmarks NAME ...`.

As section 4.4 of the paper: sections in another order, only the first 1,000, 4,000 or 8,000 words compared, chunks
numbered as 2 to 5 sections. With --train DIR the encoder's own recipe is trained again, too: with batches of 50 to 200
documents, at most 1,000 to 8,000 tokens of a section, and documents made into 1 to 5 sections. That folder keeps each
encoder, so that an interrupted run can go on. Test figures use the threshold chosen on valid pairs.

Most variations read every chunk again. --rows WORD ... keeps only variations with one of these words in their name,
beside the unchanged encoder. --most N reads N valid and N test pairs of each set, evenly drawn. --save FILE.json writes
the figures, and beside it a table with bars as Markdown, for the model card. --cache DIR holds chunk vectors that
training or `python -m engine.research match --cache` kept; chunks that are not in it are read.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.cli.terminal import bar
from engine.core import config
from engine.core.errors import EvaluationError
from engine.encoders.colde import ColdeEncoder
from engine.evaluation.significance import p_in_words
from engine.research import measurement
from engine.research.matching.judging import Judged, Scored, compare, judge
from engine.research.matching.pair_set import Form, PairSet, load_pair_set, of_form
from engine.research.matching.scoring import changed_scores, remembered
from engine.training import Folders
from engine.training.colde import trainer
from engine.training.colde.chunks import RememberedChunks
from engine.training.colde.recipe import ColdeRecipe
from engine.training.long_corpus import LabelledPair

SEED = 0
"""Of the order that sections are put in."""

SECTIONS = (2, 3, 4, 5)
LENGTHS = (1_000, 4_000, 8_000)
BATCHES = (50, 75, 100, 200)
AS_IT_IS = "as it is"
BODY = Form()
_LEAST, _CELLS = 0.5, 20
_EIGHTHS = " ▏▎▍▌▋▊▉"
_TITLES = {"compared": "What is compared", "trained": "How it was trained"}


@dataclass(frozen=True)
class Variation:
    """One row: what is compared of documents, how their chunks are numbered, or how the encoder is trained."""

    group: str
    name: str
    form: Form = BODY
    sections: int | None = None
    settings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Figure:
    """One variation on one set: figures on test and valid, and `p` against the unchanged encoder (None for itself)."""

    benchmark: str
    group: str
    name: str
    test: dict[str, float]
    valid: dict[str, float]
    p: float | None


def compared() -> Iterator[Variation]:
    """Give what changes when documents are compared."""
    yield Variation("compared", AS_IT_IS)
    yield Variation("compared", "sections in another order", Form(shuffle_sections=SEED))
    for most in LENGTHS:
        yield Variation("compared", f"the first {most:,} words", Form(max_tokens=most))
    for sections in SECTIONS:
        yield Variation("compared", f"numbered as {sections} sections", sections=sections)


def trained() -> Iterator[Variation]:
    """Give what changes when the encoder is trained; the paper bounds the text there (section 4.4.2)."""
    for batch in BATCHES:
        yield Variation("trained", f"batches of {batch}", settings=(f"optimizer.batch={batch}",))
    for most in LENGTHS:
        yield Variation("trained", f"{most:,} tokens of a section", settings=(f"objective.max_tokens={most}",))
    for sections in (1, *SECTIONS):
        name = f"made into {sections} section{'s' * (sections > 1)}"
        yield Variation("trained", name, settings=(f"objective.sections={sections}",))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every variation on every set, print the table, and save it where asked for."""
    given = measurement.read_options(_parser(), arguments)
    encoder = ColdeEncoder.load(given.encoder)
    wanted = [one for one in trained() if given.train is not None and asked_for(one, given.rows)]
    others = [(one, retrained(encoder, one, given)) for one in wanted]
    found: list[Figure] = []
    sha256: dict[str, Any] = {}
    for name in given.benchmarks:
        pairs = load_pair_set(given.data / name, form=None)
        sha256[name] = dict(pairs.sha256)
        found += measured(encoder, others, some(pairs, given.most), given.cache, rows=given.rows)
    print(table := as_markdown(found))
    figures = [dataclasses.asdict(one) for one in found]
    measurement.save(given.save, {"figures": figures, **_circumstances(encoder, sha256, given)}, table)


def asked_for(variation: Variation, rows: Sequence[str] | None) -> bool:
    """Tell whether a variation's name contains one of the words in `rows`; always true of the unchanged encoder."""
    return variation.name == AS_IT_IS or rows is None or any(word in variation.name for word in rows)


def some(pairs: PairSet, most: int | None) -> PairSet:
    """Return the valid and the test pairs, or `most` of each, evenly drawn; the others need not be read."""
    chosen: list[LabelledPair] = []
    for split in ("valid", "test"):
        own = [pair for pair in pairs.pairs if pair.split == split]
        count = len(own) if most is None else min(most, len(own))
        chosen += [own[place * len(own) // count] for place in range(count)]
    return dataclasses.replace(pairs, pairs=chosen)


def measured(
    encoder: ColdeEncoder,
    others: Sequence[tuple[Variation, ColdeEncoder]],
    pairs: PairSet,
    cache: Path | None,
    *,
    rows: Sequence[str] | None = None,
) -> Iterator[Figure]:
    """Give the figures of pairs of whole documents, the unchanged encoder's first."""
    chunks = remembered(encoder, pairs, cache=cache, report=bar())
    possible = [one for one in compared() if (one.sections or 1) <= encoder.settings.section_numbers]
    own_rows = [(one, encoder) for one in possible if asked_for(one, rows)]
    first: Judged | None = None
    for one, by in (*own_rows, *others):
        own = chunks if by.reading_fingerprint == encoder.reading_fingerprint else RememberedChunks(by)
        judged = judge(scored(one, by, pairs, own), pairs)
        first = first or judged
        chance = None if judged is first else round(compare(judged, first).p, 4)
        yield Figure(pairs.name, one.group, one.name, judged.test.rounded(), judged.valid.rounded(), chance)


def scored(variation: Variation, encoder: ColdeEncoder, pairs: PairSet, chunks: RememberedChunks) -> Scored:
    """Return the encoder's similarity of each pair of whole documents under a variation."""
    scores = changed_scores(encoder, of_form(pairs, variation.form), chunks, sections=variation.sections, report=bar())
    return Scored(variation.name, encoder.card.fingerprint, scores)


def retrained(encoder: ColdeEncoder, variation: Variation, given: argparse.Namespace) -> ColdeEncoder:
    """Return the encoder's recipe trained with a variation's settings, or what an earlier run kept of it.

    Raises EvaluationError if the folder holds one of another recipe.
    """
    origin = f"{given.encoder.name}, {variation.name}"
    values = config.with_settings(encoder.facts["recipe"], variation.settings)
    recipe: ColdeRecipe = config.from_mapping(values, ColdeRecipe, origin=origin)
    folder: Path = given.train / variation.name.replace(" ", "-").replace(",", "")
    if folder.exists():
        kept = ColdeEncoder.load(folder)
        if config.from_mapping(kept.facts["recipe"], ColdeRecipe, origin=origin) != recipe:
            raise EvaluationError(
                f"Expected an encoder of {given.encoder.name}'s recipe in {folder}, found one of another. "
                "Name another folder for --train."
            )
        return kept
    run = folder.with_name(f"{folder.name}-run")
    folders = Folders(given.data, run, given.cache or given.train / "cache")
    made = trainer.train(recipe, folders, resume=run.exists(), report=bar())
    if made is not None:  # else another process writes
        made.save(folder)
    return ColdeEncoder.load(folder)


def _circumstances(encoder: ColdeEncoder, sha256: dict[str, Any], given: argparse.Namespace) -> dict[str, Any]:
    words = ["--data", "DIR", "--encoder", given.encoder.name]
    words += ["--benchmarks", *given.benchmarks, *(["--train", "DIR"] if given.train is not None else [])]
    words += ["--rows", *given.rows] if given.rows is not None else []
    words += ["--most", str(given.most)] if given.most is not None else []
    circumstances = measurement.circumstances("colde_robustness", words)
    return {**circumstances, "encoder": encoder.card.fingerprint, "sha256": sha256, "seed": SEED}


def as_markdown(figures: Sequence[Figure]) -> str:
    """Return a table a group: a row a variation, and for each set its accuracy as a bar, accuracy, AUC and p."""
    sets = list(dict.fromkeys(one.benchmark for one in figures))
    parts = []
    for group in dict.fromkeys(one.group for one in figures):
        columns = [f"{name}: accuracy from .5 to 1 | accuracy | AUC | p" for name in sets]
        lines = [f"| {_TITLES[group]} | " + " | ".join(columns) + " |", "|---" * (1 + 4 * len(sets)) + "|"]
        for name in dict.fromkeys(one.name for one in figures if one.group == group):
            held = {one.benchmark: one for one in figures if (one.group, one.name) == (group, name)}
            lines.append(f"| {name} | " + " | ".join(_cells(held.get(each)) for each in sets) + " |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n\np: how likely such a difference is by chance (McNemar's test on the test pairs)\n"


def accuracy_bar(value: float) -> str:
    """Return a bar of up to twenty cells for a share from a half to one."""
    eighths = round(8 * _CELLS * max(0.0, min(1.0, (value - _LEAST) / (1 - _LEAST))))
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def _cells(figure: Figure | None) -> str:
    if figure is None:
        return " | | | "
    accuracy, auc = (f"{figure.test[name]:.3f}".removeprefix("0") for name in ("accuracy", "auc"))
    chance = "" if figure.p is None else p_in_words(figure.p)
    return f"{accuracy_bar(figure.test['accuracy'])} | {accuracy} | {auc} | {chance}"


def _parser() -> argparse.ArgumentParser:
    parser = measurement.make_parser("colde_robustness", __doc__, cache=True)
    parser.add_argument("--encoder", type=Path, required=True, metavar="DIR", help="the encoder's folder")
    parser.add_argument("--benchmarks", nargs="+", required=True, metavar="NAME", help="sets with a pairs.tsv")
    parser.add_argument("--train", type=Path, metavar="DIR", help="train the variations of training into this folder")
    parser.add_argument("--rows", nargs="+", metavar="WORD", help="only the variations named with one of these words")
    parser.add_argument("--most", type=_count, metavar="N", help="read at most N valid and N test pairs of each set")
    return parser


def _count(text: str) -> int:
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"Expected a number of pairs from 1, got {text}.")
    return int(text)
