"""Labelled pairs of long documents: the text of each that is compared, and the changes to it that are tried."""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.core import files
from engine.core.errors import EvaluationError
from engine.documents import Document, Section, text
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.training.long_corpus import PAIRS, SPLITS, LabelledPair, Split, body_of, ids_in, read_labelled_pairs

if TYPE_CHECKING:
    pass

_WORDS_AT_ONCE = 64
_ANY_SEED = 2**32


@dataclass(frozen=True, slots=True)
class Form:
    """A document's body (CoLDE, section 4.1.1), changed where a field says so (section 4.4).

    `shuffle_sections` is the seed that each document's sections are put in another order by; it depends on the
    document's id and on no other document. `max_tokens` then keeps that many tokens (`engine.documents.text.tokens`)
    from the start. The paper bounds the text that it trains on; this bounds the text that is compared.
    """

    shuffle_sections: int | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        """Refuse bounds that leave nothing, and seeds that no generator takes."""
        if self.max_tokens is not None and self.max_tokens < 1:
            raise EvaluationError(f"Expected max-tokens of at least 1, got {self.max_tokens}. Name a larger number.")
        if self.shuffle_sections is not None and self.shuffle_sections < 0:
            raise EvaluationError(
                f"Expected a seed of 0 or more for the order of sections, got {self.shuffle_sections}. Name another."
            )

    @property
    def options(self) -> list[str]:
        """The options of the command line that ask for this form."""
        given = {"--shuffle-sections": self.shuffle_sections, "--max-tokens": self.max_tokens}
        return [word for name, value in given.items() if value is not None for word in (name, str(value))]

    def of(self, document: Document) -> Document:
        """Return what is compared of a document."""
        body = body_of(document)
        if self.shuffle_sections is not None:
            body = dataclasses.replace(body, sections=_shuffled(body, self.shuffle_sections))
        if self.max_tokens is not None:
            body = dataclasses.replace(body, sections=_first_tokens(body.sections, self.max_tokens))
        return body


def _shuffled(document: Document, seed: int) -> tuple[Section, ...]:
    generator = np.random.default_rng([seed, files.spread(document.id, _ANY_SEED)])
    return tuple(document.sections[place] for place in generator.permutation(len(document.sections)))


def _first_tokens(sections: tuple[Section, ...], most: int) -> tuple[Section, ...]:
    """Return sections up to the last white space before token number `most` + 1; none is left empty."""
    kept: list[Section] = []
    left = most
    for section in sections:
        found = len(text.tokens(section.text))
        if found > left:
            cut = _prefix(section.text, left)
            return (*kept, dataclasses.replace(section, text=cut)) if cut else tuple(kept)
        kept.append(section)
        left -= found
    return tuple(kept)


def _prefix(whole: str, most: int) -> str:
    """Return the longest start of a text, up to white space, that holds at most `most` tokens.

    Words are counted in blocks, since telling the tokens of every word apart takes twenty times as long.
    """
    words = list(re.finditer(r"\S+", whole))
    stop, left = 0, most
    for step in (_WORDS_AT_ONCE, 1):
        while stop < len(words):
            last = min(stop + step, len(words)) - 1
            found = len(text.tokens(whole[words[stop].start() : words[last].end()]))
            if found > left:
                break
            stop, left = last + 1, left - found
    return whole[: words[stop - 1].end()] if stop else ""


JUDGED: tuple[Split, ...] = ("valid", "test")
"""The splits that a threshold is chosen on and that figures are of."""


