"""Tokens, sentences, chunks and titles of a text, and passages that cite."""

from __future__ import annotations

import numpy as np
import pytest

from engine.documents import Document, text
from engine.documents.questions import citing_sentences, is_citing_passage, is_short
from engine.documents.text import lowered, most_frequent, plain_venue, raised, trigrams
from engine.reading.arxiv import venue_of


def pieces(source: str) -> list[str]:
    return [source[span.start : span.stop] for span in text.sentences(source)]


def test_ligatures_are_spelt_out() -> None:
    assert text.clean("e\ufb03cient \ufb02ow of \ufb01ne \ufb00 \ufb06ones") == "efficient flow of fine ff stones"


def test_letters_are_composed_and_lines_ended_one_way() -> None:
    assert text.clean("Mu\u0308ller\r\nx\u00b2") == "Müller\nx\u00b2"  # a power stays one
    assert text.one_line(" a\u200bb\n c\x00 \U000e0041") == "ab c"


def test_a_superscript_is_marked_where_it_would_change_a_number() -> None:
    given = [
        ("0", "5"),
        ("0", "−3"),
        ("s", "-1"),
        ("1", "st"),
        ("m", "2"),
        ("a", "2+"),
        ("4", "2-"),
        ("", "13"),
        ("0", " 5 "),
    ]
    assert [raised(*one) for one in given] == ["^5", "^−3", "^-1", "st", "2", "2+", "^2-", "13", "^5"]
    assert [lowered(*one) for one in (("1", "2"), ("H", "2"), ("1", "a"), ("", "2"))] == ["_2", "2", "a", "2"]


def test_tokens_follow_the_five_steps_of_ctpe() -> None:
    assert text.tokens("A&amp;B <b>X-ray</b> at 3.5 GHz; CO2") == ["a", "b", "x", "ray", "at", "ghz", "co2"]


def test_signs_of_comparison_are_no_tags() -> None:
    source = "It fell (P < 0.05) in neonates (n > 30); a<b, c>d, <unk>-free <a href='x.org/?q=1'>links</a><!-- no -->"
    assert text.tokens(source) == ["it", "fell", "p", "in", "neonates", "n", "a", "b", "c", "d", "free", "links"]
    assert text.without_tags("H<sub>2</sub>O <br/>is < air", gap="") == "H2O is < air"


def test_many_open_brackets_are_read_in_time_of_their_length() -> None:
    assert text.tokens("<a " * 50_000 + "<!-- " * 50_000 + "<a b=" * 50_000) == ["a"] * 50_000 + ["a", "b"] * 50_000


def test_marks_are_told_however_they_are_written() -> None:
    source = "“Quoted” transformers—a survey… of ‘edge–cloud users’ don’t «voilà»\uff0c深层。学习"
    wanted = [
        "quoted",
        "transformers",
        "a",
        "survey",
        "of",
        "edge",
        "cloud",
        "users'",
        "don't",
        "voilà",
        "深层",
        "学习",
    ]
    assert text.tokens(source) == wanted


def test_a_token_needs_a_letter() -> None:
    assert text.tokens("1995 — 42 § 3d ß") == ["3d", "ß"]


def test_no_text_gives_no_tokens() -> None:
    assert text.tokens("") == []
    assert text.tokens(" .,; 12 ") == []


def test_tags_go_before_entities_are_unescaped() -> None:
    assert text.tokens("&lt;b&gt; stays") == ["b", "stays"]


def test_content_tokens_leave_function_words_out() -> None:
    assert text.content_tokens("The coupling of a car is in the frame") == ["coupling", "car", "frame"]


def test_the_forms_of_a_word_meet_in_its_stem() -> None:
    assert (
        text.stems(["filter", "filters", "filtered", "filtering", "kite's", "kites"]) == ["filter"] * 4 + ["kite"] * 2
    )
    assert text.stems(["日本語", "µm", "3d", "news"]) == ["日本語", "µm", "3d", "news"]
    assert text.stems([]) == []


