"""arXiv's records: the parts of its metadata, and its feeds in Atom."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import EmptyInputError, UnsupportedFormatError
from engine.documents import DocumentDate, Identifier
from engine.reading import arxiv
from engine.reading.dispatch import iter_documents, read_bytes


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
