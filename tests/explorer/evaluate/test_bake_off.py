"""The blind bake-off as its visitor uses it: nothing names a ranking before the verdict."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from engine.evaluation import BakeOff, BakeOffs
from engine.workspace import Workspace
from explorer.evaluate.bake_off import row_name
from tests.explorer.conftest import Start, page_text


@pytest.fixture
def prepared(library: Path) -> Path:
    with Workspace(library) as workspace:
        for name in ("tfidf", "lsa"):
            workspace.prepare(name)
    return library


def open_blind(app: Start) -> AppTest:
    return app(way="blind").switch_page("explorer/evaluate/view.py").run()


def judge_all(test: AppTest, running: BakeOff | None, *, most: int = 10) -> AppTest:
    assert running is not None
    for number, pick in enumerate(running.asked[-1].picks[:most]):
        test = test.button_group(key=f"judge-{pick.id}").set_value(number % 2).run()
        assert not test.exception
    return test


def test_two_rankings_are_asked_judged_blind_and_named_at_the_end(app: Start, prepared: Path) -> None:
    test = open_blind(app)
    test.selectbox(key="blind-first").set_value("lsa").run()
    test.selectbox(key="blind-second").set_value("tfidf").run()
    test.button(key="blind-start").click().run()
    assert not test.exception
    assert test.query_params["way"] == "blind"
    test.text_area(key="blind-text").set_value("boiler steam valve crank")
    test.button(key="blind-ask").click().run()
    assert not test.exception
    held = BakeOffs(prepared)
    test = judge_all(test, held.current())
    assert "Too early to say: 10 of at least 20 documents judged." in page_text(test)
    assert test.button(key="blind-reveal").disabled
    test.button(key="blind-draw").click().run()
    assert not test.exception
    assert "LSA" not in page_text(test) and "TF-IDF" not in page_text(test)
    test = judge_all(open_blind(app), held.current())  # after a reload
    test.button(key="blind-reveal").click().run()
    assert not test.exception
    said = page_text(test)
    assert "LSA alone" in said and "95 % interval" in said
    assert held.current() is None and len(held.all()) == 1


def test_a_bake_off_can_be_given_up(app: Start, prepared: Path) -> None:
    BakeOffs(prepared).start(("tfidf", "lsa"))
    open_blind(app).button(key="blind-drop").click().run()
    assert BakeOffs(prepared).all() == ()


@pytest.mark.usefixtures("library")
def test_without_encoders_that_have_read_the_library_the_page_says_so(app: Start) -> None:
    assert "Rankings can be compared once your library holds documents" in page_text(open_blind(app))


def test_rankings_are_named_for_people() -> None:
    named = [row_name(row) for row in ("default", "default(ctpe)", "ctpe", "keywords")]
    assert named[:3] == ["Search with Blend (default)", "Search with CTPE", "CTPE alone"]
    assert named[3].startswith("Keywords")
