"""The pages of docs/: every example of a page runs, in its order, and prints what the page shows."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.cli.main import main

PROJECT = Path(__file__).resolve().parents[2]
PAGES = sorted((PROJECT / "docs").glob("*.md"))
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!https?:)([^)#]+)\)")


class Block(NamedTuple):
    """A fenced block of a page."""

    language: str
    text: str


def blocks(page: Path) -> Iterator[Block]:
    for found in _BLOCK.finditer(page.read_text("utf-8")):
        yield Block(found[1], found[2])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_a_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "assets").symlink_to(PROJECT / "assets")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PRIORSCOPE_LIBRARY", str(tmp_path / "library"))
    run, printed = 0, ""
    for block in blocks(page):
        if block.language == "text":
            assert [line for line in block.text.splitlines() if line not in printed] == [], printed
            continue
        if block.language == "python":
            exec(compile(block.text, str(page), "exec"), {})  # a page of ours
        for line in block.text.splitlines() if block.language == "sh" else ():
            program, *arguments = shlex.split(line)
            assert program == "priorscope" and main(arguments) == 0, f"{line}\n{capsys.readouterr().err}"
        run, printed = run + 1, capsys.readouterr().out
    assert run, f"{page.name} has no example"


@pytest.mark.parametrize(
    "page", [*PAGES, PROJECT / "README.md", PROJECT / "CONTRIBUTING.md"], ids=lambda page: page.stem
)
def test_what_a_page_links_to_is_there(page: Path) -> None:
    links = _LINK.findall(page.read_text("utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
