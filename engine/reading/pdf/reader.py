"""Reads a PDF of a paper or a patent as a document: title, abstract, sections, reference list.

A patent is read as a paper first. Then what its office prints on the first page, and the claims, take their places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from engine.core.files import fingerprint, sha256_bytes
from engine.documents import Document, Placed, RecognisedPage, Section, Translation
from engine.documents.dates import CITED_YEAR
from engine.documents.document import UNTITLED_DESCRIPTION
from engine.documents.identifiers import doi_url
from engine.documents.patents import people, sentence_case
from engine.documents.text import one_line, tidy
from engine.reading.base import ReadFile
from engine.reading.heading_names import KNOWN, PATENT_PART
from engine.reading.languages import abstracts_by_language
from engine.reading.limits import LIMITS, Budget, Limits
from engine.reading.pdf.byline import named_authors
from engine.reading.pdf.imprint import bare_doi_of, doi_of, year_of
from engine.reading.pdf.opening import best_title, plausible_title
from engine.reading.pdf.sections import PaperParts, parts_of
from engine.reading.pdf.worker import read_contents

_OFFICE = re.compile(
    r"united states patent|patent application publication|european patent|international application published|"
    r"date of patent|patentschrift|offenlegungsschrift",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\b(US|EP|WO)\s?(\d{1,2}(?:,\d{3}){2}|\d{4}/\d{6,7}|\d[\d ]{5,9}\d)\s?([A-Z]\d)\b")
_CLAIMS = re.compile(
    r"(?:^|(?<=[.\n]))\s{0,80}(?:(?:what|that which) is claimed(?: as new)?(?: is)?|(?:i|we) claim|"
    r"the invention claimed is|"
    r"having thus described[^.]{0,200}claim(?:ed)?(?: is)?|claims)\s{0,80}[:.-]?\s{0,80}(?=\n|1\s?\.)",
    re.IGNORECASE,
)
_CLAIM = re.compile(r"(?:^|\n)\s{0,80}(\d{1,3})\s?\.\s{1,80}(?=[A-Z])")
_SCRAP = re.compile(r"\W*+(?:(?:\w?[a-z][A-Z]\w?|\w)\W*+)?")
"""What text recognition makes of a spot or a drawing's edge: a sign, or two letters that no word begins with."""
_FIELD = re.compile(r"^\s*\((\d\d)\)\s*")
_DATE = re.compile(
    rf"date(?: of patent| of publication)?\s{{0,9}}:?[^\d\n]{{0,20}}\d{{0,2}},?\s{{0,9}}({CITED_YEAR})", re.IGNORECASE
)
_LEADERS = re.compile(r"(?:(?<!\s)\s++)?\.{3,}+\s*+")
_PROSE_WORDS = 12
_SENTENCE = re.compile(r"[a-z]{2}[.;:](?:\s|$)")
_CLASS = re.compile(r"\b([A-HY]\d{2}[A-Z])\s{0,3}(\d{1,4}/\d{2,6})\b")
_MOST_LISTED = 20


def read_pdf(data: bytes, name: str, limits: Limits = LIMITS) -> ReadFile:
    """Read a PDF; `name` is only used in messages.

    Raises an InputError's kind, with a sentence for the person, for a file that is empty, too large,
    not PDF, encrypted, cut off, damaged, over the page limit, or scanned.
    """
    budget = Budget.within(limits, name)
    contents = read_contents(data, name, budget)
    hint = plausible_title(contents.metadata["Title"])
    parts = parts_of(contents.pages, budget, hint, contents.outline)
    limits.require("sections", len(parts.sections), name)
    sure = {page.number + 1: page.recognised for page in contents.pages if page.recognised is not None}
    parts = replace(parts, sections=tuple(_with_scans(section, sure) for section in parts.sections))
    document = _document(parts, contents.metadata, data)
    left_out: list[str] = []
    if is_patent(parts.first_page, document.sections):
        document, left_out = as_patent(document, parts.first_page)
    document = replace(document, placed=tuple(_place_parts(document, parts, sure)))
    warnings = (*contents.warnings, *left_out, *_doubts(document, parts))
    return ReadFile(document, "pdf", warnings, pages=len(contents.pages))


