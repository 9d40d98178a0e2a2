"""Answers within a limit of tokens: what fits now, and a cursor for the rest.

A token is counted for every three bytes of UTF-8, rounded up: English has about four to a token, tables and numbers
about three, so an answer is seldom longer than it says. Its text and its structured content each keep to the limit.
"""

from __future__ import annotations

import base64
import json
import secrets
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from engine.core.errors import InputError
from engine.core.files import keyed_digest
from engine.documents.text import clean, one_line
from engine.workspace import Cache

BYTES_A_TOKEN = 3
USUAL_TOKENS, FEWEST_TOKENS, MOST_TOKENS = 1_500, 300, 25_000
_KEPT_ANSWERS = 64
_NAME_BYTES, _MARK_BYTES = 9, 6
_NEXT = "n" * 24
"""As long as any cursor."""

Line = Annotated[str, AfterValidator(one_line)]
"""A string from a document that is one line, without control characters: a title cannot pass for another field."""
QuotedText = Annotated[str, AfterValidator(lambda text: clean(text).strip())]
"""A stretch of a document, without control characters."""


def untitled(schema: dict[str, Any]) -> None:
    """Take what names a model from its schema: an agent reads the tool's description."""
    for name in ("title", "description"):
        schema.pop(name, None)


class ShortForm(BaseModel):
    """A part of an answer; what is empty or unknown is left out."""

    model_config = ConfigDict(frozen=True, json_schema_extra=untitled)


class AnswerForm(ShortForm):
    """An answer of a tool: facts, and lists that may go on in further pages."""

    lists: ClassVar[tuple[str, ...]] = ()
    """The fields that are lists, in the order in which pages fill them; an empty answer shows the first."""

    note: Line = Field(default="", description="What to know about this answer")
    next: str = Field(default="", description="The cursor for more; empty at the end")


@dataclass(frozen=True, slots=True)
class AnswerPage:
    """A page of an answer, as text and as JSON."""

    text: str
    content: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Kept:
    """An answer whose further pages can be asked for: its facts, and the entries of its lists, each with its field."""

    facts: dict[str, Any]
    entries: Sequence[tuple[str, Any]]
    first: str
    state: object


