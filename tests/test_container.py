"""The container's files, each step as far as it goes on a machine that builds none.

What `RUN` fetches is the package index's, so its steps run only where that is asked for. Everything else runs: the
wheel comes out of what is copied, and the command that the container starts, its health check and its end are tried by
a user without rights, on a tree that cannot be written to but for what the files name.
"""

from __future__ import annotations

import fnmatch
import http
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
import yaml

from engine.core.stores import Stores
from tests.answering import answer, asked
from tests.test_wheel import PROJECT, START_SECONDS, Installed, installed

__all__ = ["installed"]  # a fixture
USER = 1000
WALLED = """
for place in "$1/tmp" "$1/.priorscope" "$2"; do mount --bind "$place" "$place" || exit 9; done
mount -o remount,ro,bind "$2" && mount -o remount,ro,bind / || exit 9
user=$3 && cd "$1" && shift 3 && exec unshare --user --map-user="$user" --map-group="$user" -- "$@"
"""
"""Runs a command as a user without rights; of all folders it can write to those two in its home alone."""


HOUSED = 'mount --bind "$1" /etc && mount --bind "$2" /home && exec sh -ec "$3"'
"""Runs a command with folders of the test in the place of those where users are kept."""
RUNS, GROUPS = "PRIORSCOPE_RUNS_DOCKERFILE", "USERGROUPS_ENAB yes"


class Step(NamedTuple):
    word: str
    rest: str


def steps(text: str) -> list[Step]:
    whole = "\n".join(line for line in text.splitlines() if not line.startswith("#")).replace("\\\n", " ")
    return [Step(*line.strip().split(maxsplit=1)) for line in whole.splitlines() if line.strip()]


STEPS = steps((PROJECT / "Dockerfile").read_text("utf-8"))
LAST = STEPS[max(number for number, step in enumerate(STEPS) if step.word == "FROM") :]
SERVICE: Mapping[str, Any] = yaml.safe_load((PROJECT / "compose.yaml").read_text("utf-8"))["services"]["priorscope"]


def only(word: str) -> str:
    """What the one step of this word in the last stage says."""
    (found,) = [step.rest for step in LAST if step.word == word]
    return found


def is_sent(path: PurePosixPath) -> bool:
    """Whether a file reaches the builder: the last line of .dockerignore decides that names it or a folder above."""
    sent = True
    for line in (PROJECT / ".dockerignore").read_text("utf-8").splitlines():
        pattern = line.removeprefix("!")
        places = [path, *path.parents[:-1]]
        if line and not line.startswith("#"):
            among = [place.name for place in places] if pattern.startswith("**/") else [str(place) for place in places]
            if any(fnmatch.fnmatchcase(name, pattern.removeprefix("**/")) for name in among):
                sent = line.startswith("!")
    return sent


def walled(folder: Path, tree: Path, *command: str) -> list[str]:
    names = (str(folder), str(tree), str(USER))
    return ["unshare", "--map-root-user", "--mount", "sh", "-c", WALLED, "sh", *names, *command]


def can_be_walled() -> bool:
    """Whether this machine lets us put a command behind walls: Linux, where users may make namespaces."""
    with tempfile.TemporaryDirectory() as home:
        make_writable(Path(home))
        try:
            command = walled(Path(home), PROJECT, "true")
            return subprocess.run(command, capture_output=True, timeout=20).returncode == 0
        except (OSError, subprocess.TimeoutExpired):
            return False


def make_writable(home: Path) -> None:
    for name in ("tmp", PurePosixPath(only("VOLUME")).name):
        (home / name).mkdir()


def copied_into(context: Path) -> None:
    """Copy what the builder gets into a folder."""
    context.mkdir()
    for step in STEPS:
        *sources, to = [word for word in step.rest.split() if not word.startswith("--")]
        if step.word != "COPY" or "--from" in step.rest:
            continue
        for source in sources:
            files = [PROJECT / source, *(PROJECT / source).rglob("*")]
            copied = [path for path in files if path.is_file() and is_sent(PurePosixPath(path.relative_to(PROJECT)))]
            assert copied, f"{step} copies nothing"
            for path in copied:
                place = context / (to if len(sources) == 1 else Path(to, source)) / path.relative_to(PROJECT / source)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, place)


