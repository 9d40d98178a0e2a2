"""Saved pages into documents, each kind as its site writes it, with what a page's head says of its work."""

from __future__ import annotations

import json

import pytest

from engine.core.errors import EmptyInputError, InputTooLargeError
from engine.documents import DocumentDate, Identifier
from engine.reading.base import ReadFile
from engine.reading.dispatch import read_bytes
from engine.reading.web.metadata import Metadata, metadata
from engine.reading.web.page import page_tree
from engine.reading.web.prose import ProsePart
from engine.reading.web.reader import stretches_of
from tests.reading.web import pages


def heading(text: str, level: int = 2) -> ProsePart:
    return ProsePart("heading", text, level)


def text(words: str) -> ProsePart:
    return ProsePart("text", words)


def told(*found: ProsePart) -> list[tuple[str, str, str]]:
    return [(one.title, one.role, one.text) for one in stretches_of(found, "Reefs") if one.title or one.text]


def test_headings_with_numbers_and_roles() -> None:
    found = told(
        heading("Reefs", 1),
        heading("1. Introduction"),
        text("a"),
        text("b"),
        heading("References"),
        text("c"),
        text("d"),
    )
    assert found == [("Introduction", "body", "a\n\nb"), ("References", "references", "c\nd")]


@pytest.mark.parametrize(
    "named", ["Share this article", "3 Comments", "Rights and permissions", "Similar articles", "Cite"]
)
def test_furniture_goes_with_what_is_below_it(named: str) -> None:
    assert told(
        heading("A"), text("a"), heading(named), text("b"), heading("C", 3), text("c"), heading("D"), text("d")
    ) == [
        ("A", "body", "a"),
        ("D", "body", "d"),
    ]


def test_headings_within_an_abstract() -> None:
    assert told(heading("Abstract"), heading("Aim", 3), text("a"), heading("B"), text("b")) == [
        ("Abstract", "abstract", "Aim: a"),
        ("B", "body", "b"),
    ]


def test_a_second_abstract_is_a_section() -> None:
    found = told(heading("Abstract"), text("a"), ProsePart("abstract", "b"))
    assert found == [("Abstract", "abstract", "a"), ("Abstract", "body", "b")]
    assert told(heading("Abstract"), ProsePart("abstract", "b")) == [
        ("Abstract", "abstract", ""),
        ("Abstract", "abstract", "b"),
    ]


def test_key_words_beside_and_below_their_label() -> None:
    assert told(ProsePart("abstract", "a\n\nKeywords: b, c")) == [
        ("Abstract", "abstract", "a"),
        ("Keywords", "keywords", "b, c"),
    ]
    assert told(text("Keywords:"), text("b; c"), text("d"))[1:] == [("Keywords", "keywords", "b; c"), ("", "body", "d")]


def test_lists_of_references_take_the_heading_above_them() -> None:
    assert told(heading("Notes"), ProsePart("references", "", entries=["a", "b"])) == [("Notes", "references", "a\nb")]
    assert told(heading("A"), text("a"), ProsePart("references", "Refs", entries=["b"]))[-1] == (
        "Refs",
        "references",
        "b",
    )


@pytest.mark.parametrize(
    ("title", "body", "told"),
    [
        ("Just a moment...", "<noscript>Enable JavaScript and cookies</noscript>", "only checks for robots"),
        ("ScienceDirect", "<h1>Are you a robot?</h1><p>Complete the captcha.</p>", "only checks for robots"),
        ("Login", "<h1>Sign in</h1><form><input type=password></form>", "only asks to log in or to buy"),
        ("Reefs", "<p>Get access to the full version of this article.</p>", "only asks to log in or to buy"),
        ("Reefs", "<noscript>You need to enable JavaScript to run this.</noscript>", "only asks for JavaScript"),
        ("Privacy", "<p>We use cookies. Accept all to go on.</p>", "only asks about cookies"),
        ("404", "<h1>Page not found</h1>", "only says that nothing was found"),
    ],
)
def test_walls_are_named(title: str, body: str, told: str) -> None:
    page = f"<html><title>{title}</title><body>{body}</body></html>"
    with pytest.raises(
        EmptyInputError, match=rf"paper\.html, found a page that {told}\. Open the article in your browser"
    ):
        read_bytes(page.encode(), "paper.html")


