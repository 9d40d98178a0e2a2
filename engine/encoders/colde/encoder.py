"""Reads long documents whole and compares them by document, section and chunk (CoLDE, sections 3 and 4.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self, cast

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import nn

from engine.core.errors import ConfigError, EncoderError
from engine.core.progress import Meter, Report, silent
from engine.core.rows import DenseRows, unit_length
from engine.documents import Document
from engine.encoders import storage
from engine.encoders.base import EncoderCard, groups
from engine.encoders.colde.long_documents import CutDocument, Cutter, Levels, LongRows
from engine.encoders.colde.network import (
    Backbone,
    ColdeHead,
    numbered,
    padded,
    read_chunks,
)
from engine.encoders.colde.settings import FASTEST, METHOD, NAME, SUMMARY, ColdeSettings
from engine.encoders.module_weights import RUNS, drawn_by
from engine.encoders.processor import ComputePrecision, dtype_of, reading_device, reading_precision
from engine.encoders.storage import Arrays
from engine.encoders.transformer import Transformer, bare_model, config_of, count_operations, without_dropout

BACKBONE = "backbone"
"""The key of the transformer's settings among ours."""

_BELOW = "backbone."
_CHARACTERS_AT_ONCE = 2_000_000  # read together; one longer document is read alone


@dataclass(frozen=True, slots=True)
class ColdeModel:
    """A backbone, a head and a cutter ready to read, and what they were built of: `arrays` as they lie on disk."""

    backbone: Backbone
    head: ColdeHead
    cutter: Cutter
    arrays: Arrays
    config: Mapping[str, Any]
    tokenizer: str

    @classmethod
    def of(cls, backbone: Backbone, head: ColdeHead, tokenizer: str, settings: ColdeSettings) -> Self:
        """Copy the parts as they will be read back from disk.

        Raises EncoderError where they do not fit each other or the settings, or are not finite.
        """
        arrays = {**RUNS.stored(backbone, _BELOW), **RUNS.stored(head, "head.")}
        config = config_of(backbone.model)
        return cls.build(make_modules(config, settings), arrays, tokenizer, settings)

    @classmethod
    def build(cls, made: nn.ModuleDict, arrays: Arrays, tokenizer: str, settings: ColdeSettings) -> Self:
        """Fill what `make_modules` made. Raises EncoderError where an array is missing, added, or of another shape."""
        RUNS.fill(made, arrays)
        backbone, head = cast(Backbone, made["backbone"]), cast(ColdeHead, made["head"])
        made.eval().requires_grad_(False)
        precision = reading_precision() if settings.precision == FASTEST else settings.precision
        config = config_of(backbone.model)
        backbone.to(reading_device(), dtype_of(cast(ComputePrecision, precision)))
        cutter = Cutter(Tokenizer.from_str(tokenizer), settings.chunk_tokens, whole_sentences=settings.whole_sentences)
        return cls(backbone, head, cutter, arrays, config, tokenizer)

    def reading_fingerprint(self, settings: ColdeSettings) -> str:
        """Name everything that changes the transformer's chunk vectors; the layers above do not."""
        arrays = {name: array for name, array in self.arrays.items() if name.startswith(_BELOW)}
        names = ("chunk_tokens", "whole_sentences", "sections", "pooling", "precision")
        reads = {name: getattr(settings, name) for name in names}
        return storage.fingerprint_of("chunks/1", arrays, [self.tokenizer], settings=reads)

    def stored(self, settings: ColdeSettings) -> storage.StoredWeights:
        """Return the stored form, with what a reader must know before the arrays."""
        shape = {**asdict(settings), BACKBONE: dict(self.config)}
        if settings.late_best == 1:  # an encoder from before it keeps its fingerprint
            del shape["late_best"]
        return storage.StoredWeights(METHOD, self.arrays, self.tokenizer.split("\n"), shape)

    def under_new_head(self, settings: ColdeSettings, *, seed: int) -> nn.ModuleDict:
        """Make modules of these settings: a backbone with these weights under a head with random ones.

        Raises EncoderError where the settings tell apart other numbers of sections and chunks.
        """
        with drawn_by(seed):
            made = make_modules(self.config, settings)
        RUNS.fill(made["backbone"], storage.within(self.arrays, _BELOW))
        return made


