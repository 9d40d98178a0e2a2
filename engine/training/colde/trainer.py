"""Trains a CoLDE encoder by its recipe: sections of documents that belong together lie near, all others apart."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import normalize, pad
from torch.nn.utils.rnn import pad_sequence

from engine.core.errors import TrainingError
from engine.core.progress import Report, silent
from engine.core.rows import Positions
from engine.encoders import CARD, Transformer, source_folder
from engine.encoders.colde import (
    Backbone,
    ColdeEncoder,
    ColdeHead,
    ColdeModel,
    ColdeSettings,
    Levels,
    begin_modules,
    stretch_of,
)
from engine.training import corpora
from engine.training.colde.chunks import ChunkSource, ChunkVectors, KeptChunks, ReadChunks, read_chunk_vectors
from engine.training.colde.recipe import ColdeRecipe
from engine.training.long_corpus import (
    LongBatch,
    LongCorpus,
    contrastive_batches,
    pair_batches,
    read_long_corpora,
    step_count,
    table_digests,
)
from engine.training.loop import ALONE, Processes, Start, Surroundings, TrainingRun, train_encoder
from engine.training.losses import contrastive, cosine_regression, late_interaction, supervised_contrastive
from engine.training.run_folder import Folders

_SCORED_AT_ONCE = 32  # documents
_WHITENED_ON = 500  # documents of each corpus
_TOLD = ("recipe", "seed", "corpora_sha256", "commit", "hardware", "best_epoch", "curve")


class LongTask:
    """Documents in sections for the loop, with the labels that train pairs give them."""

    def __init__(
        self,
        recipe: ColdeRecipe,
        corpus: LongCorpus,
        source: ChunkSource,
        head: ColdeHead,
        *,
        processes: Processes = ALONE,
    ) -> None:
        """Take the parts on one device. Raises TrainingError if a batch cannot be shared by the processes."""
        self._recipe, self._corpus, self._source, self.head = recipe, corpus, source, head
        self._processes, self._device = processes, head.projection.weight.device
        if recipe.optimizer.batch // 2 < processes.count:
            raise TrainingError(
                f"Expected at least 2 documents a batch for each of {processes.count} processes, got "
                f"optimizer.batch = {recipe.optimizer.batch}. Raise it, or start fewer processes."
            )

    @property
    def model(self) -> nn.Module:
        """The head, and the backbone where it learns."""
        backbone = self._source.trained()
        return nn.ModuleDict({"head": self.head, **({} if backbone is None else {"backbone": backbone})})

    def groups(self) -> list[dict[str, Any]]:
        """Return the parameters with their learning rates and the penalty on their squares."""
        rates, backbone = self._recipe.optimizer, self._source.trained()
        groups: list[dict[str, Any]] = [{"params": list(self.head.parameters()), "lr": rates.learning_rate}]
        if backbone is not None:
            rate = rates.backbone_learning_rate or rates.learning_rate
            added = [table.weight for table in backbone.added]
            model = [one for one in backbone.model.parameters() if one.requires_grad]
            groups += [
                {"params": model, "lr": rate},
                {"params": added, "lr": rates.embedding_learning_rate or rate, "weight_decay": 0.0},
            ]
        return [{"weight_decay": rates.weight_decay, **group} for group in groups]

    def steps(self) -> int:
        """Return the number of batches in an epoch."""
        return step_count(self._corpus, self._recipe.optimizer.batch, related_only=self._contrasts)

    def batches(self, epoch: int) -> Sequence[LongBatch]:
        """Return an epoch's batches; each epoch draws its own."""
        draw = contrastive_batches if self._contrasts else pair_batches
        return draw(self._corpus, self._recipe.optimizer.batch, seed=self._recipe.seed, epoch=epoch)

    def loss(self, batch: LongBatch) -> Tensor:
        """Return the recipe's losses of a batch, whose documents the processes share, in one sum."""
        objective = self._recipe.objective
        generator = np.random.default_rng(batch.key)
        _seed_dropout((*batch.key, self._processes.rank))
        drawn = [self._drawn(int(one), generator) for one in batch.documents]
        rows = self._rows(batch, drawn)
        z = self._views(rows, drawn)  # (n, v, dim)
        if objective.kind == "cosine":
            one, other = batch.pairs.places.T
            return cosine_regression(z[one, 0], z[other, 0], torch.from_numpy(batch.pairs.related).to(self._device))
        same = torch.from_numpy(self._corpus.same_label(batch.documents)).to(self._device)  # (n, n)
        views = z.shape[1]
        spread = same.repeat_interleave(views, 0).repeat_interleave(views, 1)  # (nv, nv)
        flat = z.flatten(0, 1)
        filled = flat.detach().ne(0).any(1)  # (nv,) a section without chunks does not count as an example
        loss = supervised_contrastive(flat[filled], spread[filled][:, filled], temperature=objective.temperature)
        if objective.late:
            near, held = self._late(rows, [sum(map(len, parts)) for parts in drawn])
            loss = loss + objective.late * contrastive(
                near, same[held][:, held], temperature=objective.late_temperature
            )
        return loss

    def scores(self) -> dict[str, float]:
        """Return the area under the ROC curve of each corpus's valid pairs, by documents in one piece (section 4.2)."""
        from sklearn.metrics import roc_auc_score

        found = {}
        for name, pairs in self._corpus.valid.items():
            if 0 < pairs.related.sum() < len(pairs.related):
                found[name] = round(float(roc_auc_score(pairs.related, self.similarities(pairs.places))), 4)
        return found

    def norms(self) -> dict[str, float]:
        """Return the mean length of the section and chunk embeddings' rows, and of words'; nothing while frozen."""
        backbone = self._source.trained()
        if backbone is None:
            return {}
        words = backbone.model.get_input_embeddings()
        tables = zip(("sections", "chunks", "words"), (*backbone.added, words), strict=True)
        return {name: round(float(table.weight.detach().norm(dim=1).mean()), 4) for name, table in tables}

    def similarities(self, pairs: Positions) -> NDArray[np.float64]:
        """Return the similarity of the documents of each pair (m, 2), as the recipe's encoder gives it: (m,)."""
        documents, places = np.unique(pairs, return_inverse=True)
        levels = self.levels(documents)
        mix = {"late_share": self._recipe.head.late_share, "late_best": self._recipe.head.late_best}
        found = [levels[one].similarity(levels[other], **mix) for one, other in places.reshape(-1, 2)]
        return np.array(found, np.float64)

    @torch.no_grad()
    def levels(self, documents: Positions) -> list[Levels]:
        """Read documents (n,) in one piece: the vector of each and those of its chunks, no sections."""
        self.model.eval()
        none, found = np.zeros((0, self.head.dim), np.float32), []
        for first in range(0, len(documents), _SCORED_AT_ONCE):
            part = documents[first : first + _SCORED_AT_ONCE].tolist()
            wanted = [(one, np.arange(self._source.count(one))) for one in part]
            chunks = self._source.vectors(wanted, sections=1)
            vectors = self.head(*_padded([[one] for one in chunks]))[:, 0].cpu().numpy()  # (b, dim)
            spaced = [normalize(self.head.spaced(one).float(), dim=1).cpu().numpy() for one in chunks]
            found += [Levels(vector, none, rows) for vector, rows in zip(vectors, spaced, strict=True)]
        self.model.train()
        return found

    @property
    def _contrasts(self) -> bool:
        return self._recipe.objective.kind == "contrastive"

    @property
    def _share(self) -> slice:
        """This process's documents of a batch."""
        return slice(self._processes.rank, None, self._processes.count)

    def _rows(self, batch: LongBatch, drawn: Sequence[Sequence[Positions]]) -> list[Tensor]:
        """Return the chunk vectors (c_i, d) of this process's documents."""
        own = zip(batch.documents[self._share].tolist(), drawn[self._share], strict=True)
        wanted = [(document, np.concatenate(parts)) for document, parts in own]
        return self._source.vectors(wanted, sections=self._recipe.objective.sections)

    def _views(self, rows: Sequence[Tensor], drawn: Sequence[Sequence[Positions]]) -> Tensor:
        """Return vectors of each document's sections, then of the whole document if it is a view, too: (n, v, dim)."""
        objective, own = self._recipe.objective, drawn[self._share]
        split = [torch.split(one, [len(part) for part in parts]) for one, parts in zip(rows, own, strict=True)]
        z = self.head(*_padded(split))  # (n / processes, s, dim)
        if objective.whole and objective.sections > 1:
            z = torch.cat([z, self.head(*_padded([[one] for one in rows]))], 1)  # (n / processes, s + 1, dim)
        flat = self._processes.gathered(z.flatten(1), len(drawn))
        return flat.reshape(len(flat), -1, self.head.dim)

    def _late(self, rows: Sequence[Tensor], counts: Sequence[int]) -> tuple[Tensor, Tensor]:
        """Return how near a batch's documents that have chunks are by them, (m, m), and the places of these, (m,)."""
        spaced = [self.head.spaced(one).float() for one in rows]  # (c_i, e)
        most = max(1, *counts)
        padded = torch.stack([pad(one, (0, 0, 0, most - len(one))) for one in spaced])  # (n / processes, c, e)
        every = self._processes.gathered(padded.flatten(1), len(counts)).reshape(len(counts), most, -1)  # (n, c, e)
        held = [place for place, count in enumerate(counts) if count]
        chunks = [every[place, : counts[place]] for place in held]
        near = late_interaction(chunks, share=self._recipe.head.late_best)
        return near, torch.tensor(held, device=self._device)

    def _drawn(self, document: int, generator: np.random.Generator) -> list[Positions]:
        """Return the chunks of each section that a step reads; a section that has any keeps at least one."""
        objective = self._recipe.objective
        count = self._source.count(document)
        stretch = stretch_of(count, objective.sections)
        most = objective.max_tokens // self._recipe.backbone.chunk_tokens if objective.max_tokens else count
        parts = []
        for section in range(objective.sections):
            part = np.flatnonzero(stretch == section)[: max(1, most)]
            kept = generator.random(len(part)) >= objective.chunk_dropout
            if len(part) and not kept.any():
                kept[generator.integers(len(part))] = True
            parts.append(part[kept])
        return parts


