"""Each figure is measured once, and again only where something that it depends on is another."""

from __future__ import annotations

import json
from pathlib import Path

from engine.research.paper.cells import Cells


def test_a_cell_is_made_once(tmp_path: Path) -> None:
    cells, made = Cells(tmp_path / "cells"), []

    def make() -> dict[str, float]:
        made.append(1)
        return {"F1": 0.25}

    for _ in range(2):
        assert cells.find("set/row one", {"sha256": "a"}, make) == {"F1": 0.25}
    assert len(made) == 1
    cells.find("set/row one", {"sha256": "b"}, make)
    assert len(made) == 2
    kept = json.loads(min((tmp_path / "cells").iterdir()).read_text())
    assert kept["key"]["sha256"] in "ab" and {"commit", "hardware", "value"} <= kept.keys()
    assert all(path.name.startswith("set-row-one-") for path in (tmp_path / "cells").iterdir())
