"""Passages of full papers that cite another work, found by its year and its words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from engine.documents import Document, text

Worth = Mapping[str, float]
"""How much a word says about two texts that share it, by the word."""

_NAMED_YEAR = re.compile(r"[A-ZÀ-ÖØ-Þ][\w’'-]+(?: and [A-ZÀ-ÖØ-Þ][\w’'-]+|,? et al\.?)?,? \(?((?:19|20)\d\d)[a-z]?\b")
"""Smith and Jones (2010), (Smith et al., 2010a)."""


def passages_citing(citing: Document, cited: Document, worth: Worth, *, most: int) -> list[str]:
    """At most `most` passages of the citing document that seem to cite the other, the likeliest first.

    A passage is a sentence that names somebody with the cited work's year, and the sentences before and behind it. The
    likelier a sentence, the more words of worth it has in common with the cited title and abstract; one that has none
    is left out, as is every one where a year is not known.
    """
    if cited.year is None:
        return []
    wanted = words_of(cited)
    found: list[tuple[float, str]] = []
    for section in citing.sections:
        sentences = text.sentences(section.text)
        for number, span in enumerate(sentences):
            sentence = section.text[span.start : span.stop]
            if str(cited.year) not in _NAMED_YEAR.findall(sentence):
                continue
            score = math.fsum(worth.get(word, 0.0) for word in wanted.intersection(text.content_tokens(sentence)))
            if score > 0:
                around = sentences[max(0, number - 1) : number + 2]
                found.append((score, section.text[around[0].start : around[-1].stop]))
    found.sort(key=lambda one: -one[0])  # of equal ones the first stays first
    return list(dict.fromkeys(passage for _, passage in found))[:most]


def worth_of_words(documents: Iterable[Document]) -> dict[str, float]:
    """log(n / df) of every word of n documents' titles and abstracts."""
    held = [words_of(document) for document in documents]
    found = Counter(word for words in held for word in words)
    return {word: math.log(len(held) / count) for word, count in found.items()}


def words_of(document: Document) -> set[str]:
    """The words of a title and an abstract that are not function words."""
    return set(text.content_tokens(f"{document.title}\n{document.abstract}"))
