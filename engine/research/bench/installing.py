"""What an install takes: `python -m engine.research bench install`.

The wheel of this checkout is built, then installed into empty folders with the versions of constraints.txt and torch's
CPU wheel: by pip in a virtual environment, by `uv tool install` and by `pipx install`, as far as they are on the path,
each without bytecode and with it. Where pipx finds uv it has that do the work, and uv then compiles nothing. Nothing is
cached, so the network is in the seconds. From each install the example documents are imported into an empty library and
the same question is asked twice, each in a process of its own. Its files are still in the memory of the system then, as
after any install.

What the default torch for Linux adds is read from the index: a list at the end of a wheel says how large its files are,
and no more of it is fetched. Needs the package index and 6 GB of disk.
"""

from __future__ import annotations

import argparse
import io
import json
import platform
import re
import shlex
import shutil
import stat
import sys
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, url2pathname, urlopen

from engine.evaluation import check_place
from engine.research import measurement
from engine.research.bench.searching import load, timed

PROJECT = Path(__file__).resolve().parents[3]
CPU_WHEELS = "https://download.pytorch.org/whl/cpu/torch/"
TOOLS = ("pip", "uv", "pipx")
_CONSTRAINTS = PROJECT / "constraints.txt"
_EXAMPLES = PROJECT / "assets" / "examples"
_SEARCH = ("search", str(_EXAMPLES / "car-coupling.md"), "-k", "1")
_USES = {"import": ("import", str(_EXAMPLES)), "first search": _SEARCH, "second search": _SEARCH}
_LIST_BYTES = 4_000_000
"""How much of a wheel's end is fetched to read the list of its files; torch's, the longest, has 2 MB."""


