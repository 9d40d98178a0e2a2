"""How much memory CoLDE needs to read long documents: `python -m engine.research colde_memory [--tokens N ...]`.

Documents of rising length, drawn from the shipped words by how frequent they are, are read one after the other. The
peak is of the whole process so far, as the system counts it: before the first document, and after each.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from engine import encoders
from engine.cli.terminal import Parser
from engine.core import files, provenance
from engine.core.errors import EvaluationError
from engine.documents import Document, Section
from engine.encoders import WordVectors, colde, processor
from engine.encoders.colde import ColdeEncoder

_SENTENCE, _SECTION = 20, 2_000  # words
_TOKENS_A_WORD = 1.15  # of the shipped words, about; how many tokens were read is counted


@dataclass(frozen=True)
class Reading:
    """One document: what was read of it, how long that took, and the peak of memory by then."""

    words: int
    tokens: int
    chunks: int
    seconds: float
    peak_mib: int


def main(given: Sequence[str] | None = None) -> None:
    """Read documents of each length and print what that took as JSON."""
    arguments = _parser().parse_args(given)
    if min(arguments.tokens) < 1:
        raise EvaluationError(f"Expected documents of 1 token or more, got {min(arguments.tokens)}.")
    if arguments.save:
        files.check_writable(arguments.save)
    encoder = ColdeEncoder.load(arguments.encoder)
    encoder.read([drawn_document(100, arguments.seed)])  # what is loaded on first use is there before the first peak
    before = peak_mib()
    readings = [read(encoder, tokens, arguments.seed) for tokens in sorted(arguments.tokens)]
    report = {
        "encoder": encoder.card.name,
        "fingerprint": encoder.card.fingerprint,
        "commit": provenance.commit(),
        "hardware": provenance.hardware(),
        "threads": processor.threads(),
        "precision": encoder.settings.precision,
        "seed": arguments.seed,
        "peak_mib_before": before,
        "readings": [asdict(one) for one in readings],
    }
    if arguments.save:
        files.write_json(arguments.save, report)
    print(json.dumps(report, indent=2))


def read(encoder: ColdeEncoder, tokens: int, seed: int) -> Reading:
    """Read one document of about `tokens` tokens."""
    words = max(1, round(tokens / _TOKENS_A_WORD))
    document = drawn_document(words, seed)
    started = time.perf_counter()
    (long,) = encoder.read([document])
    seconds = time.perf_counter() - started
    encoder.levels(long)
    read_tokens = sum(len(ids) for ids in encoder.cut(document).tokens)
    return Reading(words, read_tokens, len(long.chunks), round(seconds, 2), peak_mib())


def drawn_document(words: int, seed: int) -> Document:
    """Sentences of words drawn by how frequent they are, in sections of 2,000."""
    known = WordVectors.load(encoders.PRETRAINED / "word2vec")
    shares = known.counts / known.counts.sum()
    drawn = [known.words[place] for place in np.random.default_rng(seed).choice(len(shares), words, p=shares)]
    sentences = [" ".join(drawn[first : first + _SENTENCE]).capitalize() for first in range(0, words, _SENTENCE)]
    step = _SECTION // _SENTENCE
    sections = [". ".join(sentences[first : first + step]) + "." for first in range(0, len(sentences), step)]
    return Document("drawn", sections=tuple(Section(f"Part {n}", text) for n, text in enumerate(sections, start=1)))


def peak_mib() -> int:
    """The most memory that this process has held so far, in MiB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1 << 20 if sys.platform == "darwin" else 1 << 10))


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="python -m engine.research colde_memory", description=__doc__)
    shipped = encoders.shipped_folder(colde.NAME)
    parser.add_argument("--encoder", type=Path, default=shipped, metavar="FOLDER", help="(default: the shipped one)")
    parser.add_argument(
        "--tokens", type=int, nargs="+", default=(10_000, 50_000, 100_000), metavar="N", help="of each document"
    )
    parser.add_argument("--seed", type=int, default=0, help="which words are drawn (default: 0)")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the report as JSON")
    return parser
