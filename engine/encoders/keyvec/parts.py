"""The parts of a KeyVec encoder as arrays with names, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray

from engine.core.errors import EncoderError
from engine.encoders.ctpe.embeddings import WordEmbeddings
from engine.encoders.keyvec.network import KeyvecNetwork
from engine.encoders.keyvec.settings import KeyvecSettings
from engine.encoders.module_weights import HALF, Arrays, outlined

_WORDS, _NETWORK, _KEYWORDS = "words.", "network.", "keywords"


@dataclass(frozen=True, slots=True)
class Shape:
    """What a reader must know about an encoder before its arrays."""

    reading: KeyvecSettings
    word_dim: int
    keywords: int

    def __post_init__(self) -> None:
        """Refuse sizes below 1."""
        if min(self.word_dim, self.keywords) < 1:
            raise ValueError(f"word_dim and keywords must be at least 1, got {self.word_dim} and {self.keywords}")

    def as_json(self) -> dict[str, Any]:
        """The shape as JSON holds it."""
        values = asdict(self)
        values["reading"]["widths"] = list(self.reading.widths)
        return values

    def outline(self) -> KeyvecNetwork:
        """A network of this shape without weights, which takes no memory."""
        with outlined():
            return KeyvecNetwork(self.word_dim, self.reading, keywords=self.keywords)

    @property
    def arrays(self) -> dict[str, int]:
        """The name of every array of an encoder, and its number of dimensions."""
        words = {f"{_WORDS}{name}": count for name, count in WordEmbeddings.expected({}).items()}
        network = {f"{_NETWORK}{name}": count for name, count in HALF.expected(self.outline()).items()}
        return {**words, _KEYWORDS: 1, **network}


@dataclass(frozen=True, slots=True)
class Parts:
    """Words with their vectors, a network ready to read, the key words in the order of its rows U, and all as arrays.

    `lines` are the words in the order of the table's rows, then the key words without a vector.
    """

    words: WordEmbeddings
    network: KeyvecNetwork
    keywords: tuple[str, ...]
    arrays: Arrays
    lines: tuple[str, ...]

    @classmethod
    def of(cls, words: WordEmbeddings, network: KeyvecNetwork, keywords: Sequence[str]) -> Self:
        """Copies of the parts as they will be read back from disk.

        Raises EncoderError where they do not fit each other or are not finite.
        """
        if words.dim != network.word_dim:
            raise EncoderError(
                f"Expected a network for words of {words.dim} numbers, got one for {network.word_dim}. "
                f"Build the network with word_dim={words.dim}."
            )
        if len(set(keywords)) != network.keywords.out_features or len(keywords) != network.keywords.out_features:
            raise EncoderError(
                f"Expected {network.keywords.out_features} different key words, one a row of U, got {len(keywords)} "
                f"with {len(set(keywords))} different ones. Give them in the order of the rows."
            )
        if not bool(torch.isfinite(words.table).all()):
            raise EncoderError(
                "Expected word vectors of finite numbers, found others. The training went astray: take an earlier "
                "checkpoint or a smaller learning rate."
            )
        lines = tuple(dict.fromkeys((*words.words, *keywords)))
        line_of = {line: number for number, line in enumerate(lines)}
        arrays = {
            **{f"{_WORDS}{name}": array for name, array in words.arrays.items() if name in WordEmbeddings.expected({})},
            _KEYWORDS: np.array([line_of[word] for word in keywords], np.int32),
            **{f"{_NETWORK}{name}": array for name, array in HALF.stored(network).items()},
        }
        return cls.build(Shape(network.settings, words.dim, len(keywords)), arrays, lines)

    @classmethod
    def build(cls, shape: Shape, arrays: Arrays, lines: Sequence[str]) -> Self:
        """Put the parts together. Raises EncoderError where an array has another shape than the settings say."""
        numbers: NDArray[np.int32] = arrays[_KEYWORDS]
        table = arrays[f"{_WORDS}numbers"]
        known = len(numbers) == shape.keywords and ((numbers >= 0) & (numbers < len(lines))).all()
        if not known or table.shape[1] != shape.word_dim or len(table) > len(lines):
            raise EncoderError(
                f"Expected {shape.keywords} key words and words of {shape.word_dim} numbers among {len(lines)} lines, "
                f"got {len(numbers)} key words and a table of {table.shape}. Build the encoder of parts that fit."
            )
        words = WordEmbeddings.build(_within(arrays, _WORDS), lines[: len(table)], {})
        network = shape.outline()
        HALF.fill(network, _within(arrays, _NETWORK))
        network.eval().requires_grad_(False)
        return cls(words, network, tuple(lines[number] for number in numbers), arrays, tuple(lines))

    @property
    def shape(self) -> Shape:
        """What a reader must know before the arrays."""
        return Shape(self.network.settings, self.network.word_dim, len(self.keywords))


def _within(arrays: Arrays, prefix: str) -> dict[str, NDArray[Any]]:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
