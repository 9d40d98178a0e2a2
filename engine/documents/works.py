"""When two records are one work, one family, one query: the only rules for it.

Three rules ask about versions of a work, and differ on purpose, because a wrong yes costs something else in each:

* On import (`RULES_OF_IMPORT`) it hides a work for good, so the rules are strict: the same text; the same title, or
  none, under one id that is a DOI, arXiv, PubMed Central or patent number; two papers with the same title that have
  such a number in common, whatever their ids; or two papers with the same year, the same telling title, and a common
  author; where one names none, neither their journals nor their DOIs may differ. A paper and a bare reference to it,
  such as a BibTeX entry, fold if they share a title and an author, and their years agree or one year is unknown. The
  record that came first then takes the other's numbers, what it lacked, and where the work was published
  (`completed`). Abstracts and families fold nothing.
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
from functools import reduce
from typing import Any, NamedTuple
from urllib.parse import unquote

from engine.core import files
from engine.documents import text
from engine.documents.document import Document, Identifier, Kind
from engine.documents.identifiers import (
    ARXIV,
    BEFORE_DOI,
    BEFORE_PUBMED,
    DOI,
    PATENT,
    PATENT_KIND,
    PUBMED,
    arxiv_number,
    doi_number,
    pubmed_number,
)
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
_FIRST_PAGE = re.compile(r"[A-Za-z]{0,3}\d+")
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
_PREPRINT = re.compile(
    r"10\.(?:48550/arxiv|1101/(?:\d{4}\.\d\d\.\d\d\.)?\d{6}|64898/|21203/rs|26434/chemrxiv|20944/preprints|2139/ssrn|"
    r"36227/techrxiv|22541/|1002/essoar|33774/|14293/s2199-1006|2196/preprints|3762/bxiv|51094/jxiv|32942/|"
    r"312(?:19|2[2-9]|3[0-6])/|31730/osf|35542/)"
)
"""The DOIs of preprint servers: arXiv, bioRxiv and medRxiv, Research Square, ChemRxiv, SSRN, OSF and others."""
_PREPRINT_VENUE = re.compile(
    r"\b\w*rxiv\b|\bcorr\b|\bssrn\b|research square|\bpreprints?\b|authorea|cold spring harbor laboratory$",
    re.IGNORECASE,
)
_CUT = re.compile(r"\s?(?:\[?(?:\.\.\.|…)\]?|\(ABSTRACT TRUNCATED[^()]{0,30}\)|(?<=[\w,;])(?=\Z))\s*\Z")
"""How an abstract ends that was cut short: with dots, or in the middle of a sentence."""
_COMPLETED = (
    "title abstract references year dates language translations categories keywords venue authors "
    "inventors assignees url family"
).split()


@dataclass(slots=True)
class Fold:
    """The best-ranked version of a work, and the versions below it."""

    document: Document
    versions: list[Document] = field(default_factory=list)

    @property
    def others(self) -> list[str]:
        """The ids of the versions below."""
        return [version.id for version in self.versions]

    @property
    def record(self) -> Document:
        """The document as it is cited: a paper with the numbers of all versions, and where it was published."""
        papers = (version for version in self.versions if version.kind == self.document.kind == "paper")
        return reduce(completed, papers, self.document)


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
            held.versions.append(document)
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
    found = [_title_key(document.title), _words_key("text", document.text), _words_key("abstract", document.abstract)]
    if _WORLDWIDE.match(document.id) or (document.kind == "patent" and _PUBLICATION.fullmatch(document.id)):
        found.append(f"id:{document.id.lower()}")
    if document.family:
        found.append(f"family:{document.family}")
    found += known_as(document)
    return (key for key in found if key is not None)


def known_as(document: Document) -> list[str]:
    """Return the keys of every number that a document is known by: its id, its address's, and those beside them."""
    return list(dict.fromkeys(map(number_key, numbers(document))))


def numbers(document: Document) -> list[Identifier]:
    """Return every number that a document is known by, without what leads to it: its id, its address's, and others."""
    named = [
        Identifier(scheme, name if scheme == "pmc" else name[match.end() :])
        for name in (document.id, unquote(document.url))
        for scheme, before in _BEFORE.items()
        if (match := before.match(name))
    ]
    if document.kind == "patent" and _PUBLICATION.fullmatch(document.id):
        named.append(Identifier("patent", document.id))
    return [one for one in dict.fromkeys((*named, *document.identifiers)) if number_key(one)]


def is_preprint(number: Identifier) -> bool:
    """Tell whether a number is one of arXiv's, or a DOI of a preprint server."""
    _, scheme, value = number_key(number).split(":", 2)
    return scheme == "arxiv" or (scheme == "doi" and _PREPRINT.match(value) is not None)


