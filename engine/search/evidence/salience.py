"""Which sentences of a document to read first: KeyVec's p, what a sentence shares with the others, and how it looks.

The features are weighed by a logistic regression. Its weights, like those of key words, stand in a JSON file beside the
module that computes the features.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.documents import Document
from engine.documents.text import content_tokens, singular, tokens
from engine.encoders.keyvec import Salience
from engine.search.boilerplate import is_stock
from engine.search.vocabulary import Vocabulary

FILE = Path(__file__).with_name("salience.json")
FEATURES = ("KeyVec", "centrality", "position", "opens a section", "we", "a result", "words", "digits", "capitals")
_LEAST = 1e-6
_WE = re.compile(
    r"\b(?:we|our|this (?:paper|study|work|article|invention)|present invention|conclusions?|conclude|in summary)\b",
    re.IGNORECASE,
)
_RESULT = re.compile(
    r"\b(?:in this (?:paper|study|work|article)|our (?:results|findings|approach|method)|"
    r"we (?:propose|present|show|introduce|describe|demonstrate|find|found|develop|evaluate)|"
    r"the (?:present )?invention (?:provides|relates)|results (?:show|suggest|indicate))",
    re.IGNORECASE,
)

SentenceScores = NDArray[np.float64]


def sentence_weights(kind: str) -> Regression:
    """Return the weights that `python -m engine.research salience --fit` chose for a kind of document on valid ones.

    Features have mean 0 and spread 1 within each document.
    """
    return Regression.shipped(FILE, kind, FEATURES)


def reread(
    documents: Sequence[Document], found: Sequence[Salience], vocabulary: Vocabulary, mix: Regression | None = None
) -> list[Salience]:
    """Return what KeyVec says of documents, with p weighed again and without boilerplate.

    `mix` are other weights to try.
    """
    kept = []
    for document, said in zip(documents, map(without_stock, found), strict=True):
        if said.sentences:
            weights = mix or sentence_weights(kind_of(document, said))
            said = replace(said, p=weights.p(sentence_features(said, vocabulary)))
        kept.append(said)
    return kept


def sentence_features(said: Salience, vocabulary: Vocabulary) -> SentenceScores:
    """Return the features (m, F) of a document's sentences; the position is minus the log of the place."""
    p = np.clip(said.p.astype(np.float64), _LEAST, 1 - _LEAST)
    texts = [one.text for one in said.sentences]
    parts = [one.part for one in said.sentences]
    columns = (
        np.log(p / (1 - p)),
        centrality(texts, vocabulary),
        -np.log1p(np.arange(len(p))),
        [place == 0 or part != parts[place - 1] for place, part in enumerate(parts)],
        [_WE.search(text) is not None for text in texts],
        [_RESULT.search(text) is not None for text in texts],
        [math.log1p(len(tokens(text))) for text in texts],
        [sum(map(str.isdigit, text)) / len(text) for text in texts],
        [sum(map(str.isupper, text)) / len(text) for text in texts],
    )
    return np.stack([_standard(np.array(column, np.float64)) for column in columns], axis=1)


def centrality(texts: Sequence[str], vocabulary: Vocabulary) -> SentenceScores:
    """Return each sentence's cosine with the sum of all: (m,), by TF-IDF with a vocabulary's rareness."""
    rows = [_row(text, vocabulary) for text in texts]
    whole: Counter[str] = Counter()
    for row in rows:
        whole.update(row)
    length = math.sqrt(sum(value * value for value in whole.values())) or 1.0
    return np.array([sum(value * whole[word] for word, value in row.items()) / length for row in rows])


def without_stock(said: Salience) -> Salience:
    """Return what KeyVec says, without the sentences that stand in half of all papers or patents."""
    kept = [place for place, one in enumerate(said.sentences) if not is_stock(one.text, set(tokens(one.text)))]
    return replace(said, sentences=tuple(said.sentences[place] for place in kept), p=said.p[kept])


def kind_of(document: Document, said: Salience) -> str:
    """Return which weights a document has: "patent", "abstract" if only its abstract is weighed, else "paper"."""
    if document.kind == "patent":
        return "patent"
    return "abstract" if document.parts[said.sentences[0].part].role == "abstract" else "paper"


def _row(text: str, vocabulary: Vocabulary) -> Mapping[str, float]:
    """Return a sentence's words with (1 + ln n) idf, at unit length."""
    counts = Counter(map(singular, content_tokens(text)))
    row = {word: (1 + math.log(count)) * vocabulary.idf(word) for word, count in counts.items()}
    length = math.sqrt(sum(value * value for value in row.values())) or 1.0
    return {word: value / length for word, value in row.items()}


def _standard(column: SentenceScores) -> SentenceScores:
    spread = float(column.std())
    return np.asarray((column - column.mean()) / spread) if spread > 0 else np.zeros(len(column))


# Weights --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Regression:
    """Weights `of` (F,) features, and an `intercept`."""

    of: NDArray[np.float64]
    intercept: float

    @classmethod
    def shipped(cls, path: Path, name: str, features: Sequence[str]) -> Self:
        """Return the weights of some features by a name in a file."""
        held = _content(path)[name]
        return cls(np.array([held["weights"][feature] for feature in features]), float(held["intercept"]))

    def log_odds(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the log-odds (n,) of rows of features (n, F)."""
        return np.asarray(rows @ self.of + self.intercept)

    def p(self, rows: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return the probability (n,) of rows of features (n, F)."""
        return np.asarray(1 / (1 + np.exp(-self.log_odds(rows))), np.float32)


@lru_cache
def _content(path: Path) -> Mapping[str, Any]:
    content: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
    return content
