"""The rankings that a search offers, for many documents at once and apart from any library."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from engine import files
from engine.documents import Document, Hit, Kind
from engine.encoders.base import Encoder, EncoderCard
from engine.encoders.registry import keyword_weights
from engine.index.base import VectorIndex
from engine.library import KeywordIndex
from engine.questions import Ranking, is_citing_passage
from engine.rows import DenseRows
from engine.search.asking import CITING_TIMES, asked_terms, asks_by_stems, words_fingerprint
from engine.search.feedback import Blind, moved_blindly
from engine.search.fusion import DEPTH, relative_scores
from engine.search.kinds import Ids, joined, kinds_fingerprint, mean_row, own_first, shares

BLIND = Blind()


@dataclass(frozen=True)
class Corpus:
    """What rankings read, as it is now: an encoder with the documents' rows, their words, and which are of what kind.

    Without `kinds` all documents are ranked as one list.
    """

    encoder: Encoder
    index: VectorIndex
    keywords: KeywordIndex
    kinds: Mapping[Kind, frozenset[str]] = field(default_factory=dict)

    @cached_property
    def mean_row(self) -> DenseRows:
        """The mean of all rows, with which documents answer: (1, dim)."""
        return mean_row(self.index)


@dataclass(frozen=True, slots=True)
class Tried:
    """Values of the default ranking to be measured; those that are not given are the searches' own."""

    blind: Blind = BLIND
    passage_weight: float | None = None
    stemmed: bool | None = None
    citing_times: int = CITING_TIMES
    sharpness: float | None = None


AS_SEARCHED = Tried()


def rank_all(documents: Sequence[Document], k: int, corpus: Corpus, *, ranking: Ranking = "default") -> list[list[Hit]]:
    """The k best hits of each document by one ranking, for evaluation.

    Nothing is folded, and nothing hidden, but that in the default ranking no document answers itself.
    """
    if ranking == "keywords":
        return rank_by_keywords(documents, k, keywords=corpus.keywords)
    if not documents:
        return []
    if ranking == "encoder":
        return corpus.index.search(corpus.encoder.encode_queries(documents), k)
    return rank_by_both(documents, k, corpus)


def rank_by_both(
    documents: Sequence[Document], k: int, corpus: Corpus, *, tried: Tried = AS_SEARCHED
) -> list[list[Hit]]:
    """The k best hits of each document by the default ranking, or with other values `tried`; never itself."""
    found: dict[int, list[Hit]] = {}
    for kind in dict.fromkeys(document.kind for document in documents):
        places = [place for place, document in enumerate(documents) if document.kind == kind]
        groups = own_first(kind, corpus.kinds)
        found |= zip(places, _both([documents[place] for place in places], k, corpus, groups, tried), strict=True)
    return [found[place] for place in range(len(documents))]


def _both(
    documents: Sequence[Document], k: int, corpus: Corpus, groups: Sequence[Ids], tried: Tried
) -> list[list[Hit]]:
    """The k best hits of documents of one kind, each group of the corpus ranked apart."""
    depth, encoder, index = max(k, DEPTH) + 1, corpus.encoder, corpus.index
    weights = [keyword_weight(encoder.card.name, one, passage_weight=tried.passage_weight) for one in documents]
    terms = _by_document(
        documents,
        (rank_by_keywords(documents, depth, keywords=corpus.keywords, within=ids, tried=tried) for ids in groups),
    )
    rows = encoder.encode_queries(documents)
    near = _by_document(documents, (index.search(rows, depth, within=ids) for ids in groups))
    means = (rows @ corpus.mean_row.T).ravel() if len(groups) > 1 else [0.0] * len(documents)
    counting = [shares(lists, float(mean), tried.sharpness) for lists, mean in zip(near, means, strict=True)]
    first = [fused_by_kind(*four) for four in zip(near, terms, weights, counting, strict=True)]
    moved = moved_blindly(rows, first, encoder=encoder, index=index, blind=tried.blind)
    again = _by_document(documents, (index.search(moved, depth, within=ids) for ids in groups))
    return [fused_by_kind(*four)[:k] for four in zip(again, terms, weights, counting, strict=True)]


def _by_document(documents: Sequence[Document], groups: Iterable[list[list[Hit]]]) -> list[list[list[Hit]]]:
    """The lists of each document, of lists that are given group by group, without the document itself.

    It would be so much nearer than all others that these would hardly differ.
    """
    return [
        [[hit for hit in hits if hit.id != one.id] for hits in lists]
        for one, *lists in zip(documents, *groups, strict=True)
    ]


def keyword_weight(encoder: str, question: Document | None = None, *, passage_weight: float | None = None) -> float:
    """How much the keyword ranking counts beside the ranking of the encoder of that name, which counts 1.

    `passage_weight` is for trying another one of passages that cite.
    """
    usual, passages = keyword_weights(encoder)
    if question is not None and is_citing_passage(question):
        found = passages if passage_weight is None else passage_weight
        if found is not None:
            return found
    return usual


def rank_by_keywords(
    documents: Sequence[Document],
    k: int,
    *,
    keywords: KeywordIndex,
    within: Collection[str] | None = None,
    tried: Tried = AS_SEARCHED,
) -> list[list[Hit]]:
    """The k best hits of each document by its words alone, or with other values `tried`."""
    found = []
    for document in documents:
        terms = asked_terms(document, citing_times=tried.citing_times)
        stemmed = asks_by_stems(document) if tried.stemmed is None else tried.stemmed
        found.append(keywords.search(terms, k, within=within, stemmed=stemmed))
    return found


def fused(near: Sequence[Hit], terms: Sequence[Hit], keyword_weight: float) -> list[Hit]:
    """An encoder's ranking and the keywords', by their relative scores."""
    return relative_scores([near, terms], [1.0, keyword_weight])


def fused_by_kind(
    near: Sequence[Sequence[Hit]], terms: Sequence[Sequence[Hit]], keyword_weight: float, counting: Sequence[float]
) -> list[Hit]:
    """Both rankings of each kind fused, and the kinds joined, each counting what `shares` says."""
    return joined([fused(one, other, keyword_weight) for one, other in zip(near, terms, strict=True)], counting)


def ranking_fingerprint(card: EncoderCard, *, mixed: bool = False) -> str:
    """Names everything that makes the default ranking with an encoder, for reports that are compared later.

    `mixed` where the corpus holds several kinds of documents, which are joined.
    """
    weights = str(keyword_weights(card.name))
    parts = ("relative scores", str(DEPTH), weights, str(BLIND), words_fingerprint(), card.fingerprint)
    return files.fingerprint(*parts, *([kinds_fingerprint()] if mixed else []))
