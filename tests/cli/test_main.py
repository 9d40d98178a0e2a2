"""The `priorscope` command: its parser, its exit codes and its errors."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from engine.cli import main as command
from engine.cli.options import LIBRARY_VARIABLE
from engine.core.errors import EngineError


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


@pytest.mark.parametrize("line", [[], ["frobnicate"], ["search"], ["search", "x", "-k", "abc"], ["map", "-k"]])
def test_a_wrong_command_line_is_one_line_and_exit_code_two(
    line: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        command.main(line)
    assert exit_.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith("priorscope") and error.endswith("--help` shows how it is used.\n")
    assert error.count("\n") == 1


def test_help_imports_no_library_and_no_command() -> None:
    code = "import sys; from engine.cli.main import main\ntry: main(['--help'])\nfinally: print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    listed, seen = run.stdout.rsplit("\n", 2)[0], set(run.stdout.splitlines()[-1].split())
    assert all(f"{name} " in listed or f"{name}\n" in listed for name in command.COMMANDS)
    heavy = {"numpy", "scipy", "torch", "transformers", "gensim", "faiss", "streamlit", "pypdfium2", "sqlite3", "tqdm"}
    assert not heavy & seen and "engine.cli.terminal" in seen
    assert not {f"engine.cli.{name}" for name in (*command.COMMANDS, "options", "import_files")} & seen


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
