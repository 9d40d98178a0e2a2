"""Records of PubMed's XML, alone and many in one file."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import MalformedFileError
from engine.documents import Document, Identifier
from engine.reading.dispatch import iter_documents, read_bytes

RECORD = """<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">{number}</PMID>
<Article PubModel="Print"><Journal><JournalIssue CitedMedium="Internet"><PubDate>{date}</PubDate></JournalIssue>
<Title>Journal of Lids</Title></Journal><ArticleTitle>{title}</ArticleTitle>
<ELocationID EIdType="pii">S-1</ELocationID>
<Abstract><AbstractText Label="BACKGROUND">Lids of <i>brass</i> &amp; tin leak.</AbstractText>
<AbstractText Label="UNLABELLED">We press them.</AbstractText><AbstractText/>
<CopyrightInformation>Ours.</CopyrightInformation></Abstract>
<AuthorList><Author><LastName>Lind</LastName><ForeName>Anna B</ForeName><Initials>AB</Initials></Author>
<Author><LastName>Ek</LastName><Initials>C</Initials></Author>
<Author><CollectiveName>Lid Group</CollectiveName></Author>
</AuthorList></Article>
<MeshHeadingList><MeshHeading><DescriptorName UI="D1">Lids</DescriptorName><QualifierName>use</QualifierName>
</MeshHeading></MeshHeadingList><KeywordList><Keyword>brass</Keyword><Keyword>brass</Keyword></KeywordList>
</MedlineCitation><PubmedData><ArticleIdList>{ids}</ArticleIdList><ReferenceList><Reference><ArticleIdList>
<ArticleId IdType="doi">10.1000/another</ArticleId></ArticleIdList></Reference></ReferenceList></PubmedData>
</PubmedArticle>"""
IDS = '<ArticleId IdType="pubmed">77</ArticleId><ArticleId IdType="doi">10.1000/lids</ArticleId>'


def record(**parts: str) -> str:
    date = "<Year>2015</Year><Month>May</Month><Day>4</Day>"
    return RECORD.format(**{"number": "77", "title": "Lids that hold.", "date": date, "ids": IDS, **parts})


def read(text: str) -> Document:
    return read_bytes(f"<PubmedArticleSet>{text}</PubmedArticleSet>".encode(), "a.xml").document


def test_a_record_becomes_a_document() -> None:
    found = read(record())
    assert (found.id, found.title, found.venue, found.year) == (
        "doi:10.1000/lids",
        "Lids that hold.",
        "Journal of Lids",
        2015,
    )
    assert found.abstract == "Background: Lids of brass & tin leak.\n\nWe press them."
    assert found.authors == ("Anna B Lind", "C Ek", "Lid Group")
    assert (found.categories, found.keywords) == (("Lids",), ("brass",))
    assert [one.day for one in found.dates] == ["2015-05-04"]
    assert found.identifiers == (Identifier("pmid", "77"), Identifier("doi", "10.1000/lids"))
    assert found.web_address == "https://doi.org/10.1000/lids"


@pytest.mark.parametrize(
    ("date", "day", "year"),
    [
        ("<Year>2015</Year>", ["2015"], 2015),
        ("<Year>2015</Year><Month>11</Month>", ["2015-11"], 2015),
        ("<MedlineDate>1998 Dec-1999 Jan</MedlineDate>", ["1998"], 1998),
        ("<Season>Spring</Season>", [], None),
    ],
)
def test_dates_are_as_exact_as_they_are_given(date: str, day: list[str], year: int | None) -> None:
    found = read(record(date=date))
    assert ([one.day for one in found.dates], found.year) == (day, year)


def test_a_record_without_a_doi_is_named_by_its_number() -> None:
    found = read(record(ids="", title="[Lids that hold]."))
    assert (found.id, found.title) == ("pmid:77", "Lids that hold")
    assert found.web_address == "https://pubmed.ncbi.nlm.nih.gov/77/"


@pytest.mark.parametrize("said", ["[Not Available].", "[Not Available]", "[In Process Citation]", "[ not available. ]"])
def test_a_title_that_is_not_there_is_not_taken_for_one(said: str) -> None:
    title = f"{said}</ArticleTitle><VernacularTitle>Deckel, die halten</VernacularTitle><ArticleTitle>"
    assert read(record(title=title)).title == "Deckel, die halten"
    assert read(record(title=said)).title == ""


BOOK = """<PubmedBookArticle><BookDocument><PMID Version="1">{number}</PMID><ArticleIdList>
<ArticleId IdType="bookaccession">NBK1</ArticleId></ArticleIdList><Book><Publisher><PublisherName>Lid Press
</PublisherName></Publisher><BookTitle>All of <i>Lids</i></BookTitle><PubDate><Year>2011</Year></PubDate></Book>
{title}<AuthorList Type="authors"><Author><LastName>Lind</LastName><ForeName>Anna</ForeName></Author></AuthorList>
<Abstract><AbstractText>Lids of tin.</AbstractText></Abstract>{date}</BookDocument>
<PubmedBookData><ArticleIdList><ArticleId IdType="pubmed">{number}</ArticleId></ArticleIdList></PubmedBookData>
</PubmedBookArticle>"""


def test_books_and_their_chapters_are_read_beside_articles(tmp_path: Path) -> None:
    date = "<ContributionDate><Year>2015</Year><Month>Feb</Month></ContributionDate>"
    chapter = BOOK.format(number=78, title="<ArticleTitle>Tin Lids</ArticleTitle>", date=date)
    book = BOOK.format(number=79, title="", date="")
    text = f"<PubmedArticleSet>{record()}{chapter}{book}</PubmedArticleSet>"
    (tmp_path / "a.xml").write_text(text)
    article, part, whole = iter_documents(tmp_path / "a.xml")
    assert article.id == "doi:10.1000/lids"
    assert (part.id, part.title, part.venue, part.year) == ("pmid:78", "Tin Lids", "All of Lids", 2015)
    assert (part.abstract, part.authors) == ("Lids of tin.", ("Anna Lind",))
    assert (whole.id, whole.title, whole.year) == ("pmid:79", "All of Lids", 2011)


def test_a_file_of_many_is_read_record_by_record(tmp_path: Path) -> None:
    records = [record(number=str(place), ids="") for place in range(1, 4)]
    broken = record(number="x", ids="")
    doctype = (
        '<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2019//EN" "https://x/pubmed.dtd">'
    )
    body = "\n".join([*records, broken, "<DeleteCitation><PMID>9</PMID></DeleteCitation>"])
    path = tmp_path / "pubmed24n0001.xml"
    path.write_text(
        f'<?xml version="1.0" encoding="utf-8"?>\n{doctype}\n<PubmedArticleSet>\n{body}\n</PubmedArticleSet>\n'
    )
    told: list[str] = []
    assert [one.id for one in iter_documents(path, warn=told.append)] == ["pmid:1", "pmid:2", "pmid:3"]
    assert len(told) == 1 and "Expected a record of PubMed with its number (PMID), got one without" in told[0]
    with pytest.raises(MalformedFileError, match="Expected a record of PubMed with its number"):
        read(broken)
