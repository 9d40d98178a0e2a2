"""The package as a user gets it: built, installed in an environment of its own, searched and served from there."""

from __future__ import annotations

import http
import json
import os
import socket
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from tests.answering import answer, shaken

PROJECT = Path(__file__).resolve().parent.parent
START_SECONDS = 90
PARTS = """
import json
from pathlib import Path
import engine
from engine.cli import app
from engine.encoders import registry
from engine.evaluation import read_quality
from explorer import ASSETS
from explorer.shared import markup
root = Path(engine.__file__).parents[1]
text = [path for end in ("js", "css") for path in root.glob(f"e*/**/*.{end}")] + [*ASSETS.glob("*.css")]
text += [path for end in ("toml", "ttf") for path in root.glob(f"engine/**/*.{end}")]
found = {"encoders": registry.encoder_names(), "quality": list(read_quality().results)}
found["settings"] = str(app.settings_folder())
print(json.dumps({**found, "root": str(root), "files": sorted(str(path.relative_to(root)) for path in text)}))
"""


@dataclass(frozen=True)
class Installed:
    """An environment that holds the wheel, and finds everything else in this one."""

    folder: Path

    def run(self, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
        program, *arguments = command
        return subprocess.run(
            [self.folder / "bin" / program, *arguments],
            cwd=self.folder,
            env=self.environment(**environment),
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )

    def environment(self, **more: str) -> dict[str, str]:
        library = str(self.folder / "library")
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return {**kept, "HOME": str(self.folder), "PRIORSCOPE_LIBRARY": library, **more}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=PROJECT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    home = folder / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    install = ["install", "--quiet", "--no-deps", "--no-index", "--no-compile", str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", "--python", str(home / "bin" / "python"), *install], check=True)
    (site,) = home.glob("lib/python*/site-packages")
    (site / "others.pth").write_text(sysconfig.get_path("purelib"))  # its own .pth files are not followed
    wheel.unlink()
    return Installed(home)


@contextmanager
def app_of(installed: Installed, log: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """`priorscope app` on a free port, ended with all that it started."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [installed.folder / "bin" / "priorscope", "app", "--no-browser", "--port", str(port)]
    with (
        log.open("wb") as output,
        subprocess.Popen(command, cwd=log.parent, env=installed.environment(), stdout=output, stderr=output) as process,
    ):
        family = psutil.Process(process.pid)
        try:
            yield process, port
        finally:
            children = family.children(recursive=True)
            process.terminate()
            _, alive = psutil.wait_procs(children, timeout=20)
            for child in alive:
                child.kill()
    assert not alive, "the app ends with its command"


def test_everything_is_found_in_the_package(installed: Installed) -> None:
    found = json.loads(installed.run("python", "-c", PARTS).stdout)
    assert Path(found["root"]).is_relative_to(installed.folder)
    assert (
        Path(found["settings"], ".streamlit", "config.toml").read_text()
        == (PROJECT / ".streamlit" / "config.toml").read_text()
    )
    shipped = {card.parent.name for card in (PROJECT / "pretrained").glob("*/card.json")}
    assert {"blend", "ctpe", "student"} <= set(found["encoders"]) & shipped
    assert "blend" in found["quality"]
    ours = [*PROJECT.glob("e*/**/*.js"), *PROJECT.glob("e*/**/*.css"), *PROJECT.glob("engine/**/*.toml")]
    ours += [*PROJECT.glob("engine/**/*.ttf"), *(PROJECT / "assets").glob("*.css")]
    research = PROJECT / "engine" / "research"
    ours = [path for path in ours if not path.is_relative_to(research)]
    assert found["files"] == sorted(str(path.relative_to(PROJECT)) for path in ours)
    assert not Path(found["root"], research.relative_to(PROJECT)).exists(), "research runs from a checkout"


def test_a_library_is_made_and_searched(installed: Installed) -> None:
    (installed.folder / "walks.md").write_text(
        "# Walks on graphs\n\n## Abstract\n\nA walk on a graph, and its mixing.\n"
    )
    (installed.folder / "relay.md").write_text("# A telegraph relay\n\n## Abstract\n\nA relay with an armature.\n")
    installed.run("priorscope", "import", "walks.md", "relay.md", "--encoder", "tfidf")
    (installed.folder / "question.txt").write_text("the mixing of a random walk")
    found = installed.run("priorscope", "search", "question.txt", "--encoder", "tfidf", "-k", "1", "--json")
    assert "Walks on graphs" in found.stdout and "telegraph" not in found.stdout


def test_the_wheel_holds_its_version_and_nothing_of_tests_or_research(installed: Installed) -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    assert installed.run("priorscope", "--version").stdout == f"priorscope {project['version']}\n"
    (site,) = installed.folder.glob("lib/python*/site-packages")
    (record,) = site.glob("priorscope-*.dist-info/RECORD")
    held = [line.partition(",")[0] for line in record.read_text("utf-8").splitlines()]
    tops = {name.partition("/")[0] for name in held if not name.startswith("..")}
    assert tops == {"assets", "engine", "explorer", "pretrained", "streamlit_app.py", record.parent.name}
    assert not [
        name
        for name in held
        if "/research/" in name or Path(name).name.startswith(("test_", "conftest")) or name.endswith(".png")
    ]


@pytest.mark.timeout(300)
def test_the_app_listens_to_this_machine_only(installed: Installed, tmp_path: Path) -> None:
    log = tmp_path / "app.log"
    with app_of(installed, log) as (process, port):
        assert answer(f"http://127.0.0.1:{port}/_stcore/health", process, seconds=START_SECONDS) == "ok"
        assert "<title>" in answer(f"http://127.0.0.1:{port}/models", process, seconds=START_SECONDS)
        family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
        open_ = []
        for one in family:
            with suppress(psutil.NoSuchProcess):  # a helper has ended meanwhile, and talks to nobody
                open_ += one.net_connections("inet")
        assert {connection.laddr for connection in open_ if connection.status == psutil.CONN_LISTEN} == {
            ("127.0.0.1", port)
        }
        assert not [connection for connection in open_ if connection.raddr and connection.raddr.ip != "127.0.0.1"]
        own, foreign = f"http://127.0.0.1:{port}", f"http://evil.example:{port}"
        assert shaken(own, host=f"127.0.0.1:{port}", origin=own) == http.HTTPStatus.SWITCHING_PROTOCOLS
        assert shaken(own, host=f"evil.example:{port}", origin=foreign) == http.HTTPStatus.FORBIDDEN
        assert shaken(own, host=f"127.0.0.1:{port}", origin=foreign) == http.HTTPStatus.FORBIDDEN
    said = log.read_text()
    assert "external IP" not in said, f"Streamlit asked the network for this machine's address: {said}"
    assert "127.0.0.1" in said and "usage statistics" not in said, said
