"""Teaches a small transformer by a recipe: to place texts where its teacher places them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from engine.core.errors import TrainingError
from engine.core.progress import Report, silent
from engine.core.rows import Positions
from engine.encoders import Transformer, TransformerMeanEncoder, bare_model
from engine.encoders.student import StudentEncoder
from engine.training import corpora
from engine.training.loop import EncoderScore, Start, Surroundings, TrainingRun, train_encoder
from engine.training.losses import in_batch_softmax, neighbour_divergence, placing_distance
from engine.training.related import pair_digests
from engine.training.run_folder import Folders
from engine.training.student.recipe import StudentRecipe
from engine.training.student.texts import RelatedTexts, short_texts, whole_texts
from engine.training.teacher import open_teacher, read_teacher_rows

_BATCHES_SORTED = 16  # this many batches are sorted by length together, so that little padding is computed


class StudentBatch(NamedTuple):
    """A step's texts (n,), and what seeds its other draws."""

    places: Positions
    key: tuple[int, int, int]


@dataclass(frozen=True)
class PlacedTexts:
    """n texts by the ids of their tokens, with their teacher's `rows` (n, e) at unit length."""

    tokens: Sequence[Sequence[int]]
    rows: NDArray[np.float16]

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self.tokens)


class StudentTask:
    """Texts for the loop; each step reads some of like length."""

    def __init__(
        self, recipe: StudentRecipe, model: nn.Module, texts: PlacedTexts, *, related: RelatedTexts | None = None
    ) -> None:
        """Take a `transformers` model on its device, what it shall place, and what shall lie together."""
        self._recipe, self._model, self._texts, self._related = recipe, model, texts, related
        self._device = next(model.parameters()).device
        self._lengths = np.array([len(ids) for ids in texts.tokens])

    @property
    def model(self) -> nn.Module:
        """The transformer."""
        return self._model

    def groups(self) -> list[dict[str, Any]]:
        """Return the parameters with their learning rate."""
        learnt = [parameter for parameter in self._model.parameters() if parameter.requires_grad]
        return [{"params": learnt, "lr": self._recipe.optimizer.learning_rate}]

    def steps(self) -> int:
        """Return the number of batches in an epoch."""
        return self._recipe.objective.steps

    def batches(self, epoch: int) -> Sequence[StudentBatch]:
        """Return an epoch's batches: the next texts of an order that the seed draws, and after the last another."""
        size, steps = self._recipe.optimizer.batch, self.steps()
        wanted = np.arange(epoch * steps * size, (epoch + 1) * steps * size)
        passes = wanted // len(self._texts)
        orders = {one: self._order(one) for one in np.unique(passes).tolist()}
        drawn = np.array([orders[one][place] for one, place in zip(passes, wanted % len(self._texts), strict=True)])
        batches = []
        for first in range(0, len(drawn), size * _BATCHES_SORTED):
            part = drawn[first : first + size * _BATCHES_SORTED]
            by_length = part[np.argsort(self._lengths[part], kind="stable")]
            batches += [by_length[start : start + size] for start in range(0, len(part), size)]
        mixed = np.random.default_rng([self._recipe.seed, epoch, 1]).permutation(len(batches))
        seed = self._recipe.seed
        return [StudentBatch(batches[place], (seed, epoch, number)) for number, place in enumerate(mixed)]

    def loss(self, batch: StudentBatch) -> Tensor:
        """Return how far the texts and their neighbours are from where the teacher has them."""
        settings = self._recipe.objective
        found = self._encode([self._texts.tokens[place] for place in batch.places.tolist()])  # (n, dim)
        wanted = torch.from_numpy(self._texts.rows[batch.places].astype(np.float32)).to(self._device)  # (n, dim)
        neighbours = neighbour_divergence(found, wanted, temperature=settings.temperature)
        taught = neighbours + settings.places * placing_distance(found, wanted)
        if self._related is None:
            return taught
        return taught + self._recipe.related.weight * self._related_loss(self._related, batch.key)

    def _related_loss(self, related: RelatedTexts, key: tuple[int, int, int]) -> Tensor:
        """Return a softmax's loss over texts that belong together; others of their subject or family do not count."""
        one, other = related.draw(key).pairs.T  # (m,) each
        rows = self._encode([related.tokens[place] for place in [*one.tolist(), *other.tolist()]])  # (2 m, dim)
        same = torch.from_numpy(related.pairs.same_label(one, other)).to(self._device)  # (m, m)
        return in_batch_softmax(*rows.chunk(2), temperature=self._recipe.related.temperature, related=same)

    def _order(self, number: int) -> Positions:
        return np.random.default_rng([self._recipe.seed, number]).permutation(len(self._texts))

    def _encode(self, texts: Sequence[Sequence[int]]) -> Tensor:
        """Return the sums of n texts' token vectors: (n, dim)."""
        lengths = torch.tensor([len(ids) for ids in texts], device=self._device)
        longest = int(lengths.max())
        padded = torch.tensor([[*ids, *([0] * (longest - len(ids)))] for ids in texts], device=self._device)  # (n, t)
        inside = torch.arange(longest, device=self._device) < lengths[:, None]  # (n, t)
        vectors: Tensor = self._model(input_ids=padded, attention_mask=inside.long()).last_hidden_state  # (n, t, dim)
        return (vectors.float() * inside[:, :, None]).sum(1)


