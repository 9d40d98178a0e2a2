from __future__ import annotations

import time

import pytest

from engine.documents import Document, Section
from engine.reading.dispatch import read_bytes, read_text
from engine.reading.limits import Budget
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
