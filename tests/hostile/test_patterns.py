"""No pattern of the rooms that read text takes time that grows faster than the text it reads.

What shows it is a long run: of one of its character classes, of what one of its repetitions repeats, or of the start
of a match that never comes to its end. `pumped` makes such texts from the parsed pattern, so that a new pattern is
tried without a word in a test.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import re._constants as codes  # type: ignore[import-untyped]
import re._parser as parser  # type: ignore[import-untyped]
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from types import FrameType, ModuleType
from typing import Any

import pytest

from engine.core.patterns import LatePattern

ROOMS = (
    "engine.reading",
    "engine.documents.text",
    "engine.documents.identifiers",
    "engine.documents.patents",
    "engine.search.evidence",
    "engine.search",
    "engine.compare",
    "engine.library",
    "engine.search.citations",
)

METHODS = ("match", "fullmatch", "search", "sub", "split", "findall", "finditer")
_OF_TEXTS = frozenset({"split"})  # texts have these, too
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
_MANY = 64  # repetitions that make a run
_POOL = "aA1 \n.,;:-_()[]{}<>/\\\"'$%&*#@=+!?|~^é–’•中"
_ENDS = ("\x01", "\x01.\n\x01")  # what no match ends with; a class of all but some characters goes on over the first
_LENGTHS = (40, 160, 640, 2_560, 10_240, 40_960, 102_400)
_ENOUGH = 10_240  # a pattern that is linear up to here is linear; a square would be the larger part by now
_QUICK_SECONDS = {2_560: 0.0007, 10_240: 0.006}  # a square takes longer
_LINEAR = 6  # the growth to four times the length that nobody doubts
_FLOOR_SECONDS = 0.02  # a shorter time is too small to compare
_MOST_SECONDS = 1.0  # the slowest of ours takes a tenth of it
_GROWTH = 8  # to four times the length: 4 if linear, 5 if n log n, 16 if quadratic


@dataclass(frozen=True)
class Use:
    """A pattern, how it is applied, and where it stands."""

    pattern: re.Pattern[Any]
    method: str
    place: str

    def run(self, text: str) -> None:
        """Apply the pattern to a text as the room does."""
        given: Any = text.encode("utf-8") if isinstance(self.pattern.pattern, bytes) else text
        if self.method == "sub":
            self.pattern.sub(given[:0], given)
        elif self.method == "finditer":
            for _ in self.pattern.finditer(given):
                pass
        else:
            getattr(self.pattern, self.method)(given)


class TooSlowError(Exception):
    """A pattern took longer than anybody would wait."""


def uses(rooms: Iterable[str] = ROOMS) -> list[Use]:
    """Every pattern of some rooms with each way in which it is applied; `search` where that cannot be told."""
    found: dict[tuple[Any, int, str], Use] = {}
    modules = [module for room in rooms for module in _modules(room)]
    applied = [_applied(module) for module in modules]
    everywhere = {name: methods for own in applied for name, methods in own.items() if not name.startswith("_")}
    for module, own in zip(modules, applied, strict=True):
        of_tables = {method for name, methods in own.items() if name.islower() for method in methods - _OF_TEXTS}
        for name, pattern, alone in _held(module):
            methods = own.get(name) or everywhere.get(name) if alone else of_tables
            for method in methods or {"search"}:
                use = Use(pattern, method, f"{module.__name__}.{name}")
                found.setdefault((pattern.pattern, pattern.flags, method), use)
        for line, method, pattern in _inline(module):
            use = Use(pattern, method, f"{module.__name__}:{line}")
            found.setdefault((pattern.pattern, pattern.flags, method), use)
    return list(found.values())


def _applied(module: ModuleType) -> dict[str, set[str]]:
    """The methods that a module calls on each name, of its own constants, of others', and of the variables of loops."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.Attribute) and node.attr in METHODS:
            named = node.value
            name = named.attr if isinstance(named, ast.Attribute) else getattr(named, "id", "")
            if name != "re":
                found.setdefault(name, set()).add(node.attr)
    return found


def slow_on(use: Use) -> tuple[str, str] | None:
    """What stands before and what is repeated in a text on which a use is slow; None without one."""
    ends = _ENDS if re.search(r"\[\^|(?<!\\)\.", str(use.pattern.pattern)) else _ENDS[:1]
    return next((unit for unit in pumped(use.pattern) for end in ends if grows(use, *unit, end)), None)


