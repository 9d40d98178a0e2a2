"""No text of a visitor's leaves the machine: the page asks the app alone, and the app talks to the loopback alone."""

from __future__ import annotations

import json
from urllib.parse import urlsplit

import psutil
import pytest

from tests.browser.app import Visitor
from tests.browser.test_main_path import ABSTRACT, hits, read_pasted

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


def test_a_search_asks_nobody_but_the_app(visitor: Visitor) -> None:
    visitor.driver.get_log("performance")
    visitor.open()
    read_pasted(visitor, ABSTRACT)
    visitor.sees("Check what was read")
    visitor.press("ask")
    assert len(hits(visitor)) == 10
    visitor.open("map")
    visitor.rests()
    found = asked(visitor)
    assert any(address.startswith("ws:") for address in found)
    app = urlsplit(visitor.address).netloc
    assert {address for address in found if urlsplit(address).netloc != app} == set()


def test_the_app_listens_and_talks_on_the_loopback_alone(visitor: Visitor) -> None:
    visitor.open()
    visitor.rests()
    port = urlsplit(visitor.address).port
    ours = [one for one in psutil.net_connections("inet") if one.laddr and one.laddr.port == port and one.pid]
    talks = [one for pid in {one.pid for one in ours} for one in psutil.Process(pid).net_connections("inet")]
    addresses = {end.ip for one in talks for end in (one.laddr, one.raddr) if end}
    assert ours and addresses <= {"127.0.0.1", "::1"}
