"""How CTPE reads a document: its settings, and the two halves that it couples (CTPE, section 3.1).

Imports without torch.

"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self, get_args

from engine.core.rows import Precision
from engine.documents import Document
from engine.documents.text import first_tokens, stretches, tokens

MEANINGFUL = "meaningful"
WHOLE_TEXT = "whole text"
_SHARE = re.compile(r"([0-9]{1,2}) ?%")
_USUAL_PERCENT = 30  # 20 to 40 % are best where a text has no structure (CTPE, table 5)
COUPLED = "coupled"
WHOLE = "whole"
SIMILARITIES = (COUPLED, WHOLE)
NAME = "ctpe"
METHOD = "ctpe/1"
SUMMARY = (
    "A trained network that reads a document as two halves, such as title and abstract, and ranks by how well one "
    "document's halves go with the other's. Choose it to find work on the same subject in other words, and to see "
    "which half met which."
)


@dataclass(frozen=True, slots=True)
class Position:
    """Where documents are cut, the paper's `pos`: after a share of the tokens, or by their structure."""

    percent: int | None = None

    def __post_init__(self) -> None:
        """Refuse a share that leaves a half empty."""
        if self.percent is not None and not 1 <= self.percent <= 99:
            raise ValueError(f"position must leave both halves some text, 1% to 99%, got {self.percent}%")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read "meaningful", or a share such as "30%". Raises ValueError for anything else."""
        if text == MEANINGFUL:
            return cls()
        share = _SHARE.fullmatch(text)
        if share is None:
            raise ValueError(f'position must be "{MEANINGFUL}" or a share of the tokens such as "30%", got {text!r}')
        return cls(int(share.group(1)))

    def __str__(self) -> str:
        """Return the text that `parse` reads."""
        return MEANINGFUL if self.percent is None else f"{self.percent}%"


@dataclass(frozen=True, slots=True)
class TextPair:
    """The former and the latter half of a document's text, with a readable name for each."""

    former: str
    latter: str
    former_name: str
    latter_name: str

    @property
    def is_whole(self) -> bool:
        """Whether both halves are the whole text, which was too short to cut."""
        return self.former_name == self.latter_name == WHOLE_TEXT


def cut_pair(document: Document, position: Position, *, whole_below_tokens: int = 0) -> TextPair:
    """Cut a document's text in two (CTPE, section 3.1); the reference list is never read.

    Papers and questions are cut into title | abstract, patents into abstract | first claim, or without claims into
    title and abstract | opening of the description. Where that leaves a half without a token, the halves are the first
    30 % of the tokens and the rest. A text that cannot be cut, or has fewer than `whole_below_tokens` tokens, is used
    whole as both halves. A document without text gives two empty halves.
    """
    if whole_below_tokens and len(first_tokens(document.text, whole_below_tokens)) < whole_below_tokens:
        return _whole(document.text)
    if position.percent is None:
        for pair in _by_structure(document):
            if first_tokens(pair.former, 1) and first_tokens(pair.latter, 1):
                return pair
    return _by_share(document.text, position.percent or _USUAL_PERCENT)


def _by_structure(document: Document) -> Iterator[TextPair]:
    """Return the pair for a document of this kind, if any."""
    if document.kind != "patent":
        yield TextPair(document.title, document.abstract, "title", "abstract")
    elif claim := document.first_claim:
        yield TextPair(document.abstract, claim, "abstract", "first claim")
    else:
        opening = "\n\n".join(section.text for section in document.sections if section.role != "references")
        front = "\n\n".join((document.title, document.abstract))
        yield TextPair(front, opening, "title and abstract", "opening of the description")


def _by_share(text: str, percent: int) -> TextPair:
    end = share_end(text, percent)
    if end is None:
        return _whole(text)
    return TextPair(text[:end], text[end:], f"first {percent} %", "rest")


def _whole(text: str) -> TextPair:
    return TextPair(text, text, WHOLE_TEXT, WHOLE_TEXT)


def share_end(text: str, percent: int) -> int | None:
    """Return where the first `percent` of a text's tokens end, in characters; a word of several tokens stays whole.

    At least one token comes before the place and one after it; None where that is impossible.
    """
    pieces = list(stretches(text))
    counts = [len(tokens(piece)) for piece in pieces]
    total = sum(counts)
    wanted = min(max(1, round(total * percent / 100)), total - 1)
    if wanted < 1:
        return None
    seen = place = 0
    for piece, count in zip(pieces, counts, strict=True):
        if seen + count < wanted:
            seen, place = seen + count, place + len(piece)
            continue
        for word in stretches(piece, 1):
            before = place if seen else None
            seen, place = seen + len(tokens(word)), place + len(word)
            if seen >= wanted:
                return place if seen < total else before
    return None


@dataclass(frozen=True, slots=True)
class CtpeSettings:
    """How a document becomes two halves, and how an index keeps them.

    `position` is the text of a Position. At most the first `max_tokens` known tokens of a half are read (l_max). A
    document of fewer than `whole_below_tokens` tokens is used whole as both halves; 0 cuts every document. A half of
    more than `part_tokens` tokens is read in even parts whose vectors at unit length are summed; 0 reads it at once.
    `stored` is a Precision.

    `similarity` is "coupled", the paper's equation 2, or "whole", the cosine of the sums of two documents' halves:
    (f + b) . (f' + b') adds the straight similarities f . f' + b . b' to the coupled ones, f . b' + b . f'.
    """

    position: str = MEANINGFUL
    max_tokens: int = 200
    whole_below_tokens: int = 0
    stored: str = "float32"
    similarity: str = COUPLED
    part_tokens: int = 0

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        Position.parse(self.position)
        if self.max_tokens < 1:
            raise ValueError(f"max_tokens must be at least 1, got {self.max_tokens}")
        if self.whole_below_tokens < 0:
            raise ValueError(f"whole_below_tokens must be 0 or more, got {self.whole_below_tokens}")
        if self.part_tokens < 0:
            raise ValueError(f"part_tokens must be 0 or more, got {self.part_tokens}")
        if self.stored not in get_args(Precision):
            raise ValueError(f"stored must be one of {', '.join(get_args(Precision))}, got {self.stored!r}")
        if self.similarity not in SIMILARITIES:
            raise ValueError(f"similarity must be one of {', '.join(SIMILARITIES)}, got {self.similarity!r}")
