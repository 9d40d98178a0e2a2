"""The documents of a comparison are read in the background where they are long."""

from __future__ import annotations

import pytest

from engine.documents import Document
from explorer.compare import handles
from explorer.state import jobs
from explorer.state.examples import every_example
from explorer.state.pair import Pair
from tests.explorer.compare.pages import PAIR
from tests.explorer.conftest import Start, finished, page_text

pytestmark = pytest.mark.usefixtures("by_hand")


def test_long_documents_are_read_in_the_background(compare_page: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Document] = []
    monkeypatch.setattr(handles, "is_read", lambda document: document in read)
    monkeypatch.setattr(handles, "read", lambda document, report=None: read.append(document))
    monkeypatch.setattr(handles, "LONG_WORDS", 100)
    test = finished(compare_page(**PAIR))
    assert not test.exception
    assert jobs.last() is not None
    assert [document.title for document in read] == [
        every_example()[name.split(":")[1]].title for name in PAIR.values()
    ]
    assert "document similarity" in page_text(test)


def test_long_documents_are_compared_in_the_background(compare_page: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[str, str]] = []
    weighed: list[tuple[str, str]] = []
    monkeypatch.setattr(handles, "weigh", lambda a, b, report: weighed.append((a.title, b.title)))
    monkeypatch.setattr(handles, "is_compared", lambda a, b, pair: (a.title, b.title) in compared)
    monkeypatch.setattr(handles, "compare", lambda a, b, pair, report: compared.append((a.title, b.title)))
    test = finished(compare_page(**PAIR))
    assert not test.exception
    assert weighed == compared
    assert len(compared) == 1 and jobs.last() is not None
    assert "document similarity" in page_text(test)


@pytest.mark.usefixtures("compare_page")
def test_only_long_documents_are_worth_a_job(monkeypatch: pytest.MonkeyPatch) -> None:
    short, long = Document("s", abstract="Kites."), Document("l", abstract="Kites fly. " * 40_000)
    comparer = handles.handles.workspace().comparer()
    monkeypatch.setattr(type(comparer), "is_compared", lambda self, a, b, exclusions: exclusions.min_words == 5)
    assert handles.is_compared(short, short, Pair())
    assert not handles.is_compared(short, long, Pair()) and handles.is_compared(short, long, Pair(min_words=5))
