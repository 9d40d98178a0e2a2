"""Which documents of a library a document cites, and which works two documents both cite.

Numbers are looked up, titles searched by their rarest words in the library's full-text index, so that no document is
read but the few that an entry may mean. Works that both cite: bibliographic coupling (Kessler, American Documentation
14, 1963).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise

from engine.documents import Document, Reference, text, works
from engine.documents.text import STOP_WORDS, normalised_title
from engine.documents.words import terms
from engine.library import Library
from engine.search.citations.entries import references_of
from engine.search.citations.matching import Fit, Likeness, agreement, headline, may_cite, title_words, whole_title

_WORDS, _RARE_WORDS = 8, 6
"""How many of a title's words are asked for together, and how many of the rarest by two."""
_RARE = 50
"""A word of at most this many documents finds them alone."""
_SENTENCE, _SENTENCES = re.compile(r"(?<=[.?!”\"])\s|[“\"]|\(\d{4}\w?\)"), 3
"""The longest sentences of an entry, among which its title is if it was not told rightly."""
_MOST_READ, _MOST_WEIGHED = 400, 12
"""How many titles are looked at for an entry, and how many documents are read."""
_COMPARED = 5
"""How many entries of one list, those with the most words in common, are compared with one of another."""


@dataclass(frozen=True, slots=True)
class Citations:
    """What a document cites, and which of it a library holds.

    `held` gives each held document that is cited, by its id, the entry that cites it; all versions of one work have
    one entry.
    """

    references: tuple[Reference, ...] = ()
    held: Mapping[str, Reference] = field(default_factory=dict)

    @property
    def works_held(self) -> int:
        """How many entries cite a document of the library."""
        return len({id(entry) for entry in self.held.values()})


def find_citations(document: Document, library: Library) -> Citations:
    """Return the entries of a document's reference list, and the documents of a library that they cite."""
    references = references_of(document)
    held: dict[str, tuple[Fit, Reference]] = {}
    frequencies = library.keywords.frequencies() if references else {}
    for reference in references:
        for id_, found in _cited_by(reference, library, frequencies):
            if id_ != document.id and (id_ not in held or held[id_][0] < found):
                held[id_] = (found, reference)
    cited = {id_: reference for id_, (_, reference) in held.items()}
    for version in library.get(list(cited)):
        copies = library.duplicates_of(version) - {document.id}
        cited = {**dict.fromkeys(copies, cited[version.id]), **cited}
    return Citations(references, cited)


def _cited_by(reference: Reference, library: Library, frequencies: Mapping[str, int]) -> Iterator[tuple[str, Fit]]:
    """Yield the documents that one entry cites: those with its number and those with the title that fits best."""
    numbered = library.known_as(reference.identifiers)
    yield from ((id_, Fit(True, 1.0, True, 0)) for id_ in numbered if _is_titled(reference, library, id_))
    fitting: list[tuple[Fit, Document]] = []
    for id_, likeness in _candidates(reference, library, frequencies):
        (document,) = library.get([id_])
        found = agreement(reference, document, likeness)
        if found is not None:
            fitting.append((found, document))
    if not fitting:
        return
    best, cited = max(fitting, key=lambda one: one[0])
    yield cited.id, best
    for found, document in fitting:
        if document.id != cited.id and "".join(title_words(document.title)) == "".join(title_words(cited.title)):
            yield document.id, found


def _is_titled(reference: Reference, library: Library, id_: str) -> bool:
    """Tell whether a document with an entry's number may have its title: a paper may carry its volume's DOI."""
    (document,) = library.get([id_])
    if not reference.title or not document.title or document.kind == "patent":
        return True
    ours, theirs = set(title_words(f"{reference.title} {reference.text}")), set(title_words(document.title))
    return 2 * len(ours & theirs) >= len(theirs)