HIDDEN = '<p><span class="Z3988" title="rft.atitle=Lids"></span></p>'


def test_a_page_of_hidden_references_is_named() -> None:
    page = f"<html><body><h1>My library</h1>{HIDDEN * 2}</body></html>"
    with pytest.raises(EmptyInputError, match=r"a\.html, found a page with references as COinS .* Zotero, and export"):
        read_bytes(page.encode(), "a.html")
    article = f"<html><body><article><h1>Lids</h1><p>{'Lids rattle at night. ' * 9}</p>{HIDDEN}</article></body></html>"
    assert "Lids rattle" in read_bytes(article.encode(), "a.html").document.text


def test_a_page_that_a_script_fills() -> None:
    with pytest.raises(
        EmptyInputError, match=r"a\.html, found a page with hardly any text\. It may come by a script: save"
    ):
        read_bytes(
            b"<html><title>Reefs</title><body><div id=app></div><script src=app.js></script></body></html>", "a.html"
        )


@pytest.mark.parametrize("words", ["Sign in", "We use cookies", "Are you a robot?", "404"])
def test_an_article_that_has_such_words_is_no_wall(words: str) -> None:
    text = f"<h1>Reefs</h1><p>{words}</p><p>{pages.PROSE * 3}</p><p>{pages.MORE}</p>"
    page = f"<html><body><article>{text}</article></body></html>"
    assert read_bytes(page.encode(), "a.html").document.title == "Reefs"


def read(page: str, name: str = "a.html") -> ReadFile:
    return read_bytes(page.encode(), name)


def titles(reading: ReadFile) -> list[tuple[str, str]]:
    return [(section.title, section.role) for section in reading.document.sections]


def test_a_publishers_page() -> None:
    reading = read(pages.PUBLISHER)
    document = reading.document
    assert (reading.format, reading.warnings) == ("html", ())
    assert (document.id, document.kind, document.title) == (
        "doi:10.1234/maps.2019.5",
        "paper",
        "Slow drift in reef maps",
    )
    assert document.authors == ("Mara Osei", "Pieter Lund")
    assert (document.year, document.venue, document.language) == (2019, "Journal of Maps", "en")
    assert document.dates == (DocumentDate("published", "2019-03-07"),)
    assert document.identifiers == (Identifier("doi", "10.1234/maps.2019.5"),)
    assert document.keywords == ("reefs", "drift")
    assert document.url == "https://maps.example/articles/5"
    assert document.abstract == "Background: We map forty reefs.\n\nResults: They drift by \\(x_1\\)."
    assert titles(reading) == [
        ("Introduction", "body"), ("Earlier work", "body"), ("Methods", "body"), ("References", "references"),
    ]  # fmt: skip
    assert document.sections[0].text == pages.PROSE.strip()
    assert document.sections[2].text.endswith("Fig. 1 A reef.")
    assert document.sections[3].text == "Smith, J. Drift of reefs. Nature 1, 2 (2001)."
    assert not [word for word in ("cookies", "Share", "script-text", "Similar", "Springer") if word in document.text]


def test_a_superscript_behind_a_number() -> None:
    text = "10<sup>5</sup> reefs at 3 s<sup>-1</sup>, the 1<sup>st</sup> of <b>2010</b><sup>2</sup>."
    head = "<!DOCTYPE html><html><head><title>Reefs</title></head><body><h1>Reefs</h1><h2>Drift</h2>"
    page = f"{head}{f'<p>{text}</p><p>{pages.PROSE}</p>' * 2}</body></html>"
    found = read_bytes(page.encode(), "a.html").document
    assert found.sections[0].text.startswith("10^5 reefs at 3 s^-1, the 1st of 2010^2.")


