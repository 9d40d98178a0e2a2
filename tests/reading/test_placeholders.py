"""What programs write where they have nothing, in every reader."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.documents import Document
from engine.reading.dispatch import iter_documents, read_bytes
from engine.reading.placeholders import first_said, says_nothing, without_placeholders


@pytest.mark.parametrize(
    "text",
    [
        *(
            "NA",
            "nan",
            "NaN",
            "None",
            "null",
            "NULL",
            "N/A",
            "n/a",
            "#N/A",
            "<NA>",
            "-",
            "--",
            "—",
            "...",
            "\\N",
            "(null)",
        ),
        *("[No abstract available]", "No abstract available.", "Abstract not available", "ABSTRACT NOT AVAILABLE"),
        *("[No author name available]", "No authors listed", "There is no abstract available for this article."),
        *(
            "No abstract is available for this article.",
            "An abstract is not available for this content",
            "Not available",
        ),
        "An abstract is not available for this content so a preview has been provided. Please use the link above.",
        *("This article has no abstract.", "Abstract unavailable", "Unknown", "[Not Available].", "not provided"),
        *(
            "Kein Abstract verfügbar",
            "Résumé non disponible",
            "Resumen no disponible",
            "Аннотация отсутствует",
            "暂无摘要",
        ),
    ],
)
def test_what_says_nothing(text: str) -> None:
    assert says_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Na",
        "Null",
        "Nan",
        "None of it is left.",
        "Nature",
        "A",
        "1",
        "无线电",
        "Available",
        "Abstract interpretation",
    ],
)
def test_what_says_something(text: str) -> None:
    assert not says_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "No abstract art is known here.",
        "No data are available for lamps, so we made some.",
        "Data not available for drift. We measure it.",
        "Unknown reefs drift.",
    ],
)
def test_a_sentence_that_begins_so_is_one(text: str) -> None:
    assert without_placeholders(Document("a", abstract=text)).abstract == text


@pytest.mark.parametrize(
    "text",
    [
        *("Abstract: N/A", "ABSTRACT: [No abstract available]", "Summary: None", "Abstract\n\nNo abstract available"),
        *("[No abstract available] © 2019 Elsevier", "Abstract not available. Copyright 2019 Elsevier.", "© 2019"),
        *("No abstract available. Published by Elsevier Ltd.", "(c) 2019 Elsevier B.V. All rights reserved."),
        *("<p>No abstract available.</p>", "<jats:p>N/A</jats:p>", "n / a", "Null", "null\n\nN/A", "Abstract"),
        *("The abstract of this article is not available", "Full text not available", "No abstract."),
        *("abstract not available due to copyright", "This article is published without an abstract."),
    ],
)
def test_what_stands_around_a_placeholder_makes_it_no_abstract(text: str) -> None:
    assert without_placeholders(Document("a", abstract=text)).abstract == ""


@pytest.mark.parametrize(
    "text",
    [
        *("Null results are told.", "None of the lids rattle.", "Abstract: Lids rattle. © 2019 Elsevier", "Na"),
        *("Abstract art is not available to all.", "Lids.", "<p>Lids</p>", "Summary: lids", "Published by the crown"),
        "The full text of the law is not available in Latin; we made one.",
        "We show that data are not available due to noise, and make some.",
        "Data not available due to noise. We measure it.",
        *(
            "Copyright and lids: we ask who owns lids.",
            "© is a sign whose history we tell.",
            "Copyright 2019 is a law.",
        ),
        "This paper was published without a summary, and we give one.",
    ],
)
def test_a_short_abstract_is_one(text: str) -> None:
    assert without_placeholders(Document("a", abstract=text)).abstract == text


def test_the_first_that_says_something_counts() -> None:
    assert first_said(["NA", "-", "Lids", "Pots"]) == "Lids"
    assert (first_said(["", "None"]), first_said([])) == ("None", "")
    assert first_said(["None", "NA"]) == "None"


@pytest.mark.parametrize(
    ("authors", "left"),
    [
        (("NA",), ()),
        (("nan nan", "NA, NA"), ()),
        (("[Anonymous]",), ()),
        (("Anonymous", "Anon.", "佚名", "[No authors listed]", "Unknown author"), ()),
        (("Anonymous, A.", "Unknown, Unknown", "Unknown, U.", "Anonymous Anonymous", "N.N."), ()),
        (("Anon, Bo", "Nn, Li", "Ng, N"), ("Anon, Bo", "Nn, Li", "Ng, N")),
        (("Lind, Ada", "NA"), ("Lind, Ada",)),
        (("Kim", "NA", "Park"), ("Kim", "NA", "Park")),  # a family's name, among others
        (("Null, Ada", "Na, Li", "Ada Null", "Null"), ("Null, Ada", "Na, Li", "Ada Null", "Null")),
        (("Lind, Ada", "#N/A"), ("Lind, Ada",)),
    ],
)
def test_people(authors: tuple[str, ...], left: tuple[str, ...]) -> None:
    assert without_placeholders(Document("a", authors=authors)).authors == left


@pytest.mark.parametrize(
    ("title", "fields", "left"),
    [
        ("None", {}, "None"),  # may be true
        ("NA", {"abstract": "Lids rattle."}, "NA"),
        ("NA", {"abstract": "Lids rattle.", "venue": "NA"}, ""),
        ("nan", {"authors": ("nan",)}, ""),
        ("[No title available]", {}, ""),
        ("[Not Available].", {}, ""),
        ("#N/A", {}, ""),
        ("-", {}, ""),
        ("?", {}, "?"),
        ("Not available", {}, "Not available"),
    ],
)
def test_titles(title: str, fields: dict[str, str], left: str) -> None:
    assert without_placeholders(Document("a", title=title, **fields)).title == left  # type: ignore[arg-type]


def test_key_words() -> None:
    found = without_placeholders(Document("a", keywords=("Na", "NA", "K", "-"), categories=("null",), venue="n/a"))
    assert (found.keywords, found.categories, found.venue) == (("Na", "NA", "K"), (), "")
    full = Document("a", title="Lids", abstract="They rattle.", authors=("Lind, Ada",))
    assert without_placeholders(full) is full


def _written(nothing: str) -> Iterator[tuple[str, str]]:
    """Yield a paper that has no more than a title, as each format writes it, by the name of a file."""
    xml = nothing.replace("<", "&lt;").replace(">", "&gt;")
    yield (
        "a.ris",
        f"TY  - JOUR\nTI  - Lids\nAB  - {nothing}\nAU  - {nothing}\nPY  - {nothing}\nJO  - {nothing}\nER  - \n",
    )
    yield (
        "a.bib",
        (
            f"@article{{a, title={{Lids}}, abstract={{{nothing}}}, author={{{nothing}}}, year={{{nothing}}}, "
            f"journal={{{nothing}}}, keywords={{{nothing}}}, doi={{{nothing}}}}}"
        ).replace("#", r"\#"),
    )
    yield "a.nbib", f"PMID- 1\nTI  - Lids\nAB  - {nothing}\nFAU - {nothing}\nDP  - {nothing}\nJT  - {nothing}\n"
    yield (
        "a.enw",
        f"%0 Journal Article\n%T Lids\n%X {nothing}\n%A {nothing}\n%D {nothing}\n%J {nothing}\n%K {nothing}\n",
    )
    yield "a.ovd", f"<1>\nTI  - Lids\nAB  - {nothing}\nAU  - {nothing}\nYR  - {nothing}\nSO  - {nothing}\n"
    yield "a.csv", f"title,abstract,authors,year,venue,keywords,id\nLids,{','.join([nothing] * 6)}\n"
    yield "a.tsv", "\t".join(("title", "abstract", "authors", "family")) + "\nLids" + f"\t{nothing}" * 3 + "\n"
    yield (
        "a.json",
        json.dumps(
            {
                "title": "Lids",
                "abstract": nothing,
                "authors": [nothing],
                "year": nothing,
                "venue": nothing,
                "keywords": [nothing],
            }
        ),
    )
    yield (
        "a.xml",
        (
            f"<article><front><article-meta><title-group><article-title>Lids</article-title></title-group><contrib-group>"
            f'<contrib contrib-type="author"><name><surname>{xml}</surname></name></contrib></contrib-group>'
            f"<abstract><p>{xml}</p></abstract><kwd-group><kwd>{xml}</kwd></kwd-group></article-meta></front></article>"
        ),
    )
    yield (
        "b.xml",
        (
            f"<xml><records><record><ref-type>17</ref-type><contributors><authors><author>{xml}</author></authors>"
            f"</contributors><titles><title>Lids</title><secondary-title>{xml}</secondary-title></titles>"
            f"<abstract>{xml}</abstract></record></records></xml>"
        ),
    )
    yield (
        "a.html",
        (
            f'<html><head><meta name="citation_title" content="Lids"><meta name="citation_author" content="{xml}">'
            f'<meta name="citation_journal_title" content="{xml}"><meta name="citation_abstract" content="{xml}">'
            f'<meta name="keywords" content="{xml}"></head><body><h1>Lids</h1>'
            f"<p>{'Lids rattle at night. ' * 40}</p></body></html>"
        ),
    )


@pytest.mark.parametrize(
    "nothing", ["NA", "nan", "None", "null", "N/A", "#N/A", "<NA>", "[No abstract available]", "-"]
)
def test_no_reader_takes_it_for_text(nothing: str, tmp_path: Path) -> None:
    for name, text in _written(nothing):
        (tmp_path / name).write_text(text)
        (found,) = iter_documents(tmp_path / name, warn=lambda _: None)
        assert (found.title, found.abstract, found.authors, found.year) == ("Lids", "", (), None), name
        assert (found.venue, found.keywords, found.family) == ("", (), ""), name
        assert found.id != nothing


def test_another_field_of_the_record_counts_instead() -> None:
    text = "TY  - JOUR\nTI  - Lids\nAB  - NA\nN2  - They rattle.\nPY  - NA\nY1  - 2019\nT2  - NA\nJO  - Lid Notes\n"
    found = read_bytes(text.encode(), "a.ris").document
    assert (found.abstract, found.year, found.venue) == ("They rattle.", 2019, "Lid Notes")
    found = read_bytes(
        b"@article{a, title={Lids}, journal={N/A}, booktitle={Lid Days}, year={nan}, date={2019}}", "a.bib"
    ).document
    assert (found.venue, found.year) == ("Lid Days", 2019)


def test_parts_of_a_name() -> None:
    people = [
        {"given": "None", "family": "Osei"},
        {"given": "Ada", "family": "Null"},
        {"given": "nan", "family": "nan"},
    ]
    found = read_bytes(json.dumps({"title": "Lids", "author": people}).encode(), "a.json").document
    assert found.authors == ("Osei", "Ada Null")
    assert read_bytes(json.dumps({"title": "L", "author": people[2:]}).encode(), "a.json").document.authors == ()


def test_rows_whose_id_is_missing_stay_apart(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,title,family,kind\nNA,Lids,NA,NA\nNA,Pots,NA,NA\n")
    told: list[str] = []
    lids, pots = iter_documents(tmp_path / "a.csv", warn=told.append)
    assert (lids.id != pots.id, lids.family, lids.kind, told) == (True, "", "paper", [])
