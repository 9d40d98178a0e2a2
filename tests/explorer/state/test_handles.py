"""Doors that open while things change: what they hold afterwards is what the disk holds."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path
from typing import Any

import pytest

import engine.ingest
import engine.maps
from engine.documents import Document
from engine.library import Library
from engine.maps import LibraryMap
from engine.search import Question
from explorer.state import generations, handles
from tests.explorer.conftest import OWN

NAME = "word2vec-sif"
QUERY = Document("q", title="Random walks on a graph")


class Slow:
    """A function that waits, in the thread of one visitor, between its work and its return."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> None:  # noqa: ANN401  a module
        self.done, self.go = threading.Event(), threading.Event()
        self._work = getattr(module, name)
        monkeypatch.setattr(module, name, self)

    def __call__(self, *arguments: object, **options: object) -> object:
        result = self._work(*arguments, **options)
        if threading.current_thread().name == "visitor":
            self.done.set()
            assert self.go.wait(30)
        return result


@pytest.fixture
def held(empty_folder: Path) -> Path:
    """The library, with a folder for vectors that holds none yet."""
    with Library.open(empty_folder, create=True) as library:
        library.add_file("own", "own.jsonl", OWN)
        (library.vectors_folder(NAME) / "started").mkdir(parents=True)
    return empty_folder


@pytest.mark.usefixtures("held")
def test_vectors_that_were_opened_while_others_came_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(monkeypatch, engine.ingest, "open_index")
    visitor = threading.Thread(target=handles.vector_count, args=(NAME,), name="visitor")
    visitor.start()
    assert slow.done.wait(30)
    handles.prepare(NAME)
    slow.go.set()
    visitor.join(30)
    assert handles.vector_count(NAME) == handles.document_count() == len(OWN)
    assert handles.is_prepared(NAME)
    assert len(handles.searcher(NAME).search(Question(QUERY, k=3, ranking="encoder")).results) == 3


@pytest.mark.usefixtures("held")
def test_a_map_that_was_opened_while_another_was_drawn_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    handles.prepare(NAME)
    handles.draw_map(NAME)
    slow = Slow(monkeypatch, engine.maps, "kept_map")
    opened: list[LibraryMap] = []
    visitor = threading.Thread(target=lambda: opened.append(handles.library_map(NAME)), name="visitor")
    visitor.start()
    assert slow.done.wait(30)
    handles.draw_map(NAME)
    slow.go.set()
    visitor.join(30)
    again = handles.library_map(NAME)
    assert again is not opened[0]
    assert handles.library_map(NAME) is again


def test_a_library_that_was_replaced_is_another_one_with_as_many_documents(held: Path) -> None:
    handles.prepare(NAME)
    before, searcher = handles.library_state(), handles.searcher(NAME)
    assert handles.library_state() == before
    handles.prepare(NAME)
    assert handles.library_state() == before  # its vectors are others, its words are not
    assert handles.holds(OWN[0])
    shutil.rmtree(held)
    with Library.open(held, create=True) as library:
        library.add_file("new", "new.jsonl", [Document(f"n{n}", title=f"Kites, part {n}") for n in range(len(OWN))])
    assert handles.library_state()[2] == before[2]
    assert handles.library_state() != before
    assert not handles.holds(OWN[0])
    assert handles.searcher(NAME) is not searcher


@pytest.mark.usefixtures("empty_folder")
def test_visitors_who_forget_at_once_are_all_counted() -> None:
    before = generations.number("made")
    threads = [threading.Thread(target=generations.forget, args=("made",)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert generations.number("made") == before + 8
    assert generations.number("library") == 0