def test_the_wheel_is_built_from_what_is_copied(installed: Installed, tmp_path: Path) -> None:
    copied_into(context := tmp_path / "context")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=context, check=True, capture_output=True)
    (wheel,) = (zipfile.ZipFile(path) for path in tmp_path.glob("*.whl"))
    (record,) = [name for name in wheel.namelist() if name.endswith("/RECORD")]
    (whole,) = installed.folder.glob(f"lib/python*/site-packages/{record}")
    assert set(wheel.read(record).decode().splitlines()) <= set(whole.read_text("utf-8").splitlines())
    assert "engine/cli/main.py" in wheel.namelist()
    assert not [name for name in ("tests", ".git", "engine/research") if (context / name).exists()]


@pytest.mark.timeout(300)
@pytest.mark.skipif(
    RUNS not in os.environ or not hasattr(os, "geteuid") or os.geteuid() != 0,
    reason=f"fetches from the package index and makes a user, as root: .ci/run sets {RUNS} where it builds no image",
)
def test_every_run_step_runs(tmp_path: Path) -> None:
    copied_into(context := tmp_path / "src")
    home, etc, image = (tmp_path / name for name in ("home", "etc", "image"))
    subprocess.run([sys.executable, "-m", "venv", str(image)], check=True)
    home.mkdir()
    etc.mkdir()
    for name, text in {"passwd": "root:x:0:0::/root:/bin/sh", "group": "root:x:0:", "login.defs": GROUPS}.items():
        (etc / name).write_text(f"{text}\n")
    # what the wheel needs is not fetched: torch alone has 200 MB
    here = {name: f"{tmp_path}{name}" for name in ("/wheel", "/opt/priorscope")}
    here |= {"/usr/local/bin/python": f"{image}/bin/python", "uv pip install": "uv pip install --no-deps"}
    given = dict(step.rest.split("=") for step in STEPS if step.word == "ARG")
    there = {**os.environ, **given, "PATH": f"{image}/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
    for command in [step.rest for step in STEPS if step.word == "RUN"]:
        users = ["unshare", "--mount", "sh", "-c", HOUSED, "sh", str(etc), str(home)] if "useradd" in command else []
        run = [*(users or ["sh", "-ec"]), re.sub("|".join(here), lambda found: here[found[0]], command)]
        subprocess.run(run, cwd=context, env=there, check=True)
    asked = subprocess.run([f"{tmp_path}/opt/priorscope/bin/priorscope", "--version"], capture_output=True, text=True)
    assert asked.stdout == f"priorscope {version('priorscope')}\n", asked.stderr
    held = (home / "priorscope" / ".priorscope").stat()
    assert (held.st_uid, held.st_gid, held.st_mode & 0o777) == (USER, USER, 0o700)


def test_the_build_is_pinned_and_names_only_what_is_there() -> None:
    commands = [step.rest for step in STEPS if step.word == "RUN"]
    installs = [command for command in commands if "uv pip install" in command or "uv build" in command]
    assert len(installs) == 2 and all("constraints constraints.txt" in " ".join(one.split()) for one in installs)
    assert all(shlex.split(command) for command in commands)
    arguments = {step.rest.partition("=")[0] for step in STEPS if step.word == "ARG"}
    assert arguments == set(SERVICE["build"]["args"]) and "$TORCH" in installs[1] and "$EXTRAS" in installs[1]


def test_both_files_say_the_same() -> None:
    assert SERVICE["command"] == json.loads(only("CMD"))
    assert only("EXPOSE") in SERVICE["command"]
    assert SERVICE["ports"] == [f"127.0.0.1:{only('EXPOSE')}:{only('EXPOSE')}"]
    assert [mount.partition(":")[2] for mount in SERVICE["volumes"]] == [only("VOLUME")]
    assert SERVICE["read_only"] and SERVICE["tmpfs"] == ["/tmp"] and only("USER") == str(USER)


def test_the_file_of_servers_names_what_the_library_and_its_tests_use() -> None:
    told = yaml.safe_load((PROJECT / "compose.servers.yaml").read_text("utf-8"))
    ours, others = told["services"]["priorscope"], told["services"].keys() - {"priorscope"}
    assert others == {"postgres", "milvus"} and set(told["volumes"]) == others
    stores = Stores(ours["environment"]["PRIORSCOPE_LIBRARY"])
    assert urlsplit(stores.documents).hostname in others and set(ours["depends_on"]) == {"postgres"}
    extras = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert set(ours["build"]["args"]["EXTRAS"].split(",")) == {"server", "postgres", "milvus"} <= extras.keys()
    assert told["services"]["milvus"]["image"].endswith(f":v{version('milvus')}")


@dataclass(frozen=True)
class Container:
    """A container's last stage, with the wheel's tree in the place of /opt, and a folder in those of /home and /tmp."""

    installed: Installed
    folder: Path
    port: str

    def step(self, word: str) -> list[str]:
        """The command of a step, at the port that is free here."""
        told: list[str] = json.loads(re.sub("^.*CMD ", "", only(word)))
        return [part.replace(only("EXPOSE"), self.port) for part in told]

    def environment(self) -> dict[str, str]:
        here = {"/tmp": f"{self.folder}/tmp", "/opt/priorscope": str(self.installed.folder), "$PATH": "/usr/bin:/bin"}
        settings = (word.partition("=") for word in shlex.split(only("ENV")))
        own = {
            name: re.sub("/tmp|/opt/priorscope|[$]PATH", lambda it: here[it[0]], value) for name, _, value in settings
        }
        return own | {"HOME": str(self.folder), "TMPDIR": here["/tmp"]}

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        walls = walled(self.folder, self.installed.folder, *command)
        return subprocess.run(walls, env=self.environment(), capture_output=True, text=True, timeout=120)

    @contextmanager
    def serving(self, log: Path) -> Iterator[subprocess.Popen[bytes]]:
        """What the container starts by itself, asked to end as a builder's runtime asks."""
        command = walled(self.folder, self.installed.folder, *self.step("ENTRYPOINT"), *self.step("CMD"))
        with (
            log.open("wb") as output,
            subprocess.Popen(command, env=self.environment(), stdout=output, stderr=output) as process,
        ):
            try:
                yield process
            finally:
                process.terminate()
                process.wait(timeout=30)


@pytest.fixture
def container(installed: Installed, tmp_path: Path) -> Container:
    make_writable(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return Container(installed, tmp_path, str(probe.getsockname()[1]))


@pytest.mark.timeout(300)
@pytest.mark.skipif(not can_be_walled(), reason="needs Linux's namespaces, which this machine does not let us make")
def test_it_serves_without_rights_on_a_tree_that_cannot_be_written_to(container: Container, tmp_path: Path) -> None:
    program = container.step("ENTRYPOINT")
    for place in ("engine.__file__", "pathlib.Path.home() / 'file'"):
        tried = f"import os, pathlib, engine; print(os.getuid()); pathlib.Path({place}).with_name('new').touch()"
        probed = container.run("python", "-c", tried)
        assert probed.stdout == f"{USER}\n" and "Read-only file system" in probed.stderr, probed
    assert container.run(*container.step("HEALTHCHECK")).returncode != 0, "nothing is served yet"
    refused = container.run(*program, *container.step("CMD"))
    assert refused.returncode == 2 and "priorscope token add" in refused.stderr
    (tmp_path / "walks.md").write_text("# Walks on graphs\n\n## Abstract\n\nA walk on a graph, and its mixing.\n")
    assert container.run(*program, "import", "walks.md", "--encoder", "tfidf").returncode == 0
    added = container.run(*program, "token", "add", "me", "--scope", "write", "--json")
    bearer = {"Authorization": f"Bearer {json.loads(added.stdout)['token']}"}
    with container.serving(tmp_path / "log.txt") as process:
        address, host = f"http://127.0.0.1:{container.port}", f"localhost:{container.port}"
        answer(f"{address}/v1/health", process, seconds=START_SECONDS)
        healthy = container.run(*container.step("HEALTHCHECK"))
        assert healthy.returncode == 0, healthy.stderr
        assert asked(address, "/v1/documents", host=host)[0] == http.HTTPStatus.UNAUTHORIZED
        assert asked(address, "/", host=host)[0] == http.HTTPStatus.SEE_OTHER
        status, text = asked(address, "/v1/documents", host=host, headers=bearer)
        assert status == http.HTTPStatus.OK and "Walks on graphs" in text
        assert "<title>" in asked(address, "/", host=host, headers=bearer)[1]
    said = (tmp_path / "log.txt").read_text("utf-8", "replace")
    assert "Traceback" not in said, said
