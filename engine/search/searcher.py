"""Answers questions over one library with one encoder."""

from __future__ import annotations

import functools
import operator
import time
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from engine.core.errors import EmptyLibraryError, SearchError
from engine.core.rows import Rows
from engine.documents import KINDS, Chunk, Document, Hit, Kind
from engine.documents.questions import SHORT_BELOW_TOKENS, Ranking, kind_asked
from engine.documents.selections import Selection, as_selection, remembered
from engine.documents.text import first_tokens
from engine.documents.works import Fold, fold, same_work
from engine.encoders import Encoder
from engine.library import Filters, Library
from engine.search.answers import Answer, FirstHit, Question, Result
from engine.search.citations.cited import Citations, find_citations, shared_references
from engine.search.evidence.explain import Evidence, Explainer
from engine.search.evidence.sentences import PassagePair
from engine.search.fusion import Ids, own_first
from engine.search.passages import AskedPassages, Match, PassageMatcher
from engine.search.queries import add_telling, asked_terms, asks_by_stems, leave_out, most_telling, query_row, stem_set
from engine.search.ranking import BatchedQuestion, Corpus, QuestionBatch, RankedLists, keyword_weight, rank
from engine.search.readings import PairReader, Reading, fitted_on, words_of_passage
from engine.search.settings import SHIPPED, RankingSettings
from engine.search.verdicts import CANDIDATES, Among, HitReader
from engine.search.vocabulary import Vocabulary
from engine.vectors import PassagePlace, VectorIndex

_DEEPER = 4
_LONG_TO_READ = 24
"""From this many passages left to read, some .3 s on two cores, a question's first hits are worth a ranking."""

PASSAGES_SHOWN = 3
"""How many pairs of passages say why a document is near.

In as many of its passages, the nearest to the question, the nearest sentence is looked for, beside its beginning.
"""


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of a query, whatever it is asked among: its terms, its row (1, dim), its copies, what it cites."""

    terms: Counter[str]
    row: Rows
    copies: Set[str]
    citations: Citations


@dataclass(frozen=True, slots=True)
class _LookedUp:
    """A question's row (1, dim) and terms, the documents that it names, and the ids of its copies in the library."""

    row: Rows
    terms: Counter[str]
    query: Document | None
    liked: Sequence[Document]
    disliked: Sequence[Document]
    copies: Set[str]
    muted: Set[str]
    citations: Citations


