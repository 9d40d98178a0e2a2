"""Words of a question that a person stresses or leaves out, and which of them count most by themselves."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from engine.documents import Document, Hit
from engine.library import KeywordIndex, question_terms
from engine.library.postings import K3
from engine.search.fusion import relative_scores
from engine.text import tokens

STRESS = 20
"""A stressed word counts as if the question said it so many times more: 2/3 of the most that BM25 lets a word count."""


def token_set(words: Iterable[str]) -> set[str]:
    """The tokens of words as a person writes them: "Mixed-effects" has two."""
    return {token for word in words for token in tokens(word)}


def weighed(terms: Counter[str], *, stressed: Collection[str], muted: Collection[str]) -> Counter[str]:
    """A question's terms with the counts of some raised, and without others. Both are tokens."""
    changed = Counter({term: count for term, count in terms.items() if term not in muted})
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
    library holds counts nothing.
    """
    frequencies, size = keywords.frequencies(), keywords.size
    weights: dict[str, float] = {}
    for term, said in question_terms(document).items():
        if term in frequencies and (held := frequencies[term]):
            idf = math.log((size - held + 0.5) / (held + 0.5))
            weights[term] = said * (K3 + 1) / (said + K3) * idf
    ordered = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    return [term for term, weight in ordered[:count] if weight > 0]
