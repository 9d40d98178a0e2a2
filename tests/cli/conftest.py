"""The encoders of the commands under test."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def encoders(loaded_once: None) -> None:
    """Each command runs in the tests' own process and would load its encoders again."""
