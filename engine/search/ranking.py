"""The default ranking, in one place: prepared questions and an opened corpus in, ordered documents out.

A live search is a batch of one, an evaluation many plain questions at once. The batch says where the two differ:

* A search hides its seeds and the copies of the question, and leaves copies out of the average document; `Corpus.rank`
  hides the document with the question's id. Both hide after each list is cut to its depth.
* A search ranks 200 documents, or twice as many as are asked for if that is more, and one more for each that it hides;
  `Corpus.rank` ranks 200, or as many as are asked for if that is more, and one more. A search whose first documents are
  versions of a few works asks again, four times as deep.
* A search of liked and disliked documents guesses nothing; `Corpus.rank` knows no such documents.
* A search scales its row to unit length; `Corpus.rank` takes an encoder's rows as they are.
* By the encoder or by keywords alone `Corpus.rank` hides nothing and ranks as many documents as are asked for.

While a library is read, one rule joins what is read with what is not (`rank`): a document stands where the best ranking
that knows it puts it. Words know every document, rows those that are encoded, passages those whose passages are read.
Each ranking fills, in its own order, the places that those documents have in the ranking below it.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import islice, zip_longest

import numpy as np

from engine import encoders
from engine.core import files
from engine.core.rows import DenseRows, Rows
from engine.documents import Document, Hit, Kind
from engine.documents.questions import Ranking, is_citing_passage, kind_asked
from engine.documents.selections import Selection, as_selection, remembered
from engine.encoders import Encoder, EncoderCard
from engine.library import KeywordIndex
from engine.search.fusion import (
    Ids,
    Lists,
    demote,
    found_by_kind,
    join_lists,
    kinds_fingerprint,
    list_weights,
    mean_row,
    own_first,
    promote,
    relative_scores,
    spread_scores,
)
from engine.search.passages import AskedPassages, PassageMatcher
from engine.search.queries import asked_terms, asks_by_stems, move_blindly, words_fingerprint
from engine.search.settings import SHIPPED, RankingSettings
from engine.vectors import VectorIndex

_SAMPLE = 2_048
"""How many documents say how far scores spread."""
_FEWEST = 32
_FINDING, _FOUND, _FEWEST_FOUND = 64, 4, 64
"""How many of a question's passages find candidates, how many times `depth` together, and the fewest of each."""
_NONE = Selection()


@dataclass(frozen=True, eq=False)
class Corpus:
    """What rankings read, as it is now: an encoder with the documents' rows, their words and their kinds.

    Without `kinds` all documents are ranked as one list, without `passages` by their own rows and words alone.
    `unread` are the documents that `index` lacks, and `unmatched` those that `passages` lack.
    """

    encoder: Encoder
    index: VectorIndex
    keywords: KeywordIndex
    kinds: Mapping[Kind, Set[str]] = field(default_factory=dict)
    passages: PassageMatcher | None = None
    unread: Selection = _NONE
    unmatched: Selection = _NONE

    def known(self, ids: Ids) -> Ids:
        """Return those of some documents, or of all, that have a row and, where passages count, theirs."""
        if ids is None:
            return self._known
        return remembered(ids, self._lacking, lambda: as_selection(ids - self._lacking))

    @functools.cached_property
    def _lacking(self) -> Selection:
        return as_selection(self.unread | self.unmatched)

    @functools.cached_property
    def _known(self) -> Ids:
        if not self._lacking:
            return None
        every = functools.reduce(operator.or_, self.kinds.values()) if self.kinds else frozenset(self.index.ids)
        return as_selection(every - self._lacking)

    @functools.cached_property
    def without_passages(self) -> Corpus:
        """The same without passages, found once."""
        return replace(self, passages=None, unmatched=_NONE)

    @functools.cached_property
    def mean_row(self) -> DenseRows:
        """The mean of all document rows: (1, dim)."""
        return mean_row(self.index)

    @functools.cached_property
    def sample(self) -> tuple[Sequence[str], Rows]:
        """The ids of documents at even steps (m,), and their rows (m, dim)."""
        ids = self.index.ids
        some = [ids[place] for place in np.linspace(0, len(ids) - 1, min(len(ids), _SAMPLE)).astype(int)]
        return some, self.index.rows(some)

    def spreads(self, rows: Rows, among: Ids) -> list[float]:
        """Return the standard deviation of each query row's products with the rows of some documents: (n, dim) to (n,).

        Read off a sample of the documents; of all of them where it has next to none of those.
        """
        ids, sampled = self.sample
        among = frozenset(ids) if among is None else among
        own = remembered(among, self, lambda: [place for place, name in enumerate(ids) if name in among])
        products = rows @ sampled.T
        found = products if isinstance(products, np.ndarray) else products.toarray()
        return [float(spread) for spread in (found[:, own] if len(own) >= _FEWEST else found).std(axis=1)]

    def rank(
        self,
        documents: Sequence[Document],
        k: int,
        *,
        ranking: Ranking = "default",
        settings: RankingSettings = SHIPPED,
    ) -> list[list[Hit]]:
        """Return the k best hits of each document by one ranking, for evaluation.

        Nothing is folded or hidden, except that in the default ranking, and where passages are matched, no document
        answers itself: it would be far nearer than all others, and these would hardly differ.
        """
        if ranking == "keywords":
            return rank_by_keywords(documents, k, keywords=self.keywords, settings=settings)
        if not documents:
            return []
        if ranking == "encoder" and self.passages is None and not self.unread:
            return self.index.search(self.encoder.encode_queries(documents), k)
        found: dict[int, list[Hit]] = {}
        kinds = [kind_asked(document) for document in documents]
        for kind in dict.fromkeys(kinds):
            places = [place for place, one in enumerate(kinds) if one == kind]
            some = [documents[place] for place in places]
            batch = QuestionBatch(
                rows=self.encoder.encode_queries(some),
                asked=[plainly_asked(one, self.encoder.card.name, settings, self.passages) for one in some],
                depth=max(k, settings.depth) + 1,
                groups=own_first(kind, self.kinds) if ranking == "default" else (None,),
                ranking=ranking,
            )
            found |= zip(places, (ranked.order[:k] for ranked in rank(batch, self, settings)), strict=True)
        return [found[place] for place in range(len(documents))]


