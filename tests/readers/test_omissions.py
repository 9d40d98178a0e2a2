"""What is left out of a file is told, and never refuses the rest."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.documents import Document
from engine.errors import MalformedFileError
from engine.readers.omissions import Omissions


def broken() -> Iterator[Document]:
    yield Document("a")
    raise MalformedFileError("Expected a title in line 3, found none. Write one.")


def test_an_entry_that_fails_is_left_out_and_told_with_its_reason() -> None:
    told: list[str] = []
    omissions = Omissions(told.append)
    assert omissions.documents([Document("b")]) == [Document("b")]
    assert omissions.documents(broken()) == [Document("a")]
    omissions.finish()
    assert told == ["An entry was left out. Expected a title in line 3, found none. Write one."]


def test_a_file_without_any_entry_that_can_be_read_is_refused_with_the_first_reason() -> None:
    omissions = Omissions(lambda _: None)
    omissions.entry(MalformedFileError("The first."))
    omissions.entry(MalformedFileError("The second."))
    with pytest.raises(MalformedFileError, match=r"The first\."):
        omissions.finish()


def test_a_value_that_is_left_out_is_told() -> None:
    told: list[str] = []
    Omissions(told.append).value(MalformedFileError("Expected a year."))
    assert told == ["A value was left out. Expected a year."]
