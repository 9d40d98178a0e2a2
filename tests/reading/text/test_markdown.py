"""Markdown into documents; what dialects add goes, what they mark stays, and front matter gives its fields."""

from __future__ import annotations

import time

import pytest

from engine.documents import Document, Section
from engine.reading.dispatch import read_bytes, read_text
from engine.reading.limits import Budget
from engine.reading.text.dialects import after_link, common, plain, without_attributes
from engine.reading.text.markdown import read_markdown


def read(text: str) -> Document:
    return read_bytes(text.encode(), "a.md").document


def names(document: Document) -> list[str]:
    return [one.title for one in document.sections]


PAPER = """# Kettles *in* [practice](http://example.org/x)

A paragraph above the `first` section.

## 1. Introduction

Text with **strong** words and an ![image](a.png).

```
# a comment in code, not a heading
```

Methods
-------

We boil. snake_case_stays.

### Heat ###

Hot.

## References

- One
- Two
"""


def test_headings_by_signs_and_by_underline() -> None:
    reading = read_bytes(PAPER.encode(), "paper.md")
    document = reading.document
    assert reading.format == "markdown"
    assert reading.warnings == ()
    assert document.title == "Kettles in practice"
    assert document.abstract == "A paragraph above the first section."
    assert document.sections == (
        Section("Introduction", "Text with strong words and an image.\n\n# a comment in code, not a heading"),
        Section("Methods", "We boil. snake_case_stays."),
        Section("Heat", "Hot."),
        Section("References", "- One\n- Two", "references"),
    )


def test_title_underlined_with_equals_signs() -> None:
    document = read_bytes(b"Kettles\n=======\n\n## Abstract\n\nWe boil.\n\n## Results\n\nHot.\n", "a.md").document
    assert (document.title, document.abstract) == ("Kettles", "We boil.")
    assert document.sections == (Section("Results", "Hot."),)


def test_patent_with_claims() -> None:
    text = "# Lid\n\n## Abstract\n\nA lid.\n\n## Claims\n\n1. A lid of\n   steel.\n2. The lid of claim 1.\n"
    document = read_bytes(text.encode(), "lid.md").document
    assert document.kind == "patent"
    assert document.claims == ("A lid of steel.", "The lid of claim 1.")


def test_no_title_is_said() -> None:
    reading = read_bytes(b"## Methods\n\nWe boil.\n\n## Results\n\nHot.\n", "a.md")
    assert reading.document.title == ""
    assert reading.warnings == ("No title was found: neither front matter nor a first heading gives one.",)


def test_one_heading_above_all_others_is_the_title_at_any_level() -> None:
    document = read_bytes(b"## Kettles\n\n### Methods\n\nWe boil.\n\n### Results\n\nHot.\n", "a.md").document
    assert document.title == "Kettles"
    assert [section.title for section in document.sections] == ["Methods", "Results"]


def test_sections_without_a_title_above() -> None:
    reading = read_bytes(b"Opening text.\n\n## Methods\n\nWe boil.\n", "a.md")
    assert reading.document.title == ""
    assert reading.warnings == ("No title was found: neither front matter nor a first heading gives one.",)


def test_pasted_markdown_is_seen_as_such() -> None:
    reading = read_text("# Kettles\n\nThey boil.\n")
    assert (reading.format, reading.document.title) == ("markdown", "Kettles")
    assert reading.document.id.startswith("text:")


@pytest.mark.parametrize(
    "text",
    [
        "# Kettles\n\nThey boil.\n\nAbstract\n",
        "\n# Kettles\n## Abstract\nThey boil.\n",
        "Ada Lind\n\n# Kettles\n\nThey boil.\n\n## Methods\n\n1. Fill it\n2. Introduction\n",
        "Abstract: They boil.\n\n# Kettles\n\nHot.\n\n## Methods\n\nWe boil.\n",
        "---\ntitle: Kettles\n---\n\nThey boil.\n",
    ],
)
def test_texts_that_are_markdown(text: str) -> None:
    assert read_text(text).format == "markdown"