@dataclass(frozen=True, slots=True)
class BatchedQuestion:
    """One question, without its row.

    `terms` are its words with their counts, matched in all their forms where `stemmed`; together they weigh
    `keyword_weight` beside the encoder. Documents with `against` words move down, near ones with `stressed` words up.
    `hidden` documents are left out of every list; `copies` of the question do not count in the average document. Where
    a person `guided` the question with liked or disliked documents, blind feedback is off: their judgement is worth
    more.
    """

    terms: Mapping[str, int]
    stemmed: bool
    keyword_weight: float
    hidden: Set[str] = frozenset()
    copies: Set[str] = frozenset()
    against: str = ""
    stressed: Sequence[str] = ()
    guided: bool = False
    passages: AskedPassages | None = None


@dataclass(frozen=True, slots=True)
class QuestionBatch:
    """Questions that are ranked together: their rows (n, dim), and what each of the n asks.

    Each of `groups`, which all lie `within` some ids, is ranked apart to `depth`, and then joined with the others.
    """

    rows: Rows
    asked: Sequence[BatchedQuestion]
    depth: int
    groups: Sequence[Ids] = (None,)
    within: Ids = None
    ranking: Ranking = "default"


@dataclass(frozen=True, slots=True)
class RankedLists:
    """One question's documents, best first, and the lists behind them, one a group.

    They are the encoder's, the keywords' and those of matched passages; what the question does not need is empty.
    """

    order: list[Hit]
    near: Lists
    terms: Lists
    matched: Lists

    @property
    def parts(self) -> dict[str, dict[str, float]]:
        """The raw scores by ranking and id."""
        lists = {"encoder": self.near, "keywords": self.terms, "passages": self.matched}
        return {name: {hit.id: hit.score for hits in each for hit in hits} for name, each in lists.items()}

    def filling(self, below: RankedLists, known: Set[str]) -> RankedLists:
        """Return another ranking, where this one fills the places of the documents that it knows, in its own order.

        What it holds beyond follows at the end. A document's score counts its place from the end.
        """
        own = (hit.id for hit in self.order)
        names = [next(own, None) if hit.id in known else hit.id for hit in below.order]
        ordered = dict.fromkeys(name for name in (*names, *own) if name is not None)
        order = [Hit(name, float(len(ordered) - place)) for place, name in enumerate(ordered)]
        return RankedLists(order, self.near + below.near, self.terms + below.terms, self.matched + below.matched)


