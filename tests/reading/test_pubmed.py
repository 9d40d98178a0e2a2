"""PubMed's records and arXiv's: their XML, alone and many in one file, and abstracts saved as text."""

from __future__ import annotations

import io
import time
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import (
    EmptyInputError,
    InputTooLargeError,
    MalformedFileError,
    ManyDocumentsError,
    UnsupportedFormatError,
)
from engine.documents import Document, DocumentDate, Identifier, Section
from engine.reading import arxiv
from engine.reading.dispatch import iter_documents, read_bytes, read_text
from engine.reading.limits import LIMITS
from engine.reading.pubmed import read_pubmed_abstracts

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


LIDS = """1. Lid Notes. 2021 Mar;5(1):1-9. doi: 10.1234/LN.5. Epub 2021 Mar 2.

Quiet lids on tall kettles and the slow
return of their heat.

Lind A(1), van der Ek B Jr(1)(2); Lid Group.

Author information:
(1)Lid Institute, Town. a@lids.example
(2)Other Lab, Town.

BACKGROUND: We ask how lids
rest on well-
known kettles.
METHODS: We looked.

© 2021 Lid Notes.

DOI: 10.1234/LN.5
PMCID: PMC123
PMID: 12345678 [Indexed for MEDLINE]

Conflict of interest statement: None at all.


"""
TEA = """2. J Tea. 1999;7:2.

[Tea in cups].

[Article in German]

Roe J.

Comment in
    J Tea. 2000;8:1.

Tea is hot.

PMID: 23456789
"""


def test_a_record() -> None:
    reading = read_bytes(LIDS.encode(), "abstract-lids-set.txt")
    document = reading.document
    assert (reading.format, reading.warnings) == ("pubmed-text", ())
    assert (document.id, document.url) == ("doi:10.1234/ln.5", "https://doi.org/10.1234/ln.5")
    assert document.identifiers == (Identifier("pmid", "12345678"),)
    assert document.title == "Quiet lids on tall kettles and the slow return of their heat."
    assert document.authors == ("Lind A", "van der Ek B Jr", "Lid Group")
    assert document.abstract == "BACKGROUND: We ask how lids rest on well-known kettles.\n\nMETHODS: We looked."
    assert document.sections == (Section("Conflict of interest statement", "None at all."),)
    assert (document.year, document.venue) == (2021, "Lid Notes")


def test_several_records(tmp_path: Path) -> None:
    path = tmp_path / "set.txt"
    path.write_bytes((LIDS + TEA).replace("\n", "\r\n").encode())
    first, second = iter_documents(path)
    assert first.title.startswith("Quiet lids")
    assert (second.id, second.title, second.authors, second.abstract) == (
        "pmid:23456789",
        "Tea in cups",
        ("Roe J",),
        "Tea is hot.",
    )
    with pytest.raises(ManyDocumentsError):
        read_text(LIDS + TEA)


def test_a_record_without_authors_or_abstract() -> None:
    document = read_text("1. Tea. 2001;1:1.\n\nTea in cups.\n\nWe drink, and they drink tea.\n\nPMID: 1\n").document
    assert (document.authors, document.abstract) == ((), "We drink, and they drink tea.")
    assert read_text("1. Tea. 2001;1:1.\n\nTea in cups.\n\nPMID: 1\n").document.title == "Tea in cups."


def test_a_record_that_says_nothing_is_left_out() -> None:
    said: list[str] = []
    text = "1. Tea. 2001;1:1.\n\nPMID: 1\n\n" + TEA
    documents = list(read_pubmed_abstracts(io.BytesIO(text.encode()), "a.txt", LIMITS, said.append))
    assert [one.title for one in documents] == ["Tea in cups"]
    assert said == ["The record of line 1 of a.txt has neither a title nor an abstract, and was left out."]


def test_an_overlong_record() -> None:
    limits = replace(LIMITS, max_record_bytes=100)
    message = (
        "Expected at most 0 MiB in the record of line 1 of a.txt; it is larger. Take it out, or cut it into smaller "
        "ones."
    )
    with pytest.raises(InputTooLargeError) as error:
        list(read_pubmed_abstracts(io.BytesIO(LIDS.encode()), "a.txt", limits, print))
    assert str(error.value) == message


def test_a_numbered_text_is_no_record() -> None:
    assert read_text("1. Tea. 2001 was a year.\n\nWe drink tea.\n").format == "text"