def cited_as(document: Document) -> dict[str, str]:
    """Return by what a work is cited: `doi`, the published version's where it is known, `arxiv`, `pmid` and `preprint`.

    `preprint` names the preprints of a work that was published: "arXiv:2101.00001; doi:10.1101/2020.01.02.900001".
    """
    found = numbers(document)
    dois = {doi: is_preprint(one) for one in found if one.scheme == "doi" and (doi := doi_number(one.value))}
    arxiv = dict.fromkeys(filter(None, (arxiv_number(one.value) for one in found if one.scheme in ("arxiv", "doi"))))
    before = [f"arXiv:{number}" for number in arxiv]
    before += [f"doi:{doi}" for doi, is_early in dois.items() if is_early and not arxiv_number(doi)]
    told = {
        "doi": next((doi for doi, is_early in dois.items() if not is_early), next(iter(dois), "")),
        "arxiv": next(iter(arxiv), ""),
        "pmid": next((pubmed_number(one.value) for one in found if one.scheme == "pmid"), ""),
        "preprint": "; ".join(before) if _is_published(document) else "",
    }
    return {name: value for name, value in told.items() if value}


def number_key(identifier: Identifier) -> str:
    """Return the key of a number, however it is spelt: a DOI without its address, a patent without signs and kind.

    The DOI that arXiv gives a preprint is its arXiv number. Empty for a scheme that names no work, or where the value
    is not such a number.
    """
    scheme = identifier.scheme.lower()
    value = re.sub(r"[\s,./-]" if scheme == "patent" else r"\s", "", identifier.value).lower()
    pattern = _NUMBERS.get(scheme)
    found = pattern.search(value) if pattern is not None else None
    if scheme == "doi" and found is not None and (preprint := arxiv_number(found[1])):
        return f"{_KNOWN}arxiv:{preprint}"
    return f"{_KNOWN}{scheme}:{found[1]}" if found is not None else ""


def is_query(key: str, kind: Kind, year: int | None, query: Document) -> bool:
    """Tell whether a document of this kind and year, found under a key that a query has, too, is the query itself."""
    if key.startswith(_KNOWN):
        return False  # a volume's DOI may stand on each of its papers
    return not key.startswith("title:") or (kind == query.kind == "paper" and _years_agree(year, query.year))


def _title_key(title: str) -> str | None:
    """Return the key of a telling title; None if the title is empty, short or general."""
    title = text.normalised_title(title)
    words = title.split()
    telling = [word for word in words if word not in text.STOP_WORDS and word not in _GENRES]
    if len(title) < _TITLE_CHARACTERS or len(words) < _TITLE_WORDS or len(telling) < _TELLING_WORDS:
        return None
    return f"title:{files.fingerprint(title)}"


def _words_key(name: str, passage: str) -> str | None:
    """Return the key of a passage, letter case and spacing aside; None if it is too short to tell."""
    words = passage.lower().split()
    return f"{name}:{files.fingerprint(' '.join(words))}" if len(words) >= _TEXT_WORDS else None


# What names a record without a number ---------------------------------------------------------


class Printed(NamedTuple):
    """Where a work stands in its journal, as its record says it; two works of one title have different ones."""

    volume: str = ""
    issue: str = ""
    pages: str = ""

    def told(self) -> list[str]:
        """Return what an id is made of: the volume, the issue and the first page, where they are told."""
        first = _FIRST_PAGE.search(self.pages)
        told = (self.volume, self.issue, first[0] if first is not None else "")
        each = (re.sub(r"[\s.]|(?i:^(?:vol|no|nr|issue))", "", one).lower() for one in told)
        return [f"{name} {one}" for name, one in zip(self._fields, each, strict=True) if one]


UNPRINTED = Printed()


def id_by_content(document: Document, date: str = "", printed: Printed = UNPRINTED) -> str:
    """Return the id of a record that no number names: made of its text, and of what stands beside a short one.

    "Editorial" names many works: `date`, or else the year, the authors, the venue and its volume, issue and page tell
    them apart.
    """
    return _by_content(document, date or str(document.year or ""), document.venue, printed)


def earlier_ids(document: Document) -> list[str]:
    """Return the ids that a record whose text is short had or has where less is told: no volume, no venue, no year."""
    if not document.id.startswith("text:") or not _is_short(document):
        return []
    year = str(document.year or "")
    known = (_by_content(document, year, venue) for venue in dict.fromkeys((document.venue, "")))
    return [f"text:{files.fingerprint(*_texts(document))}", *known]


def same_record(one: Document, other: Document) -> bool:
    """Tell whether two documents say the same: text, year, authors and venue."""
    return (one.text, one.year, one.authors, one.venue) == (other.text, other.year, other.authors, other.venue)


def _by_content(document: Document, date: str, venue: str, printed: Printed = UNPRINTED) -> str:
    beside = (date, *document.authors, *([f"in {venue}"] if venue else ()), *printed.told())
    told = beside if _is_short(document) and any(beside) else ()
    return f"text:{files.fingerprint(*_texts(document), *told)}"


def _texts(document: Document) -> list[str]:
    return [document.title, document.abstract, *(section.text for section in document.sections), *document.claims]


