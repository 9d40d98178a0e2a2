"""Lines beside the paper's, rows of an earlier report, and both as Markdown with what to conclude."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core import files
from engine.core.errors import EvaluationError
from engine.evaluation.metrics import CDSSM, METRICS, Judged
from engine.evaluation.significance import randomisation_p
from engine.research.__main__ import main
from engine.research.paper import plots
from engine.research.paper.markdown import READING, _places, as_markdown, conclusions, counted
from engine.research.paper.suite import write
from engine.research.paper.tables import (
    COMMIT,
    F1_OF_MEANS,
    Claim,
    Earlier,
    Line,
    Order,
    Panel,
    Rows,
    Skipped,
    Table,
    by_column,
    by_line,
    by_name,
    by_places,
    joined,
    ordered,
)


def test_the_same_order_holds() -> None:
    order = ordered("F1", {"a": 0.3, "b": 0.2, "c": 0.1}, {"a": 0.9, "b": 0.5, "c": 0.4})
    assert (order.tau, order.pairs, order.swapped, order.holds) == (1.0, 3, (), True)
    assert order.in_words() == "F1: the paper's order holds (Kendall's tau 1.00, 3 pairs of 3)"


def test_swapped_pairs_name_the_papers_better_one_first() -> None:
    order = ordered("F1", {"a": 0.1, "b": 0.2, "c": 0.05}, {"a": 0.9, "b": 0.5, "c": 0.4})
    assert order.swapped == (("a", "b"),)
    assert order.tau == pytest.approx((2 - 1) / 3, abs=1e-4)  # two pairs of three stand, one is swapped
    assert "does not hold" in order.in_words() and "1 changed places: a and b" in order.in_words()


def test_equal_figures_here_are_no_order_that_holds() -> None:
    order = ordered("F1", {"a": 0.2, "b": 0.2}, {"a": 0.9, "b": 0.5})
    assert (order.tau, order.tied, order.swapped, order.holds) == (None, (("a", "b"),), (), False)
    assert "tau undefined" in order.in_words()


def test_pairs_that_the_paper_does_not_tell_apart_are_not_counted() -> None:
    order = ordered("P@10", {"a": 0.1, "b": 0.3, "c": 0.2}, {"a": 1, "b": 2, "c": 1})
    assert (order.pairs, order.swapped) == (2, ())
    assert order.as_json()["holds"] is True


def test_only_things_of_both_sides_count() -> None:
    order = ordered("F1", {"a": 0.1, "ours": 1.0}, {"a": 0.9, "theirs": 0.5})
    assert (order.names, order.holds) == (("a",), None)
    assert order.in_words() == "F1: cannot be told, the paper has fewer than two of these"


def test_many_swapped_pairs_are_named_in_part() -> None:
    names = "abcdef"
    order = ordered("F1", {n: i for i, n in enumerate(names)}, {n: -i for i, n in enumerate(names)})
    assert order.tau == -1.0
    assert order.in_words().endswith(
        "15 changed places: a and b, a and c, a and d, a and e, a and f, b and c and 9 more; not tested for chance"
    )


CLOSE = [0.1, 0.3, 0.2, 0.4, 0.1, 0.3, 0.2, 0.4, 0.5, 0.1]


def lines() -> list[Line]:
    """Two that are near each other and one that is far ahead, each the other way round than the paper has them."""
    near = [score + (0.05 if place % 2 else -0.04) for place, score in enumerate(CLOSE)]
    far = [score + 0.3 for score in CLOSE]
    held = {"best there": CLOSE, "near": near, "far": far}
    theirs = {"best there": 0.9, "near": 0.5, "far": 0.4}
    return [
        Line(name, {"P@20": sum(scores) / len(scores)}, {"P@20": theirs[name]}, by_query={"P@20": scores})
        for name, scores in held.items()
    ]


def test_a_swap_may_be_chance() -> None:
    (order,) = by_column(lines(), ["P@20", "R@20"][:1])
    assert set(order.swapped) == {("best there", "near"), ("best there", "far"), ("near", "far")}
    assert order.uncertain == (("best there", "near"),)
    assert order.in_words().endswith("; 1 of the 3 may be chance: best there and near")
    assert order.as_json()["swapped_perhaps_by_chance"] == [["best there", "near"]]


def judged(found: int, relevant: int) -> Judged:
    """A query's first 20 with so many relevant ones among them."""
    return Judged(tuple(place < found for place in range(20)), (1,) * relevant)


