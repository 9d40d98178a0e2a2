"""`priorscope read FILE`: shows what is read from a file or a text: title, abstract, sections, claims."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from engine.cli.options import add_json, print_json
from engine.documents import Section
from engine.readers import Reading, read_bytes, read_file, read_text
from engine.readers.formats import spoken
from engine.readers.limits import LIMITS

_OPENING_WORDS = 12


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("read", help="show what is read from a paper or a patent")
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


def as_json(reading: Reading) -> dict[str, object]:
    """What was read as JSON; reference lists come last among the sections, so that nothing is lost."""
    document = reading.document
    body = [section for section in document.sections if section.role != "references"]
    references = [section for section in document.sections if section.role == "references"]
    return {
        "kind": document.kind,
        "title": document.title,
        "abstract": document.abstract,
        "sections": [{"title": section.title, "text": section.text} for section in (*body, *references)],
        "claims": list(document.claims),
        "warnings": list(reading.warnings),
    }


def outline(reading: Reading) -> list[str]:
    """The lines of a readable outline: each part with its number of words and how it begins."""
    document = reading.document
    facts = [document.kind, f"read as {reading.format}", document.id]
    facts += [str(document.year)] if document.year else []
    facts += [f"{reading.pages} pages"] if reading.pages else []
    lines = [document.name, "; ".join(facts), ""]
    lines += [_part(Section("Abstract", document.abstract))] if document.abstract else []
    lines += [_part(section) for section in document.sections if section.role != "references"]
    lines += [_part(Section(f"Claim {n}", claim)) for n, claim in enumerate(document.claims, start=1) if claim]
    lines += [_part(section) for section in document.sections if section.role == "references"]
    return [*lines, *(f"Note: {warning}" for warning in reading.warnings)]


def _part(section: Section) -> str:
    words = section.text.split()
    opening = " ".join(words[:_OPENING_WORDS]) + (" ..." if len(words) > _OPENING_WORDS else "")
    page = f", p. {section.page_at(0)}" if section.pages else ""
    return f"{section.title} [{len(words):,} words{page}] {opening}".rstrip()


def read_input(file: str) -> Reading:
    """Read a file, or standard input where its name is a hyphen."""
    if file != "-":
        return read_file(Path(file))
    data = sys.stdin.buffer.read(LIMITS.max_file_bytes + 1)
    try:
        return read_text(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return read_bytes(data, "standard input")
