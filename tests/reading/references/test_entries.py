"""Documents made of references, in BibTeX and RIS, and the tags in their titles and abstracts."""

from __future__ import annotations

import logging
import time
from pathlib import Path

import pytest

from engine.core.errors import EmptyInputError, InputTooLargeError, ManyDocumentsError
from engine.documents import Document
from engine.exports.records import to_bibtex, to_ris
from engine.reading.dispatch import iter_documents, read_bytes, read_file
from engine.reading.limits import Limits
from engine.reading.references.entries import abstract_without_tags, title_without_tags
from tests.reading.references.written import ARTICLE, RIS, SIZE, bib, ris


def test_one_entry_is_a_document_and_several_are_an_import(tmp_path: Path) -> None:
    for name, one in (("a.bib", ARTICLE), ("a.ris", RIS)):
        (tmp_path / name).write_text(one)
        assert read_file(tmp_path / name).document == next(iter_documents(tmp_path / name))
        (tmp_path / name).write_text(one * 2)
        assert len(list(iter_documents(tmp_path / name))) == 2
        with pytest.raises(ManyDocumentsError, match=f"Expected one document in {name}, found several. Import it"):
            read_file(tmp_path / name)


def test_patents() -> None:
    (found,) = bib("@patent{k, title = {Slide valve}, number = {US 8930553 B2}, holder = {Valves Inc.}, year = 2015}")
    assert (found.id, found.kind, found.venue) == ("US8930553B2", "patent", "Valves Inc.")
    assert found.url == "https://patents.google.com/patent/US8930553B2/en"
    (found,) = ris("TY  - PAT\nTI  - Slide valve\nPB  - Valves Inc.\nSN  - US8930553B2\nER  - \n")
    assert (found.id, found.kind, found.venue) == ("US8930553B2", "patent", "Valves Inc.")


def test_an_id_from_the_content() -> None:
    one, same, other = bib("@a{a, title={A}, year=1999}@a{b, title={A}, year=1999}@a{a, title={A}, author={B}}")
    assert one.id.startswith("text:")
    assert one.id == same.id != other.id


@pytest.mark.parametrize("write", [to_bibtex, to_ris])
def test_what_we_export_reads_back(write: object, tmp_path: Path) -> None:
    paper = Document(
        "doi:10.1000/xyz_1",
        title="Costs & benefits of 100% {braces} -- in $x_1$ \\ y, a ''note'' ~ 5^2 #1",
        abstract="One sentence. And another `` with --- marks.",
        year=2019,
        keywords=("graphs", "C#"),
        venue="Journal of Tests & Trials",
        authors=("José Álvarez", "Lind, Ada", "Research and Development Group"),
        url="https://example.org/a_b?x=1&y=~2%20",
    )
    preprint = Document(
        "arXiv:2101.00001", title="Costs", authors=("Ada Lind",), year=2021, url="https://arxiv.org/abs/2101.00001"
    )
    patent = Document(
        "US8930553B2",
        kind="patent",
        title="Slide valve",
        authors=("John Smith",),
        year=1890,
        venue="Valves Inc.",
        url="https://patents.google.com/patent/US8930553B2/en",
    )
    own = Document("text:0123456789abcdef", title="Solving {x | x > 0", abstract="} and {a}", authors=("{A} and Co",))
    path = tmp_path / ("a.bib" if write is to_bibtex else "a.ris")
    path.write_text(write([paper, preprint, patent, own]))  # type: ignore[operator]
    assert list(iter_documents(path)) == [paper, preprint, patent, own]


@pytest.mark.parametrize(
    ("read", "text", "name"),
    [
        (bib, "@book{a, year = 1999}\n@book{b, author = {C}}\n@book{c, title = {D}}", "a.bib"),
        (ris, "TY  - BOOK\nPY  - 1999\nER  - \nTY  - BOOK\nER  - \nTY  - BOOK\nTI  - D\nER  - \n", "a.ris"),
    ],
)
def test_entries_without_title_and_abstract_are_counted(read: object, text: str, name: str) -> None:
    said: list[str] = []
    assert [one.title for one in read(text, said=said)] == ["D"]  # type: ignore[operator]
    assert said == [f"2 entries of {name} without title and abstract were left out."]


def test_the_count_is_a_warning_of_the_reading_and_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    text = "@book{a, year = 1999}\n@book{c, title = {D}, abstract = {E}}"
    assert read_bytes(text.encode(), "a.bib").warnings == (
        "1 entry of a.bib without title and abstract were left out.",
    )
    (tmp_path / "a.bib").write_text(text)
    with caplog.at_level(logging.WARNING):
        assert len(list(iter_documents(tmp_path / "a.bib"))) == 1
    assert "1 entry of a.bib without title and abstract" in caplog.text
    with pytest.raises(EmptyInputError, match=r"Expected a document in a\.bib, found none"):
        read_bytes(b"@book{a, year = 1999}", "a.bib")


