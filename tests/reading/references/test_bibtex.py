"""References into documents: BibTeX however its entries are written, and what BibTeX and RIS share."""
# ruff: noqa: RUF001  signs that look like letters are what is tested

from __future__ import annotations

import logging
import re
import time
from pathlib import Path

import pytest

from engine.core.errors import (
    EmptyInputError,
    InputTooLargeError,
    MalformedFileError,
    ManyDocumentsError,
    TruncatedFileError,
)
from engine.documents import Document
from engine.exports.records import to_bibtex, to_ris
from engine.reading.dispatch import iter_documents, read_bytes, read_file
from engine.reading.limits import Limits
from engine.reading.references.bibtex import JOURNALS
from engine.reading.references.entries import abstract_without_tags, title_without_tags
from tests.reading.references.written import ARTICLE, RIS, SIZE, bib, ris


@pytest.mark.parametrize(
    "text",
    [
        "@misc{k, title = {A}}",
        "@MISC { k , TITLE = {A} , }",
        "@misc(k, title = {A})",
        '@misc(k, title = "A", note = {(a)},\n)',
        "@misc{De Vries 2020, title = {A}}",
        "@misc{\n  De Vries,\n  title = {A}\n}",
        "@misc{title = {A}}",
        "@misc{, title = {A}}",
        "@misc{k, title = {A} year = 1999}",
        "@misc{k, title = {A}, title = {B}}",
        "@misc{k,\r\n title = {A}\r\n}\r\n",
        "\ufeff@misc{k, title = {A}}",
        "Made by hand.\n% @misc{no, title = {No}}\n@comment{@misc{no, title = {No}}}\n@misc{k, title = {A}}",
        '@preamble{"\\newcommand{\\x}{y}"}\n@misc{k, title = {A}}',
        "@misc{k, title = A}",
        '@misc{k, title = "{A}", note = {an " in braces}}',
        '@string{a = {A}}@string{b = a # ""}@misc{k, title = b}',
        "@misc{k, file = {C:\\x\\}, title = {A}}\n@misc{l,}",
        "@misc{k, title = {A}, note = {\n@ada said, @misc{too}}\n}",
    ],
)
def test_ways_to_write_an_entry(text: str) -> None:
    assert [one.title for one in bib(text)] == ["A"]


def test_several_on_a_line() -> None:
    assert [one.title for one in bib("@a{a, title={A}} @a{b, title={B}}@a{c, title={C}}")] == ["A", "B", "C"]


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        (
            "@a{a, title={A}}\n\n@a{b,\n title={B\n}\n@a{c, title={C}}",
            MalformedFileError,
            r"Expected the entry of line 3 of a\.bib to close before the next one in line 6\. Close its braces",
        ),
        (
            "@a{a, title={A}}\n@a{b, title={B}",
            TruncatedFileError,
            r"Expected the entry of line 2 of a\.bib to close; the",
        ),
        (
            "\n@a{b, title {B}}",
            MalformedFileError,
            r"fields like title = \{\.\.\.\} in the entry of line 2 of a\.bib, found",
        ),
        (
            '@a{b, title = "B}\n}',
            MalformedFileError,
            r"the entry of line 1 of a\.bib, found '\"B'\. Close its braces and",
        ),
        (
            "@a{b, title={" + "{" * 300 + "}" * 300 + "}}",
            MalformedFileError,
            r"nested at most 200 deep in the entry of line 1",
        ),
    ],
)
def test_an_unreadable_entry_names_its_line_and_refuses_no_other(text: str, error: type[Exception], said: str) -> None:
    told: list[str] = []
    assert bib("@a{g, title={Good}} " + text, said=told)[0].title == "Good"
    assert len(told) == 1
    assert re.search(rf"An entry was left out\. .*{said}", told[0])


@pytest.mark.parametrize(
    "broken",
    [
        "@article{b, title={An {open one}, year={2001}}",
        "@article{b, title={An {open one}, year={2001}\n}",
        '@article{b, title="A "quoted" one", year=2001}',
        '@article(b, title="An open one, year=2001)',
        "@article{b, title={Too many}} braces}, year={2001}}",
        "@article{b, title={An open one",
    ],
)
@pytest.mark.parametrize(
    "after",
    [
        "@article{c, title={After}, journal=rm}",
        "  @article{c, title={After}, journal=rm}",
        "@inproceedings{key of words, title={After}, journal=rm}",
        "@ARTICLE(c, title={After}, journal=rm)",
        '@string{other = "x"}\n@article{c, title={After}, journal=rm}',
    ],
)
def test_broken_braces_cost_one_entry(broken: str, after: str) -> None:
    head = "@string{rm = {Reef} # { Notes}}\n@misc{a, title={Before}}\n"
    found = bib(f"{head}{broken}\n{after}\n@misc{{d, title={{Last}}}}")
    titles = [one.title for one in found if one.title != "Too many"]
    assert (titles, found[-2].venue) == (["Before", "After", "Last"], "Reef Notes")


