"""The Python client over a real socket: what it asks as, what it answers, and what it says where something is wrong."""

from __future__ import annotations

import inspect
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.core.errors import StorageError
from engine.core.progress import Progress, Report
from engine.server import client, create_app
from engine.server.address import ServingSettings
from engine.server.client import Priorscope, ServerProblem
from engine.server.uploads import Uploads
from tests.search.library import DOCUMENTS
from tests.server.conftest import ENCODER, Served

KETTLE = "# Kettles\n\n## Abstract\n\nA kettle whistles when its water boils.\n"
TEXT = "graphs of atoms in crystals"


@pytest.fixture
def asked(served: Served) -> Iterator[Priorscope]:
    with Priorscope(f"http://127.0.0.1:{served.port}") as asking:
        yield asking


def test_every_route_has_a_method_and_none_is_made_up(served: Served) -> None:
    operations = {
        (verb.upper(), re.sub(r"\{\w+\}", "{}", path.removeprefix("/v1"))): operation
        for path, verbs in create_app(served.workspace).openapi()["paths"].items()
        for verb, operation in verbs.items()
    }
    asked = set()
    said_in_source = re.findall(r'"(GET|POST|PUT|DELETE)(?: |", f?")(/[^"?]*)\??([^"]*)"', inspect.getsource(client))
    for verb, path, beside in said_in_source:
        asked.add(found := (verb, re.sub(r"\{\w+\}", "{}", path)))
        if verb in ("POST", "PUT") and found in operations:
            said = [one["name"] for one in operations[found].get("parameters", ()) if one["in"] == "query"]
            assert said == [name for name in beside.split("&") if name], f"What the address of {found} says"
    assert asked | {("POST", "/uploads"), ("POST", "/imports")} == {*operations}, "Each route is asked by one method"


def test_the_file_needs_only_httpx2_and_loads_no_heavy_room(tmp_path: Path) -> None:
    shutil.copy(client.__file__, tmp_path / "client.py")
    alone = "import sys; sys.modules['engine'] = None; import client; client.Priorscope('http://localhost:1').close()"
    subprocess.run([sys.executable, "-c", alone], cwd=tmp_path, check=True, env={"PYTHONPATH": str(tmp_path)})
    heavy = "{'torch', 'numpy', 'fastapi', 'pydantic', 'faiss', 'engine.workspace', 'engine.library', 'engine.search'}"
    loads = (
        "import sys, time; start = time.process_time(); from engine.server.client import Priorscope; "
        f"sys.exit(repr({heavy} & {{*sys.modules}} or time.process_time() - start))"
    )
    ended = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True, check=False)
    assert float(ended.stderr) < 0.3, "loading the client takes long, or it loads what it does not need"


def test_a_text_a_file_an_id_and_an_upload_ask(asked: Priorscope, tmp_path: Path) -> None:
    draft = tmp_path / "draft.md"
    draft.write_text(f"# {DOCUMENTS[0].title}\n\n## Abstract\n\n{DOCUMENTS[0].abstract}\n")
    by_text = asked.search(TEXT, k=2, encoder=ENCODER)
    assert [hit["rank"] for hit in by_text["hits"]] == [1, 2]
    by_file = asked.search(draft, encoder=ENCODER)
    assert by_file["query"]["title"] == DOCUMENTS[0].title and by_file["hits"]
    by_id = asked.search(id=DOCUMENTS[0].id, encoder=ENCODER)
    assert by_id["query"]["title"] == DOCUMENTS[0].title
    held = asked.upload(draft)
    assert held["document"]["title"] == asked.get_upload(held["upload"])["title"] == DOCUMENTS[0].title
    by_upload = asked.search({"upload": held["upload"]}, encoder=ENCODER)
    assert [hit["id"] for hit in by_upload["hits"]] == [hit["id"] for hit in by_file["hits"]]
    assert asked.forget_upload(held["upload"]) is None
    liked = asked.search(like=[DOCUMENTS[0].id], encoder=ENCODER)
    assert liked["hits"] and DOCUMENTS[0].id not in [hit["id"] for hit in liked["hits"]]


