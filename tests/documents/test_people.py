"""Names are told from institutions and prose, lists of them are split, and one name is compared with another."""

from __future__ import annotations

import re
import time

import pytest

from engine.documents.people import (
    AND,
    DEGREE,
    GENERATION,
    INITIALS,
    OTHERS,
    PARTICLE,
    TITLE,
    PersonName,
    has_address,
    is_about_authors,
    is_name,
    is_names,
    is_place,
    name_parts,
    name_words,
    names_in,
    natural_name,
    split_byline,
    split_glued,
    split_names,
    surnames,
)

SIZE = 100_000


@pytest.mark.parametrize(
    ("piece", "fits", "others"),
    [
        (INITIALS, "A|A.|AB|A.B.|A. B.|J.-P.|J-P|Å. Ö.|И. П.", "Ada|a.|A,B"),
        (PARTICLE, "van|von|de|der|den|di|da|dos|du|la|el|al|bin|ter|zu|af|della|y|’t", "Van|the|of"),
        (GENERATION, "Jr|jr|Sr|II|iii|IV|2nd|3rd", "I|V|Junior"),
        (TITLE, "Dr|DR|Prof|Professor|Mr|Mrs|Ms|Sir|Ing|Dipl", "Ada|M"),
        (DEGREE, "PhD|Ph.D|Ph. D|MD|M.D|MSc|M.Sc|BSc|MPH|MBA|DPhil|FRS|Esq", "MA|BA|M. D|M"),
        (OTHERS, "et al|et al.|et. al.|others|and others", "al|etal"),
        (AND, "and|und|et|och|og", "e|y|i|or"),
    ],
)
def test_the_pieces_of_patterns(piece: str, fits: str, others: str) -> None:
    assert [one for one in fits.split("|") if not re.fullmatch(piece, one)] == []
    assert [one for one in others.split("|") if re.fullmatch(piece, one)] == []


@pytest.mark.parametrize(
    "text",
    [
        "Ada Lind",
        "A. Lind",
        "Ada B. Lind",
        "J. K. O'Neill",
        "J.-P. Noël",
        "Jean-Paul Émile Noël",
        "Laurens van der Maaten",
        "Ludwig von Beethoven",
        "José Ortega y Gasset",
        "Ana della Torre",
        "Jean d’Alembert",
        "Bo Ek Jr.",
        "Bo Ek III",
        "Иван Петров",
        "王伟",
        "李小明",
        "山田 太郎",
        "김민수",
    ],
)
def test_a_persons_name(text: str) -> None:
    assert is_name(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Lind",
        "A. B.",
        "Lids of kettles",
        "Pools Lose Their Warmth quickly",
        "We boil kettles",
        "Lid University",
        "Universität Lund",
        "Technische Hochschule",
        "Department of Lids",
        "Kettle Research",
        "Lid Labs",
        "Hill Street",
        "Lid Foundation",
        "ada@lid.example",
        "Ada Lind 12",
        "Ada Lind (Ed.)",
        "Anonymous Authors",
        "Ada Bo Cy Di Eva Fox Gun",
        "Ada " + "L" * 60,
        "水壶很安静，盖子很安静。",
    ],
)
def test_another_text_is_no_persons_name(text: str) -> None:
    assert not is_name(text)


