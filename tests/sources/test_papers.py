"""Papers of each source: arXiv records, the ACL Anthology's free ones, and PLOS articles under its own licence."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.core.errors import MalformedFileError
from engine.documents import Section
from engine.sources import acl_papers, arxiv_records, plos_articles

RECORD: dict[str, Any] = {
    "id": "1501.00001",
    "title": "Stable flight of tethered\n  kites",
    "abstract": "  We study kites\nin the wind.\n  A second paragraph.\n",
    "categories": "cs.RO physics.flu-dyn",
    "authors_parsed": [["Gale", "Ada", ""], ["Breeze", "Bo", "Jr"], ["Kite Group", ""]],
    "versions": [{"version": "v1", "created": "Mon, 5 Jan 2015 19:18:42 GMT"}],
    "journal-ref": "J.Wind 12 (2016) 3-9",
    "doi": "10.1/kites 10.1/other",
}

FOLDER = "kites-1.0/papers"

PAPER: dict[str, Any] = {
    "paper_id": "2021",
    "title": "Parsing the Wind *",
    "authors": [{"first": "Facebook", "middle": [], "last": "Research", "suffix": ""}],
    "year": "",
    "venue": None,
    "abstract": "We parse the wind.",
    "pdf_parse": {
        "paper_id": "2021",
        "abstract": [{"text": "We parse the wind.", "section": "Abstract"}],
        "body_text": [
            {"text": "The wind is read.", "section": "Introduction"},
            {"text": "It is read twice.", "section": "Introduction"},
            {"text": "It blew.", "section": "Results"},
            {"text": "https://kites.example", "section": ""},
            {"text": "Of Monday.", "section": ""},
        ],
        "back_matter": [],
        "bib_entries": {
            "BIBREF0": {
                "title": "Kites",
                "authors": [],
                "raw_text": "Ada Gale. 2004. A the- ory of kites. Proc. of Air.",
            },
            "BIBREF1": {"title": "Sails", "authors": [], "raw_text": "Bo Breeze. 2005. Sails. Proc. of Sea."},
        },
    },
}

BY = "distributed under the terms of the Creative Commons\nAttribution License"
BY_LINK = 'distributed under the <ext-link href="https://creativecommons.org/licenses/by/4.0/">licence</ext-link>'
DEDICATED = "an open-access article, free of all copyright, and may be freely reproduced"


def test_a_record_is_a_paper() -> None:
    (paper,) = arxiv_records.parse(json.dumps(RECORD).encode())
    assert (paper.id, paper.kind, paper.year) == ("arXiv:1501.00001", "paper", 2015)
    assert paper.title == "Stable flight of tethered kites"
    assert paper.abstract == "We study kites in the wind.\n\nA second paragraph."
    assert paper.categories == ("cs.RO", "physics.flu-dyn")
    assert paper.authors == ("Ada Gale", "Bo Breeze Jr", "Kite Group")
    assert (paper.venue, paper.url) == ("J. Wind", "https://doi.org/10.1/kites")


@pytest.mark.parametrize("doi", [None, "", " "])
def test_without_doi_and_journal(doi: str | None) -> None:
    (paper,) = arxiv_records.parse(json.dumps(RECORD | {"doi": doi, "journal-ref": None}).encode())
    assert (paper.venue, paper.url) == ("", "https://arxiv.org/abs/1501.00001")


@pytest.mark.parametrize("line", [b"{", b'{"id": "1"}', b"[1]", b'{"id": "1", "title": null}'])
def test_a_line_that_is_no_record(line: bytes) -> None:
    with pytest.raises(MalformedFileError, match="Expected an arXiv record in line 2"):
        list(arxiv_records.parse(json.dumps(RECORD).encode() + b"\n" + line))


def file(number: str = "2021.acl-long.67", **values: Any) -> dict[str, bytes]:  # noqa: ANN401  JSON is any value
    return {f"{FOLDER}/{number}.json": json.dumps(PAPER | values).encode()}


def test_a_paper_has_what_its_number_tells() -> None:
    (paper,) = acl_papers.parse(file())
    assert (paper.id, paper.year, paper.venue) == ("ACL:2021.acl-long.67", 2021, "ACL")
    assert paper.url == "https://aclanthology.org/2021.acl-long.67/"
    assert (paper.title, paper.abstract) == ("Parsing the Wind", "We parse the wind.")


def test_footnotes_and_the_reference_list_follow_the_text() -> None:
    (paper,) = acl_papers.parse(file())
    assert paper.sections == (
        Section("Introduction", "The wind is read.\n\nIt is read twice."),
        Section("Results", "It blew."),
        Section("Notes", "https://kites.example\n\nOf Monday."),
        Section(
            "References",
            "Ada Gale. 2004. A theory of kites. Proc. of Air.\n\nBo Breeze. 2005. Sails. Proc. of Sea.",
            "references",
        ),
    )


def test_names_that_may_be_wrong_are_left_out() -> None:
    (paper,) = acl_papers.parse(file())
    assert (paper.authors, paper.references) == ((), ())


@pytest.mark.parametrize(
    ("number", "year", "venue"),
    [("P16-1031", 2016, "ACL"), ("D19-1098", 2019, "EMNLP"), ("2022.naacl-main.46", 2022, "NAACL")],
)
def test_numbers_of_free_papers(number: str, year: int, venue: str) -> None:
    (paper,) = acl_papers.parse(file(number))
    assert (paper.id, paper.year, paper.venue) == (f"ACL:{number}", year, venue)


@pytest.mark.parametrize("number", ["P15-1001", "E99-1023", "W96-0213"])
def test_older_papers_are_left_out(number: str) -> None:
    assert list(acl_papers.parse(file(number))) == []


@pytest.mark.parametrize(
    "files",
    [file("kites"), {"P18-1001.json": b"{"}, {"P18-1001.json": b"[]"}, file("P18-1001", pdf_parse={"body_text": []})],
)
def test_not_such_a_paper(files: dict[str, bytes]) -> None:
    with pytest.raises(MalformedFileError, match="Expected a paper of the ACL Anthology in S2ORC's JSON"):
        list(acl_papers.parse(files))


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
