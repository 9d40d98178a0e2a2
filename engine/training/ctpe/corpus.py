"""Corpora on disk into the token ids of coupled pairs, kept so that a second run starts at once."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine.core import files
from engine.core.progress import Report
from engine.documents import Document
from engine.encoders.ctpe import Position, cut_pair
from engine.training.corpora import NOTHING, QUERY, TWICE, HeldOut, documents_of, subject_of, to_train_on
from engine.training.ctpe.recipe import CtpeRecipe
from engine.training.examples import Ids, PairTokens, Places

if TYPE_CHECKING:
    from engine.encoders.ctpe import EmbeddingModel

_VERSION = "pairs/3"
_ARRAYS, _ABOUT = "tokens.safetensors", "tokens.json"
_EMPTY = "a half without known words"


@dataclass(frozen=True)
class PairCorpus:
    """The pairs of a recipe's corpora; `left_out` counts documents by the reason they are not in it."""

    tokens: PairTokens
    left_out: Mapping[str, int]
    key: str


def read_pairs(
    recipe: CtpeRecipe, model: EmbeddingModel, data: Path, *, corpora: Mapping[str, str], cache: Path, report: Report
) -> PairCorpus:
    """The pairs of a recipe's corpora, from `cache` where a run of the same data, words and cut left them.

    `corpora` gives each corpus's sha256 by its name, in the order they are read.
    """
    settings = recipe.pairs
    position, tokens = settings.position, settings.max_tokens
    held_out = HeldOut.below(data)
    key = files.fingerprint(
        _VERSION,
        *(f"{name}={digest}" for name, digest in corpora.items()),
        f"{position} {tokens} {model.kind} {sorted(model.config.items())}",
        "\n".join(model.words),
        held_out.digest,
    )
    folder = cache / f"pairs-{key}"
    if not folder.exists():
        documents = documents_of(list(corpora), data, report)
        where = Position.parse(position)
        _write(folder, *tokenise(documents, where, lambda half: model.ids(half, tokens), held_out=held_out))
    return _read(folder, key)


def tokenise(
    documents: Iterable[tuple[str, Document]],
    position: Position,
    ids: Callable[[str], Ids],
    *,
    held_out: HeldOut = NOTHING,
) -> tuple[PairTokens, dict[str, int]]:
    """Cut documents in two and number the tokens of their halves; what cannot be trained on is counted by reason.

    A document comes with the name of its corpus.
    """
    flat, starts, cuts = array("i"), array("q", [0]), array("q")
    subjects: dict[str, str] = {}  # by the document's id
    left_out = dict.fromkeys((QUERY, TWICE, _EMPTY), 0)
    for corpus, document in to_train_on(documents, held_out=held_out, taken=subjects, left_out=left_out):
        pair = cut_pair(document, position)
        former, latter = ids(pair.former), ids(pair.latter)
        if not len(former) or not len(latter):
            left_out[_EMPTY] += 1
            continue
        subjects[document.id] = subject_of(corpus, document.categories)
        flat.frombytes(former.tobytes())
        cuts.append(len(flat))
        flat.frombytes(latter.tobytes())
        starts.append(len(flat))
    arrays = np.array(flat, np.int32), np.array(starts, np.int64), np.array(cuts, np.int64)
    return PairTokens(*arrays, list(subjects), list(subjects.values())), left_out


def texts_of(tokens: PairTokens, corpora: Sequence[str], data: Path, report: Report) -> list[str]:
    """The whole text of each tokenised document, in their order; the corpora are read for it."""
    places = {name: place for place, name in enumerate(tokens.names)}
    texts = [""] * len(tokens)
    for _, document in documents_of(corpora, data, report):
        place = places.pop(document.id, None)
        if place is not None:
            texts[place] = document.text
    return texts


def _write(folder: Path, tokens: PairTokens, left_out: Mapping[str, int]) -> None:
    arrays: dict[str, Ids | Places] = {"flat": tokens.flat, "starts": tokens.starts, "cuts": tokens.cuts}
    with files.new_folder(folder) as new:
        digest = files.write_arrays(new / _ARRAYS, arrays)
        about = {"left_out": dict(left_out), "names": list(tokens.names), "subjects": list(tokens.subjects)}
        files.write_json(new / _ABOUT, {"sha256": digest, **about})


def _read(folder: Path, key: str) -> PairCorpus:
    about = files.read_json(folder / _ABOUT)
    arrays = files.read_arrays(folder / _ARRAYS, about["sha256"])
    return PairCorpus(PairTokens(**arrays, names=about["names"], subjects=about["subjects"]), about["left_out"], key)
