"""Takes out of LaTeX source what its author switched off, by `iffalse` or `if0`."""

from __future__ import annotations

import re
from collections.abc import Iterator

_STEP = re.compile(
    r"\\\\|\\let\s*+\\[A-Za-z@]++\s*+=?\s*+\\if[A-Za-z@]*+|\\newif\s*+\\if[A-Za-z@]++|\{\\iffalse\s*+\}"
    r"|\\(?:iff|ifthenelse|if(?:un)?def|ifstr\w*+|ifbool|iftoggle|ifblank|ifcs\w*+|ifnumcomp|ifdim(?:comp|equal))(?![A-Za-z@])"
    r"|(?P<off>\\iffalse(?![A-Za-z@])|\\if ?0(?![\d.\\#]))|(?P<open>\\if[A-Za-z@]*+)"
    r"|(?P<middle>\\else(?![A-Za-z@]))|(?P<close>\\fi(?![A-Za-z@]))"
)


def without_hidden(source: str) -> str:
    r"""Source without its switched-off parts; what stands after their `\else` stays."""
    if not re.search(r"\\iffalse|\\if ?0", source):
        return source
    pieces, at = list[str](), 0
    for start, stop in _hidden(source):
        pieces.append(source[at:start])
        at = stop
    return "".join((*pieces, source[at:]))


def _hidden(source: str) -> Iterator[tuple[int, int]]:
    r"""The stretches that are off, from left to right.

    One whose conditions do not balance ends at its first `\fi`, and so do those after it: an unknown command whose name
    begins with "if" must not hide the rest of a paper.
    """
    start = first = -1
    depth = 0
    for match in _STEP.finditer(source):
        if start < 0:
            start, first, depth = (match.start(), -1, 1) if match["off"] else (-1, -1, 0)
            continue
        if match["close"]:
            first = match.end() if first < 0 else first
            depth -= 1
        elif match["off"] or match["open"]:
            depth += 1
        if not depth or (depth == 1 and match["middle"]):
            yield start, match.end()
            start = -1
    if start >= 0 and first >= 0:
        yield start, first
        yield from _to_the_first_end(source, first)


def _to_the_first_end(source: str, begin: int) -> Iterator[tuple[int, int]]:
    start = -1
    for match in _STEP.finditer(source, begin):
        if match["off"] and start < 0:
            start = match.start()
        elif start >= 0 and (match["close"] or match["middle"]):
            yield start, match.end()
            start = -1
