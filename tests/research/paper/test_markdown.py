"""The rebuilt tables as Markdown."""

from __future__ import annotations

from engine.research.paper.markdown import as_markdown
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
