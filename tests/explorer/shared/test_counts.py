"""Tables of what a library holds."""

from __future__ import annotations

from explorer.shared.counts import table


def test_every_cell_of_a_table_has_a_heading_of_its_column_and_of_its_row() -> None:
    html = table(("File", "Documents"), [("a.pdf", "3")], label="Files", numbers=(1,))
    assert html.startswith('<table class="ps-table" aria-label="Files">')
    assert '<th scope="col">File</th>' in html
    assert '<tr><th scope="row">a.pdf</th><td class="ps-number">3</td></tr>' in html
