"""Headings of plain text, by their words, their numbers and their look."""

from __future__ import annotations

import time

import pytest

from engine.documents import Section
from engine.reading.dispatch import read_bytes, read_text
from engine.reading.text.headings import apart, counted, marked
from tests.reading.text.titles import titles


@pytest.mark.parametrize(
    ("heading", "number", "title"),
    [
        ("2.1. Method", "2.1", "Method"),
        ("IV. METHOD", "IV", "METHOD"),
        ("Chapter 3 Lids", "3", "Lids"),
        ("Глава 2. Метод", "2", "Метод"),
        ("一、引言", "一", "引言"),
        ("第2章 方法", "2", "方法"),
        ("第三章　实验", "三", "实验"),
        ("（二）材料", "（二", "材料"),
        ("1.2 材料", "1.2", "材料"),
        ("1引言", "1", "引言"),
        ("2021年の水", "", "2021年の水"),
        ("3年后", "", "3年后"),
        ("A Method", "", "A Method"),
        ("Lids", "", "Lids"),
    ],
)
def test_a_number_apart_from_its_heading(heading: str, number: str, title: str) -> None:
    assert apart(heading) == (number, title)


@pytest.mark.parametrize(
    ("heading", "number", "top"),
    [
        ("2.1. Method", "2.1.", 2),
        ("IV. METHOD", "IV.", None),
        ("Chapter 3: Lids", "Chapter 3:", None),
        ("一、引言", "一、", None),
        ("I am", "", None),
    ],
)
def test_a_number_as_it_is_written(heading: str, number: str, top: int | None) -> None:
    assert marked(heading) == (number, top)


@pytest.mark.parametrize(
    ("number", "count"),
    [
        ("2.1", 2),
        ("\N{FULLWIDTH DIGIT ONE}", 1),
        ("IV", 4),
        ("三", 3),
        ("十", 10),
        ("十二", 12),
        ("二十", 20),
        ("A", None),
        ("（二", None),
    ],
)
def test_what_a_number_counts(number: str, count: int | None) -> None:
    assert counted(number) == count


