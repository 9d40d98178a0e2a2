"""The default ranking of an encoded corpus with other values than searches have, for commands that choose them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.documents import Document, Hit
from engine.evaluation.systems import Encoded
from engine.library import KeywordIndex
from engine.search.ranks import Tried, rank_by_both


@dataclass(frozen=True)
class TriedRanking:
    """Rows of an encoder and keywords of one corpus, fused with the values `tried`."""

    held: Encoded
    keywords: KeywordIndex
    tried: Tried

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        """The k best hits of each query."""
        by = {"encoder": self.held.encoder, "index": self.held.index, "keywords": self.keywords}
        return rank_by_both(queries, k, **by, tried=self.tried)
