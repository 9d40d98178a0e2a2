"""`priorscope salient FILE`: which sentences of a paper or a patent to read first, with its key words."""

from __future__ import annotations

import argparse
import sys
import textwrap
from typing import TYPE_CHECKING, Any

from engine.cli import options
from engine.cli.read import read_input
from engine.cli.terminal import bar
from engine.core.errors import InputError
from engine.documents import Chunk, Document
from engine.encoders.keyvec import CHOSEN, MEANING, NAME
from engine.workspace import SalienceReader, Workspace

if TYPE_CHECKING:
    from engine.encoders.keyvec import Salience

_FIRST, _WORDS, _WIDTH = 5, 10, 100


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("salient")
    parser.add_argument("file", metavar="FILE", help="a file in any format we read; - reads standard input")
    parser.add_argument("--encoder", metavar="NAME", default=NAME, help=f"a name, or a folder (default: {NAME})")
    parser.add_argument(
        "--first", type=int, metavar="N", help=f"only the strongest N (default: all in JSON, {_FIRST} in text)"
    )
    options.add_library(parser)
    options.add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Read the file, weigh its sentences and print them."""
    if arguments.first is not None and arguments.first < 1:
        raise InputError(f"Expected --first of 1 or more, got {arguments.first}. Leave it out to have every sentence.")
    reading = read_input(arguments.file)
    for warning in reading.warnings:
        print(f"priorscope: {warning}", file=sys.stderr)
    with Workspace(options.library_folder(arguments)) as workspace:
        reader = SalienceReader(arguments.encoder, workspace.library_if_any)
        found = reader.read([reading.document], report=bar())[0]
    if arguments.json:
        options.print_json(as_json(found, first=arguments.first))
    else:
        print("\n".join(as_text(reading.document, found, first=arguments.first or _FIRST)))


def as_json(found: Salience, *, first: int | None = None) -> dict[str, Any]:
    """Every sentence in reading order, or the strongest `first` of them, and the key words, the likeliest first."""
    shown = found.first(len(found.sentences) if first is None else first)
    return {
        "sentences": [_sentence(chunk, p) for chunk, p in shown],
        "keywords": [{"word": word, "p": round(p, 6)} for word, p in found.keywords[:_WORDS]],
    }


def as_text(document: Document, found: Salience, *, first: int) -> list[str]:
    """Return the lines of a readable answer: the title, what to read first, the key words."""
    lines = [*textwrap.wrap(f"{document.name} ({document.kind})", _WIDTH), ""]
    if not found.sentences:
        return [*lines, "No sentence of its body or abstract holds a word that the encoder knows.", *_keywords(found)]
    lines += [f"Read this first ({min(first, len(found.sentences))} of {len(found.sentences):,} sentences):"]
    for chunk, p in found.first(first):
        text = " ".join([*chunk.text.split(), *([f"[{chunk.place}]"] if chunk.place else [])])
        lines += textwrap.wrap(text, _WIDTH, initial_indent=f"  {p:.2f}  ", subsequent_indent=" " * 8)
    return [
        *lines,
        CHOSEN,
        f"The number before a sentence says {MEANING}; the average sentence here has {found.p.mean():.2f}.",
        *_keywords(found),
    ]


def _keywords(found: Salience) -> list[str]:
    words = ", ".join(word for word, _ in found.keywords[:_WORDS])
    return ["", *textwrap.wrap(f"Key words: {words}", _WIDTH, subsequent_indent=" " * 11)] if words else []


def _sentence(chunk: Chunk, p: float) -> dict[str, Any]:
    place = {"section": chunk.section, "start": chunk.start, "stop": chunk.stop}
    return {"text": chunk.text, **place, "p": round(p, 6)}