@pytest.mark.parametrize(
    "line",
    ["Model  small large\n# Cups 1 2\n# Lids 3 4", "The code begins with\n# include <kettle.h>", "# A comment in code"],
)
@pytest.mark.parametrize("name", ["paper.txt", "paper"])
def test_a_line_with_a_number_sign_makes_no_markdown_of_a_plain_paper(line: str, name: str) -> None:
    text = (
        "A Study of Kettles\n\nAbstract\nWe study kettles.\n\n1 Introduction\nThey boil.\n\n"
        f"2 Experiments\nTwo were bought.\n\n{line}\n\n3 Conclusion\nThey are hot.\n"
    )
    reading = read_bytes(text.encode(), name)
    assert (reading.format, reading.document.title) == ("text", "A Study of Kettles")
    assert reading.document.abstract == "We study kettles."
    assert [section.title for section in reading.document.sections] == ["Introduction", "Experiments", "Conclusion"]


def test_a_program_in_a_plain_paper_makes_no_markdown_of_it() -> None:
    text = "A Study\n\nAbstract\nWe study.\n\n1 Introduction\nSee:\n\n# boil\nboil()\n\n# pour\npour()\n"
    assert read_text(text).format == "text"


@pytest.mark.parametrize(
    ("written", "title"),
    [
        (
            "# 10 Simple Rules for Kettles\n\n## 1 Introduction\n\nA.\n\n## 2 Lids\n\nB.\n",
            "10 Simple Rules for Kettles",
        ),
        ("3 Ways to Boil\n==============\n\n## Introduction\n\nA.\n\n## Lids\n\nB.\n", "3 Ways to Boil"),
        ("# 1 Million Kettles\n\n## Introduction\n\nA.\n\n## Lids\n\nB.\n", "1 Million Kettles"),
        ("# 2.5 Kettles a Head\n\n## 1. Introduction\n\nA.\n\n## 2. Lids\n\nB.\n", "2.5 Kettles a Head"),
        ("# 4. Kettles\n\n## 4.1 Introduction\n\nA.\n\n## 4.2 Lids\n\nB.\n", "Kettles"),
    ],
)
def test_a_title_keeps_the_number_that_belongs_to_it(written: str, title: str) -> None:
    document = read_bytes(written.encode(), "a.md").document
    assert document.title == title
    assert document.sections == (Section("Introduction", "A."), Section("Lids", "B."))


def test_a_heading_keeps_a_number_that_counts_no_sections() -> None:
    text = "# Kettles\n\n## 1 Introduction\n\nA.\n\n## 2 Lids\n\nB.\n\n## 2.1 Steel\n\nC.\n\n## 7 Ways to Boil\n\nD.\n"
    document = read_bytes(f"{text}\n## 8 References\n\nE.\n".encode(), "a.md").document
    assert [one.title for one in document.sections] == ["Introduction", "Lids", "Steel", "7 Ways to Boil", "References"]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("````\n```\n# no heading\n````", "``` # no heading"),
        ("> # Quoted", "Quoted"),
        ("- # Listed\n- two", "- Listed\n\n- two"),
        ("2) Two\n3) Three", "2) Two\n3) Three"),
        ("A tall <b>kettle</b><br>boils.", "A tall kettle boils."),
        ("<div>\nA kettle\n</div>", "A kettle"),
        ("<!-- image -->\n\nA kettle", "A kettle"),
        ("AT&amp;T \\* x \\[1\\]", "AT&T * x [1]"),
        ("[a kettle][k] <https://a.example>\n\n[k]: http://a.example", "a kettle https://a.example"),
        ("$a_1 * b_1 * \\{c\\}$ and \\(x_1\\)", "$a_1 * b_1 * \\{c\\}$ and \\(x_1\\)"),
        ("$$\na * b * \\\\\n$$", "$$ a * b * \\\\ $$"),
        ("| Cup | Heat |\n|---|---|\n| *one* | 2 |", "Cup | Heat one | 2"),
        ("A kettle\nboils over.\n---", "A kettle boils over."),
    ],
)
def test_marks_go_and_what_they_mark_stays(written: str, read: str) -> None:
    document = read_bytes(f"# Kettles\n\n## Methods\n\n{written}\n".encode(), "a.md").document
    assert document.sections == (Section("Methods", read),)


