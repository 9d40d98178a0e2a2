"""The `priorscope` command: its parser, options, exit codes, errors and bars, and how it starts the app."""

from __future__ import annotations

import argparse
import io
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from importlib import metadata
from pathlib import Path

import pytest

from engine.cli import app
from engine.cli import main as command
from engine.cli.main import main
from engine.cli.options import LIBRARY_VARIABLE, library_folder
from engine.cli.terminal import bar, exit_code_of
from engine.core.errors import EngineError, InputError, LibraryError
from engine.core.progress import Progress, Report


def run_with(monkeypatch: pytest.MonkeyPatch, action: object) -> int:
    def parser(_: str) -> argparse.ArgumentParser:
        built = argparse.ArgumentParser()
        built.add_argument("--verbose", action="store_true")
        built.set_defaults(run=action)
        return built

    monkeypatch.setattr(command, "build_parser", parser)
    return command.main([])


def raising(error: BaseException) -> object:
    def action(_: argparse.Namespace) -> None:
        raise error

    return action


def test_every_command_has_a_parser() -> None:
    help_text = command.build_parser().format_help()
    assert [name for name in command.COMMANDS if name not in help_text] == []


def test_a_users_error_is_one_line_and_exit_code_two(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_with(monkeypatch, raising(EngineError("Expected a PDF.\nFound a picture."))) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "priorscope: Expected a PDF. Found a picture.\n"


def test_a_request_of_the_system_to_end_closes_what_is_open(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before, closed = signal.getsignal(signal.SIGTERM), []

    def action(_: argparse.Namespace) -> None:
        assert signal.getsignal(signal.SIGTERM) is signal.default_int_handler  # else this would end the tests
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            threading.Event().wait(60)
        finally:
            closed.append(True)

    assert run_with(monkeypatch, action) == 130
    assert closed == [True] and "what was whole is kept" in capsys.readouterr().err
    assert signal.getsignal(signal.SIGTERM) == before


@pytest.mark.parametrize("line", [[], ["frobnicate"], ["compare"], ["search", "x", "-k", "abc"], ["map", "-k"]])
def test_a_wrong_command_line_is_one_line_and_exit_code_two(
    line: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        command.main(line)
    assert exit_.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith("priorscope") and error.endswith("--help` shows how to use it.\n")
    assert error.count("\n") == 1


def test_help_imports_no_library_and_no_command() -> None:
    code = "import sys; from engine.cli.main import main\ntry: main(['--help'])\nfinally: print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    listed, seen = run.stdout.rsplit("\n", 2)[0], set(run.stdout.splitlines()[-1].split())
    assert all(f"{name} " in listed or f"{name}\n" in listed for name in command.COMMANDS)
    heavy = {"numpy", "scipy", "torch", "transformers", "gensim", "faiss", "streamlit", "pypdfium2", "sqlite3", "tqdm"}
    assert not heavy & seen and "engine.cli.terminal" in seen
    assert not {f"engine.cli.{name}" for name in (*command.COMMANDS, "options", "import_files")} & seen


def test_the_version_is_the_installed_ones(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        command.main(["--version"])
    assert (end.value.code, capsys.readouterr().out) == (0, f"priorscope {metadata.version('priorscope')}\n")
    monkeypatch.setattr(metadata, "distribution", raising(metadata.PackageNotFoundError("priorscope")))
    with pytest.raises(SystemExit):
        command.main(["--version"])
    assert capsys.readouterr().out == "priorscope 0+unknown\n"


def test_a_file_gets_utf8_on_windows_as_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="cp1252", newline="\r\n"))
    assert exit_code_of(lambda: sys.stdout.writelines(["Łukasiewicz, 風\r\n"]), program="priorscope") == 0
    sys.stdout.flush()
    assert written.getvalue() == "Łukasiewicz, 風\r\n".encode()


@pytest.mark.parametrize("name", command.COMMANDS)
def test_a_command_that_is_named_knows_its_options(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for line in ([name, "--help"], ["--verbose", name, "--help"]):
        with pytest.raises(SystemExit):
            command.main(line)
        shown = capsys.readouterr().out
        assert shown.startswith(f"usage: priorscope {name}") and shown.count("\n  ") > 1


def test_the_commands_import_no_research() -> None:
    code = (
        "import sys; from engine.cli import main; [main.build_parser(name) for name in main.COMMANDS]; "
        "print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "engine.cli.evaluate" in run.stdout and "engine.research" not in run.stdout


def test_an_interrupt_is_exit_code_130(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_with(monkeypatch, raising(KeyboardInterrupt())) == 130


def test_success_is_exit_code_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_with(monkeypatch, lambda _: None) == 0


def test_our_own_defects_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ZeroDivisionError):
        run_with(monkeypatch, raising(ZeroDivisionError()))


@pytest.mark.parametrize(
    "line",
    [
        ["read", "why " * 100],
        ["search", "why " * 100],
        ["salient", "why " * 100],
        ["import", "why " * 100],
        ["compare", "why " * 100, "what " * 100],
        ["salient", "a.jsonl", "--encoder", "name" * 100],
        ["compare", "a.jsonl", "a.jsonl", "--encoder", "name" * 100],
        ["map", "--library", "name" * 100],
        ["import", "a.jsonl", "--library", "name" * 100],
        ["read", "a.jsonl/page"],
        ["evaluate", "--run", "name" * 100],
    ],
)
def test_a_text_in_a_path_s_place_is_one_line_and_exit_code_two(
    line: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.jsonl").write_text('{"title": "Kites", "abstract": "They fly."}')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(LIBRARY_VARIABLE, str(tmp_path / "library"))
    assert command.main(line) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("priorscope: ") and captured.err.count("\n") == 1


@pytest.mark.parametrize("as_json", [False, True])
def test_output_that_takes_few_characters_gets_others_replaced(tmp_path: Path, as_json: bool) -> None:
    (tmp_path / "paper.txt").write_text("Naïve kites — 風\n\nAbstract\nThey fly.\n", "utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "engine.cli.main", "read", str(tmp_path / "paper.txt"), *["--json"] * as_json],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=True,
    )
    if as_json:
        assert json.loads(run.stdout.decode("ascii"))["title"] == "Naïve kites — 風"
    else:
        assert run.stdout.decode("ascii").splitlines()[0] == "Na?ve kites ? ?"


def test_a_pipe_is_read_as_a_file(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "engine.cli.main", "read", "/dev/stdin"],
        input="Why do kettles whistle?",
        capture_output=True,
        text=True,
        check=True,
    )
    assert "query; read as text" in run.stdout


def test_a_missing_file_is_a_users_error(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "engine.cli.main", "read", str(tmp_path / "none.pdf")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert run.stdout == ""
    assert len(run.stderr.splitlines()) == 1


def test_the_library_is_named_by_option_then_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(LIBRARY_VARIABLE, str(tmp_path / "from-variable"))
    assert library_folder(argparse.Namespace(library=None)) == tmp_path / "from-variable"
    assert library_folder(argparse.Namespace(library=tmp_path)) == tmp_path


def test_a_library_that_cannot_be_reached_is_said() -> None:
    with pytest.raises(LibraryError, match=r"a library in namename.*\.\.\.; File name too long\. Name another folder"):
        library_folder(argparse.Namespace(library=Path("name" * 100)))


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
    assert started["env"]["MALLOC_ARENA_MAX"] == "1"  # type: ignore[index]


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


def test_a_stage_is_told_once_at_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    report = bar()
    for done in (1, 2, 3, 3):
        report(Progress("Encoding", done, 3, 1.0))
    report(Progress("Counting", 5, None, 1.0))
    assert capsys.readouterr().err.splitlines() == ["Encoding: 3 in 1.0 s"]


def test_a_file_name_does_not_command_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    bar()(Progress("read \x1b[2J\nkites", 3, 3, 1.0))
    assert capsys.readouterr().err == "read  [2J kites: 3 in 1.0 s\n"

    def refuse() -> None:
        raise InputError("Expected text in \x1b]0;owned\x07.txt.\nFound none.")

    assert exit_code_of(refuse, program="priorscope") == 2
    assert capsys.readouterr().err == "priorscope: Expected text in ]0;owned .txt. Found none.\n"


def test_a_log_hears_of_long_work_every_ten_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    report = bar()
    for seconds in range(25):
        said = f"{seconds * 100} documents"
        left = 25.0 - seconds if seconds > 15 else None
        report(Progress("import files", seconds // 9, 3, float(seconds), said, uneven=True, left=left))
        report(Progress("read large.xml", seconds * 100, 2_400, float(seconds), passing=True))
    report(Progress("import files", 3, 3, 25.0, "2500 documents, 1 failed"))
    assert capsys.readouterr().err.splitlines() == [
        "import files: 1 of 3 (1000 documents) in 10.0 s",
        "read large.xml: 1,000 of 2,400 in 10.0 s, about 14 s left",
        "import files: 2 of 3 (2000 documents) in 20.0 s, about 5 s left",
        "read large.xml: 2,000 of 2,400 in 20.0 s, about 4 s left",
        "import files: 3 (2500 documents, 1 failed) in 25.0 s",
    ]


def test_the_bar_of_a_file_goes_with_the_next_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    report = bar()
    for number in range(3):
        report(Progress("import files", number, 3, 1.0, f"{number * 50} documents"))
        report(Progress(f"read {number}.pdf", 7, 9, 1.0, passing=True))
    report(Progress("import files", 3, 3, 2.0, "150 documents"))
    last = capsys.readouterr().err.split("\r")[-3:]
    assert any("3/3" in line and "150 documents" in line for line in last)
    assert not any("0.pdf" in line or "1.pdf" in line for line in last)


def test_a_terminal_gets_the_bar_alone(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    report = bar()
    for done in (1, 3, 3):
        report(Progress("Encoding", done, 3, 1.0))
    shown = capsys.readouterr().err
    assert "3/3" in shown and "3 in 1.0 s" not in shown


def test_a_stage_that_begins_another_time_is_told_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_two(report: Report) -> str:
        for _ in range(2):
            for seconds in range(13):
                report(Progress("read chunks", seconds, 12, float(seconds)))
        return capsys.readouterr().err

    told = [line.partition(" in ")[0] for line in read_two(bar()).splitlines()]
    assert told == ["read chunks: 10 of 12", "read chunks: 12"] * 2
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    shown = read_two(bar())
    assert shown.count("12/12") >= 2 and shown.count("0/12") >= 2


def test_commands_look_for_dead_objects_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr("engine.cli.terminal.collect_seldom", lambda: asked.append(True))
    assert exit_code_of(lambda: None, program="p") == 0
    assert asked


def test_a_recipe_of_research_is_none_of_the_product(capsys: pytest.CaptureFixture[str]) -> None:
    for recipe in ("matcher-han", "glove-full"):
        assert command.main(["train", recipe, "--data", "DIR", "--out", "OUT"]) == 2
        assert f"got '{recipe}'.\n" in capsys.readouterr().err
