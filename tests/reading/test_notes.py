"""Notes beside the text, and what is left out of it."""

from __future__ import annotations

from engine.documents import Document, Section
from engine.reading.notes import left_out, with_notes, worded

CITING = ["Lind, Lids (Oxford 1999) 12.", "Ibid., 14.", "So they say."]
LISTED = Section("References", "Ek, 1999.", "references")


def test_notes_stand_behind_the_text() -> None:
    document = Document("a", sections=(Section("Tea", "Hot."), LISTED))
    assert with_notes(document, []) == document
    assert [one.title for one in with_notes(document, ["Not all."]).sections] == ["Tea", "Notes", "References"]


def test_notes_that_cite_are_a_reference_list_where_there_is_no_other() -> None:
    cited = with_notes(Document("a", sections=(Section("Tea", "Hot."),)), CITING)
    assert [one.role for one in cited.sections] == ["body", "references"]
    beside = with_notes(Document("a", sections=(Section("Tea", "Hot."), LISTED)), CITING)
    assert [one.role for one in beside.sections] == ["body", "body", "references"]


def test_notes_of_a_few_words_and_of_publishers_are_left_out() -> None:
    long = "This note says more about kettles than the text does."
    assert list(worded([f"{long}\n", long, "See https://a.example/b.", "*", ""])) == [long]
    assert list(worded(["Publisher's Note The publisher takes no side in any question of borders."])) == []
    assert list(worded(["水壶在海上慢慢漂移。"])) == ["水壶在海上慢慢漂移。"]


def test_what_is_left_out_is_counted() -> None:
    assert list(left_out({"table": 0})) == []
    assert list(left_out({"table": 2, "program": 1, "to-do note": 3}, "a.tex")) == [
        "Left out of the text of a.tex: 2 tables, 1 program and 3 to-do notes. Captions are read."
    ]
    assert list(left_out({"program": 1})) == ["Left out of the text: 1 program."]
