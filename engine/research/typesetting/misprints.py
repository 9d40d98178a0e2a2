"""Texts with mistakes: words dropped, mistyped, or misread as a scanner does; reference lists as authors write them.

The lists are of known works in seven styles, with the mistakes that people make.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

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
    """Return nothing."""
    del word, generator
    return ""


def mistyped(word: str, generator: random.Random) -> str:
    """Return a word of two letters or more with two neighbours swapped, a letter left out, or another in its place."""
    kinds: tuple[Mangle, ...] = (_swapped, _shortened, _replaced)
    return generator.choice(kinds)(word, generator)


def misread(word: str, generator: random.Random) -> str:
    """Return a word with one letter or pair of letters that a scan confuses; mistyped where it has none."""
    places = [(place, old, new) for old, new in _MISREAD for place in range(len(word)) if word.startswith(old, place)]
    if not places:
        return mistyped(word, generator)
    place, old, new = generator.choice(places)
    return word[:place] + new + word[place + len(old) :]


NOISES: Mapping[str, Mangle] = {"dropped": dropped, "mistyped": mistyped, "misread": misread}


def noisy(text: str, share: float, noise: str, seed: str) -> str:
    """Return the text with each word of two letters or more made noisy by the chance `share`, drawn by the seed.

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
    """Return a document with noisy title, abstract, sections and claims; its id and what else is known of it stay."""

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


_SUBTITLE = re.compile(r":\s+")
_SHORTER = (
    ("Proceedings of the", "Proc."),
    ("Proceedings", "Proc."),
    ("International", "Int."),
    ("Conference on", "Conf."),
    ("Conference", "Conf."),
    ("Transactions on", "Trans."),
    ("Journal of", "J."),
    ("Computing", "Comput."),
    ("Systems", "Syst."),
    ("Information", "Inf."),
)
_SMALL = frozenset("a an and as at by for from in into of on or the to with via using".split())
_MOST_AUTHORS = 4


@dataclass(frozen=True, slots=True)
class Mistakes:
    """How often an entry has each mistake, from 0 to 1."""

    typo: float = 0.25
    dropped: float = 0.15
    subtitle: float = 0.1
    year: float = 0.1
    capitals: float = 0.5
    hyphen: float = 0.15
    venue: float = 0.5


def misprinted(work: Document, mistakes: Mistakes, draw: random.Random) -> Document:
    """Return a work as somebody cites it: misspelt, without a word or subtitle, in other capitals, a year off."""
    title = work.title
    if draw.random() < mistakes.subtitle and len(_SUBTITLE.split(title)[0].split()) >= _MOST_AUTHORS:
        title = _SUBTITLE.split(title)[0]
    if draw.random() < mistakes.hyphen:
        title = title.replace("-", draw.choice(("", " "))) if "-" in title else title
    words = title.split()
    if draw.random() < mistakes.dropped and len(words) > _MOST_AUTHORS:
        words.pop(draw.randrange(1, len(words)))
    if draw.random() < mistakes.typo:
        long = [place for place, word in enumerate(words) if len(word) > _MOST_AUTHORS and word.isalpha()]
        for place in draw.sample(long, min(len(long), draw.randint(1, 2))):
            words[place] = mistyped(words[place], draw)
    title = " ".join(words)
    if draw.random() < mistakes.capitals:
        title = _recapitalised(title, draw)
    year = work.year
    if year is not None and draw.random() < mistakes.year:
        year += draw.choice((-1, 1))
    venue = work.venue
    if draw.random() < mistakes.venue:
        for long_name, short in _SHORTER:
            venue = venue.replace(long_name, short)
    return replace(work, title=title, year=year, venue=venue)


def _recapitalised(title: str, draw: random.Random) -> str:
    """Return a title in small letters but for its first, or with all its telling words in capitals."""
    words = title.split()
    if draw.random() < 0.5:
        return " ".join(
            word if place == 0 or word[1:] != word[1:].lower() else word.lower() for place, word in enumerate(words)
        )
    return " ".join(
        word if word.lower() in _SMALL and place else word[:1].upper() + word[1:] for place, word in enumerate(words)
    )