def add_parser(measurements: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the measurement and its options."""
    parser = measurements.add_parser("install", help="the wheel by pip, uv and pipx: seconds, disk, first searches")
    where = "a page or folder of torch's CPU wheels (default: PyTorch's page)"
    parser.add_argument("--find-links", default=CPU_WHEELS, metavar="PLACE", help=where)
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the report as JSON, and as .md beside it")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Measure each install, then print and save the report. Raises EvaluationError where a command fails."""
    if arguments.save:
        check_place(arguments.save)
    words = ["install"] if arguments.find_links == CPU_WHEELS else ["install", "--find-links", "PLACE"]
    tools = [tool for tool in TOOLS if tool == "pip" or shutil.which(tool)]
    report = measurement.circumstances("bench", words) | {"python": platform.python_version(), "load": str(load())}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        timed([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", temporary], folder=PROJECT)
        (wheel,) = folder.glob("*.whl")
        given = ["--constraint", str(_CONSTRAINTS), "--find-links", arguments.find_links, str(wheel)]
        installs = {
            f"{tool}, {'with' if compiles else 'without'} bytecode": measure(tool, compiles, given, folder / "installs")
            for tool in tools
            for compiles in (False, True)
        }
        more, less = default_torch(given, folder / "index")
        found = {
            **report,
            "not at hand": [tool for tool in TOOLS if tool not in tools],
            "installs": installs,
            "default torch": with_default_torch(installs["pip, without bytecode"]["MB on disk"], more, less),
        }
    markdown = as_markdown(found)
    measurement.save(arguments.save, found, markdown)
    print(markdown)


def measure(tool: str, compiles: bool, given: Sequence[str], folder: Path) -> dict[str, float]:
    """Install into a folder, import and search from there, and remove it; returns MB, and seconds of both clocks.

    What is installed gets a home and a library of its own; the installer keeps its settings, such as the index. Python
    and numba keep what they compile beside the modules: "MB after use" holds that, too.
    """
    place, links, home = folder / "place", folder / "bin", folder / "home"
    newcomers = measurement.newcomers_environment()
    own = newcomers | {"HOME": str(home), "PRIORSCOPE_LIBRARY": str(home / "library")}
    installer = newcomers | {"UV_TOOL_DIR": str(place), "UV_TOOL_BIN_DIR": str(links)}
    installer |= {"PIPX_HOME": str(place), "PIPX_BIN_DIR": str(links)}
    home.mkdir(parents=True)
    taken = [timed(step, folder=home, environment=installer) for step in steps(tool, compiles, given, place)]
    seconds = {"install": (sum(wall for wall, _ in taken), sum(processor for _, processor in taken))}
    on_disk, bytecode = megabytes(place)
    program = str((place / "bin" if tool == "pip" else links) / "priorscope")
    for name, words in _USES.items():
        seconds[name] = timed([program, *words], folder=home, environment=own)
    after_use, _ = megabytes(place)
    shutil.rmtree(folder)
    found = {"MB on disk": on_disk, "MB of bytecode": bytecode, "MB after use": after_use}
    for name, (wall, processor) in seconds.items():
        found |= {f"{name} s": round(wall, 2), f"{name} processor s": round(processor, 2)}
    return found


def steps(tool: str, compiles: bool, given: Sequence[str], place: Path) -> list[list[str]]:
    """Return the commands by which a tool installs into a place: uv compiles when told to, the others unless told."""
    if tool == "uv":
        more = ["--compile-bytecode"] if compiles else []
        return [["uv", "tool", "install", "--python", sys.executable, *more, *given]]
    more = [] if compiles else ["--no-compile"]
    if tool == "pip":
        return [[sys.executable, "-m", "venv", str(place)], [str(place / "bin" / "pip"), "install", *more, *given]]
    *options, wheel = given
    return [["pipx", "install", "--python", sys.executable, f"--pip-args={shlex.join([*more, *options])}", wheel]]


def megabytes(folder: Path) -> tuple[float, float]:
    """Return the MB that files take on disk, and of bytecode among them; what is linked twice counts once."""
    found = ((path.lstat(), path.suffix) for path in folder.rglob("*"))
    files = ((seen, suffix) for seen, suffix in found if stat.S_ISREG(seen.st_mode))
    once = {(seen.st_dev, seen.st_ino): (seen.st_blocks * 512, suffix) for seen, suffix in files}
    bytecode = sum(taken for taken, suffix in once.values() if suffix == ".pyc")
    return round(sum(taken for taken, _ in once.values()) / 1e6, 1), round(bytecode / 1e6, 1)


def default_torch(given: Sequence[str], folder: Path) -> tuple[set[str], set[str]]:
    """Return where the wheels lie that only the index's own torch brings, and those that only the CPU's does."""
    (pinned,) = re.findall(r"^torch==(\S+)", _CONSTRAINTS.read_text("utf-8"), re.MULTILINE)
    pip, report, found = str(folder / "bin" / "pip"), folder / "report.json", []
    timed([sys.executable, "-m", "venv", str(folder)])
    timed([pip, "install", "--upgrade", "pip"])  # an older one fetches all that it would install
    for more in ([f"torch==={pinned}"], []):  # `===` is the version without a label such as +cpu
        timed([pip, "install", "--dry-run", "--ignore-installed", "--report", str(report), *given, *more])
        found.append({one["download_info"]["url"] for one in json.loads(report.read_text("utf-8"))["install"]})
    return found[0] - found[1], found[1] - found[0]


def with_default_torch(on_disk: float, more: set[str], less: set[str]) -> dict[str, float]:
    """Return what wheels add to an install of `on_disk` MB when they take the place of others."""
    fetched = beyond = 0
    for sign, urls in ((1, more), (-1, less)):
        for url in urls:
            size, of_files = wheel_bytes(url)
            fetched, beyond = fetched + sign * size, beyond + sign * of_files
    return {
        "wheels": len(more),
        "more MB fetched": round(fetched / 1e6, 1),
        "more MB on disk": round(beyond / 1e6, 1),
        "MB on disk": round(on_disk + beyond / 1e6, 1),
    }


def wheel_bytes(url: str) -> tuple[int, int]:
    """Return the size of a wheel and of the files in it; only the end of the wheel is fetched."""
    if url.startswith("file:"):
        path = Path(url2pathname(urlsplit(url).path))
        return path.stat().st_size, _of_files(path)
    with urlopen(Request(url, headers={"Range": f"bytes=-{_LIST_BYTES}"}), timeout=60) as answer:
        end = answer.read()  # all of it, from a server that gives no parts
        size = answer.headers.get("Content-Range", "").rpartition("/")[2] or len(end)
    return int(size), _of_files(io.BytesIO(end))


def _of_files(wheel: Path | io.BytesIO) -> int:
    with zipfile.ZipFile(wheel) as opened:
        return sum(one.file_size for one in opened.infolist())


def as_markdown(found: Mapping[str, Any]) -> str:
    """Return the report as a page: its circumstances, a row an install, and what the default torch adds."""
    installs, torch = found["installs"], found["default torch"]
    facts = {name: found[name] for name in ("command", "commit", "hardware", "python", "load")}
    facts["tools that were not at hand"] = ", ".join(found["not at hand"]) or "none"
    heads = list(next(iter(installs.values())))
    rows = [[name, *(f"{one[head]:,.{0 if 'MB' in head else 1}f}" for head in heads)] for name, one in installs.items()]
    told = (
        f"The default torch for Linux brings {torch['wheels']} other wheels: {torch['more MB fetched']:,.0f} MB more "
        f"to fetch and {torch['more MB on disk']:,.0f} MB more on disk, {torch['MB on disk']:,.0f} MB in all with pip "
        "and without bytecode. The index's wheels say so; they were not installed."
    )
    lines = ["# What an install takes", "", *measurement.as_list(facts), ""]
    return "\n".join([*lines, *measurement.table(["installed by", *heads], rows), told, ""])
