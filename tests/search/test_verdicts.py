"""The verdict on a list in a sentence."""

from __future__ import annotations

import pytest

from engine.documents import Kind
from engine.readings import WORDS, Reading
from engine.search.verdicts import counted, number

SAME, CLOSE, FIELD, SHARES, UNRELATED = range(5)


def hits(*read: tuple[Kind, int]) -> list[tuple[Kind, Reading]]:
    return [(kind, Reading(WORDS[rank], 0.7, 0.5)) for kind, rank in read]


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (
            [("paper", SAME)] * 2 + [("paper", FIELD)] * 8,
            "Two papers say much the same; eight are in the same field.",
        ),
        ([("patent", CLOSE)], "One patent is closely related."),
        (
            [("paper", CLOSE), ("patent", SAME), ("paper", SAME), ("patent", UNRELATED)],
            "One paper and one patent say much the same; one paper is closely related; one patent is unrelated.",
        ),
        (
            [("paper", FIELD), ("paper", SHARES), ("paper", SHARES)],
            "One paper is in the same field; two only share vocabulary.",
        ),
        ([("paper", CLOSE)] * 13, "13 papers are closely related."),
        ([("paper", SHARES), ("paper", UNRELATED)], ""),
        ([], ""),
    ],
)
def test_hits_are_counted_by_their_words_and_kinds(read: list[tuple[Kind, int]], said: str) -> None:
    assert counted(hits(*read)) == said


def test_a_passage_that_says_the_question_is_told_of() -> None:
    assert counted(hits(("paper", FIELD)), quoted=1).endswith("field. A passage of one says most of your text.")


def test_numbers_are_words_up_to_twelve() -> None:
    assert [number(count) for count in (0, 1, 12, 13, 1200)] == ["no", "one", "twelve", "13", "1,200"]
