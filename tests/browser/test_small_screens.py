"""Every page on a screen of 1024 x 768, the smallest that shows all of it side by side, in either theme."""

from __future__ import annotations

from typing import cast

import pytest

from explorer.state.examples import EXAMPLE_PAIRS
from tests.browser.app import Visitor, screen

pytestmark = pytest.mark.browser

WIDTH, HEIGHT = 1024, 768
MAIN = {
    "?doc=astroph-0": ".ps-hit",
    f"compare?a=example:{EXAMPLE_PAIRS[0].first}&b=example:{EXAMPLE_PAIRS[0].second}": ".st-key-section-heatmap",
    "map": ".st-key-map-controls",
    "library": "[data-testid=stFileUploaderDropzone]",
    "models": ".stMain table",
    "evaluate": ".st-key-measure button",
}
"""Pages by their links, and what one comes to each for."""

_OVER = """
const main = document.querySelector('[data-testid=stMain]');
return Math.max(main.scrollWidth - main.clientWidth, document.documentElement.scrollWidth - innerWidth);
"""
_TOP = """
const box = document.querySelector(arguments[0]).getBoundingClientRect();
return box.width && box.height ? box.top : null;
"""


@pytest.mark.usefixtures("mapped")
@pytest.mark.parametrize("page", MAIN)
def test_a_page_has_room_and_what_it_is_for_in_the_first_screen(visitor: Visitor, page: str) -> None:
    with screen(visitor, WIDTH, HEIGHT):
        visitor.open(page)
        visitor.find(MAIN[page])
        visitor.rests()
        for theme in ("light", "dark"):
            visitor.prefer(theme)
            assert cast(int, visitor.driver.execute_script(_OVER)) <= 0
            top = visitor.driver.execute_script(_TOP, MAIN[page])
            assert top is not None and 0 <= cast(float, top) < HEIGHT - 100
