"""Requests: fields in plain values, each described, which the command line and a server read alike."""

from __future__ import annotations

import argparse
import dataclasses
from typing import Any, get_args, get_type_hints

import pytest
from pydantic import TypeAdapter
from typing_extensions import Doc

from engine.cli import options
from engine.evaluation import EvaluateRequest
from engine.workspace import (
    ChangeRequest,
    CollectionRequest,
    CompareRequest,
    CoverageRequest,
    DocumentsRequest,
    ImportRequest,
    MapRequest,
    PageRequest,
    SalientRequest,
    SearchRequest,
)

REQUESTS = (
    *(ChangeRequest, CollectionRequest, CompareRequest, CoverageRequest, DocumentsRequest, EvaluateRequest),
    *(ImportRequest, MapRequest, PageRequest, SalientRequest, SearchRequest),
)


@pytest.mark.parametrize("request_", REQUESTS)
def test_each_field_is_described_and_of_plain_values(request_: type[Any]) -> None:
    for name, hint in get_type_hints(request_, include_extras=True).items():
        _, *told = get_args(hint)
        assert len(told) == 1 and isinstance(told[0], Doc) and told[0].documentation, name
    schema = TypeAdapter(request_).json_schema()
    assert set(schema["properties"]) == {field.name for field in dataclasses.fields(request_)}
    required = {field.name for field in dataclasses.fields(request_) if field.default is dataclasses.MISSING}
    assert set(schema.get("required", ())) == required and "$ref" not in str(schema)


def parsed(request: type[Any], *words: str) -> Any:  # noqa: ANN401  the request itself
    parser = argparse.ArgumentParser()
    options.add_request(parser, request)
    return options.request_of(parser.parse_args(words), request)


def test_the_options_of_a_command_are_the_fields_of_its_request() -> None:
    words = "--kind patent --year-from 1990 --like a --like b --stress kite -k 3 --ranking keywords --so-far".split()
    given = {"kind": ("patent",), "year_from": 1990, "like": ("a", "b"), "stress": ("kite",), "k": 3}
    assert parsed(SearchRequest, *words) == SearchRequest(**given, ranking="keywords", so_far=True)
    read = TypeAdapter(SearchRequest).validate_python({"kind": ["patent"], "year_from": 1990, "like": ["a", "b"]})
    assert read == SearchRequest(kind=("patent",), year_from=1990, like=("a", "b"))


@pytest.mark.parametrize("request_", [SearchRequest, DocumentsRequest, CompareRequest, CoverageRequest, PageRequest])
def test_a_command_without_options_makes_the_usual_request(request_: type[Any]) -> None:
    assert parsed(request_) == request_()


def test_a_commands_help_says_what_a_field_says(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parsed(CoverageRequest, "--help")
    said = " ".join(capsys.readouterr().out.split())
    assert "--rows {contributions,sections,claims,paragraphs,passages} rows: which parts of it (default:" in said
