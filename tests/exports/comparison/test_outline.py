"""What of a comparison a report draws."""

from __future__ import annotations

from dataclasses import replace

from engine.compare import Comparison
from engine.exports.comparison.outline import MAX_DRAWN, MAX_ELEMENTS, MAX_LINKED, MAX_PASSAGES
from engine.exports.comparison.report import comparison_html
from tests.compare.made import SENTENCE, comparison, document
from tests.exports.comparison.reports import page
from tests.read_page import Page


def test_passages_and_chunks_name_their_pages(made: Comparison) -> None:
    first = made.passages[0]
    paged = replace(made, passages=(replace(first, a=replace(first.a, page=9)), *made.passages[1:]))
    paged = replace(paged, chunks_b=(replace(made.chunks_b[0], page=4), *made.chunks_b[1:]))
    shown = page(paged)
    assert f"A {first.a.section}, p. 9" in " ".join(shown.id("p-0").text.split())
    assert shown.id("b-0").text.count("· p. 4") == 1
    assert paged.as_json()["passages"][0]["a"]["page"] == 9  # type: ignore[index]
    assert "page" not in paged.as_json()["passages"][0]["b"]  # type: ignore[index]


def test_a_long_document_gives_a_usable_file() -> None:
    long = (
        f"{SENTENCE[:-1]}, and it opens again whenever somebody else goes on to read another one aloud to the engine."
    )
    a, b = (document(letter, 6, 96, text=long) for letter in "AB")
    assert min(len(one.text.split()) for one in (a, b)) > 50_000
    one = comparison(a, b, passages=MAX_PASSAGES + 5)
    one = replace(one, claims=one.claims * MAX_ELEMENTS)
    source = comparison_html(one)
    assert len(source.encode()) < 4_000_000
    shown = Page(source)
    assert MAX_LINKED < MAX_DRAWN < len(one.chunks.a)
    linked = {one.attributes["id"] for one in shown.all("path", "chosen", within="chunks")}
    opened = {one.attributes["id"] for one in shown.all("p", within="texts") if "id" in one.attributes}
    assert linked == {f"at-{name}" for name in opened if name.startswith("c-")}
    said = shown.id("making").text
    assert f"more than {MAX_LINKED} squares" in said
    assert f"room for {MAX_DRAWN} on a side" in said
    assert f"Of {MAX_PASSAGES + 5} passages the strongest {MAX_PASSAGES}" in said
    assert f"claim elements the first {MAX_ELEMENTS}" in said
    assert len(shown.all("li", within="passages")) == MAX_PASSAGES
    assert len(shown.all("p", "words")) == len(one.chunks_a) + len(one.chunks_b)
