"""What a page's head says of its work."""

from __future__ import annotations

import json

import pytest

from engine.reading.web.metadata import Metadata, metadata
from engine.reading.web.page import page_tree


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
