"""What the routes answer over a real socket, and how they say that they cannot."""

from __future__ import annotations

from pathlib import Path

import httpx2
import pytest

from engine.cli.main import main
from engine.library import Library
from tests.server.conftest import ENCODER, Served

DRAFT = """# Crystals

## Abstract

Graph networks read crystals.

## References

[1] B. Rask. Crystal energies from graph networks. 2021.
"""


@pytest.fixture
def client(served: Served) -> httpx2.Client:
    return served.client()


def test_a_list_comes_in_pages_with_filters(client: httpx2.Client) -> None:
    found = client.get("/documents", params={"kind": "patent", "limit": 1, "sort": "title"}).json()
    assert found["total"] > 1 and [row["kind"] for row in found["documents"]] == ["patent"]
    lined = client.get("/documents", params={"line": "title:crystal*"}).json()
    assert {row["id"] for row in lined["documents"]} == {"p-crystals", "p-crystals-preprint"}
    wrong = client.get("/documents", params={"line": "title:(crystal"})
    assert wrong.status_code == 422 and wrong.json()["type"] == "urn:priorscope:line" and wrong.json()["at"] == 6
    assert client.get("/line", params={"line": "title:(crystal"}).json()["at"] == 6
    assert client.get("/line", params={"line": "title:crystal*"}).json() == {"documents": 2, "fault": "", "at": None}


def test_notes_reviews_and_collections_are_kept(client: httpx2.Client) -> None:
    change = {"ids": ["p-crystals"], "tag": ["mine"], "note": "Read again.", "screen": "include"}
    done = client.post("/documents/change", json=change).json()
    assert done == {"documents": 1, "tagged": 1, "noted": 1, "included": 1}
    (row,) = client.get("/documents", params={"ids": "p-crystals"}).json()["documents"]
    assert (row["note"], row["tags"], row["decision"]) == ("Read again.", ["mine"], "included")
    assert client.get("/tags").json() == {"tags": [{"name": "mine", "documents": 1}]}
    assert client.get("/reviews/flow").json()["records_included"] == 1
    assert client.get("/reviews/next").json()["document"]["id"] != "p-crystals"
    assert client.post("/reviews", json={"name": "Second"}).status_code == 201
    assert client.delete("/reviews/Second").status_code == 200
    added = client.post("/collections/crystals/documents", json={"ids": ["p-crystals", "p-crystals-preprint"]}).json()
    assert added == {"added": 2, "name": "crystals", "documents": 2}
    assert client.put("/collections/crystals", json={"name": "C"}).json()["name"] == "C"
    left = client.delete("/collections/C/documents", params={"ids": "p-crystals-preprint"}).json()
    assert left == {"removed": 1, "name": "C", "documents": 1}
    assert [one["id"] for one in client.get("/collections/C").json()["documents"]] == ["p-crystals"]
    assert client.post("/collections/a%2Fb/documents", json={"ids": ["p-images"]}).json()["name"] == "a/b"
    assert client.delete("/collections/a%2Fb").json()["deleted"] == 1
    assert client.delete("/collections/C").json() == {"deleted": 1, "name": "C", "documents": 1}
    assert client.get("/collections/C").status_code == 409


def test_an_answer_is_sent_again_only_after_a_change(client: httpx2.Client) -> None:
    first = client.get("/documents")
    held = {"If-None-Match": first.headers["ETag"]}
    again = client.get("/documents", headers=held)
    assert again.status_code == 304 and not again.content and again.headers["ETag"] == first.headers["ETag"]
    assert client.get("/documents", params={"limit": 1}, headers=held).status_code == 200
    client.post("/documents/change", json={"ids": ["p-crystals"], "tag": ["new"]})
    changed = client.get("/documents", headers=held)
    assert changed.status_code == 200 and changed.headers["ETag"] != first.headers["ETag"]


def test_tags_are_compared_weakly_and_a_foreign_one_is_none(client: httpx2.Client) -> None:
    tag = client.get("/documents").headers["ETag"]
    strong = tag.removeprefix("W/")
    assert tag.startswith('W/"')
    for held in (strong, f'"other", {tag}', f'W/"other",{strong}'):
        assert client.get("/documents", headers={"If-None-Match": held}).status_code == 304
    for held in ('"other"', strong.strip('"'), "W/", ""):
        assert client.get("/documents", headers={"If-None-Match": held}).status_code == 200
    assert client.get("/documents/nobody", headers={"If-None-Match": "*"}).status_code == 404


