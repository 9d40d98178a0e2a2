"""What a question finds before any encoder is loaded: a person's works, and documents that share its words."""

from __future__ import annotations

from dataclasses import dataclass

from engine.documents import Document
from engine.documents.text import how_many
from engine.documents.works import fold, same_work
from engine.library import Filters, Library, PersonName
from engine.search.answers import Question, number
from engine.search.queries import asked_terms, asks_by_stems, leading_words, stem_set, without
from engine.search.settings import SHIPPED, RankingSettings


@dataclass(frozen=True, slots=True)
class AuthorWorks:
    """The name as it was asked, and the ids of the documents by this person, the latest first: at least one.

    `is_limited` says that filters left out what does not pass them.
    """

    asked: str
    name: PersonName
    ids: tuple[str, ...]
    is_limited: bool

    @property
    def sentence(self) -> str:
        """How many there are, in words."""
        count = len(self.ids)
        noun = how_many(count, "document").split()[-1]
        verb, passes = ("is", "passes") if count == 1 else ("are", "pass")
        which = f" that {passes} the filters" if self.is_limited else ""
        said = f"{number(count)} {noun} of your library{which} {verb} by “{self.asked}”."
        return f"{said[0].upper()}{said[1:]}"

    def byline(self, document: Document) -> tuple[str, str]:
        """The person's name as a document has it, and the others who made it: ("Bo Pang", "Lillian Lee, Ada King")."""
        people = tuple(dict.fromkeys((*document.authors, *document.inventors)))
        own = next((one for one in people if self.name.fits(one)), self.asked)
        return own, ", ".join(one for one in people if one != own)


def find_author_works(question: Document, library: Library, filters: Filters | None = None) -> AuthorWorks | None:
    """The documents by the person whose name is the whole question; None for any other question or unknown person.

    A surname alone may be a common word, too: it is one where more texts of the library hold it than that person wrote.
    """
    asked = question.text.strip()
    if question.kind != "query" or (name := PersonName.read(asked)) is None:
        return None
    filters = filters or Filters()
    ids = library.by_author(name, filters)
    if not ids or (not name.given and _is_common(name, library)):
        return None
    return AuthorWorks(asked, name, tuple(ids), filters != Filters())


def _is_common(surname: PersonName, library: Library) -> bool:
    """Whether a surname is a common word of the library, or not written as a name."""
    texts = Filters(lines=(f'"{" ".join(surname.surname)}"',))
    return not surname.is_written or library.count(texts) > len(library.by_author(surname))


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
