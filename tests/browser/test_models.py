"""The Models page and the blind bake-off in a real browser: they fit, and their controls can be told apart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.documents import Document
from engine.encoders import KeptModel, bring_model
from engine.evaluation import BakeOffs
from engine.library import Library
from engine.workspace import Workspace
from tests.browser import audit, axe
from tests.browser.app import Visitor
from tests.encoders.tiny_sentences import write

pytestmark = pytest.mark.browser

_SIDE = {"name": "blend", "scores": {}, "documents_per_second": 90.0, "dim": 32, "keyword_weight": 0.75}
_MODEL = {**_SIDE, "name": "tiny"}
FIGURES = {"of": 0, "queries": 12, "documents": 60, "model": _MODEL, "default": _SIDE, "differences": {}}
BOTTOM = "return document.querySelector('.ps-overview table').getBoundingClientRect().bottom"


@pytest.fixture
def own(tmp_path: Path) -> Iterator[str]:
    name = bring_model(str(write(tmp_path / "tiny"))).name
    KeptModel.read(name).add_measured("small", FIGURES)
    yield name
    KeptModel.remove(name)


def is_told_apart(visitor: Visitor) -> None:
    visitor.rests()
    visitor.until(lambda _: not audit.alike(visitor), f"expected controls to be told apart: {audit.alike(visitor)}")
    assert audit.named_by_icons(visitor) == [] and audit.faint(visitor) == []
    assert axe.findings(visitor) == []


def test_the_table_of_rankings_fits_a_window_and_a_model_stands_below(visitor: Visitor, own: str) -> None:
    size = {"width": 1400, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    visitor.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        visitor.open("models")
        visitor.sees("Large blend")
        visitor.rests()
        assert visitor.driver.execute_script(BOTTOM) < 900
        visitor.sees("not offered yet")
        is_told_apart(visitor)
    finally:
        visitor.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_blind_list_is_told_apart_and_its_thumbs_count(visitor: Visitor, library: Path) -> None:
    held = BakeOffs(library)
    with Workspace(library) as workspace:
        held.start(("default", "blend"))
        asked = held.ask(workspace, Document("blind", "query", abstract="stars and telescopes seen at night"))
    try:
        visitor.open("evaluate?way=blind")
        visitor.sees("Too early to say: 0 of")
        is_told_apart(visitor)
        visitor.click_on(".st-key-blind-1 button", "Relevant")
        visitor.sees("Too early to say: 1 of")
    finally:
        held.drop()
        with Library.open(library) as opened:  # other tests count what was judged
            opened.judgements.forget(asked.key)
