"""Compares long documents by sections and chunks, and one with a library (coverage), with the passages behind it."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.compare.claim_chart import independent_claims
    from engine.compare.comparing import compare, compare_versions, compare_within, warm_comparison
    from engine.compare.coverage import ColumnOrder, Coverage, CoverageCell, RowKind, RowOrder, adds_something
    from engine.compare.covering import CoverageSettings, Shelf, cover
    from engine.compare.json_form import ComparisonJson, CoverageJson, TogetherJson, WithinJson, as_json
    from engine.compare.model import (
        MOST_LISTED,
        Carriers,
        ClaimElement,
        Comparison,
        Exclusions,
        Grid,
        Matrix,
        Passage,
        Uncovered,
        UncoveredPassage,
        darkest,
        numbers,
    )
    from engine.compare.read_document import ReadDocument, chunks_fingerprint
    from engine.compare.stretches import Words
    from engine.compare.together import LevelGrid, Together, compare_together
    from engine.compare.versions import Change, ChangeKind, Versions, changed_words

__getattr__ = door(__name__)