def train(
    recipe: StudentRecipe,
    folders: Folders,
    *,
    resume: bool = False,
    score: EncoderScore[StudentEncoder] | None = None,
    report: Report = silent,
) -> StudentEncoder:
    """Teach by a recipe; gives the best epoch's encoder.

    Raises InputError if a corpus is missing, and MissingExtraError or EncoderError if the teacher is. Raises
    TrainingError if the teacher lacks the layers asked for, in several processes, or if the run folder holds another
    run.
    """
    digests = corpora.digests(list(dict.fromkeys([*recipe.data.corpora, *recipe.related.corpora])), folders.data)
    digests |= pair_digests(recipe.related.tables, folders.data)
    trained_on = tuple(dict.fromkeys([*recipe.data.corpora, *recipe.related.corpora]))

    def begin(around: Surroundings) -> Start[StudentEncoder]:
        teacher = open_teacher(recipe.teacher.source)
        model = begin_model(teacher, recipe).to(around.device)
        placing = TransformerMeanEncoder(teacher, max_tokens=recipe.teacher.max_tokens)
        texts = _texts(recipe, teacher, placing, folders, report)
        length = recipe.reading.max_tokens
        related = RelatedTexts.of(recipe.related, teacher, folders.data, max_tokens=length, report=report)
        about = {
            "documents": len(texts),
            "tokens": int(sum(map(len, texts.tokens))),
            **({} if related is None else related.pairs.counts),
            "teacher_fingerprint": placing.card.fingerprint,
        }

        def encoder(facts: Mapping[str, Any]) -> StudentEncoder:
            return StudentEncoder.of(model, teacher.tokenizer, recipe.reading, trained_on=trained_on, facts=facts)

        return Start(StudentTask(recipe, model, texts, related=related), encoder, about)

    found = train_encoder(TrainingRun(recipe, folders, resume, report), digests, begin, score=score, alone="a student")
    return cast(StudentEncoder, found)


def begin_model(teacher: Transformer, recipe: StudentRecipe) -> nn.Module:
    """Return a model of some of the teacher's layers, with its word vectors; without dropout.

    Raises TrainingError if the teacher has no such layers.
    """
    config, layers = dict(teacher.config), recipe.layers
    count = int(config.get("num_hidden_layers", 0))
    config |= {"num_hidden_layers": len(layers), "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    model = bare_model(config)
    held, weights = teacher.arrays, {}
    for name in model.state_dict():
        before, found, after = name.partition("encoder.layer.")
        number, _, rest = after.partition(".")
        source = f"{before}{found}{layers[int(number)]}.{rest}" if found else name
        if source not in held:
            raise TrainingError(
                f"Expected a teacher like BERT with the layers {', '.join(map(str, layers))}, got one of {count} "
                f"without {source}. Name other layers, or another teacher."
            )
        weights[name] = torch.from_numpy(held[source])
    model.load_state_dict(weights, strict=True)
    if not recipe.train_words:
        cast(Any, model).get_input_embeddings().requires_grad_(False)
    return model


def _texts(
    recipe: StudentRecipe, teacher: Transformer, placing: TransformerMeanEncoder, folders: Folders, report: Report
) -> PlacedTexts:
    """Return short texts and a share of the whole texts, with the teacher's rows."""
    short = short_texts(recipe.data, folders.data, seed=recipe.seed, report=report)
    short = short[: recipe.objective.shorts_most or None]
    whole = whole_texts(recipe.data, folders.data, report=report)
    share = round(recipe.objective.wholes_share * len(whole))
    kept = np.sort(np.random.default_rng(recipe.seed).permutation(len(whole))[:share])
    whole = [whole[place] for place in kept]
    rows = [read_teacher_rows(texts, placing, cache=folders.cache, report=report) for texts in (short, whole)]
    return PlacedTexts(teacher.tokens([*short, *whole], recipe.reading.max_tokens), np.concatenate(rows))
