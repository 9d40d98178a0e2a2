"""The default ranking of an encoded corpus with other values than searches have, for commands that choose them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.documents import Document, Hit, Kind
from engine.evaluation.systems import Encoded
from engine.library import KeywordIndex
from engine.search import Corpus, rank_all
from engine.search.settings import RankingSettings


@dataclass(frozen=True)
class TriedRanking:
    """Ranks rows of an encoder and keywords of one corpus with other `settings`; ranks each of `kinds` separately."""

    held: Encoded
    keywords: KeywordIndex
    settings: RankingSettings
    kinds: Mapping[Kind, frozenset[str]] = field(default_factory=dict)

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        """The k best hits of each query."""
        corpus = Corpus(self.held.encoder, self.held.index, self.keywords, self.kinds)
        return rank_all(queries, k, corpus, settings=self.settings)