def rank(batch: QuestionBatch, corpus: Corpus, settings: RankingSettings = SHIPPED) -> list[RankedLists]:
    """Rank the documents of a corpus for every question of a batch.

    Documents that are not read yet stand where a ranking puts them that knows less: those without passages where their
    rows and words put them, those without rows where their words put them, among all. The others fill the places
    between in their own order. So with nothing read the order goes by words, with all read it is the usual one. In
    between, what is not read stands as with words alone, and what is read takes only the places that its words have
    won: a few documents that happen to be read never push the others down.
    """
    if batch.ranking == "keywords":
        nothing: list[Lists] = [[] for _ in batch.asked]
        terms = _by_words(batch, corpus.keywords)
        orders = _all_promoted(batch, [lists[0] for lists in terms], corpus, settings)
        return [RankedLists(*four) for four in zip(orders, nothing, terms, nothing, strict=True)]
    if not corpus.unread and not corpus.unmatched:
        return _rank_known(batch, corpus, settings)
    if corpus.unmatched:
        below = rank(batch, corpus.without_passages, settings)
    else:
        below = rank(replace(batch, groups=(batch.within,), ranking="keywords"), corpus, settings)
    known = corpus.known(batch.within) or frozenset()
    above = _rank_known(replace(batch, groups=[corpus.known(ids) for ids in batch.groups]), corpus, settings)
    return [one.filling(other, known) for one, other in zip(above, below, strict=True)]


def _rank_known(batch: QuestionBatch, corpus: Corpus, settings: RankingSettings) -> list[RankedLists]:
    """Rank what has a row, and what passages are matched of has its passages."""
    near = _near(batch, batch.rows, corpus)
    terms: list[Lists] = [[] for _ in batch.asked] if batch.ranking == "encoder" else _by_words(batch, corpus.keywords)
    matched = _matched(batch, near, terms, corpus, settings)
    if batch.ranking == "default":
        orders = _all_promoted(batch, _fused(batch, near, terms, matched, corpus, settings), corpus, settings)
    else:
        orders = _by_meaning(batch, near, matched, corpus, settings)  # meaning alone ignores words
    return [RankedLists(*four) for four in zip(orders, near, terms, matched, strict=True)]


def rank_by_keywords(
    documents: Sequence[Document], k: int, *, keywords: KeywordIndex, settings: RankingSettings = SHIPPED
) -> list[list[Hit]]:
    """Return the k best hits of each document by its words alone."""
    return [_found(plainly_asked(one, "", settings), keywords, k, None) for one in documents]


def plainly_asked(
    document: Document,
    encoder: str,
    settings: RankingSettings = SHIPPED,
    passages: PassageMatcher | None = None,
) -> BatchedQuestion:
    """Return a document as a question beside the encoder of that name; it does not answer itself."""
    return BatchedQuestion(
        terms=asked_terms(document, settings),
        stemmed=asks_by_stems(document, settings),
        keyword_weight=keyword_weight(encoder, document, settings),
        hidden=frozenset({document.id}),
        passages=None if passages is None else passages.ask(document),
    )


def keyword_weight(encoder: str, question: Document | None = None, settings: RankingSettings = SHIPPED) -> float:
    """Return how much the keyword ranking counts beside the ranking of the encoder of that name, which counts 1."""
    usual, of_passages = _keyword_weights(encoder, settings)
    is_passage = question is not None and is_citing_passage(question)
    return of_passages if is_passage and of_passages is not None else usual


def _keyword_weights(encoder: str, settings: RankingSettings) -> tuple[float, float | None]:
    """Return the usual weight of keywords beside an encoder, and for passages: from the settings, else its entry."""
    weights = encoders.keyword_weights(encoder)
    return (
        weights.usual if settings.keyword_weight is None else settings.keyword_weight,
        weights.of_passages if settings.passage_weight is None else settings.passage_weight,
    )


def means_of_others(batch: QuestionBatch, corpus: Corpus) -> list[float]:
    """Return the mean inner product of each query row with all document rows except the question's copies."""
    held, means = len(corpus.index), np.asarray(batch.rows @ corpus.mean_row.T).ravel()
    found = []
    for place, (one, mean) in enumerate(zip(batch.asked, map(float, means), strict=True)):
        own: list[Hit] = []
        if one.copies and held:
            own = corpus.index.search(batch.rows[[place]], len(one.copies), within=one.copies)[0]
        others = held - len(own)
        found.append((mean * held - sum(hit.score for hit in own)) / others if own and others else mean)
    return found