class Pages:
    """Cuts answers into pages, and keeps the last ones, so that a cursor costs no second search.

    A cursor names an answer and a place in it, with a mark that only this process can make.
    """

    def __init__(self) -> None:
        """Keep nothing yet."""
        self._secret = secrets.token_bytes(32)
        self._kept: Cache[bytes, _Kept] = Cache(_KEPT_ANSWERS)

    def first(self, answer: AnswerForm, state: object, max_tokens: int) -> AnswerPage:
        """Return the first page of an answer, which was made in a state of the library."""
        facts = answer.model_dump(mode="json", exclude_defaults=True)
        entries = [(name, one) for name in answer.lists for one in facts.pop(name, ())]
        kept = _Kept(facts, entries, next(iter(answer.lists), ""), state)
        name = self._digest(_json([facts, entries]).encode())[:_NAME_BYTES]
        self._kept.get(name, lambda: kept, mark=state)
        return self._page(name, kept, 0, max_tokens)

    def after(self, cursor: str, state: object, max_tokens: int) -> AnswerPage:
        """Return the page that a cursor names. Raises InputError for a cursor that is not ours, or not valid now."""
        name, start = self._read(cursor)
        if (kept := self._kept.held(name)) is None or kept.state != state:
            raise InputError(
                "Expected the cursor of an answer that still holds; the library has changed since, or other answers "
                "have taken its place. Ask again without a cursor."
            )
        return self._page(name, kept, start, max_tokens)

    def _page(self, name: bytes, kept: _Kept, start: int, max_tokens: int) -> AnswerPage:
        room = BYTES_A_TOKEN * max_tokens
        content: dict[str, Any] = dict(_shortened(kept.facts, room // 2)) if not start else {}
        most = room - _size({**content, **{field: [] for field, _ in kept.entries}, "next": _NEXT})
        stop, left = start, most
        while stop < len(kept.entries) and (left := left - _size_of(kept.entries[stop])) >= 0:
            stop += 1
        shown = list(kept.entries[start:stop])
        if stop == start < len(kept.entries):  # not even one fits
            field, entry = kept.entries[stop]
            shown, stop = [(field, _shortened(entry, most))], stop + 1
        if kept.first and not kept.entries:
            content.setdefault(kept.first, [])
        for field, entry in shown:
            content.setdefault(field, []).append(entry)
        if stop < len(kept.entries):
            content["next"] = self._cursor(name, stop)
        return AnswerPage("\n".join(_lines(content)), content)

    def _cursor(self, name: bytes, start: int) -> str:
        place = name + struct.pack(">I", start)[1:]
        return base64.urlsafe_b64encode(place + self._digest(place)[:_MARK_BYTES]).decode()

    def _read(self, cursor: str) -> tuple[bytes, int]:
        try:
            data = base64.b64decode(cursor, altchars=b"-_", validate=True)
        except ValueError:
            data = b""
        place, mark = data[:-_MARK_BYTES], data[-_MARK_BYTES:]
        if len(place) != _NAME_BYTES + 3 or not secrets.compare_digest(mark, self._digest(place)[:_MARK_BYTES]):
            raise InputError(
                "Expected a cursor as `next` of an earlier answer of this session gave it; got another one. "
                "Ask again without a cursor."
            )
        return place[:_NAME_BYTES], int.from_bytes(place[_NAME_BYTES:], "big")

    def _digest(self, data: bytes) -> bytes:
        return bytes.fromhex(keyed_digest(self._secret, data))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _size(content: Mapping[str, Any]) -> int:
    """Return the bytes of a page, as text or as JSON, whichever is longer."""
    return max(len(_json(content).encode()), len("\n".join(_lines(content)).encode()))


def _size_of(entry: tuple[str, Any]) -> int:
    """Return the bytes that an entry adds to a page that has its list already, at most."""
    return _size({entry[0]: [entry[1]]}) + 2


def _shortened(value: Any, most: int) -> Any:  # noqa: ANN401  JSON
    """Return an entry of at most a number of bytes: its longest texts are cut, and end in an ellipsis."""
    characters, short = most, value
    while _size_of(("", short)) > most and characters > 1:
        characters //= 2
        short = _cut(value, characters)
    return short


def _cut(value: Any, characters: int) -> Any:  # noqa: ANN401  JSON
    if isinstance(value, dict):
        return {name: _cut(one, characters) for name, one in value.items()}
    if isinstance(value, list):
        return [_cut(one, characters) for one in value]
    return f"{value[:characters]} …" if isinstance(value, str) and len(value) > characters + 2 else value


def _lines(content: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """Yield the lines of a page for reading: a field a line, an entry a dash, and a bar before each line of a text."""
    for name, value in content.items():
        if isinstance(value, Mapping):
            yield f"{indent}{name}:"
            yield from _lines(value, f"{indent}  ")
        elif isinstance(value, list) and any(isinstance(one, Mapping) for one in value):
            yield f"{indent}{name}:"
            for one in value:
                lines = [*_lines(one, f"{indent}  ")]
                yield from (f"{indent}- {lines[0].lstrip()}", *lines[1:])
        elif isinstance(value, list):
            yield f"{indent}{name}: {'; '.join(map(str, value)) or 'none'}"
        elif isinstance(value, str) and (name in _QUOTED or "\n" in value):
            yield f"{indent}{name}:"
            yield from (f"{indent}| {line}" for line in value.splitlines() if line.strip())
        else:
            yield f"{indent}{name}: {str(value).lower() if isinstance(value, bool) else value}"


_QUOTED = frozenset({"text"})
