"""The words of a question: which ones, how often each counts, and whether in all their forms."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence

from engine.documents import Document
from engine.documents.questions import SHORT_BELOW_TOKENS, citing_sentences, is_citing_passage, is_short
from engine.documents.text import stems, tokens
from engine.library import HEAD, K3, KeywordIndex, keyword_fingerprint, question_terms
from engine.search.evidence.vocabulary import Vocabulary
from engine.search.settings import SHIPPED, RankingSettings

_MAX_TELLING = 20
_DOCUMENT_TOKENS = 2000


def asks_by_stems(question: Document, settings: RankingSettings = SHIPPED) -> bool:
    """Whether a question's words match in all their forms: a short one, and a passage that cites.

    The words of a longer text match as written: papers as queries lose by stems, short questions gain
    (engine/research/reports/word-forms.json).
    """
    if settings.stemmed is not None:
        return settings.stemmed
    return is_citing_passage(question) or is_short(question)


def asked_terms(question: Document, settings: RankingSettings = SHIPPED) -> Counter[str]:
    """The terms of a question with their counts; a passage's sentences that cite count `citing_times` over."""
    counts = question_terms(question)
    for sentence in citing_sentences(question):
        for term in tokens(sentence):
            counts[term] += settings.citing_times - 1
    return counts


def token_set(words: Iterable[str]) -> set[str]:
    """The tokens of words as a person writes them: "Mixed-effects" has two."""
    return {token for word in words for token in tokens(word)}


def stem_set(words: Iterable[str]) -> set[str]:
    """The stems of words as a person writes them; a stem stands for all forms of a word."""
    return set(stems(sorted(token_set(words))))


def telling(documents: Sequence[Document], vocabulary: Vocabulary, *, without: Collection[str] = ()) -> list[str]:
    """The twenty words with the largest mean of (1 + ln tf) idf over the documents, as written there.

    No form of any word in `without` is among them.
    """
    weights: dict[str, float] = defaultdict(float)
    left_out = set(stems(list(without)))
    for document in documents:
        for token, count in Counter(tokens(document.text)[:_DOCUMENT_TOKENS]).items():
            key = vocabulary.keys[token]
            if key and token not in without and stems([token])[0] not in left_out:
                weights[token] += (1 + math.log(count)) * vocabulary.idf(key)
    return [token for token, _ in sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:_MAX_TELLING]]


def with_telling(terms: Counter[str], liked: Sequence[Document], vocabulary: Vocabulary) -> Counter[str]:
    """A question's terms and the most telling words of the liked documents.

    A word of the liked documents counts as much as one of a long query's title.
    """
    return terms + Counter(dict.fromkeys(telling(liked, vocabulary), HEAD))


def without(terms: Counter[str], muted: Collection[str]) -> Counter[str]:
    """A question's terms without those of `muted` stems."""
    forms = zip(terms.items(), stems(list(terms)), strict=True)
    return Counter({term: count for (term, count), stem in forms if stem not in muted})


def leading_words(document: Document, keywords: KeywordIndex, count: int) -> list[str]:
    """The words of a document that count most in a search by keywords, the strongest first.

    By n (k3 + 1) / (n + k3) idf, as BM25 weighs a term that the question holds n times; a word that the library lacks
    counts nothing. The most frequent form of a word stands for all its forms, at the strongest one's place.
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


def words_fingerprint(settings: RankingSettings = SHIPPED) -> str:
    """Names every choice in the ranking by keywords."""
    passages = f"passages count {settings.citing_times} times where they cite"
    if settings.stemmed is not None:
        return f"{keyword_fingerprint(stemmed=settings.stemmed)}, {passages}"
    forms = f"{keyword_fingerprint(stemmed=True)} below {SHORT_BELOW_TOKENS} and in passages"
    return f"{keyword_fingerprint()} or {forms}, {passages}"
