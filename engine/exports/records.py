"""Documents as CSV, JSON, BibTeX and RIS for other programs: ranked, with a person's notes on them, or alone.

Beside them stand the numbers of a review's flow, named as PRISMA 2020's flow diagram names them.
"""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Literal, TypeAlias

from typing_extensions import TypedDict

from engine.core.config import filled
from engine.documents import Document, works
from engine.documents.identifiers import arxiv_url
from engine.documents.text import STOP_WORDS
from engine.library import Annotation, Flow, Kept, Listed
from engine.search import Result

_RANKED_COLUMNS = ("rank", "score", "word", "probability", "couplings", "cited", "query_passage", "passage")
_OWN_COLUMNS = ("files", "added", "tags", "note", "read", "review", "decision", "reason")
_COLUMNS = ("id", "kind", "title", "authors", "year", "venue", "categories", "keywords", "url", "family", "abstract")
_NUMBERS = {"doi": "doi", "arxiv": "arxiv_id", "pmid": "pmid", "preprint": "preprint"}
"""The columns of what a work is cited by (`works.cited_as`), called as our reader of tables knows them."""
_BIBTEX_CHARACTERS = {
    "\\": r"\textbackslash{}",
    "{": r"{\textbraceleft}",  # BibTeX would count the brace of \{ as one
    "}": r"{\textbraceright}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{character: f"\\{character}" for character in "&%$#_"},
}
_LIGATURE = re.compile(r"([-`'])(?=\1)")


Exportable: TypeAlias = Document | Result | Kept


def to_csv(items: Sequence[Exportable]) -> str:
    """Return one row a document, lists joined by "; ", with rank, word, passages and the like, or notes and decisions.

    `cited` is "yes" or "no", and empty where the question has no reference list. A coupling is written "the query's
    part / the document's part: similarity".

    A cell that a spreadsheet would run as a formula gets a leading apostrophe. Lines end in CR LF (RFC 4180).
    """
    own = _OWN_COLUMNS if any(isinstance(item, Kept) for item in items) else ()
    ranked = _RANKED_COLUMNS if any(not isinstance(item, Document | Kept) for item in items) else ()
    columns = (*ranked, *_COLUMNS, *_NUMBERS.values(), *own)
    records = (_record(item) | _spelt_out(item) for item in items)
    return csv_text([columns, *([record.get(column) for column in columns] for record in records)])


def to_json(items: Sequence[Exportable]) -> str:
    """Return one list of objects with the columns of the CSV; sections and claims stay out."""
    return json.dumps([_record(item) for item in items], ensure_ascii=False, indent=2) + "\n"


def to_bibtex(items: Sequence[Exportable]) -> str:
    """Return one entry a document: @article for a paper with a venue, @patent for a patent, else @misc.

    Keys are unique: first author's last name, year and first word of the title, then a letter where needed.
    """
    taken: set[str] = set()
    return "\n".join(_bibtex_entry(item, taken) for item in items)


def to_ris(items: Sequence[Exportable]) -> str:
    """Return one record a document: JOUR for a paper with a venue, PAT for a patent, else GEN. Lines end in CR LF."""
    return "".join(f"{line}\r\n" for item in items for line in (*_ris_lines(item), ""))


RECORD_FORMATS: Mapping[str, Callable[[Sequence[Exportable]], str]] = {
    "csv": to_csv,
    "json": to_json,
    "bibtex": to_bibtex,
    "ris": to_ris,
}
"""Each format by the name that people give it."""


def _document(item: Exportable) -> Document:
    if isinstance(item, Document):
        return item
    return item.document if isinstance(item, Kept) else item.record


def _record(item: Exportable) -> dict[str, object]:
    document = _document(item)
    record: dict[str, object] = {}
    if not isinstance(item, Document | Kept):
        couplings = [{**asdict(one), "similarity": round(one.similarity, 4)} for one in item.evidence.couplings]
        record = {"rank": item.rank, "score": round(item.score, 4), "couplings": couplings, "cited": item.cited}
        reading, pair = item.reading, item.evidence.passage
        record |= {"word": reading.word, "probability": round(reading.p, 2) if reading.is_compared else None}
        record |= {"query_passage": pair and pair.query.text, "passage": pair and pair.document.text}
    for column in _COLUMNS:
        value = getattr(document, column)
        record[column] = list(value) if isinstance(value, tuple) else value
    cited = works.cited_as(document)
    record |= {column: cited.get(name, "") for name, column in _NUMBERS.items()}
    return {**record, **own_fields(item.listed)} if isinstance(item, Kept) else record


