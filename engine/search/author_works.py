"""A question that is only a person's name: the documents of the library that this person wrote or invented."""

from __future__ import annotations

from dataclasses import dataclass

from engine.documents import Document
from engine.documents.text import how_many
from engine.library import Filters, Library, PersonName
from engine.search.answers import number


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
