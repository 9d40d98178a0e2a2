"""Reports that are joined to a run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core import files
from engine.core.errors import EvaluationError
from engine.research.__main__ import main
from engine.research.paper.joining import COMMIT, Earlier, joined
from engine.research.paper.suite import write
from engine.research.paper.tables import Claim, Line, Order, Panel, Rows, Skipped, Table, by_column, by_name

SAME, FAR = [0.2, 0.4, 0.3, 0.5] * 6, [0.9, 0.8, 0.9, 0.8] * 6
"""Scores of each query, of rows that are level and of one far ahead."""
THEIRS = {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.6}
ROWS = Rows(
    by_name(tuple(THEIRS)),
    lambda lines: by_column(lines, ["P@20"]),
    lambda lines: [Claim("rows", True, str(len(lines)))],
)


def panel(scores: Mapping[str, Sequence[float]], *, data: str = "ours", skipped: Sequence[str] = ()) -> Panel:
    lines = [
        Line(name, {"P@20": sum(each) / len(each)}, {"P@20": THEIRS[name]}, by_query={"P@20": each})
        for name, each in scores.items()
    ]
    facts = {"sha256": {"corpus.parquet": "1"}, "spread": dict.fromkeys(scores, 0.5), "queries": len(scores)}
    held = ROWS.orders(lines), list(ROWS.claims(lines)), [Skipped(name, "takes long") for name in skipped]
    return Panel(data, "", ("P@20",), lines, *held, facts=facts)


def table(*panels: Panel, name: str = "colde-2") -> Table:
    return Table(name, "a title", "a protocol", panels)


def saved(folder: Path, made: Table, commit: str) -> Earlier:
    """A report as it is read again."""
    write(folder / "earlier.json", [made], {"commit": commit})
    return Earlier.read(folder / "earlier.json")


def only(tables: Mapping[str, Table], name: str = "colde-2") -> Panel:
    (held,) = tables[name].panels
    return held


def test_a_saved_report_is_read_as_it_was(tmp_path: Path) -> None:
    made = table(panel({"a": SAME, "b": FAR, "c": SAME}, skipped=["d"]))
    read = saved(tmp_path, made, "1f").tables["colde-2"]
    marked = [replace(line, facts={COMMIT: "1f"}, by_query={}) for line in made.panels[0].lines]
    assert read == replace(made, panels=[replace(made.panels[0], lines=marked)])


def test_rows_that_a_run_lacks_come_with_their_commit_and_its_own_stay(tmp_path: Path) -> None:
    earlier = saved(tmp_path, table(panel({"a": SAME, "b": FAR, "c": FAR})), "1f")
    held = only(joined([table(panel({"d": SAME, "b": SAME}, skipped=["a", "e"]))], [earlier], {"colde-2": ROWS}))
    assert [(line.name, line.facts.get(COMMIT)) for line in held.lines] == [
        *(("a", "1f"), ("b", None), ("c", "1f"), ("d", None))
    ]
    assert held.lines[1].ours["P@20"] == pytest.approx(0.35)
    assert held.claims == [Claim("rows", True, "4")]
    assert [one.name for one in held.skipped] == ["e"]
    assert held.facts["spread"] == dict.fromkeys("abcd", 0.5) and held.facts["queries"] == 2


def order_of(panel: Panel) -> Order:
    (order,) = panel.orders
    return order


def test_what_was_known_of_two_rows_of_one_run_is_kept_and_rows_of_two_runs_are_not_tested(tmp_path: Path) -> None:
    barely = [score + (0.01 if place % 2 else -0.008) for place, score in enumerate(SAME)]
    earlier = saved(tmp_path, table(panel({"a": SAME, "b": barely, "c": FAR})), "1f")
    held = order_of(only(joined([table(panel({"d": FAR}))], [earlier], {"colde-2": ROWS})))
    assert set(held.swapped) == {("a", "b"), ("a", "c"), ("b", "c"), ("a", "d"), ("b", "d")}
    assert held.uncertain == (("a", "b"),)
    assert set(held.untested) == {("a", "d"), ("b", "d")}
    own = order_of(only(joined([table(panel({"a": FAR, "b": SAME}))], [earlier], {"colde-2": ROWS})))
    assert own.swapped == own.untested == (("b", "c"),)  # of the report's two rows here, this run has one


def test_a_third_report_adds_to_two(tmp_path: Path) -> None:
    first = saved(tmp_path, table(panel({"a": SAME, "b": FAR})), "1f")
    second = saved(tmp_path, table(panel({"b": SAME, "c": FAR})), "2f")
    held = only(joined([table(panel({"d": FAR}))], [first, second], {"colde-2": ROWS}))
    assert [line.facts.get(COMMIT) for line in held.lines] == ["1f", "1f", "2f", None]
    assert ("a", "b") not in order_of(held).untested and ("b", "c") not in order_of(held).swapped


def test_other_tables_and_panels_come_whole(tmp_path: Path) -> None:
    other = panel({"a": SAME, "b": FAR}, data="theirs")
    earlier = saved(tmp_path, table(panel({"a": FAR, "b": FAR}), other, name="ctpe-2"), "1f")
    empty = replace(panel({}, data="theirs"), lines=[], skipped=[Skipped("theirs", "missing")])
    made = joined([table(panel({"a": SAME}), empty, name="ctpe-2")], [earlier], {})
    own, taken = made["ctpe-2"].panels
    assert [line.name for line in own.lines] == ["a"] and not own.lines[0].facts
    assert [line.name for line in taken.lines] == ["a", "b"] and not taken.skipped
    assert order_of(taken) == order_of(other)
    assert list(joined([], [earlier], {})) == ["ctpe-2"]


def test_other_files_are_not_joined(tmp_path: Path) -> None:
    earlier = saved(tmp_path, table(replace(panel({"a": SAME}), facts={"sha256": {"corpus.parquet": "2"}})), "1f")
    with pytest.raises(EvaluationError, match="colde-2 on ours to join of the same files and columns"):
        joined([table(panel({"b": SAME}))], [earlier], {"colde-2": ROWS})


@pytest.mark.parametrize("report", [{"tables": {"colde-2": {}}, "commit": "1f"}, {"figures": []}, {"tables": []}])
def test_another_report_is_refused(tmp_path: Path, report: object) -> None:
    files.write_json(tmp_path / "other.json", report)
    with pytest.raises(EvaluationError, match=r"papers' tables in other\.json, got another report"):
        Earlier.read(tmp_path / "other.json")


def test_the_command_joins_and_says_so(cdssm_line: list[str], tmp_path: Path) -> None:
    main([*cdssm_line, "--tables", "cdssm-5,cdssm-6"])
    report = tmp_path / "report.json"
    report.rename(tmp_path / "earlier.json")
    left_out = ["--set", 'cdssm.leave_out=["cdssm-words", "lda"]']
    assert main([*cdssm_line, *left_out, "--tables", "cdssm-6", "--join", str(tmp_path / "earlier.json")]) == 0
    told = json.loads(report.read_text())
    assert list(told["tables"]) == ["cdssm-5", "cdssm-6"] and "--join earlier.json" in told["command"]
    (held,) = told["tables"]["cdssm-6"]["panels"]
    assert [COMMIT in line["facts"] for line in held["lines"]] == [True, True, False]
    assert [line["name"] for line in held["lines"]] == ["lda", "cdssm-words", "tfidf"]
    text = report.with_suffix(".md").read_text()
    assert f"measured by an earlier run, at {told['commit'][:8]}: lda, cdssm-words\n" in text
    assert f"measured by an earlier run, at {told['commit'][:8]}: all\n" in text
