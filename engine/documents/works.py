"""When two records are one work, one family, one query: the only rules for it.

Three rules ask about versions of a work, and differ on purpose, because a wrong yes costs something else in each:

* On import (`RULES_OF_IMPORT`) it hides a work for good, so the rules are strict: the same text; the same title, or
  none, under one DOI, arXiv, PubMed Central or patent number; or two papers with the same year, the same telling
  title, and a common author where both name theirs. A paper and a bare reference to it, such as a BibTeX entry, fold
  if they share a title and an author, and their years agree or one year is unknown. The record that came first then
  takes from the other what it lacked (`completed`). Abstracts and families fold nothing.
* A query's own copies (`is_query`) only leave one answer. A library finds them by the same keys, and takes the same
  abstract, the same family, and the same telling title where the years agree or one of them is unknown.
* A reference list's entries find documents by their numbers (`known_as`) under keys that fold nothing.
* Results that are shown once (`same_work`, `fold`) stay a click away. The same family or abstract, or the same title
  of four words where the years lie at most three apart: a preprint and what it became.

None of them knows a patent by its title: "Car coupling" was granted many times over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from engine.core import files
from engine.documents import text
from engine.documents.document import Document, Identifier, Kind
from engine.documents.identifiers import ARXIV, BEFORE_DOI, BEFORE_PUBMED, DOI, PATENT, PATENT_KIND, PUBMED
from engine.documents.people import surnames

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
"""What titles are called that name many works; "discussion" says something of a text, but nothing as its title."""
_TEXT_WORDS = 20
_ABSTRACT_CHARACTERS = 150
_YEARS_APART = 3
_WORLDWIDE = re.compile(r"doi:10\.|arxiv:|pmc\d", re.IGNORECASE)  # ids that mean one work wherever they come from
_PUBLICATION = re.compile(rf"{PATENT}{PATENT_KIND}")  # so does a patent's number with its kind
_KNOWN = "known:"
_NUMBERS = {
    "doi": re.compile(rf"^{BEFORE_DOI}?({DOI}.+)$"),
    "arxiv": re.compile(rf"(?:^|[:/])({ARXIV})(?:v\d+)?(?:\.pdf)?$"),
    "pmid": re.compile(rf"^{BEFORE_PUBMED}?0*({PUBMED})$"),
    "pmc": re.compile(rf"^(?:pmc)?0*({PUBMED})$"),
    "patent": re.compile(rf"^({PATENT})(?:{PATENT_KIND})?$", re.IGNORECASE),
}
"""What is one work's number in each scheme, after white space and capitals."""
_BEFORE = {
    scheme: re.compile(before, re.IGNORECASE)
    for scheme, before in (("doi", BEFORE_DOI), ("arxiv", "arxiv:"), ("pmid", "pmid:"), ("pmc", "pmc"))
}
"""What an id or an address begins with that is a work's number."""
_COMPLETED = (
    "title abstract references identifiers year dates language translations categories keywords venue authors "
    "inventors assignees url family"
).split()


@dataclass(slots=True)
class Fold:
    """The best-ranked version of a work, and the ids of the versions below it."""

    document: Document
    others: list[str] = field(default_factory=list)


# Results that are shown once -----------------------------------------------------------------


def same_work(one: Document, other: Document) -> bool:
    """Tell whether two documents are versions of one work.

    They are of one family; or their abstracts are the same; or both are papers whose titles are equal, have at
    least four words, and whose years lie at most three apart.
    """
    if same_family(one.family, other.family) or _same_abstract(one.abstract, other.abstract):
        return True
    if one.kind == "patent" or other.kind == "patent":
        return False
    title = text.normalised_title(one.title)
    if title != text.normalised_title(other.title) or title.count(" ") < _TITLE_WORDS - 1:
        return False
    return one.year is None or other.year is None or abs(one.year - other.year) <= _YEARS_APART


def same_family(one: str, other: str) -> bool:
    """Tell whether two documents have one family; a document without a family shares none."""
    return bool(one) and one == other


def fold(documents: Sequence[Document]) -> list[Fold]:
    """Fold ranked documents; the order of the best versions stays."""
    folds: list[Fold] = []
    for document in documents:
        held = next((known for known in folds if same_work(known.document, document)), None)
        if held is None:
            folds.append(Fold(document))
        else:
            held.others.append(document.id)
    return folds


def names(document: Document) -> list[str]:
    """Return keys that show which documents `same_work` should compare: the title and the abstract, by words."""
    title, abstract = text.normalised_title(document.title), " ".join(document.abstract.split())
    return [name for name in (title and f"title {title}", abstract and f"abstract {abstract}") if name]


def lacks_most_words(query: Document, document: Document) -> bool:
    """Tell whether a document lacks more than half of a query's words: under the query's id, it is another text."""
    words = set(text.content_tokens(query.text))
    return 2 * len(words & set(text.content_tokens(document.text))) < len(words)


# Keys that a library keeps documents under ---------------------------------------------------


def keys(document: Document) -> Iterator[str]:
    """Yield every key under which a library keeps a document: "text:", "id:", "title:" and so on, with its value."""
    found = [_title_key(document), _words_key("text", document.text), _words_key("abstract", document.abstract)]
    if _WORLDWIDE.match(document.id) or (document.kind == "patent" and _PUBLICATION.fullmatch(document.id)):
        found.append(f"id:{document.id.lower()}")
    if document.family:
        found.append(f"family:{document.family}")
    found += known_as(document)
    return (key for key in found if key is not None)


