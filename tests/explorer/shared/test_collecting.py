"""Keeping documents in collections."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.explorer.conftest import Start, page_text
from tests.explorer.shared.collections import EXAMPLE, keep, kept, opened


def keep_in_new(test: AppTest, key: str, name: str) -> AppTest:
    test.text_input(key=f"new-collection-{key}").input(name)
    (button,) = [button for button in test.button if button.label == "Create it"]
    return button.click().run()


def test_a_hit_is_kept_in_a_new_collection_and_says_so(app: Start, folder: Path) -> None:
    test = opened(app(example=EXAMPLE, hit="p2"), "keep-p2")
    assert "Kept in" not in page_text(test)
    keep_in_new(test, "p2", " Walks  on graphs ")
    assert not test.exception
    assert kept(folder) == {"Walks on graphs": ["p2"]}
    assert "Kept in Walks on graphs" in page_text(test)


def test_a_tick_keeps_a_hit_and_takes_it_out_again(app: Start, folder: Path) -> None:
    keep(folder, "A *bold* [name](x)", "p3")
    test = opened(app(example=EXAMPLE, hit="p1"), "keep-p1")
    box = test.checkbox(key="kept-p1-0")
    assert (box.label, box.value) == (r"A \*bold\* \[name\]\(x\) \(1\)", False)
    test = opened(box.check().run(), "keep-p1")
    assert kept(folder) == {"A *bold* [name](x)": ["p3", "p1"]}
    assert test.checkbox(key="kept-p1-0").value is True
    test.checkbox(key="kept-p1-0").uncheck().run()
    assert kept(folder) == {"A *bold* [name](x)": ["p3"]}


def test_a_name_that_cannot_be_one_is_told(app: Start, folder: Path) -> None:
    test = keep_in_new(opened(app(example=EXAMPLE, hit="p1"), "keep-p1"), "p1", "  ")
    assert "Expected a collection's name of 1 to 80 characters" in page_text(test)
    assert kept(folder) == {}