class OwnJson(TypedDict):
    """What a person keeps of a document in the library, and the files that brought it, the first import first."""

    files: list[str]
    added: str
    tags: list[str]
    note: str
    read: bool
    review: str
    decision: Literal["included", "excluded", "undecided"]
    reason: str


def own_fields(listed: Listed) -> OwnJson:
    """Return what a person keeps of a document in the library, and the files that brought it, by the CSV's columns."""
    noted, screened = listed.annotation, listed.screened
    undecided = {} if screened else {"decision": "undecided", "reason": ""}
    return filled(OwnJson, listed, noted, screened, read=noted.is_read, **undecided)


def _spelt_out(item: Exportable) -> dict[str, object]:
    """Return the couplings of a result, and whether it is cited, as the text of a cell each."""
    if isinstance(item, Document | Kept):
        return {}
    parts = [f"{one.query_part} / {one.document_part}: {one.similarity:.2f}" for one in item.evidence.couplings]
    return {"couplings": parts, "cited": {True: "yes", False: "no", None: ""}[item.cited]}


def _citation(item: Exportable) -> str:
    """Return whether the question cites a result, as its page says it; empty where that is not known."""
    if isinstance(item, Document | Kept) or item.cited is None:
        return ""
    return "Cited by you" if item.cited else "Not cited"


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as a table: lines end in CR LF (RFC 4180), and no cell is a formula to a spreadsheet."""
    stream = io.StringIO()
    csv.writer(stream).writerows([_csv_cell(value) for value in row] for row in rows)
    return stream.getvalue()


def _csv_cell(value: object) -> object:
    """Return a value as one cell: numbers as they are, text on one line and never a formula to a spreadsheet."""
    if isinstance(value, int | float):
        return value
    text = "; ".join(str(item) for item in value) if isinstance(value, list) else "" if value is None else str(value)
    text = _one_line(text)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def _one_line(text: str) -> str:
    """Return text without line breaks and control characters, which would start a field of their own."""
    return " ".join("".join(" " if unicodedata.category(char) == "Cc" else char for char in text).split())


def _bibtex_entry(item: Exportable, taken: set[str]) -> str:
    document, own = _document(item), item.listed.annotation if isinstance(item, Kept) else Annotation()
    kind = "patent" if document.kind == "patent" else "article" if document.venue else "misc"
    cited = works.cited_as(document)
    numbers = {"doi": cited.get("doi", ""), "eprint": cited.get("arxiv", ""), "pmid": cited.get("pmid", "")}
    preprint = f"Preprint: {cited['preprint']}" if "preprint" in cited else ""
    fields = {
        "title": f"{{{_bibtex(document.title)}}}" if document.title else "",
        "author": " and ".join(_bibtex_author(author) for author in document.authors),
        "year": "" if document.year is None else str(document.year),
        "journal" if kind == "article" else "howpublished": _bibtex(document.venue),
        "number": _bibtex(document.id) if kind == "patent" else "",
        "keywords": _bibtex(", ".join((*document.keywords, *own.tags))),
        **{name: _bibtex_url(value) for name, value in numbers.items()},
        "url": _bibtex_url(document.url),
        "abstract": _bibtex(document.abstract),
        "annote": _bibtex(own.note or _citation(item)),
        "note": preprint or ("" if kind == "patent" or cited else _bibtex(document.id)),
    }
    if fields["eprint"]:
        fields["archiveprefix"] = "arXiv"
    body = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@{kind}{{{_key(document, taken)},\n{body}}}\n"


def _bibtex(text: str) -> str:
    """Return text for a braced field: what TeX would read as a command, a dash or a quotation mark is escaped."""
    escaped = "".join(_BIBTEX_CHARACTERS.get(character, character) for character in _one_line(text))
    return _LIGATURE.sub(r"\1{}", escaped)


def _bibtex_author(author: str) -> str:
    """Return a name; braced where BibTeX would cut it at the word "and"."""
    escaped = _bibtex(author)
    return f"{{{escaped}}}" if re.search(r"\band\b", escaped, re.IGNORECASE) else escaped


def _bibtex_url(url: str) -> str:
    """Return an address unchanged, except for characters that would end the field."""
    return _one_line(url).replace("\\", "%5C").replace("{", "%7B").replace("}", "%7D").replace(" ", "%20")


def _key(document: Document, taken: set[str]) -> str:
    """Return a key that no other entry has: "lovelace1843notes", then "lovelace1843notesb"."""
    author = document.authors[0] if document.authors else ""
    last = author.split(",")[0] if "," in author else author.split()[-1] if author.split() else ""
    words = [word for word in (_plain(word) for word in document.title.split()) if word and word not in STOP_WORDS]
    key = f"{_plain(last)}{document.year or ''}{words[0] if words else ''}" or _plain(document.id) or "document"
    candidate, number = key, 1
    while candidate in taken:
        number += 1
        candidate = f"{key}{chr(ord('a') + number - 1) if number <= 26 else f'-{number}'}"
    taken.add(candidate)
    return candidate


def _plain(text: str) -> str:
    """Return the letters and digits of a text in ASCII, lower case."""
    decomposed = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]", "", decomposed.lower())


def _ris_lines(item: Exportable) -> Iterator[str]:
    """Yield the lines of one record, from TY to ER (RIS: two capitals, two spaces, a hyphen, a space, a value)."""
    document = _document(item)
    patent = document.kind == "patent"
    yield f"TY  - {'PAT' if patent else 'JOUR' if document.venue else 'GEN'}"
    fields: list[tuple[str, str]] = [("TI", document.title)]
    fields += [("AU", author) for author in document.authors]
    fields += [("PY", str(document.year or "")), ("PB" if patent else "T2", document.venue)]
    fields += [("SN" if patent else "AN", document.id)]
    cited = works.cited_as(document)
    fields += [("DO", cited.get("doi", ""))]
    fields += [("KW", keyword) for keyword in (*document.keywords, *document.categories)]
    fields += [("UR", document.url), ("AB", document.abstract)]
    if "preprint" in cited:
        fields += [("UR", arxiv_url(cited.get("arxiv", ""))), ("N1", f"Preprint: {cited['preprint']}")]
    fields += _own_ris_fields(item.listed) if isinstance(item, Kept) else [("N1", _citation(item))]
    for tag, value in fields:
        if value:
            yield f"{tag}  - {_one_line(value)}"
    yield "ER  - "


def _own_ris_fields(listed: Listed) -> list[tuple[str, str]]:
    """Return tags as key words; the note, the read mark and the decision as notes (N1)."""
    noted, screened = listed.annotation, listed.screened
    fields = [("KW", tag) for tag in noted.tags] + [("N1", noted.note), ("N1", "Read" if noted.is_read else "")]
    if screened is not None:
        reason = f": {screened.reason}" if screened.reason else ""
        of = f" ({listed.review})" if listed.review else ""
        fields.append(("N1", f"Screening{of}: {screened.decision}{reason}"))
    return fields


NO_REASON = "No reason given"


def flow_rows(flow: Flow) -> list[tuple[str, int]]:
    """Return what is counted, in the order of the diagram, with its number; a row for each reason to exclude."""
    return [
        ("Records identified", flow.identified),
        ("Duplicates removed", flow.duplicates),
        ("Records to screen", flow.documents),
        ("Records screened", flow.screened),
        ("Records excluded", flow.excluded),
        *((f"Excluded: {reason or NO_REASON}", number) for reason, number in flow.reasons.items()),
        ("Records included", flow.included),
        ("Undecided", flow.undecided),
    ]


class ReasonJson(TypedDict):
    """A reason to exclude, null where none is given, and how many documents it excludes."""

    reason: str | None
    documents: int


class FlowJson(TypedDict):
    """The numbers of a review, as PRISMA 2020's flow diagram names them."""

    review: str
    records_identified: int
    duplicates_removed: int
    records_to_screen: int
    records_screened: int
    records_excluded: int
    reasons: list[ReasonJson]
    records_included: int
    undecided: int


def flow_as_json(flow: Flow) -> FlowJson:
    """Return the review and the numbers by name; reasons as a list, the most frequent first, null for none given."""
    return {
        "review": flow.review,
        "records_identified": flow.identified,
        "duplicates_removed": flow.duplicates,
        "records_to_screen": flow.documents,
        "records_screened": flow.screened,
        "records_excluded": flow.excluded,
        "reasons": [{"reason": reason or None, "documents": number} for reason, number in flow.reasons.items()],
        "records_included": flow.included,
        "undecided": flow.undecided,
    }


def flow_csv(flow: Flow) -> str:
    """Return three columns: the review's name, what is counted, and its number. Lines end in CR LF (RFC 4180)."""
    return csv_text([("review", "counted", "documents"), *((flow.review, *row) for row in flow_rows(flow))])
