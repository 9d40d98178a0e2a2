"""Every command that a text prints is one that the real parser takes."""

from __future__ import annotations

import argparse
import importlib
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.cli.main import COMMANDS, build_parser
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
    assert words[0] in COMMANDS or words == ["--help"], text
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
