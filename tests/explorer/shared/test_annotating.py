"""Tags, a note and a read mark on a hit."""

from __future__ import annotations

from pathlib import Path

from engine.library import Annotation, Library
from tests.explorer.conftest import Start, page_html, page_text
from tests.explorer.shared.collections import EXAMPLE, opened


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
