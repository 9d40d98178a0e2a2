"""Columns as other tools name them."""

from __future__ import annotations

import pytest

from tests.readers.tables.rows import jsonl, of_csv, of_jsonl


@pytest.mark.parametrize(
    "header",
    [
        "Title,Year,Authors,DOI,Abstract,Source title,Author Keywords,EID",  # Scopus
        "title,publication_year,authorships.author.display_name,doi,abstract,primary_location.source.display_name,DE,x",
        "Title,Publication Year,Author,DOI,Abstract Note,Publication Title,Keywords,Key",  # Zotero
    ],
)
def test_columns_as_other_tools_name_them(header: str) -> None:
    (found,) = of_csv(f"{header}\nQuiet lids,2020,Lind A.; Ek B.,10.1234/x,Of lids.,Lid Journal,lids; noise,7\n")
    assert (found.id, found.url) == ("doi:10.1234/x", "https://doi.org/10.1234/x")
    assert (found.title, found.year, found.abstract, found.venue) == ("Quiet lids", 2020, "Of lids.", "Lid Journal")
    assert (found.authors, found.keywords) == (("Lind A.", "Ek B."), ("lids", "noise"))


def test_a_column_of_our_own_name_goes_before_others() -> None:
    (found,) = of_csv("Author,authors,Title,title,doi,id\nx,Ada Lind,y,Lids,10.1234/x,own\n")
    assert (found.id, found.title, found.authors, found.url) == (
        "own",
        "Lids",
        ("Ada Lind",),
        "https://doi.org/10.1234/x",
    )
    (record,) = of_jsonl(jsonl({"Title": "Lids", "Year": 2020, "DOI": None}))
    assert (record.title, record.year) == ("Lids", 2020)