def test_a_blog() -> None:
    reading = read(pages.BLOG)
    document = reading.document
    assert (document.title, document.authors, document.year) == ("Why reefs drift", ("Mara Osei",), 2022)
    assert document.abstract == pages.PROSE.strip()
    assert titles(reading) == [("The buoys", "body"), ("What it means", "body")]
    assert document.sections[0].text == f"{pages.MORE.strip()}\n\na = 1\nb = 2"
    assert document.sections[1].text == f"{pages.PROSE.strip()}\n\nNothing stays.\n\nInline $x^2$ ends."


@pytest.mark.parametrize("outside", ["<div class='comments'>", "<form id='aspnetForm'>", "<div id='sidebar-wrapper'>"])
def test_a_wrapper_named_like_furniture_is_kept(outside: str) -> None:
    page = f"<html><body>{outside}<h1>Reefs</h1><p>{pages.PROSE}</p><h2>Buoys</h2><p>{pages.MORE}</p></body></html>"
    assert titles(read(page))[0] == ("Buoys", "body")


def test_a_page_laid_out_in_tables() -> None:
    page = f"""<html><head><title>Reefs</title></head><body><table><tr><td>
    <a href=1>Home</a><br><a href=2>News</a></td><td>
    <h1>Reefs</h1><p>{pages.PROSE}<p>{pages.MORE}<table><tr><td>17</td><td>18</td></tr></table><h2>Buoys</h2><p>{pages.MORE}
    </td></tr></table></body></html>"""
    document = read(page).document
    assert document.title == "Reefs"
    assert pages.PROSE.strip() in document.text and "17" not in document.text and "Home" not in document.text


def test_only_an_abstract_is_told() -> None:
    page = f"""<html><head><meta name="citation_title" content="Reefs"><meta name="citation_author"
    content="Mara Osei"></head>
    <body><nav><a>Log in</a></nav><main><h1>Reefs</h1><div class="abstract"><h2>Abstract</h2>
    <p>{pages.PROSE}</p></div></main></body></html>"""
    reading = read(page)
    assert reading.document.abstract == pages.PROSE.strip()
    said = "The page holds the abstract and not the text. Save the page of the full text to read it, too."
    assert reading.warnings == (said,)


def test_arxivs_page_of_an_abstract() -> None:
    page = f"""<html><head><title>[2101.00001] Reefs</title><meta name="citation_title" content="Reefs"/>
    <meta name="citation_author" content="Osei, Mara"/><meta name="citation_date" content="2021/01/12"/>
    <meta name="citation_arxiv_id" content="2101.00001"/></head><body><div id="header"><a>Login</a></div><div id="abs">
    <h1 class="title mathjax"><span class="descriptor">Title:</span>Reefs</h1><div
    class="authors"><a>Mara Osei</a></div>
    <blockquote class="abstract mathjax"><span class="descriptor">Abstract:</span>{pages.PROSE}</blockquote>
    </div></body></html>"""
    document = read(page).document
    assert (document.id, document.title, document.year) == ("arXiv:2101.00001", "Reefs", 2021)
    assert document.abstract == pages.PROSE.strip()


def test_a_title_in_no_head() -> None:
    reading = read(f"<h1>Reefs &amp; maps</h1><p>{pages.PROSE}</p><h2>Ende</h2><p>{pages.MORE}</p>", "a.htm")
    assert reading.document.title == "Reefs & maps"


def test_a_page_under_another_name_is_read_with_a_warning() -> None:
    said = "The name paper.pdf promises another format; the content is HTML, and was read as that."
    assert read(pages.BLOG, "paper.pdf").warnings == (said,)


def test_a_log_in_under_the_name_of_a_paper() -> None:
    with pytest.raises(EmptyInputError, match=r"paper\.pdf, found a page that only asks to log in or to buy"):
        read(
            "<html><title>Sign in</title><form><input type=password></form>Log in with your institution</html>",
            "paper.pdf",
        )


