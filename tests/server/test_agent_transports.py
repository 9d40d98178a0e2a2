"""An agent over standard input and output, and over HTTP: a session of ten steps, what is written, and the end."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client.stdio import StdioServerParameters, stdio_client

from engine.cli.main import main
from engine.server import AccessTokens, create_app
from engine.server.access import Access
from engine.server.address import ServingSettings
from engine.server.agents.protocol import mcp_application
from engine.server.serving import guarded
from engine.workspace import Workspace
from engine.workspace.quotes import found_in
from tests.conftest import PROJECT
from tests.server.agent import Agent, connected
from tests.server.conftest import listening

SECONDS = 120
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "by hand", "version": "1"},
    },
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def command(folder: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "engine.cli.main", "mcp", "--library", str(folder), *more]


@contextmanager
def over_http(folder: Path, *more: str) -> Iterator[str]:
    """The address of `priorscope mcp --http` in a process of its own."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    line = [*command(folder, *more), "--http", "--port", port]
    with subprocess.Popen(line, stderr=subprocess.PIPE, cwd=PROJECT) as process:
        try:
            assert process.stderr is not None
            said = process.stderr.readline().decode()
            assert said == f"Agents are answered at http://127.0.0.1:{port}/mcp\n"
            yield said.split()[-1]
        finally:
            process.terminate()
            process.communicate(timeout=SECONDS)


@pytest.fixture(params=["stdio", "http"])
def agent(request: pytest.FixtureRequest, made: tuple[Path, str]) -> Iterator[Agent]:
    """An agent of a real process, over each transport."""
    if request.param == "http":
        with over_http(made[0]) as address, connected(address) as found:
            yield found
        return
    program, *arguments = command(made[0])
    started = StdioServerParameters(command=program, args=arguments, env=dict(os.environ), cwd=PROJECT)
    with connected(stdio_client(started)) as found:
        yield found


def test_a_session_of_ten_steps_ends_with_quotes_that_stand_in_their_source(
    agent: Agent, made: tuple[Path, str]
) -> None:
    folder, paper = made
    # 1-2: what there is, and which tools work
    assert {"find_documents", "find_source"} <= agent.tools().keys() and "import_file" not in agent.tools()
    assert agent.ask("library_overview")["state"] == "ready"
    # 3-4: find what mixes, and go on
    page = agent.ask("find_documents", text="how long a random walk takes to mix on a changing graph", max_tokens=300)
    assert page["documents"][0]["id"] == paper
    assert agent.ask("find_documents", cursor=page["next"], max_tokens=300)["documents"]
    # 5-6: its outline, then two sections
    sections = {one["heading"]: one["number"] for one in agent.ask("read_document", id=paper)["sections"]}
    asked = [sections["Main result"], sections["Experiments"]]
    texts = agent.ask("read_document", id=paper, sections=asked)["texts"]
    # 7: another document beside it
    compared = agent.ask("compare_documents", id=paper, other_id="p-molecules")
    assert compared["a"]["id"] == paper and compared["b"]["id"] == "p-molecules"
    # 8: what of a draft is new
    draft = "# Draft\n\nMixing takes place at the first time an edge on the walk's path has been rewired."
    assert agent.ask("whats_new", text=draft)["parts"][0]["nearest"]["id"] == paper
    # 9-10: quotes of what was read are checked, a made-up one is not taken
    quotes = [" ".join(one["text"].split()[:14]) for one in texts]
    with Workspace(folder) as workspace:
        (document,) = workspace.library.get([paper])
    for quote in quotes:
        found = agent.ask("find_source", quote=quote)
        (source,) = found["sources"]
        place = source["places"][0]
        stands = found_in(document, quote)
        assert found["verbatim"] and stands is not None and source["id"] == paper
        assert (place["section"], place["page"]) == (stands.part + 1, stands.page)
        assert quote in " ".join(place["text"].split())
    assert not agent.ask("find_source", quote="Mixing never takes place before an edge has been rewired.")["verbatim"]


# Standard input and output ------------------------------------------------------------------------


def spoken_to(folder: Path, code: str) -> subprocess.Popen[bytes]:
    """A process that runs some code first, and then answers on its standard input and output."""
    run = f"import sys\nfrom engine.cli.main import main\n{code}\nsys.exit(main(['mcp', '--library', {str(folder)!r}]))"
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen([sys.executable, "-c", run], cwd=PROJECT, **pipes)


