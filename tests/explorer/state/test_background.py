"""Background jobs as their visitor sees them, and the first reading of a library."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from engine.core.errors import LibraryError
from engine.core.progress import Report, silent
from engine.encoders import registry
from engine.library import Library
from engine.workspace import Workspace
from explorer.state import background, handles
from tests.explorer.conftest import Start, finished, page_text


@pytest.mark.usefixtures("folder")
def test_a_job_that_ends_while_the_page_is_drawn_changes_all_of_the_page(
    app: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    going, encodes, prepare = threading.Event(), background.encodes, Workspace.prepare

    def held(self: Workspace, name: str, report: Report = silent) -> None:
        assert going.wait(60)
        prepare(self, name, report=report)

    def ended(name: str) -> bool:
        job = handles.workspace().jobs.last()
        assert job is not None
        going.set()
        assert job.finished.wait(60)
        return encodes(name)

    monkeypatch.setattr(Workspace, "reading_seconds", lambda self, name: 0.0)
    monkeypatch.setattr(Workspace, "prepare", held)
    test = app(encoder="lsa").button(key="prepare").click().run()
    assert "<dt>Your library</dt><dd>not encoded yet</dd>" in page_text(test)
    monkeypatch.setattr(background, "encodes", ended)  # the side has been drawn when the page asks
    test.run()
    assert "Your library is encoded with LSA." in page_text(test)
    assert "<dt>Your library</dt><dd>encoded, " in page_text(test)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The encoders under which a map was asked for."""
    asked: list[str] = []

    def draw_map(self: Workspace, name: str, report: Report) -> None:
        del self, report
        asked.append(name)

    monkeypatch.setattr(Workspace, "draw_map", draw_map)
    monkeypatch.setenv(background.READ_AT_START, "1")
    return asked


@pytest.mark.usefixtures("folder")
def test_a_library_that_was_never_read_is_read_once(app: Start, drawn: list[str]) -> None:
    test = finished(app())
    assert drawn == [registry.DEFAULT]
    assert "Your library is read, and its map is drawn." in page_text(test)
    assert not test.run().exception and not app().exception
    assert drawn == [registry.DEFAULT]


@pytest.mark.usefixtures("folder")
def test_what_cannot_be_read_says_why(app: Start, monkeypatch: pytest.MonkeyPatch, drawn: list[str]) -> None:
    def held(self: Workspace, name: str, report: Report) -> None:
        raise LibraryError(f"Expected {name} to be free.")

    monkeypatch.setattr(Workspace, "draw_map", held)
    assert f"Expected {registry.DEFAULT} to be free." in page_text(finished(app()))
    assert drawn == []


@pytest.mark.usefixtures("folder")
def test_it_is_not_begun_where_nobody_asked(app: Start, monkeypatch: pytest.MonkeyPatch, drawn: list[str]) -> None:
    monkeypatch.delenv(background.READ_AT_START)
    assert not app().exception
    assert drawn == [] and handles.workspace().jobs.last() is None


def test_a_library_that_was_drawn_before_is_left_as_it_is(app: Start, folder: Path, drawn: list[str]) -> None:
    with Library.open(folder) as library:
        library.map_folder(registry.DEFAULT).mkdir(parents=True)
    assert not app().exception
    assert drawn == [] and handles.workspace().jobs.last() is None


def test_a_reading_that_was_broken_off_goes_on(app: Start, folder: Path, drawn: list[str]) -> None:
    from engine.workspace.indexing import encoder_for, index_library

    with Library.open(folder) as library:
        index_library(library, encoder_for(library, registry.DEFAULT))
    finished(app())
    assert drawn == [registry.DEFAULT]


def test_passages_that_were_broken_off_are_read_on(
    app: Start, folder: Path, monkeypatch: pytest.MonkeyPatch, drawn: list[str]
) -> None:
    from engine.search import PassageEncoder
    from engine.vectors import PassageStore

    read: list[bool] = []
    monkeypatch.setattr(Workspace, "read_passages", lambda self, report: read.append(True))
    with Library.open(folder) as library:
        library.map_folder(registry.DEFAULT).mkdir(parents=True)
        name = PassageEncoder.shipped_fingerprint()
        PassageStore(library.passages_folder / name, fingerprint=name, dim=384).keep()
    finished(app())
    assert drawn == [] and read == [True]


@pytest.mark.usefixtures("empty_folder")
def test_an_empty_library_is_not_read(app: Start, drawn: list[str]) -> None:
    assert "Your library is empty" in page_text(app())
    assert drawn == [] and handles.workspace().jobs.last() is None