def _names(work: Document) -> list[tuple[str, list[str]]]:
    """Return surnames and given names."""
    found = []
    for name in work.authors:
        last, comma, first = name.partition(",")
        given = (first if comma else " ".join(name.split()[:-1])).split()
        found.append(((last if comma else name.split()[-1]).strip(), given))
    return found


def _initials(given: Sequence[str], dot: str = ". ") -> str:
    return "".join(f"{one[0].upper()}{dot}" for one in given if one).strip()


def _listed(names: Sequence[str], last: str, *, others: str = ", et al.") -> str:
    """Return names joined by commas; of many the first alone, and others."""
    if len(names) > _MOST_AUTHORS:
        return f"{', '.join(names[:3])}{others}"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])}{last}{names[-1]}"


def ieee(work: Document, draw: random.Random) -> str:
    """Write as IEEE does: initials first, the title in quotation marks, the year last."""
    names = _listed([f"{_initials(given)} {last}".strip() for last, given in _names(work)], " and ", others=" et al.")
    return f"{names}, “{work.title},” in {work.venue}, {work.year}, pp. {_pages(draw)}."


def acm(work: Document, draw: random.Random) -> str:
    """Write as ACM does: full names, then the year."""
    names = _listed([f"{' '.join(given)} {last}".strip() for last, given in _names(work)], ", and ")
    return f"{names}. {work.year}. {_ended(work.title)} In {work.venue}. ACM, New York, NY, USA, {_pages(draw)}."


def apa(work: Document, draw: random.Random) -> str:
    """Write as APA does: surnames first, the year in brackets."""
    names = _listed([f"{last}, {_initials(given)}".strip(", ") for last, given in _names(work)], ", & ")
    return f"{names} ({work.year}). {_ended(work.title)} {work.venue}, {_pages(draw)}."


def vancouver(work: Document, draw: random.Random) -> str:
    """Write as Vancouver does, as in medicine: no full stops after initials, the year before the volume."""
    names = _listed([f"{last} {_initials(given, '')}".strip() for last, given in _names(work)], ", ")
    return f"{names.rstrip('.')}. {_ended(work.title)} {work.venue}. {work.year};{draw.randint(1, 60)}:{_pages(draw)}."


def springer(work: Document, draw: random.Random) -> str:
    """Write as Springer's lecture notes do: a colon after the names, the year last in brackets."""
    names = _listed([f"{last}, {_initials(given, '.')}".strip(", ") for last, given in _names(work)], ", ")
    return f"{names}: {_ended(work.title)} In: {work.venue}, pp. {_pages(draw)}. Springer ({work.year})"


def elsevier(work: Document, draw: random.Random) -> str:
    """Write as Elsevier does: commas between all parts."""
    names = _listed([f"{_initials(given)} {last}".strip() for last, given in _names(work)], ", ")
    return f"{names}, {work.title}, {work.venue} {draw.randint(1, 60)} ({work.year}) {_pages(draw)}."


def plain_bibtex(work: Document, draw: random.Random) -> str:
    """Write as BibTeX's style "plain" does: full names, the year last."""
    names = _listed([f"{' '.join(given)} {last}".strip() for last, given in _names(work)], ", and ")
    return f"{names.rstrip('.')}. {_ended(work.title)} In {work.venue}, pages {_pages(draw)}, {work.year}."


STYLES: Mapping[str, Callable[[Document, random.Random], str]] = {
    "IEEE": ieee,
    "ACM": acm,
    "APA": apa,
    "Vancouver": vancouver,
    "Springer": springer,
    "Elsevier": elsevier,
    "BibTeX plain": plain_bibtex,
}
"""The styles by their names."""

NUMBERED = frozenset({"IEEE", "ACM", "Vancouver", "Springer", "Elsevier"})
"""Styles whose lists are numbered."""


def _ended(title: str) -> str:
    return title if title.endswith(("?", "!", ".")) else f"{title}."


def _pages(draw: random.Random) -> str:
    first = draw.randint(1, 900)
    return f"{first}\u2013{first + draw.randint(5, 20)}"