@pytest.mark.parametrize("text", ["john Smith", "Md. rahman", "محمد علي", "Ada Bo Cy Di Eva Fox", "Research and Lids"])
def test_names_may_look_otherwise_where_a_place_is_sure_to_name_people(text: str) -> None:
    assert is_name(text, sure=True) == ("Research" not in text)
    assert not is_name(text)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Ada Moor1*, Ben K. Strand2 and Eva Fox1", ["Ada Moor", "Ben K. Strand", "Eva Fox"]),
        ("Ada Moor a,*, Ben K. Strand b", ["Ada Moor", "Ben K. Strand"]),
        ("Ada Moor,1 Ben K. Strand,2", ["Ada Moor", "Ben K. Strand"]),
        ("Ada Moor1 | Ben K. Strand2", ["Ada Moor", "Ben K. Strand"]),
        ("Ada Moor¹, Ben Strand²,³ & Eva Fox¹⁰", ["Ada Moor", "Ben Strand", "Eva Fox"]),
        ("Ada Moor, Ben Strand und Eva Fox", ["Ada Moor", "Ben Strand", "Eva Fox"]),
        ("Ada Moor; Ben Strand • Eva Fox", ["Ada Moor", "Ben Strand", "Eva Fox"]),
        ("Ada Moor e Ben Strand", ["Ada Moor", "Ben Strand"]),
        ("José Ortega y Gasset, Ana Ruiz", ["José Ortega y Gasset", "Ana Ruiz"]),
        ("Maria E Lopez Garcia, E Strand", ["Maria E Lopez Garcia", "E Strand"]),
        ("Dr. Ada Moor, PhD, Ben K. Strand, MD, Member, IEEE", ["Ada Moor", "Ben K. Strand"]),
        ("Prof. Dr. rer. nat. Ada Moor and Dipl.-Ing. Ben Strand", ["Ada Moor", "Ben Strand"]),
        ("Ada Moor, M.Sc. MBA, Ben Strand, Graduate Student Member, IEEE", ["Ada Moor", "Ben Strand"]),
        ("Ada Moor, Jr., and Ben Strand, III", ["Ada Moor Jr.", "Ben Strand III"]),
        ("by Ada Moor and Ben A.", ["Ada Moor", "Ben A."]),
        ("Ada Moor (Lund), Ben Strand [0000-0001-2345-678X]", ["Ada Moor", "Ben Strand"]),
        ("1st Ada Moor", ["Ada Moor"]),
        ("张伟，李娜、王芳", ["张伟", "李娜", "王芳"]),
        ("Ada Moor, Lid University", ["Ada Moor", "Lid University"]),
        (" , and 1,*", []),
    ],
)
def test_a_byline_is_split(text: str, pieces: list[str]) -> None:
    assert split_byline(text) == pieces


@pytest.mark.parametrize(
    "text",
    [
        "Ada Lind, Bo Ek and Kurt Gödel",
        "by Ada Lind",
        "Ada Lind*1, Ludwig van Beethoven2 & J. K. O'Neill†",
        "Åse Östby und Émile Noël",
        "Ada Lind, Bo Ek, Lid University",
    ],
)
def test_a_list_of_names(text: str) -> None:
    assert is_names(text)
    assert is_about_authors(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ada Lind",
        "Quiet lids of kettles",
        "",
        "by",
        "Lid University, Ada Lind",
        "Ada Lind, " * 100 + "Bo Ek",
        "水壶，盖子",
    ],
)
def test_what_is_no_list_of_names(text: str) -> None:
    assert not is_names(text)


@pytest.mark.parametrize(
    "block",
    [
        "Department of Lids,\nTown 12",
        "ada@lids.example",
        "Received 3 May 2020",
        "Institut, Universität Town",
        "Universidad de Town",
        "北京大学，北京",
    ],
)
def test_a_place_or_an_address_is_about_authors(block: str) -> None:
    assert is_about_authors(block)


@pytest.mark.parametrize(
    "block",
    [
        "We boil kettles in the kitchen.",
        "The university boils kettles.",
        "We wrote to a@lids.example for it. They sent the lids.",
        "university " * 61,
    ],
)
def test_prose_is_not_about_authors(block: str) -> None:
    assert not is_about_authors(block)


def test_a_line_with_an_institution_or_an_address() -> None:
    assert all(
        map(has_address, ("The university boils kettles.", "ada@lid.example", "株式会社", "Accepted 3 May 2020"))
    )
    assert not has_address("Research in hospitals")
    assert is_place("Kettle Research") and is_place("Lid School, Lund") and is_place("www.lid.example")
    assert not is_place("Ada Lind") and not is_place("Jonathan Schooler")


def test_a_long_line_of_names_costs_no_more_than_its_length() -> None:
    assert not is_about_authors("Aa " * 55 + "!")


def test_names_are_read_from_lists_of_names_alone() -> None:
    listed = ["Ada Lind1 [0000-0001-2345-6789], Ludwig van Beethoven2,* and Bo Ek†", "Lid Lab, Town 12", "by Åse Östby"]
    assert names_in(listed) == ("Ada Lind", "Ludwig van Beethoven", "Bo Ek", "Åse Östby")


