"""The time of the tables, added up over runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.research.paper.hours import Hours


def test_hours_are_added_up_over_runs_also_of_what_was_broken_off(tmp_path: Path) -> None:
    path = tmp_path / "paper" / "hours.jsonl"
    assert Hours(path).total() == 0
    with Hours(path).of("ctpe-2"):
        pass
    with pytest.raises(KeyboardInterrupt), Hours(path).of("ctpe-3"):
        raise KeyboardInterrupt
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["table"] for line in lines] == ["ctpe-2", "ctpe-3"] and all(line["seconds"] >= 0 for line in lines)
    path.write_text("".join(json.dumps({**line, "seconds": 1000}) + "\n" for line in [*lines, *lines]))
    assert Hours(path).total() == 1.1


def test_parts_are_noted_beside_the_total(tmp_path: Path) -> None:
    hours = Hours(tmp_path / "paper" / "hours.jsonl")
    assert hours.parts() == {}
    for table, data in (("ctpe-2", "arxiv-subject"), ("cdssm-2", ""), ("ctpe-2", "arxiv-subject")):
        with hours.of_part(table, data):
            pass
    lines = [json.loads(line) for line in hours.path.read_text().splitlines()]
    assert [line["part"] for line in lines] == ["ctpe-2 arxiv-subject", "cdssm-2", "ctpe-2 arxiv-subject"]
    hours.path.write_text("".join(json.dumps({**line, "seconds": 1000}) + "\n" for line in lines))
    assert hours.parts() == {"ctpe-2 arxiv-subject": 2000.0, "cdssm-2": 1000.0}
    assert hours.total() == 0
