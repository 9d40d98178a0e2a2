"""Teaches a small transformer passages by a recipe: papers and patents in, a run folder and an encoder out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import nn

from engine.core.errors import TrainingError
from engine.core.progress import Report, silent
from engine.encoders.student import StudentEncoder
from engine.training import corpora
from engine.training.loop import fit, surroundings
from engine.training.passages.cut_documents import CutDocuments
from engine.training.passages.recipe import PassagesRecipe
from engine.training.passages.stretches import Quoting
from engine.training.passages.task import PassageTask, PassageTexts
from engine.training.related import pair_digests
from engine.training.related_pairs import RelatedPairs
from engine.training.run_folder import Folders, open_run
from engine.training.word_folders import folder_of

_KINDS = ("WordPiece", "WordLevel")
_ENDS = ("[CLS]", "[SEP]")


def train(recipe: PassagesRecipe, folders: Folders, *, resume: bool = False, report: Report = silent) -> StudentEncoder:
    """Teach by a recipe; gives the last epoch's encoder.

    Raises InputError if a corpus or a table is missing or too small, StorageError if the encoder that it begins as is,
    and TrainingError in several processes, or if the run folder holds another run.
    """
    with surroundings(recipe.device, folders.run, report, alone="an encoder of passages") as around:
        digests = corpora.digests(recipe.data.corpora, folders.data) | pair_digests(recipe.data.files, folders.data)
        began = StudentEncoder.load(folder_of(recipe.source)).as_it_reads(recipe.reading)
        facts = open_run(folders.run, recipe, digests, resume=resume)
        documents = CutDocuments.of(recipe.data, began, folders.data, report=report)
        pairs = RelatedPairs.of(recipe.data, documents, folders.data, batch=recipe.optimizer.batch)
        continues, ends = _words(began.tokenizer)
        model = began.to_train().to(around.device)
        texts = PassageTexts(documents, pairs, Quoting(recipe.objective.quotes, documents, continues), ends)
        standing = fit(PassageTask(recipe, model, texts), recipe.schedule, around)
        about = {
            "documents": len(documents.names),
            "passages": len(documents.parts),
            "tokens": len(documents.flat),
            **pairs.counts,
            "source_fingerprint": began.card.fingerprint,
            **around.facts(standing),
        }
        return _encoder(recipe, model, began, {**facts, **about})


def _encoder(
    recipe: PassagesRecipe, model: nn.Module, began: StudentEncoder, facts: Mapping[str, Any]
) -> StudentEncoder:
    about = tuple(dict.fromkeys([*began.card.trained_on, *recipe.data.corpora]))
    return StudentEncoder.of(model, began.tokenizer, recipe.reading, trained_on=about, facts=facts)


def _words(tokenizer: str) -> tuple[NDArray[np.bool_], tuple[int, int]]:
    """Which tokens of a vocabulary go on with a word, (v,), and the two that a text begins and ends with.

    Raises TrainingError for a tokenizer of another kind than BERT's.
    """
    found = json.loads(tokenizer)["model"]
    ids: Mapping[str, int] = found.get("vocab", {})
    if found["type"] not in _KINDS or not set(_ENDS) <= ids.keys():
        raise TrainingError(
            f"Expected an encoder whose tokenizer is of words or word pieces, as BERT's; got one of {found['type']}. "
            "Begin as another."
        )
    prefix = found.get("continuing_subword_prefix")
    continues = np.zeros(max(ids.values()) + 1, np.bool_)
    continues[[number for piece, number in ids.items() if prefix and piece.startswith(prefix)]] = True
    return continues, (ids[_ENDS[0]], ids[_ENDS[1]])
