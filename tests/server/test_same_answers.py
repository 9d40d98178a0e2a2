"""The command line and the server print one answer: both are asked the same of the same library."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.cli.main import main
from engine.exports import RECORD_FORMATS
from tests.browser.tiny_pdf import tiny_pdf
from tests.server.conftest import ENCODER, Served
from tests.server.test_jobs import ended

TEXT = """# Learning potentials of crystals

## Abstract

Graph neural networks learn interatomic potentials of many materials. Rounds of message passing between the atoms of a \
crystal predict its formation energies.

## Introduction

Energies of crystals are slow to compute. We read each crystal as a graph of atoms.

## References

[1] B. Rask. Crystal energies from graph networks. 2021.
"""
FILTERS: list[tuple[dict[str, object], tuple[str, ...]]] = [
    ({"year_from": 2019, "year_to": 2021}, ("--year-from", "2019", "--year-to", "2021")),
    ({"category": "cs.LG"}, ("--category", "cs.LG")),
    ({"venue": "none"}, ("--venue", "none")),
    ({"collection": "crystals"}, ("--collection", "crystals")),
    ({"from_file": "texts"}, ("--from-file", "texts")),
    ({"line": ["crystal*", "tag:mine"]}, ("--line", "crystal*", "--line", "tag:mine")),
    ({"descending": True, "sort": "title", "first": 2}, ("--descending", "--sort", "title", "--first", "2")),
]
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
        *(("/documents", asked, ("documents", *words)) for asked, words in FILTERS),
        ("/reviews/next", {"kind": "patent"}, ("documents", "--next", "--kind", "patent")),
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
    for place in ("crystals", "atoms"):
        client.post(f"/collections/{place}/documents", json={"ids": ["p-images", "p-crystals"]})
    left = client.delete("/collections/crystals/documents", params={"ids": "p-images"}).json()
    assert left | {"name": "atoms"} == printed("collections", "remove", "atoms", "p-images")
    named = client.put("/collections/crystals", json={"name": "c"}).json()
    assert named | {"name": "d"} == printed("collections", "rename", "atoms", "d")
    renamed = client.put("/tags/a", json={"name": "b/c"}).json()
    assert renamed == printed("documents", "--rename-tag", "b/c", "d") == {"renamed": 1}
    gone = client.delete("/documents", params={"ids": "p-images"}).json()
    assert gone == printed("remove", "p-molecules") | {"removed": ["p-images"], "total": gone["total"]}


def test_reviews_begin_and_end_alike(served: Served, printed: Printed, capsys: pytest.CaptureFixture[str]) -> None:
    client, folder = served.client(), str(served.workspace.folder)
    first = client.post("/reviews", json={"name": "pumps"}).json()
    assert first == {"reviews": [{"name": "pumps", "decided": 0}], "name": "pumps"}
    second = printed("documents", "--new-review", "valves")
    assert second == {"reviews": [*first["reviews"], {"name": "valves", "decided": 0}], "name": "valves"}
    hits = client.post("/search", json={"like": ["p-crystals"], "encoder": ENCODER}).json()["hits"]
    assert main(["search", "--like", "p-crystals", "--encoder", ENCODER, "--review", "near", "--library", folder]) == 0
    assert "priorscope documents --review near --next" in capsys.readouterr().err
    goes_on = client.post("/reviews", json={"name": "other", "ids": [hit["id"] for hit in hits]}).json()
    assert goes_on["name"] == "near", "The same documents in the same order are the same review"
    asked = {"review": "near"}
    assert client.get("/reviews/next", params=asked).json()["document"]["id"] == hits[0]["id"]
    assert steady(client.get("/reviews/flow", params=asked).json()) == printed(
        "documents", "--flow", "--review", "near"
    )
    some = client.post("/reviews", json={"name": "near", "ids": ["p-images"]}).json()
    assert some["name"] == "near 2" and client.post("/reviews", json={"name": "x", "ids": ["no"]}).status_code == 404
    assert client.put("/reviews/pumps", json={"name": "p"}).json() == printed("documents", "--reviews")
    assert printed("documents", "--delete-review", "p", "--yes") == client.get("/reviews").json()


def test_references_and_pages_go_out_alike(
    served: Served, printed: Printed, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    client, folder = served.client(), str(served.workspace.folder)
    for format_ in RECORD_FORMATS:
        asked = ["documents", "--kind", "patent", "--format", format_, "--library", folder]
        assert main(asked) == 0
        exported = client.get(f"/export/{format_}", params={"kind": "patent"})
        assert exported.text == capsys.readouterr().out and len(exported.text) > 100
    (tmp_path / "paper.pdf").write_bytes(tiny_pdf())
    files = {"files": ("paper.pdf", tiny_pdf())}
    ended(client, client.post("/imports", files=files, data={"encoder": ENCODER}).json()["number"])
    (paper,) = client.get("/documents", params={"from_file": "paper.pdf"}).json()["documents"]
    picture = tmp_path / "page.png"
    told = printed("page", paper["id"], "--page", "1", "--out", str(picture))
    asked_page = {"id": paper["id"], "page": 1}
    assert client.get("/page", params=asked_page).json() == told | {"out": None} and told["pages"] == 1
    assert client.get("/page.png", params=asked_page).content == picture.read_bytes()


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
    weighed = {"document": given, "encoder": "keyvec", "first": 1}
    told = steady(client.post("/salient", json=weighed).json())
    assert told == printed("salient", draft, "--encoder", "keyvec", "--first", "1") and len(told["sentences"]) == 1
    for encoder, status in (("colde", 422), (str(tmp_path), 404)):
        assert client.post("/salient", json=weighed | {"encoder": encoder}).status_code == status


def test_a_document_and_the_map_are_told_alike(served: Served, printed: Printed, tmp_path: Path) -> None:
    client, draft = served.client(), str(tmp_path / "draft.md")
    sent = client.post("/uploads", files={"file": ("draft.md", TEXT.encode())}).json()
    assert steady(sent["document"]) == printed("read", draft)
    facts = printed("map", "--encoder", ENCODER)
    assert steady(client.get("/map", params={"encoder": ENCODER}).json()) == facts
    facts = printed("map", "--encoder", ENCODER, "--clusters")
    assert steady(client.get("/map", params={"encoder": ENCODER, "clusters": True}).json()) == facts
    assert "cluster_list" in facts
    placed = client.post("/map/placement", json={"document": {"upload": sent["upload"]}, "encoder": ENCODER}).json()
    assert steady(placed) == printed("map", "--encoder", ENCODER, "--query", draft)["query"]
