"""Around every page: colours that can be read, nothing fetched from outside, no other site in, and the line of jobs."""

from __future__ import annotations

import ast
import asyncio
import json
import re
import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send
from streamlit.testing.v1 import AppTest

import explorer
from engine.core.progress import Progress, Report
from engine.encoders import registry
from engine.library import Library
from engine.reading import LIMITS
from engine.workspace.indexing import encoder_for, index_library
from explorer import ASSETS
from explorer.evaluate.view import MOST_MEGABYTES
from explorer.shared.front_door import OwnPages
from explorer.shared.progress import progress_sentence
from explorer.state import background, handles
from tests.explorer.conftest import OWN as DOCUMENTS
from tests.explorer.conftest import Start, finished, page_text

PROJECT = Path(__file__).resolve().parents[2]
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

EXPLORER = Path(explorer.__file__).parent
PAGES = ("search", "compare", "map", "evaluate", "library", "models")


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


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        (Progress("Encoding", 500, 2000, 5.0), "Encoding: 500 of 2,000 · 100 a second · about 15 s left"),
        (Progress("Encoding", 2000, 2000, 20.0), "Encoding: 2,000 of 2,000 in 20 s"),
        (Progress("Reading", 3, None, 30.0), "Reading: 3"),
        (Progress("wait for other work", 0, None, 30.0), "Wait for other work"),
        (
            Progress("import files", 0, 1, 3.0, "12,345 documents", uneven=True),
            "Import files: 0 of 1 · 12,345 documents",
        ),
        (
            Progress("import files", 3, 4, 3.0, "9 documents", uneven=True),
            "Import files: 3 of 4 · 9 documents · 1 a second",
        ),
        (
            Progress("import files", 3, 4, 6.0, "9 documents", uneven=True, left=40.0),
            "Import files: 3 of 4 · 9 documents · about 40 s left",
        ),
        (
            Progress("import files", 4, 4, 3.0, "9 documents, 1 failed"),
            "Import files: 4 of 4 · 9 documents, 1 failed in 3 s",
        ),
        (
            Progress("download x", 5_000_000, 10_000_000, 1.0),
            "Download x: 5.0 MB of 10.0 MB · 5.0 MB a second · about 1 s left",
        ),
        (Progress("Reading", 0, 10, 0.0), "Reading: 0 of 10"),
    ],
)
def test_progress_says_count_rate_and_time_left(progress: Progress, words: str) -> None:
    assert progress_sentence(progress) == words


@pytest.fixture
def line() -> Iterator[Callable[[str], background.Job]]:
    """Asks for jobs that run until the test ends or cancels them."""
    go = threading.Event()

    def work(report: Report) -> str:
        while not go.wait(0.01):
            report(Progress("read <b>.pdf", 3, 10, 2.0))
        return "All is read."

    yield lambda name: handles.workspace().jobs.start(name, work)
    go.set()
    for job in background.in_line():
        assert job.finished.wait(60)


def on(app: Start, page: str) -> AppTest:
    test = app().switch_page(f"explorer/{page}/view.py").run()
    assert not test.exception
    return test


@pytest.mark.usefixtures("folder")
def test_every_page_shows_the_line_and_greys_out_no_button_without_a_reason(
    app: Start, line: Callable[[str], background.Job]
) -> None:
    line("Importing <i>")
    line("Drawing the map")
    for page in PAGES:
        test = on(app, page)
        text = page_text(test)
        assert "<strong>Importing <i></strong>" in text and "Read <b>.pdf: 3 of 10" in text, page
        assert "Waits for “Importing <i>”." in text, page
        assert [button.label for button in test.button if button.disabled and not button.help] == [], page
        busy = {button.key for button in test.button if button.disabled} - {"import-files", "import-folder", "read-own"}
        assert all(str(key).startswith("use-") for key in busy), page  # the encoder that is in use already


@pytest.mark.usefixtures("empty_folder")
def test_pages_over_an_empty_library_grey_out_no_button_without_a_reason(
    app: Start, line: Callable[[str], background.Job]
) -> None:
    line("Importing kites")
    for page in PAGES:
        test = on(app, page)
        assert [button.label for button in test.button if button.disabled and not button.help] == [], page
        assert page != "library" or not test.button(key="samples").disabled


def test_whatever_can_be_greyed_out_can_say_why() -> None:
    silent = [
        f"{path.relative_to(EXPLORER)}:{call.lineno}"
        for path in sorted(EXPLORER.rglob("*.py"))
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and {one.arg for one in call.keywords} & {"disabled", "help"} == {"disabled"}
    ]
    assert silent == []


