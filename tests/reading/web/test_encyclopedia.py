"""Articles of wikis."""

from __future__ import annotations

from engine.reading.dispatch import read_bytes
from tests.reading.web import pages


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
