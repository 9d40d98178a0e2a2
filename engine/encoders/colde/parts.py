"""The parts of a CoLDE encoder as arrays with names, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self, cast

import torch
from tokenizers import Tokenizer
from torch import nn

from engine.core.errors import EncoderError
from engine.encoders import storage
from engine.encoders.colde.backbone import Backbone, Pooling
from engine.encoders.colde.cutting import Cutter
from engine.encoders.colde.head import Aggregation, ColdeHead, HeadShape
from engine.encoders.colde.settings import FASTEST, ColdeSettings
from engine.encoders.module_weights import RUNS, Arrays, drawn_by
from engine.encoders.processor import ComputePrecision, dtype_of, reading_device, reading_precision
from engine.encoders.transformer import Transformer, bare_model, config_of, without_dropout

BACKBONE = "backbone"
"""The key of the transformer's settings among ours."""

_BELOW = "backbone."


@dataclass(frozen=True, slots=True)
class Parts:
    """A backbone and a head ready to read, and `arrays`: their weights as on disk."""

    backbone: Backbone
    head: ColdeHead
    cutter: Cutter
    arrays: Arrays
    config: Mapping[str, Any]
    tokenizer: str

    @classmethod
    def of(cls, backbone: Backbone, head: ColdeHead, tokenizer: str, settings: ColdeSettings) -> Self:
        """Copies of the parts as they will be read back from disk.

        Raises EncoderError where they do not fit each other or the settings, or are not finite.
        """
        arrays = {**RUNS.stored(backbone, _BELOW), **RUNS.stored(head, "head.")}
        config = config_of(backbone.model)
        return cls.build(empty(config, settings), arrays, tokenizer, settings)

    @classmethod
    def build(cls, made: nn.ModuleDict, arrays: Arrays, tokenizer: str, settings: ColdeSettings) -> Self:
        """Fill what `empty` made. Raises EncoderError where an array is missing, added, or of another shape."""
        RUNS.fill(made, arrays)
        backbone, head = cast(Backbone, made["backbone"]), cast(ColdeHead, made["head"])
        made.eval().requires_grad_(False)
        precision = reading_precision() if settings.precision == FASTEST else settings.precision
        config = config_of(backbone.model)
        backbone.to(reading_device(), dtype_of(cast(ComputePrecision, precision)))
        cutter = Cutter(Tokenizer.from_str(tokenizer), settings.chunk_tokens, whole_sentences=settings.whole_sentences)
        return cls(backbone, head, cutter, arrays, config, tokenizer)

    def reading_fingerprint(self, settings: ColdeSettings) -> str:
        """Names everything that changes the transformer's chunk vectors; the layers above do not."""
        arrays = {name: array for name, array in self.arrays.items() if name.startswith(_BELOW)}
        names = ("chunk_tokens", "whole_sentences", "sections", "pooling", "precision")
        reads = {name: getattr(settings, name) for name in names}
        return storage.fingerprint_of("chunks/1", arrays, [self.tokenizer], settings=reads)

    def settings(self, settings: ColdeSettings) -> dict[str, Any]:
        """What a reader must know before the arrays, as JSON."""
        told = {**asdict(settings), BACKBONE: dict(self.config)}
        if settings.late_best == 1:  # an encoder from before it keeps its fingerprint
            del told["late_best"]
        return told

    def under_new_head(self, settings: ColdeSettings, *, seed: int) -> nn.ModuleDict:
        """What `empty` makes of these settings: its backbone with these weights, its head with random ones.

        Raises EncoderError where the settings tell apart other numbers of sections and chunks.
        """
        with drawn_by(seed):
            made = empty(self.config, settings)
        arrays = {name.removeprefix(_BELOW): array for name, array in self.arrays.items() if name.startswith(_BELOW)}
        RUNS.fill(made["backbone"], arrays)
        return made


def empty(config: Mapping[str, Any], settings: ColdeSettings) -> nn.ModuleDict:
    """A "backbone" and a "head" of these settings, without weights.

    Raises EncoderError for settings of an unknown transformer, or chunks longer than it reads.
    """
    model: Any = bare_model(config)
    most = getattr(model.config, "max_position_embeddings", None)
    if most is not None and settings.chunk_tokens > most:
        raise EncoderError(
            f"Expected chunk_tokens up to {most}, the most that the transformer reads; got {settings.chunk_tokens}."
        )
    inner = settings.space_dim or model.config.hidden_size
    if inner % settings.heads:
        raise EncoderError(
            f"Expected heads to divide the {inner} numbers that a chunk is compared by; got {settings.heads}."
        )
    backbone = Backbone(
        model,
        sections=settings.section_numbers,
        chunks=settings.chunk_numbers,
        pooling=cast(Pooling, settings.pooling),
    )
    shape = HeadShape(
        heads=settings.heads,
        lstm_dim=settings.lstm_dim,
        dim=settings.dim,
        aggregation=cast(Aggregation, settings.aggregation),
        skip=settings.skip,
        space_dim=settings.space_dim,
    )
    head = ColdeHead(backbone.dim, shape)
    return nn.ModuleDict({"backbone": backbone, "head": head})


def begun(
    transformer: Transformer,
    settings: ColdeSettings,
    *,
    seed: int,
    spread: float = 0.0,
    attention_dropout: bool = True,
) -> nn.ModuleDict:
    """What `empty` makes, with the transformer's weights in the backbone and random ones above.

    The section and chunk embeddings start with a standard deviation of `spread`, or as zeros. Without
    `attention_dropout` attention keeps all of its weights in training. Raises EncoderError as `empty` does. The seed
    draws the same weights everywhere and leaves torch's global seed alone.
    """
    config = transformer.config if attention_dropout else without_dropout(transformer.config, of="att")
    with drawn_by(seed):
        made = empty(config, settings)
        backbone, held = cast(Backbone, made["backbone"]), transformer.arrays
        if spread:
            backbone.scatter(spread)
    weights = {name: torch.from_numpy(held[name]) for name in backbone.model.state_dict()}
    backbone.model.load_state_dict(weights, strict=True)
    return made
