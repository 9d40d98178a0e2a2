from __future__ import annotations

from engine.documents import Section
from engine.readers import read_bytes, read_text

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


def test_front_matter() -> None:
    text = '---\ntitle: "Kettles: a \\"study\\""\ntags: [tea, heat]\nabstract: Boil.\nx: !!py/none\n---\n\nText.\n'
    document = read_bytes(text.encode(), "a.md").document
    assert document.title == 'Kettles: a "study"'
    assert document.keywords == ("tea", "heat")
    assert document.abstract == "Boil."
    assert document.sections == (Section("Text", "Text."),)


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
