"""Decides what a hyphen at a line's end is: part of the word, or of its division."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from engine.reading.pdf.lines import Line

_BROKEN = re.compile(r"([^\W_][\w'’-]{0,80})-$")
_TAIL = 80
"""Patterns for a text's end read this many characters: a long line must not take quadratic time."""
_HELD = 20 * _TAIL
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_LINKS = frozenset({"a", "and", "by", "of", "the", "to", "vs"})
"""Words inside one with several hyphens, such as "state-of-the-art"; they hardly start half a word."""


class Hyphens:
    """Decides what a hyphen at a line's end is, by the words that the document holds elsewhere."""

    def __init__(self, lines: Iterable[Line]) -> None:
        """Count the words that are not cut by a line's end."""
        self._words: Counter[str] = Counter()
        cut = False
        for line in lines:
            broken = _BROKEN.search(line.text[-_TAIL:])
            whole = line.text[: -len(broken[0])] if broken else line.text
            self._words.update(_WORD.findall(whole.lower())[1 if cut else 0 :])
            cut = bool(broken)

    def join(self, text: str, following: str) -> str:
        """Two lines of one paragraph as one text."""
        broken = _BROKEN.search(text[-_TAIL:])
        after = _WORD.match(following)
        if not broken or not after:
            return f"{text} {following}" if not text.endswith(("-", "/")) or text.endswith(" -") else text + following
        first, second = broken[1].lower(), after[0].lower()
        capitals = after[0].isupper() and len(after[0]) > 1 and broken[1].isupper()
        last = first.rpartition("-")[2]
        keep = (after[0][0].isupper() and not capitals) or len(last) == 1 or last[-1:].isdigit()
        keep = keep or self._is_compound(first, second)
        return (text if keep else text[:-1]) + following

    def joined(self, lines: Iterable[str]) -> str:
        """The lines of one paragraph as one text, in time that grows as it does."""
        done: list[str] = []
        text = ""
        for line in lines:
            text = self.join(text, line) if text else line
            if len(text) > _HELD:
                done.append(text[:-_TAIL])
                text = text[-_TAIL:]
        return "".join([*done, text])

    def _is_compound(self, first: str, second: str) -> bool:
        """Whether the hyphen belongs to the word: seen so elsewhere, or both parts are words and the whole is not."""
        words = self._words
        before, _, last = first.rpartition("-")
        if words[first + second] or words[last + second]:
            return False
        if words[f"{first}-{second}"] or words[f"{last}-{second}"] or (before and last in _LINKS):
            return True
        return min(len(last), len(second)) >= 4 and words[last] > 0 and words[second] > 0