@pytest.mark.parametrize(
    ("block", "names"),
    [
        ("Ada Lind (Institute of Knots)", ("Ada Lind",)),
        ("By Ada Lind (University of Somewhere Far Away, Department of Knots and Splices, Town)", ("Ada Lind",)),
        ("Written by Ada Lind", ("Ada Lind",)),
        ("Authors: Ada Lind, Bo Ek", ("Ada Lind", "Bo Ek")),
        ("Ada Lind (Institute of Knots) Bo Ek (Other)", ("Ada Lind", "Bo Ek")),
        ("Ada Lind, Institute of Knots\nBo Ek, University of Ropes", ("Ada Lind", "Bo Ek")),
        ("Ada Lind - Institute of Knots", ("Ada Lind",)),
        ("Ada Lind, Carl\nGustav Holm", ("Ada Lind", "Carl Gustav Holm")),
        ("Knots and Ropes (Second Part)", ()),
        ("Ada Lind (born 1970)", ()),
    ],
)
def test_names_beside_their_places(block: str, names: tuple[str, ...]) -> None:
    assert names_in([block]) == names


def test_raised_figures_behind_names_are_notes() -> None:
    assert names_in(["Ada Lind¹, Bo Vik²,³ and Cleo Adu¹⁰"]) == ("Ada Lind", "Bo Vik", "Cleo Adu")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Lind A, Ek B.", ["Lind A", "Ek B"]),
        ("Lind A., Ek B.", ["Lind A.", "Ek B."]),
        ("Ada Lind, Bo Ek", ["Ada Lind", "Bo Ek"]),
        ("Ada Lind, Bo Ek, and Cy Berg", ["Ada Lind", "Bo Ek", "Cy Berg"]),
        ("Ada Lind and Bo Ek", ["Ada Lind", "Bo Ek"]),
        ("Lind, Ada and Ek, Bo", ["Lind, Ada", "Ek, Bo"]),
        ("Lind, Ada", ["Lind, Ada"]),
        ("van der Berg, Cy", ["van der Berg, Cy"]),
        ("Lind, A., Ek, B.", ["Lind, A.", "Ek, B."]),
        ("Lind, Jr., Ada", ["Lind, Jr., Ada"]),
        ("Ada Lind, Jr., Bo Ek", ["Ada Lind, Jr.", "Bo Ek"]),
        ("Lind, Ada (57190000001); Ek, Bo (57190000002)", ["Lind, Ada", "Ek, Bo"]),
        ("Lind, Ada;;Ek, Bo", ["Lind, Ada", "Ek, Bo"]),
        ("Ada Lind|Bo Ek", ["Ada Lind", "Bo Ek"]),
        ("Ada Lind\nBo Ek", ["Ada Lind", "Bo Ek"]),
        ("A Lind, B Ek, ...", ["A Lind", "B Ek"]),
        ("A Lind, B Ek...", ["A Lind", "B Ek"]),
        ("A Lind, B Ek, et al.", ["A Lind", "B Ek"]),
        ("Research & Development Group", ["Research & Development Group"]),
        ("王小明, 李四", ["王小明", "李四"]),
        ("van der Berg, Jan Peter", ["van der Berg, Jan Peter"]),
        ("Lovelace, Ada and van der Berg, Jan Peter", ["Lovelace, Ada", "van der Berg, Jan Peter"]),
        ("Lind, M.D., Ek, B.", ["Lind, M.D.", "Ek, B."]),
        ("Ada Lind, MD, Bo Ek, PhD", ["Ada Lind, MD", "Bo Ek, PhD"]),
        ("Shum, SIMON", ["Shum, SIMON"]),
        ("Buckingham Shum, Simon", ["Buckingham Shum, Simon"]),
        ("Ada Lind & Bo Ek", ["Ada Lind", "Bo Ek"]),
        ("Ada Lind und Bo Ek", ["Ada Lind", "Bo Ek"]),
        ("Ada Lind and others", ["Ada Lind"]),
        ("", []),
    ],
)
def test_names_in_a_text(text: str, names: list[str]) -> None:
    assert split_names(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ada LindBo EkCy van Berg", ["Ada Lind", "Bo Ek", "Cy van Berg"]),
        ("Ann McDonaldBo-Yi Li", ["Ann McDonald", "Bo-Yi Li"]),
        ("Ada Lind", ["Ada Lind"]),
        ("Ada Lind; Bo Ek", ["Ada Lind", "Bo Ek"]),
    ],
)
def test_names_that_stand_without_a_mark_between(text: str, names: list[str]) -> None:
    assert split_glued(text) == names


