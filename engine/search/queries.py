"""A question as rankings read it: its words, its row, and how liked and disliked documents move both.

Words say which terms count how often, and whether in all their forms. The row moves towards liked documents, or those
that the question found first, and away from disliked ones (Rocchio 1971).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence

import numpy as np
from scipy.sparse import csr_array

from engine.core.rows import Rows
from engine.documents import Document, Hit
from engine.documents.questions import SHORT_BELOW_TOKENS, citing_sentences, is_citing_passage, is_short
from engine.documents.text import stems
from engine.documents.words import compounds, in_stretches, plain, terms, words
from engine.encoders import Encoder
from engine.library import KeywordIndex, keyword_fingerprint, question_terms
from engine.search.settings import SHIPPED, Blind, RankingSettings
from engine.search.vocabulary import Vocabulary
from engine.vectors import VectorIndex

_MAX_TELLING = 20
_DOCUMENT_TOKENS = 2000


def asks_by_stems(question: Document, settings: RankingSettings = SHIPPED) -> bool:
    """Tell whether a question's words match in all their forms: those of a short one, and of a passage that cites.

    The words of a longer text match as written: papers as queries lose by stems, short questions gain
    (engine/research/reports/word-forms.json).
    """
    if settings.stemmed is not None:
        return settings.stemmed
    return is_citing_passage(question) or is_short(question)


def asked_terms(question: Document, settings: RankingSettings = SHIPPED) -> Counter[str]:
    """Return the terms of a question with their counts; a passage's sentences that cite count `citing_times` over.

    What a short one writes in two words is asked for in one, too, by a compound with a hyphen: "non-linear".
    """
    counts = question_terms(question)
    for sentence in citing_sentences(question):
        for term in terms(sentence, ends=False):
            counts[term] += settings.citing_times - 1
    if asks_by_stems(question, settings):
        counts.update([one.parted for one in compounds(question.text)])
    return counts


def token_set(asked: Iterable[str]) -> set[str]:
    """Return the terms of words as a person writes them: "Mixed-effects" has two."""
    return {term for word in asked for term in terms(word, ends=False)}


def stem_set(asked: Iterable[str]) -> set[str]:
    """Return the stems of words as a person writes them; a stem stands for all forms of a word."""
    return set(stems(sorted(token_set(asked))))


def most_telling(documents: Sequence[Document], vocabulary: Vocabulary, *, without: Collection[str] = ()) -> list[str]:
    """Return the twenty words with the largest mean of (1 + ln tf) idf over the documents, as written there.

    No form of any word in `without` is among them.
    """
    weights: dict[str, float] = defaultdict(float)
    left_out = set(stems(list(without)))
    for document in documents:
        for token, count in Counter(terms(document.text, ends=False)[:_DOCUMENT_TOKENS]).items():
            key = vocabulary.keys[token]
            if key and token not in without and stems([token])[0] not in left_out:
                weights[token] += (1 + math.log(count)) * vocabulary.idf(key)
    return [token for token, _ in sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:_MAX_TELLING]]


def add_telling(terms: Counter[str], liked: Sequence[Document], vocabulary: Vocabulary) -> Counter[str]:
    """Add the most telling words of the liked documents to a question's terms.

    Such a word counts as much as one of a long query's title.
    """
    return terms + Counter(dict.fromkeys(most_telling(liked, vocabulary), KeywordIndex.HEAD))


def leave_out(terms: Counter[str], muted: Collection[str]) -> Counter[str]:
    """Return a question's terms without those of `muted` stems."""
    if not muted:
        return terms
    forms = zip(terms.items(), stems(list(terms)), strict=True)
    return Counter({term: count for (term, count), stem in forms if stem not in muted})


def leading_words(document: Document, keywords: KeywordIndex, count: int) -> list[str]:
    """Return the words of a document that count most in a search by keywords, the strongest first.

    A word counts as in BM25; one that the library lacks counts nothing. The most frequent form of a word stands for
    all its forms, at the strongest one's place.
    """
    said = asked_terms(document)
    written = {plain(word): word for word in words(document.text, ends=False)}
    weights = keywords.weights(said)
    ordered = sorted((term for term in weights if weights[term] > 0), key=lambda term: (-weights[term], term))
    forms: dict[str, list[str]] = {}
    for term, stem in zip(ordered, stems(ordered), strict=True):
        forms.setdefault(stem, []).append(term)
    best = (max(of, key=lambda term: said[term]) for of in forms.values())
    shown = in_stretches((written.get(term, term) for term in best), document.text)
    return list(dict.fromkeys(shown.values()))[:count]


