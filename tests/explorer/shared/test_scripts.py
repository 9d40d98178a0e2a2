"""The scripts of a widget as one text."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.shared import scripts


def test_the_scripts_of_a_folder_follow_what_keeps_a_view(tmp_path: Path) -> None:
    (tmp_path / "one.js").write_text("const one = 1", "utf-8")
    (tmp_path / "two.js").write_text("const two = '→'", "utf-8")
    joined = scripts.joined(tmp_path, ["two.js", "one.js"])
    assert joined.endswith("\nconst two = '→'\nconst one = 1")
    assert joined.startswith("// The view of a widget between Streamlit's calls.")
    shared = scripts.joined(tmp_path, ["one.js"], shared=["ahead.js"])
    assert shared.index("keepView") < shared.index("class Ahead") < shared.index("const one")


def test_a_script_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"three\.js"):
        scripts.joined(tmp_path, ["three.js"])
