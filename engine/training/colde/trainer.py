"""Trains a CoLDE encoder by its recipe: corpora with pairs on disk in, a run folder and an encoder out."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from torch import nn

from engine import encoders
from engine.core.progress import Report, silent
from engine.encoders import CARD, Transformer
from engine.encoders.colde import Backbone, ColdeEncoder, ColdeHead, ColdeModel, ColdeSettings, begin_modules
from engine.training import corpora
from engine.training.colde.chunk_sources import ChunkSource, KeptChunks, ReadChunks
from engine.training.colde.chunk_vectors import ChunkVectors, read_chunk_vectors
from engine.training.colde.recipe import MINILM, ColdeRecipe
from engine.training.colde.task import LongTask
from engine.training.long_corpus import LongCorpus, read_long_corpora
from engine.training.long_pairs import table_digests
from engine.training.loop import Surroundings, fit, surroundings
from engine.training.run_folder import Folders, open_run

_WHITENED_ON = 500  # documents of each corpus
_TOLD = ("recipe", "seed", "corpora_sha256", "commit", "hardware", "best_epoch", "curve")


def train(
    recipe: ColdeRecipe, folders: Folders, *, resume: bool = False, report: Report = silent
) -> ColdeEncoder | None:
    """Train by a recipe; gives the best epoch's encoder, and None in all but the first of several processes.

    Raises InputError if a corpus or its pairs are missing, EncoderError if the transformer is, and TrainingError
    if the run folder holds another run.
    """
    with surroundings(recipe.device, folders.run, report) as around:
        digests = corpora.digests(recipe.data.corpora, folders.data) | table_digests(recipe.data.corpora, folders.data)
        with around.processes.first_before_others():
            facts = open_run(folders.run, recipe, digests, resume=resume, writes=around.processes.is_first)
            corpus = read_long_corpora(recipe.data.corpora, folders.data)
            start = Start.of(recipe)
            source = start.source(corpus, folders.cache, around)
        head = cast(ColdeHead, start.modules["head"])
        _whiten(head, source, corpus, recipe)
        task = LongTask(recipe, corpus, source, head.to(around.device), processes=around.processes)
        standing = fit(task, recipe.schedule, around, score=task.scores, watch=task.norms)
        if not around.processes.is_first:
            return None
        facts |= {
            "documents": len(corpus.documents),
            "train_pairs": {name: len(pairs.related) for name, pairs in corpus.train.items()},
            **around.facts(standing),
        }
        return start.encoder(facts)


@dataclasses.dataclass(frozen=True)
class Start:
    """A transformer and an untrained head, as a recipe begins with them; `before` tells how an encoder's learnt."""

    recipe: ColdeRecipe
    settings: ColdeSettings
    modules: nn.ModuleDict
    tokenizer: str
    before: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    @classmethod
    def of(cls, recipe: ColdeRecipe) -> Start:
        """Open the recipe's transformer, or that of a CoLDE encoder.

        Raises EncoderError, StorageError, MissingExtraError or ChecksumError if it cannot be.
        """
        folder = encoders.minilm_folder() if recipe.backbone.source == MINILM else Path(recipe.backbone.source)
        settings = settings_of(recipe)
        if (folder / CARD).exists():
            learnt = ColdeEncoder.load(folder)
            modules = learnt.model.under_new_head(settings, seed=recipe.seed)
            before = {name: learnt.facts[name] for name in _TOLD if name in learnt.facts}
            return cls(recipe, settings, modules, learnt.model.tokenizer, before)
        opened = Transformer.open(folder, precision="float32")
        learns, dropout = recipe.backbone.trained, recipe.backbone.attention_dropout
        modules = begin_modules(opened, settings, seed=recipe.seed, learns=learns, attention_dropout=dropout)
        return cls(recipe, settings, modules, opened.tokenizer)

    def source(self, corpus: LongCorpus, cache: Path, around: Surroundings) -> ChunkSource:
        """Where steps take chunk vectors from: kept ones where the transformer is frozen."""
        backbone = cast(Backbone, self.modules["backbone"])
        parts = ColdeModel.of(backbone, cast(ColdeHead, self.modules["head"]), self.tokenizer, self.settings)
        if self.recipe.backbone.trained:
            cuts = [parts.cutter.cut(document) for document in corpus.documents]
            return ReadChunks(backbone.to(around.device), cuts, tokens_at_once=self.recipe.backbone.tokens_at_once)
        place = cache / parts.reading_fingerprint(self.settings)
        kept = [
            read_chunk_vectors(
                corpus.documents[part], (parts.backbone, parts.cutter), sections=1, cache=place, report=around.report
            )
            for part in corpus.parts.values()
        ]
        return KeptChunks(ChunkVectors.joined(kept), around.device)

    def encoder(self, facts: Mapping[str, Any]) -> ColdeEncoder:
        """The encoder of the present weights."""
        modules = self.modules.cpu()
        return ColdeEncoder.of(
            cast(Backbone, modules["backbone"]),
            cast(ColdeHead, modules["head"]),
            tokenizer=self.tokenizer,
            settings=self.settings,
            trained_on=self.recipe.data.corpora,
            facts={**facts, **({"transformer": self.before} if self.before else {})},
        )


def settings_of(recipe: ColdeRecipe) -> ColdeSettings:
    """How the encoder of a recipe reads."""
    backbone, head = recipe.backbone, recipe.head
    return ColdeSettings(
        chunk_tokens=backbone.chunk_tokens,
        whole_sentences=backbone.whole_sentences,
        section_numbers=backbone.section_numbers,
        chunk_numbers=backbone.chunk_numbers,
        pooling=backbone.pooling,
        heads=head.heads,
        lstm_dim=head.lstm_dim,
        dim=head.dim,
        aggregation=head.aggregation,
        skip=head.skip,
        space_dim=head.space_dim,
        late_share=head.late_share,
        late_best=head.late_best,
    )


def _whiten(head: ColdeHead, source: ChunkSource, corpus: LongCorpus, recipe: ColdeRecipe) -> None:
    """Begin the head's map of chunk vectors from documents that are trained on, some of each corpus."""
    if head.space is None:
        return
    generator = np.random.default_rng(recipe.seed)
    long = [pairs for name, pairs in corpus.train.items() if name in recipe.data.corpora]
    drawn = [generator.permutation(np.unique(pairs.places))[:_WHITENED_ON] for pairs in long]
    wanted = [(int(one), np.arange(source.count(int(one)))) for one in np.concatenate(drawn)]
    backbone = source.trained()
    if backbone is not None:
        backbone.eval()  # without its dropout
    with torch.no_grad():
        rows = [one.mean(0) for one in source.vectors(wanted, sections=1) if len(one)]
        head.whiten(torch.stack(rows).float().cpu(), power=recipe.head.whitening)
    if backbone is not None:
        backbone.train()
