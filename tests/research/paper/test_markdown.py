"""The tables as Markdown, what to conclude from them, and their plots."""

from __future__ import annotations

from dataclasses import replace

from engine.research.paper import plots
from engine.research.paper.markdown import READING, _places, as_markdown, conclusions
from engine.research.paper.tables import Claim, Line, Panel, Skipped, Table, by_column

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


def test_orders_are_counted_whole_and_by_pairs_for_each_paper() -> None:
    other = replace(
        TWO_LINE_TABLE,
        name="colde-2",
        panels=[replace(TWO_LINE_TABLE.panels[0], orders=by_column(TWO_LINES[1:], ["P@20"]))],
    )
    lines = list(conclusions([TWO_LINE_TABLE, other, replace(TWO_LINE_TABLE, name="cdssm-2", panels=[])], ""))
    assert lines[2:4] == ["| CTPE | 0 of 1 | 2 of 3 | 0 of 1 |", "| CoLDE | 1 of 1 | 1 of 1 | 0 of 0 |"]
    assert not [line for line in lines if "C-DSSM" in line]


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
