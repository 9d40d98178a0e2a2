"""Queries whose right answers are known: a visitor's judgements."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.library import Library
from tests.explorer.conftest import Start, page_text
from tests.explorer.evaluate.measuring import DRAFT, measured


@pytest.mark.usefixtures("library")
def test_judgements_are_measured_listed_and_forgotten(app: Start, library: Path) -> None:
    with Library.open(library) as opened:
        opened.judgements.judge(DRAFT, "steam4", 1)
        opened.judgements.judge(DRAFT, "graph3", 0)
    test = measured(app, on="judged")
    assert not test.exception
    assert "measured on 1 query." in page_text(test)
    assert "1 of 2 relevant" in page_text(test)
    forget = next(button for button in test.button if (button.key or "").startswith("forget-"))
    forget.click().run()
    assert "None yet. Search for a document" in "".join(test.radio[0].proto.captions)
    assert [button.label for button in test.button if button.key == "to-search"] == ["Go to Search"]
