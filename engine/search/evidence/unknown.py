"""The telling words of a question that no document of a library holds, and whether it has a known word at all."""

from __future__ import annotations

import re
from collections import Counter

from engine.documents.text import STOP_WORDS, first_tokens
from engine.search.evidence.nearness import READ_TOKENS, shipped_vocabulary
from engine.search.evidence.vocabulary import Vocabulary
from engine.search.generic_words import GENRE_WORDS, HALVES

_TELLING = re.compile(r"[^\W\d_]{3,}+|[^\W\d_]{2,}+[\d-]++[^\W_]*+")


def telling_words(text: str) -> Counter[str]:
    """The words that may say what a text is about, with their counts, in the order in which they come."""
    found = (token.strip("'").removesuffix("'s") for token in first_tokens(text, READ_TOKENS))
    return Counter(
        one
        for one in found
        if _TELLING.fullmatch(one) and one not in STOP_WORDS and one not in GENRE_WORDS and one not in HALVES
    )


def unknown_terms(text: str, library: Vocabulary) -> tuple[list[str], int]:
    """The telling words that no document of a library holds in any number, and how many are telling."""
    words = telling_words(text)
    lacking = [word for word, _ in words.most_common() if not library.holds(word)]
    return lacking, len(words)


def is_gibberish(text: str, library: Vocabulary) -> bool:
    """Whether a library holds none of a text's telling words, and no abstract that we know holds most of them.

    A text without telling words is not: it says little, but in words.
    """
    lacking, telling = unknown_terms(text, library)
    if not telling or len(lacking) < telling:
        return False
    return 2 * sum(shipped_vocabulary().holds(word) for word in lacking) <= telling
