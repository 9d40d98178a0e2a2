"""The reference list of a document as entries: those its reader parsed, else those that its text prints."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from engine.documents import Document, Reference
from engine.search.citations.entries import CAPITALS, MOST_ENTRY, begins_with_initials, parsed

_BLANK_LINE = re.compile(r"\n\s*\n")
_LABEL = re.compile(r"\s*(?:\[(\w[\w+’'., &-]{0,29})\]|\(?(\d{1,3})[.)])\s+(?=\S)")
_INLINE = re.compile(r"(?:(?<=\s)|^)\[(\d{1,3})\]\s+(?=\S)")
_DATED = re.compile(r"\b(?:1[5-9]|20)\d\d[a-z]?\b|\bin press\b|\bforthcoming\b|\barxiv\b|\bdoi\b", re.IGNORECASE)
_BEGINS = re.compile(rf"[{CAPITALS}“\"\[(]|\d{{1,3}}[.)]|(?:van|von|de|di|da|du|la|el)\s")
_ENDED = re.compile(r"[.\])”\"\d]$|(?<!\S)[^\s/]*+/\S*+$")
_HYPHEN = re.compile(r"(?<=[a-z\u00e0-\u024f])-\n(?=[a-z\u00e0-\u024f])")
_STOP = re.compile(r"[.\d)]\s+(?=[^\W\d_])")
_MOST, _MOST_NAMES, _LEAST_WORDS = 2_000, 400, 4
_LONGEST_TITLE = 1_000
_SHARE = 0.6
_LONGEST_LINE = 110
"""A line of more characters was not wrapped, so it ends where its entry ends."""


def references_of(document: Document) -> tuple[Reference, ...]:
    """What a document cites, one entry each: the parsed entries, else those of its sections of role "references".

    An entry that a reader only kept as text, such as what a patent cites besides patents, is parsed here.
    """
    if document.references:
        return tuple(map(_completed, document.references[:_MOST]))
    texts = tuple(section.text for section in document.sections if section.role == "references")
    return _entries(texts) if texts else ()


def cut(text: str) -> list[str]:
    """The entries of a printed list, by its labels, blank lines or whole lines, whichever it has."""
    blocks = [block for block in _BLANK_LINE.split(_HYPHEN.sub("", text)) if block.strip()]
    if len(blocks) == 1 and len(entries := list(_block(blocks[0]))) == 1:
        return list(_run_in(" ".join(entries[0].split())))
    return [entry for block in blocks for entry in _block(block) if any(letter.isalpha() for letter in entry)]


@lru_cache(maxsize=256)
def _entries(texts: Sequence[str]) -> tuple[Reference, ...]:
    return tuple(map(parsed, islice((entry for text in texts for entry in cut(text)), _MOST)))


@lru_cache(maxsize=4096)
def _completed(reference: Reference) -> Reference:
    """An entry of a reader, with what its text says where the reader told no parts."""
    if max(len(reference.title), len(reference.text)) > MOST_ENTRY:
        reference = replace(reference, title=reference.title[:_LONGEST_TITLE], text=reference.text[:MOST_ENTRY])
    if reference.title or reference.identifiers or not reference.text:
        return reference
    found = parsed(reference.text)
    return replace(found, year=reference.year or found.year, authors=reference.authors or found.authors)


def _block(block: str) -> Iterator[str]:
    """The entries between two blank lines."""
    lines = [line.strip() for line in block.split("\n") if line.strip()]
    if (starts := _numbered(block)) and len(starts) > 1:
        yield from (block[a:b].strip() for a, b in zip(starts, [*starts[1:], len(block)], strict=True))
        return
    labelled = [_LABEL.match(line) is not None for line in lines]
    if labelled[0] and sum(labelled) > 1:
        yield from _joined(lines, labelled)
        return
    dated = sum(1 for line in lines if _DATED.search(line)) >= _SHARE * len(lines)
    if dated or max(map(len, lines)) > _LONGEST_LINE:
        yield from (lines if dated else [" ".join(lines)])
        return
    begins = [_BEGINS.match(line) is not None and (not at or _ends(lines[at - 1])) for at, line in enumerate(lines)]
    yield from _joined(lines, list(_begin_after_a_year(lines, begins)))


def _run_in(text: str) -> Iterator[str]:
    """The entries of a list whose lines were joined: one ends by its year, and the next begins with names."""
    start, named = 0, begins_with_initials(text[:_MOST_NAMES])
    dates = [match.span() for match in _DATED.finditer(text)]
    ahead = 0
    for match in _STOP.finditer(text):
        place = match.end()
        while ahead < len(dates) and dates[ahead][0] < start:
            ahead += 1
        if ahead == len(dates):
            break
        said = text[start + named : min(place, start + named + _MOST_NAMES)]
        if len(said.split()) < _LEAST_WORDS or dates[ahead][1] > place:
            continue
        names = begins_with_initials(text[place : place + _MOST_NAMES])
        if names and dates[-1][0] >= place:
            yield text[start:place].strip()
            start, named = place, names
    yield text[start:].strip()


def _begin_after_a_year(lines: Sequence[str], begins: Sequence[bool]) -> Iterator[bool]:
    """Whether each line of a wrapped list begins an entry: it looks so, and the entry before it has its year."""
    is_dated = False
    for at, line in enumerate(lines):
        starts = not at or (begins[at] and is_dated)
        is_dated = bool(_DATED.search(line)) or (is_dated and not starts)
        yield starts


def _ends(line: str) -> bool:
    return _ENDED.search(line) is not None


def _numbered(block: str) -> list[int]:
    """Where the entries [1], [2], [3] ... begin, however the lines run; empty where the labels do not count on."""
    found = [(match.start(), int(match[1])) for match in _INLINE.finditer(block)]
    starts: list[int] = []
    number = found[0][1] if found and not block[: found[0][0]].strip() else None
    for start, label in found:
        if label == number:
            starts.append(start)
            number += 1
    return starts


def _joined(lines: Sequence[str], begins: Sequence[bool]) -> Iterator[str]:
    """Lines as entries, each beginning where `begins` says so."""
    held: list[str] = []
    for line, starts in zip(lines, begins, strict=True):
        if starts and held:
            yield " ".join(held)
            held = []
        held.append(line)
    if held:
        yield " ".join(held)
