"""The pages of docs/: every example of a page runs, in its order, and prints what the page shows.

`priorscope serve` starts a server of the test; curl, Python and the cells of a notebook ask it at the page's port.
Where curl is not installed, Python does what it would, and a skipped test says so.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import pytest

from engine.cli.main import COMMANDS, build_parser, main
from engine.server import PORT, create_app
from engine.server.address import ServingSettings
from engine.server.serving import guarded
from engine.workspace import Workspace
from tests.server.conftest import listening

PROJECT = Path(__file__).resolve().parents[2]
PAGES = sorted((PROJECT / "docs").glob("*.md"))
NOTEBOOKS = sorted((PROJECT / "docs").glob("*.ipynb"))
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!https?:)([^)#]+)\)")
_SECONDS = 120.0
CURL = shutil.which("curl")


class Block(NamedTuple):
    """A fenced block of a page."""

    language: str
    text: str


def blocks(page: Path) -> Iterator[Block]:
    for found in _BLOCK.finditer(page.read_text("utf-8")):
        yield Block(found[1], found[2])


@dataclass
class Desk:
    """Where a page's examples run: a folder with our examples and a library, and a server once one was started."""

    library: Path
    stack: ExitStack
    port: int = PORT
    workspace: Workspace | None = None

    def serve(self) -> None:
        """Start a server over the library; a second one on a page is the first."""
        if self.workspace is None:
            self.workspace = self.stack.enter_context(Workspace(self.library))
            app = guarded(create_app(self.workspace), self.library, ServingSettings())
            self.port = self.stack.enter_context(listening(app))

    def settle(self) -> None:
        """Wait until nothing changes the library."""
        while self.workspace and (jobs := self.workspace.jobs.in_line()):
            assert all(job.finished.wait(_SECONDS) for job in jobs)

    def here(self, text: str) -> str:
        """The text with the server's own port."""
        return text.replace(str(PORT), str(self.port))

    def run(self, line: str) -> None:
        """Run a line of a shell: our command, or curl."""
        program, *words = shlex.split(self.here(line))
        self.settle()
        if program == "curl":
            print(curl(words) if CURL else as_curl(words))
        elif words[:1] == ["serve"]:
            build_parser("serve").parse_args(words)
            self.serve()
        else:
            assert program == "priorscope" and main(words) == 0, line


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    (tmp_path / "assets").symlink_to(PROJECT / "assets")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PRIORSCOPE_LIBRARY", str(tmp_path / "library"))
    with ExitStack() as stack:
        yield Desk(tmp_path / "library", stack)


def curl(words: list[str]) -> str:
    """What curl prints."""
    command = [CURL or "curl", "--silent", "--show-error", "--noproxy", "*", *words]
    ended = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=_SECONDS)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def as_curl(words: list[str]) -> str:
    """What curl would print: the few options that the pages use."""
    parser = argparse.ArgumentParser("curl")
    for flags in (("-H",), ("-F",)):
        parser.add_argument(*flags, action="append", default=[])
    for flags in (("-d",), ("--etag-save",), ("--etag-compare",)):
        parser.add_argument(*flags)
    parser.add_argument("-i", action="store_true")
    parser.add_argument("url")
    given = parser.parse_args(words)
    headers = dict(one.split(": ", 1) for one in given.H)
    if given.etag_compare:
        headers["If-None-Match"] = Path(given.etag_compare).read_text("utf-8")
    sent = [(name, Path(path)) for name, path in (one.split("=@", 1) for one in given.F)]
    files = [(name, (path.name, path.read_bytes())) for name, path in sent]
    verb = "POST" if files or given.d is not None else "GET"
    answer = httpx2.request(verb, given.url, headers=headers, content=given.d, files=files or None, timeout=_SECONDS)
    if given.etag_save:
        Path(given.etag_save).write_text(answer.headers["ETag"], "utf-8")
    return f"HTTP/1.1 {answer.status_code} {answer.reason_phrase}\n{answer.text}" if given.i else answer.text


