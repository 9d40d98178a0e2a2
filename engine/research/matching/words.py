"""The rows that know only a corpus's words: TF-IDF's cosine, LSA and BM25."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from scipy.sparse import csr_array

from engine.core import files
from engine.core.errors import EvaluationError
from engine.core.progress import Meter, Report, silent
from engine.core.rows import SparseRows
from engine.documents import Document
from engine.encoders import unit_length
from engine.library import KeywordIndex, keyword_fingerprint, question_terms
from engine.research.matching.pair_set import PairSet
from engine.research.matching.scores import PairScores, inner_products

TFIDF, LSA, BM25 = "tfidf", "lsa", "bm25"
DIMENSIONS = 256
SEED = 0
"""Seeds LSA's randomised decomposition; how far other seeds move its accuracy: engine/research/reports/choices.md."""


def tfidf_scores(pairs: PairSet, *, report: Report = silent) -> PairScores:
    """Cosines (p,) of TF-IDF rows with 1 + ln(count) for counts, scikit-learn's words and its English stop words.

    Words and their rarity come from the whole corpus, whatever split a document is in; labels are not read.
    """
    rows, _ = _rows(pairs, report)
    return inner_products(rows, rows, pairs.places)


def lsa_scores(pairs: PairSet, *, report: Report = silent) -> PairScores:
    """Cosines (p,) in the 256 strongest directions of the corpus's rows of TF-IDF (Deerwester et al., 1990)."""
    from sklearn.decomposition import TruncatedSVD

    rows, corpus = _rows(pairs, report)
    count = min(DIMENSIONS, min(corpus.shape) - 1)
    if count < 1:
        raise EvaluationError(f"Expected two documents with two words or more to fit {LSA} on, got fewer. Add some.")
    fitted = TruncatedSVD(count, random_state=SEED).fit(corpus)
    topics = unit_length(np.asarray(fitted.transform(rows), np.float32))  # (n, 256)
    return inner_products(topics, topics, pairs.places)


def bm25_scores(pairs: PairSet, *, report: Report = silent) -> PairScores:
    """The mean (p,) of both directions, each document asking once and the other answering, as a search would score.

    A document's score for its own question is taken as 1, because the scores of different questions have different
    scales. This tells more pairs rightly than the mean of the plain scores (engine/research/reports/choices.md).
    """
    keywords = KeywordIndex.in_memory(pairs.corpus)
    partners: dict[int, set[int]] = defaultdict(set)
    for a, b in pairs.places.tolist():
        partners[a].add(b)
        partners[b].add(a)
    meter = Meter(f"ask by {BM25}", len(partners), report)
    share: dict[tuple[int, int], float] = {}
    for asks, answer in partners.items():
        document = pairs.documents[asks]
        named = {pairs.documents[place].id: place for place in (*answer, asks)}
        found = {hit.id: hit.score for hit in keywords.search(question_terms(document), len(named), within=named)}
        own = found.get(document.id, 0.0)
        share |= {(asks, place): found.get(name, 0.0) / own if own else 0.0 for name, place in named.items()}
        meter.add()
    meter.finish()
    return np.array([(share[a, b] + share[b, a]) / 2 for a, b in pairs.places.tolist()], np.float64)


def fingerprint(name: str) -> str:
    """Names the choices that make a row; the corpus's digest tells what it learned."""
    choices = {
        TFIDF: "tfidf sklearn sublinear english",
        LSA: f"lsa sklearn sublinear english {DIMENSIONS} seed {SEED}",
        BM25: f"both ways / own {keyword_fingerprint()}",
    }
    return files.fingerprint(choices[name])


def _rows(pairs: PairSet, report: Report) -> tuple[SparseRows, SparseRows]:
    """Unit-length rows of the pairs' documents, and of the whole corpus that they are fitted on."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    meter = Meter(f"weigh words by {TFIDF}", len(pairs.corpus), report)
    vectorizer = TfidfVectorizer(sublinear_tf=True, stop_words="english", dtype=np.float32)
    try:
        corpus = csr_array(vectorizer.fit_transform(_counted(pairs.corpus, meter)))
    except ValueError:  # scikit-learn's for an empty vocabulary
        raise EvaluationError(
            f"Expected documents with words in {pairs.name}, found none but stop words. Add documents with text."
        ) from None
    meter.finish()
    place = {document.id: number for number, document in enumerate(pairs.corpus)}
    return corpus[[place[document.id] for document in pairs.documents]], corpus


def _counted(documents: Sequence[Document], meter: Meter) -> Iterator[str]:
    for document in documents:
        yield document.text
        meter.add()
