"""The works that two documents both cite, on screen."""

from __future__ import annotations

from engine.documents import Reference
from explorer.shared.both_cite import both_cite
from tests.documents.test_markup import HOSTILE


def test_shared_works_are_counted_and_listed_as_text() -> None:
    shown = both_cite([Reference(HOSTILE), Reference("", title="Kites")])
    assert "Both cite 2 works" in shown and "Kites" in shown
    assert "<script" not in shown


def test_without_shared_works_nothing_is_drawn() -> None:
    assert both_cite([]) == ""
