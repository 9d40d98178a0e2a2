"""Why documents are near a query: the words and phrases that both share, and the rest of the evidence, gathered."""

from __future__ import annotations

import math
import re
import threading
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.documents import Chunk, Document
from engine.documents.text import stems
from engine.documents.words import in_stretches, plain
from engine.encoders import Coupling, Encoder
from engine.search.evidence.sentences import PassagePair, PreparedText, best_pairs, extend, prepare
from engine.search.readings import Quoted, TellingWords, find_quoted
from engine.search.vocabulary import QUOTES, Vocabulary, partners, sentence_words
from engine.vectors import VectorIndex

MAX_TERMS = 8
_LEAST_SHARE = 0.08
_PHRASE_OWNS = 0.5


@dataclass(frozen=True, slots=True)
class Term:
    """A word or two-word phrase that both texts use, as the query writes it, in lower case.

    `weight` is relative to the strongest term of the pair, which has 1.
    """

    term: str
    weight: float


def shared_terms(query: PreparedText, document: PreparedText, vocabulary: Vocabulary) -> tuple[Term, ...]:
    """Return at most eight terms that both texts use, strongest first.

    A word weighs what it adds to the product of the two texts' TF-IDF vectors:
    (1 + ln tf_query) (1 + ln tf_document) idf^2 (log tf: Manning, Raghavan and Schuetze 2008, section
    6.4.1). A phrase of two words that occurs at least twice in both texts counts its occurrences, with idf_a^2 +
    idf_b^2. A word that mostly occurs within a chosen phrase is not named again, and only the strongest form of a word
    is: "displaying" adds nothing to "display". A question's word that the document has only in other forms is shared
    too, with the count of those forms, because the search matched them.
    """
    return _shared(_Words(query, vocabulary), document, vocabulary)


def _shared(words: _Words, document: PreparedText, vocabulary: Vocabulary) -> tuple[Term, ...]:
    ours, theirs, query = words.counts, _by_key(document.counts, vocabulary), words.query
    if query.document.kind == "query":
        theirs = _with_forms(theirs, ours)
    weights: dict[tuple[str, ...], float] = {
        (key,): _weight(ours[key], theirs[key], vocabulary.idf(key) ** 2) for key in ours.keys() & theirs.keys()
    }
    our_phrases, their_phrases = words.phrases, _phrases(document, vocabulary)
    for phrase in our_phrases.keys() & their_phrases.keys():
        squares = sum(vocabulary.idf(key) ** 2 for key in phrase)
        weights[phrase] = _weight(our_phrases[phrase], their_phrases[phrase], squares)
    chosen: dict[str, float] = {}
    owned: Counter[str] = Counter()
    named: set[str] = set()
    for names in sorted(weights, key=lambda names: (-weights[names], names)):
        surface = words.surface(names)
        if surface is None or all(owned[key] >= _PHRASE_OWNS * ours[key] for key in names):
            continue  # stronger terms already name every word of it
        if len(names) == 1:
            (stem,) = stems([plain(surface)])
            if stem in named:
                continue
            named.add(stem)
        for key in names:
            owned[key] += our_phrases[names] if len(names) == 2 else ours[key]
        chosen[surface] = weights[names]
        if len(chosen) == MAX_TERMS:
            break
    top = max(chosen.values(), default=1.0)
    strong = {term: weight / top for term, weight in chosen.items() if weight >= _LEAST_SHARE * top}
    whole: dict[str, Term] = {}  # strongest first
    for term, shown in in_stretches(strong, query.document.text).items():
        whole.setdefault(shown, Term(shown, strong[term]))
    return tuple(whole.values())


def _weight(ours: int, theirs: int, squared_idf: float) -> float:
    return (1 + math.log(ours)) * (1 + math.log(theirs)) * squared_idf


def _by_key(counts: Mapping[str, int], vocabulary: Vocabulary) -> Counter[str]:
    """Add up singular and plural."""
    total: Counter[str] = Counter()
    for token, count in counts.items():
        if key := vocabulary.keys[token]:
            total[key] += count
    return total


def _with_forms(theirs: Counter[str], ours: Mapping[str, int]) -> Counter[str]:
    """Add our words that a document has in other forms to its own, with the counts of those forms."""
    held = partners([key for key in ours if key not in theirs], theirs)
    found = {key: sum(theirs[form] for form in forms) for key, forms in held.items()}
    return theirs + Counter(found)


def _phrases(prepared: PreparedText, vocabulary: Vocabulary) -> Counter[tuple[str, str]]:
    total: Counter[tuple[str, str]] = Counter()
    for (first, second), count in prepared.phrases.items():
        one, two = vocabulary.keys[first], vocabulary.keys[second]
        if one and two and one != two:
            total[one, two] += count
    return total


