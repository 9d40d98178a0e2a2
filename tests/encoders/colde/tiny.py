"""CoLDE small enough for a test: drawn weights over a transformer of two layers, long documents of our own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

from engine.documents import Document, Section
from engine.encoders.colde.encoder import ColdeEncoder
from engine.encoders.colde.network import Backbone, ColdeHead
from engine.encoders.colde.settings import ColdeSettings
from engine.encoders.transformer import Transformer, empty_model
from tests.contracts.encoder import SUBJECTS


def settings(**changed: Any) -> ColdeSettings:  # noqa: ANN401
    """Chunks of 16 tokens, few numbers, whole precision; `changed` goes to ColdeSettings."""
    return ColdeSettings(
        **{
            "chunk_tokens": 16,
            "chunk_numbers": 4,
            "lstm_dim": 32,
            "dim": 24,
            "skip": True,
            "precision": "float32",
            **changed,
        }
    )


def encoder(folder: Path, **changed: Any) -> ColdeEncoder:  # noqa: ANN401
    """An untrained encoder over the transformer in a folder."""
    return ColdeEncoder.untrained(folder, settings(**changed), seed=1)


def backbone(folder: Path, *, moved: float = 0.0, pooling: str = "mean") -> Backbone:
    """The transformer of a folder for inference; `moved` is how far its section and chunk embeddings are drawn."""
    opened = Transformer.open(folder, precision="float32")
    model = empty_model(opened.config)
    model.load_state_dict({name: torch.from_numpy(array) for name, array in opened.arrays.items()}, strict=True)
    made = Backbone(model, ColdeSettings(section_numbers=5, chunk_numbers=4, pooling=pooling))
    if moved:
        with torch.random.fork_rng():
            torch.manual_seed(2)
            torch.nn.init.normal_(made.sections.weight, std=moved)
            torch.nn.init.normal_(made.chunks.weight, std=moved)
    return made.eval().requires_grad_(False)


def head(dim: int = 32, *, seed: int = 3, **changed: Any) -> ColdeHead:  # noqa: ANN401
    """A head with drawn weights, as training would move them; `changed` goes to ColdeSettings."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        made = ColdeHead(dim, ColdeSettings(**{"lstm_dim": 32, "dim": 24, "skip": True, **changed}))
        torch.nn.init.xavier_uniform_(made.projection.weight)
    return made.eval().requires_grad_(False)


def placed(folder: Path, *, moved: float = 1.0, **changed: Any) -> ColdeEncoder:  # noqa: ANN401
    """An encoder whose section and chunk embeddings are drawn, as training would move them."""
    tokenizer = Transformer.open(folder, precision="float32").tokenizer
    return ColdeEncoder.of(backbone(folder, moved=moved), head(), tokenizer=tokenizer, settings=settings(**changed))


def words(subject: str, count: int, *, seed: int = 0) -> str:
    """Sentences of eight words about a subject of the contract's corpus."""
    known = SUBJECTS[subject].split()
    drawn = np.random.default_rng(seed).choice(known, count)
    return " ".join(" ".join(drawn[first : first + 8]).capitalize() + "." for first in range(0, count, 8))


def long_document(name: str = "long", *, sections: int = 3, subject: str = "steam") -> Document:
    """A document whose sections have 24, 48, 72 ... words about its subject."""
    return Document(
        name,
        title=f"On the {subject}",
        abstract=words(subject, 16, seed=9),
        sections=tuple(
            Section(f"Part {number}", words(subject, 24 * number, seed=number)) for number in range(1, sections + 1)
        ),
    )
