"""What test workers are asked to do."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from engine.core.errors import TruncatedFileError
from engine.workspace.compute import Json


def say(given: Json) -> Json:
    """Say the same."""
    return given


def name_processor(_: Json) -> Json:
    """Say which GPUs may be used, and how many threads."""
    return {"said": f"{os.environ.get('CUDA_VISIBLE_DEVICES')} {os.environ.get('OMP_NUM_THREADS')}"}


def refuse(given: Json) -> Json:
    """Raise an error for a person."""
    raise TruncatedFileError(f"Expected more than {given['text']}. Fetch it again.")


def end_once(given: Json) -> Json:
    """End the worker, unless a file says that it was done before."""
    marker = Path(given["marker"])
    if not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return {"said": "done"}


def end(_: Json) -> Json:
    """End the worker."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def hang(given: Json) -> Json:
    """Start a process that never ends, name it in a file, and wait for it."""
    started = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    written = Path(given["written"])
    written.with_suffix(".new").write_text(str(started.pid))
    written.with_suffix(".new").rename(written)
    return {"said": started.wait()}