def known_as(document: Document) -> list[str]:
    """Return the keys of every number that a document is known by: its id, its address's, and those beside them."""
    named = [
        Identifier(scheme, name)
        for name in (document.id, document.url)
        for scheme, before in _BEFORE.items()
        if before.match(name)
    ]
    if document.kind == "patent" and _PUBLICATION.fullmatch(document.id):
        named.append(Identifier("patent", document.id))
    return list(dict.fromkeys(filter(None, map(number_key, (*named, *document.identifiers)))))


def number_key(identifier: Identifier) -> str:
    """Return the key of a number, however it is spelt: a DOI without its address, a patent without signs and kind.

    Empty for a scheme that names no work, or where the value is not such a number.
    """
    scheme = identifier.scheme.lower()
    value = re.sub(r"[\s,./-]" if scheme == "patent" else r"\s", "", identifier.value).lower()
    pattern = _NUMBERS.get(scheme)
    found = pattern.search(value) if pattern is not None else None
    return f"{_KNOWN}{scheme}:{found[1]}" if found is not None else ""


def is_query(key: str, kind: Kind, year: int | None, query: Document) -> bool:
    """Tell whether a document of this kind and year, found under a key that a query has, too, is the query itself."""
    if key.startswith(_KNOWN):
        return False  # a volume's DOI may stand on each of its papers
    return not key.startswith("title:") or (kind == query.kind == "paper" and _years_agree(year, query.year))


def _title_key(document: Document) -> str | None:
    """Return the key of a telling title; None if the title is empty, short or general."""
    title = text.normalised_title(document.title)
    words = title.split()
    telling = [word for word in words if word not in text.STOP_WORDS and word not in _GENRES]
    if len(title) < _TITLE_CHARACTERS or len(words) < _TITLE_WORDS or len(telling) < _TELLING_WORDS:
        return None
    return f"title:{files.fingerprint(title)}"


def _words_key(name: str, passage: str) -> str | None:
    """Return the key of a passage, letter case and spacing aside; None if it is too short to tell."""
    words = passage.lower().split()
    return f"{name}:{files.fingerprint(' '.join(words))}" if len(words) >= _TEXT_WORDS else None


# What folds on import ------------------------------------------------------------------------


def same_text(_held: Document, _other: Document) -> bool:
    """Say that two documents which share a text's key are one work, also where the held one was completed."""
    return True


def same_title(one: Document, other: Document) -> bool:
    """Tell whether two documents with the same number are one work: they have one title, or one of them has none.

    A paper sometimes carries its volume's DOI; such papers differ in their titles.
    """
    titles = [text.normalised_title(document.title) for document in (one, other)]
    return not all(titles) or titles[0] == titles[1]


def same_paper(one: Document, other: Document) -> bool:
    """Tell whether two documents with the same title are one paper, by kind, year and authors."""
    if one.kind != "paper" or other.kind != "paper" or one.year is None or one.year != other.year:
        return False
    authors, others = surnames(one.authors), surnames(other.authors)
    return not authors or not others or bool(authors & others)


def same_reference(one: Document, other: Document) -> bool:
    """Tell whether one of two papers with one title is a bare reference to the other, by year and a common author.

    A year may be unknown, as it often is of a PDF: a reference without text has nothing that a fold could hide.
    """
    if one.kind != "paper" or other.kind != "paper" or has_text(one) == has_text(other):
        return False
    return _years_agree(one.year, other.year) and bool(surnames(one.authors) & surnames(other.authors))


RULES_OF_IMPORT: tuple[tuple[str, Callable[[Document, Document], bool]], ...] = (
    ("text:", same_text),
    ("id:", same_title),
    ("title:", same_paper),
    ("title:", same_reference),
)
"""How a key begins, and what else must hold of two documents that share it for one to fold into the other, in the
order in which they are asked."""


def has_text(document: Document) -> bool:
    """Tell whether a document has more text than its title and abstract."""
    return bool(document.claims) or any(section.text.strip() for section in document.sections)


def completed(held: Document, other: Document) -> Document:
    """Return a held document with what it lacks of another version of the same work: text, abstract, metadata.

    What it has stays as it is. Nothing is taken where both have text, or neither: those are versions, not a work and
    its reference. Yet the claims of a patent and its description, which offices also give apart, are one work.
    """
    if has_text(held) == has_text(other) and not _are_halves(held, other):
        return held
    lacking = {name: getattr(other, name) for name in _COMPLETED if not getattr(held, name)}
    if has_text(other):
        lacking |= {name: getattr(other, name) for name in ("sections", "claims") if getattr(other, name)}
    if "sections" in lacking and other.file:
        lacking |= {"file": other.file, "placed": other.placed}
    return replace(held, **lacking)


def _are_halves(held: Document, other: Document) -> bool:
    """Tell whether one of two patents is claims alone, and the other a description alone."""
    parts = [(bool(one.sections), bool(one.claims)) for one in (held, other)]
    return sorted(parts) == [(False, True), (True, False)]


# What the rules ask about --------------------------------------------------------------------


def _same_abstract(one: str, other: str) -> bool:
    """Tell whether two abstracts have the same words; lengths are compared first, because that is quick."""
    shorter, longer = sorted((len(one), len(other)))
    return shorter >= _ABSTRACT_CHARACTERS and longer <= 1.1 * shorter and one.split() == other.split()


def _years_agree(one: int | None, other: int | None) -> bool:
    """Tell whether two years are equal, or one of them is unknown."""
    return one is None or other is None or one == other
