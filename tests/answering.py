"""Waits for a server that a test has started, and asks it under any name."""

from __future__ import annotations

import http.client
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from urllib.parse import urlsplit

SOCKET = "/_stcore/stream"


def answer(address: str, process: subprocess.Popen[bytes], *, seconds: float) -> str:
    """What comes from an address once a process answers there; raises RuntimeError if it ends before, or never does."""
    deadline = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(address, timeout=5) as response:
                return str(response.read().decode())
        except (urllib.error.URLError, TimeoutError):
            _ended(process, within=0.1)
    raise RuntimeError(f"Expected an answer at {address} within {seconds} s; the process ended with {process.poll()}.")


def asked(
    address: str, path: str, *, host: str, method: str = "GET", headers: Mapping[str, str] | None = None
) -> tuple[int, str]:
    """What a server says, status and text, to a browser that believes it to be `host`."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
    try:
        connection.request(method, path, headers={"Host": host, **(headers or {})})
        response = connection.getresponse()
        is_text = response.status != http.HTTPStatus.SWITCHING_PROTOCOLS  # else a socket follows, not an answer
        return response.status, response.read().decode("utf-8", "replace") if is_text else ""
    finally:
        connection.close()


def shaken(address: str, *, host: str, origin: str) -> int:
    """The status that answers a page of `origin` which opens the app's socket at `host`; 101 if it may."""
    headers = {
        "Origin": origin,
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Protocol": "streamlit",
    }
    return asked(address, SOCKET, host=host, headers=headers)[0]


def _ended(process: subprocess.Popen[bytes], *, within: float) -> bool:
    """Whether a process ends within some seconds."""
    try:
        process.wait(timeout=within)
    except subprocess.TimeoutExpired:
        return False
    return True