def words_fingerprint(settings: RankingSettings = SHIPPED) -> str:
    """Name every choice in the ranking by keywords."""
    passages = f"passages count {settings.citing_times} times where they cite"
    if settings.stemmed is not None:
        return f"{keyword_fingerprint(stemmed=settings.stemmed)}, {passages}"
    forms = f"{keyword_fingerprint(stemmed=True)} below {SHORT_BELOW_TOKENS} and in passages"
    return f"{keyword_fingerprint()} or {forms}, {passages}"


BETA = 0.75
GAMMA = 0.5


def query_row(
    encoder: Encoder, query: Document | None, *, liked: Sequence[Document] = (), disliked: Sequence[Document] = ()
) -> Rows:
    """Return the row to search with: q + beta mean(liked) - gamma mean(disliked), at unit length; (1, dim).

    Rocchio 1971, as in Manning, Raghavan and Schuetze 2008, section 9.1.1, with alpha 1 and beta .75. Our gamma is .5,
    not their .15, which is meant for guessed non-relevance: here a person judged. Without a query the liked documents
    stand for it. All are encoded as queries, because queries and documents differ where an encoder is not symmetric.
    """
    if query is None and not liked:
        raise ValueError("A query row needs a query or a liked document; both were left out.")
    groups = [([query] if query else [], 1.0), (liked, BETA), (disliked, -GAMMA)]
    documents = [document for group, _ in groups for document in group]
    weights = [weight / len(group) for group, weight in groups for _ in group]
    return _at_unit_length(_weighted_sum(encoder.encode_queries(documents), weights))


def move_blindly(
    rows: Rows, rankings: Sequence[Sequence[Hit]], *, encoder: Encoder, index: VectorIndex, blind: Blind
) -> Rows:
    """Move query rows (n, dim), each towards the documents that its first ranking put first.

    q + beta mean(first documents): Rocchio's formula without judgements, that is blind or pseudo relevance feedback
    (Manning, Raghavan and Schuetze 2008, section 9.1.6). The documents are encoded as queries, so that a short
    question, which a coupled encoder does not read, still gains from its view of what was found. Rows are not scaled to
    unit length, which does not change their order; a question that found nothing keeps its row.
    """
    first = [[hit.id for hit in hits if hit.id in index][: blind.documents] for hits in rankings]
    names = list(dict.fromkeys(name for one in first for name in one))
    if not names or not blind.beta:
        return rows
    place = {name: number for number, name in enumerate(names)}
    owners = [number for number, one in enumerate(first) for _ in one]
    shares = np.array([blind.beta / len(one) for one in first for _ in one], np.float32)
    places = [place[name] for one in first for name in one]
    means = csr_array((shares, (owners, places)), shape=(len(first), len(names)))  # (n, m), beta in it
    moved = rows + means @ encoder.as_queries(index.rows(names))  # (n, dim)
    return np.asarray(moved, np.float32) if isinstance(moved, np.ndarray) else csr_array(moved).astype(np.float32)


def _weighted_sum(rows: Rows, weights: Sequence[float]) -> Rows:
    """Add up rows (n, dim), each with its weight: (1, dim)."""
    shares = np.asarray(weights, np.float32)[None, :]  # (1, n)
    return shares @ rows if isinstance(rows, np.ndarray) else csr_array(csr_array(shares) @ rows)


def _at_unit_length(row: Rows) -> Rows:
    """Scale one row to length 1; a row of zeros stays."""
    if isinstance(row, np.ndarray):
        length = float(np.linalg.norm(row))
        return np.asarray(row / length if length else row, np.float32)
    length = float(np.sqrt(row.multiply(row).sum()))
    return csr_array(row / length if length else row).astype(np.float32)
