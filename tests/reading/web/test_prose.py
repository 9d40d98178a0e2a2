"""Elements into headings, paragraphs and lists of references."""

from __future__ import annotations

import pytest

from engine.core.errors import InputTooLargeError
from engine.reading.limits import LIMITS, Budget
from engine.reading.web.elements import page_tree
from engine.reading.web.prose import Layout, classes, is_data_table, is_unread, paragraphs, parts, text_line

LONG = "Reefs drift because the currents that feed them change with the seasons, and maps do not show it. " * 2


def told(page: str, layout: Layout | None = None) -> list[tuple[str, str]]:
    return [(part.kind, part.text) for part in parts(page_tree(page, "a"), layout or Layout())]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (
            "<h2>A <i>b</i></h2><p>c\n d<div>e<p>f</div>g",
            [("heading", "A b"), ("text", "c d"), ("text", "e"), ("text", "f"), ("text", "g")],
        ),
        ("a <b>b</b><i> c</i>", [("text", "a b c")]),
        ("<ul><li>a</li> <li>b</li></ul>c", [("text", "a\nb"), ("text", "c")]),
        ("a<br>b", [("text", "a\nb")]),
        ("<pre>a  b\n c</pre>", [("text", "a b\nc")]),
        ("<table><caption>Table 1. A</caption><tr><td>1</td></tr></table>b", [("text", "Table 1. A"), ("text", "b")]),
        ("<table role=presentation><tr><td>a</td><td>b</td></tr></table>", [("text", "a b")]),
        (f"<table><tr><td><p>{LONG}</p><p>{LONG}</p></td></tr></table>", [("text", LONG.strip())] * 2),
        ("<script>a</script><style>b</style><noscript>c</noscript>d", [("text", "d")]),
    ],
)
def test_parts_in_reading_order(page: str, expected: list[tuple[str, str]]) -> None:
    assert told(page) == expected


def test_what_a_layout_marks() -> None:
    layout = Layout(
        drop=lambda one: "gone" in classes(one),
        abstract=lambda one: "abstract" in classes(one),
        references=lambda one: "refs" in classes(one),
        not_cited=lambda one: one.tag == "b",
        run_in=lambda one: one.tag == "h6",
        heading=lambda one: one.tag == "heading",
    )
    page = (
        "<div class=gone>x</div><div class=abstract><h2>Abstract</h2><h3>Aim.</h3><p>a</p><p>b</p></div>"
        "<heading>B</heading>"
        "<h6>Theorem 1.</h6><p>All.</p><h6>Last</h6>"
        "<div class=refs><h2>Refs</h2><ul><li><b>1</b> c [ ]</li><li></li></ul></div>"
    )
    found = parts(page_tree(page, "a"), layout)
    assert [(one.kind, one.text) for one in found] == [
        ("abstract", "Aim: a\n\nb"),
        ("heading", "B"),
        ("text", "Theorem 1. All."),
        ("references", "Refs"),
        ("text", "Last"),
    ]
    assert found[3].entries == ["c"]


def test_paragraphs_and_lines() -> None:
    page = page_tree("<p>Abstract: a</p><h3>B:</h3><p>c<br>d</p>", "a")
    assert paragraphs(page) == ["a", "B: c\nd"]
    assert text_line(page) == "Abstract: a B: c d"
    assert text_line(None) == ""


@pytest.mark.parametrize(
    ("label", "expected"), [("Zusammenfassung", "a"), ("Résumé", "a"), ("摘要", "a"), ("Aim", "Aim: a")]
)
def test_the_heading_of_an_abstract_in_other_languages(label: str, expected: str) -> None:
    assert paragraphs(page_tree(f"<h2>{label}</h2><p>a</p>", "a")) == [expected]


def test_tables_of_values_and_of_layout() -> None:
    assert is_data_table(page_tree("<table><tr><td>1", "a")[0])
    assert not is_data_table(page_tree("<table class=ltx_eqn_table><tr><td>1", "a")[0])
    assert is_unread(page_tree("<script>", "a")[0])


def test_too_many_headings_and_cancel() -> None:
    budget = Budget.of_file(LIMITS, "a.html")
    with pytest.raises(InputTooLargeError, match=r"at most 5,000 sections in a\.html, found 5,001"):
        parts(page_tree("<h2>a</h2>" * 5_001, "a"), Layout(), budget)


def test_deep_elements_need_no_recursion() -> None:
    assert told("<div>" * 5_000 + "a") == [("text", "a")]
