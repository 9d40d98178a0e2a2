"""What test workers are asked to do."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from engine.core.errors import TruncatedFileError


def say(text: str) -> str:
    """Say the same."""
    return text


def name_processor() -> str:
    """Say which GPUs may be used, and how many threads."""
    return f"{os.environ.get('CUDA_VISIBLE_DEVICES')} {os.environ.get('OMP_NUM_THREADS')}"


def refuse(text: str) -> str:
    """Raise an error for a person."""
    raise TruncatedFileError(f"Expected more than {text}. Fetch it again.")


def fail() -> None:
    """Raise an error that nobody expects."""
    raise AttributeError("no such name")


def end(marker: Path | None = None) -> str:
    """End the worker, unless a file says that it was done before."""
    if marker and marker.exists():
        return "done"
    if marker:
        marker.touch()
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def hang(written: Path) -> int:
    """Start a process that ends with its input, name it and this one in a file, and wait for it."""
    started = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
    written.with_suffix(".new").write_text(f"{os.getpid()} {started.pid}")
    written.with_suffix(".new").rename(written)
    return started.wait()
