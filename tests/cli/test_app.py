"""`priorscope app` as its user sees it; tests/test_wheel.py starts it in earnest."""

from __future__ import annotations

import socket
import subprocess
from pathlib import Path

import pytest

from engine.cli import app
from engine.cli.main import main


class Process:
    """What stands in for Streamlit."""

    code = 0
    interrupted = False
    started: list[dict[str, object]]

    def __init__(self, command: list[str], **options: object) -> None:
        self.started.append({"command": command, **options})
        self.ended = False

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.ended == self.interrupted

    def wait(self) -> int:
        if self.interrupted:
            raise KeyboardInterrupt
        return self.code

    def terminate(self) -> None:
        self.ended = True


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch) -> type[Process]:
    class Fresh(Process):
        started: list[dict[str, object]] = []  # noqa: RUF012  of this test alone

    monkeypatch.setattr(subprocess, "Popen", Fresh)
    return Fresh


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def test_streamlit_is_started_with_our_settings(
    process: type[Process], port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["app", "--library", "mine", "--port", str(port), "--no-browser"]) == 0
    (started,) = process.started
    assert started["command"][-2:] == [f"--server.port={port}", "--server.headless=true"]  # type: ignore[index]
    assert (Path(str(started["cwd"])) / ".streamlit" / "config.toml").is_file()
    assert started["env"]["PRIORSCOPE_LIBRARY"] == str(tmp_path / "mine")  # type: ignore[index]


@pytest.mark.parametrize(
    ("address", "named"),
    [("127.0.0.2", ["127.0.0.2"]), ("0.0.0.0", [socket.gethostname()]), ("::1", [])],
)
def test_the_app_answers_to_the_names_of_its_address_alone(
    process: type[Process], port: int, address: str, named: list[str]
) -> None:
    assert main(["app", "--port", str(port), "--no-browser", "--address", address]) == 0
    (started,) = process.started
    options: list[str] = [str(one) for one in started["command"]]  # type: ignore[attr-defined]
    assert f"--server.address={address}" in options
    allowed = [one.partition("=")[2] for one in options if one.startswith("--server.allowedHosts=")]
    assert allowed[:3] == ["localhost", "127.0.0.1", "::1"] and allowed[3:4] == named
    assert all(len(name) > 1 and "*" not in name for name in allowed)


@pytest.mark.usefixtures("process")
@pytest.mark.parametrize("address", ["192.0.2.1", "no name of this machine"])
def test_an_address_of_another_machine_is_refused(port: int, address: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["app", "--port", str(port), "--address", address]) == 2
    assert f"Expected a free port at an address of this machine, got {port} at {address}: " in capsys.readouterr().err


def test_a_package_has_its_settings_beside_its_assets(tmp_path: Path) -> None:
    assert app.settings_folder(tmp_path) == tmp_path / "assets"
    (tmp_path / ".streamlit").mkdir()
    assert app.settings_folder(tmp_path) == tmp_path


def test_an_interrupt_ends_the_app(process: type[Process], port: int) -> None:
    process.interrupted = True
    assert main(["app", "--port", str(port)]) == 130


def test_an_app_that_fails_says_so(process: type[Process], port: int, capsys: pytest.CaptureFixture[str]) -> None:
    process.code = 1
    assert main(["app", "--port", str(port)]) == 2
    assert "Expected the app to run until it is interrupted; it ended with 1." in capsys.readouterr().err


@pytest.mark.usefixtures("process")
def test_a_port_that_is_taken_or_cannot_be_one_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken = server.getsockname()[1]
        assert main(["app", "--port", str(taken)]) == 2
    said = capsys.readouterr().err
    assert f"Expected a free port at an address of this machine, got {taken} at 127.0.0.1: Address already" in said
    assert main(["app", "--port", "70000"]) == 2
    assert "Expected a port from 1 to 65535, got 70000." in capsys.readouterr().err