@pytest.mark.parametrize("piece", ["[", "![", "*", "> ", "- ", "`", "<", "$", "\\(", "a|b\n-|-\n", "a\n", "<!--"])
def test_hostile_markdown_costs_no_more_than_its_length(piece: str) -> None:
    begun = time.process_time()
    read_bytes(f"# A\n\n{piece * (20_000 // len(piece))}".encode(), "a.md")
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    "banner", ["", "## Research Article\n\n", "## Lid Notes 7 (2022) 9-19\n\n", "<!-- image -->\n\n"]
)
@pytest.mark.parametrize(
    "abstract",
    ["Abstract. Of lids.", "## Abstract\n\nOf lids.", "## a b s t r a c t\n\nOf lids.", "**Abstract** - Of lids."],
)
def test_all_headings_of_one_level_as_docling_writes_them(banner: str, abstract: str) -> None:
    people = "Ada Lind 1 [0000-0001-2345-6789] , Bo Ek 2\n\n1 Lid Lab, Town 2 Other Lab\n\n"
    document = read(
        f"{banner}## Quiet Lids\n\n{people}{abstract}\n\n## 1 Introduction\n\nText.\n\n## 1.1 Steel\n\nMore.\n"
    )
    assert (document.title, document.abstract, document.authors) == ("Quiet Lids", "Of lids.", ("Ada Lind", "Bo Ek"))
    assert document.sections == (Section("Introduction", "Text."), Section("Steel", "More."))


def test_a_name_set_as_a_heading_above_the_abstract_is_no_section() -> None:
    document = read("## Quiet Lids\n\n## Ada Lind\n\nTown\n\n## Abstract\n\nOf lids.\n\n## Introduction\n\nText.\n")
    assert (document.title, names(document)) == ("Quiet Lids", ["Introduction"])


def test_marks_of_marker_go() -> None:
    text = (
        '# **Quiet Lids**\n\n<span id="page-0-0"></span>Ada Lind<sup>1</sup> , Bo Ek<sup>2</sup>\n\n'
        "## **ABSTRACT**\n\nOf lids.\n\n"
        "## <span id='page-1-0'></span>**1 INTRODUCTION**\n\nSteel [\\[1\\]](#page-3-0) H<sub>2</sub>O.\n\n"
        "{0}------------------------------------------------\n\n![](_page_0_Figure_1.jpeg)\n\n#### *A. Steel*\n\nHot.\n"
    )
    document = read(text)
    assert (document.title, document.authors, document.abstract) == ("Quiet Lids", ("Ada Lind", "Bo Ek"), "Of lids.")
    assert document.sections == (Section("INTRODUCTION", "Steel [1] H2O."), Section("Steel", "Hot."))


@pytest.mark.parametrize(
    "title", ["# Quiet Lids", "**Quiet Lids**", "Quiet Lids", "***Quiet Lids***", '<h1 align="center">Quiet Lids</h1>']
)
@pytest.mark.parametrize("mark", ["**{}**", "__{}__", "***{}***"])
def test_bold_lines_are_headings(title: str, mark: str) -> None:
    heads = (mark.format(one) for one in ("Abstract", "1. Introduction", "2. Methods", "References"))
    parts = zip(heads, ("Of lids.", "Text.", "**Note:** We boil.", "[1] A. Lind. Lids."), strict=True)
    document = read("\n\n".join([title, "Ada Lind, Bo Ek", *(one for pair in parts for one in pair)]))
    assert (document.title, document.abstract) == ("Quiet Lids", "Of lids.")
    assert document.sections[:2] == (Section("Introduction", "Text."), Section("Methods", "Note: We boil."))
    assert document.sections[2].role == "references"


