"""Doc2vec: a vector that helps to guess each word of a document from its neighbours (PV-DM), learned by gensim."""

from __future__ import annotations

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
    from gensim.models import Doc2Vec

METHOD = "doc2vec/3"
NAME = "doc2vec"
SUMMARY = "Vectors that guess a text's words from their neighbours. It stands in tables as a baseline."
DIMENSIONS = 100
_LEAST_COUNT = 2
_INFERENCE_STEPS = 2_000  # a query of ten words has moved little after 20 epochs, an abstract needs no more
_LEAST_EPOCHS, _MOST_EPOCHS = 20, 100
_ALPHA, _LAST_ALPHA = 0.025, 0.0001
_LONGEST_TEXT_TOKENS = 10_000  # gensim reads no more of a text, and says nothing
_SEED = 1


@dataclass(frozen=True, slots=True)
class Doc2vecSettings:
    """How far the words lie that help to guess one, and how often the corpus is read."""

    window: int = 5
    epochs: int = 20

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        if min(self.window, self.epochs) < 1:
            raise ValueError(f"window and epochs must be at least 1, got {self.window} and {self.epochs}")


USUAL, OF_CTPE = Doc2vecSettings(), Doc2vecSettings(window=10, epochs=50)
"""Ours, and those of CTPE's tables (section 4.3)."""


class Doc2vecEncoder(FittedEncoder):
    """Unit-length paragraph vectors, PV-DM (Le and Mikolov, 2014), inferred for queries and documents alike.

    The vectors that training made for its own documents are not used: a document has the same row whether it was
    learned from or not. A text without a known word has a row of zeros.
    """

    def __init__(
        self,
        words: Sequence[str],
        counts: NDArray[np.int64],
        vectors: NDArray[np.float32],
        outputs: NDArray[np.float32],
        settings: Doc2vecSettings = USUAL,
    ) -> None:
        """Take the words (V), their counts (V,), vectors (V, dim) and the weights that predict them (V, dim)."""
        self._settings = settings
        self._arrays: dict[str, NDArray[Any]] = {"counts": counts, "outputs": outputs, "vectors": vectors}
        self._words = list(words)
        self._model = _model(self._words, counts, vectors, outputs, settings=settings)
        fingerprint = storage.fingerprint_of(METHOD, self._arrays, self._words, settings=asdict(settings))
        self._card = EncoderCard(NAME, SUMMARY, vectors.shape[1], fingerprint, max_tokens=_LONGEST_TEXT_TOKENS)

    @property
    def card(self) -> EncoderCard:
        """What this encoder is."""
        return self._card

    @classmethod
    def fit(cls, documents: Sequence[Document], settings: Doc2vecSettings = USUAL) -> Self:
        """Learn from a corpus. Raises NotFittedError if no word comes up twice.

        One worker and a fixed seed: the same corpus gives the same vectors.
        """
        model = _empty_model(settings)
        from gensim.models.doc2vec import TaggedDocument

        tagged = [TaggedDocument(_tokens(document), [place]) for place, document in enumerate(documents)]
        if tagged:
            model.build_vocab(tagged)
        if not len(model.wv):
            raise NotFittedError(
                f"Expected documents with words to learn from, one of them {_LEAST_COUNT} times; got none. "
                "Import documents first."
            )
        model.train(tagged, total_examples=model.corpus_count, epochs=settings.epochs)
        words = list(model.wv.index_to_key)
        counts = np.array([model.wv.get_vecattr(word, "count") for word in words], np.int64)
        return cls(words, counts, model.wv.vectors, model.syn1neg, settings)

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents of the corpus: (n, dim)."""
        rows = np.zeros((len(documents), self.card.dim), np.float32)
        for place, document in enumerate(documents):
            known = [word for word in _tokens(document) if word in self._model.wv.key_to_index]
            if known:
                rows[place] = _infer(self._model, known)
        return unit_length(rows)

    def save(self, folder: Path) -> None:
        """Write the encoder into `folder`, atomically."""
        facts = {storage.SETTINGS: asdict(self._settings)}
        storage.write(folder, method=METHOD, card=self.card, arrays=self._arrays, words=self._words, facts=facts)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError if the folder is damaged or foreign."""
        with storage.opening(folder, "doc2vec", METHOD) as opened:
            settings = opened.settings_as(Doc2vecSettings)
            stored = opened.read({"counts": 1, "outputs": 2, "vectors": 2})
        counts, vectors, outputs = (stored.arrays[name] for name in ("counts", "vectors", "outputs"))
        if not len(stored.words) == len(counts) == len(vectors) == len(outputs):
            raise StorageError(
                f"Expected a count and two rows a word in {folder}, found {len(stored.words)} words, {len(counts)} "
                f"counts, {len(vectors)} and {len(outputs)} rows. Build the folder again."
            )
        return cls(stored.words, counts, vectors, outputs, settings)


def _tokens(document: Document) -> list[str]:
    return text.tokens(document.text)[:_LONGEST_TEXT_TOKENS]


def _infer(model: Doc2Vec, words: list[str]) -> NDArray[np.float32]:
    """Return the vector (dim,) of a text's words, the rest of the model held still.

    Gensim's own `infer_vector` starts from Python's hash of the text, which differs from one process to the next, and
    goes on drawing where the text before stopped. Here a text starts at zero and draws from the seed: always one row.
    """
    from gensim.models.doc2vec import train_document_dm

    vector: NDArray[np.float32] = np.zeros((1, model.vector_size), np.float32)
    model.random.seed(_SEED)
    epochs = min(max(_LEAST_EPOCHS, -(-_INFERENCE_STEPS // len(words))), _MOST_EPOCHS)
    for alpha in np.linspace(_ALPHA, _LAST_ALPHA, epochs):
        train_document_dm(
            model, words, [0], alpha, learn_words=False, learn_hidden=False, doctag_vectors=vector, doctags_lockf=_FREE
        )
    row: NDArray[np.float32] = vector[0]
    return row


_FREE = np.ones(1, np.float32)
"""Lets the one vector that is inferred move (gensim's "lockf")."""


def _model(
    words: Sequence[str],
    counts: NDArray[np.int64],
    vectors: NDArray[np.float32],
    outputs: NDArray[np.float32],
    *,
    settings: Doc2vecSettings,
) -> Doc2Vec:
    """Return gensim's model with weights that were learned before."""
    model = _empty_model(settings, vectors.shape[1], least_count=1)
    model.build_vocab_from_freq(dict(zip(words, counts.tolist(), strict=True)))
    place = {word: number for number, word in enumerate(words)}
    order = [place[word] for word in model.wv.index_to_key]  # gensim turns words of one count around
    model.wv.vectors, model.syn1neg = vectors[order], outputs[order]
    return model


def _empty_model(
    settings: Doc2vecSettings, dimensions: int = DIMENSIONS, *, least_count: int = _LEAST_COUNT
) -> Doc2Vec:
    given: dict[str, Any] = {"dm": 1, "alpha": _ALPHA, "min_alpha": _LAST_ALPHA, "seed": _SEED, **asdict(settings)}
    return _gensim()(vector_size=dimensions, min_count=least_count, workers=1, **given)


def _gensim() -> Any:  # noqa: ANN401  gensim is untyped
    """Return gensim's class, which is slow to import."""
    from gensim.models import Doc2Vec

    return Doc2Vec
