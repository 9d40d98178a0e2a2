"""The encoder that a trained matcher is: the words or letters that it knows, and rows whose product is a cosine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import torch
from numpy.typing import NDArray

from engine.core.errors import EncoderError, StorageError
from engine.core.rows import DenseRows, unit_length
from engine.documents import Document
from engine.documents import text as texts
from engine.documents.text import first_tokens, most_frequent, trigrams
from engine.encoders import Encoder, EncoderCard, drawn_by, storage
from engine.research.matchers.networks import (
    KIND_OF,
    ArcI,
    Dssm,
    FrozenWords,
    Han,
    Kind,
    MatcherNetwork,
    MatcherSettings,
    Read,
    SLong,
    Smith,
    encode_reads,
    method_of,
    name_of,
    reads_words,
    summary_of,
)

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
        """Return the known words or trigrams of a document's first words, in rows as a kind reads them."""
        found = sentences_of(document, settings.max_words)
        if self.vectors is None:
            return self._counted(found)
        known = [[self.number_of[word] for word in one if word in self.number_of] for one in found]
        return Read.of(_ROWS.get(kind, _as_one)(known, settings.row_words))

    def _counted(self, sentences: Iterable[Sequence[str]]) -> Read:
        """Return each known trigram once; it counts ln(1 + how often it occurs), the document at unit length."""
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
    """Return the trigrams that occur in most documents, in the words that are read; as many as the settings say."""
    seen: Counter[str] = Counter()
    for document in documents:
        sentences = sentences_of(document, settings.max_words)
        seen.update({one for words in sentences for word in words for one in trigrams(word)})
    return most_frequent(seen, settings.trigrams)


def sentences_of(document: Document, max_words: int) -> list[list[str]]:
    """Return the first `max_words` words of a document's text in sentences; reads little of the text after them."""
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
    """Return all words in one row."""
    del row_words
    return [[number for one in sentences for number in one]]


def _as_sentences(sentences: Numbers, row_words: int) -> Numbers:
    """Return a row a sentence; a longer one is several."""
    return [one[start : start + row_words] for one in sentences for start in range(0, len(one), row_words)]


def _as_blocks(sentences: Numbers, row_words: int) -> Numbers:
    """Return rows filled with whole sentences as long as they fit (SMITH, section 3.1)."""
    rows: Numbers = []
    for one in _as_sentences(sentences, row_words):
        if rows and len(rows[-1]) + len(one) <= row_words:
            rows[-1] = rows[-1] + one
        else:
            rows.append(one)
    return rows


_ROWS: dict[Kind, Callable[[Numbers, int], Numbers]] = {"han": _as_sentences, "smith": _as_blocks}


_OF_WORDS: dict[Kind, Callable[[FrozenWords, MatcherSettings], MatcherNetwork]] = {
    "arc-i": ArcI,
    "han": Han,
    "smith": Smith,
    "s-long": SLong,
}


def build(kind: Kind, settings: MatcherSettings, lexicon: Lexicon, *, seed: int = 0) -> MatcherNetwork:
    """Return an untrained network that reads by a lexicon; weights follow from the seed, torch's own stays."""
    with drawn_by(seed):
        if lexicon.vectors is None:
            return Dssm(len(lexicon.words), settings)
        return _OF_WORDS[kind](FrozenWords(lexicon.vectors), settings)


_WORDS, _NETWORK = "words", "network."
_DOCUMENTS_AT_ONCE = 256  # whose numbers are held together


class MatcherEncoder(Encoder):
    """A network of any kind with the words or letters that it reads; a document without any is a row of zeros."""

    reads_sentences: ClassVar[bool] = False

    def __init__(
        self,
        kind: Kind,
        settings: MatcherSettings,
        lexicon: Lexicon,
        *,
        network: MatcherNetwork,
        trained_on: tuple[str, ...] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        """Take the parts of an encoder, on the processor, and facts to keep with it."""
        self.kind, self.settings = kind, settings
        self.facts = storage.notes(facts)
        self._lexicon, self._network = lexicon, network.eval()
        self._card = EncoderCard(
            name_of(kind),
            summary_of(kind),
            settings.dim,
            storage.fingerprint_of(method_of(kind), self._arrays(), lexicon.words, settings=asdict(settings)),
            max_tokens=settings.max_words,
            trained_on=trained_on,
        )

    @property
    def card(self) -> EncoderCard:
        """What this encoder is."""
        return self._card

    @torch.inference_mode()
    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents of the corpus: (n, dim), at unit length."""
        rows = np.zeros((len(documents), self.settings.dim), np.float32)
        for start in range(0, len(documents), _DOCUMENTS_AT_ONCE):
            part = documents[start : start + _DOCUMENTS_AT_ONCE]
            reads = [self._lexicon.read(document, self.kind, self.settings) for document in part]
            rows[start : start + len(part)] = encode_reads(self._network, reads).numpy()
        return unit_length(rows)

    def save(self, folder: Path) -> None:
        """Write the encoder into `folder`, atomically."""
        storage.write(
            folder,
            method=method_of(self.kind),
            card=self.card,
            arrays=self._arrays(),
            words=self._lexicon.words,
            facts={storage.SETTINGS: asdict(self.settings), **self.facts},
        )

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError if the folder is damaged or foreign."""
        with storage.opening(folder, "a matcher", *KIND_OF) as opened:
            kind = KIND_OF[opened.method]
            settings = opened.settings_as(MatcherSettings)
            stored = opened.read(_expected(kind, settings))
            lexicon = Lexicon(stored.words, stored.arrays.get(_WORDS))
        network = build(kind, settings, lexicon)
        _put(network, stored.arrays, folder)
        trained_on = stored.card.trained_on
        return cls(kind, settings, lexicon, network=network, trained_on=trained_on, facts=stored.facts)

    def _arrays(self) -> dict[str, NDArray[Any]]:
        words = {} if self._lexicon.vectors is None else {_WORDS: self._lexicon.vectors}
        weights = {f"{_NETWORK}{name}": tensor.numpy() for name, tensor in self._network.state_dict().items()}
        return words | weights


def _expected(kind: Kind, settings: MatcherSettings) -> dict[str, int]:
    """Return the name of every array of such an encoder, and its number of dimensions; one word's lexicon has all."""
    words = {_WORDS: np.zeros((1, 1), np.float16)} if reads_words(kind) else {}
    weights = build(kind, settings, Lexicon(("",), words.get(_WORDS))).state_dict()
    named = words | {f"{_NETWORK}{name}": tensor.numpy() for name, tensor in weights.items()}
    return {name: array.ndim for name, array in named.items()}


def _put(network: MatcherNetwork, arrays: Mapping[str, NDArray[Any]], folder: Path) -> None:
    """Put weights in place. Raises StorageError if they are another network's."""
    given = {name.removeprefix(_NETWORK): array for name, array in arrays.items() if name != _WORDS}
    wanted = {name: tuple(tensor.shape) for name, tensor in network.state_dict().items()}
    found = {name: array.shape for name, array in given.items()}
    if wanted != found:
        raise StorageError(f"Expected weights of the shapes {wanted} in {folder}, found {found}. Build it again.")
    network.load_state_dict({name: torch.from_numpy(np.copy(array)) for name, array in given.items()}, strict=True)
