"""What dialects add to Markdown goes, and what it marks stays."""

from __future__ import annotations

import pytest

from engine.documents import Section
from engine.reading.dispatch import read_bytes
from engine.reading.text.dialects import after_link, common, plain, without_attributes


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("Methods {#sec-methods .unnumbered}", "Methods"),
        ("Abstract {-}", "Abstract"),
        ('Lids {data-x="a b" .c}', "Lids"),
        ("Lids {of steel}", "Lids {of steel}"),
        ("{.x}", "{.x}"),
        ("The set {a}", "The set {a}"),
    ],
)
def test_attributes_of_a_heading(heading: str, text: str) -> None:
    assert without_attributes(heading) == text


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("a [lid]{.smallcaps} rests", "a lid rests"),
        ("a [lid]{of steel}", "a [lid]{of steel}"),
        ("[[Lids|a lid]] and [[Pots#Steel]]", "a lid and Pots"),
        ("![[lid.png]]", ""),
        ("[!note] Take care", "Take care"),
        ("a ==quiet== lid ^lid-1", "a quiet lid"),
        ("a == b", "a == b"),
    ],
)
def test_marks_within_a_text(written: str, text: str) -> None:
    assert plain(written) == text


def test_attributes_after_a_picture() -> None:
    assert after_link("{width=50% #fig:a} shows") == " shows"
    assert after_link("{a b} shows") == "{a b} shows"


def test_lines_that_only_a_dialect_understands() -> None:
    lines = [
        "(sec-lids)=",
        "# Lids",
        ":::{note}",
        "Text",
        ":::",
        "+++",
        "{{< include a.qmd >}}",
        "%% not this",
        "nor this %%",
    ]
    assert [line for line in common(lines) if line] == ["# Lids", "Text"]


def test_programs_are_kept_and_a_comment_without_an_end_is_text() -> None:
    lines = ["```", ":::", "%% a", "````", "Text"]
    assert common(lines) == lines
    assert common(["%% open", "Text"]) == ["%% open", "Text"]


def test_a_paper_of_quarto() -> None:
    text = (
        "---\ntitle: Lids\n---\n\n## Introduction {#sec-intro}\n\n::: {.callout-note}\nSee [lids]{.mark}.\n:::\n\n"
        "```{r}\n# no heading\n```\n\n## Methods {.unnumbered}\n\n![A lid](a.png){#fig-a width=5cm}\n"
    )
    document = read_bytes(text.encode(), "a.md").document
    assert document.sections == (Section("Introduction", "See lids.\n\n# no heading"), Section("Methods", "A lid"))


def test_latex_that_converters_write_among_markdown() -> None:
    text = (
        "\\title{\nSlow Drift in Reef Maps\n}\n\n\\author{\nAda Lind, Bo Vik\n}\n\n\\begin{abstract}\n"
        "We map forty reefs.\n\\end{abstract}\n\n\\section*{1 Introduction}\nReefs are $x^2$.\n"
        "\\subsection{Nets}\nFew.\n"
    )
    found = read_bytes(text.encode(), "a.md").document
    assert (found.title, found.abstract) == ("Slow Drift in Reef Maps", "We map forty reefs.")
    assert found.authors == ("Ada Lind", "Bo Vik")
    assert [section.title for section in found.sections] == ["Introduction", "Nets"]
    assert "$x^2$" in found.sections[0].text
