"""Pages of a library's PDFs as pictures: drawn once, bounded, with a passage's lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import InputError, StorageError
from engine.documents import Document, LineBox
from engine.reading import read_bytes
from engine.reading.pdf import worker
from engine.reading.pdf.drawing import Mark, PagePicture
from engine.workspace import pages
from engine.workspace.pages import PageReader, found_in, given_file, lines_of
from engine.workspace.workspace import Workspace
from tests.browser.tiny_pdf import tiny_pdf

DATA = tiny_pdf()
DOCUMENT = read_bytes(DATA, "a.pdf").document
FILE = given_file(DATA, DOCUMENT.file, "a.pdf")


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[Mark]]:
    """The marks of the pages that the other process was asked for."""
    asked: list[Sequence[Mark]] = []
    draw = worker.draw_page

    def noting(data: bytes, name: str, page: int, *, scale: float, marks: Sequence[Mark]) -> PagePicture:
        asked.append(marks)
        return draw(data, name, page, scale=scale, marks=marks)

    monkeypatch.setattr(worker, "draw_page", noting)
    return asked


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """A library that holds the PDF."""
    (tmp_path / "a.pdf").write_bytes(DATA)
    with Workspace(tmp_path / "library", create=True) as opened:
        from engine.workspace.importing import import_paths

        import_paths(opened.library, [tmp_path / "a.pdf"])
        yield opened


def test_a_passage_has_the_lines_that_it_stands_on() -> None:
    passage = found_in(DOCUMENT, "salt water and sand. A seal keeps both away from the gear,")
    assert passage is not None and passage.section == "Introduction" and passage.page == 1
    lines = lines_of(DOCUMENT, passage)
    assert [line.page for line in lines] == [1, 1]
    assert lines[0].top > lines[1].top
    assert lines_of(Document("d"), passage) == []


@pytest.mark.parametrize("words", ["", "  ", "words that stand nowhere"])
def test_words_that_a_document_does_not_hold_are_no_passage(words: str) -> None:
    assert found_in(DOCUMENT, words) is None


def test_a_page_is_drawn_once(drawn: list[Sequence[Mark]]) -> None:
    reader = PageReader(lambda: None)
    mark = LineBox(0, 1, 72, 700, 300, 712)
    first = reader.picture(FILE, 1, [mark, mark._replace(page=2)])
    assert reader.picture(FILE, 1, [mark]) is first
    reader.picture(FILE, 1)
    reader.picture(FILE, 1, scale=1.0)
    assert [len(one) for one in drawn] == [1, 0, 0]


def test_pictures_are_kept_up_to_a_size_and_the_one_used_longest_ago_goes_first(
    drawn: list[Sequence[Mark]], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = PageReader(lambda: None)
    size = len(reader.picture(FILE, 1).png)
    monkeypatch.setattr(pages, "_KEPT_BYTES", int(2.5 * size))
    reader.picture(FILE, 1, scale=2.001)
    reader.picture(FILE, 1)  # used again
    reader.picture(FILE, 1, scale=2.002)
    reader.picture(FILE, 1)
    assert len(drawn) == 3
    reader.picture(FILE, 1, scale=2.001)
    assert len(drawn) == 4


def test_a_page_that_cannot_be_drawn_is_an_error_and_is_not_kept() -> None:
    reader = PageReader(lambda: None)
    with pytest.raises(InputError, match="Expected a page from 1 to 1"):
        reader.picture(FILE, 2)
    assert reader.picture(FILE, 1).pages == 1


def test_the_librarys_copy_is_shown_until_it_is_gone(workspace: Workspace) -> None:
    (held,) = workspace.library.get([DOCUMENT.id])
    file = workspace.pages.file_of(held)
    assert file is not None and workspace.pages.picture(file, 1).width == 595
    workspace.library.copies.drop([held.file])
    assert workspace.pages.file_of(held) is None
    with pytest.raises(StorageError, match="missing or damaged"):
        workspace.pages.picture(file, 1, scale=1.0)


def test_a_document_of_an_earlier_import_is_shown_by_the_one_file_that_it_came_with(workspace: Workspace) -> None:
    older = replace(DOCUMENT, file="")
    file = workspace.pages.file_of(older)
    assert file is not None and file.key == DOCUMENT.file
    assert workspace.pages.file_of(Document("unknown")) is None
    assert PageReader(lambda: None).file_of(DOCUMENT) is None