def test_what_a_framework_refuses_has_a_stable_type_and_its_reason(client: httpx2.Client) -> None:
    many = client.post("/imports", files=[("files", (f"{number}.txt", b"x")) for number in range(1_001)])
    assert many.status_code == 400 and many.json()["type"] == "urn:priorscope:bad-request"
    assert many.json()["detail"].startswith("Expected a request that can be read; its body or its path is malformed: ")
    assert many.json()["detail"].endswith("Too many files. Maximum number of files is 1000.")
    assert client.put("/search").json()["type"] == "urn:priorscope:method-not-allowed"
    assert client.get("/nowhere").json()["type"] == "urn:priorscope:not-found"


def test_the_schema_says_how_a_token_is_sent(client: httpx2.Client) -> None:
    schema = client.get("/openapi.json").json()
    (scheme,) = schema["components"]["securitySchemes"].values()
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
    assert schema["paths"]["/v1/search"]["post"]["security"] == [{"token": []}]


def test_a_quote_is_led_back_to_its_document(client: httpx2.Client) -> None:
    quote = "Message passing between atoms of the crystal predicts formation energies"
    (source, *_) = client.post("/passages", json={"quote": quote}).json()["sources"]
    assert source["id"] == "p-crystals" and source["verbatim"] and source["passages"][0]["text"] == quote


def test_a_draft_is_held_against_documents_and_its_references_are_found(client: httpx2.Client) -> None:
    cited = client.post("/citations", json={"document": {"text": DRAFT}}).json()["references"]
    assert [sorted(one["held"]) for one in cited] == [["p-crystals", "p-crystals-preprint"]]
    two = {"documents": [{"id": "p-crystals"}, {"text": DRAFT}]}
    assert client.post("/compare", json=two).json()["document"]["reading"]["word"]
    many = client.post("/compare", json={"documents": [{"id": "p-crystals"}] * 4})
    assert many.status_code == 422


def test_the_map_is_drawn_by_a_job_and_then_shown(client: httpx2.Client, served: Served) -> None:
    none = client.get("/map", params={"encoder": ENCODER})
    assert none.status_code == 409 and "POST /v1/map draws it" in none.json()["detail"]
    job = client.post("/map", params={"encoder": ENCODER}).json()
    running = served.workspace.jobs.in_line()
    assert all(one.finished.wait(120) for one in running)
    assert client.get(f"/jobs/{job['number']}").json()["outcome"] == "The map is drawn."
    facts = client.get("/map", params={"encoder": ENCODER, "clusters": True}).json()
    placed = client.get("/map/places", params={"encoder": ENCODER}).json()
    assert facts["points"] == len(placed) == len(served.workspace.library)
    only = client.get("/map/places", params={"encoder": ENCODER, "ids": "p-crystals"}).json()
    assert only == [one for one in placed if one["id"] == "p-crystals"]
    put = client.post("/map/placement", json={"document": {"id": "p-images"}, "encoder": ENCODER}).json()
    assert put["neighbours"] and 0 <= put["kept"] <= 1


def test_rankings_are_measured_in_a_job_whose_number_leads_to_the_figures(
    client: httpx2.Client, served: Served
) -> None:
    job = client.post("/evaluations", json={"encoders": ["keywords", ENCODER], "questions": "small"}).json()
    assert all(one.finished.wait(120) for one in served.workspace.jobs.in_line())
    figures = client.get(f"/evaluations/{job['number']}").json()
    assert set(figures["encoders"]) == {"keywords", ENCODER} and min(figures["encoders"]["keywords"].values()) > 0
    assert client.get("/evaluations/99").status_code == 404
    for row in ("nobody", "a=/etc", "default(tfidf)"):
        refused = client.post("/evaluations", json={"encoders": [row]})
        assert refused.status_code == 404 and "Expected rankings among" in refused.json()["detail"]


def test_a_library_that_is_restored_under_the_server_is_shown_and_written_to(
    client: httpx2.Client, served: Served, tmp_path: Path
) -> None:
    folder, asked = served.workspace.folder, {"document": {"text": DRAFT}, "encoder": ENCODER}
    assert main(["backup", str(tmp_path / "backups"), "--library", str(folder)]) == 0
    before, found = client.get("/documents").json(), client.post("/search", json=asked).json()["hits"]
    client.post("/documents/change", json={"ids": ["p-crystals"], "tag": ["later"]})
    assert client.delete("/documents", params={"ids": found[0]["id"]}).status_code == 200
    after = client.get("/documents")
    assert after.json()["total"] == before["total"] - 1
    assert found[0]["id"] not in [hit["id"] for hit in client.post("/search", json=asked).json()["hits"]]
    assert main(["restore", str(tmp_path / "backups"), "--replace", "--library", str(folder)]) == 0
    restored = client.get("/documents", headers={"If-None-Match": after.headers["ETag"]})
    assert restored.status_code == 200 and restored.json() == before
    assert client.post("/search", json=asked).json()["hits"] == found
    assert client.get("/tags").json() == {"tags": []}
    client.post("/documents/change", json={"ids": ["p-crystals"], "tag": ["kept"]})
    job = client.post("/imports", files={"files": ("kettle.md", DRAFT.encode())}, data={"encoder": ENCODER}).json()
    assert client.get(f"/jobs/{job['number']}/events").text.count("event: end") == 1
    with Library.open(folder, read_only=True) as library:
        assert library.annotations.tags() == {"kept": 1} and len(library) == before["total"] + 1


