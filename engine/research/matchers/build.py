"""A matcher's network by its kind."""

from __future__ import annotations

from collections.abc import Callable

from engine.encoders import drawn_by
from engine.research.matchers.arc_i import ArcI
from engine.research.matchers.dssm import Dssm
from engine.research.matchers.han import Han
from engine.research.matchers.lexicon import Lexicon
from engine.research.matchers.network import FrozenWords, MatcherNetwork
from engine.research.matchers.s_long import SLong
from engine.research.matchers.settings import Kind, MatcherSettings
from engine.research.matchers.smith import Smith

_OF_WORDS: dict[Kind, Callable[[FrozenWords, MatcherSettings], MatcherNetwork]] = {
    "arc-i": ArcI,
    "han": Han,
    "smith": Smith,
    "s-long": SLong,
}


def build(kind: Kind, settings: MatcherSettings, lexicon: Lexicon, *, seed: int = 0) -> MatcherNetwork:
    """An untrained network that reads by a lexicon; its weights follow from the seed, torch's own is left alone."""
    with drawn_by(seed):
        if lexicon.vectors is None:
            return Dssm(len(lexicon.words), settings)
        return _OF_WORDS[kind](FrozenWords(lexicon.vectors), settings)