class Searcher:
    """Finds the documents of a library that are near a document; may be called from several threads."""

    def __init__(
        self,
        library: Library,
        encoder: Encoder,
        index: VectorIndex,
        *,
        passages: PassageMatcher | None = None,
        settings: RankingSettings = SHIPPED,
    ) -> None:
        """Search `library`; `index` holds its documents by `encoder`, and `passages` what they say.

        Of a library that is still being read, both hold a part (`engine.search.ranking.rank`).
        """
        self._settings = settings
        self._library = library
        self._encoder = encoder
        self._index = index
        self._passages = passages
        self._held: tuple[tuple[int, int], Corpus] | None = None
        self._known: tuple[tuple[Document, int], _Known] | None = None
        self._explaining: tuple[int, tuple[Vocabulary, Explainer, HitReader]] | None = None

    def search(self, question: Question) -> Answer:
        """Return the k nearest documents and why they are near.

        Raises EmptyLibraryError for a library without documents, SearchError for a question that cannot
        be answered as asked, and UnknownDocumentError for a seed that is not in the library.
        """
        self._check(question)
        started = time.perf_counter()
        *_, reader = self._words()
        verdict = None if question.liked else reader.gibberish(question.document)
        if verdict is not None:
            return Answer((), self._encoder.card.name, {"encode": 0.0, "search": 0.0, "evidence": 0.0}, verdict)
        found = self._look_up(question)
        encoded = time.perf_counter()
        batch = self._batch(question, found)
        (asked,) = batch.asked
        while True:
            ranked = rank(batch, self._corpus(), self._settings)[0]
            folds, itself = self._fold(found, ranked.order, question.k)
            if len(folds) >= question.k or len(ranked.order) + len(asked.hidden) < batch.depth:
                break
            batch = replace(batch, depth=_DEEPER * batch.depth)  # what came first are versions of a few works
        parts = self._parts(batch, ranked, folds)
        searched = time.perf_counter()
        evidence = self._explain(found, folds, asked.passages)
        guided = bool(found.liked or found.disliked)
        asking = reader.asking(found.query, found.liked, None if guided else found.row)
        shown = [fold.document for fold in folds]
        candidates = _candidates(ranked, asked.hidden | itself)
        among = self._among(question, batch.within)
        verdict = reader.verdict(asking, candidates, shown, among)
        stressed = [*question.stressed, *question.muted]
        words = dict(zip(stressed, self._library.keywords.holders(stressed), strict=True))
        each = sorted(zip(folds, parts, evidence, reader.read(asking, shown), strict=True), key=_is_off_topic)
        results = tuple(_result(rank, one, question, words, found) for rank, one in enumerate(each, start=1))
        done = time.perf_counter()
        usual = keyword_weight(self._encoder.card.name, settings=self._settings)
        return Answer(
            results=results,
            encoder=self._encoder.card.name,
            seconds={"encode": encoded - started, "search": searched - encoded, "evidence": done - searched},
            verdict=verdict,
            query_duplicates=tuple(sorted(found.copies | itself)),
            goes_by_words=batch.ranking == "default" and asked.keyword_weight > usual,
            kinds_apart=len(batch.groups) > 1,
            holders={word: len(ids) for word, ids in words.items()},
            lines={line: self._library.count(Filters(lines=(line,))) for line in question.filters.lines},
            citations=found.citations,
        )

    def first_hits(self, question: Question) -> tuple[FirstHit, ...]:
        """Return the k nearest documents by all but passages; none where the whole answer takes hardly longer.

        Raises as `search`.
        """
        self._check(question)
        document, reads = question.document, self._passages
        if reads is None or question.ranking == "keywords" or self._library.holds(document):
            return ()
        if reads.count_unread(document) < _LONG_TO_READ:
            return ()
        *_, reader = self._words()
        if not question.liked and reader.gibberish(document) is not None:
            return ()
        found = self._look_up(question)
        batch = self._batch(question, found, by_passages=False)
        ranked = rank(batch, self._corpus().without_passages, self._settings)[0]
        folds, _ = self._fold(found, ranked.order, question.k)
        return question.as_first_hits([one.document for one in folds], self._library)

    def read_ahead(self, document: Document) -> None:
        """Read the passages of a document that may ask soon: of a long one that is most of what its search takes."""
        if self._passages is not None:
            self._read(self._passages, document)

    def rank(self, documents: Sequence[Document], k: int, ranking: Ranking = "default") -> list[list[Hit]]:
        """Return the k best hits of each document by one ranking, for evaluation: see `Corpus.rank`."""
        return self._corpus().rank(documents, k, ranking=ranking, settings=self._settings)

    def order(self, question: Question) -> list[str]:
        """Return the ids of the k nearest documents without saying why, versions of a work each; raises as `search`."""
        self._check(question)
        batch = self._batch(question, self._look_up(question))
        return [hit.id for hit in rank(batch, self._corpus(), self._settings)[0].order[: question.k]]

    def _check(self, question: Question) -> None:
        if len(self._library) == 0:
            raise EmptyLibraryError(
                "Expected a library with documents to search; it holds none. "
                "Get the sample library or import files first."
            )
        question.check()
        if not question.liked and not first_tokens(question.document.text, 1):
            raise SearchError(
                "Expected a question with words, or a liked document; got neither. Paste a text, or like a document."
            )

    def _look_up(self, question: Question) -> _LookedUp:
        """Encode the question, and find its seeds and the documents that are the query itself."""
        query = question.document if first_tokens(question.document.text, 1) else None
        liked, disliked = self._library.get(question.liked), self._library.get(question.disliked)
        muted, known = stem_set(question.muted), self._known_of(query) if query is not None else None
        if known is None:
            row = query_row(self._encoder, None, liked=liked, disliked=disliked)
            return _LookedUp(row, Counter(), None, liked, disliked, set(), muted, Citations())
        row = known.row
        if liked or disliked:
            row = query_row(self._encoder, query, liked=liked, disliked=disliked)
        return _LookedUp(row, known.terms, query, liked, disliked, known.copies, muted, known.citations)

    def _known_of(self, query: Document) -> _Known:
        """Return what is known of a query; of the last one it is at hand, which is asked again with other filters."""
        held, state = self._known, (query, self._library.version())
        if held is None or held[0] != state:
            known = _Known(
                asked_terms(query, self._settings),
                query_row(self._encoder, query),
                self._library.duplicates_of(query),
                find_citations(query, self._library),
            )
            held = self._known = (state, known)
        return held[1]

    def _batch(self, question: Question, found: _LookedUp, *, by_passages: bool = True) -> QuestionBatch:
        """Return the question as a batch of one, which hides its seeds and what is the query itself.

        Its passages are read if it is to be asked `by_passages`.
        """
        seeds = {seed.id for seed in (*found.liked, *found.disliked)}
        hidden = found.copies | seeds | {*question.liked, *question.disliked}
        within: Ids = None if question.filters == Filters() else self._library.selection(question.filters)
        cited = found.citations.held.keys()
        if question.cited:
            within = frozenset(cited) if within is None else within & cited
        elif question.cited is not None:
            hidden |= cited
        kind = kind_asked(found.query) if found.query is not None else found.liked[0].kind
        return QuestionBatch(
            rows=found.row,
            asked=[self._asked(question, found, hidden, self._passages if by_passages else None)],
            depth=max(self._settings.depth, 2 * question.k) + len(hidden),
            groups=self._apart(kind, within) if question.ranking == "default" else [within],
            within=within,
            ranking=question.ranking,
        )

    def _asked(
        self, question: Question, found: _LookedUp, hidden: Set[str], reads: PassageMatcher | None
    ) -> BatchedQuestion:
        """Return the question: its own words, those of liked and disliked documents, and the stressed ones."""
        query, (vocabulary, *_) = found.query, self._words()
        terms = leave_out(add_telling(found.terms, found.liked, vocabulary), found.muted)
        by_passages = reads if query is not None and question.ranking != "keywords" else None
        return BatchedQuestion(
            terms=terms,
            stemmed=query is not None and asks_by_stems(query, self._settings),
            keyword_weight=keyword_weight(self._encoder.card.name, query, self._settings),
            hidden=hidden,
            copies=found.copies,
            against=" ".join(most_telling(found.disliked, vocabulary, without=terms)) if found.disliked else "",
            stressed=question.stressed,
            guided=bool(found.liked or found.disliked),
            passages=self._read(by_passages, query) if by_passages is not None and query is not None else None,
        )

    def _read(self, by_passages: PassageMatcher, query: Document) -> AskedPassages | None:
        """Return the passages of a query with their rows, which are at hand where it is one of the library's."""
        return by_passages.ask_with(query) if self._library.holds(query) else by_passages.ask(query)

    def _among(self, question: Question, within: Ids) -> Among:
        """Return what the question was asked among, and how much of it is read."""
        corpus = self._corpus()
        lacking = [missing if within is None else within & missing for missing in (corpus.unread, corpus.unmatched)]
        if question.ranking == "keywords":
            lacking[1] = Selection()  # words of all documents are known, and rows say how near they are
        count = len(self._library) if within is None else len(within)
        return Among(count, scope=question.scope, unread=len(lacking[0]), unmatched=len(lacking[1]))

    def _apart(self, kind: Kind, within: Ids) -> Sequence[Ids]:
        """Return the groups of documents that are ranked separately for a question of a kind, its own kind first."""
        corpus = self._corpus()
        if within is None:
            return own_first(kind, corpus.kinds)

        def split() -> dict[Kind, Selection]:
            return {name: as_selection(ids & within) for name, ids in corpus.kinds.items()}

        groups = own_first(kind, remembered(within, corpus, split))
        return groups if len(groups) > 1 else [within]

    def _corpus(self) -> Corpus:
        """Return the library as rankings read it; made again when documents or vectors change."""
        held, state = self._held, (self._library.version(), len(self._index))
        if held is None or held[0] != state:
            found, passages = self._library.selections_by_kind(), self._passages
            kinds = {kind: found.get(kind, Selection()) for kind in KINDS}
            every = functools.reduce(operator.or_, found.values()) if found else Selection()
            unread, unmatched = self._index.missing(every), Selection()
            if passages is not None:
                unmatched = every.missing_from(passages.view.number_of, passages.view)
            corpus = Corpus(self._encoder, self._index, self._library.keywords, kinds, passages, unread, unmatched)
            held = self._held = (state, corpus)
        return held[1]

    def _fold(self, found: _LookedUp, order: Sequence[Hit], k: int) -> tuple[list[Fold], set[str]]:
        """Return the first k works, and which documents turned out to be the query itself.

        Reads a few documents more than k at a time, so that what is folded or hidden is replaced.
        """
        read: list[Document] = []
        itself: set[str] = set()
        folds: list[Fold] = []
        for start in range(0, len(order), k + 5):
            for document in self._library.get([hit.id for hit in order[start : start + k + 5]]):
                if found.query is not None and same_work(found.query, document):
                    itself.add(document.id)
                elif not any(same_work(seed, document) for seed in (*found.liked, *found.disliked)):
                    read.append(document)
            folds = fold(read)
            if len(folds) >= k:
                break
        return folds[:k], itself

    def _parts(self, batch: QuestionBatch, ranked: RankedLists, folds: Sequence[Fold]) -> list[dict[str, float]]:
        """Return the raw scores of the documents shown; those beyond the encoder's depth are scored now."""
        known, shown = ranked.parts, [fold.document.id for fold in folds]
        missing = [name for name in shown if name not in known["encoder"]]
        if missing and len(self._index):
            nearest = self._index.search(batch.rows, len(missing), within=missing)[0]
            known["encoder"] |= {hit.id: hit.score for hit in nearest}
        return [{name: scores[shown_id] for name, scores in known.items() if shown_id in scores} for shown_id in shown]

    def _explain(self, found: _LookedUp, folds: Sequence[Fold], asked: AskedPassages | None = None) -> list[Evidence]:
        """Return the evidence against the query or, without one, against the liked document with most in common."""
        _, explainer, _ = self._words()
        documents = [fold.document for fold in folds]
        pairs = [self._passages_of(asked, document) for document in documents]
        if found.query is not None:
            evidence = explainer.explain(found.query, documents, self._looked_through(asked, documents, pairs))
        else:
            evidence = explainer.explain_by_nearest(found.liked, documents)
        return [
            replace(
                one,
                terms=tuple(term for term in one.terms if not found.muted & stem_set([term.term])),
                passages=each,
            )
            for one, each in zip(evidence, pairs, strict=True)
        ]

    def _passages_of(self, asked: AskedPassages | None, document: Document) -> tuple[PassagePair, ...]:
        """Return the passages of the question and of a document that match best."""
        if asked is None or self._passages is None:
            return ()
        is_known = self._passages.reader.fingerprint == fitted_on("passage")
        found = []
        for match in self._passages.matches(asked, document.id, PASSAGES_SHOWN):
            theirs = _chunk(document, match.document)
            reading = _reading_of(match, theirs) if is_known else None
            found.append(PassagePair(match.query, theirs, min(1.0, max(0.0, match.score)), reading))
        return tuple(found)

    def _looked_through(
        self, asked: AskedPassages | None, documents: Sequence[Document], pairs: Sequence[Sequence[PassagePair]]
    ) -> list[Chunk]:
        """Return the passages where sentences are looked for: the question's that match, and documents' nearest."""
        if asked is None or self._passages is None:
            return []
        ours = [pair.query for each in pairs for pair in each]
        return ours + [
            _chunk(document, place)
            for document in documents
            for place in self._passages.view.nearest_in(document.id, asked.rows, PASSAGES_SHOWN)
        ]

    def _words(self) -> tuple[Vocabulary, Explainer, HitReader]:
        """Return the library's words as evidence and for readings; counted again when documents change."""
        held, version = self._explaining, self._library.version()
        if held is None or held[0] != version:
            vocabulary = Vocabulary.of(self._library.keywords)
            reader = HitReader(self._library, PairReader(self._encoder, self._index), vocabulary)
            held = (version, (vocabulary, Explainer(self._encoder, vocabulary, self._index), reader))
            self._explaining = held
        return held[1]