def _is_short(document: Document) -> bool:
    """Tell whether a record's text is too short to tell which work it is of."""
    return len(document.text.split(maxsplit=_TEXT_WORDS)) < _TEXT_WORDS


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
    if authors and others:
        return bool(authors & others)
    published = [{number_key(number) for number in _published_dois(document)} for document in (one, other)]
    if all(published) and not published[0] & published[1]:
        return False
    return not (_journal(one) and _journal(other)) or _same_journal(one.venue, other.venue)


def same_numbered(one: Document, other: Document) -> bool:
    """Tell whether two documents with a number in common, whatever their ids, are one paper: they have one title.

    Where the title tells enough, one of them may lack the part behind the colon, or set formulas apart.
    """
    if one.kind != "paper" or other.kind != "paper" or not (one.title and other.title):
        return False
    names = [[_closed(title) for title in (document.title, document.title.split(":")[0])] for document in (one, other)]
    if names[0][0] == names[1][0]:
        return True
    short = min(one.title, other.title, key=len)
    return _title_key(short) is not None and (names[0][0] == names[1][1] or names[0][1] == names[1][0])


def _closed(title: str) -> str:
    """Return the letters and digits of a title: "H_2O" and "H2O" are one."""
    return text.normalised_title(title).replace(" ", "")


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
    *((f"{_KNOWN}{scheme}:", same_numbered) for scheme in ("doi", "arxiv", "pmid", "pmc")),
    ("title:", same_paper),
    ("title:", same_reference),
)
"""How a key begins, and what else must hold of two documents that share it for one to fold into the other, in the
order in which they are asked."""


def has_text(document: Document) -> bool:
    """Tell whether a document has more text than its title and abstract."""
    return bool(document.claims) or any(section.text.strip() for section in document.sections)


def completed(held: Document, other: Document) -> Document:
    """Return a held document with what it lacks of another version of the same work, and the best of both records.

    It gets the numbers of both, names and an abstract that are given in full, and how the work was published where it
    is a preprint. Its text stays, as it is another version's; where it has none, it gets the other's. The claims of a
    patent and its description, which offices also give apart, are one work.
    """
    changed: dict[str, Any] = {name: getattr(other, name) for name in _COMPLETED if not getattr(held, name)}
    if has_text(other) and (not has_text(held) or _are_halves(held, other)):
        changed |= {name: getattr(other, name) for name in ("sections", "claims") if getattr(other, name)}
    if changed.get("sections") and other.file:
        changed |= {"file": other.file, "placed": other.placed}
    if held.venue != other.venue and _is_published(held) and not _journal(other):
        changed.pop("venue", None)
    if held.kind == other.kind == "paper":
        changed |= _best_of(held, other)
    return replace(held, **changed, identifiers=(*held.identifiers, *_more_numbers(held, other)))


def _more_numbers(held: Document, other: Document) -> list[Identifier]:
    known = {*known_as(held), *held.identifiers}
    every = (*numbers(other), *other.identifiers)
    return list({number_key(one) or one: one for one in every if (number_key(one) or one) not in known}.values())


def _best_of(held: Document, other: Document) -> dict[str, Any]:
    """Return what another record of a paper says better than the held one: where it was published, and what is cut."""
    best: dict[str, Any] = {}
    if _is_published(other) > _is_published(held):
        best = {name: value for name in ("year", "dates", "url") if (value := getattr(other, name))}
        best |= {"venue": _journal(other)} if _journal(other) else {}
    ours, theirs = held.authors, other.authors
    are_more = len(theirs) > len(ours) and bool(best) and surnames(ours) < surnames(theirs)
    are_fuller = len(theirs) == len(ours) and surnames(ours) == surnames(theirs)
    if are_more or (are_fuller and len("".join(theirs)) > len("".join(ours))):
        best["authors"] = theirs
    cut = _CUT.search(held.abstract)
    if cut and len(other.abstract) > len(held.abstract) and other.abstract.startswith(held.abstract[: cut.start()]):
        best["abstract"] = other.abstract
    return best


def _is_published(document: Document) -> int:
    """Return how well a record says where a paper was published: 0 not at all, more with its journal and its DOI."""
    return 2 * bool(_journal(document)) + bool(_published_dois(document))


def _journal(document: Document) -> str:
    """Return a paper's venue; empty where that is a server of preprints."""
    return "" if _PREPRINT_VENUE.search(document.venue) else document.venue


def _published_dois(document: Document) -> list[Identifier]:
    return [one for one in numbers(document) if one.scheme == "doi" and not is_preprint(one)]


def _same_journal(one: str, other: str) -> bool:
    """Tell whether two names are one journal's: word for word alike, or cut short as in "J. Wind"."""
    words = [
        [word for word in text.normalised_title(name).split() if word not in text.STOP_WORDS] for name in (one, other)
    ]
    return len(words[0]) == len(words[1]) and all(
        ours.startswith(theirs) or theirs.startswith(ours) for ours, theirs in zip(*words, strict=True)
    )


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