def test_sentences_end_at_punctuation_and_not_at_abbreviations() -> None:
    source = (
        'We follow Smith et al. (2010), Fig. 3. The value is 3.5 mm. Is it? Yes!\n\nNext part. J. Ohm said "so." Then'
    )
    assert pieces(source) == [
        "We follow Smith et al. (2010), Fig. 3.",
        "The value is 3.5 mm.",
        "Is it?",
        "Yes!",
        "Next part.",
        'J. Ohm said "so."',
        "Then",
    ]


@pytest.mark.parametrize(
    "whole",
    [
        "1.00 Fig. 2 shows the rod.",
        "The rods (Figs. 2 and 3) turn in FIG. 4 and in Fig. S2.",
        "See No. 5, Nos. 4,530,451 and U.S. Pat. Nos. 4 and 5, or Patent No. DE 12.",
        "Benefit is claimed under 35 U.S.C. Section 119 and P.C.T. Article 8.",
        "Some words, e.g. Nouns, i.e. Names, cf. Smith, vs. Verbs, resp. Both.",
        "At ca. 15 or approx. 20 by Eq. 3, Eqs. (4) and Ref. [5], Refs. 6, Sec. IV, Tab. 2, ex. 7.",
        "By Dr. Ray of Ohm Inc. Boston, Prof. Watt of St. Mary, J. R. Smith et al. Berlin.",
        "Lactobacillus sp. KCP01, Zizania spp. (wild rice), O. sativa var. Rama, subsp. Indica, cv. Sumai.",
        "See vol. 3, pp. 12, J. Biol. Chem. Letters 7, filed Nov. 4 with Ohm Ltd. Leeds and Ray Co. Ely.",
        "U.S. Pat. No. 4 530 451 shows a lid.",
        "It met in NANTES, AUG. 23-28, 1992.",
    ],
)
def test_a_sentence_goes_on_after_an_abbreviation(whole: str) -> None:
    assert pieces(whole) == [whole]
    assert pieces(f"Before it.\n\n{whole}\n\nAfter it.") == ["Before it.", whole, "After it."]
    assert pieces(f"Before it. {whole} After it.") == ["Before it.", whole, "After it."]


def test_the_letters_of_a_list_end_no_sentence() -> None:
    assert pieces("Bars: a. Thalos, b. Athos.\n\nc. Porthos is the third.") == [
        "Bars: a. Thalos, b. Athos.",
        "c. Porthos is the third.",
    ]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("It was done by Smith et al.", "The rest is new."),
        ("Nails, screws etc.", "These hold it."),
        ("It is sold in the U.S.", "In Europe it is not."),
        ("It was kept for 24 h.", "Likewise the rest."),
        ("Let it be of length n.", "We cut it."),
        ("The answer is no.", "Then it stops."),
        ("It holds between A and B.", "This is new."),
        ("Masses came by GC-MS.", "Black lines are peaks."),
        ("We look at statistical MT.", "Some systems learn."),
        ("It won a prize in San Francisco, CA.", "Vincent Ng spoke."),
    ],
)
def test_a_sentence_ends_at_what_only_looks_abbreviated(first: str, second: str) -> None:
    assert pieces(f"{first} {second}") == [first, second]


@pytest.mark.parametrize("run", [".", "!", "?!", ".)", '."'])
def test_runs_of_full_stops_are_read_in_time_of_their_length(run: str) -> None:
    assert len(text.sentences(f"A title {run * 200_000}x")) == 1
    assert pieces("Wait... What?! Yes.) No") == ["Wait...", "What?!", "Yes.)", "No"]


def test_sentences_of_nothing() -> None:
    assert text.sentences("") == []
    assert text.sentences(" \n\n ") == []


def test_chunks_hold_every_word_once() -> None:
    source = "one two  three\nfour five"
    spans = text.chunks(source, 2)
    assert [source[span.start : span.stop] for span in spans] == ["one two", "three\nfour", "five"]


def test_chunks_need_room_for_a_word() -> None:
    with pytest.raises(ValueError, match="max_tokens must be at least 1, got 0"):
        text.chunks("word", 0)


def test_titles_are_compared_without_case_markup_and_punctuation() -> None:
    assert text.normalised_title("  A <i>Deep</i>-Learning&nbsp;Approach: Part 2.") == "a deep learning approach part 2"
    one, other = "Stability for alpha < 1 of Runge methods when n > 2", "Stability for alpha < 0.5 of steps when n > 2"
    assert text.normalised_title(one) != text.normalised_title(other)