def test_f1_of_means_is_tested_as_it_is_computed() -> None:
    """Of these queries the mean of each one's F1 says the contrary, beyond chance."""
    many, few = [judged(4, 90)] * 50 + [judged(2, 2)] * 50, [judged(7, 90)] * 50 + [judged(1, 2)] * 50
    given = [
        Line(
            name,
            {"F1@20": METRICS["F1@20"].over(queries)},
            {"F1@20": theirs},
            by_query={one: [METRICS[one].score(query) for query in queries] for one in ("P@20", "R@20", "F1@20")},
        )
        for name, queries, theirs in (("better there", many, 0.3), ("better here", few, 0.2))
    ]
    (order,) = by_column(given, ["F1@20"])
    assert order.swapped == order.uncertain == (("better there", "better here"),) and order.untested == ()
    ours, other = (line.by_query["F1@20"] for line in given)
    assert sum(ours) > sum(other) and randomisation_p(ours, other, draws=500) < 0.05


def test_every_f1_of_means_of_the_papers_has_its_two_parts() -> None:
    names = {name.removesuffix("-cdssm"): metric for name, metric in {**METRICS, **CDSSM}.items()}
    assert set(F1_OF_MEANS) == {name for name, metric in names.items() if metric.pooled is not None}
    assert {part for parts in F1_OF_MEANS.values() for part in parts} <= set(names)


def test_a_swap_without_scores_is_called_untested() -> None:
    swapped = [Line("a", {"f1": 0.7}, {"f1": 0.74}), Line("b", {"f1": 0.7001}, {"f1": 0.73})]
    (order,) = by_column(swapped, ["f1"])
    assert order.untested == order.swapped and order.uncertain == ()
    assert order.in_words().endswith("1 changed places: a and b; not tested for chance")
    assert order.as_json()["swapped_untested"] == [["a", "b"]]


def test_columns_that_the_paper_lacks_have_no_order() -> None:
    assert by_column([Line("ours", {"R@20": 0.1})], ["R@20"]) == []
    assert by_line([Line("ours", {"@1": 0.1})]) == []
    (order,) = by_line([Line("f1", {"@1": 0.1, "@5": 0.2}, {"@1": 0.4, "@5": 0.3})])
    assert order.swapped == (("@1", "@5"),)
    (order,) = by_places(lines(), ["P@20"], {"far": 2, "near": 1})
    assert order.holds is True


def test_labels_and_json_leave_out_what_is_not_for_reading() -> None:
    assert Line("lda", {}, beside="table 2: LDA").label == "lda (table 2: LDA)"
    assert Line("lda", {}, beside="lda").label == Line("lda", {}).label == "lda"
    value = Panel("ours", "arXiv", ("P@20",), lines(), orders=by_column(lines(), ["P@20"])).as_json()
    assert "by_query" not in value["lines"][0] and value["orders"][0]["pairs"] == 3


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


LINES = [
    Line(
        "ours", {"P@20": 0.25}, {"P@20": 0.4}, beside="CTPE", facts={"fingerprint": "f1", "epochs": 9, "best_epoch": 4}
    ),
    Line("tfidf", {"P@20": 0.5}, {"P@20": 0.3}, facts={"fingerprint": "f2"}),
    Line("lsa", {}, {"P@20": 0.2}),
]
PANEL = Panel(
    "cranfield",
    "ACM",
    ("P@20",),
    LINES,
    orders=by_column(LINES[:2], ["P@20"]),
    claims=[Claim("Longer is better", None), Claim("CTPE leads", False, "P@20 0.25")],
    skipped=[Skipped("doc2vec", "Expected gensim."), Skipped("wmd", "too slow"), Skipped("lda", "Expected gensim.")],
    facts={"queries": 225, "drawn": {"of": 9, "seed": 1}, "sha256": {"corpus.parquet": "ab12"}},
)
TABLE = Table("ctpe-2", "precision", "Ranked 20 deep.", [PANEL])


