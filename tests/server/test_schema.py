"""What the schema allows, and much that it forbids, gets an answer that the schema describes, and never a defect."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from engine.server import create_app
from engine.workspace import Workspace, tasks
from tests.server.conftest import Served

_CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
_EXAMPLES = 8
"""Requests to each route, of those that keep to the schema and of those that break it."""
_OPENAPI = create_app(Workspace(Path("nowhere"))).openapi()
for _route in (one for methods in _OPENAPI["paths"].values() for one in methods.values()):
    _route.pop("security")  # made-up tokens would be refused before anything else is looked at
_SCHEMA = schemathesis.openapi.from_dict(_OPENAPI)
_ROUTES = [(method, path) for path, methods in _OPENAPI["paths"].items() for method in methods]


@pytest.mark.parametrize(("method", "path"), _ROUTES, ids=lambda part: part.replace("/v1/", ""))
def test_a_route_answers_as_the_schema_says(
    request: pytest.FixtureRequest, method: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "read_on", lambda *_, **__: [])  # nothing is encoded for what comes in
    served: Served = request.getfixturevalue("shared" if method == "get" else "served")  # what only asks may share one
    for mode in GenerationMode:

        @settings(max_examples=_EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
        @given(case=_SCHEMA[path][method.upper()].as_strategy(generation_mode=mode))
        def answered(case: schemathesis.Case) -> None:
            case.call_and_validate(f"http://127.0.0.1:{served.port}", checks=_CHECKS, timeout=60)

        nothing_to_break = mode is GenerationMode.NEGATIVE  # a route without parameters, or with a text that may be any
        with suppress(*([Unsatisfiable] if nothing_to_break else [])):
            answered()


# What is beyond what a database, a file or an answer can hold ------------------------------------

_HOSTILE: dict[str, list[Any]] = {
    "integer": [2**63, 10**30, -(10**30)],
    "number": [1e308, -1e308],
    "string": ["\ud800", "a\0b"],
}


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    return _OPENAPI["components"]["schemas"][name] if name else schema


def _plain(schema: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON
    """A value that the schema allows."""
    schema = _resolved(schema)
    if "enum" in schema or "anyOf" in schema:
        return schema["enum"][0] if "enum" in schema else _plain(schema["anyOf"][0])
    if schema["type"] == "array":
        return [_plain(one) for one in schema.get("prefixItems", [schema.get("items")])]
    if schema["type"] == "object":
        return _fields(schema) or {"text": "Relays of telegraph lines.\n\nA spring holds the armature of a relay."}
    return {"string": "relay", "integer": 1, "number": 1.0, "boolean": True}[schema["type"]]


def _fields(schema: dict[str, Any]) -> dict[str, Any]:
    """The fields without which a request is refused before any other is looked at."""
    needed = {*schema.get("required", ()), *({"document", "all", "tag"} & schema["properties"].keys())}
    return {name: _plain(schema["properties"][name]) for name in sorted(needed)}


def _spoilt(schema: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The value with one of its numbers or strings spoilt, for each of them, and where that stands."""
    schema = _resolved(schema)
    for one in schema.get("anyOf", ()):
        yield from _spoilt(one)
    kind = schema.get("type")
    yield from (("", value) for value in _HOSTILE.get(kind, ()))
    if kind == "array":
        parts = schema.get("prefixItems", [schema.get("items")])
        for place, part in enumerate(parts):
            for where, value in _spoilt(part):
                yield f"[]{where}", [value if one is part else _plain(one) for one in parts[: place + 1]]
    if kind == "object":
        yield "a key", {**_fields(schema), "\ud800": 1}
        for name, part in schema["properties"].items():
            for where, value in _spoilt(part):
                yield f"{name} {where}", {**_fields(schema), name: value}


def _requests(method: str, path: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Requests to a route with one value spoilt: where, the address, and what else is sent."""
    route = _OPENAPI["paths"][path][method]
    needed = [one for one in route.get("parameters", ()) if one["required"] or one["name"] == "id"]
    body = next(iter(route.get("requestBody", {}).get("content", {}).items()), None)
    plain = {one["name"]: _plain(one["schema"]) for one in needed}
    sent = {} if body is None else _content(body[0], _plain(body[1]["schema"]))
    for one in route.get("parameters", ()):
        for where, value in _spoilt(one["schema"]):
            yield f"{one['name']} {where}", _address(path, {**plain, one["name"]: value}), sent
    for where, value in () if body is None else _spoilt(body[1]["schema"]):
        yield where, _address(path, plain), _content(body[0], value)


def _address(path: str, values: dict[str, Any]) -> str:
    within = {name for name in values if f"{{{name}}}" in path}
    spelt = {
        name: [quote(str(one), "", errors="surrogatepass") for one in (value if isinstance(value, list) else [value])]
        for name, value in values.items()
    }
    asked = "&".join(f"{name}={one}" for name, every in spelt.items() if name not in within for one in every)
    return path.format(**{name: spelt[name][0] or "-" for name in within}) + (f"?{asked}" if asked else "")


def _content(kind: str, value: dict[str, Any]) -> dict[str, Any]:
    if kind == "application/json":
        return {"content": json.dumps(value), "headers": {"Content-Type": kind}}
    part = '--x\r\nContent-Disposition: form-data; name="{}"{}\r\n\r\n{}\r\n'
    names = {name: one if isinstance(one, list) else [one] for name, one in value.items()}
    parts = [
        part.format(name, f'; filename="{one}.txt"' if "file" in name else "", one)
        for name, every in names.items()
        for one in every
    ]
    content = ("".join(parts) + "--x--\r\n").encode("utf-8", "surrogatepass")
    return {"content": content, "headers": {"Content-Type": f"{kind}; boundary=x"}}


@pytest.mark.timeout(60)
def test_no_number_is_too_large_and_no_string_too_odd_for_an_answer(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "read_on", lambda *_, **__: [])
    client, asked, wrong = served.client(Connection="close"), 0, list[str]()  # a defect ends its connection
    for method, path in _ROUTES:
        for where, address, sent in _requests(method, path):
            answer = client.request(method, f"http://127.0.0.1:{served.port}{address}", **sent)
            asked += 1
            if answer.status_code >= 500:
                wrong.append(f"{method} {address}: {where}: {answer.status_code} {answer.text}")
    assert not wrong, "\n".join(wrong)
    assert asked > 300