@pytest.mark.skipif(not CURL, reason="curl is not installed: the pages' examples of it were run by an imitation")
def test_curl_is_imitated_to_the_letter(desk: Desk, tmp_path: Path) -> None:
    assert main(["import", "assets/examples/car-coupling.md", "--encoder", "tfidf"]) == 0
    desk.serve()
    desk.settle()  # what is read meanwhile changes the list's tag
    address, tag = f"http://127.0.0.1:{desk.port}/v1", str(tmp_path / "tag.txt")
    for words in (
        [f"{address}/documents?line=title:car"],
        [f"{address}/citations", "-H", "Content-Type: application/json", "-d", '{"document": {"text": "a spring"}}'],
        ["-F", "file=@assets/examples/car-coupling.md", f"{address}/uploads"],
        ["--etag-save", tag, f"{address}/documents"],
        ["-i", "--etag-compare", tag, f"{address}/documents"],
    ):
        real, ours = (re.sub('"upload":"[^"]+"', "", run(words)) for run in (curl, as_curl))
        assert real.splitlines()[0].strip() == ours.splitlines()[0].strip(), words


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_a_page_run(page: Path, desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    run, printed = 0, ""
    for block in blocks(page):
        if block.language == "text":
            assert [line for line in block.text.splitlines() if line not in printed] == [], printed
            continue
        if block.language == "python":
            desk.settle()
            exec(compile(desk.here(block.text), str(page), "exec"), {})  # a page of ours
        for line in block.text.replace("\\\n", " ").splitlines() if block.language == "sh" else ():
            desk.run(line)
        run, printed = run + 1, capsys.readouterr().out
    assert run, f"{page.name} has no example"


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_the_cells_of_a_notebook_run_in_order(notebook: Path, desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "assets/examples"]) == 0
    desk.serve()
    desk.settle()
    capsys.readouterr()
    names: dict[str, Any] = {}
    cells = [one for one in json.loads(notebook.read_text("utf-8"))["cells"] if one["cell_type"] == "code"]
    for cell in cells:
        told, shown = ran(desk.here("".join(cell["source"])), names), capsys.readouterr().out
        assert [output(one) for one in cell["outputs"]] == [one for one in (shown, told) if one]
    assert len({cell["id"] for cell in cells}) == len(cells) >= 4


def ran(source: str, names: dict[str, Any]) -> str:
    """Run a cell; what a notebook would show of its last line, if that is a value."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "cell", "exec"), names)  # a notebook of ours
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if isinstance(last, ast.Expr) else None
    return "" if value is None else repr(value)


def output(one: dict[str, Any]) -> str:
    """An output that a notebook keeps, as text."""
    return "".join(one["text"] if one["output_type"] == "stream" else one["data"]["text/plain"])


def test_the_page_on_the_server_has_a_row_a_command_and_names_every_route(desk: Desk) -> None:
    rows = cells_below("| command | routes |")
    assert sorted(name for command, _, _ in rows for name in re.findall(r"`([\w-]+)`", command)) == sorted(COMMANDS)
    assert [command for command, routes, reason in rows if not routes and not reason] == []
    named = re.findall(r"`([A-Z]+ /\S+)`", " ".join(routes for _, routes, _ in rows))
    with Workspace(desk.library, create=True) as workspace:
        paths = create_app(workspace).openapi()["paths"]
    known = [f"{verb.upper()} {path}" for path, verbs in paths.items() for verb in verbs]
    assert sorted(named) == sorted(known), "Each route stands once, beside the command that does the same"


def cells_below(head: str) -> list[list[str]]:
    """The rows of the table of the page on the server that begins so."""
    lines = (PROJECT / "docs" / "server.md").read_text("utf-8").partition(head)[2].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in takewhile(bool, lines)]


def options_of(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """What a parser takes beside what stands without a name, and those of its actions take."""
    for one in parser._actions:
        if isinstance(one, argparse._SubParsersAction):
            for inner in one.choices.values():
                yield from options_of(inner)
        elif one.option_strings and not {"--help", "--json", "--library"} & {*one.option_strings}:
            yield one


def fields_of(schema: dict[str, Any], operation: dict[str, Any]) -> Iterator[str]:
    """The names of what a route takes: of its address, and of its body."""
    yield from (one["name"] for one in operation.get("parameters", ()))
    for content in operation.get("requestBody", {}).get("content", {}).values():
        name = content["schema"]["$ref"].rpartition("/")[2]
        yield from schema["components"]["schemas"][name]["properties"]


def test_an_option_is_a_field_of_a_route_of_its_command_or_the_page_says_what_to_do_instead() -> None:
    schema, without = create_app(Workspace(Path("nowhere"))).openapi(), set()
    for name, routes, _ in cells_below("| command | routes |"):
        command, found = name.strip("`"), re.findall(r"`([A-Z]+) (/\S+)`", routes)
        taken = {field for verb, path in found for field in fields_of(schema, schema["paths"][path][verb.lower()])}
        commands = build_parser(command)._actions[-1].choices
        assert isinstance(commands, dict)
        for option in options_of(commands[command]) if found else ():
            if option.dest not in taken:
                without.add((command, option.option_strings[0]))
    rows = cells_below("| command | options |")
    said = [
        (command.strip("`"), option) for command, options, _ in rows for option in re.findall("`(-[^`]+)`", options)
    ]
    assert sorted(said) == sorted(without)
    assert [row for row in rows if not row[2]] == []


@pytest.mark.parametrize(
    "page", [*PAGES, PROJECT / "README.md", PROJECT / "CONTRIBUTING.md"], ids=lambda page: page.stem
)
def test_what_a_page_links_to_is_there(page: Path) -> None:
    links = _LINK.findall(page.read_text("utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