def _fused(
    batch: QuestionBatch,
    near: Sequence[Lists],
    terms: Sequence[Lists],
    matched: Sequence[Lists],
    corpus: Corpus,
    settings: RankingSettings,
) -> list[list[Hit]]:
    """Fuse the rankings of each group and join the groups; the encoder searches again with what came first."""
    counting = [[1.0] for _ in batch.asked]
    if len(batch.groups) > 1:
        means = means_of_others(batch, corpus)
        counting = [list_weights(lists, mean, settings.sharpness) for lists, mean in zip(near, means, strict=True)]

    def fuse(near: Sequence[Lists], rows: Rows) -> list[list[Hit]]:
        spreads = [corpus.spreads(rows, ids) for ids in batch.groups] if any(map(any, matched)) else []
        orders = []
        for place, (asked, counts) in enumerate(zip(batch.asked, counting, strict=True)):
            each = []
            for number, ids in enumerate(batch.groups):
                lists = [lists[place][number] for lists in (near, terms, matched)]
                spread = spreads[number][place] if spreads else 0.0
                each.append(_group(asked, lists, spread, ids, corpus, settings))
            orders.append(join_lists(each, counts))
        return orders

    first = fuse(near, batch.rows)
    told = [[] if one.guided else order for one, order in zip(batch.asked, first, strict=True)]
    if not settings.blind.beta or not any(told):
        return first
    moved = move_blindly(batch.rows, told, encoder=corpus.encoder, index=corpus.index, blind=settings.blind)
    return fuse(_near(batch, moved, corpus), moved)


def fuse_relative(near: Sequence[Hit], terms: Sequence[Hit], keyword_weight: float, *, depth: int) -> list[Hit]:
    """Fuse an encoder's ranking and the keywords' by their relative scores."""
    return relative_scores([near, terms], [1.0, keyword_weight], depth=depth)


def _group(
    asked: BatchedQuestion,
    lists: Sequence[Sequence[Hit]],
    spread: float,
    among: Ids,
    corpus: Corpus,
    settings: RankingSettings,
) -> list[Hit]:
    """Fuse one group's lists: the encoder's, whose scores have this spread, the keywords' and the passages'.

    With passages, scores are compared by their spreads, and all three count alike; keywords count more only where the
    question cites.
    """
    near, terms, matched = lists
    if not matched:
        return fuse_relative(near, terms, asked.keyword_weight, depth=settings.depth)
    by_words = corpus.keywords.spread(asked.terms, within=among, stemmed=asked.stemmed)
    more = asked.keyword_weight / keyword_weight(corpus.encoder.card.name, settings=settings)
    weights = [1.0, settings.spread_weight * more, settings.matched_weight]
    return spread_scores(lists, weights, [spread, by_words, 1.0], depth=settings.depth)


def _by_meaning(
    batch: QuestionBatch, near: Sequence[Lists], matched: Sequence[Lists], corpus: Corpus, settings: RankingSettings
) -> list[list[Hit]]:
    """Return the encoder's ranking and the passages'; the first as it is for a question without passages."""
    spreads = corpus.spreads(batch.rows, batch.groups[0]) if any(map(any, matched)) else [0.0] * len(batch.asked)
    weights = [1.0, settings.matched_weight]
    return [
        spread_scores([one[0], other[0]], weights, [spread, 1.0], depth=settings.depth) if other[0] else one[0]
        for one, other, spread in zip(near, matched, spreads, strict=True)
    ]


