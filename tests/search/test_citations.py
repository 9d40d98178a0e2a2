"""Citations: reference lists cut into entries, whether an entry cites a document, and what two documents both cite."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.documents import Document, Identifier, Reference, Section
from engine.library import Library
from engine.search.citations.cited import Citations, find_citations, shared_references
from engine.search.citations.entries import MOST_ENTRY, cut_entries, parse_entry, references_of
from engine.search.citations.matching import (
    agreement,
    count_telling,
    edits,
    likeness,
    may_cite,
    same_author,
    years_apart,
)
from engine.search.citations.records import kind_of_record

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


WORK_TITLE = "Multi-task learning of sentence embeddings for patent retrieval: an empirical study"


@pytest.mark.parametrize(
    "typed",
    [
        WORK_TITLE.upper(),
        WORK_TITLE.replace("Multi-task", "Multitask"),
        WORK_TITLE.replace("Multi-task", "Multi task"),
        WORK_TITLE.replace("embeddings", "embedding"),
        WORK_TITLE.replace(":", " -"),
        WORK_TITLE.replace("retrieval", "re trieval"),
    ],
)
def test_capitals_signs_hyphens_and_forms_of_words_change_nothing(typed: str) -> None:
    assert likeness(typed, WORK_TITLE).is_equal


def test_a_slip_of_the_keys_is_near_and_not_equal() -> None:
    found = likeness(WORK_TITLE.replace("sentence", "setnence").replace("retrieval", "retreival"), WORK_TITLE)
    assert not found.is_equal and not found.changed and found.share > 0.9


def test_a_word_left_out_is_counted() -> None:
    found = likeness(WORK_TITLE.replace("sentence ", ""), WORK_TITLE)
    assert (found.missing, found.added, found.changed) == (1, 0, False)
    assert likeness(WORK_TITLE, WORK_TITLE.replace("sentence ", "")).added == 1


def test_a_subtitle_may_be_missing() -> None:
    found = likeness(WORK_TITLE.partition(":")[0], WORK_TITLE)
    assert found.is_headline and found.is_equal
    assert not likeness("Multi-task learning", WORK_TITLE).is_headline


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("On trees. Part I", "On trees. Part II"),
        ("On growing trees", "On growing trees, part 2"),
        ("On growing trees: a reply", "On growing trees"),
        ("Cancer statistics 2012", "Cancer statistics 2018"),
        ("On growing trees", "On growing trees: part II"),
    ],
)
def test_numbers_and_parts_tell_works_apart(one: str, other: str) -> None:
    assert likeness(one, other).renumbered
    assert likeness(other, one).renumbered


def test_another_word_is_another_work() -> None:
    assert likeness(WORK_TITLE.replace("patent", "music"), WORK_TITLE).changed


def test_accents_tags_and_entities_are_plain() -> None:
    assert likeness("Mobius &amp; <i>Poincare</i> maps", "Möbius and Poincaré maps").is_equal


def test_a_text_that_came_as_a_title_is_like_its_equal_alone() -> None:
    text = "word of a text " * 5_000
    assert likeness(text, text.upper()).is_equal
    assert likeness(text, f"{text} more").share == likeness(text, WORK_TITLE).share == 0


def test_a_title_without_words_is_like_none() -> None:
    assert likeness("...", WORK_TITLE).share == likeness(WORK_TITLE, "").share == 0
    assert count_telling("the of a") == 0


@pytest.mark.parametrize(
    ("one", "other", "count"), [("tree", "tree", 0), ("tree", "tere", 1), ("tree", "trees", 1), ("tree", "bush", 3)]
)
def test_edits_are_counted_to_a_bound(one: str, other: str, count: int) -> None:
    assert edits(one, other, 2) == count


WORK = Document(
    "work",
    title="An improved covariance matrix estimator for dependent observations",
    year=1992,
    authors=("Andrews, Donald W. K.", "Monahan, J. Christopher"),
)


def cites(reference: Reference, work: Document = WORK) -> bool:
    found = may_cite(reference, work.title, work.year)
    return found is not None and agreement(reference, work, found) is not None


def entry(title: str = WORK.title, year: int | None = 1992, authors: tuple[str, ...] = ("D. Andrews",)) -> Reference:
    return Reference("", title=title, year=year, authors=authors)


def test_a_title_with_slips_needs_the_author_and_the_year() -> None:
    title = WORK.title.replace("covariance", "covarinace")
    assert cites(entry(title)) and cites(entry(title, 1993))
    assert not cites(entry(title, 1995))
    assert not cites(entry(title, authors=("B. Bolker",)))


def test_an_equal_title_may_be_of_a_preprint() -> None:
    assert cites(entry(year=1990))
    assert not cites(entry(year=1980))
    assert not cites(entry(year=1990, authors=("B. Bolker",)))


def test_a_word_left_out_needs_the_very_year_and_one_too_many_is_of_another_work() -> None:
    shorter = WORK.title.replace("matrix ", "")
    assert cites(entry(shorter)) and not cites(entry(shorter, 1991))
    assert not cites(entry(f"{WORK.title} revisited"))


def test_other_authors_do_not_hide_a_long_equal_title() -> None:
    assert cites(entry(authors=("B. Bolker",)))
    short = Document("short", title="Deep learning", year=2015, authors=("LeCun, Yann",))
    assert cites(entry("Deep learning", 2015, ("Y. LeCun",)), short)
    assert not cites(entry("Deep learning", 2015, ("B. Bolker",)), short)


def test_a_patent_is_not_cited_by_its_title() -> None:
    assert not cites(entry(), Document("US1A", "patent", title=WORK.title, year=1992, authors=WORK.authors))


@pytest.mark.parametrize(
    "text",
    [
        "AndrewsX, D. An improved covariance matrix estimator for dependent observations; Econometrica; 1992",
        "Andrews: «x» — 1992, An improved covariance matrix estimator for dependent observations, Econometrica",
    ],
)
def test_a_title_is_found_in_an_entry_whose_order_is_not_told(text: str) -> None:
    assert cites(Reference(text, title="Econometrica", year=1992, authors=("Andrews",)))


RECORDS = (
    """
