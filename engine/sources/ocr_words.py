"""Mends lines of scanned text: broken words joined, margin numbers and debris taken out.

The rules know no dictionary but the corpus itself: a word that stands often in the middle of lines
is a word. Hyphens at line ends are lost in the scans, so "appa / ratus" is joined because
"apparatus" is common and "ratus" is not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

_WORD = re.compile(r"[A-Za-z]+")
_MARGIN_NUMBER = re.compile(r"^(?:\d{1,3}|[Il] ?[0-9O]{1,2}|\d[Oo]) (?=[A-Za-z(])")
_HAS_WORD = re.compile(r"[A-Za-z]{3}")
_LEAST_COUNT = 3
_SHORT_LINE = 0.75


def count_words(lines: Iterable[str]) -> Counter[str]:
    """How often each word stands in a line's middle, in lower case: pieces of broken words stand at the ends."""
    words: Counter[str] = Counter()
    for line in lines:
        words.update(_WORD.findall(line.lower())[1:-1])
    return words


def clean_lines(lines: Iterable[str]) -> list[str]:
    """The lines without the margins' line numbers and without lines that hold no word."""
    stripped = (_MARGIN_NUMBER.sub("", line.strip()) for line in lines)
    return [line for line in stripped if _HAS_WORD.search(line)]


def flow(lines: list[str], words: Mapping[str, int]) -> str:
    """Lines as running text; a short line that ends a sentence ends a paragraph."""
    width = sorted(map(len, lines))[len(lines) // 2] if lines else 0
    text = ""
    for line in lines:
        if not text or text.endswith("\n"):
            text += line
        else:
            text = text + line if _is_broken(text, line, words) else f"{text} {line}"
        if line.endswith((".", ":", ".—")) and len(line) < _SHORT_LINE * width:
            text += "\n\n"
    return re.sub(r"(?<=[a-z])\u2026(?=[a-z])|(?<=[a-z])- ?\u2026", "", text).strip()


def join(first: str, second: str, words: Mapping[str, int]) -> bool:
    """Whether two pieces are one broken word."""
    whole = words.get(first + second, 0)
    return whole >= _LEAST_COUNT and whole > min(words.get(first, 0), words.get(second, 0))


def _is_broken(text: str, line: str, words: Mapping[str, int]) -> bool:
    tail = re.search(r"[A-Za-z]+$", text[-40:])
    head = re.match(r"[a-z]+", line)
    return bool(tail and head) and join(tail.group().lower(), head.group(), words)  # type: ignore[union-attr]