def _matched(
    batch: QuestionBatch, near: Sequence[Lists], terms: Sequence[Lists], corpus: Corpus, settings: RankingSettings
) -> list[Lists]:
    """Return the documents that each question's passages match best, a list a group; empty ones where it has none.

    In two stages: documents that the encoder, the keywords or single passages find, then the match of all passages.
    """
    found: list[Lists] = []
    within = None if corpus.passages is None or batch.within is None else corpus.passages.view.among(batch.within)
    for place, asked in enumerate(batch.asked):
        lists: Lists = [[] for _ in batch.groups]
        if corpus.passages is not None and asked.passages is not None:
            some = asked.passages.some(_FINDING)
            each_finds = max(_FEWEST_FOUND, min(settings.depth, _FOUND * settings.depth // len(some.rows)))
            by_passage = corpus.passages.nearest(some, each_finds, within)
            for number, ids in enumerate(batch.groups):
                each = [lists_of[place][number] if lists_of[place] else [] for lists_of in (near, terms)]
                first = _taken_in_turn(
                    [[hit.id for hit in hits] for hits in each], by_passage, ids, settings.candidates
                )
                scores = corpus.passages.scores(asked.passages, [one for one in first if one not in asked.hidden])
                lists[number] = sorted(
                    (Hit(name, score) for name, score in scores.items()), key=lambda hit: (-hit.score, hit.id)
                )
        found.append(lists)
    return found


def _taken_in_turn(lists: Sequence[Sequence[str]], passages: Sequence[str], among: Ids, most: int) -> list[str]:
    """Return ids from the top of each list in turn, each once, `most` at most; of the passages' those `among`."""
    within = [name for name in passages if among is None or name in among]
    turns = (name for rank in zip_longest(*lists, within) for name in rank if name is not None)
    return list(islice(dict.fromkeys(turns), most))


def _near(batch: QuestionBatch, rows: Rows, corpus: Corpus) -> list[Lists]:
    """Return the documents nearest to each query row (n, dim), a list a group."""

    def search(numbers: Sequence[int], depth: int, ids: Ids) -> Lists:
        asking = rows if len(numbers) == len(batch.asked) else rows[list(numbers)]
        return corpus.index.search(asking, depth, within=ids)

    return _in_groups(batch, search)


def _by_words(batch: QuestionBatch, keywords: KeywordIndex) -> list[Lists]:
    """Return the documents that match each question's words best, a list a group."""

    def search(numbers: Sequence[int], depth: int, ids: Ids) -> Lists:
        return [_found(batch.asked[number], keywords, depth, ids) for number in numbers]

    return _in_groups(batch, search)


def _found(asked: BatchedQuestion, keywords: KeywordIndex, k: int, within: Collection[str] | None) -> list[Hit]:
    """Return the k best hits of one question's words."""
    hits = keywords.search(asked.terms, k, within=within, stemmed=asked.stemmed)
    if not asked.against or not hits:
        return hits
    among = [hit.id for hit in hits]
    return demote(hits, keywords.search(asked.against, k, within=among, stemmed=asked.stemmed))


def _in_groups(batch: QuestionBatch, search: Callable[[Sequence[int], int, Ids], Lists]) -> list[Lists]:
    """Return what a search finds in each group, without what each question hides."""
    found = found_by_kind(search, len(batch.asked), batch.depth, batch.groups, within=batch.within)
    return [
        [[hit for hit in hits if hit.id not in one.hidden] for hits in lists]
        for one, lists in zip(batch.asked, found, strict=True)
    ]


def _all_promoted(
    batch: QuestionBatch, orders: Sequence[list[Hit]], corpus: Corpus, settings: RankingSettings
) -> list[list[Hit]]:
    both = zip(batch.asked, orders, strict=True)
    return [_promoted(asked, order, corpus.keywords, settings) for asked, order in both]


def _promoted(asked: BatchedQuestion, order: list[Hit], keywords: KeywordIndex, settings: RankingSettings) -> list[Hit]:
    """Return the ranking with near documents that hold the stressed words moved up."""
    if not asked.stressed or not order:
        return order
    return promote(order, keywords.holders(asked.stressed), depth=settings.depth)


def ranking_fingerprint(
    card: EncoderCard | None,
    *,
    ranking: Ranking = "default",
    mixed: bool = False,
    passages: str = "",
    settings: RankingSettings = SHIPPED,
) -> str:
    """Name everything that makes a ranking with an encoder, so that reports can be compared later.

    Without a card the ranking is by keywords, which need no encoder. `mixed` where the corpus holds several kinds of
    documents, which the default ranking joins; `passages` is the fingerprint of what reads passages, where they are
    matched.
    """
    if card is None or ranking == "keywords":
        return words_fingerprint(settings)
    choices = (settings.spread_weight, settings.matched_weight, settings.candidates, _FINDING, _FOUND, _FEWEST_FOUND)
    matching = [passages, *map(str, choices)] if passages else []
    if ranking == "encoder" and not passages:
        return card.fingerprint
    if ranking == "encoder":
        return files.fingerprint("meaning", str(settings.depth), card.fingerprint, *matching)
    weights = _keyword_weights(card.name, settings)
    usual = (str(settings.depth), str(weights), str(settings.blind), words_fingerprint(settings))
    kinds = [kinds_fingerprint(settings)] if mixed else []
    return files.fingerprint("relative scores", *usual, card.fingerprint, *kinds, *matching)