def _reading_of(match: Match, theirs: Chunk) -> Reading | None:
    """Return how near two passages are, where both are long enough to tell and they are likely related.

    Passages of one field are not told from those of others (engine/research/reports/readings.md), and the scale was
    fitted to passages and quotes, not to a few words.
    """
    words = words_of_passage(match.query.text), words_of_passage(theirs.text)
    if min(one.tokens for one in words) < SHORT_BELOW_TOKENS:
        return None
    found = words[0].pair(words[1], match.score).read("passage")
    return found if found.is_near else None


def _is_off_topic(shown: tuple[Fold, Mapping[str, float], Evidence, Reading]) -> bool:
    """Tell whether a document is not on a bare topic: such come last, which finds as much as before."""
    reading = shown[-1]
    return reading.is_of_topic and not reading.is_near


def _chunk(document: Document, place: PassagePlace) -> Chunk:
    return document.parts[place.part].chunk(document.id, *place)


def _candidates(ranked: RankedLists, hidden: Set[str]) -> list[str]:
    """Return the first documents of every list, among which the nearest are looked for."""
    lists = [ranked.order, *ranked.near]
    found = dict.fromkeys(hit.id for hits in lists for hit in hits[:CANDIDATES])
    return [name for name in found if name not in hidden]


def _result(
    rank: int,
    shown: tuple[Fold, Mapping[str, float], Evidence, Reading],
    question: Question,
    holders: Mapping[str, Set[str]],
    found: _LookedUp,
) -> Result:
    """Return a document of the answer with what is known of it; `holders` has those of each of the question's words."""
    (fold, scores, why, reading), query, cites = shown, found.query, bool(found.citations.references)
    document, others = fold.document, tuple(fold.others)
    return Result(
        rank,
        document,
        reading,
        scores,
        why,
        folded=others,
        stressed=tuple(word for word in question.stressed if document.id in holders[word]),
        muted=tuple(word for word in question.muted if document.id in holders[word]),
        cited=not found.citations.held.keys().isdisjoint((document.id, *others)) if cites else None,
        shared=shared_references(query, document) if cites and query is not None else (),
        whole=fold.record if others else None,
    )