def test_too_many_headings() -> None:
    with pytest.raises(InputTooLargeError, match=r"at most 5,000 sections in a\.html, found 5,001\. Split it"):
        read("<body>" + "<h2>A</h2><p>b" * 5_001)


def test_more_abstracts_than_one_and_references_without_a_list() -> None:
    page = f"""<html><body><article><h1>Reefs</h1><div class="abstract"><p>We map reefs.</p></div>
    <div class="abstract"><p>Nous cartographions.</p></div><h2>Introduction</h2><p>{pages.PROSE}</p><h2>References</h2>
    <p>Smith. Drift.</p><p>Jones. Maps.</p><h2>Related articles</h2><h3>Old</h3>
    <p>{pages.MORE}</p></article></body></html>"""
    reading = read(page)
    assert reading.document.abstract == "We map reefs."
    assert titles(reading) == [("Abstract", "body"), ("Introduction", "body"), ("References", "references")]
    assert reading.document.sections[-1].text == "Smith. Drift.\nJones. Maps."


def test_a_structured_abstract_under_headings() -> None:
    page = f"""<html><body><main><h1>Reefs</h1><h2>Abstract</h2><h3>Aim</h3><p>To map.</p><h3>Results</h3>
    <p>They drift.</p>
    <p>Much.</p><h2>Introduction</h2><p>{pages.PROSE}</p></main></body></html>"""
    assert read(page).document.abstract == "Aim: To map.\n\nResults: They drift.\n\nMuch."


def test_names_between_a_title_and_an_abstract() -> None:
    page = f"""<html><body><h1>Reefs<a class="headerlink" href="#r">¶</a></h1><p>Mara Osei, Pieter
    Lund<br>University of Lund</p>
    <h2>Zusammenfassung</h2><p>Wir kartieren.</p><h2>1 Einleitung</h2><p>{pages.PROSE}</p></body></html>"""
    reading = read(page)
    assert (reading.document.title, reading.document.authors) == ("Reefs", ("Mara Osei", "Pieter Lund"))
    assert reading.document.abstract == "Wir kartieren."
    said = "Lines about authors were left out of the text: Mara Osei, Pieter Lund University of Lund."
    assert reading.warnings == (said,)


def test_the_tables_that_are_not_read_are_told() -> None:
    prose = "<p>Reefs move slowly, and nobody has looked at them for long enough to say how far they go.</p>" * 3
    table = "<table><caption>Drift of reefs.</caption><tr><td>1</td><td>2</td></tr></table>"
    page = (
        f"<!doctype html><html><body><article><h1>Reefs</h1><h2>Drift</h2>{prose}{table}{table}</article></body></html>"
    )
    reading = read_bytes(page.encode(), "a.html")
    assert "Left out of the text: 2 tables. Captions are read." in reading.warnings
    assert reading.document.sections[0].text.endswith("Drift of reefs.")


def of(head: str, source: str = "", url: str = "") -> Metadata:
    return metadata(page_tree(f"<html><head>{head}</head></html>", "a"), source, url)


def meta(**tags: str) -> str:
    return "".join(f'<meta name="{name.replace("__", ".")}" content="{value}">' for name, value in tags.items())


def linked(**fields: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(fields)}</script>'


