"""A decision in words, and the buttons that take it and take it back."""

from __future__ import annotations

from pathlib import Path

from engine.library import Library, Screened
from explorer.library.deciding import said_of
from tests.explorer.conftest import Start, page_text
from tests.explorer.library.pages import part


def test_a_decision_is_said_with_its_reason() -> None:
    assert str(said_of(Screened("included", "", ""))) == '<li class="ps-included">Included</li>'
    assert "Excluded: &lt;b&gt;" in said_of(Screened("excluded", "<b>", ""))


def test_a_decision_is_taken_back(app: Start, folder: Path) -> None:
    with Library.open(folder) as library:
        library.screening.decide(["p3"], "excluded", "No walk")
    test = part(app, "Documents", line="title:rotons")
    test = test.button(key="open-document-0").click().run()
    assert test.text_input(key="reason-document-p3").value == "No walk"
    test = test.button(key="undecide-document").click().run()
    assert not test.exception and "Excluded" not in page_text(test)
    with Library.open(folder) as library:
        assert library.screening.of(["p3"]) == [None]
