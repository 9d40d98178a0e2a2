"""Answers questions over one library with one encoder."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.documents import KINDS, Document, Hit, Kind
from engine.encoders.base import Encoder
from engine.errors import EmptyLibraryError, SearchError
from engine.evidence import Evidence, Explainer, Vocabulary
from engine.index.base import VectorIndex
from engine.library import Filters, Library
from engine.questions import Ranking
from engine.rows import Rows
from engine.search.asking import asks_by_stems
from engine.search.base import Answer, Question, Result, check_asked
from engine.search.feedback import demote, keyword_query, moved_blindly, query_row, telling
from engine.search.fusion import DEPTH
from engine.search.kinds import Ids, found_by_kind, own_first, shares
from engine.search.ranks import BLIND, Corpus, fused_by_kind, keyword_weight, rank_all
from engine.search.words import promoted, stem_set, token_set, weighed
from engine.text import tokens
from engine.works import Fold, fold, same_work

_Parts: TypeAlias = dict[str, float]
_Lists: TypeAlias = list[list[Hit]]  # one of each group of documents that is ranked apart


_DEEPER = 4


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with everything looked up that the rankings need."""

    query: Document | None
    row: Rows
    ranking: Ranking
    liked: Sequence[Document]
    disliked: Sequence[Document]
    within: Ids
    apart: Sequence[Ids]
    itself: set[str]
    hidden: set[str]
    depth: int
    stressed: Set[str]
    muted: Set[str]


