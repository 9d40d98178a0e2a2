"""Words of a question that a person stresses or leaves out, and which of them count most by themselves."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from engine.documents import Document, Hit
from engine.library import KeywordIndex
from engine.library.postings import K3
from engine.search.asking import asked_terms
from engine.search.fusion import relative_scores
from engine.text import stems, tokens

STRESS = 20
"""A stressed word counts as if the question said it so many times more: 2/3 of the most that BM25 lets a word count."""


def token_set(words: Iterable[str]) -> set[str]:
    """The tokens of words as a person writes them: "Mixed-effects" has two."""
    return {token for word in words for token in tokens(word)}


def stem_set(words: Iterable[str]) -> set[str]:
    """The stems of words as a person writes them: what stands for them in all their forms."""
    return set(stems(sorted(token_set(words))))


def weighed(terms: Counter[str], *, stressed: Collection[str], muted: Collection[str]) -> Counter[str]:
    """A question's terms with the counts of some tokens raised, and without those of `muted` stems."""
    forms = zip(terms.items(), stems(list(terms)), strict=True)
    changed = Counter({term: count for (term, count), stem in forms if stem not in muted})
    changed.update(dict.fromkeys(stressed, STRESS))
    return changed


def promoted(order: Sequence[Hit], saying: Sequence[Hit]) -> list[Hit]:
    """An order with those documents further up that say the stressed words, `saying` them best first.

    Both are brought to one scale and added: the best match of the words gains as much as the first of the order has.
    To multiply instead was tried and left: what says a word that the question hardly does then stays where it was.
    """
    return relative_scores([order, saying]) if saying else list(order)


def leading_words(document: Document, keywords: KeywordIndex, count: int) -> list[str]:
    """The words of a document that count most in a search by keywords, the strongest first.

    By n (k3 + 1) / (n + k3) idf, as BM25 weighs a term that the question holds n times; a word that no document of the
    library holds counts nothing. Of a word's forms the one that is said most stands for all, at the strongest's place.
    """
    frequencies, size = keywords.frequencies(), keywords.size
    said = asked_terms(document)
    weights: dict[str, float] = {}
    for term, times in said.items():
        if term in frequencies and (held := frequencies[term]):
            idf = math.log((size - held + 0.5) / (held + 0.5))
            weights[term] = times * (K3 + 1) / (times + K3) * idf
    ordered = sorted((term for term in weights if weights[term] > 0), key=lambda term: (-weights[term], term))
    forms: dict[str, list[str]] = {}
    for term, stem in zip(ordered, stems(ordered), strict=True):
        forms.setdefault(stem, []).append(term)
    return [max(of, key=lambda term: said[term]) for of in forms.values()][:count]
