"""What a figure or a trained model must keep with it: the version, the commit, the machine, the memory it took."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

_PROJECT = Path(__file__).resolve().parents[2]
COMMIT_VARIABLE = "PRIORSCOPE_COMMIT"


def version() -> str:
    """Return the version that is installed; "0+unknown" of a copy that nobody installed."""
    from importlib import metadata  # slow, and few commands ask

    try:
        return metadata.version("priorscope")
    except metadata.PackageNotFoundError:
        return "0+unknown"


def commit() -> str:
    """Return the project's commit, with "+" where files were changed since.

    If PRIORSCOPE_COMMIT is set, it names the commit of a copy without the project's history. Empty if neither tells.
    """
    if named := os.environ.get(COMMIT_VARIABLE):
        return named
    head = _git("rev-parse", "HEAD")
    return head + "+" if head and _git("status", "--porcelain", "--untracked-files=no") else head


def hardware() -> str:
    """Name the processor, its cores and the memory, and the GPU where torch is at work on one."""
    return f"{_processor()}, {os.cpu_count()} cores, {memory_bytes() / 2**30:.0f} GiB memory{_gpu()}"


def memory_bytes() -> int:
    """Return the machine's memory."""
    import psutil  # few commands ask

    return int(psutil.virtual_memory().total)


def peak_memory_bytes() -> int | None:
    """Return the most memory that this process has held so far, by the system's count; None if it keeps none."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak << 10  # bytes there, KiB elsewhere


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text("utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def _gpu() -> str:
    torch = sys.modules.get("torch")  # too slow to import for a word
    return f", {torch.cuda.get_device_name(0)}" if torch is not None and torch.cuda.is_available() else ""


def _git(*arguments: str) -> str:
    try:
        run = subprocess.run(["git", *arguments], cwd=_PROJECT, capture_output=True, text=True, timeout=10)
    except (FileNotFoundError, subprocess.TimeoutExpired):
        return ""
    return run.stdout.strip() if run.returncode == 0 else ""