@pytest.mark.parametrize("piece", ["Lind A, ", "(1)", "A. ", "- ", "\n\n", "A: ", "a"])
def test_long_runs_cost_no_more_than_their_length(piece: str) -> None:
    text = f"1. Tea. 2001;1:1.\n\nTea in cups.\n\n{piece * (100_000 // len(piece))}!\n\nPMID: 1\n"
    begun = time.process_time()
    list(read_pubmed_abstracts(io.BytesIO(text.encode()), "a.txt", LIMITS, print))
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    ("reference", "venue"),
    [
        ("Phys.Rev. D76:013009,2007", "Phys. Rev. D"),
        ("Physics Letters B 815 (2021) 136159", "Physics Letters B"),
        ("Acta Materialia, Volume 60, Issue 11, June 2012", "Acta Materialia"),
        ("Physica A vol. 305, pp. 427-436 (2002)", "Physica A"),
        ("Proceedings of the 12th Meeting", ""),
        ("2007", ""),
    ],
)
def test_the_journal_is_the_head_of_its_reference(reference: str, venue: str) -> None:
    assert arxiv.venue_of(reference) == venue


ENTRY = """<entry><id>http://arxiv.org/abs/2403.16981v2</id><title>Kettles that
  whistle</title><updated>2025-05-24T05:50:33Z</updated><published>2024-03-25T17:42:32Z</published>
<link href="https://arxiv.org/abs/2403.16981v2" rel="alternate" type="text/html"/>
<summary>  We hear kettles
whistle.
  They whistle again.</summary><category term="physics.flu-dyn"/><category term="eess.AS"/>
<arxiv:journal_ref>J. Kettles 7 (2024) 12</arxiv:journal_ref>{}
<author><name>Ada Lind</name></author><author><name>Bo Vik</name></author></entry>"""
FEED = '<?xml version="1.0"?><feed xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">{}</feed>'


def test_an_entry_of_arxiv() -> None:
    found = read_bytes(
        FEED.format(f"<id>x</id><title>arXiv Query</title>{ENTRY.format('')}").encode(), "a.xml"
    ).document
    assert (found.id, found.title) == ("arXiv:2403.16981", "Kettles that whistle")
    assert found.abstract == "We hear kettles whistle.\n\nThey whistle again."
    assert found.authors == ("Ada Lind", "Bo Vik")
    assert found.categories == ("physics.flu-dyn", "eess.AS")
    assert (found.year, found.venue, found.url) == (2024, "J. Kettles", "https://arxiv.org/abs/2403.16981")
    assert found.dates == (DocumentDate("published", "2024-03-25"), DocumentDate("revised", "2025-05-24"))
    assert found.identifiers == (Identifier("arxiv", "2403.16981"),)


def test_a_doi_and_other_feeds() -> None:
    with_doi = ENTRY.format("<arxiv:doi>10.1234/k.7</arxiv:doi>")
    found = read_bytes(FEED.format(with_doi).encode(), "a.atom").document
    assert found.url == "https://doi.org/10.1234/k.7"
    assert found.identifiers[1] == Identifier("doi", "10.1234/k.7")
    other = '<entry><id>urn:1</id><title>Lids</title><link href="https://a.example/1"/><updated>2020-01-02</updated></entry>'
    found = read_bytes(FEED.format(other).encode(), "a.xml").document
    assert (found.title, found.year, found.url, found.abstract) == ("Lids", 2020, "https://a.example/1", "")
    assert found.id.startswith("file:")


def test_an_answer_of_many(tmp_path: Path) -> None:
    entries = "".join(ENTRY.format("").replace("16981", f"{n:05}") for n in range(5))
    (tmp_path / "a.xml").write_text(FEED.format(entries))
    assert [one.id for one in iter_documents(tmp_path / "a.xml")] == [f"arXiv:2403.{n:05}" for n in range(5)]


def test_an_error_and_an_empty_answer() -> None:
    error = "<entry><id>http://arxiv.org/api/errors#x</id><title>Error</title><summary>incorrect id</summary></entry>"
    with pytest.raises(UnsupportedFormatError, match=r"found an error of arXiv's: 'incorrect id'\. Ask arXiv again"):
        read_bytes(FEED.format(error).encode(), "a.xml")
    with pytest.raises(EmptyInputError, match=r"Expected entry within the feed of a\.xml, found id alone"):
        read_bytes(FEED.format("<id>x</id><title>arXiv Query</title>").encode(), "a.xml")
