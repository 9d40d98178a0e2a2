"""No text of a person's leaves the machine: neither these tests nor the commands open a connection beyond it."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_socket import SocketConnectBlockedError

PROJECT = Path(__file__).resolve().parent.parent
EXAMPLES = PROJECT / "assets" / "examples"
DOCUMENTATION_ADDRESS = ("192.0.2.1", 80)  # RFC 5737: reserved for examples, routed nowhere

WATCHED = """
import json, sys
from pathlib import Path

asked = []

def watch(event, arguments):
    if event in {"socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"}:
        asked.append([event, repr(arguments[1:] if event in {"socket.connect", "socket.sendto"} else arguments)])

sys.addaudithook(watch)
from engine.cli.main import main
codes = [main(line) for line in json.loads(sys.argv[1])]
Path(sys.argv[2]).write_text(json.dumps({"codes": codes, "asked": asked}))
"""
"""Runs command lines in one process, and writes what each ended with and whom any of them called or looked up."""


def called(folder: Path, *lines: list[str], code: str = WATCHED) -> dict[str, list[object]]:
    command = [sys.executable, "-c", code, json.dumps(lines), str(folder / "asked.json")]
    subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
    found: dict[str, list[object]] = json.loads((folder / "asked.json").read_text("utf-8"))
    return found


def test_the_commands_that_read_a_document_call_nobody(tmp_path: Path) -> None:
    one, other = sorted(map(str, EXAMPLES.glob("*.md")))[:2]
    library = ["--library", str(tmp_path / "library")]
    found = called(
        tmp_path,
        ["import", str(EXAMPLES), *library],
        ["read", one],
        ["search", one, *library],
        ["search", one, "--report", str(tmp_path / "near.html"), "--json", *library],
        ["salient", one],
        ["compare", one, other, "--report", str(tmp_path / "compare.html"), *library],
    )
    assert found == {"codes": [0] * 6, "asked": []}


def test_a_call_would_be_seen(tmp_path: Path) -> None:
    calls = WATCHED + (
        "import socket\n"
        "try:\n    socket.create_connection(('192.0.2.1', 80), timeout=0.01)\nexcept OSError:\n    pass\n"
        "Path(sys.argv[2]).write_text(json.dumps({'codes': codes, 'asked': asked}))\n"
    )
    assert "192.0.2.1" in str(called(tmp_path, ["encoders"], code=calls)["asked"])


def test_an_outside_address_is_refused() -> None:
    with (
        socket.socket() as outside,
        pytest.warns(UserWarning, match=DOCUMENTATION_ADDRESS[0]),
        pytest.raises(SocketConnectBlockedError),
    ):
        outside.connect(DOCUMENTATION_ADDRESS)


def test_loopback_is_allowed() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        with socket.create_connection(server.getsockname(), timeout=5) as client:
            assert client.getpeername() == server.getsockname()
