"""`priorscope read FILE`: shows what is read from a file or a text: title, abstract, sections, claims."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from engine.cli.options import add_json, print_json
from engine.documents import Reference, Section, Translation
from engine.documents.text import how_many
from engine.reading import LIMITS, ReadFile, read_bytes, read_file, read_text, spoken

_OPENING_WORDS = 12


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("read")
    parser.add_argument("file", metavar="FILE", help=f"{spoken()}; - reads standard input")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Read, and print an outline or, with `--json`, everything."""
    reading = read_input(arguments.file)
    if arguments.json:
        print_json(as_json(reading))
    else:
        print("\n".join(outline(reading)))


def as_json(reading: ReadFile) -> dict[str, object]:
    """Return what was read as JSON; reference lists come last among the sections, so that nothing is lost."""
    document = reading.document
    body = [section for section in document.sections if section.role != "references"]
    references = [section for section in document.sections if section.role == "references"]
    return {
        "id": document.id,
        "kind": document.kind,
        "title": document.title,
        "authors": list(document.authors),
        "inventors": list(document.inventors),
        "assignees": list(document.assignees),
        "year": document.year,
        "dates": {one.kind: one.day for one in document.dates},
        "venue": document.venue,
        "language": document.language,
        "abstract": document.abstract,
        "keywords": list(document.keywords),
        "categories": list(document.categories),
        "identifiers": [f"{one.scheme}:{one.value}" for one in document.identifiers],
        "family": document.family,
        "url": document.url,
        "format": reading.format,
        "pages": reading.pages,
        "sections": [_section(section) for section in (*body, *references)],
        "claims": list(document.claims),
        "translations": [_translation(one) for one in document.translations],
        "references": [_reference(one) for one in document.references],
        "warnings": list(reading.warnings),
    }


def _section(section: Section) -> dict[str, object]:
    """Return a section; the page where it begins is known for a PDF only."""
    page = {"page": section.page_at(0)} if section.pages else {}
    scans = {"recognised": [one._asdict() for one in section.recognised]} if section.recognised else {}
    return {"title": section.title, "text": section.text, "role": section.role, **page, **scans}


def _translation(translation: Translation) -> dict[str, object]:
    return {
        "language": translation.language,
        "title": translation.title,
        "abstract": translation.abstract,
        "claims": list(translation.claims),
    }


def _reference(reference: Reference) -> dict[str, object]:
    return {
        "text": reference.text,
        "title": reference.title,
        "authors": list(reference.authors),
        "year": reference.year,
        "venue": reference.venue,
        "identifiers": [f"{one.scheme}:{one.value}" for one in reference.identifiers],
    }


def outline(reading: ReadFile) -> list[str]:
    """Return the lines of a readable outline: each part with its number of words and how it begins."""
    document = reading.document
    facts = [document.kind, f"read as {reading.format}", document.id]
    facts += [str(document.year)] if document.year else []
    facts += [how_many(reading.pages, "page")] if reading.pages else []
    lines = [document.name, "; ".join(facts)]
    lines += ["; ".join(document.authors)] if document.authors else []
    lines += [document.venue] if document.venue else []
    lines += [""]
    lines += [_part(Section("Abstract", document.abstract))] if document.abstract else []
    lines += [_part(section) for section in document.sections if section.role != "references"]
    lines += [_part(Section(f"Claim {n}", claim)) for n, claim in enumerate(document.claims, start=1) if claim]
    lines += [_part(section) for section in document.sections if section.role == "references"]
    return [*lines, *(f"Note: {warning}" for warning in reading.warnings)]


def _part(section: Section) -> str:
    words = section.text.split()
    opening = " ".join(words[:_OPENING_WORDS]) + (" ..." if len(words) > _OPENING_WORDS else "")
    page = f", p. {section.page_at(0)}" if section.pages else ""
    return f"{section.title} [{how_many(len(words), 'word')}{page}] {opening}".rstrip()


def read_input(file: str) -> ReadFile:
    """Read a file, or standard input where its name is a hyphen."""
    if file != "-":
        return read_file(Path(file))
    data = sys.stdin.buffer.read(LIMITS.max_file_bytes + 1)
    try:
        return read_text(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return read_bytes(data, "standard input")
