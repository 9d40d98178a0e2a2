"""Patterns that are compiled at their first use: a long one takes twenty milliseconds, and few starts need it."""

from __future__ import annotations

import re
from functools import cached_property


class LatePattern:
    """A regular expression of text, as `re.Pattern` is, but compiled when it is first used.

    For patterns of many words or letters alone; any other is a constant of its module. `re.error` is raised at the
    first use. tests/hostile tries it as it does all others.
    """

    def __init__(self, source: str, flags: int = 0) -> None:
        """Take a pattern as it is written, and the flags of `re`."""
        self.source, self.flags = source, flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern itself."""
        return re.compile(self.source, self.flags)

    def match(self, text: str) -> re.Match[str] | None:
        """Match what stands at the head of a text."""
        return self.compiled.match(text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Match a text, if the pattern fits all of it."""
        return self.compiled.fullmatch(text)

    def sub(self, new: str, text: str) -> str:
        """Return the text with something else in place of each match."""
        return self.compiled.sub(new, text)
