"""What one system alone has is asked for only where its absence is met: it runs on Linux, macOS and Windows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
ABSENT = {
    "os": "chown fork forkpty getegid geteuid getgid getloadavg getuid killpg mkfifo nice openpty pread pwrite "
    "sched_getaffinity sched_setaffinity setsid setuid statvfs sysconf uname wait wait3 wait4 WNOHANG O_NOFOLLOW",
    "signal": "SIGALRM SIGHUP SIGKILL SIGQUIT SIGUSR1 SIGUSR2 SIGCHLD alarm pause setitimer",
    "socket": "AF_UNIX",
    "time": "tzset",
}
"""What Windows lacks, by module. os.kill ends a process there, whatever the signal."""
MODULES = {"crypt", "fcntl", "grp", "multiprocessing", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}
"""Modules that Windows lacks; and the one that forks on Linux, unless it is told to start again as on the others."""
_STARTS_AGAIN = "multiprocessing.get_context('spawn')"
TEXT = {"read_text": 0, "write_text": 1}
"""How many arguments stand before the encoding, which is another on each system."""


def faults(tree: ast.AST) -> Iterator[str]:
    """What a module asks of a system that another lacks, by line."""
    tries = [node for node in ast.walk(tree) if isinstance(node, ast.Try)]
    met = {id(one) for node in tries for part in node.body for one in ast.walk(part)}
    calls = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    absent = MODULES - {"multiprocessing"} if _STARTS_AGAIN in calls else MODULES
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in ABSENT.get(node.value.id, "").split() or (node.value.id, node.attr) == ("os", "kill"):
                yield f"{node.lineno}: {node.value.id}.{node.attr}"
        elif isinstance(node, ast.Import | ast.ImportFrom) and id(node) not in met:
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names]
            yield from (f"{node.lineno}: import {name}" for name in names if name.partition(".")[0] in absent)
        elif (
            isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(("/tmp", "/dev/"))
        ):
            yield f"{node.lineno}: {node.value}"
        elif isinstance(node, ast.Call) and not any(one.arg in ("encoding", None) for one in node.keywords):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if len(node.args) <= TEXT.get(name, -1) or (name == "open" and opens_text(node)):
                yield f"{node.lineno}: {name} without an encoding"


def opens_text(call: ast.Call) -> bool:
    """Whether `open(path, mode)`, or a path's `open(mode)`, opens a text."""
    is_function = isinstance(call.func, ast.Name)
    given = [one.value for one in call.keywords if one.arg == "mode"] + call.args[is_function : is_function + 1]
    modes = [one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return any(mode and set(mode) <= set("rwxat+") for mode in modes) if given else is_function


def test_nothing_is_asked_of_one_system_alone() -> None:
    paths = [path for room in ("engine", "explorer") for path in (PROJECT / room).rglob("*.py")]
    product = [path for path in paths if not path.is_relative_to(PROJECT / "engine" / "research")]
    found = {
        path.relative_to(PROJECT).as_posix(): lines
        for path in product
        if (lines := list(faults(ast.parse(path.read_text("utf-8")))))
    }
    assert found == {}, "Windows or macOS lacks it, or reads it otherwise"


def test_what_one_system_alone_has_is_seen() -> None:
    asked = """
import fcntl, os
from multiprocessing import Pool
os.getuid(); os.kill(1, 0); open("a", "w"); path.open("r"); path.read_text(); path.write_text("a"); open("/tmp/a", "rb")
path.read_text("utf-8"); path.write_text("a", "utf-8"); path.open("rb"); open("a", "w", encoding="utf-8"); model.open()
try:
    import resource
except ImportError:
    pass
"""
    assert [one.partition(": ")[2] for one in sorted(faults(ast.parse(asked)))] == [
        "import fcntl",
        "import multiprocessing",
        "/tmp/a",
        "open without an encoding",
        "open without an encoding",
        "os.getuid",
        "os.kill",
        "read_text without an encoding",
        "write_text without an encoding",
    ]
    assert not list(faults(ast.parse("import multiprocessing\nmultiprocessing.get_context('spawn').Pool()")))
