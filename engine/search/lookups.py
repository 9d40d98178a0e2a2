"""What a question finds without an encoder: a work by its number, a person's works, and documents that share its words.

Knows a text that is nothing but a work's number, a DOI, arXiv's, PubMed's or a patent's, or its page's address.

A question that is only a person's name: the documents of the library that this person wrote or invented.

The first hits of a question: documents that share its telling words, found before any encoder is loaded.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote

from engine.documents import Document, Identifier
from engine.documents.text import how_many
from engine.documents.works import fold, same_work
from engine.library import Filters, Library, PersonName
from engine.reading import patent_id
from engine.search.answers import Question, number
from engine.search.queries import asked_terms, asks_by_stems, leading_words, stem_set, without
from engine.search.settings import SHIPPED, RankingSettings

_CALLED = {
    "doi": "DOI",
    "arxiv": "arXiv number",
    "pmid": "PubMed number",
    "pmc": "PubMed Central number",
    "patent": "patent number",
}

_MOST_CHARACTERS = 300
_HTTP = r"(?:https?://)?(?:www\.)?"
_END = r"(?:[/?#]\S*)?"
_DOI = re.compile(rf"(?:{_HTTP}(?:dx\.)?doi\.org/|doi\s?:?\s?)?(10\.\d{{4,9}}/\S+)", re.IGNORECASE)
_ARXIV = re.compile(
    rf"(?:{_HTTP}arxiv\.org/(?:abs|pdf|html|ps)/|arxiv\s?:?\s?)?"
    r"((?:[a-z-]{2,12}(?:\.[a-z]{2})?/\d{7}|\d{4}\.\d{4,5})(?:v\d{1,3})?)(?:\.pdf)?/?",
    re.IGNORECASE,
)
_PMID = re.compile(rf"(?:{_HTTP}pubmed\.ncbi\.nlm\.nih\.gov/|(?:pmid|pubmed)\s?:?\s?)(\d{{1,9}}){_END}", re.IGNORECASE)
_PMC = re.compile(
    rf"(?:{_HTTP}(?:pmc\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pmc)/articles/)?PMC\s?(\d{{1,9}}){_END}", re.IGNORECASE
)
_PATENT_PAGE = re.compile(
    rf"{_HTTP}(?:patents\.google\.com/patent/|lens\.org/lens/search/patent/\S*?publication_key=)"
    rf"([A-Z]{{2}})([A-Z]{{0,2}}\d{{4,13}})([A-Z]\d?)?{_END}",
    re.IGNORECASE,
)
_SPELT_US = re.compile(r"\A(?:U\.\s?S\.?|United States)(?=[\s\d])", re.IGNORECASE)
_SURE_DIGITS = 5
_OFFICE = r"US|EP|WO|JP|DE|GB|FR|CN|KR|CA|AU|CH|AT|ES|IT|NL|SE|RU|IN|BR|TW"
_PATENT = re.compile(
    rf"(?P<office>{_OFFICE})(?:[\s.-]?(?:pat(?:ent)?|appl(?:ication)?|publ?(?:ication)?)\b\.?)?(?:\s?nos?\.?)?[\s.-]{{0,2}}"
    r"(?P<number>[A-Z]{0,2}\d{1,4}(?:[\s,./-]?\d{1,7}){0,3})[\s.-]?(?P<kind>[ABCEHPSTUY]\d?)?",
    re.IGNORECASE,
)
_BARE_US = re.compile(
    r"(?:pat(?:ent)?\b\.?\s?)?(?:nos?\b\.?\s?)?"
    r"(?P<number>\d{1,2},\d{3},\d{3}|\d{2,3},\d{3}|\d{6,8}|20\d{2}/?\d{7}|(?:RE|PP|D)\s?\d{2,4},?\d{3})"
    r"[\s.-]?(?P<kind>[ABCEHPS]\d?)?",
    re.IGNORECASE,
)
_BARE_DIGITS = range(1_000_000, 15_000_000)
"""Seven or eight digits alone that may be a US grant: 20261231 is a day, and so is most of what is beyond."""


def spoken(number: Identifier) -> str:
    """A number with what it is: "DOI 10.1000/182"."""
    return f"{_CALLED[number.scheme]} {number.value}"


def asked_number(text: str) -> Identifier | None:
    """The number that a text consists of, however it is spelt; None where it says more, or something else.

    A patent's number without its office is taken for a US one where it is written as one: with its commas or its kind
    ("8,930,553", "223898A"), as an application ("2015/0123456"), or with as many digits as today's grants ("10123456").
    """
    text = text.strip().strip("<>\"'.,;").strip()
    if not text or len(text) > _MOST_CHARACTERS or "\n" in text:
        return None
    return next((found for read in _READERS if (found := read(text)) is not None), None)


def _of_one(scheme: str, pattern: re.Pattern[str]) -> Callable[[str], Identifier | None]:
    def read(text: str) -> Identifier | None:
        match = pattern.fullmatch(text)
        return Identifier(scheme, unquote(match[1])) if match is not None else None

    return read


def _patent_page(text: str) -> Identifier | None:
    match = _PATENT_PAGE.fullmatch(text)
    return _patent_of(match[1], match[2], match[3]) if match is not None else None


def _patent(text: str) -> Identifier | None:
    match = _PATENT.fullmatch(_SPELT_US.sub("US", text))
    if match is None:
        return None
    office, number, kind = match["office"], match["number"], match["kind"] or ""
    if sum(map(str.isdigit, number)) < _SURE_DIGITS and (office.islower() or (number.isdecimal() and not kind)):
        return None  # "in 2015" and the like
    return _patent_of(office, number, kind)


def _bare_us_patent(text: str) -> Identifier | None:
    match = _BARE_US.fullmatch(text)
    if match is None:
        return None
    number, kind = match["number"], match["kind"]
    if number.isdecimal() and len(number) <= 8 and not kind and int(number) not in _BARE_DIGITS:
        return None
    return _patent_of("US", number, kind)


def _patent_of(office: str, number: str, kind: str | None) -> Identifier:
    return Identifier("patent", patent_id(office.upper(), number, (kind or "").upper()))


_READERS = (
    _of_one("doi", _DOI),
    _of_one("arxiv", _ARXIV),
    _of_one("pmid", _PMID),
    _of_one("pmc", _PMC),
    _patent_page,
    _patent,
    _bare_us_patent,
)


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