def grows(use: Use, before: str, repeated: str, end: str = _ENDS[0]) -> bool:
    """Whether the time grows faster than the text, up to 10^5 characters.

    Times are of this thread's processor, so that a busy machine changes little, and the best of three where they
    decide.
    """
    last = 0.0
    for length in _LENGTHS:
        text = before + repeated * (length // len(repeated) + 1) + end
        seconds = _seconds(use, text)
        if seconds >= _MOST_SECONDS:
            return True
        if seconds > _FLOOR_SECONDS and seconds > _GROWTH * last:
            again = before + repeated * (length // 4 // len(repeated) + 1) + end
            last = max(last, min(_seconds(use, again) for _ in range(3)))
            if ((seconds < 1 and min(seconds, _seconds(use, text), _seconds(use, text))) or seconds) > _GROWTH * last:
                return True
        if seconds < _QUICK_SECONDS.get(length, 0) or (length == _ENOUGH and seconds < _LINEAR * last):
            return False
        last = seconds
    return False


def pumped(pattern: re.Pattern[Any]) -> Iterator[tuple[str, str]]:
    """Texts that may be slow, each as what stands before and what is repeated."""
    source = pattern.pattern.decode("latin-1") if isinstance(pattern.pattern, bytes) else pattern.pattern
    tree = parser.parse(source, pattern.flags & ~re.DEBUG)
    seen = set()
    for before, repeated in _of(tree, ""):
        for unit in ((before, repeated), ("", before + repeated), ("", f"{before}{repeated} "), ("", repeated)):
            if unit[1] and unit not in seen:
                seen.add(unit)
                yield unit


def _of(items: Iterable[Any], before: str) -> Iterator[tuple[str, str]]:
    """What stands before each repetition and class of a parsed pattern, and what it takes; of a word, only its end."""
    for (code, value), (following, _) in pairwise([*items, (None, None)]):
        if code in _REPEATS:
            most, body = value[1:]
            if most >= _MANY:
                for one in _each(body):
                    yield before, one
            yield from _of(body, before)
        elif code in (codes.SUBPATTERN, codes.ATOMIC_GROUP):
            yield from _of(value[3] if code is codes.SUBPATTERN else value, before)
        elif code is codes.BRANCH:
            for alternative in value[1]:
                yield from _of(alternative, before)
        elif code in (codes.ASSERT, codes.ASSERT_NOT) and value[0] > 0:
            yield from _of(value[1], before)
        before += _sample([(code, value)])
        if not code is following is codes.LITERAL:
            yield before, ""


def _each(body: Iterable[Any]) -> Iterator[str]:
    """Some texts that a repetition's body takes: several characters of a class, each alternative of a choice."""
    items = list(body)
    if len(items) == 1:
        code, value = items[0]
        if code is codes.IN or code in (codes.ANY, codes.NOT_LITERAL):
            yield from _kinds(_characters(code, value))
            return
        if code is codes.SUBPATTERN and len(value[3]) == 1:
            yield from _each(value[3])
            return
        if code is codes.BRANCH:
            for alternative in value[1]:
                yield from _each(alternative)
    yield _sample(items)


def _kinds(characters: list[str]) -> list[str]:
    """One of each kind of the characters: letter, digit, space, line end, mark."""
    kinds = {(one.isalpha(), one.isdigit(), one.isspace(), one == "\n"): one for one in reversed(characters)}
    return list(kinds.values())


def _sample(items: Iterable[Any]) -> str:
    """A text that a parsed pattern takes, or nearly so."""
    taken = ""
    for code, value in items:
        if code is codes.LITERAL:
            taken += chr(value)
        elif code in (codes.IN, codes.ANY, codes.NOT_LITERAL):
            taken += (
                min(_characters(code, value) or [""], key=lambda one: one != " ")
                if code is codes.ANY
                else (_characters(code, value) or [""])[0]
            )
        elif code in _REPEATS:
            taken += _sample(value[2]) * max(1, min(value[0], 8))
        elif code is codes.SUBPATTERN:
            taken += _sample(value[3])
        elif code is codes.ATOMIC_GROUP:
            taken += _sample(value)
        elif code is codes.BRANCH:
            taken += _sample(value[1][0])
    return taken


def _characters(code: object, value: Any) -> list[str]:  # noqa: ANN401  as the parser of patterns gives it
    """Characters of a class, of different kinds."""
    if code is codes.ANY:
        return [one for one in _POOL if one != "\n"]
    if code is codes.NOT_LITERAL:
        return [one for one in _POOL if ord(one) != value]
    inside = re.compile(_written(value), re.DOTALL)
    literals = [chr(one) for kind, one in value if kind is codes.LITERAL and value[0][0] is not codes.NEGATE]
    return [one for one in [*literals[:6], *_POOL] if inside.fullmatch(one)] or [
        chr(one[0]) for kind, one in value if kind is codes.RANGE
    ]


_CATEGORIES = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}


def _written(items: Iterable[Any]) -> str:
    """A parsed class as it is written."""
    written = ""
    for code, value in items:
        if code is codes.NEGATE:
            written += "^"
        elif code is codes.LITERAL:
            written += re.escape(chr(value))
        elif code is codes.RANGE:
            written += f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
        else:
            written += _CATEGORIES[value]
    return f"[{written}]"


def _modules(room: str) -> Iterator[ModuleType]:
    module = importlib.import_module(room)
    yield module
    for one in pkgutil.walk_packages(getattr(module, "__path__", []), f"{room}."):
        yield importlib.import_module(one.name)


def _tree(module: ModuleType) -> ast.Module:
    assert module.__file__
    with open(module.__file__, encoding="utf-8") as file:  # noqa: PTH123
        return ast.parse(file.read())


def _held(module: ModuleType) -> Iterator[tuple[str, re.Pattern[Any], bool]]:
    """The patterns that a module's names hold, and whether alone or in a table."""
    for name, value in vars(module).items():
        waiting = [value]
        while waiting:
            one = waiting.pop()
            if isinstance(one, re.Pattern | LatePattern):
                yield name, one.compiled if isinstance(one, LatePattern) else one, one is value
            elif isinstance(one, dict):
                waiting += [*one.keys(), *one.values()]
            elif isinstance(one, tuple | list | set | frozenset):
                waiting += one


def _inline(module: ModuleType) -> Iterator[tuple[int, str, re.Pattern[Any]]]:
    """The patterns written where they are applied, `re.sub("...", ...)`, with their line and method."""
    inside = (one for one in ast.walk(_tree(module)) if isinstance(one, ast.FunctionDef))
    for node in (node for function in inside for node in ast.walk(function)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        if getattr(node.func.value, "id", "") != "re" or node.func.attr not in (*METHODS, "compile"):
            continue
        flags = next((one.value for one in node.keywords if one.arg == "flags"), None)
        if flags is None and node.func.attr in ("match", "fullmatch", "search", "findall", "finditer", "compile"):
            place = 1 if node.func.attr == "compile" else 2
            flags = node.args[place] if len(node.args) > place else None
        method = "search" if node.func.attr == "compile" else node.func.attr
        with suppress(NameError):  # it is put together from what only a function knows
            pattern = _value(module, node.args[0])
            yield node.lineno, method, re.compile(pattern, _value(module, flags) if flags is not None else 0)


def _value(module: ModuleType, node: ast.expr) -> Any:  # noqa: ANN401
    return eval(ast.unparse(node), vars(module))


def _seconds(use: Use, text: str) -> float:
    """The processor's seconds that a use takes; it is broken off after `_MOST_SECONDS`."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TooSlowError

    began = time.thread_time()
    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, _MOST_SECONDS)
    try:
        use.run(text)
    except TooSlowError:
        return _MOST_SECONDS
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return time.thread_time() - began


@pytest.mark.parametrize("room", ROOMS)
def test_no_pattern_is_slow_on_long_runs(room: str) -> None:
    slow = {f"{use.place} ({use.method})": unit for use in uses((room,)) if (unit := slow_on(use))}
    assert not slow, f"what stands before, and what is repeated, in texts that take quadratic time: {slow}"


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"\s*[,;]\s*", "split"),  # each space of a run begins a search of the rest
        (r"[\d*]+$", "sub"),
        (r"<!--.*?-->", "search"),  # each opening looks for an end that never comes
        (r"(?:.*\bwhat is claimed\b[^.]*?)", "fullmatch"),
        (r"(\w+)*x", "match"),  # exponential
        (r"claims?\s*[:.]?\s*1", "match"),
        (r"[a-c]{1,4}(?:(?: [a-c]{1,3})?[, ]+[a-c]{1,4}){0,50}", "fullmatch"),
    ],
)
def test_a_slow_pattern_is_found(pattern: str, method: str) -> None:
    assert slow_on(Use(re.compile(pattern), method, "a test")) is not None


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"(?:(?<!\s)\s++)?[,;]\s*+", "split"),
        (r"(?<![\d*])[\d*]++$", "sub"),
        (r"<!--[^<>]*-->", "search"),
        (r"\s*[,;]", "match"),
        (r"[A-Z][\w.]*(?: [A-Z][\w.]*){1,5}", "match"),
    ],
)
def test_a_quick_pattern_is_left_alone(pattern: str, method: str) -> None:
    assert slow_on(Use(re.compile(pattern), method, "a test")) is None


def test_patterns_are_found_wherever_they_stand() -> None:
    places = {use.place.rpartition(".")[2] for use in uses(("engine.documents.text", "engine.reading.docx"))}
    assert "_SENTENCE_END" in places  # a constant
    assert "_BY_NAME" in places  # in a table
    assert any(":" in place for place in places)  # written where it is applied
