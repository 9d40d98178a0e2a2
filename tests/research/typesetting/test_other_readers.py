"""Text as other programs give it."""

from __future__ import annotations

import pytest

from engine.research.typesetting.other_readers import OTHER_READERS, OtherReader
from tests.reading.pdf.papers import one_column


def test_words_that_a_lines_end_cuts_are_whole() -> None:
    reader = OtherReader(lambda data: data.decode(), program="no such program")
    assert reader.text(b"infor-\n mation and well-\nKnown") == "information and well-\nKnown"
    assert not reader.is_installed and not OtherReader(bytes.decode, module="no_such_module").is_installed


@pytest.mark.parametrize("name", OTHER_READERS)
def test_each_reads_a_paper(name: str) -> None:
    if not OTHER_READERS[name].is_installed:
        pytest.skip(f"{name} is not installed: only the report on layouts compares with it, and leaves it out, too")
    assert "Introduction" in OTHER_READERS[name].text(one_column().data())