def _candidates(
    reference: Reference, library: Library, frequencies: Mapping[str, int]
) -> Iterator[tuple[str, Likeness]]:
    """Yield the documents whose titles are like an entry's, the likest first."""
    found: dict[str, Likeness] = {}
    for groups in _questions(reference, frequencies):
        for titled in library.titled(groups, _MOST_READ):
            if titled.kind == "patent" or titled.id in found or not _shares_words(reference, titled.title):
                continue
            likeness = may_cite(reference, titled.title, titled.year)
            if likeness is not None:
                found[titled.id] = likeness
        if any(likeness.is_equal and not likeness.is_headline for likeness in found.values()):
            break
    yield from sorted(found.items(), key=lambda one: (not one[1].is_equal, -one[1].share))[:_MOST_WEIGHED]


def _shares_words(reference: Reference, title: str) -> bool:
    """Tell quickly whether half of a title's words, without its subtitle, are in an entry by their beginnings."""
    ours = {word[:4] for word in title_words(f"{reference.title} {reference.text}")}
    joined = "".join(title_words(reference.title or reference.text))
    theirs = title_words(headline(title)) or title_words(title)
    return 2 * sum(1 for word in theirs if word[:4] in ours or word in joined) >= len(theirs)


def _questions(reference: Reference, frequencies: Mapping[str, int]) -> Iterator[Sequence[Sequence[str]]]:
    """Yield groups of words to ask for, from the narrowest: nearly all, then two of the rarest or a rare one alone."""
    known = _known(reference.title, frequencies)
    if known:
        most = known[:_WORDS]
        yield [most] if len(most) < 3 else [most[:at] + most[at + 1 :] for at in range(len(most))]
        yield _wide(known, frequencies)
    for sentence in sorted(_SENTENCE.split(reference.text), key=len)[: -_SENTENCES - 1 : -1]:
        if normalised_title(sentence) != normalised_title(reference.title):
            yield _wide(_known(sentence, frequencies), frequencies)


def _wide(known: Sequence[str], frequencies: Mapping[str, int]) -> list[Sequence[str]]:
    rare = known[:_RARE_WORDS]
    alone = [[word] for word in rare if frequencies[word] <= _RARE]
    return [*alone, *map(list, combinations(rare, 2))]


def _known(title: str, frequencies: Mapping[str, int]) -> list[str]:
    """Return a title's words that documents hold, the rarest first, with those that a hyphen or a line's end parted."""
    listed = terms(title, ends=False)
    joined = ["".join(pair) for pair in pairwise(listed)]
    found = [word for word in dict.fromkeys([*listed, *joined]) if word not in text.STOP_WORDS and len(word) > 1]
    return sorted((word for word in found if word in frequencies), key=lambda word: frequencies[word])


def shared_references(one: Document, other: Document) -> tuple[Reference, ...]:
    """Return the entries of one document's reference list whose works the other cites, too, in their order."""
    theirs = _Listed(references_of(other))
    return tuple(reference for reference in references_of(one) if theirs.holds(reference)) if theirs.size else ()


class _Listed:
    """A reference list in which the entry of another list is looked for."""

    def __init__(self, references: Sequence[Reference]) -> None:
        self.size = len(references)
        self._works = [  # as far as the entries tell them
            Document("", title=whole_title(reference), year=reference.year, authors=reference.authors)
            for reference in references
        ]
        self._numbers = {number for reference in references for number in _numbers(reference)}
        self._under: defaultdict[str, list[int]] = defaultdict(list)
        for place, work in enumerate(self._works):
            for word in _words(work.title):
                self._under[word].append(place)

    def holds(self, reference: Reference) -> bool:
        """Tell whether one of the entries is of the same work."""
        if self._numbers.intersection(_numbers(reference)):
            return True
        found = _words(reference.title)
        common = Counter(place for word in found for place in self._under.get(word, ()))
        likely = [place for place, count in common.most_common(_COMPARED) if 2 * count >= len(found)]
        for work in (self._works[place] for place in likely):
            likeness = may_cite(reference, work.title, work.year)
            if likeness is not None and agreement(reference, work, likeness) is not None:
                return True
        return False


def _numbers(reference: Reference) -> list[str]:
    return [key for one in reference.identifiers if (key := works.number_key(one))]


def _words(title: str) -> set[str]:
    return {word for word in title_words(title) if word not in STOP_WORDS}
