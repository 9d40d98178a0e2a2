"""Expands an author's macros, such as a system's name, in LaTeX source.

Only macros without arguments are expanded, each once: to at most `_LONGEST` characters, through at most `_DEEPEST`
others. A macro that would grow further, or needs itself, stays, and is then left out like any unknown command. So
source that doubles at each step costs no more than other text of its length.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import islice

_DEFINE = (
    r"\\(?:(?P<provide>providecommand)|(?:re)?newcommand|DeclareRobustCommand|[egx]?def)(?![A-Za-z@])\*?[ \t]*+"
    r"(?:\{[ \t]*+\\(?P<braced>[A-Za-z@]++)[ \t]*+\}|\\(?P<bare>[A-Za-z@]++))\s*+(?P<body>\{)?"
)
_DEFINITION = re.compile(_DEFINE)
_USE = re.compile(rf"{_DEFINE}|\\\\|\\(?P<used>[A-Za-z@]++)")
_WITH_ARGUMENTS = re.compile(
    r"\\(?:providecommand|(?:re)?newcommand|DeclareRobustCommand|[egx]?def)(?![A-Za-z@])\*?[ \t]*+"
    r"(?:\{[ \t]*+\\(?P<braced>[A-Za-z@]++)[ \t]*+\}|\\(?P<bare>[A-Za-z@]++))\s*+"
    r"(?:\[(?P<count>[1-9])\]\s*+(?P<default>\[[^\][{}]{0,200}\]\s*+)?|(?P<signs>(?:#[1-9]){1,9}))\{"
)
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_SPACED = re.compile(r"\\xspace\s*$")
_NAME_AT_END = re.compile(r"\\[A-Za-z@]+$")
_LONGEST = 1_000
_DEEPEST = 10
_MOST = 10_000
_MOST_ADDED = 1_000_000


def with_macros(source: str, known: Collection[str]) -> str:
    """Source with its macros expanded, except those named like a `known` command."""
    bodies = _bodies(source, known)
    if not bodies:
        return source
    texts = _Texts(bodies)
    pieces, at, added = [""], 0, 0
    for match in _USE.finditer(source):
        text = texts.of(match["used"]) if match["used"] and added < _MOST_ADDED else None
        if text is not None:
            _add(pieces, source[at : match.start()], text)
            at = match.end()
            added += len(text)
    return "".join((*pieces, source[at:]))


def silent_macros(source: str, known: Collection[str]) -> dict[str, int]:
    """How many arguments each silent macro takes, such as a note that its author switched off."""
    found: dict[str, int] = {}
    for match in islice(_WITH_ARGUMENTS.finditer(source), _MOST):
        name, stop = match["braced"] or match["bare"], _closing(source, match.end())
        count = int(match["count"]) - bool(match["default"]) if match["count"] else match["signs"].count("#")
        if name not in known and stop >= 0:
            found.pop(name, None)
            if not source[match.end() : stop].strip():
                found[name] = count
    return found


def _bodies(source: str, known: Collection[str]) -> dict[str, str]:
    """The text of each macro without arguments, as it was last defined."""
    bodies: dict[str, str] = {}
    for match in islice(_DEFINITION.finditer(source), _MOST):
        name = match["braced"] or match["bare"]
        if name in known or (match["provide"] and name in bodies):
            continue
        stop = _closing(source, match.end()) if match["body"] else -1
        body = source[match.end() : stop] if stop >= 0 else "#"
        if "#" in body:
            bodies.pop(name, None)
        else:
            bodies[name] = _SPACED.sub("", body)
    return bodies


def _closing(source: str, start: int) -> int:
    """Where the brace closes that opens before `start`; -1 where that is too far."""
    depth = 1
    for match in _BRACE.finditer(source, start, start + _LONGEST):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if not depth:
            return match.start()
    return -1


def _add(pieces: list[str], before: str, text: str) -> None:
    """Add what stands before a macro, and its text; that does not go on with the name of the command before it."""
    name_before = text[:1].isalpha() and _NAME_AT_END.search((before or pieces[-1])[-100:])
    pieces.extend((before, f" {text}" if name_before else text))


class _Texts:
    """The expansions of macros, each computed once."""

    def __init__(self, bodies: dict[str, str]) -> None:
        self._bodies = bodies
        self._done: dict[str, str | None] = {}

    def of(self, name: str, depth: int = 0) -> str | None:
        """The text of a macro; None where it is unknown, or its text has no end."""
        if name not in self._bodies or depth > _DEEPEST:
            return None
        if name not in self._done:
            self._done[name] = None  # during expansion, so that it cannot need itself
            self._done[name] = self._expanded(self._bodies[name], depth)
        return self._done[name]

    def _expanded(self, body: str, depth: int) -> str | None:
        pieces, at, size = [""], 0, 0
        for match in _USE.finditer(body):
            text = self.of(match["used"], depth + 1) if match["used"] else None
            if text is None:
                continue
            _add(pieces, body[at : match.start()], text)
            at = match.end()
            size += len(text)
            if size > _LONGEST:
                return None
        whole = "".join((*pieces, body[at:]))
        return whole if len(whole) <= _LONGEST else None
