"""A CoLDE encoder's name and how it reads a document; imports without torch."""

from __future__ import annotations

from dataclasses import dataclass

NAME = "colde"
METHOD = "colde/1"
SUMMARY = (
    "A trained transformer that reads a long document whole, in chunks and sections, and compares two of them at three "
    "levels: document, section and chunk. Choose it to compare two long documents; it is slow on a whole library."
)

POOLINGS = ("mean", "first")
AGGREGATIONS = ("lstm", "mean")
FASTEST = "fastest"
PRECISIONS = (FASTEST, "float32", "bfloat16")


@dataclass(frozen=True, slots=True)
class ColdeSettings:
    """How a document is cut, numbered and read (CoLDE, sections 3.1 and 3.2).

    A chunk has at most `chunk_tokens` tokens, including the transformer's start and end tokens, and ends with a
    sentence where `whole_sentences`. Its vector reflects which of `sections` equal stretches of the document holds it;
    1 numbers all chunks in a row, as the paper's test does. The embeddings distinguish `section_numbers` sections and
    `chunk_numbers` chunks. `pooling` makes a chunk's vector: the mean of its tokens or the first. The head has `heads`
    of attention, a BiLSTM of `lstm_dim` numbers over both directions, and vectors of `dim`; `aggregation`, `skip` and
    `space_dim` are described at ColdeHead, `late_share` and `late_best` at Levels. `precision` "fastest" is bfloat16
    where the processor has it.
    """

    chunk_tokens: int = 256
    whole_sentences: bool = True
    sections: int = 1
    section_numbers: int = 5
    chunk_numbers: int = 64
    pooling: str = "mean"
    heads: int = 4
    lstm_dim: int = 512
    dim: int = 256
    aggregation: str = "lstm"
    skip: bool = False
    space_dim: int = 0
    late_share: float = 0.0
    late_best: float = 1.0
    precision: str = FASTEST

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        for name in ("chunk_tokens", "sections", "section_numbers", "chunk_numbers", "heads", "dim"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)}")
        if self.sections > self.section_numbers:
            raise ValueError(f"sections must be at most section_numbers, {self.section_numbers}, got {self.sections}")
        if self.lstm_dim < 2 or self.lstm_dim % 2:
            raise ValueError(f"lstm_dim must be an even number from 2 on, got {self.lstm_dim}")
        if self.space_dim < 0:
            raise ValueError(f"space_dim must be 0 or more, got {self.space_dim}")
        if not 0 <= self.late_share <= 1:
            raise ValueError(f"late_share must be a share from 0 to 1, got {self.late_share}")
        if not 0 < self.late_best <= 1:
            raise ValueError(f"late_best must be a share above 0 and up to 1, got {self.late_best}")
        for name, known in (("pooling", POOLINGS), ("aggregation", AGGREGATIONS), ("precision", PRECISIONS)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name} must be one of {', '.join(known)}, got {getattr(self, name)!r}")
