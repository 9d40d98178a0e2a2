"""Mends lines of scanned text: broken words joined, margin numbers and debris taken out.

The rules use the corpus as their only dictionary: what is frequent in the middle of lines is a word. Hyphens at line
ends are lost in the scans, so "appa / ratus" is joined because "apparatus" is common and "ratus" is not.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

_WORD = re.compile(r"[A-Za-z]+")
_SMALL_WORD = re.compile(r"[a-z]+")
_BROKEN_HYPHEN = re.compile(r"(?<=[a-z])\u2026(?=[a-z])|(?<=[a-z])- ?\u2026")
_MARGIN_NUMBER = re.compile(r"(?:\d{1,3}|[Il] ?[0-9O]{1,2}|\d[Oo]) (?=[A-Za-z(])")
_HAS_WORD = re.compile(r"[A-Za-z]{3}")
_LEAST_COUNT = 3
_SHORT_LINE = 0.75
_TAIL_CHARACTERS = 40  # no piece of a word is longer


def count_words(lines: Iterable[str]) -> Counter[str]:
    """How often each word occurs inside a line, in lower case: pieces of broken words are at the ends."""
    return Counter(chain.from_iterable(_WORD.findall(line.lower())[1:-1] for line in lines))


def clean_lines(lines: Iterable[str]) -> list[str]:
    """The lines without line numbers from the margins and without lines that hold no word."""
    return [line for line in map(_without_margin_number, lines) if _HAS_WORD.search(line)]


def flow(lines: list[str], words: Mapping[str, int]) -> str:
    """Lines as running text; a short line that ends a sentence ends a paragraph."""
    return _BROKEN_HYPHEN.sub("", "".join(_flowing(lines, words))).strip()


def _flowing(lines: list[str], words: Mapping[str, int]) -> Iterator[str]:
    """The lines with what joins them: nothing within a broken word, a space, or a paragraph's end."""
    shorter = _SHORT_LINE * sorted(map(len, lines))[len(lines) // 2] if lines else 0
    tail = ""  # the last characters so far; "" where a text or a paragraph begins
    for line in lines:
        if tail and not _is_broken(tail, line, words):
            yield " "
            tail += " "
        yield line
        tail = (tail + line)[-_TAIL_CHARACTERS:]
        if len(line) < shorter and line.endswith((".", ":", ".—")):
            yield "\n\n"
            tail = ""


def join(first: str, second: str, words: Mapping[str, int]) -> bool:
    """Whether two pieces are one broken word."""
    whole = words.get(first + second, 0)
    return whole >= _LEAST_COUNT and whole > min(words.get(first, 0), words.get(second, 0))


def _without_margin_number(line: str) -> str:
    stripped = line.strip()
    number = _MARGIN_NUMBER.match(stripped)
    return stripped[number.end() :] if number else stripped


def _is_broken(tail: str, line: str, words: Mapping[str, int]) -> bool:
    head = _SMALL_WORD.match(line)
    if head is None:
        return False
    first = tail[len(tail.rstrip(string.ascii_letters)) :]
    return bool(first) and join(first.lower(), head.group(), words)
