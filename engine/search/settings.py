"""Every value in the default ranking; to try another, pass other settings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Blind:
    """Blind feedback: how many of the first documents a question moves towards, and how far (Rocchio's beta).

    Chosen on the valid queries of six benchmarks (engine/research/reports/blind-feedback.md).
    """

    documents: int = 3
    beta: float = 0.5


@dataclass(frozen=True, slots=True)
class RankingSettings:
    """The values that a search, its evaluation and every trial read; the defaults are shipped.

    `depth` is how many documents of each list are fused. `citing_times` is how often a word counts in a sentence that
    cites, where the question is a passage of a paper: such a sentence says what the cited work is about
    (engine/research/reports/citing-passages.json). `sharpness` is the power to which a kind's share is taken; 1.5 is
    best in the mean on valid queries (engine/research/reports/kinds.json). `stemmed` says whether words match in all
    their forms; None lets the question decide (`queries.asks_by_stems`). `keyword_weight` and, for passages that cite,
    `passage_weight` are the weights of keywords beside the encoder's 1; None takes them from the encoder's entry
    (`engine.encoders.registry.Entry`). Where passages are matched (`engine.search.passages`), scores are compared by
    their spreads: keywords weigh `spread_weight` and passages `matched_weight`; of each list, `candidates` documents at
    most are matched (engine/research/reports/full-texts-acl-long-passages.md).
    """

    depth: int = 200
    blind: Blind = Blind()
    citing_times: int = 4
    sharpness: float = 2.0
    stemmed: bool | None = None
    keyword_weight: float | None = None
    passage_weight: float | None = None
    spread_weight: float = 1.0
    matched_weight: float = 2.0
    candidates: int = 500


SHIPPED = RankingSettings()
