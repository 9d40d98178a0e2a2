"""Reference lists cut into entries, whatever marks them, and entries read in the styles of publishers."""

from __future__ import annotations

import pytest

from engine.documents import Document, Identifier, Reference, Section
from engine.search.citations.entries import MOST_ENTRY, cut_entries, parse_entry, references_of

TITLE = "When should you adjust standard errors for clustering"


@pytest.mark.parametrize(
    "entry",
    [
        f"Abadie, A., & Athey, S. (2017). {TITLE}? Journal of Things, 12(3), 1–4. https://doi.org/10.1000/abc",
        f"[1] A. Abadie and S. Athey, “{TITLE},” in Proc. IEEE Conf. Things, 2017, pp. 1–4.",
        f"Anders Abadie, Susan K. Athey, and Guido Imbens. 2017. {TITLE}? In Proceedings of the 2018 Conference "
        "(CONF '18). ACM, 1–4.",
        f"Abadie, A., Athey, S.: {TITLE}? In: Proc. CONF, pp. 1–4. Springer (2017)",
        f"1. Abadie A, Athey S. {TITLE}? J Things. 2017;12(3):1–4.",
        f"A. Abadie, S. Athey, {TITLE}, J. Things 12 (2017) 1–4.",
        f"A. Abadie, S. Athey, {TITLE}, CONF '17 12 (2017) 1–4.",
        f"Abadie, Anders, and Susan Athey. “{TITLE}?” Journal of Things 12, no. 3 (2017): 1–4.",
        f"Abadie A, Athey S (2017a). “{TITLE}?” Journal of Things, 12(3), 1–4. doi:10.1000/abc.",
        f"ABADIE, A., AND ATHEY, S. {TITLE}. Things Press, 2017.",
        f"Anders Abadie and Susan Athey. {TITLE}. In Proc. of Things, volume 2016, pages 1–4, 2017b.",
    ],
)
def test_title_year_and_first_author_are_told_in_any_style(entry: str) -> None:
    found = parse_entry(entry)
    assert (found.title.rstrip("?"), found.year) == (TITLE, 2017)
    assert "abadie" in found.authors[0].lower()
    assert found.text == entry


@pytest.mark.parametrize(
    ("entry", "title"),
    [
        ("Sarkar D (2008). lattice: Multivariate Data Visualization with R. Springer-Verlag, New York.",) * 1
        + ("lattice: Multivariate Data Visualization with R",),
        ("World Health Organization. (2019). Guidelines on sanitation and health. Geneva.",) * 1
        + ("Guidelines on sanitation and health",),
        ("Vaswani, A. et al. Attention is all you need. arXiv preprint arXiv:1706.03762 (2017).",) * 1
        + ("Attention is all you need",),
        ("B Vogelstein, ER Fearon, MJ O'Brien. Genetic alterations during tumor development. N Engl J Med. 1988",) * 1
        + ("Genetic alterations during tumor development",),
    ],
)
def test_a_title_ends_where_its_venue_begins(entry: str, title: str) -> None:
    assert parse_entry(entry).title == title


@pytest.mark.parametrize(
    ("entry", "title", "author"),
    [
        ("Šimek P, Łoś A. A long study of ducks. J Birds. 1999;4:1-9.", "A long study of ducks", "Šimek P"),
        (
            "Иванов И. И. Методы поиска патентов по тексту // Вестник. 2012. № 3.",
            "Методы поиска патентов по тексту",
            "Иванов И. И.",
        ),
        ("Παπαδόπουλος Γ. (1999). Μελέτη των πτηνών. Αθήνα.", "Μελέτη των πτηνών", "Παπαδόπουλος Γ."),
    ],
)
def test_names_in_other_letters_are_names(entry: str, title: str, author: str) -> None:
    found = parse_entry(entry)
    assert (found.title, found.authors[0]) == (title, author)


def test_a_title_may_hold_a_year() -> None:
    found = parse_entry(
        "F Bray, J Ferlay. Global cancer statistics 2018: incidence in 185 countries. CA Cancer J. 2020"
    )
    assert (found.title, found.year) == ("Global cancer statistics 2018: incidence in 185 countries", 2020)


def test_pages_and_addresses_are_no_years() -> None:
    assert parse_entry("Smith J. A long study of ducks. J Birds. 1999;4:1801-2010. https://x.org/2024/1").year == 1999
    assert parse_entry("Smith J. A long study of ducks. J Birds, in press").year is None


@pytest.mark.parametrize(
    ("printed", "scheme", "value"),
    [
        ("doi:10.1016/s0167-9473(02)00366-3.", "doi", "10.1016/s0167-9473(02)00366-3"),
        ("(https://doi.org/10.1000/abc).", "doi", "10.1000/abc"),
        ("doi:10.18637/jss. v020.i02. URL x", "doi", "10.18637/jss.v020.i02"),
        ("arXiv:1706.03762v5", "arxiv", "1706.03762"),
        ("https://arxiv.org/abs/hep-th/9901001", "arxiv", "hep-th/9901001"),
        ("PMID: 23456789", "pmid", "23456789"),
        ("PMC7599108", "pmc", "7599108"),
        ("U.S. Patent No. 5,123,456 A", "patent", "US5123456A"),
        ("EP 1129692 B1", "patent", "EP1129692B1"),
        ("EP 123456 A1", "patent", "EP0123456A1"),
        ("EP-A-0 123 456", "patent", "EP0123456"),
        ("US-2004/0123456-A1", "patent", "US20040123456A1"),
        ("U.S. Pat. App. Pub. No. 2004/0123456", "patent", "US20040123456"),
        ("WO 95/10353", "patent", "WO1995010353"),
        ("WO-A-95/10353", "patent", "WO1995010353"),
    ],
)
def test_numbers_are_read_as_printed(printed: str, scheme: str, value: str) -> None:
    found = parse_entry(f"Smith J (1999). A long study of ducks. J Birds 4. {printed}")
    assert (scheme, value) in found.identifiers