@pytest.mark.parametrize("piece", ["1.", "1", " ", "一", "第", "IV", "(", "1．"])
def test_long_runs_cost_no_more_than_their_length(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    begun = time.process_time()
    for start in ("", "1 ", "第1章", "Chapter "):
        apart(start + text)
        marked(start + text)
    assert time.process_time() - begun < 1


@pytest.mark.parametrize(
    "abstract",
    [
        "Abstract: We study kettles.",
        "Abstract. We study kettles.",
        "ABSTRACT\nWe study kettles.",
        "Abstract—We study kettles.",
        "1. Abstract\nWe study kettles.",
    ],
)
def test_ways_to_write_an_abstract(abstract: str) -> None:
    document = read_text(f"A Title\n\n{abstract}\n\n1 Introduction\n\nText here.").document
    assert document.abstract == "We study kettles."
    assert document.sections == (Section("Introduction", "Text here."),)


def test_an_abstract_that_runs_on_without_a_mark() -> None:
    text = "A Title\n\nAbstract We study kettles that boil in the kitchen of the house.\n\nMethods\nWe boil."
    assert read_text(text).document.abstract == "We study kettles that boil in the kitchen of the house."
    assert read_text("Abstract Interpretation of Programs\n\nIt is a method.").document.title.startswith("Abstract Int")


@pytest.mark.parametrize(
    "heading",
    [
        "1 Introduction",
        "1. Introduction",
        "I. INTRODUCTION",
        "INTRODUCTION",
        "Introduction:",
        "2.1. Method",
        "RELATED WORK IN FULL",
    ],
)
def test_ways_to_write_a_heading(heading: str) -> None:
    found = titles(f"A Title\n\nAbstract\nWe study.\n\n{heading}\nHere is the text of it.\n")
    assert len(found) == 1
    assert found[0].lower() in ("introduction", "method", "related work in full")


@pytest.mark.parametrize(
    "line",
    [
        "Fig. 1. A Kettle",
        "Table 2: Results",
        "AAN WIKI PAT",
        "7 Not the next number",
        "1. An item that ends.",
        "3 x = y + z",
    ],
)
def test_lines_that_are_no_headings(line: str) -> None:
    text = f"A Title\n\nAbstract\nWe study.\n\n1 Introduction\nHere is text.\n{line}\nMore text follows it.\n"
    assert titles(text) == ["Introduction"]


def test_a_numbered_heading_with_its_text_on_the_line() -> None:
    text = "A Title\n\nAbstract\nWe do.\n\n4.1.1 Data. We use many kettles.\n\n4.1.2 Setup. We use the stove."
    assert read_text(text).document.sections == (
        Section("Data", "We use many kettles."),
        Section("Setup", "We use the stove."),
    )


@pytest.mark.parametrize("title", ["A Proofs of Theorems", "B. Additional Experiments", "Appendix A Proofs"])
def test_an_appendix_after_the_references_is_a_section(title: str) -> None:
    parts = ("On lids", "Abstract", "Of lids.", "1 Method", "We look.", "References", "[1] A Lind. Lids. 1999.")
    text = "\n\n".join((*parts, title, "It holds."))
    found = read_text(text).document
    assert [(one.title, one.role) for one in found.sections][-1] == ("References", "references")
    assert "It holds." in " ".join(one.text for one in found.sections if one.role == "body")
    assert "It holds." not in found.sections[-1].text


@pytest.mark.parametrize(
    ("abstract", "introduction", "references"),
    [
        ("Zusammenfassung", "1 Einleitung", "Literaturverzeichnis"),
        ("Résumé", "1. Introduction", "Références"),
        ("RESUMEN", "I. INTRODUCCIÓN", "REFERENCIAS"),
        ("Sommario", "Introduzione", "Bibliografia"),
        ("Resumo", "1 Introdução", "Referências bibliográficas"),
        ("Аннотация", "1. Введение", "Список литературы"),
        ("摘 要", "一、引言", "参考文献"),
        ("摘要", "1引言", "参 考 文 献"),
        ("要旨", "第1章 はじめに", "文献"),
        ("概要", "\N{FULLWIDTH DIGIT ONE}．はじめに", "参考文献"),
        ("Zusammenfassung: ", "Kapitel 1 Einleitung", "Literatur"),
    ],
)
@pytest.mark.parametrize("name", ["a.txt", "a.md"])
def test_headings_in_other_languages(abstract: str, introduction: str, references: str, name: str) -> None:
    sign = "## " if name == "a.md" else ""
    begun = abstract if abstract.endswith(" ") else f"{sign}{abstract}\n\n"
    begun = f"**{abstract.strip()}** " if sign and abstract.endswith(" ") else begun
    title = "# Karten\n\n" if sign else "Karten\n\n"
    text = f"{title}{begun}Maps, maps, maps.\n\n"
    text += f"{sign}{introduction}\n\nReefs.\n\n{sign}{references}\n\n[1] A. Lind. Lids.\n"
    document = read_bytes(text.encode(), name).document
    assert (document.title, document.abstract) == ("Karten", "Maps, maps, maps.")
    assert [one.role for one in document.sections] == ["body", "references"]
    assert document.sections[0].title.lower() in (
        "einleitung",
        "introduction",
        "introducción",
        "introduzione",
        "introdução",
        "введение",
        "引言",
        "はじめに",
    )


def test_a_summary_below_an_introduction_is_a_section() -> None:
    text = "On lids\n\nAbstract\n\nOf lids.\n\n1 Einleitung\n\nText.\n\n{}\n\nLids are quiet.\n"
    for heading in ("Zusammenfassung", "Summary", "4 Résumé"):
        document = read_text(text.format(heading)).document
        assert document.abstract == "Of lids."
        assert document.sections[-1] == Section(heading.removeprefix("4 "), "Lids are quiet.")


def test_abstracts_in_two_languages_are_both_kept() -> None:
    text = "Lids\n\nZusammenfassung\n\nVon Deckeln.\n\nAbstract\n\nOf lids.\n\n1 Einleitung\n\nText.\n"
    assert read_text(text).document.abstract == "Von Deckeln.\n\nOf lids."


def test_sections_with_chinese_numbers() -> None:
    text = "水壶\n\n摘要：水壶的研究。\n\n关键词：水壶；盖子\n\n一、引言\n\n水。\n\n"
    text += "二、研究方法\n\n（一）材料\n\n铁。\n\n三、结论\n\n好。\n"
    document = read_text(text).document
    assert (document.title, document.abstract, document.keywords) == ("水壶", "水壶的研究。", ("水壶", "盖子"))
    assert [one.title for one in document.sections] == ["引言", "研究方法", "材料", "结论"]


@pytest.mark.parametrize(
    "line", ["2021年，水壶很安静。", "3年后水壶坏了。", "1、把水倒进水壶里。", "把水倒进大的水壶里面看看"]
)
def test_chinese_lines_that_are_no_headings(line: str) -> None:
    assert titles(f"水壶\n\n摘要\n\n水壶。\n\n1 引言\n\n水壶。\n\n{line}\n\n水壶很安静。\n") == ["引言"]


@pytest.mark.parametrize(
    "line",
    [
        "Keywords lids, kettles, heat",
        "Keywords: lids, kettles, heat",
        "Key words\nlids; kettles; heat",
        "Mots-clés : lids, kettles, heat",
    ],
)
def test_ways_to_write_keywords(line: str) -> None:
    document = read_text(f"On lids\n\nAbstract\n\nOf lids.\n\n{line}\n\n1 Introduction\n\nText.\n").document
    assert document.keywords == ("lids", "kettles", "heat")


def test_a_table_of_contents_is_no_part_of_the_text() -> None:
    contents = "Contents\n\n1 Introduction ....... 1\n2 Lids\t3\nReferences  9\n\n"
    document = read_text(f"On lids\n\n{contents}1 Introduction\n\nText.\n\n2 Lids\n\nMore.\n").document
    assert document.sections == (Section("Introduction", "Text."), Section("Lids", "More."))


@pytest.mark.parametrize(
    "heading", ["Claims (2)", "Patentansprüche", "Revendications", "权利要求", "Claims (2)\nWhat is claimed is:"]
)
def test_claims_in_other_languages(heading: str) -> None:
    document = read_text(f"A Lid\n\nAbstract\n\nA lid.\n\n{heading}\n1. A lid.\n2. The lid of claim 1.\n").document
    assert document.claims == ("A lid.", "The lid of claim 1.")


def test_codes_beside_key_words_are_no_key_words() -> None:
    text = "水壶\n\n摘要：水壶。\n关键词：水壶；盖子\n中图分类号：P7  文献标识码：A\n\n一、引言\n\n水。\n"
    document = read_text(text).document
    assert (document.abstract, document.keywords, titles(text)) == ("水壶。", ("水壶", "盖子"), ["引言"])
