"""A comparison made by hand and its report."""

from __future__ import annotations

import pytest

from engine.compare import Comparison
from tests.compare.made import comparison, document
from tests.exports.comparison.reports import page
from tests.read_page import Page


@pytest.fixture(scope="module")
def made() -> Comparison:
    return comparison(document("A", 3, 2), document("B", 2, 4))


@pytest.fixture(scope="module")
def shown(made: Comparison) -> Page:
    return page(made)
