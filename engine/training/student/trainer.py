"""Teaches a small transformer by a recipe: corpora and its teacher in, a run folder and an encoder out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import torch
from torch import nn

from engine.core.errors import TrainingError
from engine.core.progress import Report, silent
from engine.encoders import Transformer, TransformerMeanEncoder, bare_model
from engine.encoders.student import StudentEncoder
from engine.training import corpora
from engine.training.loop import EncoderScore, fit, surroundings
from engine.training.related import pair_digests
from engine.training.run_folder import Folders, open_run
from engine.training.student.recipe import StudentRecipe
from engine.training.student.related_texts import RelatedTexts
from engine.training.student.task import PlacedTexts, StudentTask
from engine.training.student.teacher_rows import open_teacher, read_teacher_rows
from engine.training.student.texts import short_texts, whole_texts


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
    with surroundings(recipe.device, folders.run, report, alone="a student") as around:
        digests = corpora.digests(list(dict.fromkeys([*recipe.data.corpora, *recipe.related.corpora])), folders.data)
        digests |= pair_digests(recipe.related.tables, folders.data)
        teacher = open_teacher(recipe.teacher.source)
        model = begun(teacher, recipe).to(around.device)
        placing = TransformerMeanEncoder(teacher, max_tokens=recipe.teacher.max_tokens)
        facts = open_run(folders.run, recipe, digests, resume=resume)
        texts = _texts(recipe, teacher, placing, folders, report)
        length = recipe.reading.max_tokens
        related = RelatedTexts.of(recipe.related, teacher, folders.data, max_tokens=length, report=report)
        task = StudentTask(recipe, model, texts, related=related)
        standing = fit(
            task, recipe.schedule, around, score=lambda: score(_encoder(recipe, model, teacher)) if score else {}
        )
        about = {
            "documents": len(texts),
            "tokens": int(sum(map(len, texts.tokens))),
            **({} if related is None else related.pairs.counts),
            "teacher_fingerprint": placing.card.fingerprint,
            **around.facts(standing),
        }
        return _encoder(recipe, model, teacher, {**facts, **about})


def begun(teacher: Transformer, recipe: StudentRecipe) -> nn.Module:
    """A model of some of the teacher's layers, with its word vectors; without dropout.

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
    """Short texts and a share of the whole texts, with the teacher's rows."""
    short = short_texts(recipe.data, folders.data, seed=recipe.seed, report=report)
    short = short[: recipe.objective.shorts_most or None]
    whole = whole_texts(recipe.data, folders.data, report=report)
    share = round(recipe.objective.wholes_share * len(whole))
    kept = np.sort(np.random.default_rng(recipe.seed).permutation(len(whole))[:share])
    whole = [whole[place] for place in kept]
    rows = [read_teacher_rows(texts, placing, cache=folders.cache, report=report) for texts in (short, whole)]
    return PlacedTexts(teacher.tokens([*short, *whole], recipe.reading.max_tokens), np.concatenate(rows))


def _encoder(
    recipe: StudentRecipe, model: nn.Module, teacher: Transformer, facts: Mapping[str, Any] | None = None
) -> StudentEncoder:
    """The encoder of the present weights."""
    about = tuple(dict.fromkeys([*recipe.data.corpora, *recipe.related.corpora]))
    return StudentEncoder.of(model, teacher.tokenizer, recipe.reading, trained_on=about, facts=facts)
