"""PLOS articles: what its own licence frees is read whole; notices of other articles are left out."""

from __future__ import annotations

import pytest

from engine.core.errors import MalformedFileError
from engine.sources import plos_articles

BY = "distributed under the terms of the Creative Commons\nAttribution License"
BY_LINK = 'distributed under the <ext-link href="https://creativecommons.org/licenses/by/4.0/">licence</ext-link>'
DEDICATED = "an open-access article, free of all copyright, and may be freely reproduced"


def article(*, kind: str = "research-article", licence: str = f"<license><p>{BY}</p></license>") -> bytes:
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<article article-type="{kind}" dtd-version="3.0" xml:lang="en">
<front><journal-meta><journal-title-group><journal-title>PLoS ONE</journal-title></journal-title-group></journal-meta>
<article-meta><article-id pub-id-type="doi">10.1371/journal.pone.9999999</article-id>
<title-group><article-title>How kites rise</article-title></title-group>
<contrib-group>
<contrib contrib-type="author"><name><surname>Gale</surname><given-names>Ada</given-names></name></contrib>
<contrib contrib-type="editor"><name><surname>Breeze</surname><given-names>Bo</given-names></name></contrib>
</contrib-group>
<pub-date pub-type="epub"><day>4</day><month>7</month><year>2013</year></pub-date>
<permissions>{licence}</permissions><abstract><p>Kites rise in wind.</p></abstract></article-meta></front>
<body><sec><title>Introduction</title><p>Wind lifts a kite.</p></sec></body></article>""".encode()


def test_an_article_is_read_whole() -> None:
    (paper,) = plos_articles.parse([article()])
    assert (paper.id, paper.kind, paper.year) == ("doi:10.1371/journal.pone.9999999", "paper", 2013)
    assert (paper.title, paper.abstract) == ("How kites rise", "Kites rise in wind.")
    assert [(section.title, section.text) for section in paper.sections] == [("Introduction", "Wind lifts a kite.")]


def test_its_editor_is_no_author() -> None:
    (paper,) = plos_articles.parse([article()])
    assert paper.authors == ("Ada Gale",)


@pytest.mark.parametrize("licence", [BY, BY_LINK, DEDICATED])
def test_a_free_licence(licence: str) -> None:
    assert len(list(plos_articles.parse([article(licence=f"<license><p>{licence}</p></license>")]))) == 1


@pytest.mark.parametrize(
    "licence",
    [
        "",
        "<license><p>It should not be reproduced for use in association with commercial products.</p></license>",
        '<license><ext-link href="https://creativecommons.org/licenses/by-nc/4.0/">licence</ext-link></license>',
        f"<license><p>All rights reserved.</p></license><note>{BY}</note>",
    ],
)
def test_any_other_licence_leaves_an_article_out(licence: str) -> None:
    assert list(plos_articles.parse([article(licence=licence)])) == []


@pytest.mark.parametrize("kind", ["correction", "retraction"])
def test_a_notice_of_another_article_is_left_out(kind: str) -> None:
    assert [paper.title for paper in plos_articles.parse([article(kind=kind), article()])] == ["How kites rise"]


def test_a_damaged_article() -> None:
    with pytest.raises(MalformedFileError):
        list(plos_articles.parse([article().replace(b"<body>", b"</body>")]))