HOSTILE = [
    "plain words, one after the other; state-of-the-art.",
    "a < b and c > d, then <a href='x y z'> linked </a> words &amp; more &lt;b&gt; words",
    "an open < bracket with no end " + "and many words " * 50,
    "<p class='a b c'><i title='d e'>nested tags</i></p> " * 40,
    "one<" + "long tag " * 60 + ">two three",
    "Ὀδυσσεύς ΟΔΥΣΣΕΥΣ ΣΑΣ λόγος " * 20,
    "漢字だけの文章です。" * 60,
    "123 456 7.89 -- !!",
    "",
    "   \n\n  ",
    "word" * 500,
    "&nbsp;&#8212;x&thinsp;y &amp;nbsp z " * 30,
]


@pytest.mark.parametrize("source", HOSTILE)
@pytest.mark.parametrize("characters", [1, 7, 64, 2000])
def test_the_tokens_of_the_stretches_are_those_of_the_text(source: str, characters: int) -> None:
    found = list(text.stretches(source, characters))
    assert "".join(found) == source
    assert [token for piece in found for token in text.tokens(piece)] == text.tokens(source)


@pytest.mark.parametrize("source", HOSTILE)
@pytest.mark.parametrize("count", [1, 3, 1000])
def test_the_first_tokens_are_the_texts_first(source: str, count: int) -> None:
    assert text.first_tokens(source, count) == text.tokens(source)[:count]


def test_what_stands_behind_the_first_tokens_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def watched(source: str) -> list[str]:
        read.append(len(source))
        return source.split()

    monkeypatch.setattr(text, "tokens", watched)
    assert len(text.first_tokens("word " * 50_000, 200)) == 200
    assert sum(read) < 5_000


def test_random_texts_of_brackets_and_words_lose_no_token() -> None:
    generator = np.random.default_rng(7)
    signs = np.array(list("ab <>&; \n-"))
    for _ in range(300):
        source = "".join(generator.choice(signs, 60))
        found = text.stretches(source, int(generator.integers(1, 20)))
        assert [token for piece in found for token in text.tokens(piece)] == text.tokens(source)


@pytest.mark.parametrize(
    ("plural", "expected"),
    [
        *(("valves", "valve"), ("bodies", "body"), ("boxes", "box"), ("classes", "class"), ("branches", "branch")),
        *(
            ("analysis", "analysis"),
            ("apparatus", "apparatus"),
            ("glass", "glass"),
            ("gas", "gas"),
            ("phases", "phase"),
        ),
    ],
)
def test_singular(plural: str, expected: str) -> None:
    assert text.singular(plural) == expected


@pytest.mark.parametrize(
    ("count", "noun", "expected"),
    [(1, "page", "1 page"), (0, "page", "0 pages"), (2_000, "entry", "2,000 entries"), (2, "day", "2 days")],
)
def test_a_count_agrees_with_its_noun(count: int, noun: str, expected: str) -> None:
    assert text.how_many(count, noun) == expected


def test_accents_are_taken_off() -> None:
    assert text.without_accents("Hernández, Łukasz, ﬁn, Ångström") == "Hernandez, Lukasz, fin, Angstrom"


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        (r"Int.\ J.\ Mod.\ Phys.", "Int. J. Mod. Phys."),
        (r"S\'eminaire Lotharingien de Combinatoire", "Séminaire Lotharingien de Combinatoire"),
        (r"{\"O}fversigt af Societetens F{\"o}rhandlingar", "Öfversigt af Societetens Förhandlingar"),
        (r"Bulletin des Sciences Math\'{e}matiques", "Bulletin des Sciences Mathématiques"),
        (r"Journal de l{\textquoteright}\'Ecole {\textemdash} Math\'ematiques", "Journal de l’École — Mathématiques"),
        (r"Numerical Analysis \& Modeling", "Numerical Analysis & Modeling"),
        (r"RIMS K\^oky\^uroku", "RIMS Kôkyûroku"),
        (r"Phys. Rev. Lett. {\bf", "Phys. Rev. Lett."),
        (r"Fran\c{c}ais de l'\'etat na\"{\i}f, \v Sarov, \L \'od\'z", "Français de l'état naïf, Šarov, Łódź"),
        (r"Proc.~Natl.\ Acad.", "Proc. Natl. Acad."),
        ("Spacetime $ Substance ~ Journal", "Spacetime $ Substance ~ Journal"),
        (r"\\", ""),
    ],
)  # fmt: skip
def test_a_name_with_tex_becomes_plain_text(given: str, plain: str) -> None:
    assert plain_venue(given) == plain
    assert plain_venue(plain) == plain
    assert Document("x", venue=given).venue == plain


