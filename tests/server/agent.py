"""An agent for tests: the SDK's own client, asked from ordinary functions, and a small library with pages for it."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client
from mcp.client import Transport
from mcp.server.lowlevel import Server
from mcp.types import CallToolResult, TextContent

from engine.core.progress import silent
from engine.server.agents.paging import BYTES_A_TOKEN
from engine.workspace import Workspace
from tests.browser.tiny_pdf import tiny_pdf
from tests.conftest import PROJECT
from tests.search.library import DOCUMENTS

EXAMPLES = PROJECT / "assets" / "examples"
PAGE_POINTS = 720


def paged_pdf(title: str, *names: str) -> bytes:
    """Some of the example texts, one after the other, as a PDF of several pages."""
    lines: list[tuple[int, str]] = [(20, title), (11, "Ada Example, Ben Example"), (0, "")]
    for name in names:
        for block in (EXAMPLES / f"{name}.md").read_text("utf-8").split("\n\n"):
            if block.startswith("#"):
                lines += [(0, ""), (14, block.strip("# \n"))]
            else:
                lines += [(11, line) for line in textwrap.wrap(" ".join(block.split()), 85)]
    pages: list[list[tuple[int, str]]] = [[]]
    height = 0
    for size, text in lines:
        height += max(size, 8) + 7
        if height > PAGE_POINTS:
            pages.append([])
            height = max(size, 8) + 7
        pages[-1].append((size, text.encode("latin-1", "replace").decode("latin-1")))
    return tiny_pdf(*(tuple(page) for page in pages))


def make_library(folder: Path) -> str:
    """Import a long PDF, two short texts and ours, and read all of it; the id of the PDF's document."""
    paper = folder.parent / "walks.pdf"
    paper.write_bytes(paged_pdf("Walks and waves on a lattice", "rewired-random-walk", "dipolar-condensate"))
    with Workspace(folder, create=True) as workspace:
        workspace.library.add_file("key", "texts", DOCUMENTS)
        workspace.import_paths([paper, EXAMPLES / "car-coupling.md"], encoder="default", report=silent)
        workspace.library.collections.add("To read", ["p-images", "US1"])
        return str(workspace.library.find_one("Walks and waves on a lattice").id)


@dataclass
class Agent:
    """A client that is connected; what it was told of progress is kept."""

    client: Client
    portal: BlockingPortal
    progress: list[tuple[float, str]] = field(default_factory=list)

    def call(self, tool: str, **arguments: object) -> CallToolResult:
        async def heard(progress: float, total: float | None, message: str | None) -> None:
            self.progress.append((progress, message or ""))

        async def asked() -> CallToolResult:
            return await self.client.call_tool(tool, arguments, progress_callback=heard)

        return self.portal.call(asked)

    def ask(self, tool: str, **arguments: object) -> dict[str, Any]:
        """The structured answer of a call that succeeds, and stays below its limit."""
        found = self.call(tool, **arguments)
        assert not found.is_error, text_of(found)
        assert found.structured_content is not None
        most = arguments.get("max_tokens", 1_500)
        assert isinstance(most, int)
        assert count_tokens(text_of(found)) <= most
        assert count_tokens(json.dumps(found.structured_content, ensure_ascii=False)) <= most
        return found.structured_content

    def all_of(self, tool: str, name: str, **arguments: object) -> list[Any]:
        """Every entry of a list of an answer, from page to page."""
        page = self.ask(tool, **arguments)
        found = list(page.get(name, ()))
        while "next" in page:
            page = self.ask(tool, cursor=page["next"], max_tokens=arguments.get("max_tokens", 1_500))
            assert page.keys() - {"next"}, "a page with nothing on it"
            found += page.get(name, ())
        return found

    def problem(self, tool: str, **arguments: object) -> str:
        """The sentence of a call that fails."""
        found = self.call(tool, **arguments)
        assert found.is_error and found.structured_content is None
        assert "Traceback" not in text_of(found) and "\n" not in text_of(found)
        return text_of(found)

    def tools(self) -> dict[str, Any]:
        return {tool.name: tool for tool in self.portal.call(self.client.list_tools).tools}


def count_tokens(text: str) -> int:
    return -(-len(text.encode()) // BYTES_A_TOKEN)


def text_of(found: CallToolResult) -> str:
    (content,) = found.content
    assert isinstance(content, TextContent)
    return content.text


@contextmanager
def connected(to: str | Server[Any] | Transport, *, mode: str = "auto") -> Iterator[Agent]:
    """An agent of a server, an address or a transport, within the block."""
    with start_blocking_portal() as portal:
        with portal.wrap_async_context_manager(Client(to, mode=mode)) as client:
            yield Agent(client, portal)
