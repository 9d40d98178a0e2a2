"""How a library's documents are found by words, over every store."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.documents import Document
from engine.library import Filters
from engine.library.store import Library
from tests.library.records import DOCUMENTS

WRITINGS = (
    ("schrodinger", "Schrödinger", "The Schrödinger equation"),
    ("naïve", "naive", "A naive classifier"),
    ("CO2", "CO₂", "Capture of CO<sub>2</sub> from air"),
    ("m²", "m2", "Per m<sup>2</sup> of ground"),
    ("nonlinear", "non-linear", "A non linear oscillator"),
    ("e-mail", "email", "Reading email at work"),
    ("colour", "color", "The color of glass"),
    ("organisation", "organization", "An organization of cells"),
    ("机器学习", "学习", "基于机器学习的图像分割"),
    ("癌", "肺癌", "早期肺癌"),
    ("学習", "機械学習", "機械学習による予測"),
    ("논문", "논문을", "논문은 길다"),
    ("เรียน", "การเรียน", "การเรียนรู้ของเครื่อง"),
)


class WordsContract:
    def test_within_limits_the_answer(self, worded: Library) -> None:
        assert [hit.id for hit in worded.keywords.search("kite wind", 5, within={"boats", "soups"})] == ["boats"]
        assert worded.keywords.search("kite wind", 5, within=[]) == []
        assert worded.keywords.search("kite wind", 5, within=["nowhere"]) == []

    def test_frequencies_count_documents(self, worded: Library) -> None:
        frequencies = worded.keywords.frequencies()
        assert (frequencies["kite"], frequencies["served"], frequencies.get("submarine", 0)) == (2, 2, 0)
        assert frequencies.documents == 5 and "kite" in frequencies and len(frequencies) == len(list(frequencies))

    def test_words_as_written_are_told_apart_beside_stems(self, worded: Library) -> None:
        """Frequencies and sentences that recur go by what stands there, whatever was asked by stems before."""
        worded.keywords.search("reels", 5, stemmed=True)
        assert (worded.keywords.frequencies()["reels"], worded.keywords.frequencies()["reel"]) == (
            1,
            1,
        )  # the title; the text
        assert worded.keywords.holding([("kite", "line"), ("kites", "line"), ("reel", "drum"), ()]) == [2, 1, 1, 0]

    def test_a_whole_document_finds_itself_first(self, worded: Library) -> None:
        for document in DOCUMENTS:
            assert worded.keywords.search(document.text, 3)[0].id == document.id

    def test_an_import_is_seen_at_once(self, worded: Library) -> None:
        assert worded.keywords.size == 5
        worded.add_file("k2", "more", [Document("subs", title="A submarine dives")])
        assert [hit.id for hit in worded.keywords.search("submarine", 3)] == ["subs"]
        assert worded.keywords.size == 6

    @pytest.mark.parametrize(
        "odd", ["naïve", "x\u2032y", "`quoted`", "a’b", "µm", "it's", "日本語", "\u017ftrange", 'say "kite"']
    )
    def test_odd_tokens_are_found_as_written_by_stems_and_in_titles(self, folder: Path, odd: str) -> None:
        with Library.open(folder, create=True) as worded:
            worded.add_file("k1", "odd", [Document("odd", title=f"{odd} thing"), *DOCUMENTS])
            assert worded.keywords.search(odd, 1)[0].id == "odd"
            assert worded.keywords.search(odd, 1, stemmed=True)[0].id == "odd"
            assert worded.title_matches(odd) == ["odd"]

    def test_a_title_is_looked_for_whatever_control_characters_are_typed(self, folder: Path) -> None:
        with Library.open(folder, create=True) as worded:
            worded.add_file("k1", "one", [Document("a", title="Steam valves")])
            assert worded.title_matches("steam\0 valv") == ["a"]
            assert worded.title_matches("\0") == []

    def test_terms_keep_their_numbers_from_file_to_file(self, folder: Path) -> None:
        with Library.open(folder, create=True) as worded:
            worded.add_file("one", "one", [Document("1", title="soup noodles")])
            worded.add_file("two", "two", [Document("2", title="noodles kites"), Document("3", title="kites soup")])
            with worded._database.read() as connection:
                assert connection.execute("SELECT number, term FROM terms ORDER BY number").fetchall() == [
                    (0, "soup"),
                    (1, "noodles"),
                    (2, "kites"),
                ]
            assert [hit.id for hit in worded.keywords.search("kites", 5)] == ["2", "3"]

    def test_titles_with_all_words_of_one_group_are_found(self, folder: Path) -> None:
        papers = (
            Document("a", title="Steam valves of boats", year=1890, abstract="kites"),
            Document("b", "patent", title="Steam pumps"),
            Document("c", title='A "kite"'),
        )
        with Library.open(folder, create=True) as worded:
            worded.add_file("k1", "three", papers)
            found = worded.titled([["steam", "boats"], ["kite"]], 9)
            assert [(one.id, one.kind, one.title, one.year) for one in found] == [
                ("a", "paper", "Steam valves of boats", 1890),
                ("c", "paper", 'A "kite"', None),
            ]
            assert len(worded.titled([["steam"]], 1)) == 1
            assert worded.titled([["kites"]], 9) == []  # an abstract is not searched
            assert worded.titled([], 9) == worded.titled([[]], 9) == []

    def test_a_line_finds_a_word_however_it_is_written(self, folder: Path) -> None:
        spelt = {"colour", "organisation"}  # a line is an expert's, who writes (colour OR color)
        with Library.open(folder, create=True) as library:
            library.add_file("k", "n", [Document(title, "paper", title) for _, _, title in WRITINGS])
            for one, other, title in WRITINGS:
                for asked in (one, other, f"title:{one}", f'"{other}"', f"{one} near/3 {other}"):
                    if one not in spelt and other != "논문을":
                        assert title in library.ids(Filters(lines=(asked,))), asked
            assert library.ids(Filters(lines=("colour",))) == []
            assert library.ids(Filters(lines=("机器图像",))) == []
            assert library.title_matches("schrodinger equ") == ["The Schrödinger equation"]

    def test_a_line_finds_a_compound_in_one_word_and_in_two(self, folder: Path) -> None:
        titles = (
            "Sorting e-mail by hand",
            "Sorting email by hand",
            "On-line wave-lengths",
            "Online wavelengths",
            "The males",
        )
        therapist = "The rapist of a play"
        with Library.open(folder, create=True) as library:
            library.add_file("k", "n", [Document(title, "paper", title) for title in (*titles, therapist)])
            for asked, found in {
                "email": titles[:2],
                "e-mail": titles[:2],
                "EMAIL*": titles[:2],
                "title:email NOT online": titles[:2],
                '"sorting email by"': titles[:2],
                '"sorting e-mail by"': titles[:2],
                "sorting near/1 email": titles[:2],
                '"online wavelengths"': titles[2:4],
                '"on-line wavelengths"': titles[2:4],
                "wave-lengths online": titles[2:4],
                "therapist": (),
                "NOT email": (*titles[2:], therapist),
            }.items():
                assert library.ids(Filters(lines=(asked,))) == list(found), asked
                assert library.count(Filters(lines=(asked,))) == len(found)
            assert all(
                map(library.keywords.holds, ("email", "e-mail", "online", "on-line", "wavelength", "wave-length"))
            )
            assert not library.keywords.holds("therapist")
