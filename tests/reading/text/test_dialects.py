"""What dialects add to Markdown goes, and what it marks stays; front matter gives its fields."""

from __future__ import annotations

import pytest

from engine.documents import Section
from engine.reading.dispatch import read_bytes
from engine.reading.text.dialects import after_link, common, plain, without_attributes


def test_front_matter() -> None:
    text = '---\ntitle: "Kettles: a \\"study\\""\ntags: [tea, heat]\nabstract: Boil.\nx: !!py/none\n---\n\nText.\n'
    document = read_bytes(text.encode(), "a.md").document
    assert document.title == 'Kettles: a "study"'
    assert document.keywords == ("tea", "heat")
    assert document.abstract == "Boil."
    assert document.sections == (Section("Text", "Text."),)


@pytest.mark.parametrize(
    ("field", "abstract"),
    [
        (
            "abstract: |\n  Kettles boil. They\n  are hot.\n\n  Lids help.\n",
            "Kettles boil. They are hot.\n\nLids help.",
        ),
        ("abstract: >-\n    Kettles boil.\n    title: no field\n", "Kettles boil. title: no field"),
        ("Abstract: Kettles\n  boil.\n", "Kettles boil."),
        ('abstract: "Kettles:\n  they boil."\n', "Kettles: they boil."),
        ("abstract:\nmore:\n  abstract: Not this.\n", ""),
    ],
)
def test_ways_to_write_an_abstract_in_front_matter(field: str, abstract: str) -> None:
    text = f"---\ntitle: >\n  Quiet\n  kettles\n{field}year: 2020\n---\n\n# Introduction\n\nText.\n\n# Lids\n\nMore.\n"
    document = read_bytes(text.encode(), "a.md").document
    assert (document.title, document.abstract) == ("Quiet kettles", abstract)
    assert document.sections == (Section("Introduction", "Text."), Section("Lids", "More."))


@pytest.mark.parametrize(
    "field",
    [
        "keywords: [tea, 'black heat']",
        "keywords:\n  - tea\n  - black heat",
        'keywords:\n- "tea"\n- black heat',
        "tags: [\n  tea,\n  black heat\n]",
        "keywords: tea; black heat",
        "keywords: tea,\n  black heat",
    ],
)
def test_ways_to_write_keywords_in_front_matter(field: str) -> None:
    text = f"---\ntitle: Kettles\n{field}\nlang: en\n---\n\nText.\n"
    document = read_bytes(text.encode(), "a.md").document
    assert (document.title, document.keywords) == ("Kettles", ("tea", "black heat"))


@pytest.mark.parametrize(
    ("field", "authors"),
    [
        ("author: Ada Lovelace", ("Ada Lovelace",)),
        ("author: Lovelace, Ada", ("Lovelace, Ada",)),
        ("author: van der Berg, Jan Peter", ("van der Berg, Jan Peter",)),
        ("author: Lovelace, Ada and Hopper, Grace", ("Lovelace, Ada", "Hopper, Grace")),
        ("authors: [Ada Lovelace, 'Grace Hopper']", ("Ada Lovelace", "Grace Hopper")),
        ("author:\n  - Ada Lovelace\n  - Grace Hopper", ("Ada Lovelace", "Grace Hopper")),
        ("author: Ada Lovelace, Grace Hopper, and Mary Shelley", ("Ada Lovelace", "Grace Hopper", "Mary Shelley")),
        ("author:\n- name: Ada Lovelace\n  affiliation: None\n- name: Grace Hopper", ("Ada Lovelace", "Grace Hopper")),
        (
            "author:\n  - name:\n      given: Ada\n      family: Lovelace\n    affiliation:\n      - name: None\n"
            "  - name: Grace Hopper",
            ("Ada Lovelace", "Grace Hopper"),
        ),
        ("author:\n  - name: {given: Ada, family: Lovelace}", ("Ada Lovelace",)),
        ("author:\n- affiliation: None", ()),
        ("author:", ()),
    ],
)
def test_ways_to_write_authors_in_front_matter(field: str, authors: tuple[str, ...]) -> None:
    document = read_bytes(f"---\ntitle: Kettles\n{field}\nlang: en\n---\n\nText.\n".encode(), "a.md").document
    assert (document.title, document.authors) == ("Kettles", authors)


@pytest.mark.parametrize(
    ("field", "year"),
    [
        ("date: 2020-05-01", 2020),
        ("year: 1999", 1999),
        ("date: May 3, 2021", 2021),
        ("date: today", None),
        ("x: 1", None),
    ],
)
def test_ways_to_write_a_year_in_front_matter(field: str, year: int | None) -> None:
    document = read_bytes(f"---\ntitle: Kettles\n{field}\n---\n\nText.\n".encode(), "a.md").document
    assert document.year == year


def test_the_title_block_of_pandoc() -> None:
    block = "% Quiet lids:\n  a study\n% Ada Lovelace; Grace Hopper\n  Mary Shelley\n% May 2021\n\n"
    text = f"{block}Abstract\n========\n\nText.\n"
    document = read_bytes(text.encode(), "a.md").document
    assert (document.title, document.year, document.abstract) == ("Quiet lids: a study", 2021, "Text.")
    assert document.authors == ("Ada Lovelace", "Grace Hopper", "Mary Shelley")


def test_a_title_block_may_lack_its_authors() -> None:
    document = read_bytes(b"% Quiet lids\n%\n% 2021\n\n# Lids\n\nText.\n", "a.md").document
    assert (document.title, document.authors, document.year) == ("Quiet lids", (), 2021)


@pytest.mark.parametrize(("written", "language"), [("de", "de"), ("pt-BR", "pt-BR"), ("'x y'", "")])
def test_a_language_in_front_matter(written: str, language: str) -> None:
    assert (
        read_bytes(f"---\ntitle: Kettles\nlang: {written}\n---\n\nText.\n".encode(), "a.md").document.language
        == language
    )


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
