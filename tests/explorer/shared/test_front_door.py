"""Around every page: colours that can be read, nothing fetched from outside or loaded too early, no other site in."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from engine.encoders import registry
from engine.library import Library
from engine.reading import LIMITS
from engine.workspace.indexing import encoder_for, index_library
from explorer import ASSETS
from explorer.evaluate.view import MOST_MEGABYTES
from explorer.shared.front_door import OwnPages
from tests.explorer.conftest import OWN as DOCUMENTS

PROJECT = Path(__file__).resolve().parents[3]
CONFIG = tomllib.loads((PROJECT / ".streamlit" / "config.toml").read_text("utf-8"))
STYLE = (ASSETS / "style.css").read_text("utf-8")
COLOURS = {
    name: (light, dark) for name, light, dark in re.findall(r"--ps-([a-z-]+): light-dark\((#\w+), (#\w+)\)", STYLE)
}
PAIRS = [
    ("ink", "panel"),
    ("quiet", "panel"),
    ("accent", "accent-wash"),
    ("ochre", "ochre-wash"),
    ("mark-ink", "mark"),
    ("ink", "red-wash"),
]


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("ground", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "behind"), PAIRS)
def test_our_colours_can_be_read(text: str, behind: str, ground: int) -> None:
    assert contrast(COLOURS[text][ground], COLOURS[behind][ground]) >= 4.5


@pytest.mark.parametrize("ground", [0, 1], ids=["light", "dark"])
def test_the_themes_colours_can_be_read(ground: int) -> None:
    theme = CONFIG["theme"]["light" if ground == 0 else "dark"]
    button_text = ("#ffffff", "#06201e")[ground]
    assert button_text in STYLE
    assert contrast(theme["primaryColor"], button_text) >= 4.5
    for place in ("backgroundColor", "secondaryBackgroundColor"):
        for text in (theme["textColor"], theme["linkColor"], theme["primaryColor"], COLOURS["quiet"][ground]):
            assert contrast(text, theme[place]) >= 4.5


def test_the_server_takes_the_largest_upload_that_a_page_offers() -> None:
    assert CONFIG["server"]["maxUploadSize"] == MOST_MEGABYTES >= LIMITS.max_file_bytes >> 20
    pages = [path.read_text("utf-8") for path in (PROJECT / "explorer").rglob("*.py")]
    uploads = [call.split(")\n", 1)[0] for page in pages for call in page.split(".file_uploader(")[1:]]
    assert len(uploads) == 3 and all("max_upload_size=" in call for call in uploads)


def test_black_on_white_is_the_largest_contrast() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


def test_nothing_is_fetched_from_outside() -> None:
    paths = [*ASSETS.glob("*.*"), *(PROJECT / "explorer").rglob("*.*"), PROJECT / ".streamlit" / "config.toml"]
    for path in paths:
        if path.suffix in {".svg", ".css", ".toml", ".js"}:
            text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
            assert not re.search(r"https?://|//[a-z]+\.[a-z]", text), path


def test_the_pages_name_no_icon() -> None:
    assert "icon=" not in (PROJECT / "streamlit_app.py").read_text(
        "utf-8"
    )  # Streamlit fetches a page's icon from a CDN


@pytest.mark.parametrize("ground", [0, 1], ids=["light", "dark"])
def test_the_strongest_match_can_be_read(ground: int) -> None:
    compare = (ASSETS / "compare.css").read_text("utf-8")
    tint = re.findall(r"--ps-match: light-dark\((#\w+), (#\w+)\)", compare)[0][ground]
    assert contrast(COLOURS["ink"][ground], tint) >= 4.5


@pytest.mark.parametrize("ground", ["light", "dark"])
def test_the_steps_of_a_heatmap_rise_from_the_ground(ground: str) -> None:
    steps = [luminance(colour) for colour in CONFIG["theme"][ground]["chartSequentialColors"]]
    assert len(steps) == 10
    assert steps == sorted(steps, reverse=ground == "light")


OWN = "localhost:8501"


async def page(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
    else:
        await PlainTextResponse("a page")(scope, receive, send)


def answered(kind: str, **headers: str) -> list[Message]:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": f"{kind}.connect"}

    named = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope: dict[str, Any] = {"type": kind, "method": "GET", "path": "/", "headers": named}
    asyncio.run(OwnPages(page)(scope, receive, send))
    return sent


@pytest.mark.parametrize("origin", ["http://evil.example", "http://localhost:3000", "http://localhost", "null", ""])
def test_a_page_of_another_origin_opens_no_socket(origin: str) -> None:
    assert answered("websocket", host=OWN, origin=origin) == [{"type": "websocket.close", "code": 1008}]


def test_the_app_s_own_pages_open_it_and_programs_too() -> None:
    for headers in ({"host": OWN, "origin": f"http://{OWN}"}, {"host": OWN}):
        assert answered("websocket", **headers) == [{"type": "websocket.accept"}]


def test_no_page_can_be_framed() -> None:
    start, body = answered("http", host=OWN)
    assert (b"x-frame-options", b"SAMEORIGIN") in start["headers"]
    assert (b"content-security-policy", b"frame-ancestors 'self'") in start["headers"]
    assert body["body"] == b"a page"


HEAVY = {"torch", "transformers", "umap", "sklearn", "faiss", "numba", "gensim", "pypdfium2"}
SCRIPT = """
import json, sys
import streamlit
before = set(sys.modules)
from streamlit.testing.v1 import AppTest
from engine.workspace import Workspace
Workspace.warm = lambda self, name: None  # it works in the background after the first paint
test = AppTest.from_file("streamlit_app.py", default_timeout=60).run()
assert not test.exception, test.exception
assert test.title[0].value == "What lies near your document?"
loaded = {name.split(".")[0] for name in sys.modules} - {name.split(".")[0] for name in before}
engine = sorted(name for name in sys.modules if name.startswith("engine."))
print(json.dumps([sorted({name.split(".")[0] for name in sys.modules}), sorted(loaded), engine]))
"""


@pytest.mark.parametrize(("documents", "encoded"), [(0, False), (3, False), (3, True)])
def test_the_first_paint_loads_nothing_heavy(tmp_path: Path, documents: int, encoded: bool) -> None:
    with Library.open(tmp_path / "library", create=True) as library:
        library.add_file("own", "own.jsonl", DOCUMENTS[:documents])
        if encoded:
            index_library(library, encoder_for(library, registry.DEFAULT))
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=PROJECT,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PRIORSCOPE_LIBRARY": str(tmp_path / "library")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    held, loaded, engine = json.loads(run.stdout.strip().rsplit("\n", 1)[-1])
    assert set(held) & HEAVY == set()
    assert set(loaded) & {"plotly", "pyarrow", "pandas"} == set()  # what Streamlit loads itself is not ours
    assert {"engine.search.searcher", "engine.workspace.importing", "engine.maps.fitting"} & set(engine) == set()
