"""Teaches word vectors by a recipe: corpora and a sentence transformer in, a run folder and an encoder out."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from engine.encoders.base import Encoder
from engine.encoders.distilled.encoder import DistilledEncoder
from engine.encoders.distilled.lexicon import Lexicon
from engine.encoders.transformer import Transformer
from engine.encoders.transformer_mean import TransformerMeanEncoder
from engine.errors import TrainingError
from engine.progress import Meter, Report, silent
from engine.rows import DenseRows
from engine.training import corpora
from engine.training.checkpoints import Checkpoints
from engine.training.distilled_recipe import DistilledRecipe
from engine.training.distilled_task import DistilledTask, TaughtTexts, WeightedWords
from engine.training.loop import Surroundings, fit
from engine.training.run_folder import Folders, open_run
from engine.training.student.teacher_rows import open_teacher, read_teacher_rows
from engine.training.student.texts import short_texts, whole_texts
from engine.training.word_folders import open_words

Score = Callable[[DistilledEncoder], Mapping[str, float]]
"""Scores of an encoder on valid queries, by benchmark; larger is better."""

_RARE = 1e-7  # the frequency of a piece: what is read by pieces is rare


def train(
    recipe: DistilledRecipe,
    folders: Folders,
    *,
    resume: bool = False,
    score: Score | None = None,
    report: Report = silent,
) -> DistilledEncoder:
    """Teach by a recipe; gives the best epoch's encoder.

    Raises InputError where a corpus is missing, MissingExtraError or EncoderError where there is no teacher, and
    TrainingError where its tokenizer has no pieces or the run folder holds another run.
    """
    digests = corpora.digests(recipe.data.corpora, folders.data)
    model = open_teacher(recipe.teacher.source)
    teacher = TransformerMeanEncoder(model, max_tokens=recipe.teacher.max_tokens)
    pieces = word_pieces(model)
    facts = open_run(folders.run, recipe, digests, resume=resume) | {"teacher_fingerprint": teacher.card.fingerprint}
    words = open_words(recipe.vectors.source)
    lexicon = Lexicon(words.words[: recipe.vectors.most], pieces)
    frequencies = np.full(len(lexicon), _RARE)
    frequencies[: len(lexicon.words)] = words.frequencies[: len(lexicon.words)]
    begun = WeightedWords(
        first_vectors(lexicon, teacher, recipe, folders, report=report),
        np.log(recipe.vectors.frequency / (recipe.vectors.frequency + frequencies)).astype(np.float32),
    )
    texts = _taught(recipe, lexicon, teacher, folders, report)
    task = DistilledTask(
        begun,
        texts,
        batch=recipe.optimizer.batch,
        temperature=recipe.temperature,
        learning_rate=recipe.optimizer.learning_rate,
        seed=recipe.seed,
    )

    def encoder(about: Mapping[str, Any] | None = None) -> DistilledEncoder:
        return DistilledEncoder.of(lexicon, begun.rows(), recipe.reading, trained_on=recipe.data.corpora, facts=about)

    standing = fit(
        task,
        recipe.schedule,
        Surroundings(Checkpoints(folders.run), torch.device("cpu"), report=report),
        score=lambda: score(encoder()) if score else {},
        optimizes=torch.optim.SparseAdam,
    )
    curve = [dataclasses.asdict(one) for one in standing.history]
    about = {"documents": len(texts), "tokens": len(texts.flat), "words": len(lexicon.words), "pieces": len(pieces)}
    return encoder({**facts, **about, "best_epoch": standing.best, "curve": curve})


def word_pieces(model: Transformer) -> tuple[str, ...]:
    """The pieces that a teacher's tokenizer makes words of, in its order. Raises TrainingError where it has none."""
    held = json.loads(model.tokenizer)["model"]
    if held.get("type") != "WordPiece":
        raise TrainingError(
            f"Expected a teacher whose tokenizer is a WordPiece, got {held.get('type')}. Name another teacher."
        )
    vocabulary: dict[str, int] = held["vocab"]
    ordered = sorted(vocabulary, key=lambda piece: vocabulary[piece])
    return tuple(piece for piece in ordered if _bare(piece).isalnum())


def first_vectors(
    lexicon: Lexicon, teacher: Encoder, recipe: DistilledRecipe, folders: Folders, *, report: Report = silent
) -> DenseRows:
    """The teacher's vectors of words and pieces alone, less the words' mean, on their widest directions: (V, dim).

    They are of length 1 in the mean. Raises TrainingError where the teacher's are shorter than `vectors.dim`.
    """
    dim = recipe.vectors.dim
    if dim > teacher.card.dim:
        raise TrainingError(f"Expected vectors.dim of at most {teacher.card.dim}, the teacher's; got {dim}.")
    entries = [*lexicon.words, *map(_bare, lexicon.pieces)]
    rows = read_teacher_rows(entries, teacher, cache=folders.cache, report=report).astype(np.float32)  # (V, e)
    known = rows[: len(lexicon.words)]
    rows -= known.mean(axis=0)
    directions = np.linalg.eigh(known.T.astype(np.float64) @ known)[1][:, ::-1][:, :dim]  # (e, dim), known is a view
    turned = rows @ directions.astype(np.float32)
    return np.ascontiguousarray(turned / np.linalg.norm(turned, axis=1).mean(), np.float32)


def _taught(
    recipe: DistilledRecipe, lexicon: Lexicon, teacher: Encoder, folders: Folders, report: Report
) -> TaughtTexts:
    """Every text by its words, with the teacher's row."""
    short = short_texts(recipe.data, folders.data, seed=recipe.seed, report=report)
    whole = whole_texts(recipe.data, folders.data, report=report)
    parts: list[NDArray[np.float16]] = [
        read_teacher_rows(texts, teacher, cache=folders.cache, report=report) for texts in (short, whole)
    ]
    meter = Meter("number words, texts", len(short) + len(whole), report)
    numbers = []
    for one in (*short, *whole):
        numbers.append(lexicon.numbers(one, recipe.train_tokens))
        meter.add()
    meter.finish()
    return TaughtTexts.of(numbers, np.concatenate(parts))


def _bare(piece: str) -> str:
    """A piece without the mark that it stands inside a word."""
    return piece.removeprefix("##")