def by_hand(folder: Path, messages: list[dict[str, Any]], code: str = "") -> tuple[dict[Any, Any], str, int]:
    """What a process answers, by id, to lines that are written by hand; what it logs, and how it ends with them."""
    waiting = {one["id"] for one in messages if "id" in one}
    with spoken_to(folder, code) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("".join(json.dumps(one) + "\n" for one in messages).encode())
        process.stdin.flush()
        answers = {}
        while waiting - answers.keys():
            answer = json.loads(process.stdout.readline())
            answers[answer.get("id")] = answer
        rest, log = process.communicate(timeout=SECONDS)  # closes the input
        assert [json.loads(line) for line in rest.splitlines()] == []
        return answers, log.decode(), process.returncode


def calling(number: int, tool: str, **arguments: object) -> dict[str, Any]:
    return {
        "jsonrpc": "2.0",
        "id": number,
        "method": "tools/call",
        "params": {"name": tool, "arguments": arguments},
    }


def test_nothing_but_the_protocol_is_written_to_standard_output(made: tuple[Path, str]) -> None:
    noisy = (
        "import os\nfrom engine.server.agents import tools\nanswer = tools.OverviewTool.answer\n"
        "def loud(*given):\n    print('from a library')\n    os.write(1, b'from C')\n    return answer(*given)\n"
        "tools.OverviewTool.answer = loud\nprint = print"
    )
    list_tools = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    answers, log, code = by_hand(made[0], [INITIALIZE, INITIALIZED, list_tools, calling(3, "library_overview")], noisy)
    assert all("result" in answers[number] for number in (1, 2, 3)) and code == 0
    assert answers[3]["result"]["structuredContent"]["state"] == "ready"
    assert "from a library" in log and "from C" in log


def test_what_is_no_message_does_not_end_the_session(made: tuple[Path, str]) -> None:
    lines = [INITIALIZE, INITIALIZED, {"jsonrpc": "2.0", "id": 2, "method": "no/such"}, calling(3, "library_overview")]
    answers, _, code = by_hand(made[0], [{"not": "a message"}, *lines])
    assert {number: "result" in answers[number] for number in (1, 2, 3)} == {1: True, 2: False, 3: True} and code == 0


def test_the_start_loads_no_model(made: tuple[Path, str]) -> None:
    heavy = "{'torch', 'transformers', 'faiss', 'sklearn', 'gensim', 'umap', 'streamlit'}"
    telling = f"import atexit\natexit.register(lambda: print('loaded', {heavy} & sys.modules.keys(), file=sys.stderr))"
    list_tools = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    answers, log, _ = by_hand(made[0], [INITIALIZE, INITIALIZED, list_tools], telling)
    assert len(answers[2]["result"]["tools"]) == 7 and "loaded set()" in log


def test_a_closed_input_ends_it_in_the_middle_of_a_call(made: tuple[Path, str]) -> None:
    endless = (
        "import time\nfrom engine.core.progress import Progress\nfrom engine.server.agents import tools\n"
        "def answer(asked, workspace, report):\n"
        "    print('begun', flush=True)\n"
        "    while True:\n"
        "        report(Progress('long', 0, None, 0.0))\n"
        "        time.sleep(0.01)\n"
        "tools.OverviewTool.answer = answer"
    )
    with spoken_to(made[0], endless) as process:
        assert process.stdin is not None and process.stderr is not None
        lines = INITIALIZE, INITIALIZED, calling(2, "library_overview")
        process.stdin.write("".join(json.dumps(one) + "\n" for one in lines).encode())
        process.stdin.flush()
        assert process.stderr.readline() == b"begun\n"
        process.communicate(timeout=SECONDS)
        assert process.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_while_it_waits_for_input(made: tuple[Path, str], number: int) -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command(made[0]), cwd=PROJECT, **pipes) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.send_signal(number)
        assert process.wait(SECONDS) == -number


# HTTP ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({}, 200),
    ],
)
def test_pages_of_other_sites_are_refused(made: tuple[Path, str], headers: dict[str, str], status: int) -> None:
    with Workspace(made[0]) as workspace, listening(_alone(workspace, made[0])) as port:
        sent = {"Accept": "application/json, text/event-stream", **headers}
        answer = httpx2.post(f"http://127.0.0.1:{port}/mcp", json=INITIALIZE, headers=sent, timeout=SECONDS)
        assert answer.status_code == status
        assert ("serverInfo" in answer.text) == (status == 200)
        assert "access-control-allow-origin" not in answer.headers


