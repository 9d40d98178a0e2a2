"""Who may ask the server, over a real socket: hosts, pages, tokens, scopes, sizes, times, and paths."""

from __future__ import annotations

import json
import logging
import select
import socket
import stat
import time
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from engine.core.errors import ConfigError, StorageError
from engine.server import AccessTokens, check_tokens
from engine.server import access as access_module
from engine.server import serving as serving_module
from engine.server.address import ServingSettings, is_loopback
from engine.server.tokens import TOKENS
from tests.server.conftest import ENCODER, Served

ASKED = {"document": {"text": "graphs of atoms in crystals"}, "encoder": ENCODER}
ELSEWHERE = "192.0.2.7"
"""An address that others reach (RFC 5737), so that a token is needed."""


@pytest.fixture
def open_to_others(serving: Callable[..., Served]) -> Served:
    return serving(ServingSettings(ELSEWHERE))


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8600", "127.0.0.1.evil.example", "", "[::", "a b"])
def test_a_name_that_is_not_this_machines_is_refused(served: Served, host: str) -> None:
    answer = served.raw(f"GET /v1/jobs HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    assert answer.split(b"\r\n")[0] in (b"HTTP/1.1 421 Misdirected Request", b"HTTP/1.1 400 Bad Request")
    assert b'"jobs"' not in answer


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST:1", "[::1]"])
def test_this_machines_own_names_are_answered(served: Served, host: str) -> None:
    assert served.client(Host=host).get("/jobs").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://["},
        {"Origin": "http://127.0.0.1]"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
    ],
)
def test_a_page_of_another_site_is_refused(served: Served, headers: dict[str, str]) -> None:
    answer = served.client(**headers).post("/search", json=ASKED)
    assert answer.status_code == 403 and answer.json()["type"] == "urn:priorscope:foreign-page"


@pytest.mark.parametrize("value", ["http://[", "[", '\xff;,="%', "W/", "bytes=9-1,-", "Mon, 99 Xyz", "=?", "1" * 5000])
def test_no_malformed_header_is_a_defect(served: Served, value: str) -> None:
    names = "Accept Authorization Cookie Content-Type If-Modified-Since If-None-Match Origin Range Referer".split()
    names += ["Last-Event-ID", "Mcp-Protocol-Version", "Mcp-Session-Id", "Sec-Fetch-Mode", "Sec-Fetch-Site"]
    for name in names:
        for asked in ("GET /v1/library", "GET /v1/docs/files/swagger-ui.css", "POST /v1/search", "POST /mcp"):
            head = f"{asked} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n"
            answer = served.raw(f"{head}{name}: {value}\r\n\r\n{{}}".encode("latin-1"))
            assert answer.startswith((b"HTTP/1.1 2", b"HTTP/1.1 3", b"HTTP/1.1 4")), (name, asked, answer[:200])


def test_the_servers_own_page_may_ask_and_a_link_may_lead_here(served: Served) -> None:
    own = {"Origin": f"http://127.0.0.1:{served.port}", "Sec-Fetch-Site": "same-origin"}
    assert served.client(**own).post("/search", json=ASKED).status_code == 200
    clicked = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert served.client(**clicked).get("/docs").status_code == 200


def test_no_other_page_is_ever_told_that_it_may_read(served: Served) -> None:
    preflight = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    for answer in (
        served.client(**preflight).options("/search"),
        served.client().get("/health"),
        served.client().options("/search"),
    ):
        assert not [name for name in answer.headers if name.lower().startswith("access-control")]


def test_every_answer_says_not_to_guess_its_type(served: Served) -> None:
    answers = served.client().get("/health"), served.client().get("/nowhere"), served.client(Host="evil").get("/health")
    assert {answer.headers["X-Content-Type-Options"] for answer in answers} == {"nosniff"}


# Tokens -----------------------------------------------------------------------------------------


def test_another_address_asks_for_a_token_for_all_but_health(open_to_others: Served) -> None:
    client = open_to_others.client()
    assert client.get("/health").status_code == 200
    for path in ("/jobs", "/docs", "/openapi.json", "/docs/files/swagger-ui.css", "/nowhere"):
        answer = client.get(path)
        assert answer.status_code == 401 and answer.headers["WWW-Authenticate"] == "Bearer", path
        assert answer.json()["detail"].startswith("Expected a token: Authorization: Bearer TOKEN.")
    assert open_to_others.client("made-up").get("/jobs").status_code == 401
    assert client.get("/jobs", headers={"Authorization": "Basic YTpi"}).status_code == 401


def test_behind_a_proxy_of_this_machine_every_caller_shows_a_token(serving: Callable[..., Served]) -> None:
    served = serving(ServingSettings(names=("library.example.org",), asks_all=True))
    assert served.client(Host="library.example.org").get("/jobs").status_code == 401
    reader = served.tokens.add("reader", "read")
    assert served.client(reader, Host="library.example.org").get("/jobs").status_code == 200


def test_a_read_token_asks_and_changes_nothing(open_to_others: Served) -> None:
    reader = open_to_others.client(open_to_others.tokens.add("notebook", "read"))
    assert reader.post("/search", json=ASKED).status_code == 200
    refused = reader.post("/imports", files={"files": ("a.txt", b"A text on kettles.")})
    assert refused.status_code == 403 and refused.json()["title"] == "Read only"
    assert reader.delete("/jobs/1").status_code == 403
    assert not open_to_others.workspace.jobs.in_line()


def test_a_write_token_imports(open_to_others: Served) -> None:
    writer = open_to_others.client(open_to_others.tokens.add("pipeline", "write"))
    sent = writer.post(
        "/imports", files={"files": ("a.txt", b"Kettles\n\nA text on kettles.")}, data={"encoder": ENCODER}
    )
    assert sent.status_code == 202 and sent.headers["Location"] == f"/v1/jobs/{sent.json()['number']}"


def test_a_token_that_is_removed_lets_nobody_in_from_then_on(open_to_others: Served) -> None:
    client = open_to_others.client(open_to_others.tokens.add("intern", "read"))
    assert client.get("/jobs").status_code == 200
    AccessTokens(open_to_others.workspace.folder).remove("intern")
    assert client.get("/jobs").status_code == 401


def test_a_wrong_token_is_told_on_the_loopback_too(served: Served) -> None:
    assert served.client("made-up").get("/jobs").status_code == 401
    reader = served.client(served.tokens.add("reader", "read"))
    assert reader.post("/imports", files={"files": ("a.txt", b"x")}).status_code == 403


def test_a_token_is_kept_as_a_digest_that_only_its_owner_reads_and_the_log_has_its_name(
    open_to_others: Served, caplog: pytest.LogCaptureFixture
) -> None:
    secret = open_to_others.tokens.add("notebook", "read")
    path = open_to_others.workspace.folder / TOKENS
    kept = path.read_text("utf-8")
    assert secret not in kept and json.loads(kept)[0]["name"] == "notebook"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with caplog.at_level(logging.INFO, "priorscope.server"):
        client = open_to_others.client(secret)
        for _ in range(2):  # a request's line is written once it was answered: before the next of its connection
            client.get("/line?line=secret-draft")
    assert "notebook GET /v1/line 200" in caplog.text
    ours = [one.getMessage() for one in caplog.records if one.name.startswith("priorscope")]
    assert secret not in caplog.text and not [one for one in ours if "secret-draft" in one]


@pytest.mark.parametrize("name", ["", "a b", "x" * 41, "../x", "a\nb"])
def test_a_tokens_name_is_one_word(served: Served, name: str) -> None:
    with pytest.raises(ConfigError, match="Expected a name of up to 40 letters"):
        served.tokens.add(name, "read")


def test_names_of_tokens_are_told_apart_and_damage_is_told(served: Served) -> None:
    served.tokens.add("one", "read")
    with pytest.raises(ConfigError, match="Expected a new name, got one"):
        served.tokens.add("one", "write")
    with pytest.raises(ConfigError, match=r"Expected the name of a token, got 'two'; there is one\."):
        served.tokens.remove("two")
    (served.workspace.folder / TOKENS).write_text("{")
    for ask in (served.tokens.all, lambda: served.tokens.add("three", "read"), lambda: served.tokens.remove("one")):
        with pytest.raises(StorageError, match=r"tokens\.json.*Bring it back from a backup, or remove it"):
            ask()
    (served.workspace.folder / TOKENS).write_text("[1]")
    with pytest.raises(ConfigError, match=r"tokens\.json: Token must be a table, got 1\."):
        served.tokens.all()
    (served.workspace.folder / TOKENS).write_text("{}")
    with pytest.raises(
        ConfigError, match=r"Expected a list of tokens in tokens\.json. Remove it, and add tokens again"
    ):
        served.tokens.all()
    assert served.client("anything").get("/jobs").status_code == 503


def test_no_library_is_opened_to_others_without_a_token(served: Served) -> None:
    folder = served.workspace.folder
    with pytest.raises(ConfigError, match=r"Expected a token before the library is served at 192\.0\.2\.7"):
        check_tokens(folder, ServingSettings(ELSEWHERE))
    check_tokens(folder, ServingSettings())
    with pytest.raises(ConfigError, match=r"is served at 127\.0\.0\.1; it has none"):
        check_tokens(folder, ServingSettings(asks_all=True))
    served.tokens.add("one", "read")
    check_tokens(folder, ServingSettings(ELSEWHERE))


@pytest.mark.parametrize(
    ("address", "own"),
    [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("::", False)],
)
def test_which_addresses_others_reach(address: str, own: bool) -> None:
    assert is_loopback(address) is own


def test_a_person_signs_in_once_with_a_token(open_to_others: Served) -> None:
    secret = open_to_others.tokens.add("ada", "write")
    client = open_to_others.client()
    form = client.get("/sign-in")
    assert (
        form.status_code == 200
        and "name=token type=password" in form.text
        and "frame-ancestors 'none'" in str(form.headers)
    )
    wrong = client.post("/sign-in", data={"token": "<b>guess"})
    assert wrong.status_code == 401 and "unknown or was removed" in wrong.text and "set-cookie" not in wrong.headers
    signed = client.post("/sign-in", data={"token": secret})
    assert signed.status_code == 303 and signed.headers["location"] == "/"
    assert "HttpOnly" in signed.headers["set-cookie"] and "SameSite=strict" in signed.headers["set-cookie"]
    assert client.get("/jobs").status_code == 200
    reader = open_to_others.client().post("/sign-in", data={"token": open_to_others.tokens.add("eve", "read")})
    assert reader.headers["location"] == "/v1/docs"  # the page itself needs a token that writes
    assert open_to_others.client().get("/../").status_code in (303, 401)


@pytest.mark.parametrize("path", ["/", "/v1x", "/v10/jobs", "/mcp-page", "/_stcore/stream"])
def test_a_token_that_may_only_read_opens_no_path_of_the_page(open_to_others: Served, path: str) -> None:
    secret = open_to_others.tokens.add("eve", "read")
    head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    assert open_to_others.raw(f"{head}Authorization: Bearer {secret}\r\n\r\n".encode()).startswith(b"HTTP/1.1 403")
    assert open_to_others.raw(f"{head}\r\n".encode()).startswith(b"HTTP/1.1 303")


# Sizes, times and paths ---------------------------------------------------------------------------


def test_a_request_that_is_too_large_is_refused_before_and_while_it_comes(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access_module, "_MOST_BYTES", 1 << 20)
    told = served.client().post("/search", content=b" " * ((1 << 20) + 1), headers={"Content-Type": "application/json"})
    assert told.status_code == 413 and told.json()["detail"] == "Expected at most 1 MiB in this request; it holds more."

    def parts() -> Iterator[bytes]:
        for _ in range(40):
            yield b" " * (1 << 15)

    chunked = served.client().post("/search", content=parts(), headers={"Content-Type": "application/json"})
    assert chunked.status_code == 413


@pytest.mark.parametrize(("path", "body"), [("/v1/search", b"{"), ("/v1/sign-in", b""), ("/v1/sign-in", b"token=")])
def test_a_request_that_comes_too_slowly_is_ended(
    served: Served, path: str, body: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_SECONDS_TO_ARRIVE", "_SECONDS_TO_SIGN_IN"):
        monkeypatch.setattr(access_module, name, 0.2)
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n"
    answer = served.raw(head.encode() + b"Connection: close\r\n\r\n" + body)
    assert answer.startswith(b"HTTP/1.1 408") and b"Expected the request within" in answer


@pytest.mark.parametrize(
    "path",
    [
        "/v1/docs/files/../../../../../../etc/passwd",
        "/v1/docs/files/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/v1/docs/files/..%2f..%2f..%2fetc%2fpasswd",
        "/v1/docs/files//etc/passwd",
        "/v1/documents/../../../etc/passwd",
        "/v1/documents/%2e%2e%2ftokens.json",
        "/v1/uploads/..%2ftokens.json",
        "/v1/documents/%00",
    ],
)
def test_no_path_leads_out(served: Served, path: str) -> None:
    served.tokens.add("reader", "read")
    answer = served.raw(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    assert answer.startswith((b"HTTP/1.1 404", b"HTTP/1.1 405")), answer[:200]
    assert b"root:" not in answer and b"sha256" not in answer


def test_an_upload_is_read_back_only_with_the_token_that_sent_it(open_to_others: Served) -> None:
    tokens = open_to_others.tokens
    ada, eve = (open_to_others.client(tokens.add(name, "read")) for name in ("ada", "eve"))
    sent = ada.post("/uploads", files={"file": ("draft.md", b"# Kettles\n\n## Abstract\n\nWe boil water.\n")})
    assert sent.status_code == 201 and sent.json()["document"]["title"] == "Kettles"
    name = sent.json()["upload"]
    assert ada.get(f"/uploads/{name}").json() == sent.json()["document"]
    assert eve.get(f"/uploads/{name}").status_code == eve.delete(f"/uploads/{name}").status_code == 404
    asked = {"document": {"upload": name}, "encoder": ENCODER}
    assert eve.post("/search", json=asked).status_code == 404
    assert ada.post("/search", json=asked).json()["query"]["title"] == "Kettles"
    tokens.remove("ada")
    other_ada = open_to_others.client(tokens.add("ada", "read"))  # the name is given again, to another person
    assert other_ada.get(f"/uploads/{name}").status_code == other_ada.post("/search", json=asked).status_code == 404


def test_an_upload_is_forgotten_by_whoever_sent_it(open_to_others: Served) -> None:
    ada = open_to_others.client(open_to_others.tokens.add("ada", "read"))
    name = ada.post("/uploads", files={"file": ("draft.md", b"# Kettles\n\nWe boil water.\n")}).json()["upload"]
    assert ada.delete(f"/uploads/{name}").status_code == 204 and ada.get(f"/uploads/{name}").status_code == 404


def test_idle_connections_keep_nobody_out(monkeypatch: pytest.MonkeyPatch, serving: Callable[..., Served]) -> None:
    monkeypatch.setattr(serving_module, "_MOST_AT_ONCE", 6)
    monkeypatch.setattr(serving_module, "_SECONDS_FOR_A_HEAD", 1.0)
    served = serving()
    begun = (b"", b"G", b"GET /v1/health HTTP/1.1\r\n", b"", b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\nG")
    here = ("127.0.0.1", served.port)
    idle = [served.stack.enter_context(socket.create_connection(here, timeout=30)) for _ in begun]
    for connection, part in zip(idle, begun, strict=True):
        connection.sendall(part)
    assert served.client(Connection="close").get("/health").status_code == 503
    before = time.monotonic()
    answers = [b"".join(iter(partial(connection.recv, 1 << 16), b"")) for connection in idle]  # to the end of each
    assert time.monotonic() - before < 10 and [bool(one) for one in answers] == [False] * 4 + [True]
    assert served.client().get("/health").json() == {"status": "ok"}


def test_a_head_that_drips_has_no_longer_and_a_connection_in_use_stays(
    monkeypatch: pytest.MonkeyPatch, serving: Callable[..., Served]
) -> None:
    monkeypatch.setattr(serving_module, "_SECONDS_FOR_A_HEAD", 0.6)
    served, began = serving(), time.monotonic()
    client = served.client()
    with socket.create_connection(("127.0.0.1", served.port)) as connection, pytest.raises(OSError):  # it was closed
        while time.monotonic() - began < 20:
            connection.sendall(b"G")
            assert client.get("/health").status_code == 200
            select.select([connection], [], [], 0.1)  # until it is closed, or the next byte is due
    assert time.monotonic() - began < 10


def test_a_client_that_leaves_at_once_harms_nobody(served: Served) -> None:
    for part in (b"", b"GET ", b"POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{"):
        with socket.create_connection(("127.0.0.1", served.port)) as connection:
            connection.sendall(part)
    assert served.client().get("/health").json() == {"status": "ok"}
