"""Recent searches and comparisons: listed once each, bounded, forgotten on demand."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from engine.documents import Document
from engine.workspace.keeping import FOLDER, change_keeping
from engine.workspace.own_documents import OwnDocument, OwnDocuments
from engine.workspace.recent import MOST, Recent
from engine.workspace.workspace import Workspace


@pytest.fixture
def recent(tmp_path: Path) -> Recent:
    return Recent(tmp_path, OwnDocuments(tmp_path))


def titles(recent: Recent) -> list[str]:
    return [entry.title for entry in recent.listed().entries]


def test_the_last_asked_stands_first_with_a_link_that_restores_it(recent: Recent) -> None:
    recent.record("search", "Walks on graphs", {"doc": ["doi:10.1/x y"], "in": ["To read"], "k": ["20"]})
    recent.record("compare", "One and Other", {"a": ["library:p"], "b": ["example:e"]})
    first, second = recent.listed().entries
    assert (first.title, first.address) == ("One and Other", "compare?a=library%3Ap&b=example%3Ae")
    assert (second.title, second.address) == ("Walks on graphs", "?doc=doi%3A10.1%2Fx+y&in=To+read&k=20")
    assert first.when >= second.when > time.time() - 60


def test_what_is_asked_again_moves_up_with_its_new_filters(recent: Recent) -> None:
    recent.record("search", "Walks", {"doc": ["p"]})
    recent.record("search", "Kites", {"doc": ["q"]})
    recent.record("search", "Walks", {"doc": ["p"], "kind": ["patent"]})
    assert titles(recent) == ["Walks", "Kites"]
    assert recent.listed().entries[0].link == {"doc": ["p"], "kind": ["patent"]}
    recent.record("compare", "Walks", {"doc": ["p"], "a": ["library:p"], "b": ["library:q"]})
    assert len(titles(recent)) == 3


def test_another_window_and_a_restart_see_the_list(tmp_path: Path) -> None:
    with Workspace(tmp_path, create=True) as first, Workspace(tmp_path) as second:
        first.recent.record("search", "Walks", {"doc": ["p"]})
        second.recent.record("search", "Kites", {"doc": ["q"]})
        assert titles(first.recent) == titles(second.recent) == ["Kites", "Walks"]


def test_the_list_is_bounded(recent: Recent, tmp_path: Path) -> None:
    for number in range(MOST + 5):
        recent.record("search", f"Search {number}", {"doc": [str(number)]})
    assert len(titles(recent)) == MOST and titles(recent)[0] == f"Search {MOST + 4}"
    assert len(list((tmp_path / FOLDER / "recent").iterdir())) == MOST
    recent.record("search", "x" * 5_000, {"doc": ["x"]})
    assert titles(recent)[0] == "x" * 300


def test_old_entries_are_forgotten(recent: Recent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time()
    with monkeypatch.context() as past:
        past.setattr("time.time", lambda: now - 31 * 86_400)
        recent.record("search", "Old", {"doc": ["p"]})
    recent.record("search", "New", {"doc": ["q"]})
    assert titles(recent) == ["New"]
    assert len(list((tmp_path / FOLDER / "recent").iterdir())) == 1


def test_a_damaged_entry_is_counted_and_left_out(recent: Recent, tmp_path: Path) -> None:
    recent.record("search", "Walks", {"doc": ["p"]})
    recent.record("search", "Kites", {"doc": ["q"]})
    path = tmp_path / FOLDER / "recent" / f"{recent.listed().entries[1].key}.json"
    path.write_bytes(path.read_bytes().replace(b"Walks", b"Talks"))
    assert titles(recent) == ["Kites"] and recent.listed().damaged == 1
    recent.forget_all()
    assert titles(recent) == [] and recent.listed().damaged == 0


def test_an_entry_takes_the_document_along_that_only_it_names(recent: Recent, tmp_path: Path) -> None:
    own = OwnDocuments(tmp_path)
    both, alone = (own.keep(OwnDocument(Document("t", title=title), "Pasted text")) for title in ("Both", "Alone"))
    recent.record("search", "Both", {"own": [both]})
    recent.record("compare", "Both and Alone", {"a": [f"own:{both}"], "b": [f"own:{alone}"]})
    recent.forget(recent.listed().entries[0].key)
    assert titles(recent) == ["Both"] and [file.key for file in own.files()] == [both]
    recent.forget("0" * 32)
    recent.forget_all()
    assert titles(recent) == [] and own.files() == []


def test_nothing_is_noted_where_nothing_is_to_be_remembered(recent: Recent, tmp_path: Path) -> None:
    recent.record("search", "Before", {"doc": ["p"]})
    change_keeping(tmp_path, remember=False)
    recent.record("search", "After", {"doc": ["q"]})
    assert titles(recent) == ["Before"]


def test_only_their_owner_can_read_the_files(recent: Recent, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        recent.record("search", "Walks", {"doc": ["p"]})
    finally:
        os.umask(before)
    files = [path for path in (tmp_path / FOLDER).rglob("*") if path.is_file()]
    assert files and {path.stat().st_mode & 0o777 for path in files} == {0o600}


def test_many_windows_note_at_once(tmp_path: Path) -> None:
    def window(number: int) -> None:
        Recent(tmp_path, OwnDocuments(tmp_path)).record("search", f"Search {number % 5}", {"doc": [str(number % 5)]})

    with ThreadPoolExecutor(8) as windows:
        list(windows.map(window, range(40)))
    found = Recent(tmp_path, OwnDocuments(tmp_path)).listed()
    assert {entry.title for entry in found.entries} == {f"Search {number}" for number in range(5)}
    assert len(found.entries) == 5 and found.damaged == 0
