"""Compares long documents by sections and chunks, and one with a library (coverage), with the passages behind it."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.compare.comparing import compare, compare_versions, compare_within
    from engine.compare.coverage import (
        COLUMN_ORDERS,
        COVERED,
        DOCUMENTS,
        ROW_KINDS,
        ROW_ORDERS,
        Cell,
        ColumnOrder,
        Coverage,
        RowKind,
        RowOrder,
    )
    from engine.compare.covering import CoverageSettings, Shelf, cover
    from engine.compare.document_score import Calibration, Mix
    from engine.compare.json_form import as_json
    from engine.compare.model import (
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
        Grid,
        Matrix,
        Passage,
        Uncovered,
        numbers,
    )
    from engine.compare.read_document import ReadDocument, require_comparable
    from engine.compare.stretches import Words
    from engine.compare.together import LevelGrid, Together, compare_together
    from engine.compare.versions import CHANGE_KINDS, Change, ChangeKind, Versions, changed_words

__all__ = [
    "CHANGE_KINDS",
    "COLUMN_ORDERS",
    "COVERED",
    "DIGITS",
    "DOCUMENTS",
    "LETTERS",
    "NEAR",
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
    "CoverageSettings",
    "Difference",
    "Exclusions",
    "Grid",
    "LevelGrid",
    "Matrix",
    "Mix",
    "Passage",
    "ReadDocument",
    "RowKind",
    "RowOrder",
    "Shelf",
    "Together",
    "Uncovered",
    "Versions",
    "Words",
    "as_json",
    "changed_words",
    "compare",
    "compare_together",
    "compare_versions",
    "compare_within",
    "cover",
    "numbers",
    "require_comparable",
]

__getattr__ = door(__name__)
