"""The terminal's bars; without a terminal, a line now and then and one at the end of a stage."""

from __future__ import annotations

import sys

import pytest

from engine.cli.terminal import bar, exit_code_of
from engine.core.errors import InputError
from engine.core.progress import Progress, Report


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
