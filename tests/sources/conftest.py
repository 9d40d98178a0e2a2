"""Fixtures that several files of this folder use."""

from __future__ import annotations

import pytest

from engine.documents import Document
from tests.sources.old import OTHER, PAGE, SHEET, parse, record


@pytest.fixture(scope="module")
def patent() -> Document:
    first, _ = parse(record("123456", SHEET, PAGE), record("123457", OTHER))
    return first
