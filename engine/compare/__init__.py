"""Compares two long documents whole, by sections and by chunks, and shows the passages behind the result."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.compare.base import (
        DIGITS,
        LETTERS,
        NEAR,
        RECURRING,
        REFERENCES,
        SHORT,
        Carriers,
        ClaimElement,
        Comparison,
        Difference,
        Exclusions,
        Flags,
        Grid,
        Matrix,
        Numbers,
        Passage,
        Uncovered,
        numbers,
    )
    from engine.compare.calibration import Calibration
    from engine.compare.comparing import compare, compare_versions
    from engine.compare.coverage import (
        COLUMN_ORDERS,
        COVERED,
        DOCUMENTS,
        NEIGHBOURS,
        ROW_KINDS,
        ROW_ORDERS,
        Cell,
        ColumnOrder,
        Coverage,
        Row,
        RowKind,
        RowOrder,
        cut_rows,
        probability,
    )
    from engine.compare.mix import Mix
    from engine.compare.read_document import ReadDocument, require_comparable
    from engine.compare.together import LevelGrid, Together, compare_together
    from engine.compare.versions import CHANGE_KINDS, Change, ChangeKind, Versions, changed_words
    from engine.compare.within import compare_within, within_as_json
    from engine.compare.words import Words

__all__ = [
    "CHANGE_KINDS",
    "COLUMN_ORDERS",
    "COVERED",
    "DIGITS",
    "DOCUMENTS",
    "LETTERS",
    "NEAR",
    "NEIGHBOURS",
    "RECURRING",
    "REFERENCES",
    "ROW_KINDS",
    "ROW_ORDERS",
    "SHORT",
    "Calibration",
    "Carriers",
    "Cell",
    "Change",
    "ChangeKind",
    "ClaimElement",
    "ColumnOrder",
    "Comparison",
    "Coverage",
    "Difference",
    "Exclusions",
    "Flags",
    "Grid",
    "LevelGrid",
    "Matrix",
    "Mix",
    "Numbers",
    "Passage",
    "ReadDocument",
    "Row",
    "RowKind",
    "RowOrder",
    "Together",
    "Uncovered",
    "Versions",
    "Words",
    "changed_words",
    "compare",
    "compare_together",
    "compare_versions",
    "compare_within",
    "cut_rows",
    "numbers",
    "probability",
    "require_comparable",
    "within_as_json",
]

__getattr__ = door(__name__)