def test_documents_leave_and_references_go_out(client: httpx2.Client, served: Served) -> None:
    held = client.get("/library").json()["documents"]
    references = client.get("/export/bibtex", params={"kind": "patent"})
    assert references.headers["content-type"] == "application/x-bibtex" and references.text.startswith("@patent{")
    assert client.get("/export/docx").status_code == 422
    gone = client.delete("/documents", params={"ids": ["p-images", "p-crystals"]}).json()
    assert sorted(gone["removed"]) == ["p-crystals", "p-images"] and gone["total"] == held - 2
    assert client.delete("/documents", params={"ids": "p-images"}).status_code == 404
    assert client.delete("/documents").status_code == 422
    assert client.get("/library").json()["documents"] == held - 2
    assert "default" in client.get("/encoders").json()


@pytest.mark.parametrize(
    ("path", "body", "status", "kind", "says"),
    [
        ("/search", {}, 422, "search", "Expected a document to ask with"),
        ("/search", {"document": {"text": ""}}, 422, "empty-input", "Expected"),
        ("/search", {"document": {"id": "nobody knows this"}}, 404, "unknown-document", "nobody knows this"),
        ("/search", {"document": {"upload": "none"}}, 404, "unknown-document", "Expected an upload of yours"),
        ("/search", {"document": {"text": "a", "id": "b"}}, 422, "wrong-request", "document: "),
        ("/search", {"document": {"text": "a"}, "k": 0}, 422, "search", "Expected"),
        ("/search", {"document": {"text": "a"}, "kay": 3}, 422, "wrong-request", "kay"),
        ("/search", {"document": {"text": "a"}, "encoder": "/etc"}, 404, "unknown-encoder", "GET /v1/encoders"),
        ("/search", {"document": {"text": "a"}, "collection": ["none"]}, 409, "library", "none"),
        ("/evaluations", {"encoders": []}, 422, "input", "Expected at least one ranking to measure, got none."),
        ("/compare", {"documents": []}, 422, "input", "one, two or three documents to compare, got none. Name them."),
        ("/passages", {"quote": "..."}, 422, "input", "Expected a quote of 1 to 5,000 characters"),
        ("/coverage", {"document": {"text": "kettle"}, "rows": "lines"}, 422, "wrong-request", "rows"),
    ],
)
def test_what_is_wrong_is_said_in_the_engines_words(
    client: httpx2.Client, path: str, body: dict[str, object], status: int, kind: str, says: str
) -> None:
    answer = client.post(path, json=body)
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert (answer.status_code, problem["status"], problem["type"]) == (status, status, f"urn:priorscope:{kind}")
    assert says in problem["detail"], problem


def test_a_body_that_is_no_json_and_a_path_that_is_not_there_are_told(client: httpx2.Client) -> None:
    broken = client.post("/search", content=b"{", headers={"Content-Type": "application/json"})
    assert broken.status_code == 422 and broken.json()["title"] == "Wrong request"
    assert client.get("/nowhere").json()["detail"] == "Nothing is here. The page /v1/docs lists every route."
    assert client.get("/search").status_code == 405


def test_a_defect_is_told_without_its_insides(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError("a secret path /home/ada")

    monkeypatch.setattr(type(served.workspace.library.annotations), "tags", fails)
    answer = served.client().get("/tags")
    assert answer.status_code == 500 and answer.json()["title"] == "Defect" and "secret" not in answer.text


def test_the_page_of_routes_needs_no_network(client: httpx2.Client) -> None:
    page = client.get("/docs")
    assert "default-src 'self'" in page.headers["Content-Security-Policy"]
    assert "//" not in page.text.replace("http://www.w3.org", "").split("<script>")[0].replace("<!-- ", "")
    for name in ("swagger-ui-bundle.js", "swagger-ui.css"):
        assert f"/v1/docs/files/{name}" in page.text and client.get(f"/docs/files/{name}").status_code == 200
    routes = client.get("/openapi.json").json()
    assert routes["openapi"].startswith("3.1") and "/v1/search" in routes["paths"]
