"""A tiny library of our own texts, and the app on it."""

from __future__ import annotations

import html
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest, local_script_runner
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from engine.compare import Comparison, Exclusions
from engine.core.progress import Report, silent
from engine.documents import Document, Section
from engine.encoders import EncoderCard, registry
from engine.library import Library
from engine.workspace import Workspace
from engine.workspace.comparison import Comparer
from explorer.compare.cells import section_heatmap
from explorer.search import asking
from explorer.shared.heatmap import HeatmapValues
from explorer.state import background, handles
from explorer.state.examples import examples
from tests.explorer.comparisons import made_comparison

Start = Callable[..., AppTest]
"""Opens the app at a link whose parameters are given by name."""

APP = Path(__file__).resolve().parents[2] / "streamlit_app.py"
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)> [x](javascript:alert(3)) $$E$$ :material/bolt: walk"

OWN = (
    Document(
        "p1",
        "paper",
        "Cover times of random walks",
        "A random walk on a graph visits every vertex. We bound the cover time by the spectral gap of the graph.",
        (Section("Introduction", "The mixing time of a random walk on a regular graph is governed by conductance."),),
        year=2012,
        categories=("math.PR", "cs.DM"),
        venue="Annals of Walks",
        authors=("Ada Lovelace", "Grace Hopper"),
        url="https://example.org/p1",
    ),
    Document("p2", "paper", "Mixing of Markov chains", "A Markov chain mixes fast if conductance is large.", year=2015),
    Document("p3", "paper", "Rotons in helium", "The roton minimum of a superfluid, seen with neutrons.", year=1999),
    Document("p4", "paper", HOSTILE, f"A lazy walk on a graph. {HOSTILE}", year=2001, categories=(HOSTILE,)),
    Document(
        "US1",
        "patent",
        "Telegraph relay",
        "A relay for telegraphs with a polarized armature.",
        year=1885,
        categories=("H04L",),
        claims=("A telegraph relay having an armature.", "The relay of claim 1."),
    ),
    Document("US2", "patent", "Car coupling", "A coupling for railway cars with a locking block.", year=1890),
)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search page waits for its whole answer, however slow the machine is."""
    monkeypatch.setattr(asking, "PATIENCE_SECONDS", None)


@pytest.fixture(scope="session", autouse=True)
def scanned_once() -> Iterator[None]:
    """Streamlit looks through every installed package at each start of an app: here once for all tests of a process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture(scope="session", autouse=True)
def waits_once() -> Iterator[None]:
    """Streamlit's tests look a thousand times a second whether a run is over: here they wait for its thread to end."""
    look = local_script_runner.require_widgets_deltas

    def wait(runner: LocalScriptRunner, timeout: float = 3) -> None:
        assert runner._script_thread is not None
        runner._script_thread.join(timeout)
        look(runner, timeout if runner.script_stopped() else 0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "require_widgets_deltas", wait)
        yield


@pytest.fixture
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "library"
    monkeypatch.setenv("PRIORSCOPE_LIBRARY", str(folder))
    monkeypatch.setattr(Workspace, "warm", lambda self, name: None)  # a thread would outlive the folder
    monkeypatch.setattr(Workspace, "measure_reading", lambda self, names: None)
    monkeypatch.setattr(Workspace, "warm_comparison", lambda self: None)
    st.cache_resource.clear()
    st.cache_data.clear()
    yield folder
    st.cache_resource.clear()


@pytest.fixture(scope="session")
def read_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that every test starts from: encoding it takes longer than copying it."""
    from engine.workspace.indexing import encoder_for, index_library

    folder = tmp_path_factory.mktemp("own") / "library"
    with Library.open(folder, create=True) as library:
        library.add_file("own", "own.jsonl", OWN)
        library.record_failure("scan <b>.pdf", "Expected text; the pages are pictures. Run it through OCR first.")
        index_library(library, encoder_for(library, "tfidf"))
    return folder


@pytest.fixture
def folder(empty_folder: Path, read_once: Path) -> Path:
    shutil.copytree(read_once, empty_folder)
    return empty_folder


@pytest.fixture
def app() -> Start:
    def start(**link: str) -> AppTest:
        test = AppTest.from_file(str(APP), default_timeout=60)
        for key, value in {"encoder": "tfidf", **link}.items():
            test.query_params[key] = value
        return test.run()

    return start


@pytest.fixture(scope="session")
def small_salience(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small encoder of sentences among the shipped encoders."""
    from tests.encoders.keyvec.tiny import tiny_keyvec  # brings torch

    folder = without_keyvec(tmp_path_factory.mktemp("pretrained"))
    tiny_keyvec().save(folder / "keyvec")
    return folder


def without_keyvec(folder: Path) -> Path:
    """A folder with the shipped encoders, but for the one that weighs sentences."""
    folder.mkdir(exist_ok=True)
    for shipped in registry.PRETRAINED.iterdir():
        if shipped.name != "keyvec":
            (folder / shipped.name).symlink_to(shipped)
    return folder


@pytest.fixture
def installed(small_salience: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The library, and the small encoder installed."""
    monkeypatch.setattr(registry, "PRETRAINED", small_salience)
    return folder


@pytest.fixture
def by_hand(empty_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Comparisons are made by hand: nothing is encoded, and the library is empty unless a test asks for another."""

    def compare(
        _: Comparer, a: Document, b: Document, exclusions: Exclusions, *, report: Report = silent
    ) -> Comparison:
        del report
        return made_comparison(a, b, exclusions=exclusions, gone=[0] if exclusions.references else [])

    monkeypatch.setattr(Comparer, "is_read", lambda self, document: True)
    monkeypatch.setattr(Comparer, "compare", compare)
    monkeypatch.setattr(Comparer, "within", lambda self, one, exclusions: compare(self, one, one, exclusions))
    monkeypatch.setattr(Comparer, "encoder", lambda self: SimpleNamespace(card=EncoderCard("colde", "", 4, "f")))


@pytest.fixture
def compare_page(app: Start) -> Start:
    """Opens the compare page at a link."""

    def start(**link: str) -> AppTest:
        return app(**link).switch_page("explorer/compare/view.py").run()

    return start


def finished(test: AppTest) -> AppTest:
    """The page that tells how the background jobs ended."""
    job = handles.workspace().jobs.last()
    assert job is not None
    assert job.finished.wait(60)
    while line := background.in_line():  # one that ends may ask for another
        assert line[0].finished.wait(60)
    if background.WATCHED not in test.session_state:
        return test  # the page has told it already
    test.session_state[background.BY_ITSELF] = True  # as the line does when a job ends
    return test.run()


def page_html(test: AppTest) -> str:
    return "\n".join(block.body for block in test.html)


def open_card(app: Start, name: str) -> AppTest:
    """The models page with the card of an encoder."""
    return app(card=name).switch_page("explorer/models/view.py").run()


def page_text(test: AppTest) -> str:
    return html.unescape(page_html(test))


def example_names() -> list[str]:
    return list(examples())


@pytest.fixture
def heat() -> HeatmapValues:
    return section_heatmap(made_comparison())
