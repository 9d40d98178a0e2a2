"""Waits for a server that a test has started."""

from __future__ import annotations

import subprocess
import time
import urllib.error
import urllib.request


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


def _ended(process: subprocess.Popen[bytes], *, within: float) -> bool:
    """Whether a process ends within some seconds."""
    try:
        process.wait(timeout=within)
    except subprocess.TimeoutExpired:
        return False
    return True