def test_latin_1_is_read_with_a_warning(tmp_path: Path) -> None:
    for name, text in (("a.bib", "@article{b, title={Café}}"), ("a.ris", "TY  - JOUR\nTI  - Café\n")):
        told: list[str] = []
        (tmp_path / name).write_bytes(text.encode("latin-1"))
        [found] = iter_documents(tmp_path / name, warn=told.append)
        assert found.title == "Café"
        assert told == [
            f"{name} is not in UTF-8 and names no encoding. It was read as Windows-1252 (Western European); if letters "
            "look wrong, save it as UTF-8."
        ]


@pytest.mark.parametrize(
    ("read", "text", "limits", "said"),
    [
        (
            bib,
            "@a{a, title={\n" + "a\n" * 2000,
            {"max_record_bytes": 1000},
            "at most 0 MiB in the entry of line 1 of a.bib; it is larger",
        ),
        (
            bib,
            "@a{a, title={" + "a" * 2000,
            {"max_record_bytes": 1000},
            "at most 0 MiB in line 1 of a.bib; it is larger",
        ),
        (
            bib,
            '@string{a="bb"}',
            {"max_macro_characters": 1},
            "values of at most 1 characters in the entry of line 1 of a.bib",
        ),
        (
            bib,
            "@a{a, title=a, author={A and B}}",
            {"max_list_items": 1},
            "at most 1 authors in the entry of line 1 of a.bib, found 2",
        ),
        (
            ris,
            "TY  - A\n" + "TI  - a\n" * 2000,
            {"max_record_bytes": 1000},
            "at most 0 MiB in the record of line 1 of a.ris; it is larger",
        ),
        (ris, RIS, {"max_list_items": 1}, "at most 1 authors in the record of line 1 of a.ris, found 2"),
    ],
)
def test_limits(read: object, text: str, limits: dict[str, int], said: str) -> None:
    with pytest.raises(InputTooLargeError, match=said):
        read(text, limits=Limits(**limits))  # type: ignore[operator]


def test_names_beyond_the_limit_cost_no_entry(tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text('@string{a="b"}\n@string{c="d"}\n@string{e="f"}\n@misc{x, title=a # c}')
    told: list[str] = []
    assert [one.title for one in iter_documents(tmp_path / "a.bib", Limits(max_macros=1), warn=told.append)] == ["bc"]
    assert told == [
        "A value was left out. Expected at most 1 @string names before the entry of line 2 of a.bib; names from there "
        "on are not known. Write their values out."
    ]


def test_a_long_file_is_streamed(tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text(ARTICLE * 2000 + "@broken{")
    said: list[str] = []
    documents = iter_documents(tmp_path / "a.bib", warn=said.append)
    assert next(documents).year == 1931  # before the end was read
    assert len(list(documents)) == 1999
    assert len(said) == 1
    assert "the entry of line 24001 of a.bib" in said[0]


# ruff: noqa: RUF001  signs that look like letters are what is tested


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("H<sub>2</sub>O &amp; oil", "H2O & oil"),
        ("&lt;i&gt;In vivo&lt;/i&gt; lids", "In vivo lids"),
        ("&amp;lt;i&amp;gt;A&amp;lt;/i&amp;gt;", "A"),
        ("Lids &amp;amp; pots", "Lids & pots"),
        ("p < .05 and n > 30", "p < .05 and n > 30"),
        ("p &lt; .05", "p < .05"),
        ("One<br/>two", "One two"),
        (
            'A <mml:math xmlns:mml="x"><mml:mi>α</mml:mi></mml:math><jats:tex-math>$\\alpha$</jats:tex-math>-lid',
            "A α-lid",
        ),
    ],
)
def test_titles(written: str, read: str) -> None:
    assert title_without_tags(written) == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<jats:title>Abstract</jats:title>\n <jats:p>We\n  lift.</jats:p>", "We lift."),
        (
            "<jats:sec><jats:title>Aim</jats:title><jats:p>Lids.</jats:p></jats:sec><jats:sec><jats:title>Results:"
            "</jats:title><jats:p>They <jats:italic>fall</jats:italic>.</jats:p></jats:sec>",
            "Aim: Lids.\n\nResults: They fall.",
        ),
        ("&lt;jats:p&gt;We lift.&lt;/jats:p&gt;", "We lift."),
        ("<p>p &lt; .05.</p>", "p < .05."),
        ("<b>Aim</b> Lids\nfall.", "Aim Lids\nfall."),
        ("No tags.\n\nAt all.", "No tags.\n\nAt all."),
    ],
)
def test_abstracts(written: str, read: str) -> None:
    assert abstract_without_tags(written) == read


@pytest.mark.parametrize("piece", ["<", "&lt;", "<p>", "<jats:title>", "<tex-math>", "&amp;", "<math>", "<p ", "<br"])
def test_hostile_tags_cost_no_more_than_their_length(piece: str) -> None:
    begun = time.process_time()
    title_without_tags(piece * (SIZE // len(piece)))
    abstract_without_tags(piece * (SIZE // len(piece)))
    assert time.process_time() - begun < 5