def test_the_server_answers_agents_beside_everything_else(made: tuple[Path, str], tmp_path: Path) -> None:
    shutil.copytree(made[0], tmp_path / "library")
    with Workspace(tmp_path / "library") as workspace:
        app = guarded(create_app(workspace, agents_write=True), workspace.folder, ServingSettings())
        with listening(app) as port, connected(f"http://127.0.0.1:{port}/mcp") as agent:
            assert agent.ask("find_documents", text="valve gear of a steam engine")["documents"][0]["kind"] == "patent"
            assert agent.ask("add_to_collection", collection="Valves", ids=["US1"])["done"].startswith("1 added.")
            listed = httpx2.get(f"http://127.0.0.1:{port}/v1/collections", timeout=SECONDS).json()["collections"]
    assert {"name": "Valves", "documents": 1} in listed


def _alone(workspace: Workspace, folder: Path, *, write: bool = False, needs_token: bool = False) -> Access:
    app = mcp_application(workspace, write=write)
    return Access(app, hosts=ServingSettings().hosts, tokens=AccessTokens(folder), needs_token=needs_token)


def test_a_token_that_may_only_read_gets_no_tool_that_writes(made: tuple[Path, str], tmp_path: Path) -> None:
    tokens = AccessTokens(tmp_path)
    secrets = {scope: tokens.add(scope, scope) for scope in ("read", "write")}
    with Workspace(made[0]) as workspace:
        app = _alone(workspace, tmp_path, write=True, needs_token=True)
        with listening(app) as port:
            listed = {scope: _tools_with(port, secret) for scope, secret in secrets.items()}
            refused = httpx2.post(f"http://127.0.0.1:{port}/mcp", json=INITIALIZE, timeout=SECONDS)
    assert "import_file" in listed["write"] and "import_file" not in listed["read"] and refused.status_code == 401


def _tools_with(port: int, secret: str) -> set[str]:
    headers = {"Authorization": f"Bearer {secret}", "Accept": "application/json, text/event-stream"}
    with httpx2.Client(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=SECONDS) as client:
        begun = client.post("/mcp", json=INITIALIZE)
        session = {"Mcp-Session-Id": begun.headers["mcp-session-id"], "MCP-Protocol-Version": "2025-06-18"}
        client.post("/mcp", json=INITIALIZED, headers=session)
        answer = client.post("/mcp", json={"jsonrpc": "2.0", "id": 2, "method": "tools/list"}, headers=session)
    (line,) = [line for line in answer.text.splitlines() if line.startswith("data: {")]
    return {tool["name"] for tool in json.loads(line.removeprefix("data: "))["result"]["tools"]}


def test_a_port_that_is_taken_is_told(made: tuple[Path, str], capsys: pytest.CaptureFixture[str]) -> None:
    with over_http(made[0]) as address:
        port = address.rsplit(":", 1)[1].split("/")[0]
        assert main(["mcp", "--library", str(made[0]), "--http", "--port", port]) == 2
    assert f"got {port} at 127.0.0.1: Address already in use." in capsys.readouterr().err
    assert main(["mcp", "--library", str(made[0]), "--http", "--port", "99999"]) == 2
    assert capsys.readouterr().err == "priorscope: Expected a port from 1 to 65535, got 99999.\n"


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        ("mcp", "mcp"),
        ("mcp --http", "uvicorn"),
        ("serve", "uvicorn"),
        ("serve", "fastapi"),
        ("token add me", "fastapi"),
    ],
)
def test_without_the_extra_one_sentence_says_what_to_install(tmp_path: Path, command: str, missing: str) -> None:
    run = "import sys; sys.modules[sys.argv.pop()] = None; from engine.cli.main import main; sys.exit(main())"
    words = [*command.split(), "--library", str(tmp_path / "library"), missing]
    ended = subprocess.run([sys.executable, "-c", run, *words], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert f"Expected the libraries that serve; {missing} is not installed. Install them: pip" in ended.stderr
    assert ended.stderr.count("\n") == 1 and not (tmp_path / "library").exists()