def test_bold_lines_among_headings_are_text() -> None:
    document = read("# Lids\n\n## Introduction\n\n**Take care**\n\nText.\n\n## Methods\n\n**Not so**\n\nMore.\n")
    assert document.sections == (Section("Introduction", "Take care\n\nText."), Section("Methods", "Not so\n\nMore."))


def test_key_words_in_a_paragraph() -> None:
    document = read("# Lids\n\n**Abstract:** Of lids.\n\n**Keywords:** tea; heat\n\n# Introduction\n\nText.\n")
    assert (document.abstract, document.keywords, names(document)) == ("Of lids.", ("tea", "heat"), ["Introduction"])


def test_footnotes_are_a_section_at_the_end() -> None:
    notes = "[^1]: This note says more about kettles than the text of\n    tea does.\n[^b]: See above.\n\n"
    listed = "## References\n\n[^4]: A. Lind, On the very long life of kettles, 1999.\n"
    document = read(f"# Lids\n\n## Tea\n\nHot.[^1] Very[^b].\n\n{notes}## Lids\n\nRound.\n\n{listed}")
    assert document.sections == (
        Section("Tea", "Hot. Very."),
        Section("Lids", "Round."),
        Section("Notes", "This note says more about kettles than the text of tea does."),
        Section("References", "[^4]: A. Lind, On the very long life of kettles, 1999.", "references"),
    )


@pytest.mark.parametrize(
    "piece",
    ["**a**\n\n", "# Abstract\n\n", "# Ada Lind\n\n", "# Letter\n\n", "[[", "[a]{.b", "{", "==a", "[^a]: b\n", "[^"],
)
def test_many_odd_parts_cost_no_more_than_their_length(piece: str) -> None:
    begun = time.process_time()
    read(f"# A\n\n{piece * (60_000 // len(piece))}\n\n# Abstract\n\nB.")
    assert time.process_time() - begun < 8


def test_many_lines_look_at_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[Budget] = []
    monkeypatch.setattr(Budget, "check", lambda self: looks.append(self))
    for piece in ("> > > a\n", "- a\n", "a\n\n", "$a_1$ ", "**a** "):
        looks.clear()
        read_markdown(f"# A\n\n{piece * 300}", "a")
        assert len(looks) >= 300, piece


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
        ("author: by Ada Lovelace (Institute of Engines)", ("Ada Lovelace",)),
        ("creator: Ada Lovelace", ("Ada Lovelace",)),
        ("byline: By Ada Lovelace, Grace Hopper", ("Ada Lovelace", "Grace Hopper")),
        ("by:\n  - Ada Lovelace\n  - name: Grace Hopper", ("Ada Lovelace", "Grace Hopper")),
        ("contributors: [Ada Lovelace, Grace Hopper]", ("Ada Lovelace", "Grace Hopper")),
        ("contributors: Mary Shelley\nauthors: |\n  Ada Lovelace\n  Grace Hopper", ("Ada Lovelace", "Grace Hopper")),
        ("Autor: Ada Lovelace", ("Ada Lovelace",)),
        ("editor: Ada Lovelace", ()),
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


AUTHORS = ("Ada Lind", "Bo Ek", "Cy Fox")


