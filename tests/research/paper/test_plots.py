"""The plots of tables."""

from __future__ import annotations

from engine.research.paper import plots
from engine.research.paper.tables import Line, Panel, Table


def test_a_plot_has_no_date_and_an_empty_panel_no_plot() -> None:
    line = Line("CTPE", {"P@20": 0.3}, {"P@20": 0.31})
    panel = Panel("ours", "arXiv", ("P@20",), [line, Line("bm25", {"P@20": 0.2})], drawn=("P@20",))
    table = Table("ctpe-2", "CTPE, table 2", "As in the paper.", [panel])
    picture = plots.draw(table, panel)
    assert picture is not None and picture == plots.draw(table, panel)
    assert b"the paper" in picture and b"bm25" in picture and b"<dc:date>" not in picture
    assert plots.draw(table, Panel("ours", "", ("P@20",), [], drawn=("P@20",))) is None