def test_a_text_that_names_a_file_is_a_text(asked: Priorscope, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("atoms").write_text(KETTLE)
    assert asked.search("atoms", encoder=ENCODER)["query"]["title"] != "Kettles"


def test_files_that_asked_are_not_kept_even_where_asking_fails(
    asked: Priorscope, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = tmp_path / "draft.md"
    draft.write_text(KETTLE)
    kept, keep = list[str](), Uploads.keep
    monkeypatch.setattr(Uploads, "keep", lambda *given: kept.append(keep(*given)) or kept[-1])
    with pytest.raises(ServerProblem, match="Expected an encoder's name"):
        asked.compare_documents(draft, draft, encoder="nobody")
    assert len(kept) == 2
    for name in kept:
        with pytest.raises(ServerProblem, match="Expected an upload of yours"):
            asked.get_upload(name)


def test_quotes_collections_reviews_and_notes(asked: Priorscope) -> None:
    id_ = DOCUMENTS[0].id
    assert asked.health() == {"status": "ok"}
    assert asked.get_document(id_)["id"] == id_
    source = asked.find_source(DOCUMENTS[0].abstract, k=1)
    assert [one["id"] for one in source["sources"]] == [id_]
    assert asked.list_documents(limit=2, kind=["paper", "patent"])["total"] == len(DOCUMENTS)
    assert asked.change_documents(ids=[id_], tag=["read first"])["tagged"] == 1
    assert "read first" in str(asked.list_tags())
    assert asked.check_line(line='title:"')["fault"]
    assert asked.add_to_collection("my boats & trains", ids=[id_])["added"] == 1
    assert asked.rename_collection("my boats & trains", name="trains")["renamed"] == 1
    assert [one["id"] for one in asked.get_collection("trains")["documents"]] == [id_]
    assert asked.remove_from_collection("trains", ids=[id_])["removed"] == 1
    assert asked.delete_collection("trains") and not asked.list_collections()["collections"]
    assert "pumps" in str(asked.begin_review(name="pumps"))
    assert "valves" in str(asked.rename_review("pumps", name="valves"))
    assert asked.next_to_screen(review="valves") and asked.get_flow(review="valves")
    assert "valves" not in str(asked.delete_review("valves")) and "valves" not in str(asked.list_reviews())


def test_what_is_no_json_comes_as_it_is(asked: Priorscope) -> None:
    first = DOCUMENTS[0]
    assert first.title in asked.export_documents("ris", ids=[first.id])
    assert [one["title"] for one in asked.export_documents("json", ids=[first.id])] == [first.title]
    assert asked.remove_documents(ids=[first.id])["removed"] == [first.id]


def test_what_the_address_says_beside_a_body_is_said_there(asked: Priorscope) -> None:
    with pytest.raises(ServerProblem, match="Expected an encoder's name, got 'nobody'"):
        asked.draw_map(encoder="nobody")
    assert asked.wait(asked.draw_map(encoder=ENCODER))["outcome"] == "The map is drawn."
    assert len(asked.get_places(encoder=ENCODER)) == asked.get_library()["documents"]
    with pytest.raises(ServerProblem, match="Expected the name of a group"):
        asked.rename_group(encoder=ENCODER, label="none", name="Crystals")


def test_files_come_in_and_their_job_is_followed_to_its_end(asked: Priorscope, tmp_path: Path) -> None:
    (tmp_path / "kettle.md").write_text(KETTLE)
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    job = asked.add_files(tmp_path / "kettle.md", str(tmp_path / "broken.pdf"), encoder=ENCODER)
    over = asked.wait(job)
    assert over["state"] == "done" and over["outcome"].startswith("Import finished: 1 new document, 1 file could not")
    assert asked.get_job(job["number"]) == over
    assert asked.get_document("Kettles")["abstract"] == "A kettle whistles when its water boils."


def test_a_job_tells_how_far_it_is_and_can_be_stopped(served: Served, asked: Priorscope) -> None:
    going = threading.Event()

    def work(report: Report) -> str:
        while not going.wait(0.01):
            report(Progress("count", 1, 2, 0.5))
        return "Counted."

    number = served.workspace.jobs.start("Counting", work).number
    told = asked.follow(number)
    assert next(told)["state"] in ("waiting", "running")
    assert number in [job["number"] for job in asked.list_jobs()]
    going.set()
    assert list(told)[-1]["outcome"] == "Counted."
    going.clear()
    stopped = served.workspace.jobs.start("Counting", work)
    asked.cancel_job(stopped.number)
    assert "was stopped" in asked.wait(stopped.number)["outcome"]


def test_a_job_that_failed_is_raised(served: Served, asked: Priorscope) -> None:
    def work(_report: Report) -> str:
        raise StorageError("Expected room; the disk is full. Make room.")

    number = served.workspace.jobs.start("Failing", work).number
    with pytest.raises(ServerProblem, match="the disk is full") as raised:
        asked.wait(number)
    assert (raised.value.title, raised.value.status) == ("Job failed", 0)


@pytest.mark.parametrize(
    ("ask", "status", "title", "said"),
    [
        (lambda one: one.get_document("nobody's"), 404, "Unknown document", "Expected"),
        (lambda one: one.search("boats", serach="x"), 422, "Wrong request", "serach: Unexpected"),
        (lambda one: one.list_documents(year_form=2015), 422, "Wrong request", "year_to after the .* got 'year_form'"),
        (
            lambda one: one.list_tags(k=5),
            422,
            "Wrong request",
            "Expected nothing after the .* got 'k'",
        ),
        (lambda one: one.get_job(999), 404, "Unknown job", "Expected a job's number, got 999"),
        (lambda one: one.wait(999), 404, "Unknown job", "Expected a job's number, got 999"),
        (lambda one: one.search(), 422, "Search", "Expected a document to ask with"),
    ],
)
def test_a_problem_has_its_fields(
    asked: Priorscope, ask: Callable[[Priorscope], object], status: int, title: str, said: str
) -> None:
    with pytest.raises(ServerProblem, match=said) as raised:
        ask(asked)
    assert (raised.value.status, raised.value.title) == (status, title)
    assert raised.value.type == f"urn:priorscope:{title.lower().replace(' ', '-')}"
    assert str(raised.value) == raised.value.detail


def test_a_fault_in_a_line_says_where(asked: Priorscope) -> None:
    with pytest.raises(ServerProblem) as raised:
        asked.list_documents(line=['pump "valve'])
    assert raised.value.at == 5


def test_a_token_lets_in(serving: Callable[..., Served]) -> None:
    served = serving(ServingSettings("192.0.2.7"))
    url = f"http://127.0.0.1:{served.port}/v1/"
    with Priorscope(url) as stranger, pytest.raises(ServerProblem, match="Expected a token: Authorization"):
        stranger.list_tags()
    with Priorscope(url, served.tokens.add("notebook", "read")) as reader:
        assert reader.list_tags() == {"tags": []}
        with pytest.raises(ServerProblem, match="Expected a token with the scope write"):
            reader.begin_review(name="pumps")


def test_what_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Priorscope(f"http://127.0.0.1:{port}", timeout_seconds=0.1) as slow:
            with pytest.raises(ServerProblem, match=r"got timed out\. Is it running\?"):
                slow.health()
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with Priorscope(f"http://127.0.0.1:{port}") as nobody:
        with pytest.raises(ServerProblem, match=f"Expected an answer of http://127.0.0.1:{port}/v1/, got ") as raised:
            nobody.health()
    assert raised.value.status == 0


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 4\r\n\r\noops", "got 502 Bad Gateway; something before it"),
        (b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 3\r\n\r\n[1]", "got 502 Bad Gateway; something before it"),
        (b"HTTP/1.1 301 Moved Permanently\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n", "got 301 Moved Permanently"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: progress\ndata: {}\n\n", "the server left"),
        (b"nonsense", "Expected an answer of"),
    ],
)
def test_what_is_no_answer_of_ours_is_a_problem_too(answer: bytes, said: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def speak() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65_536)
                connection.sendall(answer)

        speaking = threading.Thread(target=speak)
        speaking.start()
        with Priorscope(f"http://127.0.0.1:{listening.getsockname()[1]}") as asking:
            with pytest.raises(ServerProblem, match=said):
                asking.wait(1)
        speaking.join()


def test_a_method_tells_what_it_takes(asked: Priorscope) -> None:
    assert str(inspect.signature(asked.rename_review)) == "(review, **options: 'Option') -> 'ReviewsJson'"
    assert asked.rename_review.__doc__ == "Give a review another `name`.\n\nPUT /v1/reviews/{review}"
    assert (asked.rename_review.__name__, asked.cover.__name__) == ("rename_review", "cover")
    assert str(inspect.signature(asked.list_jobs)).endswith("-> 'list[JobJson]'")
    assert inspect.signature(asked.cover).return_annotation == "CoverageJson"
    with pytest.raises(TypeError, match="missing a required argument: 'review'"):
        asked.rename_review(name="valves")
