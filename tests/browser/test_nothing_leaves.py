"""No text of a visitor's leaves the machine: the page asks the app alone, and the app answers and talks to us alone.

A web page may point its own name at the loopback ("DNS rebinding"): the browser then takes the app for that page's own
server, and lets it read every answer. The app's socket, which carries all text, is refused to such a name. Plain http
is not, but it gives nothing of a visitor's: the index is the same for everybody; an upload goes to a session, whose
number only its socket knows, and cannot be read back; a download lies at the hash of its own content, so that who can
name it has it already.
"""

from __future__ import annotations

import http
import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest

from engine.library import Library
from tests.answering import asked as answered
from tests.answering import shaken
from tests.browser.app import Visitor, chromium
from tests.browser.test_main_path import ABSTRACT, hits

pytestmark = pytest.mark.browser

OF_THE_BROWSER = {"about", "blob", "chrome", "chrome-extension", "data", "devtools"}


def asked(visitor: Visitor) -> set[str]:
    """The addresses that the page asked for since the log was last read."""
    found = set()
    for entry in visitor.driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            found.add(message["params"]["request"]["url"])
        elif message["method"] == "Network.webSocketCreated":
            found.add(message["params"]["url"])
    return {address for address in found if urlsplit(address).scheme not in OF_THE_BROWSER}


def test_a_search_asks_nobody_but_the_app_and_no_address_or_log_holds_its_words(
    visitor: Visitor, library: Path
) -> None:
    visitor.driver.get_log("performance")
    visitor.open()
    visitor.paste(f"{ABSTRACT} We made the word zyxquartz up.")
    assert len(hits(visitor)) == 10
    visitor.open("map")
    visitor.rests()
    found = asked(visitor)
    assert any(address.startswith("ws:") for address in found)
    app = urlsplit(visitor.address).netloc
    assert {address for address in found if urlsplit(address).netloc != app} == set()
    said = " ".join([*found, visitor.driver.current_url, (library.parent / "app.log").read_text("utf-8")]).lower()
    assert "zyxquartz" not in said and "earlier work with long" not in said


def test_the_app_listens_and_talks_on_the_loopback_alone(visitor: Visitor) -> None:
    visitor.open()
    visitor.rests()
    port = urlsplit(visitor.address).port
    ours = [one for one in psutil.net_connections("inet") if one.laddr and one.laddr.port == port and one.pid]
    talks = [one for pid in {one.pid for one in ours} for one in psutil.Process(pid).net_connections("inet")]
    addresses = {end.ip for one in talks for end in (one.laddr, one.raddr) if end}
    assert ours and addresses <= {"127.0.0.1", "::1"}


FOREIGN = "evil.example"
ROUTES = (
    ("GET", "/"),
    ("GET", "/library"),
    ("GET", "/search?doc=F03B-0"),
    ("GET", "/app/static/library.sqlite3"),
    ("GET", "/component/library.sqlite3"),
    ("GET", "/media/"),
    ("GET", "/media/..%2flibrary.sqlite3"),
    ("PUT", "/_stcore/upload_file/session/file"),
    ("POST", "/_stcore/upload_file/session/file"),
    ("GET", "/_stcore/upload_file/session/file"),
    ("DELETE", "/_stcore/upload_file/session/file"),
    ("GET", "/_stcore/health"),
    ("GET", "/_stcore/host-config"),
    ("GET", "/_stcore/metrics"),
    ("GET", "/_stcore/script-health-check"),
    ("GET", "/_stcore/bidi-components/library"),
    ("POST", "/_stcore/agent/interact"),
    ("POST", "/_stcore/agent/mcp"),
)
"""Every route of Streamlit's."""


def titles(library: Path) -> list[str]:
    with Library.open(library) as opened:
        return [document.title for document in opened.iter_documents()]


def test_a_foreign_name_gets_no_socket(app: str) -> None:
    own = urlsplit(app)
    here = shaken(app, host=own.netloc, origin=app)
    foreign = [f"{FOREIGN}:{own.port}", f"localhost.{FOREIGN}:{own.port}", f"{FOREIGN}@localhost:{own.port}", FOREIGN]
    refused = {host: shaken(app, host=host, origin=f"http://{host}") for host in foreign}
    assert here == http.HTTPStatus.SWITCHING_PROTOCOLS
    assert refused == dict.fromkeys(foreign, http.HTTPStatus.FORBIDDEN)


def test_another_site_s_page_gets_no_socket_and_nobody_is_asked_about_it(app: str, library: Path) -> None:
    own = urlsplit(app)
    for origin in (f"http://{FOREIGN}", f"http://{FOREIGN}:{own.port}", "http://localhost:3000", "null"):
        assert shaken(app, host=own.netloc, origin=origin) == http.HTTPStatus.FORBIDDEN
    assert "external IP" not in (library.parent / "app.log").read_text("utf-8")


@pytest.mark.usefixtures("visitor")
def test_a_foreign_name_gets_no_text_over_http(app: str, library: Path) -> None:
    texts = [*titles(library), str(library), "Traceback"]
    host = f"{FOREIGN}:{urlsplit(app).port}"
    for method, path in ROUTES:
        _, said = answered(app, path, host=host, method=method)
        assert [text for text in texts if text in said] == [], path
    assert json.loads(answered(app, "/_stcore/host-config", host=host)[1])["allowedOrigins"] == []


def test_a_foreign_name_can_neither_send_a_file_nor_take_one_back(app: str) -> None:
    host = f"{FOREIGN}:{urlsplit(app).port}"
    path = "/_stcore/upload_file/0b2e9f0c-5f3e-4c57-9f0a-0f5d8f6c2a11/file"
    assert answered(app, path, host=host, method="PUT")[0] == http.HTTPStatus.FORBIDDEN
    token = "2|00000000|00000000000000000000000000000000|1700000000"
    headers = {"X-Xsrftoken": token, "Cookie": f"_streamlit_xsrf={token}"}
    status, said = answered(app, path, host=host, method="PUT", headers=headers)
    assert status == http.HTTPStatus.BAD_REQUEST and "Invalid session_id" in said


@pytest.mark.usefixtures("chromium_is_there")
def test_a_page_that_points_its_name_here_sees_nothing(app: str, library: Path, tmp_path: Path) -> None:
    texts = titles(library)
    with chromium(tmp_path, flags=(f"--host-resolver-rules=MAP {FOREIGN} 127.0.0.1",)) as driver:
        rebound = Visitor(driver, f"http://{FOREIGN}:{urlsplit(app).port}")
        rebound.open("library")
        rebound.until(lambda _: _refused(driver.get_log("browser")), "expected the socket to be refused")
        shown = driver.page_source
        assert re.search("<title>", shown) and [text for text in texts if text in shown] == []


def _refused(log: list[dict[str, str]]) -> bool:
    return any("WebSocket" in entry["message"] and "403" in entry["message"] for entry in log)