Erratum: {}|Corrigendum to “{}”|Correction to: {}|{} (Erratum)|{} [Published erratum]|Rejoinder: {}|{}: a rejoinder
[{}]: Rejoinder|Reply to “{}”|{}. Reply|{}? A reply to Monahan et al|Authors’ response to “{}”|Re: {}
Comment on “{}”|Comments on: {}|{}: comment|Discussion of “{}”|{}: discussion|A note on “{}”|Letter regarding “{}”
Book review: {}|Review of “{}”|{} (book review)|Reviewers’ comments on “{}”|Review for “{}”|Retraction notice to “{}”
Retraction: {}|Expression of concern: {}|Editorial: {}|Introduction to “{}”|Preface to {}|{}. II. Panels|{}: Part II
{}, Part 2|{} III|Supplement to “{}”|Supplementary material for: {}|{}: supplementary material|Data from: {}
Author response: {}|Addendum to: {}|English translation of “{}”|{} (English translation)|Solutions manual for {}
""".replace("\n", "|")
    .strip("|")
    .split("|")
)
PRINTED = "D. Andrews (1992). {}. Econometrica, 12, 1-4."


@pytest.mark.parametrize("record", RECORDS)
def test_a_record_about_a_work_is_another_than_the_work(record: str) -> None:
    title = record.format(WORK.title)
    about, printed = replace(WORK, title=title), PRINTED.format(title)
    for reference in (entry(title), parse_entry(printed), replace(parse_entry(printed), title="Econometrica")):
        assert not cites(reference)
    assert not cites(entry(), about) and not cites(parse_entry(PRINTED.format(WORK.title)), about)
    assert cites(entry(title), about) and cites(parse_entry(printed), about)


@pytest.mark.parametrize(
    "same",
    ["RETRACTED: {}", "Retracted article: {}", "{} [Retracted]", "{} (with discussion)", "{} [letter]", "[{}]", "“{}”"],
)
def test_what_became_of_a_work_is_the_work(same: str) -> None:
    title = same.format(WORK.title)
    assert cites(entry(title)) and cites(entry(), replace(WORK, title=title))
    assert cites(parse_entry(PRINTED.format(title)))


@pytest.mark.parametrize(
    "title",
    [
        "Soil carbon: response to warming",
        "Introduction to information retrieval",
        "Altmetrics: a review of the literature",
        "Stress of rats: results and discussion",
        "Review of robust watermarking",
        "Machine translation",
    ],
)
def test_a_work_with_such_a_word_is_a_work(title: str) -> None:
    assert kind_of_record(title) == ("", title)


def test_an_erratum_has_other_names_and_two_reviews_have_one() -> None:
    corrigendum = replace(WORK, title=f"Corrigendum to “{WORK.title}”")
    assert cites(entry(f"Erratum: {WORK.title}"), corrigendum)
    review = replace(WORK, title=f"Book review: {WORK.title}", authors=("Chen, C.",))
    assert cites(entry(review.title, authors=("C. Chen",)), review)
    assert not cites(entry(review.title), review)


def test_a_notice_after_the_venue_is_not_of_the_title() -> None:
    for after in ("Erratum in: Econometrica 13, 9.", "Discussion 5-9.", "Comment. Math. Helv. 12."):
        assert cites(parse_entry(f"{PRINTED.format(WORK.title)} {after}"))
        assert cites(parse_entry(f"D. Andrews (1992). {WORK.title}. {after}"))


def test_a_venue_or_a_longer_title_is_not_the_work() -> None:
    text = "Andrews D (1992). Weak dependence in an improved covariance matrix estimator for dependent observations. E."
    assert not cites(parse_entry(text))


def test_years_and_authors() -> None:
    assert years_apart(None, 1990) == 0 and years_apart(1990, 1993) == 3
    assert same_author(entry(authors=("D. Andrevs",)), WORK) is True
    assert same_author(entry(authors=("B. Bolker",)), WORK) is False
    assert same_author(entry(authors=()), WORK) is None
    assert same_author(entry(), Document("x")) is None


HELD = (
    Document("laird", title="Random-effects models for longitudinal data", year=1982, authors=("Laird, N", "Ware, J")),
    Document("preprint", title="Sparse matrix methods for mixed models", year=2003, authors=("Bates, D",)),
    Document("book", title="Sparse matrix methods for mixed models", year=2004, authors=("Bates, D", "DebRoy, S")),
    Document("second", title="Random-effects models for longitudinal data II", year=1983, authors=("Laird, N",)),
    Document("doi:10.1000/Named", title="A work that is known by its number", year=1999),
    Document("other", title="Volume of proceedings", year=1999, identifiers=(Identifier("pmid", "123456"),)),
    Document("US5123456A", "patent", title="Car coupling", year=1992),
    Document("US5123457A", "patent", title="Car coupling", year=1992),
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("cited"), create=True) as library:
        library.add_file("key", "texts", HELD)
        yield library


def cited(library: Library, *references: Reference) -> set[str]:
    return set(find_citations(Document("asks", references=references), library).held)


def printed(library: Library, text: str) -> Citations:
    return find_citations(Document("asks", sections=(Section("References", text, "references"),)), library)


def test_a_printed_list_finds_what_the_library_holds(library: Library) -> None:
    text = (
        "Laird NM, Ware JH (1982). “Random-Efects Models for Longitudinal Data.” Biometrics, 38(4), 963–974.\n\n"
        "Nobody A (1999). “A paper that nobody holds about nothing.” Journal of Nothing, 1, 1."
    )
    found = printed(library, text)
    assert set(found.held) == {"laird"}
    assert (len(found.references), found.works_held) == (2, 1)
    assert found.held["laird"].year == 1982


def test_every_version_of_a_cited_work_is_cited(library: Library) -> None:
    entry = Reference("", title="Sparse matrix methods for mixed models", year=2004, authors=("S. DebRoy", "D. Bates"))
    assert cited(library, entry) == {"preprint", "book"}
    found = find_citations(Document("asks", references=(entry,)), library)
    assert found.works_held == 1


@pytest.mark.parametrize(
    ("identifier", "id_"),
    [
        (Identifier("doi", "https://doi.org/10.1000/named"), "doi:10.1000/Named"),
        (Identifier("pmid", "123456"), "other"),
        (Identifier("patent", "US5123456"), "US5123456A"),
        (Identifier("patent", "US 5123456 A1"), "US5123456A"),
    ],
)
def test_a_number_is_enough(library: Library, identifier: Identifier, id_: str) -> None:
    assert cited(library, Reference("", identifiers=(identifier,))) == {id_}


def test_a_number_under_another_title_is_a_volume_s(library: Library) -> None:
    entry = Reference("", title="Learning to rank for patents", identifiers=(Identifier("pmid", "123456"),))
    assert cited(library, entry) == set()


def test_a_document_does_not_cite_itself(library: Library) -> None:
    entry = Reference("", identifiers=(Identifier("patent", "US5123456A"),))
    assert find_citations(Document("US5123456A", "patent", references=(entry,)), library).held == {}


def test_a_document_without_a_list_cites_nothing(library: Library) -> None:
    assert find_citations(Document("asks", title="No list"), library) == Citations()


def test_words_that_a_line_end_parted_find_their_title(library: Library) -> None:
    text = "Bates D. Sparse ma-\ntrix meth-\nods for mixed mod-\nels. J. Things, 2004."
    assert set(printed(library, text).held) == {"preprint", "book"}


def test_only_documents_that_may_be_meant_are_read(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("walked all documents")

    monkeypatch.setattr(library, "iter_documents", refuse)
    monkeypatch.setattr(library, "summaries", refuse)
    assert printed(library, "Bates D (2004). Sparse matrix methods for mixed models. J. Things.").held


def test_a_long_subtitle_may_be_missing(tmp_path: Path) -> None:
    title = "Closing the gap between teams: how changes of what is displayed on screens affect how the players behave"
    with Library.open(tmp_path, create=True) as library:
        library.add_file("long", "long", [Document("long", title=title, year=2012, authors=("Ong, C.",))])
        entry = Reference("", title="Closing the gap between teams", year=2012, authors=("C. Ong",))
        assert cited(library, entry) == {"long"}


BOTH = "Davis T (2006). Direct Methods for Sparse Linear Systems. SIAM."


def paper(id_: str, *entries: str) -> Document:
    return Document(id_, sections=(Section("References", "\n\n".join(entries), "references"),))


def test_a_work_in_both_lists_is_shared_however_it_is_printed() -> None:
    one = paper("one", BOTH, "Bates D (2004). Linear mixed models and penalized least squares. J. Things.")
    other = paper("other", "[1] T. Davis, “Direct methods for sparse linear system,” in SIAM, 2006.")
    assert [reference.text for reference in shared_references(one, other)] == [BOTH]


def test_works_that_only_look_alike_are_not_shared() -> None:
    one = paper("one", "Andrews D, Monahan J (1992). An Improved Consistent Covariance Matrix Estimator. Econometrica.")
    other = paper("other", "Andrews D (1991). Consistent Covariance Matrix Estimation. Econometrica.")
    assert shared_references(one, other) == ()
    assert shared_references(other, one) == ()


def test_patents_are_shared_by_their_numbers() -> None:
    entry = Reference("US 5,123,456 A", identifiers=(Identifier("patent", "US5123456A"),))
    kindless = Reference("US 5123456", identifiers=(Identifier("patent", "US5123456"),))
    one, other = Document("a", "patent", references=(entry,)), Document("b", "patent", references=(kindless,))
    assert shared_references(one, other) == (entry,)


def test_a_document_without_a_list_shares_nothing() -> None:
    assert shared_references(paper("one", BOTH), Document("other")) == ()
    assert shared_references(Document("other"), paper("one", BOTH)) == ()


def test_a_cited_title_is_found_however_its_letters_are_written(tmp_path: Path) -> None:
    held = (
        Document("s", "paper", "Schrödinger operators on naïve graphs", year=2001, authors=("A. Lind",)),
        Document("c", "paper", "基于深度学习的医学图像分割方法研究", year=2020, authors=("王小明",)),
    )
    entries = (
        Reference(
            text="A. Lind. Schrodinger operators on naive graphs. 2001.",
            title="Schrodinger operators on naive graphs",
            year=2001,
            authors=("A. Lind",),
        ),
        Reference(
            text="王小明. 基于深度学习的医学图像分割方法研究. 2020.",
            title="基于深度学习的医学图像分割方法研究",
            year=2020,
            authors=("王小明",),
        ),
    )
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k", "n", held)
        assert set(find_citations(Document("q", "paper", "Q", references=entries), library).held) == {"s", "c"}
