"""When two documents are one work: keys that such documents share.

Two rules fold a document into another on import, and they are strict, because a wrong fold hides a
work: the same text; or two papers with the same year, the same telling title, and a common author
where both name theirs. Titles of patents repeat from one invention to another, so they never fold.

Search uses wider keys to take a query's own copies out of its answer: the same title where one of
the years is unknown, the same abstract, the same family.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator

from engine import files, text
from engine.documents import Document

_TITLE_WORDS = 4  # "Editorial" and "Book reviews" name many works
_TITLE_CHARACTERS = 20
_TELLING_WORDS = 2  # of those that say neither grammar nor genre: "Introduction to the special issue" has none
_GENRES = frozenset(
    "abstract abstracts annual book books chapter comment comments conference contents corrigendum discussion "
    "editorial editor editors erratum errata foreword index introduction issue journal letter list members "
    "note notes number part preface proceedings program remarks reply report response review reviews section "
    "special summary supplement "
    "symposium table volume workshop".split()
)
_TEXT_WORDS = 20

_BY_ID = """
SELECT id FROM documents WHERE id = :id
UNION SELECT documents.id FROM aliases JOIN documents USING (position) WHERE aliases.id = :id
"""
_BY_KEY = "SELECT id, kind, year FROM identities JOIN documents USING (position) WHERE key = ?"


def keys(document: Document) -> Iterator[str]:
    """Every key under which a library keeps a document."""
    found = [_title_key(document), _words_key("text", document.text), _words_key("abstract", document.abstract)]
    if document.family:
        found.append(f"family:{document.family}")
    return (key for key in found if key is not None)


def is_of_text(key: str) -> bool:
    """Whether a key is that of a whole text."""
    return key.startswith("text:")


def is_of_title(key: str) -> bool:
    """Whether a key is that of a title alone."""
    return key.startswith("title:")


def same_paper(one: Document, other: Document) -> bool:
    """Whether two documents with the same title are one paper, by kind, year and authors."""
    if one.kind != "paper" or other.kind != "paper" or one.year is None or one.year != other.year:
        return False
    authors, others = _surnames(one), _surnames(other)
    return not authors or not others or bool(authors & others)


def find(connection: sqlite3.Connection, document: Document) -> set[str]:
    """The ids of all documents of a library that are the same work as `document`."""
    found = {id_ for (id_,) in connection.execute(_BY_ID, {"id": document.id})}
    for key in keys(document):
        for id_, kind, year in connection.execute(_BY_KEY, (key,)):
            if not is_of_title(key) or (kind == document.kind == "paper" and _years_agree(year, document.year)):
                found.add(id_)
    return found


def _years_agree(one: int | None, other: int | None) -> bool:
    """Whether two years are equal, or one of them is unknown."""
    return one is None or other is None or one == other


def _surnames(document: Document) -> set[str]:
    """The last words of the authors' names, or the first where a comma parts them."""
    names = (name.split(",")[0] if "," in name else name for name in document.authors)
    return {words[-1] for name in names if (words := re.findall(r"[^\W\d_]+", name.lower()))}


def _title_key(document: Document) -> str | None:
    """The key of a telling title; None where the title is empty, short or general."""
    title = text.normalised_title(document.title)
    words = title.split()
    telling = [word for word in words if word not in text.STOP_WORDS and word not in _GENRES]
    if len(title) < _TITLE_CHARACTERS or len(words) < _TITLE_WORDS or len(telling) < _TELLING_WORDS:
        return None
    return f"title:{files.fingerprint(title)}"


def _words_key(name: str, passage: str) -> str | None:
    """The key of a passage, letter case and spacing aside; None where it is too short to tell."""
    words = passage.lower().split()
    return f"{name}:{files.fingerprint(' '.join(words))}" if len(words) >= _TEXT_WORDS else None
