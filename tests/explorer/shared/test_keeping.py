"""Collections, tags, a note and a read mark on a hit."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from engine.library import Annotation, Library
from tests.explorer.conftest import Start, page_html, page_text
from tests.explorer.pages import EXAMPLE, keep, kept, opened


def written(folder: Path, id_: str) -> Annotation:
    with Library.open(folder) as library:
        return library.annotations.of([id_])[0]


def test_a_hit_is_tagged_noted_and_read(app: Start, folder: Path) -> None:
    with Library.open(folder) as library:
        library.annotations.tag(["p2", "p3"], "To *read*x")
    test = opened(app(example=EXAMPLE, hit="p2"), "notes-p2")
    assert test.multiselect(key="tags-p2").value == ["To *read*x"]
    test = opened(test.multiselect(key="tags-p2").set_value(["walks"]).run(), "notes-p2")
    test = opened(test.text_area(key="note-p2").set_value("Holds <i>only</i>\nif lazy").run(), "notes-p2")
    test = test.checkbox(key="read-p2").check().run()
    assert not test.exception
    assert written(folder, "p2") == Annotation(("walks",), "Holds <i>only</i>\nif lazy", True)
    assert written(folder, "p3") == Annotation(("To *read*x",))
    assert "✓ Read" in page_text(test) and "Holds &lt;i&gt;only&lt;/i&gt;" in page_html(test)


def test_a_tag_that_cannot_be_one_is_told(app: Start, folder: Path) -> None:
    test = opened(app(example=EXAMPLE, hit="p1"), "notes-p1")
    test = test.multiselect(key="tags-p1").set_value(['say "walk"']).run()
    assert "Expected a tag of 1 to 60 characters without quotes" in page_text(test)
    assert written(folder, "p1") == Annotation()


def test_a_search_by_a_tag_sees_the_tags_that_were_given_meanwhile(app: Start, folder: Path) -> None:
    with Library.open(folder) as library:
        library.annotations.tag(["p1"], "walks")
        test = app(example=EXAMPLE, line="tag:walks")
        assert "Cover times" in page_text(test) and "Mixing of Markov chains" not in page_text(test)
        library.annotations.tag(["p2"], "walks")
    assert "Mixing of Markov chains" in page_text(test.run())


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
    assert (box.label, box.value) == (r"A \*bold\* \[name\](x) (1)", False)
    test = opened(box.check().run(), "keep-p1")
    assert kept(folder) == {"A *bold* [name](x)": ["p3", "p1"]}
    assert test.checkbox(key="kept-p1-0").value is True
    test.checkbox(key="kept-p1-0").uncheck().run()
    assert kept(folder) == {"A *bold* [name](x)": ["p3"]}


def test_a_name_that_cannot_be_one_is_told(app: Start, folder: Path) -> None:
    test = keep_in_new(opened(app(example=EXAMPLE, hit="p1"), "keep-p1"), "p1", "  ")
    assert "Expected a collection's name of 1 to 80 characters" in page_text(test)
    assert kept(folder) == {}