class Searcher:
    """Finds the documents of a library that lie near a document; may be called from several threads."""

    def __init__(self, library: Library, encoder: Encoder, index: VectorIndex) -> None:
        """Search `library`, whose documents `encoder` has put into `index`."""
        self._library = library
        self._encoder = encoder
        self._index = index
        self._held: tuple[tuple[int, int], Corpus] | None = None
        self._explaining: tuple[int, Vocabulary, Explainer] | None = None

    def search(self, question: Question) -> Answer:
        """The k nearest documents and why they are near.

        Raises EmptyLibraryError for a library without documents, SearchError for a question that cannot
        be answered as asked, and UnknownDocumentError for a seed that is not in the library.
        """
        self._check(question)
        started = time.perf_counter()
        asked = self._look_up(question)
        encoded = time.perf_counter()
        while True:
            rankings = self._rankings(asked)
            order = self._promoted(asked, self._order(asked, rankings))
            folds, itself = self._fold(asked, order, question.k)
            if len(folds) >= question.k or len(order) + len(asked.hidden) < asked.depth:
                break
            asked = replace(asked, depth=_DEEPER * asked.depth)  # what came first are versions of a few works
        parts = self._parts(asked, rankings, folds)
        found = time.perf_counter()
        evidence = self._explain(asked, folds)
        done = time.perf_counter()
        results = _results(folds, parts, evidence, scale=self._scale(asked, parts))
        return Answer(
            results=results,
            encoder=self._encoder.card.name,
            seconds={"encode": encoded - started, "search": found - encoded, "evidence": done - found},
            query_duplicates=tuple(sorted(asked.itself | itself)),
            goes_by_words=len(rankings) > 1 and self._weight(asked) > self._weight(),
            kinds_apart=len(asked.apart) > 1,
        )

    def rank(self, documents: Sequence[Document], k: int, ranking: Ranking = "default") -> list[list[Hit]]:
        """The k best hits of each document by one ranking, for evaluation: see `rank_all`."""
        return rank_all(documents, k, self._corpus(), ranking=ranking)

    def _check(self, question: Question) -> None:
        if len(self._library) == 0:
            raise EmptyLibraryError(
                "Expected a library with documents to search; it holds none. "
                "Get the sample library or import files first."
            )
        check_asked(question)
        if not question.liked and not tokens(question.document.text):
            raise SearchError(
                "Expected a question with words, or a liked document; got neither. Paste a text, or like a document."
            )
        if question.ranking != "keywords" and len(self._index) == 0:
            raise SearchError(
                f"Expected the library's vectors of the encoder {self._encoder.card.name}; there are none yet. "
                "Index the library with this encoder, or rank by keywords."
            )

    def _look_up(self, question: Question) -> _Asked:
        """Encode the question and find what it hides: its seeds, and documents that are the query itself."""
        query = question.document if tokens(question.document.text) else None
        liked, disliked = self._library.get(question.liked), self._library.get(question.disliked)
        itself = self._library.duplicates_of(query) if query is not None else set()
        hidden = itself | {*question.liked, *question.disliked} | {seed.id for seed in (*liked, *disliked)}
        within = None if question.filters == Filters() else frozenset(self._library.ids(question.filters))
        kind = query.kind if query is not None else liked[0].kind
        return _Asked(
            query=query,
            row=query_row(self._encoder, query, liked=liked, disliked=disliked),
            ranking=question.ranking,
            liked=liked,
            disliked=disliked,
            within=within,
            apart=self._apart(kind, within) if question.ranking == "default" else [within],
            itself=itself,
            hidden=hidden,
            depth=max(DEPTH, 2 * question.k) + len(hidden),
            stressed=token_set(question.stressed),
            muted=stem_set(question.muted),
        )

    def _apart(self, kind: Kind, within: Ids) -> Sequence[Ids]:
        """The groups of documents that are ranked apart for a question of a kind, its own kind first."""
        kinds = {name: ids if within is None else ids & within for name, ids in self._corpus().kinds.items()}
        return own_first(kind, kinds)

    def _corpus(self) -> Corpus:
        """The library as rankings read it; made again when documents or vectors have come or gone."""
        held, state = self._held, (self._library.version(), len(self._index))
        if held is None or held[0] != state:
            kinds = {kind: frozenset(self._library.ids(Filters(kinds=frozenset({kind})))) for kind in KINDS}
            held = self._held = (state, Corpus(self._encoder, self._index, self._library.keywords, kinds))
        return held[1]

    def _rankings(self, asked: _Asked) -> dict[str, _Lists]:
        """Each ranking that the question needs, without what it hides."""
        found: dict[str, _Lists] = {}
        if asked.ranking != "keywords":
            found["encoder"] = self._by_encoder(asked, asked.row)
        if asked.ranking != "encoder":
            found["keywords"] = self._by_keywords(asked)
        return found

    def _order(self, asked: _Asked, rankings: Mapping[str, _Lists]) -> list[Hit]:
        """The one ranking as it stands, or both fused, the encoder's then asked anew with what came first.

        What a person likes and dislikes says more than a guess: with it nothing is guessed.
        """
        if len(rankings) == 1:
            return next(iter(rankings.values()))[0]
        near, terms, weight = rankings["encoder"], rankings["keywords"], self._weight(asked)
        counting = shares(near, self._mean_of_others(asked)) if len(near) > 1 else [1.0]
        first = fused_by_kind(near, terms, weight, counting)
        if asked.liked or asked.disliked:
            return first
        moved = moved_blindly(asked.row, [first], encoder=self._encoder, index=self._index, blind=BLIND)
        return fused_by_kind(self._by_encoder(asked, moved), terms, weight, counting)

    def _promoted(self, asked: _Asked, order: list[Hit]) -> list[Hit]:
        """The order with documents that say the stressed words further up; where meaning alone ranks, as it was."""
        if not asked.stressed or asked.ranking == "encoder" or not order:
            return order
        question, within = Counter(dict.fromkeys(asked.stressed, 1)), [hit.id for hit in order]
        return promoted(order, self._library.keywords.search(question, len(order), within=within, stemmed=True))

    def _weight(self, asked: _Asked | None = None) -> float:
        """How much keywords count beside the encoder, for a question or usually."""
        return keyword_weight(self._encoder.card.name, None if asked is None else asked.query)

    def _by_encoder(self, asked: _Asked, row: Rows) -> _Lists:
        """The nearest rows of a row that asks."""
        return self._each(asked, lambda depth, ids: self._index.search(row, depth, within=ids)[0])

    def _by_keywords(self, asked: _Asked) -> _Lists:
        search, (vocabulary, _) = self._library.keywords.search, self._explainer()
        terms = keyword_query(asked.query, asked.liked, vocabulary)
        terms = weighed(terms, stressed=asked.stressed, muted=asked.muted)
        against = " ".join(telling(asked.disliked, vocabulary, without=terms)) if asked.disliked else ""
        stemmed = asked.query is not None and asks_by_stems(asked.query)

        def found(depth: int, ids: Ids) -> list[Hit]:
            hits = search(terms, depth, within=ids, stemmed=stemmed)
            if not against or not hits:
                return hits
            return demote(hits, search(against, depth, within=[hit.id for hit in hits], stemmed=stemmed))

        return self._each(asked, found)

    def _each(self, asked: _Asked, search: Callable[[int, Ids], list[Hit]]) -> _Lists:
        """What a search finds in each group that is ranked apart, without what the question hides."""
        found = found_by_kind(
            lambda depth, ids: search(depth, asked.within if ids is None else ids), asked.depth, asked.apart
        )
        return [[hit for hit in hits if hit.id not in asked.hidden] for hits in found]

    def _fold(self, asked: _Asked, order: Sequence[Hit], k: int) -> tuple[list[Fold], set[str]]:
        """The first k works, and what turned out to be the query itself.

        Reads a few documents more than k at a time, so that what is folded or hidden is replaced.
        """
        read: list[Document] = []
        itself: set[str] = set()
        folds: list[Fold] = []
        for start in range(0, len(order), k + 5):
            for document in self._library.get([hit.id for hit in order[start : start + k + 5]]):
                if asked.query is not None and same_work(asked.query, document):
                    itself.add(document.id)
                elif not any(same_work(seed, document) for seed in (*asked.liked, *asked.disliked)):
                    read.append(document)
            folds = fold(read)
            if len(folds) >= k:
                break
        return folds[:k], itself

    def _parts(self, asked: _Asked, rankings: Mapping[str, _Lists], folds: Sequence[Fold]) -> list[_Parts]:
        """The raw scores of the documents shown; those beyond the encoder's depth are scored now."""
        known = {name: {hit.id: hit.score for hits in lists for hit in hits} for name, lists in rankings.items()}
        shown = [fold.document.id for fold in folds]
        missing = [name for name in shown if name not in known.get("encoder", {})]
        if missing and len(self._index):
            for hit in self._index.search(asked.row, len(missing), within=missing)[0]:
                known.setdefault("encoder", {})[hit.id] = hit.score
        return [{name: scores[shown_id] for name, scores in known.items() if shown_id in scores} for shown_id in shown]

    def _scale(self, asked: _Asked, parts: Sequence[_Parts]) -> Callable[[_Parts], float]:
        """From raw scores to the score from 0 to 1 that `Result` describes."""
        if asked.ranking == "keywords":
            best = max((scores["keywords"] for scores in parts), default=0.0)
            return lambda scores: scores["keywords"] / best if best > 0 else 0.0
        mean = self._mean_of_others(asked)
        return lambda scores: (scores.get("encoder", mean) - mean) / (1 - mean) if mean < 1 else 0.0

    def _mean_of_others(self, asked: _Asked) -> float:
        """The mean inner product of the row that asks and all rows but those of the query's own copies."""
        mean, held = float((asked.row @ self._corpus().mean_row.T).item()), len(self._index)
        own = self._index.search(asked.row, len(asked.itself), within=asked.itself)[0] if asked.itself and held else []
        others = held - len(own)
        return (mean * held - sum(hit.score for hit in own)) / others if own and others else mean

    def _explain(self, asked: _Asked, folds: Sequence[Fold]) -> list[Evidence]:
        """The evidence against the query, or where there is none against the liked document with most in common."""
        _, explainer = self._explainer()
        documents = [fold.document for fold in folds]
        found = explainer.explain_by_nearest([asked.query] if asked.query else asked.liked, documents)
        return [
            replace(one, terms=tuple(term for term in one.terms if not asked.muted & stem_set([term.term])))
            for one in found
        ]

    def _explainer(self) -> tuple[Vocabulary, Explainer]:
        """The library's words as evidence; counted again when documents have come or gone."""
        held, version = self._explaining, self._library.version()
        if held is None or held[0] != version:
            keywords = self._library.keywords
            vocabulary = Vocabulary(keywords.frequencies(), keywords.size)
            held = (version, vocabulary, Explainer(self._encoder, vocabulary))
            self._explaining = held
        return held[1], held[2]


def _results(
    folds: Sequence[Fold], parts: Sequence[_Parts], evidence: Sequence[Evidence], *, scale: Callable[[_Parts], float]
) -> tuple[Result, ...]:
    return tuple(
        Result(rank, shown.document, min(1.0, max(0.0, scale(scores))), scores, why, tuple(shown.others))
        for rank, (shown, scores, why) in enumerate(zip(folds, parts, evidence, strict=True), start=1)
    )
