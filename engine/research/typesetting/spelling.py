"""Misspelt text: a share of its words dropped, mistyped, or misread as a scanner misreads them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from engine.core.errors import EvaluationError
from engine.documents import Document

_WORD = re.compile(r"[^\W\d_]{2,}")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MISREAD = (
    ("rn", "m"),
    ("m", "rn"),
    ("l", "1"),
    ("e", "c"),
    ("c", "e"),
    ("o", "0"),
    ("h", "b"),
    ("u", "ii"),
    ("i", "l"),
)
"""Letters that scans confuse, as in the sample library's patents of the nineteenth century."""

Mangle = Callable[[str, random.Random], str]
"""A word in, another out; "" drops it."""


def dropped(word: str, generator: random.Random) -> str:
    """Nothing."""
    del word, generator
    return ""


def mistyped(word: str, generator: random.Random) -> str:
    """A word of two letters or more with two neighbours swapped, a letter left out, or another in its place."""
    kinds: tuple[Mangle, ...] = (_swapped, _shortened, _replaced)
    return generator.choice(kinds)(word, generator)


def misread(word: str, generator: random.Random) -> str:
    """A word with one letter or pair of letters that a scan confuses; mistyped where it has none."""
    places = [(place, old, new) for old, new in _MISREAD for place in range(len(word)) if word.startswith(old, place)]
    if not places:
        return mistyped(word, generator)
    place, old, new = generator.choice(places)
    return word[:place] + new + word[place + len(old) :]


NOISES: Mapping[str, Mangle] = {"dropped": dropped, "mistyped": mistyped, "misread": misread}


def noisy(text: str, share: float, noise: str, seed: str) -> str:
    """The text with each word of two letters or more made noisy by the chance `share`, drawn by the seed.

    Text between words stays. A word that is noisy at a smaller share is noisy at a larger one. Raises EvaluationError
    for a share outside [0, 1] or a noise that is not known.
    """
    if not 0 <= share <= 1:
        raise EvaluationError(f"Expected a share of words from 0 to 1, got {share}. Give 0.1 for a tenth.")
    if noise not in NOISES:
        raise EvaluationError(f"Expected a noise among {', '.join(NOISES)}, got {noise!r}. Name one of them.")
    draws, letters = random.Random(f"{seed} {noise}"), random.Random(f"{seed} {noise} letters")

    def of(match: re.Match[str]) -> str:
        is_noisy, own = draws.random() < share, random.Random(letters.random())
        return NOISES[noise](match.group(), own) if is_noisy else match.group()

    return _WORD.sub(of, text)


def noisy_document(document: Document, share: float, noise: str, *, seed: int = 1) -> Document:
    """A document with noisy title, abstract, sections and claims; its id and what else is known of it stay."""

    def of(text: str, part: str) -> str:
        return noisy(text, share, noise, f"{seed} {document.id} {part}")

    sections = tuple(
        replace(section, text=of(section.text, f"section {number}")) for number, section in enumerate(document.sections)
    )
    claims = tuple(of(claim, f"claim {number}") for number, claim in enumerate(document.claims))
    title, abstract = of(document.title, "title"), of(document.abstract, "abstract")
    return replace(document, title=title, abstract=abstract, sections=sections, claims=claims)


def _swapped(word: str, generator: random.Random) -> str:
    places = [place for place in range(len(word) - 1) if word[place] != word[place + 1]]
    if not places:
        return _replaced(word, generator)
    place = generator.choice(places)
    return word[:place] + word[place + 1] + word[place] + word[place + 2 :]


def _shortened(word: str, generator: random.Random) -> str:
    place = generator.randrange(len(word))
    return word[:place] + word[place + 1 :]


def _replaced(word: str, generator: random.Random) -> str:
    place = generator.randrange(len(word))
    letter = generator.choice([letter for letter in _LETTERS if letter != word[place].lower()])
    return word[:place] + letter + word[place + 1 :]