def test_a_journal_reference_with_tex_gives_the_whole_name() -> None:
    assert venue_of(r"Int.\ J.\ Geom.\ Methods Mod.\ Phys. 12 (2015) 1550075") == "Int. J. Geom. Methods Mod. Phys."
    assert venue_of(r"Phys. Rev. Lett. {\bf 88}, 138702 (2002)") == "Phys. Rev. Lett."


def test_trigrams_stand_between_marks() -> None:
    assert trigrams("boy") == ["#bo", "boy", "oy#"]
    assert trigrams("a") == ["#a#"]
    assert trigrams("anana") == ["#an", "ana", "nan", "ana", "na#"]


def test_the_most_frequent_come_first_and_equals_by_the_alphabet() -> None:
    assert most_frequent({"b": 2, "a": 2, "c": 5, "d": 1}, 3) == ("c", "a", "b")
    assert most_frequent({"b": 2}, 3) == ("b",)


CITING = [
    "Walks on graphs mix fast [3], as was shown for expanders.",
    "Mixing was shown for expanders [12, 13] and later for trees [4-6].",
    "Mixing was shown for expanders (Alder and Birch, 2010; Cedar 2011a).",
    "Mixing was shown for expanders (see Alder et al., 2010).",
    "As Alder (2010) shows, walks on expanders mix fast.",
    "As Alder et al. 2010 show, walks on expanders mix fast.",
    "Mixing was shown for expanders [Alder 2010].",
]
NOT_CITING = [
    "Walks whose rate lies in [0, 1] mix fast.",
    "How fast do walks on expanders mix?",
    "Walks on graphs (since 2010 called lazy) mix fast.",
    "An array a[i] holds the 2010 values (in metres).",
    "It opened in 2010 (and closed in 2011).",
]


@pytest.mark.parametrize("text", CITING)
def test_a_question_with_marks_of_citation_is_a_passage_that_cites(text: str) -> None:
    assert is_citing_passage(Document("q", "query", abstract=text))


@pytest.mark.parametrize("text", NOT_CITING)
def test_other_brackets_and_years_are_none(text: str) -> None:
    assert not is_citing_passage(Document("q", "query", abstract=text))


@pytest.mark.parametrize("kind", ["paper", "patent"])
def test_a_document_that_cites_is_no_passage(kind: str) -> None:
    assert not is_citing_passage(Document("d", "paper" if kind == "paper" else "patent", abstract=CITING[0]))


def test_a_long_text_is_told_in_time_that_grows_with_it() -> None:
    assert not is_citing_passage(Document("q", "query", abstract="(A" + " Aa, (" * 50_000))


def test_sentences_that_cite_are_those_with_a_mark() -> None:
    text = "Walks mix fast. Expanders were shown to mix [3]. Trees mix slowly (Alder, 2010)! Nothing else."
    asked = Document("q", "query", title="Mixing (Birch, 2011)", abstract=text)
    expected = ["Mixing (Birch, 2011)", "Expanders were shown to mix [3].", "Trees mix slowly (Alder, 2010)!"]
    assert citing_sentences(asked) == expected
    assert citing_sentences(Document("q", "query", abstract="Walks mix fast.")) == []
    assert citing_sentences(Document("d", "paper", abstract=text)) == []


def test_a_text_of_fewer_than_forty_tokens_is_short() -> None:
    short, long = (Document("q", abstract="word " * count) for count in (39, 40))
    assert is_short(short) and not is_short(long)
    assert is_short(long, below_tokens=41) and not is_short(Document("q", title="", abstract=" "), below_tokens=0)