def make_modules(config: Mapping[str, Any], settings: ColdeSettings) -> nn.ModuleDict:
    """Make a "backbone" and a "head" of these settings, without weights.

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
    backbone = Backbone(model, settings)
    return nn.ModuleDict({"backbone": backbone, "head": ColdeHead(backbone.dim, settings)})


def begin_modules(
    transformer: Transformer,
    settings: ColdeSettings,
    *,
    seed: int,
    learns: bool = False,
    attention_dropout: bool = True,
) -> nn.ModuleDict:
    """Make modules of these settings: a backbone with the transformer's weights under a head with random ones.

    In a backbone that `learns` the section and chunk embeddings start at random, else as zeros. Without
    `attention_dropout` attention keeps all of its weights in training. The seed draws the same weights everywhere and
    leaves torch's global seed alone. Raises EncoderError as `make_modules` does.
    """
    config = transformer.config if attention_dropout else without_dropout(transformer.config, of="att")
    with drawn_by(seed):
        made = make_modules(config, settings)
        backbone, held = cast(Backbone, made["backbone"]), transformer.arrays
        if learns:
            backbone.scatter()
    weights = {name: torch.from_numpy(held[name]) for name in backbone.model.state_dict()}
    backbone.model.load_state_dict(weights, strict=True)
    return made


class ColdeEncoder(storage.TrainedEncoder):
    """Contrastive long document encoder: chunks by a transformer, sections and documents by a head over chunks.

    `read` runs the transformer; `levels` and `attends` then take milliseconds. For the document's own vector the whole
    document is one section (CoLDE, section 4.2). Titles are read only as a last resort, reference lists never. Rows
    agree to 1e-2 between batches where the transformer runs in bfloat16, to 1e-6 in float32.
    """

    name: ClassVar[str] = NAME
    summary: ClassVar[str] = SUMMARY

    def __init__(
        self,
        model: ColdeModel,
        settings: ColdeSettings,
        *,
        trained_on: tuple[str, ...] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        """Take a model as stored, and facts to keep with it (its recipe, its results, its calibration)."""
        self.settings, self.model = settings, model
        card = EncoderCard(self.name, self.summary, settings.dim, "", trained_on=trained_on)
        self._keep(model.stored(settings), card, facts)

    @classmethod
    def of(
        cls,
        backbone: Backbone,
        head: ColdeHead,
        *,
        tokenizer: str,
        settings: ColdeSettings | None = None,
        trained_on: tuple[str, ...] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> Self:
        """Take modules and a tokenizer's JSON, copied as they will be stored, so figures hold for the saved encoder.

        Raises EncoderError where they do not fit each other or the settings, or are not finite.
        """
        chosen = settings or ColdeSettings()
        return cls(ColdeModel.of(backbone, head, tokenizer, chosen), chosen, trained_on=trained_on, facts=facts)

    @classmethod
    def untrained(
        cls, transformer: Transformer | str | Path, settings: ColdeSettings | None = None, *, seed: int = 0
    ) -> Self:
        """Put a pre-trained transformer, by folder, by name or opened, under a head with random weights.

        Raises EncoderError where the model is missing or cannot be used.
        """
        chosen = settings or ColdeSettings()
        opened = transformer
        if not isinstance(opened, Transformer):
            opened = Transformer.open(opened, precision="float32")
        made = begin_modules(opened, chosen, seed=seed)
        backbone, head = cast(Backbone, made["backbone"]), cast(ColdeHead, made["head"])
        return cls.of(backbone, head, tokenizer=opened.tokenizer, settings=chosen)

    @property
    def reader(self) -> tuple[Backbone, Cutter]:
        """The part that cuts documents and reads their chunks."""
        return self.model.backbone, self.model.cutter

    @cached_property
    def reading_fingerprint(self) -> str:
        """Names everything that changes a chunk's vector: encoders with the same name may share what they read."""
        return self.model.reading_fingerprint(self.settings)

    def with_facts(self, facts: Mapping[str, Any]) -> Self:
        """Return the same encoder with other facts."""
        return type(self)(self.model, self.settings, trained_on=self.card.trained_on, facts=facts)

    def with_late_best(self, share: float) -> Self:
        """Return the same encoder with another share of chunks that count (`Levels.late`).

        Raises ValueError for none.
        """
        return self._under(replace(self.settings, late_best=share))

    def with_sections(self, sections: int) -> Self:
        """Return the encoder that divides a document's chunks into this many equal sections (CoLDE, section 4.5.4).

        Raises EncoderError where its embeddings distinguish fewer.
        """
        if not 1 <= sections <= self.settings.section_numbers:
            raise EncoderError(
                f"Expected 1 to {self.settings.section_numbers} sections, which this encoder's embeddings tell apart; "
                f"got {sections}."
            )
        return self._under(replace(self.settings, sections=sections))

    def in_precision(self, precision: ComputePrecision) -> Self:
        """Return the same encoder with its transformer running in one precision."""
        settings, model = replace(self.settings, precision=precision), self.model
        modules = make_modules(model.config, settings)
        return self._under(settings, ColdeModel.build(modules, model.arrays, model.tokenizer, settings))

    def _under(self, settings: ColdeSettings, model: ColdeModel | None = None) -> Self:
        """Return the encoder of other settings, with the same facts."""
        return type(self)(model or self.model, settings, trained_on=self.card.trained_on, facts=self.facts)

    def cut(self, document: Document) -> CutDocument:
        """Cut a document into chunks, with their tokens."""
        return self.model.cutter.cut(document)

    def read(self, documents: Sequence[Document], *, report: Report = silent) -> list[LongRows]:
        """Read documents, long ones one at a time: the longest bounds memory.

        Progress counts chunks where all are read together, else documents.
        """
        parts = groups(documents, _CHARACTERS_AT_ONCE)
        meter = Meter("read documents", len(documents), report if len(parts) > 1 else silent)
        found: list[LongRows] = []
        for part in parts:
            found += self._read(documents[part], report if len(parts) == 1 else silent)
            meter.add(part.stop - part.start)
        meter.finish()
        return found

    def levels(self, long: LongRows, *, keep: NDArray[np.bool_] | None = None) -> Levels:
        """Return the vectors of a read document, from the chunks to `keep` (c,), all by default.

        A section attends to the next one with chunks left. Raises EncoderError for a mask of another length.
        """
        kept = np.ones(len(long.chunks), np.bool_) if keep is None else np.asarray(keep, np.bool_)
        if kept.shape != (len(long.chunks),):
            raise EncoderError(
                f"Expected one mark for each of {len(long.chunks)} chunks to keep, got marks of shape {kept.shape}."
            )
        section_of, rows = long.section_of[kept], long.rows[kept]  # (k,), (k, d)
        left = np.unique(section_of)
        sections = np.zeros((len(long.sections), self.card.dim), np.float32)
        if len(left):
            sections[left] = self._vectors([rows[section_of == section] for section in left])
        return Levels(self._compared(rows), sections, self._chunks(long.rows) * kept[:, None])

    def levels_of(self, rows: DenseRows) -> Levels:
        """Return the vectors of a document and its chunks, without sections, from its chunk vectors (c, d)."""
        return Levels(self._compared(rows), np.zeros((0, self.card.dim), np.float32), self._chunks(rows))

    def similarity(self, a: Levels, b: Levels) -> float:
        """Return the cosine of two documents' vectors, mixed with the best matches of their chunks."""
        return a.similarity(b, late_share=self.settings.late_share, late_best=self.settings.late_best)

    @torch.inference_mode()
    def attends(self, a: LongRows, b: LongRows) -> DenseRows:
        """Return how much each chunk of `a` attends to each of `b`, averaged over heads: (c_a, c_b), rows sum to 1.

        Equal shares if the head has no attention (the ablation -LSTM).
        """
        shares = None
        if len(a.rows) and len(b.rows):
            shares = self.model.head.attends(torch.from_numpy(a.rows), torch.from_numpy(b.rows))
        if shares is None:
            return np.full((len(a.rows), len(b.rows)), 1 / max(1, len(b.rows)), np.float32)
        found: DenseRows = shares.numpy()
        return found

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents: (n, dim), zeros for one without text."""
        rows = np.zeros((len(documents), self.card.dim), np.float32)
        for part in groups(documents, _CHARACTERS_AT_ONCE):
            for place, long in enumerate(self._read(documents[part], silent), start=part.start):
                rows[place] = self._document(long.rows)
        return rows

    def operations(self, documents: Sequence[Document]) -> int:
        """Count the floating point operations for reading the chunks of documents, without padding."""
        lengths = (len(tokens) for document in documents for tokens in self.cut(document).tokens)
        return count_operations(self.model.backbone.model, lengths)

    def save_settings(self, folder: Path) -> None:
        """Write this encoder's settings into the folder of one with the same weights, whose facts and notes stay.

        Raises StorageError where the folder is not an encoder's.
        """
        storage.replace_settings(folder, self.card, self._weights.settings)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError where the folder is damaged or foreign."""
        with storage.opening(folder, "a CoLDE encoder", METHOD) as opened:
            config = opened.settings.get(BACKBONE)
            if not isinstance(config, dict):
                raise ConfigError(
                    f"{storage.SETTINGS}: backbone must be a table of a transformer's settings, got {config!r}."
                )
            settings = opened.settings_as(ColdeSettings, without=BACKBONE)
            made = make_modules(config, settings)
            stored = opened.read(RUNS.expected(made))
            model = ColdeModel.build(made, stored.arrays, "\n".join(stored.words), settings)
        return cls(model, settings, trained_on=stored.card.trained_on, facts=stored.facts)

    def _read(self, documents: Sequence[Document], report: Report) -> list[LongRows]:
        cuts = [self.cut(document) for document in documents]
        meter = Meter("read chunks", sum(len(cut.chunks) for cut in cuts), report)
        chunks = [numbered(cut, sections=self.settings.sections) for cut in cuts]
        rows = read_chunks(self.model.backbone, chunks, done=meter.add)
        meter.finish()
        return [
            LongRows(cut.sections, cut.chunks, np.array(cut.section_of, np.int64), vectors)
            for cut, vectors in zip(cuts, rows, strict=True)
        ]

    def _compared(self, rows: DenseRows) -> DenseRows:
        """Return the vector (dim,) that documents are compared by; zeros where their chunks alone decide."""
        return self._document(rows if self.settings.late_share < 1 else rows[:0])

    def _document(self, rows: DenseRows) -> DenseRows:
        """Return the vector (dim,) of a document from chunk vectors (c, d)."""
        vector: DenseRows = self._vectors([rows])[0] if len(rows) else np.zeros(self.card.dim, np.float32)
        return vector

    @torch.inference_mode()
    def _chunks(self, rows: DenseRows) -> DenseRows:
        """Return chunk vectors (c, d) in the space where they are compared, at unit length: (c, e)."""
        return unit_length(self.model.head.spaced(torch.from_numpy(rows)).numpy())

    @torch.inference_mode()
    def _vectors(self, sections: Sequence[DenseRows]) -> DenseRows:
        """Return the vectors (s, dim) of one document's sections, from their chunk vectors (c_i, d), c_i >= 1."""
        following = [*sections[1:], sections[0]]
        vectors = np.zeros((len(sections), self.card.dim), np.float32)
        for places in _like_sizes([max(len(one), len(two)) for one, two in zip(sections, following, strict=True)]):
            ours, theirs = (padded([side[place] for place in places]) for side in (sections, following))
            vectors[places] = self.model.head.vectors(ours, theirs).numpy()
        return vectors


def _like_sizes(sizes: Sequence[int]) -> list[list[int]]:
    """Return the places of sections to pad to one size: together if none is four times another's."""
    groups: dict[int, list[int]] = {}
    for place, size in enumerate(sizes):
        groups.setdefault((size.bit_length() - 1) // 2, []).append(place)
    return list(groups.values())
