"""Word vectors from raw text: gensim's skip-gram over the tokens of many documents."""

from __future__ import annotations

import logging
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import MissingExtraError, NotFittedError
from engine.core.progress import Meter, Report, silent
from engine.documents import text
from engine.training.settings import WordsRecipe, at_least

if TYPE_CHECKING:
    from gensim.models import Word2Vec

_LOG = logging.getLogger(__name__)
_LONGEST_LINE_TOKENS = 10_000  # gensim cuts a longer line without a word
_PIECES = 500_000  # places that pieces of words are hashed to
REPEATABLE = "With more than one worker two runs of the same recipe differ slightly."


@dataclass(frozen=True, slots=True)
class Word2vecRecipe(WordsRecipe):
    """How word vectors are trained (CTPE, section 4.1: skip-gram, 100 dimensions, window 10).

    With `subwords` a word is the sum of its pieces of three to six letters (Bojanowski et al., TACL 2017, section 3.2),
    so that words too rare to be trained are kept as well, by their pieces alone.
    """

    method: Literal["word2vec"] = "word2vec"
    negatives: int = at_least(1, 5)
    min_count: int = at_least(1, 5)
    subsample: float = 1e-3
    keep_words: int = at_least(1, 90_000)
    subwords: bool = False
    workers: int = at_least(1, 2)
    seed: int = 1


@dataclass(frozen=True, slots=True)
class TrainedWords:
    """Trained word vectors, the most frequent word first: words (V), counts (V,), vectors (V, dim)."""

    words: list[str]
    counts: NDArray[np.int64]
    vectors: NDArray[np.float32]
    documents: int
    tokens: int
    seconds: float


def train(texts: Iterable[str], recipe: Word2vecRecipe, *, report: Report = silent) -> TrainedWords:
    """Train word vectors on texts, one document each, in bounded memory.

    The tokens go through a temporary file, one document a line, because gensim's workers read a
    file in parallel without Python's lock. One worker gives the same vectors again; more than one
    makes two runs differ slightly. Raises NotFittedError if no word comes up often enough,
    MissingExtraError where gensim is not installed.
    """
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus.txt"
        documents, seen = _write_corpus(texts, corpus)
        _LOG.info("%d documents, %d tokens, in %.0f s", documents, seen.total(), time.monotonic() - started)
        model = _fit(corpus, recipe, report)
    words = list(model.wv.index_to_key)
    if recipe.subwords:
        words += sorted(seen.keys() - set(words), key=lambda word: (-seen[word], word))
    words = words[: recipe.keep_words]
    counts = np.array([seen[word] for word in words], dtype=np.int64)
    vectors = np.stack([model.wv[word] for word in words]).astype(np.float32)  # (V, dim)
    return TrainedWords(words, counts, vectors, documents, seen.total(), time.monotonic() - started)


def _fit(corpus: Path, recipe: Word2vecRecipe, report: Report) -> Word2Vec:
    """Train gensim's model on a file with one document a line."""
    try:
        from gensim.models import FastText, Word2Vec  # slow to import
    except ModuleNotFoundError:
        raise MissingExtraError(
            "Expected gensim, which trains word vectors; it is not installed. Run: pip install 'priorscope[train]'"
        ) from None
    kind = partial(FastText, min_n=3, max_n=6, bucket=_PIECES) if recipe.subwords else Word2Vec
    model = kind(
        vector_size=recipe.dim,
        window=recipe.window,
        sg=1,
        negative=recipe.negatives,
        epochs=recipe.epochs,
        min_count=recipe.min_count,
        sample=recipe.subsample,
        workers=recipe.workers,
        seed=recipe.seed,
    )
    model.build_vocab(corpus_file=str(corpus))
    if not len(model.wv):
        raise NotFittedError(
            f"Expected words that occur at least {recipe.min_count} times to train on, got none. Give more text."
        )
    model.train(
        corpus_file=str(corpus),
        total_examples=model.corpus_count,
        total_words=model.corpus_total_words,
        epochs=recipe.epochs,
        callbacks=[_Epochs(Meter("train, epochs", recipe.epochs, report))],
    )
    return model


class _Epochs:
    """Tells a meter when gensim has been through the text once more; gensim asks for all four methods."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter

    def on_train_begin(self, _: Word2Vec) -> None:
        pass

    def on_epoch_begin(self, _: Word2Vec) -> None:
        pass

    def on_epoch_end(self, _: Word2Vec) -> None:
        self._meter.add()

    def on_train_end(self, _: Word2Vec) -> None:
        self._meter.finish()


def _write_corpus(texts: Iterable[str], path: Path) -> tuple[int, Counter[str]]:
    """Write one line of tokens a document; returns the number of documents and each word's count."""
    documents = 0
    seen: Counter[str] = Counter()
    with path.open("w", encoding="utf-8") as file:
        for words in _lines(texts):
            file.write(" ".join(words) + "\n")
            seen.update(words)
            documents += 1
    return documents, seen


def _lines(texts: Iterable[str]) -> Iterator[list[str]]:
    for document in texts:
        words = text.tokens(document)
        for first in range(0, len(words), _LONGEST_LINE_TOKENS):
            yield words[first : first + _LONGEST_LINE_TOKENS]