class _Words:
    """What a query says to every document: its words and phrases with their counts, and the form of each."""

    def __init__(self, query: PreparedText, vocabulary: Vocabulary) -> None:
        self._text = ""
        self.query = query
        self.counts, self.phrases = _by_key(query.counts, vocabulary), _phrases(query, vocabulary)
        self._forms: dict[str, list[str]] = defaultdict(list)
        for token, _ in query.counts.most_common():
            if key := vocabulary.keys[token]:
                self._forms[key].append(token)

    def surface(self, names: tuple[str, ...]) -> str | None:
        """Return how the query most often writes a term; None for a phrase whose words meet only across a comma."""
        if len(names) == 1:
            return self._forms[names[0]][0].strip(QUOTES)
        self._text = self._text or re.sub(r"\s+", " ", self.query.document.text.lower())
        for first in self._forms[names[0]]:
            for second in self._forms[names[1]]:
                for joined in (f"{first} {second}", f"{first}-{second}"):
                    if joined in self._text:
                        return joined
        return None


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a document is near a query; terms by weight, strongest first.

    `passage` is the best pair of sentences; `passages` are the best pairs of whole passages, the nearest first, empty
    until the library's passages were read, and `quoted` is known where one of them says most of the query. `couplings`
    say which part of the query met which part of the document, the nearest first; none where the encoder compares
    whole documents.
    """

    terms: tuple[Term, ...] = ()
    passage: PassagePair | None = None
    couplings: tuple[Coupling, ...] = ()
    passages: tuple[PassagePair, ...] = ()
    quoted: Quoted | None = None


class Explainer:
    """Says why documents are near a query; may be called from several threads."""

    def __init__(
        self, encoder: Encoder, vocabulary: Vocabulary, index: VectorIndex | None = None, *, max_cached: int = 256
    ) -> None:
        """Keep the prepared text of the last `max_cached` documents explained; `index` has their rows by `encoder`."""
        self._encoder, self._index = encoder, index
        self._sentences = sentence_words()
        self._vocabulary = vocabulary
        self._max_cached = max_cached
        self._cache: OrderedDict[str, PreparedText] = OrderedDict()
        self._lock = threading.Lock()

    def explain(self, query: Document, documents: Sequence[Document], passages: Sequence[Chunk] = ()) -> list[Evidence]:
        """Return the evidence for each document, in their order; empty where either text has no words.

        Sentences are looked for at the beginning of each text, and in `passages`, which may be the query's and the
        documents', wherever they stand. Couplings come from the documents' rows: one that the index does not hold has
        none.
        """
        asked = TellingWords.of(query.text)
        found = [
            replace(one, quoted=find_quoted(asked, [each.text for each in passages if each.document_id == document.id]))
            for one, document in zip(self.explain_by_nearest([query], documents, passages), documents, strict=True)
        ]
        held = [place for place, one in enumerate(documents) if self._index is not None and one.id in self._index]
        if self._index is not None and held:
            some = [documents[place] for place in held]
            rows = self._index.rows([document.id for document in some])
            for place, met in zip(held, self._encoder.couplings(query, some, rows), strict=True):
                found[place] = replace(found[place], couplings=met)
        return found

    def explain_by_nearest(
        self, queries: Sequence[Document], documents: Sequence[Document], passages: Sequence[Chunk] = ()
    ) -> list[Evidence]:
        """Return the terms and passages for each document, against the query with the best pair of passages."""
        matched: defaultdict[str, list[Chunk]] = defaultdict(list)
        for one in passages:
            matched[one.document_id].append(one)
        known = [self._prepared(query) for query in queries], [self._prepared(one) for one in documents]
        ours, theirs = (
            [extend(one, matched[one.document.id], self._vocabulary) for one in prepared] for prepared in known
        )
        best = best_pairs(ours, theirs, encoder=self._sentences, vocabulary=self._vocabulary)
        words = {number: _Words(ours[number], self._vocabulary) for number in {found.query for found in best}}
        return [
            Evidence(_shared(words[found.query], prepared, self._vocabulary), found.pair)
            for prepared, found in zip(theirs, best, strict=True)
        ]

    def _prepared(self, document: Document) -> PreparedText:
        """Prepare a document, or take it from the cache if its text has not changed."""
        with self._lock:
            held = self._cache.get(document.id)
            if held is not None and held.document == document:
                self._cache.move_to_end(document.id)
                return held
        made = prepare(document, self._vocabulary)
        with self._lock:
            self._cache[document.id] = made
            while len(self._cache) > self._max_cached:
                self._cache.popitem(last=False)
        return made
