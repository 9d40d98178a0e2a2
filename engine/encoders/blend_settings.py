"""The blend's name, parts and weights; imports without torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from engine.core.rows import Precision
from engine.documents.questions import SHORT_BELOW_TOKENS
from engine.encoders.student import settings as student

NAME, LARGE = "blend", "blend-large"
METHOD = "blend/1"
SUMMARY = (
    "CTPE and a small transformer side by side: the first knows what papers and patents of its fields are about, the "
    "second reads short questions and any field. Choose it where the wording differs, whatever the field."
)
LARGE_SUMMARY = (
    "CTPE and a transformer of six layers side by side: by meaning alone it finds more than Blend for passages that "
    "cite, together with keywords no more, and takes several times as long to read a library. Choose it to rank "
    "by meaning alone what a passage cites, where you can wait for that."
)
_SUMMARIES = {NAME: SUMMARY, LARGE: LARGE_SUMMARY}


@dataclass(frozen=True, slots=True)
class BlendSettings:
    """Which two encoders, and the weight of the coupled one beside the general one's 1.

    `weight` holds in the rows of documents and for a patent that asks. For a question of fewer than
    `short_below_tokens` tokens, which lacks two halves, the coupled encoder counts `short_weight`, for a longer passage
    that cites works `passage_weight`, for any other text that asks, such as a paper, `paper_weight`; None counts as
    `weight`. `stored` is a Precision.
    """

    coupled: str = "ctpe"
    general: str = "student"
    weight: float = 1.0
    short_weight: float = 0.25
    short_below_tokens: int = SHORT_BELOW_TOKENS
    passage_weight: float | None = None
    paper_weight: float | None = None
    stored: str = "int8"

    @property
    def of_passages(self) -> float:
        """What the coupled encoder counts for a passage that cites works."""
        return self.weight if self.passage_weight is None else self.passage_weight

    @property
    def of_papers(self) -> float:
        """What it counts for a paper, and for a text of neither kind."""
        return self.weight if self.paper_weight is None else self.paper_weight

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        rules = (
            (self.weight > 0, f"weight must be above 0, got {self.weight}"),
            (self.short_weight >= 0, f"short_weight must not be negative, got {self.short_weight}"),
            (self.short_below_tokens >= 0, f"short_below_tokens must not be negative, got {self.short_below_tokens}"),
            ((self.passage_weight or 0) >= 0, f"passage_weight must not be negative, got {self.passage_weight}"),
            ((self.paper_weight or 0) >= 0, f"paper_weight must not be negative, got {self.paper_weight}"),
            (self.coupled != self.general, f"coupled and general must be two folders, got {self.coupled!r} twice"),
            (self.stored in get_args(Precision), f"stored must be one of {', '.join(get_args(Precision))}"),
        )
        if broken := "; ".join(text for holds, text in rules if not holds):
            raise ValueError(broken)


def name_of(general: str) -> str:
    """Return the name of the blend with this general encoder."""
    return LARGE if general == student.LARGE else NAME


def summary_of(name: str) -> str:
    """Return the summary of the blend of this name."""
    return _SUMMARIES.get(name, SUMMARY)
