"""The roles of sections by their titles."""

from __future__ import annotations

import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.encoders.colde import LongRows
from engine.research.bench.roles import measure_roles, role_of
from tests.compare.texts import StandIn
from tests.research.bench.written import DOCUMENTS, PAIRS


@pytest.mark.parametrize(
    ("title", "role"),
    [
        ("1 Introduction", "introduction"),
        ("2. Related Work", "related work"),
        ("Experimental Results", "experiments"),
        ("Materials and Methods", "method"),
        ("Our Approach", "method"),
        ("CONCLUSIONS AND FUTURE WORK", "conclusion"),
        ("Claims", "claims"),
        ("Detailed Description", "description"),
        ("4.", ""),
        ("Acknowledgements", ""),
    ],
)
def test_titles_tell_roles(title: str, role: str) -> None:
    assert role_of(title) == role


def test_roles_agree_where_the_largest_section_cell_joins_them() -> None:
    class ByTitle(StandIn):
        shift = 0

        def _read(self, document: Document) -> LongRows:
            long = super()._read(document)
            shift = self.shift if document.id.endswith("1") else 0
            long.rows[:] = 0
            for row, section in zip(long.rows, long.section_of.tolist(), strict=True):
                row[(section + shift) % len(long.sections)] = 1
            return long

    agreeing, moved = ByTitle(), ByTitle()
    moved.shift = 1
    report = measure_roles(DOCUMENTS, PAIRS, agreeing, source="ours")
    assert (report.pairs, report.left_out, report.agree, report.by_chance) == (4, 0, 1.0, 0.2)
    assert measure_roles(DOCUMENTS, PAIRS, moved).agree == 0.0
    assert measure_roles(DOCUMENTS, PAIRS, agreeing, most=2).pairs == 2
    bare = {name: Document(name, abstract="Text.") for name in DOCUMENTS}
    with pytest.raises(
        EvaluationError, match=r"Expected related pairs whose sections have roles in common; found none of 4"
    ):
        measure_roles(bare, PAIRS, agreeing)
