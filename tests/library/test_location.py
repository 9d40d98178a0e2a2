"""Where a library lies when nobody names its folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.library.location import LIBRARY_VARIABLE, default_library


def test_a_library_lies_in_the_persons_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(LIBRARY_VARIABLE, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_library() == tmp_path / ".priorscope" / "library"


@pytest.mark.parametrize(("named", "expected"), [("~/patents", "patents"), ("", ".priorscope/library")])
def test_the_environment_names_another_folder(
    named: str, expected: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv(LIBRARY_VARIABLE, named)
    assert default_library() == tmp_path / expected
