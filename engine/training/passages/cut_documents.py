"""Papers and patents cut into passages by the ids of their tokens, and stretches of these as readers quote them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.core.progress import Report, silent
from engine.core.rows import Positions, TokenIds
from engine.encoders.student import StudentEncoder
from engine.search import cut_passages, passage_text
from engine.training.corpora import HeldOut, documents_of
from engine.training.passages.recipe import PassageDataSettings, QuoteSettings
from engine.training.related import pairs_in

_TEXTS_AT_ONCE = 4_096


@dataclass(frozen=True)
class CutDocuments:
    """n documents with p passages, their tokens end to end without start and end tokens.

    Passage i has flat[starts[i]:starts[i + 1]]; `parts` (p,) numbers the section that it is cut from. Document j has
    the passages firsts[j] to firsts[j + 1].
    """

    names: tuple[str, ...]
    families: tuple[str, ...]
    firsts: Positions
    flat: TokenIds
    starts: Positions
    parts: Positions

    @property
    def subjects(self) -> tuple[str, ...]:
        """The subject of each document: none has one."""
        return ("",) * len(self.names)

    @classmethod
    def of(
        cls, settings: PassageDataSettings, encoder: StudentEncoder, data: Path, *, report: Report = silent
    ) -> CutDocuments:
        """Read the documents of train pairs; no benchmark's query, copy of one, nor one of its family is among them.

        Raises InputError if a corpus or a file of pairs is missing.
        """
        paired = {name for one in settings.files for pair in pairs_in(data / one.corpus / one.pairs) for name in pair}
        held_out = HeldOut.below(data)
        names, families, counts, texts, parts = [], [], [], list[str](), list[int]()
        for _, document in documents_of(settings.corpora, data, report):
            if document.id not in paired or document in held_out:
                continue
            paired.remove(document.id)  # of two of one id the first counts
            passages = cut_passages(document, settings.words)
            names.append(document.id)
            families.append(document.family)
            counts.append(len(passages))
            texts += [passage_text(document, one) for one in passages]
            parts += [one.part for one in passages]
        flat, lengths = _tokens(texts, encoder)
        return cls(
            tuple(names), tuple(families), _ends(np.array(counts, np.int64)), flat, _ends(lengths), np.array(parts)
        )

    def passages(self, document: int) -> Positions:
        """Return the passages of a document."""
        return np.arange(self.firsts[document], self.firsts[document + 1])

    def tokens(self, passage: int) -> TokenIds:
        """Return the tokens of a passage: (t,)."""
        return self.flat[self.starts[passage] : self.starts[passage + 1]]

    def owners(self) -> Positions:
        """Return the document of each passage: (p,)."""
        return np.repeat(np.arange(len(self.names)), np.diff(self.firsts))

    def runs_on(self) -> NDArray[np.bool_]:
        """Tell whether the next passage goes on with the section of each: (p,)."""
        section = self.owners() * (int(self.parts.max(initial=0)) + 1) + self.parts
        return np.append(section[1:] == section[:-1], False)


def _tokens(texts: list[str], encoder: StudentEncoder) -> tuple[TokenIds, Positions]:
    """Return the tokens of texts end to end, without what begins and ends each, and how many each has."""
    found: list[TokenIds] = []
    for first in range(0, len(texts), _TEXTS_AT_ONCE):
        read = encoder.tokens(texts[first : first + _TEXTS_AT_ONCE])
        found += [np.array(ids[1:-1], np.int32) for ids in read]
    return np.concatenate([np.zeros(0, np.int32), *found]), np.array([len(ids) for ids in found], np.int64)


def _ends(counts: Positions) -> Positions:
    """0 and the sums of the first counts: (n + 1,)."""
    return np.concatenate([[0], counts.cumsum()])


class Stretches(NamedTuple):
    """m stretches by their tokens, and the passage of each among those that were drawn from: (m,).

    `beside` (m,) is a passage that a stretch runs on into, if it is among them, else -1.
    """

    tokens: list[TokenIds]
    own: Positions
    beside: Positions


class Quoting:
    """Draws stretches of the passages of documents."""

    def __init__(self, settings: QuoteSettings, documents: CutDocuments, continues: NDArray[np.bool_]) -> None:
        """Take what is drawn from; `continues` (v,) says which tokens of the vocabulary go on with a word."""
        self._settings, self._documents, self._continues = settings, documents, continues
        self._runs_on = documents.runs_on()
        begins = ~continues[documents.flat]
        self._whole_words = documents.flat[begins & np.append(begins[1:], True)]

    def draw(self, passages: Positions, generator: np.random.Generator) -> Stretches:
        """Stretches of as many of the passages (n,) as the recipe says; at least half of one lies in its passage."""
        wanted = min(self._settings.spans, len(passages))
        own = generator.choice(len(passages), wanted, replace=False)
        place_of = {int(passage): place for place, passage in enumerate(passages)}
        found, beside = [], []
        for place in own.tolist():
            passage = int(passages[place])
            tokens, runs_over = self._stretch(passage, generator)
            found.append(self._changed(tokens, generator))
            beside.append(place_of.get(passage + 1, -1) if runs_over else -1)
        return Stretches(found, own, np.array(beside, np.int64))

    def _stretch(self, passage: int, generator: np.random.Generator) -> tuple[TokenIds, bool]:
        """Some words of a passage, and whether they run on into the next."""
        settings, tokens = self._settings, self._documents.tokens(passage)
        inside = int((~self._continues[tokens]).sum())
        if self._runs_on[passage]:
            tokens = np.concatenate([tokens, self._documents.tokens(passage + 1)])
        begins = np.flatnonzero(~self._continues[tokens])
        length = min(round(float(np.exp(generator.uniform(*np.log([settings.fewest, settings.most]))))), inside)
        first = int(generator.integers(max(1, min(inside - (length + 1) // 2, len(begins) - length) + 1)))
        ends = np.append(begins, len(tokens))
        last = min(first + length, len(begins))
        return tokens[ends[first] : ends[last]], last > inside

    def _changed(self, tokens: TokenIds, generator: np.random.Generator) -> TokenIds:
        """Return the tokens with some words left out and others changed, in the recipe's share of cases."""
        settings = self._settings
        if generator.random() >= settings.changed:
            return tokens
        begins = ~self._continues[tokens]
        begins[:1] = True
        word = begins.cumsum() - 1  # the word of each token
        drops, changes = generator.uniform(0, [settings.dropped, settings.replaced])
        drawn = generator.random((2, int(word[-1]) + 1))
        kept, other = drawn[0] >= drops, drawn[1] < changes
        if not kept.any():
            return tokens
        tokens = tokens.copy()
        places = np.flatnonzero(begins & other[word])
        tokens[places] = generator.choice(self._whole_words, len(places))
        left: TokenIds = tokens[kept[word] & (begins | ~other[word])]
        return left
