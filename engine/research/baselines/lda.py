"""LDA: the share of each topic in a document, the topics learned from the corpus by gensim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import NotFittedError, StorageError
from engine.core.rows import DenseRows, unit_length
from engine.documents import Document, text
from engine.encoders import EncoderCard, storage
from engine.encoders.base import FittedEncoder

if TYPE_CHECKING:
    from gensim.models import LdaModel

METHOD = "lda/2"
NAME = "lda"
SUMMARY = "How much of each of 100 topics a text holds. It stands in tables as a baseline; LSA finds more."
TOPICS = 100
DOCUMENTS_A_TOPIC = 10
_DOCUMENTS_WITH_WORD = 2
_SHARE_WITH_WORD = 0.5  # a word in more documents than that tells no topic
_KEEP_WORDS = 50_000
_DOCUMENTS_AT_ONCE = 2_000
_SEED = 1

Bag = list[tuple[int, int]]
"""Numbers of words with how often each occurs in a text."""


@dataclass(frozen=True, slots=True)
class LdaSettings:
    """How often the corpus is read, and how often at most the shares of one document are drawn nearer.

    With `every_word` it also learns from function words, words of one document and words of more than half of all.
    """

    passes: int = 5
    iterations: int = 100
    every_word: bool = False

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        if min(self.passes, self.iterations) < 1:
            raise ValueError(f"passes and iterations must be at least 1, got {self.passes} and {self.iterations}")

    def tokens(self, document: Document) -> list[str]:
        """Return the words of a document that may be learnt from."""
        return text.tokens(document.text) if self.every_word else text.content_tokens(document.text)


USUAL, OF_CTPE = LdaSettings(), LdaSettings(passes=1, every_word=True)
"""Ours, and those of CTPE's tables: 100 iterations, and gensim's own settings otherwise (section 4.3)."""


class LdaEncoder(FittedEncoder):
    """Unit-length topic shares (Blei et al., 2003; gensim's online inference, Hoffman et al., 2010).

    A corpus of fewer than 1,000 documents has one topic for ten of them, because more cannot be told apart.
    A text without a known word has a row of zeros.
    """

    def __init__(
        self,
        words: Sequence[str],
        topics: NDArray[np.float32],
        prior: NDArray[np.float32],
        settings: LdaSettings = USUAL,
    ) -> None:
        """Take the words (V), exp(E[log beta]) of each topic (k, V) and the prior of the topics' shares (k,)."""
        self._settings = settings
        self._arrays = {"topics": np.ascontiguousarray(topics), "prior": prior}
        self._words = list(words)
        self._number = {word: number for number, word in enumerate(words)}
        self._model = _model(words, topics, prior, settings.iterations)
        fingerprint = storage.fingerprint_of(METHOD, self._arrays, self._words, settings=asdict(settings))
        self._card = EncoderCard(NAME, SUMMARY, len(topics), fingerprint)

    @property
    def card(self) -> EncoderCard:
        """What this encoder is."""
        return self._card

    @classmethod
    def fit(cls, documents: Sequence[Document], settings: LdaSettings = USUAL) -> Self:
        """Learn topics from a corpus. Raises NotFittedError if it holds no word.

        One worker and a fixed seed: the same corpus gives the same topics.
        """
        counted = [Counter(settings.tokens(document)) for document in documents]
        words = _words_to_keep(counted, every_word=settings.every_word)
        number = {word: place for place, word in enumerate(words)}
        topics = max(2, min(TOPICS, len(documents) // DOCUMENTS_A_TOPIC))
        model = _gensim()(
            [_bag(counts, number) for counts in counted],
            id2word=dict(enumerate(words)),
            num_topics=topics,
            chunksize=_DOCUMENTS_AT_ONCE,
            passes=settings.passes,
            iterations=settings.iterations,
            eval_every=None,
            random_state=_SEED,
        )
        return cls(words, model.expElogbeta, model.alpha, settings)

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents of the corpus: (n, dim)."""
        rows = np.zeros((len(documents), self.card.dim), np.float32)
        for place, document in enumerate(documents):
            bag = _bag(Counter(self._settings.tokens(document)), self._number)
            if bag:
                # inference starts from drawn shares: the same for each document, so that a batch does not matter
                self._model.random_state.seed(_SEED)
                rows[place] = self._model.inference([bag])[0][0]
        return unit_length(rows)

    def save(self, folder: Path) -> None:
        """Write the encoder into `folder`, atomically."""
        facts = {storage.SETTINGS: asdict(self._settings)}
        storage.write(folder, method=METHOD, card=self.card, arrays=self._arrays, words=self._words, facts=facts)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError if the folder is damaged or foreign."""
        with storage.opening(folder, "LDA", METHOD) as opened:
            settings = opened.settings_as(LdaSettings)
            stored = opened.read({"topics": 2, "prior": 1})
        topics, prior = stored.arrays["topics"], stored.arrays["prior"]
        if topics.shape != (len(prior), len(stored.words)):
            raise StorageError(
                f"Expected topics of {len(prior)} by {len(stored.words)} in {folder}, found {topics.shape[0]} by "
                f"{topics.shape[1]}. Build the folder again."
            )
        return cls(stored.words, topics, prior, settings)


def _words_to_keep(counted: Sequence[Counter[str]], *, every_word: bool) -> list[str]:
    """Return words in two documents or more and in at most half of them, the most frequent 50,000, alphabetically.

    With `every_word` those of one document or of more than half of them, too.

    Raises NotFittedError if nothing is left.
    """
    documents_with = Counter(word for counts in counted for word in counts)
    most = max(_DOCUMENTS_WITH_WORD, _SHARE_WITH_WORD * len(counted))
    kept = [word for word, count in documents_with.items() if every_word or _DOCUMENTS_WITH_WORD <= count <= most]
    if not kept:
        raise NotFittedError(
            "Expected documents with words to learn from, of which two share one; got none. Import documents first."
        )
    return sorted(sorted(kept, key=lambda word: (-documents_with[word], word))[:_KEEP_WORDS])


def _bag(counts: Counter[str], number: dict[str, int]) -> Bag:
    return sorted((number[word], count) for word, count in counts.items() if word in number)


def _model(words: Sequence[str], topics: NDArray[np.float32], prior: NDArray[np.float32], iterations: int) -> LdaModel:
    """Return gensim's model that infers shares with topics that were learned before."""
    known = {"id2word": dict(enumerate(words)), "num_topics": len(topics), "alpha": prior}
    model = _gensim()(**known, iterations=iterations, random_state=_SEED)
    model.expElogbeta = topics
    return model


def _gensim() -> Any:  # noqa: ANN401  gensim is untyped
    """Return gensim's class, which is slow to import."""
    from gensim.models import LdaModel

    return LdaModel
