"""What `/v1` promises: it only grows, and a token that may only read changes nothing by any of its routes.

`python -m tests.server.test_promises` rewrites v1.json; from then on it holds what was added, too.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.core.files import write_bytes
from engine.server import create_app
from engine.server.address import ServingSettings
from engine.workspace import Workspace
from tests.server.conftest import Served

V1 = Path(__file__).with_name("v1.json")
ONLY_ASK = {
    *(f"POST /v1/{name}" for name in ("search", "passages", "compare", "coverage", "salient", "citations", "uploads")),
    *("POST /v1/map/placement", "DELETE /v1/uploads/{name}"),
}
"""Routes that leave the library as it is though they take a body, or forget what the caller sent to ask with."""
SCHEMA: dict[str, Any] = create_app(Workspace(Path("nowhere"))).openapi()
SCHEMAS = SCHEMA["components"]["schemas"]
ROUTES = {f"{verb.upper()} {path}": one for path, verbs in SCHEMA["paths"].items() for verb, one in verbs.items()}
Promises = dict[str, dict[str, dict[str, str]]]
"""What callers may say and what they are told: by a route or the type of a value, by the name within it, its type."""


def kind(told: dict[str, Any]) -> str:
    """A type in words: `array of (integer or string)`, "'paper' or 'patent'", or the name of one of our own."""
    if "$ref" in told:
        return str(told["$ref"].rpartition("/")[2])
    if several := told.get("anyOf") or told.get("oneOf"):
        return " or ".join(sorted(map(kind, several)))
    if values := told.get("enum") or ("const" in told and [told["const"]]):
        return " or ".join(sorted(map(repr, values)))
    inner = told.get("items") or told.get("additionalProperties")
    return f"{told.get('type', 'any')}{f' of ({kind(inner)})' if isinstance(inner, dict) else ''}"


def named_in(told: object) -> Iterator[str]:
    """The types of our own that a part of the schema names, and those that they name."""
    for name in set(re.findall(r"#/components/schemas/([\w-]+)", json.dumps(told))):
        yield name
        yield from named_in(SCHEMAS[name])


def fields(name: str) -> dict[str, str]:
    """The fields of a type of our own; one that need not be there may be `absent`."""
    told, required = SCHEMAS[name], SCHEMAS[name].get("required", ())
    return {field: kind(one) + ("" if field in required else " or absent") for field, one in told["properties"].items()}


def contents(told: dict[str, Any], place: str) -> dict[str, str]:
    return {f"{place} {media}": kind(one.get("schema", {})) for media, one in told.get("content", {}).items()}


def promises() -> Promises:
    """What the schema of today promises."""
    asked, told = dict[str, dict[str, str]](), dict[str, dict[str, str]]()
    for route, one in ROUTES.items():
        parameters = one.get("parameters", [])
        asked[route] = contents(one.get("requestBody", {}), "body") | {
            f"{part['in']} {part['name']}": kind(part["schema"]) + ("" if part["required"] else " or absent")
            for part in parameters
        }
        told[route] = {}
        for status, answer in one["responses"].items():
            told[route] |= contents(answer, status) or {status: ""}
        asked |= {name: fields(name) for name in named_in([one.get("requestBody"), parameters])}
        told |= {name: fields(name) for name in named_in(one["responses"])}
    return {"asked": asked, "told": told}


def broken(before: Promises, now: Promises) -> list[str]:
    """What of the promises is kept no more: of what is asked a type may widen, of what is told it stays as it is."""
    found = []
    for side, owners in before.items():
        for owner, names in owners.items():
            held = now[side].get(owner)
            if held is None:
                found.append(f"{owner} is gone")
                continue
            for name, type_ in names.items():
                is_held = name in held and (
                    words(type_) <= words(held[name])
                    if side == "asked"
                    else held[name] in (type_, type_.removesuffix(" or absent"))
                )
                if not is_held:
                    found.append(f"{owner}: {name} was {type_}, now it is {held.get(name, 'gone')}")
            if side == "asked":
                new = {name for name in held if "absent" not in words(held[name])} - {*names}
                found += [f"{owner}: {name} must be said now" for name in sorted(new)]
    return found


def words(type_: str) -> set[str]:
    return set(re.split(r"[()]| or ", type_)) - {""}


def test_v1_only_grows() -> None:
    assert broken(json.loads(V1.read_text("utf-8")), promises()) == [], "This would break callers of /v1"


@pytest.mark.parametrize(
    ("side", "owner", "name", "type_", "said"),
    [
        ("asked", "SearchBody", "k", None, "SearchBody: k was integer or null or absent, now it is gone"),
        ("asked", "SearchBody", "k", "string or absent", "now it is string or absent"),
        ("asked", "QuoteBody", "k", "integer", "QuoteBody: k was integer or absent, now it is integer"),
        ("asked", "QuoteBody", "lines", "string", "QuoteBody: lines must be said now"),
        ("asked", "DELETE /v1/documents", "query why", "string", "query why must be said now"),
        ("asked", "SearchBody", "cited", "'no' or null or absent", "now it is 'no' or null"),
        ("told", "SearchJson", "hits", None, "SearchJson: hits was array of (HitJson), now it is gone"),
        ("told", "JobJson", "number", "integer or null", "JobJson: number was integer, now it is integer or null"),
        ("told", "JobJson", "number", "integer or absent", "now it is integer or absent"),
        ("told", "GET /v1/tags", "200 application/json", "LineJson", "now it is LineJson"),
        ("asked", "QuoteBody", "k", "integer or null or string or absent", ""),
        ("asked", "QuoteBody", "lines", "string or absent", ""),
        ("asked", "IdsBody", "ids", "array of (string) or absent", ""),
        ("asked", "SearchBody", "kind", "array of ('dataset' or 'paper' or 'patent') or absent", ""),
        ("told", "JobJson", "machine", "string", ""),
        ("told", "ReviewsJson", "name", "string", ""),
        ("told", "GET /v1/new", "200 application/json", "LineJson", ""),
    ],
)
def test_what_would_break_a_caller_is_found(side: str, owner: str, name: str, type_: str | None, said: str) -> None:
    before = promises()
    now = copy.deepcopy(before)
    if type_ is None:
        del now[side][owner][name]
    else:
        now[side].setdefault(owner, {})[name] = type_
    found = broken(before, now)
    assert len(found) == bool(said) and all(said in one for one in found)


def test_a_route_that_is_gone_is_found() -> None:
    now = promises()
    del now["asked"]["GET /v1/tags"], now["told"]["GET /v1/tags"]
    assert broken(promises(), now) == ["GET /v1/tags is gone"] * 2


def test_a_read_token_is_refused_by_every_route_that_does_not_only_ask(serving: Callable[..., Served]) -> None:
    served = serving(ServingSettings("192.0.2.7"))
    reader = served.client(served.tokens.add("notebook", "read"))
    before, answers = served.workspace.library.stamp(), dict[str, int]()
    for route in ROUTES:
        verb, path = route.split()
        if verb != "GET":
            answers[route] = reader.request(verb, re.sub(r"\{\w+\}", "1", path.removeprefix("/v1"))).status_code
    assert ONLY_ASK < answers.keys()
    assert {route for route, status in answers.items() if status != 403} == ONLY_ASK
    assert served.workspace.library.stamp() == before and not served.workspace.jobs.in_line()


if __name__ == "__main__":
    write_bytes(V1, f"{json.dumps(promises(), indent=1, sort_keys=True)}\n".encode())
