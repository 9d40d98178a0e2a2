"""What a comparison leaves out."""

from __future__ import annotations

import pytest

from tests.explorer.compare.pages import PAIR, charts
from tests.explorer.conftest import Start, page_text

pytestmark = pytest.mark.usefixtures("by_hand")


def test_what_is_left_out_changes_the_numbers_and_is_counted(compare_page: Start) -> None:
    test = compare_page(**PAIR)
    before = charts(test)[0]["data"][0]["z"]  # type: ignore[index]
    assert "1 as references" in page_text(test)
    assert "2 as too short" in page_text(test)
    test.checkbox(key="leave-references").uncheck().run()
    assert charts(test)[0]["data"][0]["z"] != before  # type: ignore[index]
    assert test.query_params["keep"] == "references"
    test.slider(key="leave-short").set_value(9).run()
    assert test.query_params["words"] == "9"