@dataclass(frozen=True)
class PairSet:
    """Pairs whose documents are both at hand, and their corpus, each document in its form.

    `missing` names the pairs of each split that lack a document, `trained` the documents of train pairs.
    """

    name: str
    corpus: Sequence[Document]
    pairs: Sequence[LabelledPair]
    sha256: Mapping[str, str]
    form: Form | None = None
    missing: Sequence[LabelledPair] = field(default=())
    trained: Collection[str] = frozenset()

    @cached_property
    def documents(self) -> tuple[Document, ...]:
        """The documents of pairs, by their ids: the ones to encode."""
        held = {document.id: document for document in self.corpus}
        return tuple(held[name] for name in ids_in(self.pairs))

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """The places (p, 2) in `documents` of the documents of p pairs."""
        place = {document.id: number for number, document in enumerate(self.documents)}
        return np.array([(place[pair.a], place[pair.b]) for pair in self.pairs], np.int64).reshape(-1, 2)

    @cached_property
    def related(self) -> NDArray[np.bool_]:
        """Whether the documents of each pair belong together: (p,)."""
        return np.array([pair.related for pair in self.pairs], np.bool_)

    def of(self, split: Split) -> NDArray[np.bool_]:
        """Return which pairs belong to a split: (p,)."""
        return np.array([pair.split == split for pair in self.pairs], np.bool_)

    @cached_property
    def unseen(self) -> NDArray[np.bool_]:
        """Which test pairs are of two documents that stand in no train pair: (p,)."""
        trained = frozenset(self.trained)
        return self.of("test") & np.array([trained.isdisjoint((pair.a, pair.b)) for pair in self.pairs], np.bool_)

    @property
    def empty(self) -> list[str]:
        """The documents that have no text to compare."""
        return [document.id for document in self.documents if not document.text.strip()]

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """How many related, unrelated and left out pairs each split has."""
        return {
            split: {
                "related": sum(pair.split == split and pair.related for pair in self.pairs),
                "unrelated": sum(pair.split == split and not pair.related for pair in self.pairs),
                "left_out": sum(pair.split == split for pair in self.missing),
            }
            for split in SPLITS
        }

    @cached_property
    def judged(self) -> PairSet:
        """Only the valid and test pairs, which figures need, with the whole corpus."""
        return replace(self, pairs=[pair for pair in self.pairs if pair.split in JUDGED])

    def require_both(self, split: Split) -> None:
        """Raise EvaluationError if a split lacks related or unrelated pairs."""
        counts = self.counts[split]
        if not counts["related"] or not counts["unrelated"]:
            raise EvaluationError(
                f"Expected related and unrelated pairs of {self.name} in the split {split}, got {counts['related']} "
                f"and {counts['unrelated']}, with {counts['left_out']} left out for want of a document. "
                f"Complete {PAIRS} or {CORPUS}."
            )


def related_in(pairs: Sequence[LabelledPair], part: Split) -> tuple[dict[str, set[str]], defaultdict[str, set[str]]]:
    """Return what the part's related pairs, and those of the other parts, relate to each document.

    A ranking of the part's questions leaves the second out: an encoder may have been trained on it.
    """
    relevant: defaultdict[str, set[str]] = defaultdict(set)
    others: defaultdict[str, set[str]] = defaultdict(set)
    for pair in pairs:
        if pair.related:
            held = relevant if pair.split == part else others
            held[pair.a].add(pair.b)
            held[pair.b].add(pair.a)
    return dict(relevant), others


_BODY = Form()


def load_pair_set(path: Path, *, form: Form | None = _BODY) -> PairSet:
    """Read a pairs.tsv, or the one in a folder, with the corpus.parquet beside it; None leaves the documents whole.

    Raises EvaluationError if the corpus is missing, InputError if the table does not hold pairs.
    """
    table = path / PAIRS if path.is_dir() else path
    pairs = read_labelled_pairs(table)
    corpus = table.with_name(CORPUS)
    if not corpus.is_file():
        raise EvaluationError(
            f"Expected {CORPUS} beside {table.name} in {table.parent}; there is none. Put the pairs' documents there."
        )
    documents = [document if form is None else form.of(document) for document in read_documents(corpus)]
    held = {document.id for document in documents}
    whole = [pair for pair in pairs if pair.a in held and pair.b in held]
    return PairSet(
        name=table.resolve().parent.name,
        corpus=documents,
        pairs=whole,
        sha256={PAIRS: files.sha256_file(table), CORPUS: files.sha256_file(corpus)},
        form=form,
        missing=[pair for pair in pairs if not (pair.a in held and pair.b in held)],
        trained=frozenset(ids_in([pair for pair in pairs if pair.split == "train"])),
    )


def of_form(pairs: PairSet, form: Form) -> PairSet:
    """Return a set of whole documents with each in a form."""
    return dataclasses.replace(pairs, corpus=[form.of(document) for document in pairs.corpus], form=form)
