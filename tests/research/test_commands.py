"""Every command that a text prints is one that the real parser takes; whole and quick ones run on a small library."""

from __future__ import annotations

import argparse
import importlib
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from engine.cli.main import COMMANDS, build_parser, main
from engine.research import __main__ as research

PROJECT = Path(__file__).resolve().parents[2]
PRIORSCOPE, RESEARCH = "priorscope ", "python -m engine.research "
SPAN = re.compile(r"`([^`\n]+(?:\n[^`\n]+)?)`")
FENCED = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class TakenError(Exception):
    """The parser took the command line."""


def printed(start: str) -> list[tuple[str, str]]:
    """Return each text with each of its commands that begin so; those of CHANGELOG.md are of earlier times."""
    texts = [*PROJECT.glob("*.md"), *PROJECT.glob("docs/*.md"), *PROJECT.glob("pretrained/**/*.md")]
    texts += [PROJECT / "engine" / "research" / "README.md"]
    found = [
        (str(path.relative_to(PROJECT)), command)
        for path in sorted(texts)
        if path.name != "CHANGELOG.md"
        for command in _commands(path.read_text("utf-8"))
        if command.startswith(start)
    ]
    return list(dict.fromkeys(found))


def _commands(text: str) -> Iterator[str]:
    for block in FENCED.findall(text):
        yield from (line.partition("  #")[0].strip() for line in block.splitlines())
    yield from (" ".join(found.split()) for found in SPAN.findall(FENCED.sub("", text)))


@pytest.mark.parametrize(("text", "command"), printed(PRIORSCOPE))
def test_a_command_of_the_product_is_taken(text: str, command: str) -> None:
    words = shlex.split(command)[1:]
    assert words[0] in COMMANDS or words in (["--help"], ["--version"]), text
    if len(words) > 1 and "--help" not in words:
        build_parser(words[0]).parse_args(words)


@pytest.mark.parametrize(("text", "command"), printed(RESEARCH))
def test_a_measuring_command_is_taken(text: str, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, *words = shlex.split(command)[3:]
    parse = argparse.ArgumentParser.parse_args

    def taken(self: argparse.ArgumentParser, *given: list[str]) -> None:
        parse(self, *given)
        raise TakenError

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", taken)
    if name == "NAME" or not words:
        return
    with pytest.raises(TakenError):
        importlib.import_module(f"engine.research.{research.commands()[name]}").main(words)


# Commands that are run ------------------------------------------------------------------------

STAND_INS = {
    "paper.pdf": "assets/examples/rewired-random-walk.md",
    "draft.pdf": "assets/examples/sentence-graph-duplicates.md",
    "FOLDER": "assets/examples",
}
"""What stands for a file or a folder of the reader's own."""

NOT_RUN: Mapping[str, str] = {
    r"priorscope( \w+)?|python -m engine\.research (match|colde_mix|quotes|word_order|dblp_stand_in)": "names it",
    r".* DIR\b.*|.* DIR/.*|.*=DIR\b.*|.* ID|.*--run FILE.*": "needs data or an encoder of the reader's own",
    r"priorscope (map|encoders measure) .*": "a map takes its time to compile; a model of the reader's own",
    r"priorscope (serve|mcp) .*": "answers until it is stopped",
    r"priorscope import ipg.*": "needs a week of grants from the USPTO",
    r"priorscope samples( --again)?": "downloads 26,277 documents",
    r'priorscope search "US .*': "needs that patent in the library",
    r"python -m engine\.research (quality|figures) --write": "writes into the tree",
    r"python -m engine\.research (bench|ctpe_files|student_between|first_run|planted_sentences|quick).*": (
        "measures a whole library, trainings or files of others for minutes or hours"
    ),
}
"""Printed commands that no test runs, by pattern, each with the reason."""


def whole(found: list[tuple[str, str]]) -> list[str]:
    """Return the commands that are run here: whole ones that no pattern leaves out, and that no example of docs/ is."""
    commands = dict.fromkeys(command for _, command in found)
    blocks = [block for path in (PROJECT / "docs").glob("*.md") for block in FENCED.findall(path.read_text("utf-8"))]
    run_with_their_page = {line.partition("  #")[0].strip() for block in blocks for line in block.splitlines()}
    left = [one for one in commands if one not in run_with_their_page]
    return [one for one in left if not any(re.fullmatch(pattern, one) for pattern in NOT_RUN)]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with our examples and a library of them."""
    folder = tmp_path_factory.mktemp("commands")
    (folder / "assets").symlink_to(PROJECT / "assets")
    assert main(["import", str(folder / "assets" / "examples"), "--library", str(folder / "library")]) == 0
    return folder


@pytest.mark.parametrize("command", whole(printed(PRIORSCOPE)))
def test_a_whole_command_of_the_product_runs_as_printed(
    command: str, small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(small)
    monkeypatch.setenv("PRIORSCOPE_LIBRARY", str(small / "library"))
    try:
        ended: object = main([STAND_INS.get(word, word) for word in shlex.split(command)[1:]])
    except SystemExit as end:  # of --help
        ended = end.code
    assert ended == 0, capsys.readouterr().err


@pytest.mark.parametrize("command", whole(printed(RESEARCH)))
def test_a_whole_measuring_command_runs_as_printed(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert research.main(shlex.split(command)[3:]) == 0, capsys.readouterr().err


def test_some_commands_are_run_and_each_reason_leaves_some_out() -> None:
    found = [*printed(PRIORSCOPE), *printed(RESEARCH)]
    assert "priorscope bake-off start default keywords" in whole(found) and len(whole(found)) >= 5
    for pattern, reason in NOT_RUN.items():
        assert any(re.fullmatch(pattern, command) for _, command in found), f"{pattern}: {reason}"
