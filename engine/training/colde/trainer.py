"""Trains a CoLDE encoder by its recipe: corpora with pairs on disk in, a run folder and an encoder out."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from scipy.sparse import block_diag, csr_array, eye_array
from torch import nn

from engine import encoders
from engine.core.errors import InputError
from engine.core.progress import Report, silent
from engine.documents import Document, Section
from engine.encoders import CARD, Transformer
from engine.encoders.colde import Backbone, ColdeEncoder, ColdeHead, ColdeModel, ColdeSettings, begin_modules
from engine.reading import iter_documents
from engine.training import corpora
from engine.training.colde.chunk_sources import ChunkSource, KeptChunks, ReadChunks
from engine.training.colde.chunk_vectors import ChunkVectors, read_chunk_vectors
from engine.training.colde.recipe import MINILM, ColdeRecipe
from engine.training.colde.task import LongTask
from engine.training.corpora import CORPUS, HeldOut
from engine.training.long_corpus import LongCorpus, PlacedPairs, read_long_corpora
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
        digests = corpora.digests(recipe.data.every, folders.data) | table_digests(recipe.data.corpora, folders.data)
        with around.processes.first_before_others():
            facts = open_run(folders.run, recipe, digests, resume=resume, writes=around.processes.is_first)
            corpus = _corpus(recipe, folders.data)
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
        spread = recipe.backbone.embedding_spread if recipe.backbone.trained else 0.0
        keeps = recipe.backbone.attention_dropout
        modules = begin_modules(opened, settings, seed=recipe.seed, spread=spread, attention_dropout=keeps)
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
            trained_on=self.recipe.data.every,
            facts={**facts, **({"transformer": self.before} if self.before else {})},
        )


def _corpus(recipe: ColdeRecipe, data: Path) -> LongCorpus:
    """All that a recipe learns from."""
    corpus = read_long_corpora(recipe.data.corpora, data)
    if not recipe.data.coherence:
        return corpus
    return with_coherence(corpus, recipe.data.coherence, data, count=recipe.data.coherence_documents)


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


def with_coherence(corpus: LongCorpus, name: str, data: Path, *, count: int) -> LongCorpus:
    """A corpus with `count` documents of another one that have a title and an abstract, evenly drawn from all of it.

    Each is related only to itself: its title and its abstract are positives, all other documents negatives.
    It has no valid pairs, and no benchmark's query, copy of one, nor one of its family. Raises InputError if no
    document has both, or the corpus is there already.
    """
    if name in corpus.parts:
        raise InputError(f"Expected a corpus for coherence beside {', '.join(corpus.parts)}, got {name} again.")
    held_out = HeldOut.below(data)
    whole = [one for one in iter_documents(data / name / CORPUS) if one.title and one.abstract and one not in held_out]
    documents = tuple(_of_two_sections(one) for one in whole[:: max(1, len(whole) // count)][:count])
    if not documents:
        raise InputError(f"Expected documents with a title and an abstract in {name}/{CORPUS}, found none.")
    first, last = len(corpus.documents), len(corpus.documents) + len(documents)
    places = np.arange(first, last)
    alone = PlacedPairs(np.stack([places, places], axis=1), np.ones(len(documents), bool))
    return dataclasses.replace(
        corpus,
        documents=(*corpus.documents, *documents),
        parts={**corpus.parts, name: slice(first, last)},
        train={**corpus.train, name: alone},
        related=csr_array(block_diag((corpus.related, eye_array(len(documents), dtype=bool)), format="csr")),
    )


def _of_two_sections(document: Document) -> Document:
    sections = (Section("", document.title), Section("", document.abstract))
    return Document(document.id, kind=document.kind, sections=sections)