def written(**plots: str) -> list[str]:
    return as_markdown([TABLE], {"command": "python", "versions": {"numpy": 2}}, plots).splitlines()


def test_a_figure_has_the_papers_in_brackets() -> None:
    lines = written()
    rule = lines.index("| | P@20 |")
    assert lines[rule + 2 : rule + 5] == [
        "| ours (CTPE) | 0.25 (0.4) |",
        "| tfidf | 0.5 (0.3) |",
        "| lsa |  (0.2) |",
    ]
    assert "### cranfield (the paper's ACM)" in lines and "## ctpe-2: precision" in lines


def test_a_number_of_more_than_four_digits_is_whole() -> None:
    line = Line("documents", {"candidate": 20_000.0, "test": 1_578.0}, {"candidate": 98_363.0})
    panel = Panel(
        "cranfield", "", ("candidate", "test"), [line, Line("years", {"test": 2016.0}), Line("mean", {"test": 0.12345})]
    )
    text = as_markdown([Table("ctpe-1", "sets", "", [panel])], {}, {})
    assert "| documents | 20,000 (98,363) | 1578 |" in text and "| years |  | 2016 |" in text
    assert "| mean |  | 0.1235 |" in text or "| mean |  | 0.1234 |" in text


def test_a_p_has_words_of_its_own() -> None:
    rows = [Line("far", {"as it is": 0.0, "p": 0.0}), Line("near", {"as it is": 0.5, "p": 0.0015})]
    text = as_markdown([Table("colde-8", "order", "", [Panel("ours", "", ("as it is", "p"), rows)])], {}, {})
    assert "| far | 0 | < 0.0001 |" in text and "| near | 0.5 | 0.0015 |" in text


def test_an_order_that_does_not_hold_is_said_first() -> None:
    lines = written()
    assert "| ctpe-2 | cranfield | P@20 | no | -1.00 | 1 | 1 |" in lines
    assert lines.index("| ctpe-2 | cranfield | P@20 | no | -1.00 | 1 | 1 |") < lines.index("## ctpe-2: precision")


def test_claims_what_was_left_out_and_facts_stand_below_the_table() -> None:
    lines = written()
    for said in (
        "* Longer is better: cannot be told",
        "* CTPE leads: does not hold (P@20 0.25)",
        "* left out: doc2vec, lda: Expected gensim.",
        "* left out: wmd: too slow",
        "* queries: 225",
        "* drawn: of 9, seed 1",
        "* sha256 of cranfield: corpus.parquet ab12",
        "* best epoch of those trained: ours 4 of 9",
        "* versions: numpy 2",
    ):
        assert lines.count(said) == 1
    assert "f1" not in " ".join(lines).split()


def test_a_plot_stands_in_its_panel() -> None:
    plots = {"ctpe-2 cranfield": "plots/ctpe-2.svg"}
    assert "![ctpe-2 on cranfield](plots/ctpe-2.svg)" in as_markdown([TABLE], {}, plots).splitlines()
    assert not [line for line in written() if line.startswith("![")]


TWO_LINES = [
    Line("CTPE", {"P@20": 0.25, "epochs": 7.0}, {"P@20": 0.4}),
    Line("tfidf", {"P@20": 0.5}, {"P@20": 0.3}),
    Line("lsa", {"P@20": 0.1}, {"P@20": 0.2}),
]
TWO_LINE_TABLE = Table(
    "ctpe-2", "", "", [Panel("ours", "DBLP", ("P@20",), TWO_LINES, orders=by_column(TWO_LINES, ["P@20"]))]
)


def test_each_ranking_counts_once_whole_and_by_pairs_with_the_likely_reason() -> None:
    (held,) = by_column(TWO_LINES[1:], ["P@20"])
    other = replace(
        TWO_LINE_TABLE,
        name="colde-2",
        panels=[replace(TWO_LINE_TABLE.panels[0], orders=[replace(held, over="accuracy")])],
    )
    lines = list(conclusions([TWO_LINE_TABLE, other], "# Why\n\nctpe-2: few texts\n\ncolde-2: chance"))
    assert lines[2:4] == [
        "| ctpe-2 | P@20 | 0 of 1 | 2 of 3 | 0 of 1 | few texts |",
        "| colde-2 | accuracy | 1 of 1 | 1 of 1 | 0 of 0 |  |",
    ]