def test_a_serial_number_is_no_patent() -> None:
    assert parse_entry("Smith, J. U.S. Ser. No. 09/123,456, a gate, 1999.").identifiers == ()


def test_what_follows_an_entry_is_not_of_it() -> None:
    found = parse_entry("Smith J (1999). A long study of ducks. J Birds 4. " + "And so on. " * 10_000)
    assert (found.title, found.year) == ("A long study of ducks", 1999)
    assert len(found.text) == MOST_ENTRY


@pytest.mark.parametrize(
    "text", ["", "   ", "[1]", "1999", "“", "(((((", "A." * 400, "Aa-" * 400, "van der " * 300, "arxiv" * 600]
)
def test_anything_is_an_entry(text: str) -> None:
    assert parse_entry(text).text == text


ENTRIES = (
    "A. Abadie and S. Athey. When to adjust standard errors for clustered data. J. Things, 12:1-4, 2017.",
    "B. Bolker and C. Chen. Supernodal factorization of sparse matrices in long-running studies. ACM Trans., 2008.",
    "D. Davis. Direct methods for sparse linear systems. SIAM, Philadelphia, PA, 2006.",
)


def wrapped(entry: str, width: int = 60) -> str:
    lines, line = [], ""
    for word in entry.split():
        if len(line) + len(word) > width:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return "\n".join([*lines, line])


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(ENTRIES),
        "\n\n".join(ENTRIES),
        "\n\n".join(map(wrapped, ENTRIES)),
        "\n".join(map(wrapped, ENTRIES)),
        "\n".join(f"[{n}] {wrapped(one)}" for n, one in enumerate(ENTRIES, start=1)),
        "\n".join(f"{n}. {wrapped(one)}" for n, one in enumerate(ENTRIES, start=1)),
        " ".join(f"[{n}] {one}" for n, one in enumerate(ENTRIES, start=1)),
        " ".join(ENTRIES),
    ],
    ids=["lines", "blank lines", "wrapped, blank lines", "wrapped", "[1] wrapped", "1. wrapped", "one line", "run in"],
)
def test_a_list_is_cut_at_its_entries(text: str) -> None:
    found = cut_entries(text)
    assert len(found) == 3
    for entry, whole in zip(found, ENTRIES, strict=True):
        assert whole in " ".join(entry.split())


@pytest.mark.parametrize("words", ["No year. ", "No. A. ", "Smith, J. and Doe, K. "])
def test_a_long_list_without_years_stays_whole(words: str) -> None:
    text = f"{words * 20_000}The end."
    assert cut_entries(text) == [text]


def test_a_long_text_of_a_reader_is_cut_short() -> None:
    entry = Reference("a " * 50_000, title="b " * 50_000)
    (found,) = references_of(Document("a", references=(entry,)))
    assert len(found.text) == MOST_ENTRY
    assert len(found.title) < MOST_ENTRY


def test_a_word_that_a_line_end_parted_is_joined() -> None:
    assert cut_entries("A. Abadie. When to adjust stan-\ndard errors. J. Things, 2017.")[0].count("standard") == 1


def test_parsed_entries_go_before_printed_ones() -> None:
    parsed = Reference("text", title="A title", year=1999)
    section = Section("References", "\n".join(ENTRIES), "references")
    assert references_of(Document("a", sections=(section,), references=(parsed,))) == (parsed,)
    assert [one.year for one in references_of(Document("a", sections=(section,)))] == [2017, 2008, 2006]
    assert references_of(Document("a", sections=(Section("Body", "\n".join(ENTRIES)),))) == ()


def test_what_a_reader_kept_as_text_is_parsed_and_a_patent_is_not() -> None:
    patent = Reference("US 5,123,456 A", identifiers=(Identifier("patent", "US5123456A"),))
    other = Reference("Davis, D. (2006). Direct methods for sparse linear systems. SIAM.")
    found = references_of(Document("a", "patent", references=(patent, other)))
    assert found[0] == patent
    assert (found[1].title, found[1].year) == ("Direct methods for sparse linear systems", 2006)


@pytest.mark.parametrize(
    "entry",
    [
        "Smith J, Doe A. 2017. Vitamin D. A review of trials in 2015. In J. Bones. ACM, 1-9.",
        "Chambers JM (1993). Linear Models. In JM Chambers, TJ Hastie (eds.), Statistical Models in S, 1992. Chapman.",
        "Smith J. A long study of ducks. J Birds. 1999. Available from 2001 on.",
    ],
)
def test_one_entry_alone_stays_whole(entry: str) -> None:
    assert cut_entries(entry) == [entry]