@pytest.mark.parametrize(
    ("head", "field", "expected"),
    [
        (meta(citation_title="Reefs", og__title="Other"), "title", "Reefs"),
        (meta(DC__Title="Reefs &lt;i&gt;drift&lt;/i&gt;"), "title", "Reefs drift"),
        ("<title>Reefs drift | Sea Notes</title>", "title", "Reefs drift"),
        ("<title>Reefs - a map</title><meta property='og:site_name' content='Sea'>", "title", "Reefs - a map"),
        ("<title>Reefs - Sea</title><meta property='og:site_name' content='Sea'>", "title", "Reefs"),
        (linked(**{"@type": "ScholarlyArticle", "headline": "Reefs"}), "title", "Reefs"),
        (
            linked(**{"@graph": [{"@type": "WebSite", "name": "Sea"}, {"@type": "BlogPosting", "headline": "Reefs"}]}),
            "title",
            "Reefs",
        ),
        (meta(citation_authors="Osei, Mara; Lund, Pieter"), "authors", ("Mara Osei", "Pieter Lund")),
        (
            meta(DC__creator="Osei, Mara") + meta(**{"dc.Creator": "Lund, Pieter"}),
            "authors",
            ("Mara Osei", "Pieter Lund"),
        ),
        (
            linked(**{"@type": "Article", "author": [{"name": "Mara Osei"}, {"givenName": "P", "familyName": "Lund"}]}),
            "authors",
            ("Mara Osei", "P Lund"),
        ),
        (meta(author="Mara Osei and Pieter Lund"), "authors", ("Mara Osei", "Pieter Lund")),
        ("<meta property='article:author' content='https://sea.example/mara'>", "authors", ()),
        (meta(citation_publication_date="2019/3/7"), "day", "2019-03-07"),
        (meta(citation_date="2019/03"), "day", "2019-03"),
        (meta(citation_date="7 March 2019"), "year", 2019),
        (meta(prism__publicationDate="2019-03-07"), "year", 2019),
        (linked(**{"@type": "NewsArticle", "datePublished": "2019-03-07T10:00:00Z"}), "day", "2019-03-07"),
        (meta(citation_conference_title="Proc. Reefs"), "venue", "Proc. Reefs"),
        (meta(prism__publicationName="J Reefs"), "venue", "J Reefs"),
        (
            linked(
                **{
                    "@type": "ScholarlyArticle",
                    "isPartOf": {"@type": "PublicationIssue", "isPartOf": {"name": "J Reefs"}},
                }
            ),
            "venue",
            "J Reefs",
        ),
        (meta(citation_doi="doi:10.1234/x"), "doi", "10.1234/x"),
        (meta(dc__identifier="https://doi.org/10.1234/x"), "doi", "10.1234/x"),
        (linked(**{"@type": "ScholarlyArticle", "sameAs": "https://doi.org/10.1234/x"}), "doi", "10.1234/x"),
        ("<link rel=canonical href='https://doi.org/10.1234/x'>", "doi", "10.1234/x"),
        ("<link rel=canonical href='https://arxiv.org/abs/2101.00001v2'>", "arxiv", "2101.00001"),
        ("<link rel=canonical href='https://ar5iv.labs.arxiv.org/html/cs/0101001'>", "arxiv", "cs/0101001"),
        ("<link rel=canonical href='https://pmc.ncbi.nlm.nih.gov/articles/PMC1234567/'>", "pmcid", "PMC1234567"),
        ("<link rel=canonical href='https://pubmed.ncbi.nlm.nih.gov/1234567/'>", "pmid", "1234567"),
        (meta(keywords="reefs, drift, "), "keywords", ("reefs", "drift")),
        (meta(citation_keywords="reefs, of coral; drift"), "keywords", ("reefs, of coral", "drift")),
        (linked(**{"@type": "Article", "keywords": ["reefs", "drift"]}), "keywords", ("reefs", "drift")),
        (meta(citation_abstract="&lt;p&gt;We map.&lt;/p&gt;"), "abstract", "We map."),
        (meta(citation_language="DE"), "language", "de"),
        (meta(description="A site on reefs"), "abstract", ""),
        ("<link rel=canonical href='javascript:alert(1)'>", "url", ""),
        ("<script type='application/ld+json'>{broken</script>", "title", ""),
        (f"<script type='application/ld+json'>{'[' * 100_000}</script>", "title", ""),
        (f"<script type='application/ld+json'>{{\"a\": {'9' * 5_000}}}</script>", "title", ""),
    ],
)
def test_fields(head: str, field: str, expected: object) -> None:
    assert getattr(of(head), field) == expected


def test_the_language_of_the_page_itself() -> None:
    assert metadata(page_tree("<html lang='pt-BR'>", "a"), "").language == "pt"