def _seed_dropout(key: tuple[int, ...]) -> None:
    """Let what torch draws in a step follow from the step's key, so that a run that goes on draws the same."""
    torch.manual_seed(int(np.random.default_rng(key).integers(2**62)))


def _padded(documents: Sequence[Sequence[Tensor]]) -> tuple[Tensor, Tensor]:
    """Pad chunk vectors (c, d) of s sections of each document to (n, s, c, d), and tell which are inside (n, s, c)."""
    flat = [section for sections in documents for section in sections]
    rows = pad_sequence(flat, batch_first=True)  # (ns, c, d)
    rows = pad(rows, (0, 0, 0, max(0, 1 - rows.shape[1])))  # where no section has a chunk, one of padding
    lengths = torch.tensor([len(section) for section in flat], device=rows.device)
    inside = torch.arange(rows.shape[1], device=rows.device) < lengths[:, None]  # (ns, c)
    shape = (len(documents), len(documents[0]), rows.shape[1])
    return rows.reshape(*shape, rows.shape[2]), inside.reshape(shape)


def train(
    recipe: ColdeRecipe, folders: Folders, *, resume: bool = False, report: Report = silent
) -> ColdeEncoder | None:
    """Train by a recipe; gives the best epoch's encoder, and None in all but the first of several processes.

    Raises InputError if a corpus or its pairs are missing, EncoderError if the transformer is, and TrainingError
    if the run folder holds another run.
    """
    digests = corpora.digests(recipe.data.corpora, folders.data) | table_digests(recipe.data.corpora, folders.data)

    def begin(around: Surroundings) -> Start[ColdeEncoder]:
        corpus = read_long_corpora(recipe.data.corpora, folders.data)
        untrained = Untrained.of(recipe)
        source = untrained.source(corpus, folders.cache, around)
        head = cast(ColdeHead, untrained.modules["head"])
        _whiten(head, source, corpus, recipe)
        task = LongTask(recipe, corpus, source, head.to(around.device), processes=around.processes)
        pairs = {name: len(pairs.related) for name, pairs in corpus.train.items()}
        about = {"documents": len(corpus.documents), "train_pairs": pairs}
        return Start(task, untrained.encoder, about, scores=task.scores, watch=task.norms)

    return train_encoder(TrainingRun(recipe, folders, resume, report), digests, begin)


@dataclasses.dataclass(frozen=True)
class Untrained:
    """A transformer and an untrained head, as a recipe begins with them; `before` tells how an encoder's learnt."""

    recipe: ColdeRecipe
    settings: ColdeSettings
    modules: nn.ModuleDict
    tokenizer: str
    before: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    @classmethod
    def of(cls, recipe: ColdeRecipe) -> Untrained:
        """Open the recipe's transformer, or that of a CoLDE encoder.

        Raises EncoderError, StorageError, MissingExtraError or ChecksumError if it cannot be.
        """
        folder = source_folder(recipe.backbone.source)
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
        """Return where steps take chunk vectors from: kept ones where the transformer is frozen."""
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
        """Return the encoder of the present weights."""
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
    """Return how the encoder of a recipe reads."""
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