@pytest.mark.usefixtures("folder")
def test_jobs_are_moved_up_and_cancelled_from_any_page(app: Start, line: Callable[[str], background.Job]) -> None:
    first, second, third = line("Import"), line("Draw"), line("Measure")
    test = on(app, "models")
    assert "Move up" not in [button.label for button in test.button if f"job-{second.number}-" in str(button.key)]
    test.button(key=f"job-{third.number}-up").click().run()
    assert [job.name for job in background.in_line()] == ["Import", "Measure", "Draw"]
    test.button(key=f"job-{second.number}-cancel").click().run()
    assert "“Draw” was taken out of the line before it began." in page_text(test)
    test.button(key=f"job-{first.number}-cancel").click().run()
    assert first.finished.wait(60)
    assert page_text(test).count("“Import” was stopped") + page_text(test.run()).count("“Import” was stopped") == 1
    assert background.in_line() == (third,)


@pytest.mark.usefixtures("folder")
def test_the_buttons_of_jobs_have_names_that_tell_them_apart(app: Start, line: Callable[[str], background.Job]) -> None:
    first, second, third = line("Importing x.pdf"), line("Drawing the map"), line("Importing x.pdf")
    names = _names_of(on(app, "models"), "jobs")
    assert names == {
        f"job-{first.number}": "Job 1: Importing x.pdf",
        f"job-{first.number}-cancel": "Cancel “Importing x.pdf”, number 1 in line",
        f"job-{second.number}": "Job 2: Drawing the map",
        f"job-{second.number}-cancel": "Cancel “Drawing the map”",
        f"job-{third.number}": "Job 3: Importing x.pdf",
        f"job-{third.number}-cancel": "Cancel “Importing x.pdf”, number 3 in line",
        f"job-{third.number}-up": "Move up “Importing x.pdf”, number 3 in line",
    }


def _names_of(test: AppTest, place: str) -> dict[str, str]:
    """The names that the page gives to groups and buttons."""
    parts = [part for part in test.get("bidi_component") if part.proto.id.endswith(f"-names-{place}")]
    found: dict[str, str] = json.loads(parts[0].proto.json)
    return found


@pytest.mark.usefixtures("folder")
def test_each_job_that_was_seen_is_told_once(app: Start) -> None:
    for name in ("One", "Two"):
        handles.workspace().jobs.start(name, lambda report, name=name: f"{name} is done.\nA detail of {name}.")
    go = threading.Event()
    handles.workspace().jobs.start("Three", lambda report: str(go.wait(60)))
    test = on(app, "models")
    handles.workspace().jobs.start("Four", lambda report: "Four is done.")  # comes in while the page stands
    test.run()
    go.set()
    told = page_text(finished(test))
    assert "Four is done." in told and "<p>True</p>" in told
    assert "Four is done." not in page_text(test.run())
    assert "Four is done." not in page_text(app())  # a visitor who never saw it in line


@pytest.mark.usefixtures("folder")
def test_what_stands_in_line_is_not_asked_for_twice(app: Start, line: Callable[[str], background.Job]) -> None:
    line("Importing kites")
    test = on(app, "map")
    test.button(key="draw-map").click().run()
    assert [job.name for job in background.in_line()] == ["Importing kites", "Drawing the map under TF-IDF"]
    assert "Its drawing stands in the line at the top of this page" in page_text(test)
    assert "draw-map" not in [button.key for button in test.button]
    test = on(app, "library")
    test.text_input(key="import-path").set_value("/kites").run()
    for _ in range(2):
        test.button(key="import-folder").click().run()
    assert [job.name for job in background.in_line()][2:] == ["Importing kites"]
    for job in background.in_line()[1:]:
        handles.workspace().jobs.cancel(job.number)


def test_a_cancelled_import_leaves_the_library_whole(folder: Path, app: Start, tmp_path: Path) -> None:
    for number in range(6):
        (tmp_path / f"{number}.md").write_text(f"# Kite {number}\n\n## Abstract\n\nKite {number} flies over a field.\n")
    workspace, seen = handles.workspace(), threading.Event()
    paths = [tmp_path / f"{number}.md" for number in range(6)]

    def work(report: Report) -> str:
        def heard(progress: Progress) -> None:
            if progress.stage == "import files" and progress.done == 3:
                workspace.jobs.cancel(job.number)
                seen.set()
            report(progress)

        assert begun.wait(60)
        workspace.import_paths(paths, encoder="tfidf", report=heard)
        return "All in."

    begun = threading.Event()
    job = handles.workspace().jobs.start("Importing kites", work)
    begun.set()
    assert job.finished.wait(60)
    assert seen.is_set() and job.outcome.endswith("was stopped (import files: 3 of 6). What was whole by then is kept.")
    held = len(workspace.library)
    assert held == 9
    assert len(workspace.library.ids()) == held
    workspace.prepare("tfidf")
    assert workspace.vector_count("tfidf") == held
    workspace.import_paths(paths, encoder="tfidf")
    assert len(workspace.library) == 12
