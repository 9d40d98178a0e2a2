"""What the schema allows, and much that it forbids, gets an answer that the schema describes, and never a defect."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

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
