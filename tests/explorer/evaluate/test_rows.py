"""The rankings that can be measured."""

from __future__ import annotations

import pytest

from explorer.state import handles
from tests.explorer.conftest import Start, page_text
from tests.explorer.evaluate.measuring import open_page


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(
    ("seconds", "label", "said"),
    [
        (None, "C-DSSM", "Measuring on a sample how long the others need"),
        (2.0, "C-DSSM", "The times are those to read your library on this machine"),
        (43.0, "C-DSSM · about 45 s", "The times are those to read your library on this machine"),
        (600.0, "C-DSSM · about 10 min", "The times are those to read your library on this machine"),
    ],
)
def test_an_encoder_that_has_not_read_the_library_says_how_long_that_takes_here(
    app: Start, monkeypatch: pytest.MonkeyPatch, seconds: float | None, label: str, said: str
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(handles, "reading_seconds", lambda name: seconds)
    monkeypatch.setattr(handles, "measure_reading", asked.extend)
    test = open_page(app)
    assert not test.exception
    assert label in test.button_group(key="evaluate-rows").options
    assert said in page_text(test)
    assert ("cdssm" in asked) is (seconds is None)
