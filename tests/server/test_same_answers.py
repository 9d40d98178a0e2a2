"""The command line and the server print one answer: both are asked the same of the same library."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.cli.main import main
from tests.server.conftest import ENCODER, Served

TEXT = """# Learning potentials of crystals

## Abstract

Graph neural networks learn interatomic potentials of many materials. Rounds of message passing between the atoms of a \
crystal predict its formation energies.

## Introduction

Energies of crystals are slow to compute. We read each crystal as a graph of atoms.

## References

[1] B. Rask. Crystal energies from graph networks. 2021.
"""
_VARY = ("seconds", "ready")
"""What tells of this one run: how long it took."""


def steady(value: Any) -> Any:  # noqa: ANN401
    """An answer without what differs from one run to the next."""
    if isinstance(value, dict):
        return {name: steady(one) for name, one in value.items() if name not in _VARY}
    return [steady(one) for one in value] if isinstance(value, list) else value


Printed = Callable[..., Any]


@pytest.fixture
def printed(served: Served, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Printed:
    def run(*words: str) -> Any:  # noqa: ANN401
        capsys.readouterr()
        library = [] if words[0] in ("encoders", "read") else ["--library", str(served.workspace.folder)]
        assert main([*words, *library, "--json"]) == 0, capsys.readouterr().err
        return steady(json.loads(capsys.readouterr().out))

    (tmp_path / "draft.md").write_text(TEXT, "utf-8")
    return run


def test_searches_are_answered_alike(served: Served, printed: Printed, tmp_path: Path) -> None:
    client, draft = served.client(), str(tmp_path / "draft.md")
    name = client.post("/uploads", files={"file": ("draft.md", TEXT.encode())}).json()["upload"]
    for words, asked in (
        ((), {}),
        (("-k", "2", "--ranking", "keywords"), {"k": 2, "ranking": "keywords"}),
        (("--kind", "patent", "--year-from", "1850"), {"kind": ["patent"], "year_from": 1850}),
        (("--like", "p-molecules", "--unlike", "US1"), {"like": ["p-molecules"], "unlike": ["US1"]}),
        (("--stress", "energies", "--mute", "graph"), {"stress": ["energies"], "mute": ["graph"]}),
        (("--line", "title:crystal*"), {"line": ["title:crystal*"]}),
        (("--cited", "yes"), {"cited": "yes"}),
        (("--not-cited",), {"not_cited": True}),
    ):
        body = {"document": {"upload": name}, "encoder": ENCODER, **asked}
        told = steady(client.post("/search", json=body).json())
        assert told == printed("search", draft, "--encoder", ENCODER, "--so-far", *words), words


def test_documents_and_what_is_kept_of_them_are_told_alike(served: Served, printed: Printed) -> None:
    client = served.client()
    client.post("/documents/change", json={"ids": ["p-crystals"], "tag": ["mine"], "screen": "include"})
    client.post("/collections/crystals/documents", json={"ids": ["p-crystals"]})
    for path, asked, words in (
        ("/library", {}, ("library",)),
        ("/encoders", {}, ("encoders",)),
        ("/documents", {}, ("documents",)),
        (
            "/documents",
            {"sort": "year", "limit": 2, "kind": "paper"},
            ("documents", "--sort", "year", "--limit", "2", "--kind", "paper"),
        ),
        ("/documents", {"ids": "p-images"}, ("documents", "p-images")),
        ("/tags", {}, ("documents", "--tags")),
        ("/reviews", {}, ("documents", "--reviews")),
        ("/reviews/next", {}, ("documents", "--next")),
        ("/reviews/flow", {}, ("documents", "--flow")),
        ("/collections", {}, ("collections", "list")),
        ("/collections/crystals", {}, ("collections", "show", "crystals")),
    ):
        assert steady(client.get(path, params=asked).json()) == printed(*words), path


def test_changes_are_told_alike(served: Served, printed: Printed) -> None:
    client = served.client()
    told = client.post(
        "/documents/change", json={"ids": ["p-crystals"], "tag": ["a"], "note": "b", "read": True}
    ).json()
    assert printed("documents", "p-crystals", "--untag", "a", "--note", "", "--unread") == {
        "documents": 1,
        "untagged": 1,
        "noted": 1,
        "unread": 1,
    }
    assert told == printed("documents", "p-crystals", "--tag", "a", "--note", "b", "--read")
    assert client.post("/collections/c/documents", json={"ids": ["p-images"]}).json() == {
        "added": 1,
        "name": "c",
        "documents": 1,
    }
    assert printed("collections", "delete", "c") == {"deleted": 1, "name": "c", "documents": 1}
    gone = client.delete("/documents", params={"ids": "p-images"}).json()
    assert gone == printed("remove", "p-molecules") | {"removed": ["p-images"], "total": gone["total"]}


def test_texts_are_compared_covered_and_weighed_alike(served: Served, printed: Printed, tmp_path: Path) -> None:
    client, draft = served.client(), str(tmp_path / "draft.md")
    name = client.post("/uploads", files={"file": ("draft.md", TEXT.encode())}).json()["upload"]
    given, held, third = {"upload": name}, {"id": "p-crystals"}, {"id": "p-molecules"}
    for documents, words in (
        ([given], (draft,)),
        ([given, held], (draft, "p-crystals")),
        ([given, held, third], (draft, "p-crystals", "p-molecules")),
    ):
        assert steady(client.post("/compare", json={"documents": documents}).json()) == printed("compare", *words), (
            words
        )
    versions = {"documents": [given, held], "versions": True}
    assert steady(client.post("/compare", json=versions).json()) == printed(
        "compare", draft, "p-crystals", "--versions"
    )
    covered = client.post("/coverage", json={"document": given, "rows": "paragraphs"}).json()
    assert steady(covered) == printed("coverage", draft, "--rows", "paragraphs")
    assert steady(client.post("/salient", json={"document": given}).json()) == printed("salient", draft)


def test_a_document_and_the_map_are_told_alike(served: Served, printed: Printed, tmp_path: Path) -> None:
    client, draft = served.client(), str(tmp_path / "draft.md")
    sent = client.post("/uploads", files={"file": ("draft.md", TEXT.encode())}).json()
    assert steady(sent["document"]) == printed("read", draft)
    facts = printed("map", "--encoder", ENCODER)
    assert steady(client.get("/map", params={"encoder": ENCODER}).json()) == facts
    placed = client.post("/map/placement", json={"document": {"upload": sent["upload"]}, "encoder": ENCODER}).json()
    assert steady(placed) == printed("map", "--encoder", ENCODER, "--query", draft)["query"]
