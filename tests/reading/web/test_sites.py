"""Papers that LaTeXML wrote, and articles of wikis."""

from __future__ import annotations

import pytest

from engine.reading.dispatch import read_bytes
from tests.reading.web import pages


def test_a_paper_of_arxiv() -> None:
    document = read_bytes(pages.LATEXML.encode(), "2101.00001v2.html").document
    assert (document.id, document.title, document.year) == ("arXiv:2101.00001", "Slow Drift of Reef Maps", 2021)
    assert document.authors == ("Mara Osei", "Pieter Lund", "Ana Ruiz")
    assert (document.keywords, document.categories) == (("reefs", "drift"), ("cs.CV",))
    assert document.abstract == "We map forty reefs over $n=12$ years.\n\nA second paragraph."
    assert [(one.title, one.role) for one in document.sections] == [
        ("Introduction", "body"), ("Related work", "body"), ("Method", "body"), ("References", "references"),
    ]  # fmt: skip
    introduction, related, method, references = (one.text for one in document.sections)
    assert introduction == f"Reefs drift [1]. {pages.PROSE.strip()}"
    assert related == "Others have\n\n$$E=mc^{2}$$"
    assert method == "Theorem 1. All maps drift.\n\nFigure 1: A reef."
    assert references == "J. Smith. Drift of reefs. Nature, 2001."


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("Mara Osei, Pieter Lund and Ana Ruiz<br>Lund University", ("Mara Osei", "Pieter Lund", "Ana Ruiz")),
        ("Mara Osei<math alttext='^1'><mn>1</mn></math><span class='ltx_note'>Funded</span>", ("Mara Osei",)),
        ("Mara Osei <span class='ltx_contact'>mara@lund.example</span>", ("Mara Osei",)),
        ("José Á. Núñez-O’Hara", ("José Á. Núñez-O’Hara",)),
        ("Reef Research Institute", ()),
    ],
)
def test_names_in_a_title_block(block: str, expected: tuple[str, ...]) -> None:
    start, stop = pages.LATEXML.index('<div class="ltx_authors">'), pages.LATEXML.index('<div class="ltx_abstract">')
    person = (
        f'<div class="ltx_authors"><span class="ltx_creator"><span class="ltx_personname">{block}</span></span></div>'
    )
    page = pages.LATEXML[:start] + person + pages.LATEXML[stop:]
    assert read_bytes(page.encode(), "a.html").document.authors == expected


def test_a_year_and_a_subtitle_of_its_own() -> None:
    page = pages.LATEXML.replace('<div id="watermark-tr">arXiv:2101.00001v2 [cs.CV] 12 Jan 2021</div>', "").replace(
        '<div class="ltx_abstract">',
        '<h2 class="ltx_subtitle">A Survey</h2><div class="ltx_dates">(March 3, 2019)</div><div class="ltx_abstract">',
    )
    document = read_bytes(page.encode(), "a.html").document
    assert (document.title, document.year) == ("Slow Drift of Reef Maps: A Survey", 2019)


def test_footnotes_are_a_section_at_the_end() -> None:
    note = (
        '<span class="ltx_note ltx_role_footnote"><sup class="ltx_note_mark">2</sup><span class="ltx_note_outer"><span '
        'class="ltx_note_content"><sup class="ltx_note_mark">2</sup><span class="ltx_tag ltx_tag_note">2</span>This '
        "note says more about reefs than the text of the paper does.</span></span></span>"
    )
    page = pages.LATEXML.replace("All maps drift.", f"All maps drift.{note}")
    sections = read_bytes(page.encode(), "a.html").document.sections
    assert [one.title for one in sections][-2:] == ["Notes", "References"]
    assert sections[-2].text == "This note says more about reefs than the text of the paper does."
    assert not any("This note" in one.text for one in sections[:-2])


def test_an_article() -> None:
    document = read_bytes(pages.WIKIPEDIA.encode(), "Reef - Wikipedia.html").document
    assert (document.title, document.url) == ("Reef", "https://en.wikipedia.org/wiki/Reef")
    assert (document.authors, document.year) == ((), None)
    assert document.abstract == f"A reef is a ridge of rock. {pages.PROSE.strip()}"
    assert [(one.title, one.role, one.text) for one in document.sections] == [
        ("Formation", "body", f"Its height is $h^{{2}}$. {pages.MORE.strip()}\n\nA reef at dawn"),
        ("Coral reefs", "body", "Fringing reefs\nBarrier reefs"),
        ("References", "references", "Smith, J. (2001). Drift of reefs."),
    ]


def test_a_list_of_sources_in_another_language() -> None:
    page = pages.WIKIPEDIA.replace("<h2>References</h2>", "<h2>Einzelnachweise</h2>").replace('lang="en"', 'lang="de"')
    document = read_bytes(page.encode(), "a.html").document
    assert [(one.title, one.role) for one in document.sections][-1] == ("Einzelnachweise", "references")
    assert document.language == "de"


def test_an_article_as_its_service_answers() -> None:
    page = f"""<html><head><title>Reef</title></head><body class="mw-body-content parsoid-body mw-parser-output">
    <section data-mw-section-id="0"><p>A <b>reef</b> is rock.{pages.PROSE}</p></section><section data-mw-section-id="1">
    <h2 id="F">Formation</h2><p>{pages.MORE}</p></section></body></html>"""
    document = read_bytes(page.encode(), "a.html").document
    assert document.title == "Reef"
    assert [one.title for one in document.sections] == ["Formation"]
