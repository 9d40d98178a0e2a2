"""The words or letter trigrams that a matcher knows, and how it reads a document by them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import EncoderError
from engine.documents import Document
from engine.documents import text as texts
from engine.documents.text import first_tokens
from engine.encoders import most_frequent, trigrams
from engine.encoders.masked_texts import Read
from engine.research.matchers.settings import Kind, MatcherSettings

Numbers = list[list[int]]


@dataclass(frozen=True)
class Lexicon:
    """The words (V,) with their frozen vectors (V, d), or the trigrams (V,) without any."""

    words: Sequence[str]
    vectors: NDArray[np.float16] | None = None
    number_of: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Number the words. Raises EncoderError if there is not one vector for each."""
        if self.vectors is not None and (self.vectors.ndim != 2 or len(self.vectors) != len(self.words)):
            raise EncoderError(
                f"Expected one vector for each of {len(self.words)} words, got {self.vectors.shape}. "
                "Give them in the order of the words."
            )
        object.__setattr__(self, "number_of", {word: number for number, word in enumerate(self.words)})

    def read(self, document: Document, kind: Kind, settings: MatcherSettings) -> Read:
        """The known words or trigrams of a document's first words, in rows as a kind reads them."""
        found = sentences_of(document, settings.max_words)
        if self.vectors is None:
            return self._counted(found)
        known = [[self.number_of[word] for word in one if word in self.number_of] for one in found]
        return Read.of(_ROWS.get(kind, _as_one)(known, settings.row_words))

    def _counted(self, sentences: Iterable[Sequence[str]]) -> Read:
        """Each known trigram once; it counts ln(1 + how often it occurs), the document at unit length."""
        counts = Counter(
            self.number_of[one]
            for words in sentences
            for word in words
            for one in trigrams(word)
            if one in self.number_of
        )
        numbers = sorted(counts)
        weights = np.log1p(np.array([counts[number] for number in numbers], np.float32))
        lengths = [len(numbers)] if numbers else []
        unit = weights / max(float(np.linalg.norm(weights)), 1e-12)
        return Read(np.array(numbers, np.int32), np.array(lengths, np.int64), unit.astype(np.float32))


def frequent_trigrams(documents: Iterable[Document], settings: MatcherSettings) -> tuple[str, ...]:
    """The trigrams that occur in most documents, in the words that are read; at most as many as the settings say."""
    seen: Counter[str] = Counter()
    for document in documents:
        sentences = sentences_of(document, settings.max_words)
        seen.update({one for words in sentences for word in words for one in trigrams(word)})
    return most_frequent(seen, settings.trigrams)


def sentences_of(document: Document, max_words: int) -> list[list[str]]:
    """The first `max_words` words of a document's text in sentences; reads little of the text after them."""
    text = document.text
    found: list[list[str]] = []
    left = max_words
    for span in texts.sentences(text):
        words = first_tokens(text[span.start : span.stop], left)
        found.append(words)
        left -= len(words)
        if not left:
            break
    return found


def _as_one(sentences: Numbers, row_words: int) -> Numbers:
    """All words in one row."""
    del row_words
    return [[number for one in sentences for number in one]]


def _as_sentences(sentences: Numbers, row_words: int) -> Numbers:
    """A row a sentence; a longer one is several."""
    return [one[start : start + row_words] for one in sentences for start in range(0, len(one), row_words)]


def _as_blocks(sentences: Numbers, row_words: int) -> Numbers:
    """Rows filled with whole sentences as long as they fit (SMITH, section 3.1)."""
    rows: Numbers = []
    for one in _as_sentences(sentences, row_words):
        if rows and len(rows[-1]) + len(one) <= row_words:
            rows[-1] = rows[-1] + one
        else:
            rows.append(one)
    return rows


_ROWS: dict[Kind, Callable[[Numbers, int], Numbers]] = {"han": _as_sentences, "smith": _as_blocks}
