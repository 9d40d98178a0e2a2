"""Options that several commands have."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from engine.cli.options import LIBRARY_VARIABLE, library_folder
from engine.core.errors import LibraryError


def test_the_library_is_named_by_option_then_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(LIBRARY_VARIABLE, str(tmp_path / "from-variable"))
    assert library_folder(argparse.Namespace(library=None)) == tmp_path / "from-variable"
    assert library_folder(argparse.Namespace(library=tmp_path)) == tmp_path


def test_a_library_that_cannot_be_reached_is_said() -> None:
    with pytest.raises(LibraryError, match=r"a library in namename.*\.\.\.; File name too long\. Name another folder"):
        library_folder(argparse.Namespace(library=Path("name" * 100)))
