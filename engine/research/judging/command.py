"""Trains the judge of passages on texts written for it: `python -m engine.research judge --data DIR --out FOLDER`.

The token vectors of the shipped encoder of passages are read once and kept in memory; the network over them is trained
by Adam with decoupled decay and a rate that rises and falls. After each epoch it is measured on the valid texts: the
area under the curve of what is said against what is only near, for each form, among all texts, and among texts that
restate `near` alone, whose manner is the same on both sides.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from engine import encoders
from engine.cli.terminal import Parser, bar
from engine.core import provenance
from engine.core.progress import Meter
from engine.encoders.judge import AlignmentNetwork, Judge, JudgeSettings, Tokens, TokenVectors, rarity, read_tokens
from engine.encoders.student import OF_PASSAGES, StudentEncoder
from engine.research import measurement
from engine.research.judging.written import NEAR, SAID_FORMS, LabelledPair, Sources, read_written, written_pairs

EPOCHS, RATE, DECAY, BATCH, DROPOUT, SEED = 5, 1e-3, 0.01, 32, 0.2, 0
_LIKE_LENGTHS = 16  # batches that are sorted by length together

Texts = Mapping[str, TokenVectors]


def main(arguments: Sequence[str] | None = None) -> None:
    """Read, train, measure and save."""
    given = measurement.read_options(_parser(), arguments)
    encoder = StudentEncoder.load(encoders.PRETRAINED / OF_PASSAGES)
    settings = JudgeSettings(
        encoder.card.fingerprint, encoder.card.dim, vocabulary=int(encoder.transformer.config["vocab_size"])
    )
    sources = Sources(given.data)
    train, valid = (written_pairs(read_written(split), sources) for split in ("train", "valid"))
    texts = read_texts(encoder, [*train, *valid], settings.max_tokens)
    torch.manual_seed(given.seed)
    network = AlignmentNetwork(settings, dropout=DROPOUT)
    network.rarity.data = rarity(
        [texts[one].ids.tolist() for pair in train for one in (pair.asked, pair.there)], settings.vocabulary
    )
    told = fit(network, train, texts, valid, epochs=given.epochs, seed=given.seed)
    facts = {"valid": told, "pairs": len(train), "epochs": given.epochs, "commit": provenance.commit()}
    Judge(network, settings, encoder.transformer).save(given.out, {**facts, "hardware": provenance.hardware()})


def read_texts(encoder: StudentEncoder, pairs: Sequence[LabelledPair], most: int) -> Texts:
    """Return the token vectors of every text of some pairs, each read once."""
    every = list(dict.fromkeys(text for pair in pairs for text in (pair.asked, pair.there)))
    meter, found = Meter("read texts", len(every), bar()), dict[str, TokenVectors]()
    for first in range(0, len(every), 256):
        some = every[first : first + 256]
        found |= zip(some, read_tokens(encoder.transformer, some, most), strict=True)
        meter.add(len(some))
    meter.finish()
    return found


def fit(
    network: AlignmentNetwork,
    pairs: Sequence[LabelledPair],
    texts: Texts,
    valid: Sequence[LabelledPair],
    *,
    epochs: int,
    seed: int,
) -> dict[str, float]:
    """Train the network, and return what the valid pairs say of it after the last epoch."""
    steps, draw = epochs * -(-len(pairs) // BATCH), random.Random(seed)
    parameters = [part for part in network.parameters() if part.requires_grad]
    optimiser = torch.optim.AdamW(parameters, RATE, weight_decay=DECAY)
    rate = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps + epochs * _LIKE_LENGTHS)
    told: dict[str, float] = {}
    for epoch in range(epochs):
        network.train()
        for some in _batches(pairs, texts, draw):
            known = torch.tensor([float(pair.said) for pair in some])
            weight = torch.tensor([pair.weight for pair in some])
            losses = nn.functional.binary_cross_entropy_with_logits(_logits(network, some, texts), known, weight)
            optimiser.zero_grad()
            losses.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(parameters, 1.0)
            optimiser.step()
            rate.step()
        told = areas(valid, judged(network, valid, texts))
        print(f"epoch {epoch + 1}: " + ", ".join(f"{name} {value:.3f}" for name, value in told.items()), flush=True)
    return told


def judged(network: AlignmentNetwork, pairs: Sequence[LabelledPair], texts: Texts) -> NDArray[np.float64]:
    """Return the logit of each pair (n,)."""
    network.eval()
    with torch.inference_mode():
        return np.concatenate(
            [_logits(network, pairs[n : n + BATCH], texts).numpy() for n in range(0, len(pairs), BATCH)]
        ).astype(np.float64)


def areas(pairs: Sequence[LabelledPair], logits: NDArray[np.float64]) -> dict[str, float]:
    """Return the area under the curve of what is said against near texts by form, and among other pairs."""
    from sklearn.metrics import roc_auc_score

    forms = np.array([pair.form for pair in pairs])

    def area(said: Sequence[str], not_said: Sequence[str]) -> float:
        ours, others = np.isin(forms, said), np.isin(forms, not_said)
        known = np.repeat([True, False], [ours.sum(), others.sum()])
        return round(float(roc_auc_score(known, np.concatenate([logits[ours], logits[others]]))), 4)

    again = ("near_restated", "near_condensed")
    return {
        "said against near": area(SAID_FORMS, [NEAR]),
        **{f"{form} against near": area([form], [NEAR]) for form in SAID_FORMS},
        "short: condensed and abstracted against near_condensed": area(SAID_FORMS[1:], ["near_condensed"]),
        "the same texts with and without their source": area([f"{one} of near" for one in again], again),
        "of the same document": area(SAID_FORMS, ["restated of the same document"]),
        "of another document": area(SAID_FORMS, ["condensed of the other document"]),
    }


def _batches(pairs: Sequence[LabelledPair], texts: Texts, draw: random.Random) -> Iterator[list[LabelledPair]]:
    """Yield all pairs in a drawn order, those of like lengths together."""
    order = list(pairs)
    draw.shuffle(order)
    batches: list[list[LabelledPair]] = []
    for first in range(0, len(order), BATCH * _LIKE_LENGTHS):
        some = sorted(order[first : first + BATCH * _LIKE_LENGTHS], key=lambda pair: len(texts[pair.asked].ids))
        batches += [some[start : start + BATCH] for start in range(0, len(some), BATCH)]
    draw.shuffle(batches)
    yield from batches


def _logits(network: AlignmentNetwork, pairs: Sequence[LabelledPair], texts: Texts) -> torch.Tensor:
    asked, there = Tokens.of([texts[pair.asked] for pair in pairs]), Tokens.of([texts[pair.there] for pair in pairs])
    found: torch.Tensor = network(asked, there)[0]
    return found


def _parser() -> Parser:
    parser = measurement.make_parser("judge", __doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where the judge goes")
    parser.add_argument("--epochs", type=int, default=EPOCHS, metavar="N", help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=SEED, metavar="N", help="default: %(default)s")
    return parser