@pytest.mark.parametrize(
    ("source", "url"),
    [
        ("<!-- saved from url=(0024)https://sea.example/reefs -->", ""),
        ("<!--\n Page saved with SingleFile \n url: https://sea.example/reefs \n saved date: x\n-->", ""),
        ("", "https://sea.example/reefs"),
    ],
)
def test_where_a_page_was_saved_from(source: str, url: str) -> None:
    assert of("", source, url).url == "https://sea.example/reefs"


def test_whether_the_tags_are_a_publishers() -> None:
    assert of(meta(citation_title="A")).scholarly and not of(meta(og__title="A")).scholarly
    assert of(meta(bepress_citation_title="A")).first("none", "citation_title") == "A"


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


def test_a_page_with_its_fields() -> None:
    reading = read_bytes(pages.GOOGLE_PATENT.encode(), "US7654321B2.html")
    document = reading.document
    assert reading.warnings == ()
    assert (document.id, document.kind, document.title) == ("US7654321B2", "patent", "Reef drift meter")
    assert document.abstract == "A meter shows how far a reef drifts."
    assert [(one.title, one.text) for one in document.sections] == [
        ("BACKGROUND", "Reefs drift."), ("SUMMARY", "The meter has a buoy."),
    ]  # fmt: skip
    assert document.claims == (
        "A meter comprising: a buoy; and a clock.",
        "The meter of claim 1, wherein the buoy floats.",
        "A method of drifting.",
    )
    assert (document.inventors, document.assignees) == (("Mara Osei", "Pieter Lund"), ("Drift Ltd",))
    assert (document.authors, document.venue) == (document.inventors, "Drift Ltd")
    assert document.dates == (
        DocumentDate("priority", "2006-12-27"), DocumentDate("filed", "2007-06-20"),
        DocumentDate("published", "2010-02-02"),
    )  # fmt: skip
    assert (document.year, document.categories) == (2010, ("G01C 13/00",))
    assert document.family == "US-application-11616520"
    assert document.url == "https://patents.google.com/patent/US7654321B2/en"


def test_a_page_as_a_browser_saves_it() -> None:
    document = read_bytes(pages.GOOGLE_PATENT_SHOWN.encode(), "a.html").document
    assert (document.id, document.title, document.inventors) == ("EP1234567B1", "Reef drift meter", ("Mara Osei",))
    assert document.abstract == "A meter shows drift."
    assert document.claims == ("A meter with a buoy.", "The meter of claim 1 with a clock.")
    assert [one.text for one in document.sections] == ["Reefs drift."]
    assert document.dates == (DocumentDate("filed", "2001-06-20"),)


def test_the_dates_that_a_browser_saves() -> None:
    line = '<div class="{} style-scope application-timeline">{}</div>'
    shown = line.format("priority", "2000-01-02") + line.format("publication", "2003-04-05")
    page = pages.GOOGLE_PATENT_SHOWN.replace('<section id="abstract">', f'{shown}<section id="abstract">')
    document = read_bytes(page.encode(), "a.html").document
    assert [one.day for one in document.dates] == ["2000-01-02", "2001-06-20", "2003-04-05"]
    assert document.year == 2003


def test_claims_in_one_block_and_a_page_without_claims() -> None:
    start, stop = (
        pages.GOOGLE_PATENT.index('<ol class="claims">'),
        pages.GOOGLE_PATENT.index('<section itemprop="family">'),
    )
    block = "<div class='claims'>1. A meter.<br>2. The meter of claim 1.</div></div></section>"
    page = pages.GOOGLE_PATENT[:start] + block + pages.GOOGLE_PATENT[stop:]
    assert read_bytes(page.encode(), "a.html").document.claims == ("A meter.", "The meter of claim 1.")
    bare = pages.GOOGLE_PATENT[: pages.GOOGLE_PATENT.index('<section itemprop="claims"')] + "</article></body></html>"
    reading = read_bytes(bare.encode(), "a.html")
    assert (reading.document.kind, reading.warnings) == ("patent", ("No claims were found on the page.",))