@pytest.mark.parametrize(
    "front",
    [
        "Ada Lind $^ { 1 , * }$ , Bo Ek $^ { 2 }$ and Cy Fox $^ { 1 , 2 }$\n\n$^ { 1 }$ Lid Institute, Quito",
        "Ada Lind$^{1}$ Bo Ek$^{\\dagger}$ Cy Fox$^{\\mathrm{a,b}}$\n\nLid Institute, Quito",
        "Ada Lind\\({}^{1}\\)\n\nBo Ek\\({}^{2}\\)\n\nCy Fox\\({}^{1,2}\\)\n\n\\({}^{1}\\)Lid Institute, Quito",
        " Ada Lind\\({}^{1}\\), Bo Ek\\({}^{2}\\), Cy Fox\\({}^{*}\\)\n\n\\({}^{1}\\)Lid Institute",
        "Ada Lind<sup>1,\u2217</sup> , Bo Ek<sup>2</sup>, Cy Fox<sup>1</sup>\n\n<sup>1</sup>Lid Institute, Quito",
        "**Ada Lind**<sup>1</sup>, **Bo Ek**<sup>2</sup>, **Cy Fox**\n\n*1 Lid Institute, Quito*",
        "Ada Lind a, *, Bo Ek b, Cy Fox a,b\n\na Lid Institute, Quito  \nb Pot Laboratory\n\n# ARTICLEINFO",
        "Ada Lind 1 , Bo Ek 2 , Cy Fox 1\n\n1 Lid Institute, Quito",
        "Ada Lind\n\nLid Institute, Quito\n\nBo Ek\n\nCy Fox\n\nPot Laboratory",
        "Ada Lind, Lid Institute, Quito, Ecuador  \nBo Ek, Pot Laboratory, a@b.c  \nCy Fox, Lid Institute",
        "| Ada Lind | Bo Ek | Cy Fox |\n|---|:-:|---|\n| Lid Institute | Pot Laboratory | a@b.c |",
        "Ada Lind<sup>1</sup><br>Lid Institute<br/>Bo Ek<br>Pot Laboratory<br>Cy Fox",
        "**Authors:** Ada Lind[1], Bo Ek[1, 2], Cy Fox",
        "## Authors\n\nAda Lind, Bo Ek and Cy Fox",
        "Ada Lind $\\mathrm { { ^ 1 } }$ , Bo Ek $\\mathbf { \\Sigma } ^ { 2 }$ , Cy Fox $\\textcircled{1}$",
        "Ada Lind 1 Bo Ek 2 Cy Fox 1,2\n\n1 Lid Institute, Quito 2 Pot Laboratory",
        "Ada Lind1, Bo Ek2, Cy Fox1  \n1 Lid Institute, Quito  \na@b.c",
    ],
)
def test_authors_as_converters_write_them(front: str) -> None:
    found = read(
        f"# Slow Lids$^{{*}}$\n\n{front}\n\n## Abstract\n\nWe boil 10$^{{5}}$ lids.\n\n## 1 Introduction\n\nLids."
    )
    assert (found.title, found.authors) == ("Slow Lids", AUTHORS)
    assert found.abstract == "We boil 10$^{5}$ lids." and names(found) == ["Introduction"]


def test_what_is_no_name_below_a_title() -> None:
    assert read("# Slow Lids\n\nResearch Article\n\n## Abstract\n\nWe boil.\n\n## Introduction\n\nLids.").authors == ()


@pytest.mark.parametrize(
    "label",
    ["**Abstract** ", "**Abstract.** ", "*Abstract* ", "__ABSTRACT__\n", "Abstract—", "ABSTRACT ", "**Summary** "],
)
def test_the_label_of_an_abstract_before_its_text(label: str) -> None:
    text = "We boil forty lids over two whole winters and look at them."
    assert (
        read(f"# Slow Lids\n\n{label}{text}\n\n**Keywords** lids, pots\n\n## 1 Introduction\n\nLids.").abstract == text
    )


def test_a_superscript_behind_a_number() -> None:
    found = read("# T\n\n## Method\n\n10<sup>5</sup> lids at 3 s<sup>−1</sup>, the 1<sup>st</sup> of Lind<sup>2</sup>")
    assert found.sections[0].text == "10^5 lids at 3 s^−1, the 1st of Lind2"


