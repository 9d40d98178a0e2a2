"""What is concluded from the tables."""

from __future__ import annotations

from dataclasses import replace

from engine.research.paper.markdown import READING, _places, conclusions
from engine.research.paper.tables import Line, Panel, Table, by_column

LINES = [
    Line("CTPE", {"P@20": 0.25, "epochs": 7.0}, {"P@20": 0.4}),
    Line("tfidf", {"P@20": 0.5}, {"P@20": 0.3}),
    Line("lsa", {"P@20": 0.1}, {"P@20": 0.2}),
]
TABLE = Table("ctpe-2", "", "", [Panel("ours", "DBLP", ("P@20",), LINES, orders=by_column(LINES, ["P@20"]))])


def test_orders_are_counted_whole_and_by_pairs_for_each_paper() -> None:
    other = replace(TABLE, name="colde-2", panels=[replace(TABLE.panels[0], orders=by_column(LINES[1:], ["P@20"]))])
    lines = list(conclusions([TABLE, other, replace(TABLE, name="cdssm-2", panels=[])], ""))
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
    text = "\n".join(conclusions([TABLE], reading))
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
    assert _places([TABLE])["paper|ctpe-2|ours|lsa|P@20"] == 0.2