@pytest.mark.parametrize(
    "piece",
    [
        " ",
        ",",
        " and ",
        "e e ",
        "1st",
        "Dr. ",
        "(a",
        ". ",
        "A.",
        "A, ",
        "(1234",
        "aB",
        " & ",
        "あ,",
        "Jr,",
        " …",
        "et al ",
    ],
)
def test_hostile_lists_cost_no_more_than_their_length(piece: str) -> None:
    begun = time.process_time()
    split_names(piece * (SIZE // len(piece)))
    split_glued(piece * (SIZE // len(piece)))
    split_byline(piece * (SIZE // len(piece)))
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Osei, Mara", "Mara Osei"),
        ("Mara Osei", "Mara Osei"),
        ("Osei, M.", "M. Osei"),
        ("Osei, I.", "I. Osei"),
        ("van der Berg, Jan P.", "Jan P. van der Berg"),
        ("King, Martin, Jr.", "Martin King Jr."),
        ("King, Jr., Martin", "Martin King Jr."),
        ("King, Jr.", "King, Jr."),
        ("Mara Osei, PhD", "Mara Osei, PhD"),
        ("Osei, et al.", "Osei, et al."),
        ("Mara Osei, and Bo Ek", "Mara Osei, and Bo Ek"),
        ("Osei, Mara, Lund", "Osei, Mara, Lund"),
    ],
)
def test_a_name_in_the_order_of_speech(name: str, expected: str) -> None:
    assert natural_name(name) == expected


def test_the_parts_of_a_name() -> None:
    assert name_parts("KING, MARTIN, DR., JR.") == ("KING", ["MARTIN", "DR."], ["JR."])
    assert name_parts("Martin King") == ("Martin King", [], [])


@pytest.mark.parametrize(
    ("name", "surname"),
    [
        ("Ada Lind", "lind"),
        ("Lind, Ada", "lind"),
        ("A. B. Lind", "lind"),
        ("Lind AB", "lind"),
        ("Lind A. B.", "lind"),
        ("Ada Lind Jr.", "lind"),
        ("Ada Lind III", "lind"),
        ("Laurens van der Maaten", "maaten"),
        ("Kurt Gödel", "godel"),
        ("ADA LIND", "lind"),
        ("王伟", "王伟"),
        ("", ""),
    ],
)
def test_a_surname(name: str, surname: str) -> None:
    assert surnames([name]) == ({surname} if surname else set())


def test_the_words_of_a_name() -> None:
    assert name_words("Jean-Paul O'Neil, É.") == ["jean", "paul", "o", "neil", "e"]


@pytest.mark.parametrize(
    ("typed", "surname", "given"),
    [
        ("Pang, B.", ["pang"], ["b"]),
        ("B. Pang", ["pang"], ["b"]),
        ("Pang BL", ["pang"], ["b", "l"]),
        ("Manning, C.D.", ["manning"], ["c", "d"]),
        ("Manning et al.", ["manning"], []),
        ("van der Maaten, Laurens", ["van", "der", "maaten"], ["laurens"]),
        ("O’Neil, J.-P.", ["o", "neil"], ["j", "p"]),
    ],
)
def test_a_typed_name(typed: str, surname: list[str], given: list[str]) -> None:
    name = PersonName.read(typed)
    assert name is not None
    assert (list(name.surname), list(name.given), name.is_written) == (surname, given, True)


@pytest.mark.parametrize(
    ("typed", "name", "fits"),
    [
        ("Manning, C.", "Christopher Manning", True),
        ("Christopher Manning", "Manning, C. D.", True),
        ("Manning, Ada", "Manning, Christopher", False),
        ("Christopher Manning", "B. C. Manning", False),
        ("c manning", "Christopher Manning", False),
        ("Ana Hernandez", "Hernández, Ana", True),
    ],
)
def test_a_typed_name_fits_a_written_one(typed: str, name: str, fits: bool) -> None:
    person = PersonName.read(typed)
    assert person is not None
    assert person.fits(name) == fits