def _with_scans(section: Section, sure: Mapping[int, float]) -> Section:
    """Return the section with which of its pages were recognised, and how surely."""
    pages = sorted({start.page for start in section.pages} & set(sure))
    return replace(section, recognised=tuple(RecognisedPage(page, sure[page]) for page in pages))


def _place_parts(document: Document, parts: PaperParts, sure: Mapping[int, float]) -> Iterator[Placed]:
    """Yield where title, abstract and claims stand, as far as they are found."""
    for part in document.parts:
        if part.role in ("title", "abstract", "claim") and part.text:
            starts, boxes = parts.places.find(part.text)
            if starts:
                found = _with_scans(replace(part, pages=starts), sure)
                yield Placed(part.title, len(part.text), starts, boxes, found.recognised)


def _document(parts: PaperParts, metadata: dict[str, str], data: bytes) -> Document:
    front = parts.front
    doi = doi_of(parts.first_page) or bare_doi_of(parts.masthead)
    told = [("", text) for text in front.abstract.split("\n\n")]
    language, abstracts = abstracts_by_language(told, (section.text for section in parts.sections))
    return Document(
        id=f"doi:{doi}" if doi else f"file:{fingerprint(data)}",
        kind="paper",
        title=best_title(front.title, plausible_title(metadata["Title"])),
        abstract=abstracts.pop(language, ""),
        sections=parts.sections,
        year=year_of(parts.masthead) or year_of(parts.running),
        language=language,
        translations=tuple(Translation(other, abstract=text) for other, text in abstracts.items()),
        keywords=front.keywords,
        authors=named_authors(metadata["Author"], parts.first_page, front.authors),
        url=doi_url(doi),
        file=sha256_bytes(data),
    )


def _doubts(document: Document, parts: PaperParts) -> list[str]:
    """Return what a person should look at before searching."""
    doubts = ["A repository's cover stands before the paper; it was left out."] if parts.covered else []
    if parts.left_out:
        pages = ", ".join(map(str, parts.left_out[:_MOST_LISTED]))
        doubts.append(f"Notes or text in a margin belong to no section and were left out: page {pages}.")
    if not document.title:
        doubts.append("No title was found; please add it.")
    if not document.abstract:
        doubts.append("No abstract was found; the sections stand for the whole text.")
    if len(document.sections) < 2:
        doubts.append("No section headings were found; the text stands in one section.")
    return doubts


def is_patent(first_page: str, sections: Sequence[Section]) -> bool:
    """Tell whether the first page names a patent office's print and the text has claims."""
    return bool(_OFFICE.search(first_page)) and any(_CLAIMS.search(f"\n{section.text}\n") for section in sections)


def as_patent(document: Document, first_page: str) -> tuple[Document, list[str]]:
    """Return a document read as a paper, as the patent that it is, and sentences on what was left out of it.

    What is not printed as expected stays as it was.
    """
    fields = _fields(first_page)
    description, left_out = _description(document.sections)
    sections, claims = _without_claims(description)
    number = _NUMBER.search(first_page)
    date = _DATE.search(first_page)
    title = one_line(reduce(_join_lines, fields.get("54", []), ""))
    abstract = tidy(_abstract(fields.get("57", [])))
    found = replace(
        document,
        id=re.sub(r"[\s,/]", "", number[0]) if number else document.id,
        kind="patent",
        title=sentence_case(title) or document.title,
        abstract=abstract or document.abstract,
        sections=sections,
        claims=claims,
        year=int(date[1]) if date else document.year,
        **people(_inventors(fields), ()),
        categories=tuple(dict.fromkeys(f"{group} {rest}" for group, rest in _CLASS.findall(first_page))),
    )
    return found, [f"The front page's data and the words of drawings were left out: {left_out[:60]!r} and so on."] if (
        left_out
    ) else []


