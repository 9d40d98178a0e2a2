"""Corpora on disk into the words of each document, kept so that a second run starts at once."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from engine.core import files
from engine.core.progress import Report
from engine.core.rows import Positions, TokenIds
from engine.documents import Document
from engine.documents.text import first_tokens
from engine.training.cdssm.recipe import CdssmDataSettings
from engine.training.corpora import NOTHING, QUERY, TWICE, HeldOut, abstract_of, documents_of, subject_of, to_train_on
from engine.training.related import pairs_in

_VERSION = "words/2"
_ARRAYS, _ABOUT = "words.safetensors", "words.json"
_WORDLESS, _ALONE = "a text without words", "in no subject and no train pair"


@dataclass(frozen=True)
class WordCorpus:
    """The first words of n documents end to end: document i has flat[starts[i]:starts[i + 1]], places in `words`.

    flat is (t,), starts (n + 1,), names the documents' ids. `subjects` (n,) tells documents of other corpora or other
    sets of categories apart, `families` (n,) those of other families; "" is a document without one. `left_out` counts
    documents by the reason they are not in it.
    """

    flat: TokenIds
    starts: Positions
    words: Sequence[str]
    names: Sequence[str]
    subjects: Sequence[str]
    families: Sequence[str]
    left_out: Mapping[str, int]

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.names)

    @property
    def counts(self) -> Positions:
        """How often each word occurs in the corpus: (W,)."""
        return np.bincount(self.flat, minlength=len(self.words))

    def words_of(self, documents: Positions) -> tuple[TokenIds, Positions]:
        """Return the words of some documents (m,) end to end, and the places (m + 1,) between them."""
        lengths = np.diff(self.starts)[documents]
        ends = np.concatenate([[0], lengths.cumsum()])
        places = np.arange(ends[-1]) + np.repeat(self.starts[documents] - ends[:-1], lengths)
        return self.flat[places], ends


class _Reads(Protocol):
    @property
    def max_tokens(self) -> int:
        """How many tokens of a document are read."""


class ReadsWords(Protocol):
    """A recipe over the words of related documents."""

    @property
    def data(self) -> CdssmDataSettings:
        """Where they come from."""

    @property
    def network(self) -> _Reads:
        """What reads them."""


def read_words(
    recipe: ReadsWords, data: Path, *, digests: Mapping[str, str], cache: Path, report: Report
) -> WordCorpus:
    """The documents of a recipe that have a subject or a train pair, from `cache` if an earlier run left them there.

    `digests` gives the sha256 of each corpus and file of pairs. Raises InputError if a file of pairs is not as it
    should be.
    """
    settings, held_out = recipe.data, HeldOut.below(data)
    key = files.fingerprint(
        _VERSION,
        *(f"{name}={digest}" for name, digest in digests.items()),
        f"{settings.subjects} {settings.abstracts} {recipe.network.max_tokens}",
        held_out.digest,
    )
    folder = cache / f"words-{key}"
    if not folder.exists():
        paired = {one.corpus: set[str]() for one in settings.files}
        for one in settings.files:
            paired[one.corpus] |= {name for pair in pairs_in(data / one.corpus / one.pairs) for name in pair}
        documents = documents_of(settings.corpora, data, report)
        chosen = Chosen(frozenset(settings.subjects), paired, held_out)
        opened = ((name, abstract_of(one) if name in settings.abstracts else one) for name, one in documents)
        _write(folder, number_words(opened, chosen, max_tokens=recipe.network.max_tokens))
    return _read(folder)


@dataclass(frozen=True)
class Chosen:
    """Which documents are trained on: those with categories in the corpora `subjects`, and the ids `paired` in each."""

    subjects: frozenset[str]
    paired: Mapping[str, set[str]]
    held_out: HeldOut = NOTHING

    def subject(self, corpus: str, document: Document) -> str:
        """Return what the document shares with those of its subject; "" where its corpus's subjects do not count."""
        return subject_of(corpus, document.categories) if corpus in self.subjects else ""


def number_words(documents: Iterable[tuple[str, Document]], chosen: Chosen, *, max_tokens: int) -> WordCorpus:
    """Number the first words of documents; what cannot be trained on is counted by reason.

    A document comes with the name of its corpus.
    """
    flat, starts = array("i"), array("q", [0])
    number_of: dict[str, int] = {}
    held: dict[str, tuple[str, str]] = {}  # subject and family by the document's id
    left_out = dict.fromkeys((QUERY, TWICE, _WORDLESS, _ALONE), 0)
    for corpus, document in to_train_on(documents, held_out=chosen.held_out, taken=held, left_out=left_out):
        subject = chosen.subject(corpus, document)
        if not subject and document.id not in chosen.paired.get(corpus, ()):
            left_out[_ALONE] += 1
            continue
        tokens = first_tokens(document.text, max_tokens)
        if not tokens:
            left_out[_WORDLESS] += 1
            continue
        held[document.id] = subject, document.family
        flat.extend(number_of.setdefault(token, len(number_of)) for token in tokens)
        starts.append(len(flat))
    subjects, families = ([one[side] for one in held.values()] for side in range(2))
    arrays = np.array(flat, np.int32), np.array(starts, np.int64)
    return WordCorpus(*arrays, list(number_of), list(held), subjects, families, left_out)


def _write(folder: Path, corpus: WordCorpus) -> None:
    arrays: dict[str, TokenIds | Positions] = {"flat": corpus.flat, "starts": corpus.starts}
    with files.new_folder(folder) as new:
        digest = files.write_arrays(new / _ARRAYS, arrays)
        about = {name: list(getattr(corpus, name)) for name in ("words", "names", "subjects", "families")}
        files.write_json(new / _ABOUT, {"sha256": digest, "left_out": dict(corpus.left_out), **about})


def _read(folder: Path) -> WordCorpus:
    about = files.read_json(folder / _ABOUT)
    arrays = files.read_arrays(folder / _ARRAYS, about.pop("sha256"))
    return WordCorpus(arrays["flat"], arrays["starts"], **about)
