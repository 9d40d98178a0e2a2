"""The text of a document by which a pair is told, and the changes to it that a method should withstand."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass

import numpy as np

from engine.core import files
from engine.core.errors import EvaluationError
from engine.documents import Document, Section, text
from engine.training.long_corpus import body_of

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
        """What is compared of a document."""
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
    """Sections up to the last white space before token number `most` + 1; none is left empty."""
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
    """The longest start of a text, up to white space, that holds at most `most` tokens.

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
