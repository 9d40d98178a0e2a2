"""When two documents are one work: keys that such documents share.

Three rules fold a document into another on import, and they are strict, because a wrong fold hides a
work: the same text; the same title, or none, under one DOI, arXiv, PubMed Central or patent number; or two papers with
the same year, the same telling title, and a common author where both name theirs. Titles of patents repeat from
one invention to another, so they never fold by title.

A fourth folds a paper and a bare reference to it, as a BibTeX entry is: one title, a common author, and years that
agree or of which one is unknown. Whichever came first then gets what it lacked of the other (`completed`).

Search uses wider keys to take a query's own copies out of its answer: the same title where one of
the years is unknown, the same abstract, the same family.
"""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Iterator
from dataclasses import replace

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
_WORLDWIDE = re.compile(r"doi:10\.|arxiv:|pmc\d", re.IGNORECASE)  # ids that mean one work wherever they come from
_PUBLICATION = re.compile(r"[A-Z]{2}[A-Z]{0,2}\d{4,13}[A-Z]\d?")  # so does a patent's number with its kind
_COMPLETED = ("title", "abstract", "year", "categories", "keywords", "venue", "authors", "url", "family")
_SUFFIXES = frozenset("jr sr ii iii iv".split())
_INITIALS = re.compile(r"[A-Z]{1,3}")

_BY_ID = """
SELECT id FROM documents WHERE id = :id
UNION SELECT documents.id FROM aliases JOIN documents USING (position)
WHERE aliases.id = :id AND NOT EXISTS (SELECT 1 FROM documents WHERE id = :id)
"""
_BY_KEY = "SELECT id, kind, year FROM identities JOIN documents USING (position) WHERE key = ?"


def keys(document: Document) -> Iterator[str]:
    """Every key under which a library keeps a document."""
    found = [_title_key(document), _words_key("text", document.text), _words_key("abstract", document.abstract)]
    if _WORLDWIDE.match(document.id) or (document.kind == "patent" and _PUBLICATION.fullmatch(document.id)):
        found.append(f"id:{document.id.lower()}")
    if document.family:
        found.append(f"family:{document.family}")
    return (key for key in found if key is not None)


def is_of_text(key: str) -> bool:
    """Whether a key is that of a whole text."""
    return key.startswith("text:")


def is_of_title(key: str) -> bool:
    """Whether a key is that of a title alone."""
    return key.startswith("title:")


def is_of_id(key: str) -> bool:
    """Whether a key is that of a number that a work has everywhere."""
    return key.startswith("id:")


def same_title(one: Document, other: Document) -> bool:
    """Whether two documents have one title, or one of them has none: of those with one number, the same work.

    A volume's DOI is found on its papers now and then, which then differ by their titles.
    """
    titles = [text.normalised_title(document.title) for document in (one, other)]
    return not all(titles) or titles[0] == titles[1]


def same_paper(one: Document, other: Document) -> bool:
    """Whether two documents with the same title are one paper, by kind, year and authors."""
    if one.kind != "paper" or other.kind != "paper" or one.year is None or one.year != other.year:
        return False
    authors, others = _surnames(one), _surnames(other)
    return not authors or not others or bool(authors & others)


def same_reference(one: Document, other: Document) -> bool:
    """Whether one of two papers with the same title is a bare reference to the other, by year and a common author.

    A year may be unknown, as it often is of a PDF: a reference without text has nothing that a fold could hide.
    """
    if one.kind != "paper" or other.kind != "paper" or has_text(one) == has_text(other):
        return False
    return _years_agree(one.year, other.year) and bool(_surnames(one) & _surnames(other))


def has_text(document: Document) -> bool:
    """Whether there is more of a document than its title and abstract."""
    return bool(document.claims) or any(section.text.strip() for section in document.sections)


def completed(held: Document, other: Document) -> Document:
    """A held document with what it lacks of another version of the same work: text, abstract, metadata.

    What it has stays as it is. Nothing is taken where both have text, or neither: those are versions, not a work and
    its reference.
    """
    if has_text(held) == has_text(other):
        return held
    lacking = {name: getattr(other, name) for name in _COMPLETED if not getattr(held, name)}
    if has_text(other):
        lacking |= {"sections": other.sections, "claims": other.claims}
    return replace(held, **lacking)


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
    """The authors' surnames, lower-case, without accents: what stands before a comma, else the last word of a name.

    "Jr." and its like are no surnames, nor are initials that stand behind one, as in "Gale AB".
    """
    return {found for name in document.authors if (found := _surname(name))}


def _surname(name: str) -> str:
    plain = "".join(one for one in unicodedata.normalize("NFKD", name) if not unicodedata.combining(one))
    words = re.findall(r"[^\W\d_]+", plain.split(",")[0])
    while len(words) > 1 and words[-1].lower() in _SUFFIXES:
        words.pop()
    while len(words) > 1 and _INITIALS.fullmatch(words[-1]) and not words[0].isupper():
        words.pop()
    return words[-1].lower() if words else ""


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
