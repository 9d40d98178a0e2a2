"""Words as they are searched: terms, pairs of letters, compounds and spellings."""

from __future__ import annotations

import pytest

from engine.documents.words import (
    compounds,
    in_stretches,
    in_two,
    names_something,
    other_spellings,
    phrase,
    plain,
    stretches,
    terms,
    words,
)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Schrödinger, naïve Kähler", "schrodinger naive kahler"),
        ("Łukasiewicz Ørsted Straße æther Đoković s\u0131", "lukasiewicz orsted strasse aether dokovic si"),
        ("İstanbul Việt Ελλάδα ёлка йод", "istanbul viet ελλαδα елка йод"),
        ("CO₂ CO2 CO$_2$ CO$_{2}$ CO_2 CO<sub>2</sub>", "co2 co2 co2 co2 co2 co2"),
        ("TiO₂ H_2O H<sub>2</sub>O Fe_2O_3 Ca²⁺", "tio2 h2o h2o fe2o3 ca2"),
        ("m² cm² cm<sup>2</sup> 10-20 days", "m2 cm2 cm2 days"),
        ("cm⁻¹ cm−1 cm^{-1} cm-1", "cm cm cm cm"),
        ("10⁻³ 10-3 10−3 10^{-3} 10<sup>-3</sup> 10^-3", " ".join(["10⁻³"] * 6)),
        ("alpha_1 x_1 page 210-5 c−c", "alpha x page c c"),
        ("ﬁlm µm \U0001d431yz", "film μm xyz"),
    ],
)
def test_writings_of_one_word_are_one_term(written: str, expected: str) -> None:
    assert terms(written) == expected.split()


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("机器学习", "机器 器学 学习 习"),
        ("深度learning模型", "深度 度 learning 模型 型"),
        ("ガラスが", "ガラ ラス スが が"),
        ("논문을 읽다", "논문 문을 을 읽다 다"),
        ("สีน้ำ", "สีน้ น้ำ ำ"),
        ("ភាសាខ្មែរ", "ភាសា សាខ្មែ ខ្មែរ រ"),
        ("COVID-19疫苗", "covid 疫苗 苗"),
        ("犬", "犬"),
    ],
)
def test_scripts_without_spaces_are_cut_into_pairs(written: str, expected: str) -> None:
    assert words(written) == expected.split()


def test_a_question_leaves_the_last_letter_of_a_run_out() -> None:
    assert terms("机器学习 犬", ends=False) == ["机器", "器学", "学习", "犬"]


def test_a_composed_letter_is_one_with_its_parts() -> None:
    assert plain("cafe\u0301") == plain("café") == "cafe"
    assert plain("か\u3099") == "が"


def test_a_phrase_may_go_on_and_a_lone_letter_begins_words() -> None:
    assert phrase("机器学") == (["机器", "器学"], False)
    assert phrase("犬") == (["犬"], True)
    assert phrase("heat pump") == (["heat", "pump"], False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A non-linear pump", ["nonlinear"]),
        ("a non linear pump", ["nonlinear"]),
        ("Non\u2011linear e-mail", ["nonlinear", "email"]),
        ("state-of-the-art, 3-4, T-1, under pressure, 学习-方法", []),
        ("non-small-cell", []),
    ],
)
def test_compounds_are_given_in_one_word(text: str, expected: list[str]) -> None:
    found = list(compounds(text))
    assert [one.solid for one in found] == expected
    assert [one.solid for one in compounds(text, terms(text))] == expected
    assert all(one.parted.replace("-", "") == one.solid and "-" in one.parted for one in found)


def test_a_prefix_that_is_no_word_stands_apart() -> None:
    assert in_two("nonlinear") == ("non", "linear")
    assert in_two("undertake") is None and in_two("linear") is None


def test_stretches_are_as_long_as_their_pairs_go_on() -> None:
    text = "基于机器学习的方法"
    assert [text[start:stop] for start, stop in stretches(text, {"机器", "器学", "学习", "方法"})] == [
        "机器学习",
        "方法",
    ]
    assert in_stretches(["机器", "器学", "heat"], text) == {"机器": "机器学", "器学": "机器学", "heat": "heat"}


@pytest.mark.parametrize(
    ("pair", "expected"), [("机器", True), ("的研", False), ("する", False), ("犬", False), ("pump", True)]
)
def test_a_pair_of_particles_names_nothing(pair: str, *, expected: bool) -> None:
    assert names_something(pair) is expected


@pytest.mark.parametrize(
    ("word", "other"), [("colour", "color"), ("grey", "gray"), ("organisation", "organization"), ("oedema", "edema")]
)
def test_british_and_american_spellings_lead_to_each_other(word: str, other: str) -> None:
    assert other in other_spellings(word) and word in other_spellings(other)


@pytest.mark.parametrize(("word", "other"), [("tier", "tire"), ("four", "for"), ("shoe", "she")])
def test_short_words_that_only_look_alike_are_left_alone(word: str, other: str) -> None:
    assert other not in other_spellings(word)


@pytest.mark.parametrize(
    "text",
    [
        "น้ำ ทำ การเรียนรู้",
        "ភាសាខ្មែរ",
        "ガラスが",
        "한국어",
        "机器学习 犬",
        "Ca²⁺ ½ ① Ⅳ naïve",
        "2x10^11 10⁻³m 2x10¹¹ m² 10³",
    ],
)
def test_a_term_is_its_own_term(text: str) -> None:
    for term in terms(text):
        assert terms(term, ends=False) == [term]