@pytest.mark.parametrize(
    ("name", "columns", "orders"),
    [
        ("ctpe-2", ["P@20", "R@20", "F1@20"], 1),
        ("ctpe-3", ["MAP@20", "NDCG@20"], 0),
        ("cdssm-3", ["f1"], 0),
        ("ctpe-4", ["avg", "CTPE"], 2),
    ],
)
def test_other_metrics_of_a_ranking_and_depths_of_a_model_do_not_count(
    name: str, columns: list[str], orders: int
) -> None:
    figures = dict.fromkeys(columns, 0.25), dict.fromkeys(columns, 0.4)
    lines = [Line("CTPE", *figures), Line("tfidf", *(dict.fromkeys(columns, value) for value in (0.5, 0.3)))]
    panel = Panel("ours", "DBLP", tuple(columns), lines, orders=by_column(lines, columns))
    found = counted([Table(name, "", "", [panel])])
    assert found == ({} if not orders else {name: found[name]})
    assert not orders or (found[name]["orders"], found[name]["hold"], found[name]["pairs"]) == (orders, 0, orders)


def test_every_table_whose_orders_are_told_has_its_reason() -> None:
    report = json.loads((READING.parents[1] / "reports" / "paper-all.json").read_text("utf-8"))
    reasons = {text.split(": ")[0] for text in READING.read_text("utf-8").split("# Why\n\n")[1].split("\n\n")}
    assert reasons == {name for name, one in report["counted"].items() if one["hold"] < one["orders"]}


def test_a_paragraph_stands_where_all_its_figures_were_measured() -> None:
    reading = """# CTPE

P@20 is {ctpe-2|ours|CTPE|P@20},
the paper's {paper|ctpe-2|ours|CTPE|P@20}, after {ctpe-2|ours|CTPE|epochs} epochs.

{ctpe-2|ours|CTPE|P@20 / ctpe-2|ours|tfidf|P@20} times TF-IDF.

Not there: {ctpe-2|elsewhere|CTPE|P@20}.

Use the shipped one.

# KeyVec

{ctpe-2|ours|CTPE|P@20 / keyvec-1|ours|keyvec|P@10}

Use it for sentences.
"""
    text = "\n".join(conclusions([TWO_LINE_TABLE], reading))
    assert "**CTPE.** P@20 is .250, the paper's .400, after 7 epochs." in text and "\n0.50 times TF-IDF." in text
    assert "\nUse the shipped one." in text and "Use it for sentences" not in text
    assert "Not there" not in text and "**KeyVec.**" not in text


def test_the_reading_names_every_paper_and_no_figure_by_hand() -> None:
    reading = READING.read_text("utf-8")
    assert [line for line in reading.splitlines() if line.startswith("# ")] == [
        "# CTPE",
        "# CoLDE",
        "# KeyVec",
        "# C-DSSM",
        "# Why",
    ]
    assert not [word for word in reading.split() if word.startswith(".") and word[1:2].isdigit()]
    assert _places([TWO_LINE_TABLE])["paper|ctpe-2|ours|lsa|P@20"] == 0.2


def test_a_plot_has_no_date_and_an_empty_panel_no_plot() -> None:
    line = Line("CTPE", {"P@20": 0.3}, {"P@20": 0.31})
    panel = Panel("ours", "arXiv", ("P@20",), [line, Line("bm25", {"P@20": 0.2})], drawn=("P@20",))
    table = Table("ctpe-2", "CTPE, table 2", "As in the paper.", [panel])
    picture = plots.draw(table, panel)
    assert picture is not None and picture == plots.draw(table, panel)
    assert b"the paper" in picture and b"bm25" in picture and b"<dc:date>" not in picture
    assert plots.draw(table, Panel("ours", "", ("P@20",), [], drawn=("P@20",))) is None