def test_title_and_authors_of_mathpix() -> None:
    found = read(
        "\\title{\nSlow $\\mathrm{CO}_2$\nLids\n}\n\n\\author{\nAda Lind ${ }^{1, *}$ and Bo Ek ${ }^{2}$ \\\\\n"
        "${ }^{1}$ Lid Institute, Quito\n}\n\n\\begin{abstract}\nWe boil.\n\\end{abstract}\n\n"
        "\\section{Introduction}\n\nLids."
    )
    assert (found.title, found.authors) == ("Slow $\\mathrm{CO}_2$ Lids", ("Ada Lind", "Bo Ek"))
    assert (found.abstract, names(found)) == ("We boil.", ["Introduction"])


def test_pictures_and_tables_of_mathpix_and_pages_of_nougat() -> None:
    found = read(
        "# T\n\n## Method\n\nLids.\n\n[MISSING_PAGE_FAIL:2]\n\n\\begin{figure}\n\\includegraphics[width=1cm]{x.png}\n"
        "\\captionsetup{labelformat=empty}\n\\caption{Figure 1: A lid.}\n\\end{figure}\n\n\\begin{tabular}{|c|c|}\n"
        "\\hline Lid & dB \\\\\n\\hline\n\\end{tabular}\n\n\\footnotetext{Equal work.}\n\n"
        "<table><tr><td>Lid &amp; pot</td></tr></table>"
    )
    assert found.sections[0].text.split("\n\n") == ["Lids.", "Figure 1: A lid.", "Lid & dB", "Equal work.", "Lid & pot"]


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


@pytest.mark.parametrize(
    "authors",
    [
        "authors: [{name: Ada Lind, email: a@b.c}, {name: Mara Osei}]",
        'authors:\n- {name: Ada Lind, affil: X}\n- {name: "Mara Osei"}',
        "authors:\n  - first: Ada\n    last: Lind\n  - first_name: Mara\n    last_name: Osei",
        "authors:\n  - given-names: Ada\n    surname: Lind\n  - literal: Mara Osei",
        "authors:\n  - Ada Lind:\n      institute: x\n  - Mara Osei:\n      institute: x",
        "authors: |\n  Ada Lind\n  Mara Osei",
        "authors:\n  -\n    name: Ada Lind\n  -\n    name: Mara Osei",
    ],
)
def test_authors_of_front_matter_in_other_forms(authors: str) -> None:
    assert read_markdown(f"---\ntitle: A\n{authors}\n---\n# B\n", "a").document.authors == ("Ada Lind", "Mara Osei")


@pytest.mark.parametrize(
    "names",
    [
        "Ada Lind\n\nInstitute of Shores\n\nNorthport\n\nada@a.org\n\n&Mara Osei\n\nSouthport College\n\nmara@a.org",
        "Ada Lind\nInstitute of Shores\nada@a.org\n\nMara Osei\nSouthport College\nmara@a.org",
        "Ada Lind\nInstitute of Shores\nNew York\nada@a.org\nMara Osei\nSouthport College\nParis, France\nmara@a.org",
        "Ada Lind\\\nInstitute of Shores\\\nada@a.org\n\nMara Osei\\\nmara@a.org",
        "**Ada Lind**\nInstitute of Shores\n\n**Mara Osei**\nSouthport College",
        "Ada Lind$^{1}$\nInstitute of Shores\n\nMara Osei\\*\nSouthport College",
        "Ada Lind, Mara Osei\nInstitute of Shores\nada@a.org",
    ],
)
def test_names_over_their_institutes_and_addresses(names: str) -> None:
    text = f"# Slow drift of floats\n\n{names}\n\n## Abstract\n\nWe drift.\n\n## Introduction\n\nFloats drift.\n"
    document = read_markdown(text, "a").document
    assert (document.authors, document.abstract) == (("Ada Lind", "Mara Osei"), "We drift.")


def test_fractions_and_subscripts_behind_a_number() -> None:
    text = "# A\n\n5<sup>1</sup>/<sub>2</sub> m, 101<sub>2</sub>, CO<sub>2</sub>"
    assert read_markdown(text, "a").document.sections[0].text == "5 1/2 m, 101_2, CO2"