@pytest.mark.parametrize(
    "name", ["funding_text 1", "funding text", "date-added", "bdsk-url-1", "Author Keywords 2", "a:b"]
)
def test_names_of_fields_may_have_blanks(name: str) -> None:
    (found,) = bib(f"@article{{a, {name}={{x, y = {{z}}}}, title={{Lids}}, {name} = 7, year={{2019}}, {name}={{}}}}")
    assert (found.title, found.year) == ("Lids", 2019)


@pytest.mark.parametrize(
    "text",
    [
        '@article(a, title = "Lids (part one)", year = 2019)',
        '@article(a, title = {Lids (part one)}, year = "2019")',
        '@article(a,\n  title = "Lids (part" # { one)},\n  year = 2019\n)',
    ],
)
def test_parentheses_in_an_entry_between_parentheses(text: str) -> None:
    (found,) = bib(text)
    assert (found.title, found.year) == ("Lids (part one)", 2019)


@pytest.mark.parametrize(
    "head", ["Scopus\nEXPORT DATE: 05 March 2021\n\n", "Record #1 of 2\n", "% made by hand\n\n", "\ufeff"]
)
@pytest.mark.parametrize("name", ["a.bib", "a.txt", "a"])
def test_what_services_write_above_the_entries(head: str, name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(f"{head}@article{{a, title={{Lids}}}}\n\nRecord #2 of 2\n@misc{{b, title={{Pots}}}}\n")
    assert [one.title for one in iter_documents(tmp_path / name, warn=lambda _: None)] == ["Lids", "Pots"]


def test_a_file_without_any_readable_entry_is_refused() -> None:
    with pytest.raises(MalformedFileError, match=r"fields like title = \{\.\.\.\} in the entry of line 2 of a\.bib"):
        bib("\n@a{b, title {B}}")
    with pytest.raises(TruncatedFileError, match=r"Expected the entry of line 1 of a\.bib to close; the file stops"):
        bib("@a{b, title={B}")


def test_fields_that_a_brace_too_many_puts_outside_are_told() -> None:
    told: list[str] = []
    assert len(bib("@a{a, title={A}},\n  year = {1999},\n}\n@a{b, title={B}}", said=told)) == 2
    assert told == ["Fields outside of entries of a.bib were left out, the first of them in line 2."]


def test_names_that_double_cannot_grow_without_end() -> None:
    doubling = '@string{a0 = "aaaaaaaaaa"}' + "".join(f"@string{{a{n + 1} = a{n} # a{n}}}" for n in range(60))
    with pytest.raises(InputTooLargeError, match=r"values of at most 4,000 characters"):
        bib(doubling)


@pytest.mark.parametrize(
    "piece", ["@", "@a{", "@a{k,", " @a{k}", "{", "}", "\\", '"', "#", "a=", ",", "\n", " and ", "%\n"]
)
@pytest.mark.parametrize(
    "around", ["%s", "@a{k, title={A}, note={%s}}", "@a{k, title={A}, author={%s}}", "@a{k, title=%s}"]
)
def test_hostile_bibtex_costs_no_more_than_its_length(piece: str, around: str) -> None:
    begun = time.process_time()
    try:
        bib(around % (piece * (SIZE // len(piece))))
    except (MalformedFileError, TruncatedFileError, InputTooLargeError):
        pass
    assert time.process_time() - begun < 5


def test_an_article() -> None:
    (found,) = bib('@string{JMath = "Journal of Mathematics"}\n' + ARTICLE)
    assert found == Document(
        id="doi:10.1007/bf01700692",
        title="On the Incompleteness of ω-consistent Systems — a “note”",
        abstract="We show 100% of it.\n\nAnd more.",
        year=1931,
        keywords=("logic", "arithmetic", "proof"),
        venue="Journal of Mathematics (old series)",
        authors=("Kurt Gödel", "López-Ibáñez, Manuel", "Bell and Sons"),
        url="https://doi.org/10.1007/bf01700692",
    )


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"{\'E}t{\'e}", "Été"),
        (r"\'{E}t\'e", "Été"),
        (r"na\"{\i}ve", "naïve"),
        (r"Stra{\ss}e", "Straße"),
        (r"\c{C}a \v{s} \v s {\L}{\'o}d{\'z} \AA ngstr\"om", "Ça š š Łódź Ångström"),
        (r"\O re \& {\ae}sir", "Øre & æsir"),
        (r"a~b -- c", "a b – c"),
        (r"$O(n \log n)$ sorting", "O(n log n) sorting"),
        (r"Nguy{\~{\^e}}n V{\u a}n {\'{\ohorn}} \h{a} {\h{\^a}}", "Nguyễn Văn ớ ả ẩ"),
        (r"Ya{\u g}c{\i} \c{S}ule {\.I}zmir", "Yağcı Şule İzmir"),
        (r"\textit{Drosophila} \emph{and} \textsuperscript{13}C", "Drosophila and 13C"),
        (r"{{Nested {B}races}}", "Nested Braces"),
        (r"5\% of \$3 \{x\} a\_b \#1", "5% of $3 {x} a_b #1"),
        (r"\textbraceleft x\textbraceright{} y {\textbraceleft}z{\textbraceright}", "{x} y {z}"),
        (r"\~{}x \textasciitilde y \textbackslash{} z", "~x ~y \\ z"),
        (r"\alpha-helix of \unknown{words} \cite{a}", "\N{GREEK SMALL LETTER ALPHA}-helix of words"),
        ("ascii\n   wrapped", "ascii wrapped"),
    ],
)
def test_what_tex_writes_as_marks(written: str, read: str) -> None:
    (found,) = bib(f"@misc{{k, title = {{{written}}}}}")
    assert found.title == read


@pytest.mark.parametrize(
    ("fields", "name", "value"),
    [
        ("date = {2019-05-01}", "year", 2019),
        ("year = {in press}", "year", None),
        ("year = {c1998}", "year", 1998),
        ("booktitle = {Proc. of {X}}", "venue", "Proc. of X"),
        ("howpublished = {\\url{https://a.example/b_c}}", "venue", ""),
        ("howpublished = {\\url{https://a.example/b_c}}", "url", "https://a.example/b_c"),
        ("url = {https://a.example/b\\_c\\%20d?e=\\~{}f}", "url", "https://a.example/b_c%20d?e=~f"),
        ("url = {javascript:alert(1)}", "url", ""),
        ("url = {http://dx.doi.org/10.1000/x_1}", "id", "doi:10.1000/x_1"),
        ("eprint = {2101.00001v2}, archiveprefix = {arXiv}, primaryclass = {cs.LG}", "id", "arXiv:2101.00001"),
        ("eprint = {2101.00001}, eprinttype = {arxiv}", "url", "https://arxiv.org/abs/2101.00001"),
        ("eprint = {hep-th/9901001}, archiveprefix = {arXiv}, primaryclass = {hep-th}", "categories", ("hep-th",)),
        ("editor = {Lind, Ada}", "authors", ("Lind, Ada",)),
        ("subtitle = {More}", "title", "A: More"),
        ("type = {US patent}", "kind", "patent"),
    ],
)
def test_fields(fields: str, name: str, value: object) -> None:
    (found,) = bib(f"@misc{{k, title = {{A}}, {fields}}}")
    assert getattr(found, name) == value


CHILD = "@inproceedings{c, title={On lids}, author={Lind, Ada}, crossref={P20}%s}"
PARENT = "@proceedings{P20, title={Proceedings of Lids}, year={2020}, publisher={Press}}"


@pytest.mark.parametrize("text", [f"{CHILD % ''}\n{PARENT}", f"{PARENT}\n{CHILD % ''}"])
def test_an_entry_takes_from_its_parent_what_it_lacks(text: str) -> None:
    found = {one.title: one for one in bib(text)}
    assert (found["On lids"].year, found["On lids"].venue) == (2020, "Proceedings of Lids")
    assert set(found) == {"On lids", "Proceedings of Lids"}


def test_an_entry_keeps_its_own_and_one_whose_parent_never_comes_stays_as_it_is() -> None:
    (own,) = (one for one in bib(CHILD % ", year={2019}, booktitle={Own}" + PARENT) if one.title == "On lids")
    assert (own.year, own.venue) == (2019, "Own")
    (alone,) = bib(CHILD % "")
    assert (alone.title, alone.year, alone.venue) == ("On lids", None, "")


def test_names_stay_as_they_are_written() -> None:
    (found,) = bib("@misc{k, title={A}, author={{Lind}, A. and van der {Berg}, Bo and Ek, Jr., Cy and {Lid Team}}}")
    assert found.authors == ("Lind, A.", "van der Berg, Bo", "Ek, Jr., Cy", "Lid Team")
    (parts,) = bib("@misc{k, title={A}, author={family=Berg, given=Bo, prefix=van der and given={Ada}, family={Lind}}}")
    assert parts.authors == ("van der Berg, Bo", "Lind, Ada")
    (cochrane,) = bib("@article{k, title={A}, author={Lind, AB, Ek, C, and Berg, D}}")
    assert cochrane.authors == ("Lind, AB", "Ek, C", "Berg, D")


def test_an_entry_of_the_astrophysics_data_system() -> None:
    (found,) = bib(
        r"""@ARTICLE{2020X, author = {{Lind}, A.}, title = "{Lids at z {\ensuremath{\sim}} 2: H{\ensuremath{\alpha}}}",
        journal = {\mnras}, year = 2020, abstract = "{We find f$_{esc}$ {\ensuremath{\geq}} 0.1 and 10$^{4}$ K.}"}"""
    )
    assert found.title == "Lids at z ∼ 2: Hα"
    assert found.abstract == "We find f_esc ≥ 0.1 and 10^4 K."
    assert found.venue == "Monthly Notices of the Royal Astronomical Society"


def test_an_entry_of_dblp() -> None:
    (found,) = bib(r"@article{k, title={A 2\({}^{\mbox{k}}\) Lid in O(n\({}^{\mbox{2}}\)) with \(\Sigma\)\(\Delta\)}}")
    assert found.title == "A 2^k Lid in O(n^2) with ΣΔ"


def test_an_entry_of_crossref() -> None:
    (found,) = bib(
        "@article{k, title={Lids of <i>Kettles</i> in H<sub>2</sub>O &amp; oil}, journal={Lids &amp; Pots}, "
        "abstract={<jats:title>Abstract</jats:title><jats:p>We lift <jats:italic>lids</jats:italic>.</jats:p>"
        "<jats:p>They fall.</jats:p>}}"
    )
    assert (found.title, found.venue) == ("Lids of Kettles in H2O & oil", "Lids & Pots")
    assert found.abstract == "We lift lids.\n\nThey fall."


def test_a_date_counts_where_the_year_is_none() -> None:
    (found,) = bib("@article{a, title={T}, year={in press}, date={2021-03-01}}")
    assert found.year == 2021


@pytest.mark.parametrize("number", ["US 8,930,553 B2", "US8930553B2"])
def test_a_patents_number_however_it_is_written(number: str) -> None:
    (found,) = bib(f"@patent{{a, title={{A lid}}, number={{{number}}}}}")
    assert (found.kind, found.id) == ("patent", "US8930553B2")
    (plain,) = bib("@patent{a, title={A lid}, number={US5000000}}")
    assert plain.id == "US5000000"


def test_each_macro_has_a_name() -> None:
    assert JOURNALS["apj"] == "Astrophysical Journal"
    assert all(macro.isalpha() and name[:1].isupper() for macro, name in JOURNALS.items())


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
    ("read", "text", "name", "named"),
    [
        (
            bib,
            "@book{a, year = 1999}\n@book{b, author = {C}}\n@book{c, title = {D}}",
            "a.bib",
            "the entry of line 1, the entry of line 2",
        ),
        (
            bib,
            "@book{a, title = {D}}" + "\n@book{b, year = 1999}" * 5,
            "a.bib",
            "the entry of line 2, the entry of line 3, the entry of line 4 and 2 more",
        ),
        (
            ris,
            "TY  - BOOK\nPY  - 1999\nER  - \nTY  - BOOK\nER  - \nTY  - BOOK\nTI  - D\nER  - \n",
            "a.ris",
            "the record of line 1, the record of line 4",
        ),
    ],
)
def test_entries_without_title_and_abstract_are_counted_and_named(
    read: object, text: str, name: str, named: str
) -> None:
    said: list[str] = []
    assert [one.title for one in read(text, said=said)] == ["D"]  # type: ignore[operator]
    assert said == [
        f"{5 if 'more' in named else 2} entries of {name} without title and abstract were left out: {named}."
    ]


def test_the_count_is_a_warning_of_the_reading_and_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    text = "@book{a, year = 1999}\n@book{c, title = {D}, abstract = {E}}"
    assert read_bytes(text.encode(), "a.bib").warnings == (
        "1 entry of a.bib without title and abstract was left out: the entry of line 1.",
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