def _description(sections: Sequence[Section]) -> tuple[tuple[Section, ...], str]:
    """Return the sections from the first that has a patent's heading on, and what stands before them and is left out.

    Before it stand the front page and the drawings; prose behind the front page belongs to the description.
    """
    named = (
        place
        for place, section in enumerate(sections)
        if PATENT_PART.match(section.title) or (section.title.isupper() and KNOWN.match(section.title))
    )
    start = next(named, 0)
    opening: list[Section] = []
    left_out: list[str] = []
    for section in sections[:start]:
        at = 0
        kept: list[str] = []
        for paragraph in section.text.split("\n\n"):
            page = section.page_at(at)
            (kept if page is not None and page > 1 and _is_prose(paragraph) else left_out).append(paragraph)
            at += len(paragraph) + 2
        if kept:
            opening.append(replace(section.with_text("\n\n".join(kept)), title=UNTITLED_DESCRIPTION))
    return (*opening, *sections[start:]), _LEADERS.sub(" ", one_line(" ".join(left_out)))


def _is_prose(paragraph: str) -> bool:
    """Tell whether a paragraph is of sentences, not of a drawing's labels."""
    return len(paragraph.split()) >= _PROSE_WORDS and _SENTENCE.search(paragraph) is not None


def _fields(first_page: str) -> dict[str, list[str]]:
    """Return the first page's lines by the number, such as (54), that stands before each piece of data."""
    fields: dict[str, list[str]] = {}
    current = ""
    for line in first_page.split("\n"):
        match = _FIELD.match(line)
        if match:
            current = match[1]
        if current:
            fields.setdefault(current, []).append(_FIELD.sub("", line))
    return fields


def _inventors(fields: dict[str, list[str]]) -> tuple[str, ...]:
    """Return the names after "Inventors:", each up to its place of residence."""
    text = re.sub(
        r"^\s*inventors?\s*:?\s*", "", one_line(" ".join(fields.get("72") or fields.get("75", []))), flags=re.I
    )
    return tuple(name for part in text.split(";") if (name := part.split(",")[0].strip()))


def _abstract(lines: Sequence[str]) -> str:
    """Return the text after the word ABSTRACT, up to the count of claims and sheets."""
    kept: list[str] = []
    for line in lines:
        if re.match(r"^\d+ claims?,", line, re.IGNORECASE):
            break
        if not re.fullmatch(r"\s*abstract\s*", line, re.IGNORECASE):
            kept.append(line)
    while kept and _SCRAP.fullmatch(kept[-1]):
        kept.pop()
    return reduce(lambda text, line: _join_lines(text, line, divided=True), kept, "")


def _join_lines(text: str, line: str, *, divided: bool = False) -> str:
    """Return two lines as one text; a hyphen at the end stays, but for a word that is `divided` there."""
    if not re.search(r"\w-$", text[-2:]):
        return f"{text} {line}".strip()
    return (text[:-1] if divided and line[:1].islower() else text) + line


def _without_claims(sections: Sequence[Section]) -> tuple[tuple[Section, ...], tuple[str, ...]]:
    """Return the sections up to the claims, and the claims; sections after the claims' heading are part of them."""
    kept: list[Section] = []
    claims_text = ""
    for section in sections:
        if claims_text:
            claims_text += f"\n\n{section.title}\n\n{section.text}"
            continue
        found = list(_CLAIMS.finditer(f"\n{section.text}\n"))
        if not found:
            kept.append(section)
            continue
        text = f"\n{section.text}\n"
        claims_text = text[found[-1].end() :]
        kept.append(section.with_text(tidy(text[: found[-1].start()])))
    return tuple(section for section in kept if section.text), tuple(_split_claims(claims_text))


def _split_claims(text: str) -> list[str]:
    """Return the claims in order, without numbers; a number that does not come next is part of a claim."""
    claims: list[str] = []
    start = 0
    for match in _CLAIM.finditer(text):
        if int(match[1]) != len(claims) + 1 and claims:
            continue
        if claims:
            claims[-1] = one_line(text[start : match.start()])
        start = match.end()
        claims.append("")
    if claims:
        claims[-1] = one_line(re.split(r"\n\s{0,80}\*\s{0,9}\*\s{0,9}\*", text[start:])[0])
    return [claim for claim in claims if claim]
