"""The first hits of a question: documents that share its telling words, found before any encoder is loaded."""

from __future__ import annotations

from dataclasses import dataclass

from engine.documents import Document
from engine.documents.works import fold, same_work
from engine.library import Filters, Library
from engine.search.answers import Question
from engine.search.settings import SHIPPED, RankingSettings
from engine.search.words import asked_terms, asks_by_stems, leading_words, stem_set, without

_LOOKED_FOR = 40
_SHOWN_TERMS = 8


@dataclass(frozen=True, slots=True)
class WordHit:
    """A document that shares words with the question; `rank` counts from 1, `terms` are these words, strongest first.

    How near it is, an encoder says later (`Result`).
    """

    rank: int
    document: Document
    terms: tuple[str, ...]


def find_word_hits(question: Question, library: Library, settings: RankingSettings = SHIPPED) -> tuple[WordHit, ...]:
    """At most k documents by their words alone, as the keywords of a search rank them; empty where none shares any.

    The question's own copies are left out, and versions of one work shown once. What only an encoder can do is not
    done: nothing is moved by liked and disliked documents, or by what the question cites.
    """
    query, keywords = question.document, library.keywords
    muted = stem_set(question.muted)
    terms = without(asked_terms(query, settings), muted)
    if not terms or len(library) == 0:
        return ()
    within = None if question.filters == Filters() else library.selection(question.filters)
    copies = library.duplicates_of(query)
    hits = keywords.search(terms, 2 * question.k + len(copies), within=within, stemmed=asks_by_stems(query, settings))
    read = library.get([hit.id for hit in hits if hit.id not in copies])
    found = [one.document for one in fold([one for one in read if not same_work(query, one)])][: question.k]
    words = [word for word in leading_words(query, keywords, _LOOKED_FOR) if not stem_set([word]) & muted]
    holders = keywords.holders(words)
    return tuple(
        WordHit(
            rank, one, tuple(word for word, ids in zip(words, holders, strict=True) if one.id in ids)[:_SHOWN_TERMS]
        )
        for rank, one in enumerate(found, start=1)
    )
