"""XML of reference managers: EndNote's, and RDF as Zotero writes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import MalformedFileError, ManyDocumentsError, UnsupportedFormatError
from engine.reading.dispatch import iter_documents, read_bytes

ENDNOTE = """<xml><records><record><database name="a.enl">a.enl</database><rec-number>1</rec-number>
<ref-type name="Journal Article">17</ref-type>
<contributors><authors><author><style size="100%">Lind, Ada</style></author><author>Ek, Bo</author></authors>
<secondary-authors><author>Boss, B.</author></secondary-authors></contributors>
<titles><title><style face="normal">Quiet </style><style face="italic">lids</style><style> &amp; pots</style>
</title><secondary-title>Lid Notes</secondary-title></titles><periodical><full-title>Lid Notes</full-title></periodical>
<keywords><keyword>noise; steam</keyword><keyword>lids</keyword></keywords><dates><year>2019</year></dates>
<isbn>1234-5678</isbn><abstract>Lids rattle.</abstract>
<electronic-resource-num>10.1234/lid.7</electronic-resource-num>
<urls><related-urls><url>https://example.org/lid</url></related-urls></urls></record>
<record><ref-type name="Patent">25</ref-type><contributors><authors><author>Vik, Q.</author></authors></contributors>
<titles><title>Lid</title></titles><dates><year>2001</year></dates><publisher>Lids AB</publisher>
<isbn>US1234567B2</isbn></record></records></xml>"""
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:z="http://www.zotero.org/namespaces/export#"
 xmlns:dcterms="http://purl.org/dc/terms/" xmlns:bib="http://purl.org/net/biblio#" xmlns:foaf="http://xmlns.com/foaf/0.1/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:prism="http://prismstandard.org/namespaces/1.2/basic/">
 <bib:Article rdf:about="https://example.org/lid"><z:itemType>journalArticle</z:itemType>
  <dcterms:isPartOf rdf:resource="urn:issn:1234-5678"/>
  <bib:editors><rdf:Seq><rdf:li><foaf:Person><foaf:surname>Boss</foaf:surname></foaf:Person></rdf:li></rdf:Seq></bib:editors>
  <bib:authors><rdf:Seq><rdf:li><foaf:Person><foaf:surname>Lind</foaf:surname><foaf:givenName>Ada</foaf:givenName>
  </foaf:Person></rdf:li><rdf:li><foaf:Person><foaf:surname>Lid Group</foaf:surname></foaf:Person></rdf:li></rdf:Seq>
  </bib:authors><dc:subject>noise</dc:subject><dc:subject><z:AutomaticTag><rdf:value>steam</rdf:value></z:AutomaticTag>
  </dc:subject><dc:title>Quiet lids &amp; pots</dc:title><dcterms:abstract>Lids rattle.

We listened.</dcterms:abstract><dc:date>2019-08-25</dc:date>
  <dc:identifier><dcterms:URI><rdf:value>https://example.org/lid</rdf:value></dcterms:URI></dc:identifier></bib:Article>
 <bib:Journal rdf:about="urn:issn:1234-5678"><dc:title>Lid Notes</dc:title>
  <dc:identifier>DOI 10.1234/lid.7</dc:identifier></bib:Journal>
 <z:Attachment rdf:about="#item_3"><z:itemType>attachment</z:itemType><dc:title>PDF</dc:title></z:Attachment>
 <bib:Memo rdf:about="#item_4"><rdf:value>a note</rdf:value></bib:Memo>
 <rdf:Description rdf:about="#item_5"><z:itemType>conferencePaper</z:itemType><dcterms:isPartOf><bib:Journal>
  <dc:title>Lid Days</dc:title></bib:Journal></dcterms:isPartOf><dc:title>Pots</dc:title><dc:date>2018</dc:date>
 </rdf:Description>
 <bib:Patent rdf:about="#item_6"><z:itemType>patent</z:itemType><z:inventors><rdf:Seq><rdf:li><foaf:Person>
  <foaf:surname>Vik</foaf:surname><foaf:givenName>Q.</foaf:givenName></foaf:Person></rdf:li></rdf:Seq></z:inventors>
  <dc:title>Lid</dc:title><prism:number>US1234567B2</prism:number></bib:Patent>
 <z:Collection rdf:about="#collection_1"><dc:title>Mine</dc:title></z:Collection>
</rdf:RDF>"""
DECLARED = '<?xml version="1.0" encoding="UTF-8"?>\n'


@pytest.mark.parametrize("name", ["a.xml", "a.txt", "a"])
@pytest.mark.parametrize("head", ["", DECLARED, "\ufeff", "\n<!-- of EndNote -->\n"])
def test_endnote(name: str, head: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(head + ENDNOTE)
    lids, patent = iter_documents(tmp_path / name, warn=lambda _: None)
    assert (lids.id, lids.title, lids.abstract) == ("doi:10.1234/lid.7", "Quiet lids & pots", "Lids rattle.")
    assert (lids.authors, lids.year, lids.venue) == (("Lind, Ada", "Ek, Bo"), 2019, "Lid Notes")
    assert (lids.keywords, lids.url) == (("noise", "steam", "lids"), "https://example.org/lid")
    assert (patent.kind, patent.id, patent.venue, patent.authors) == ("patent", "US1234567B2", "Lids AB", ("Vik, Q.",))


def test_a_record_without_text_costs_no_other(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(ENDNOTE.replace("<title>Lid</title>", ""))
    told: list[str] = []
    assert len(list(iter_documents(tmp_path / "a.xml", warn=told.append))) == 1
    assert ["Expected a record with a title or an abstract, got one without" in one for one in told] == [True]
    with pytest.raises(MalformedFileError, match=r"a title or an abstract, got one without\. Fill it, or leave it out"):
        read_bytes(b"<xml><records><record><leader/></record></records></xml>", "a.xml")


@pytest.mark.parametrize("name", ["a.rdf", "a.xml", "a.txt", "a"])
@pytest.mark.parametrize("head", ["", DECLARED, "\ufeff"])
def test_zotero(name: str, head: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(head + RDF)
    lids, pots, patent = iter_documents(tmp_path / name, warn=lambda _: None)
    assert (lids.id, lids.title) == ("doi:10.1234/lid.7", "Quiet lids & pots")
    assert (lids.authors, lids.year, lids.venue) == (("Lind, Ada", "Lid Group"), 2019, "Lid Notes")
    assert (lids.abstract, lids.keywords) == ("Lids rattle.\n\nWe listened.", ("noise", "steam"))
    assert lids.url == "https://example.org/lid"
    assert (pots.title, pots.venue, pots.year) == ("Pots", "Lid Days", 2018)
    assert (patent.kind, patent.id, patent.authors) == ("patent", "US1234567B2", ("Vik, Q.",))
    with pytest.raises(ManyDocumentsError):
        read_bytes(RDF.encode(), name)


def test_rdf_without_works() -> None:
    other = '<rdf:RDF xmlns:rdf="x"><rdf:Description><title>Lids</title></rdf:Description></rdf:RDF>'
    with pytest.raises(UnsupportedFormatError, match=r"Expected RDF with works as Zotero.*as RIS or BibTeX"):
        read_bytes(other.encode(), "a.rdf")
