"""Stretches of passages as a reader would quote them: some words, some of them left out, some changed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.training.examples import Ids, Places
from engine.training.passages.cut_documents import CutDocuments
from engine.training.passages.recipe import QuoteSettings


class Stretches(NamedTuple):
    """m stretches by their tokens, and the passage of each among those that were drawn from: (m,).

    `beside` (m,) is a passage that a stretch runs on into, if it is among them, else -1.
    """

    tokens: list[Ids]
    own: Places
    beside: Places


class Quoting:
    """Draws stretches of the passages of documents."""

    def __init__(self, settings: QuoteSettings, documents: CutDocuments, continues: NDArray[np.bool_]) -> None:
        """Take what is drawn from; `continues` (v,) says which tokens of the vocabulary go on with a word."""
        self._settings, self._documents, self._continues = settings, documents, continues
        self._runs_on = documents.runs_on()
        begins = ~continues[documents.flat]
        self._whole_words = documents.flat[begins & np.append(begins[1:], True)]

    def draw(self, passages: Places, generator: np.random.Generator) -> Stretches:
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

    def _stretch(self, passage: int, generator: np.random.Generator) -> tuple[Ids, bool]:
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

    def _changed(self, tokens: Ids, generator: np.random.Generator) -> Ids:
        """The tokens with some words left out and others changed, in the recipe's share of cases."""
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
        left: Ids = tokens[kept[word] & (begins | ~other[word])]
        return left
