"""Plain text into documents: page numbers and running heads go, headings are told, claims and sections built."""

from __future__ import annotations

import time

import pytest

from engine.documents import Section, Translation
from engine.reading.dispatch import read_bytes, read_text
from engine.reading.languages import language_of
from engine.reading.limits import Budget
from engine.reading.text.headings import apart, counted, marked
from engine.reading.text.outline import is_short, split_claims
from engine.reading.text.plain import read_plain, without_running_text
from tests.reading.texts import (
    ENGLISH,
    ENGLISH_BODY,
    FRENCH,
    FRENCH_BODY,
    GERMAN,
    GERMAN_BODY,
    PASTED,
    PATENT_TEXT,
    PORTUGUESE,
    PORTUGUESE_BODY,
    SPANISH,
    SPANISH_BODY,
)


def titles(text: str) -> list[str]:
    return [section.title for section in read_text(text).document.sections]


TITLE = "Lid Notes 5 (2021) 1-9\nhttps://doi.org/10.1234/ln.5\n\nQuiet lids on tall\nkettles\n"
PEOPLE = "Ada Lind1 , Bo Ek2,* and Cleo Roe1\n1 Lid Institute, Town\n2 Other Lab, Town\n\n"
PAGES = (
    f"{TITLE}{PEOPLE}Abstract\nWe study lids.\n\n1 Introduction\nLids rest on the\n\n1\n",
    "Lind and Ek\n\nLid Notes 5 (2021) 1-9\n\nrims of ket-\n\n2\n",
    "Lid Notes 5 (2021) 1-9\n\ntles. They rattle.\n2 Methods\nWe look.\n\n3\n",
    "References\n[1] A. Roe. Lids. 2001.\n",
)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_pages_are_joined_without_what_frames_them(end: str) -> None:
    document = read_text("\f".join(PAGES).replace("\n", end)).document
    assert (document.title, document.abstract) == ("Quiet lids on tall kettles", "We study lids.")
    assert document.sections == (
        Section("Introduction", "Lids rest on the rims of kettles. They rattle."),
        Section("Methods", "We look."),
        Section("References", "[1] A. Roe. Lids. 2001.", "references"),
    )


def test_pages_that_only_their_numbers_part() -> None:
    body = "Lids\n\nAbstract\n\nOf lids.\n\n1 Introduction\n\nLids rest\n\n7\n\non rims. Two do.\n\nThree do.\n\n"
    document = read_text(f"{body}Four do.\n\nFive do.\n\n8\n\n2 Methods\n\nWe look.\n").document
    assert document.sections == (
        Section("Introduction", "Lids rest on rims. Two do.\n\nThree do.\n\nFour do.\n\nFive do."),
        Section("Methods", "We look."),
    )


@pytest.mark.parametrize("head", ["Page 1 of 2", "- 1 -", "iv", "[ 1 ]", "Seite 1 von 2"])
def test_ways_to_number_a_page(head: str) -> None:
    assert without_running_text(f"{head}\nLids rest.\n\f{head}\nThey rattle.\n") == "Lids rest.\n\nThey rattle."


@pytest.mark.parametrize(
    "text",
    [
        "Lids\n\n1\n\n2\n\n3\n\nLids rest.\n",
        "Lids rest.\n\n1984\n\nLids rattle.\n",
        "Lids rest.\n",
    ],
)
def test_numbers_that_are_no_pages(text: str) -> None:
    assert without_running_text(text) == text


def test_captions_and_chapters_at_the_top_of_pages_stay() -> None:
    text = "Chapter 1\nLids.\n\fChapter 2\nRims.\n\fFigure 1. A lid.\nX.\n\fFigure 2. A lid.\nY.\n"
    assert without_running_text(text).count("Chapter") == 2
    assert without_running_text(text).count("Figure") == 2


@pytest.mark.parametrize("piece", ["1\n\n", "\f", "a\n\f", " ", "1", "Page 1\n\f", "i"])
def test_long_runs_cost_no_more_than_their_length(piece: str) -> None:
    begun = time.process_time()
    without_running_text(f"Lids\n\n{piece * (200_000 // len(piece))}\n\fLids")
    assert time.process_time() - begun < 4


def test_pasted_paper_finds_its_parts() -> None:
    reading = read_text(PASTED)
    document = reading.document
    assert reading.format == "text"
    assert document.kind == "paper"
    assert document.title == "Deep Hashing of Long Documents for Constant-Time Retrieval"
    assert document.abstract == "We present a method that hashes documents. It is a well-known problem."
    assert document.keywords == ("hashing", "long documents", "retrieval")
    assert document.sections == (
        Section("Introduction", "Finding documents is hard. We try to do it well.\n\nA second paragraph stands here."),
        Section("Method", ""),
        Section("Encoding", "We encode with a network:\n1. This is an item of a list.\n2. This is another."),
        Section("Hashing", "Table 1 A caption and no heading We hash."),
        Section("RESULTS", "It is fast."),
        Section("Our Conclusion", "It works."),
        Section("Appendix A", "More stands here."),
        Section("References", "[1] A. Author. A title. 2001.\n2. B. Author. Something Else. 2002.", "references"),
    )
    assert reading.warnings == (
        "Lines about authors were left out of the text: Jane Doe, John Q. Smith and Ana de la Cruz Department of Com.",
    )


def test_pasted_patent_finds_its_claims() -> None:
    document = read_text(PATENT_TEXT).document
    assert document.kind == "patent"
    assert document.title == "BUMPER FOR A BOAT"
    assert document.abstract == "A bumper for the bow of a boat."
    assert [section.title for section in document.sections] == [
        "BACKGROUND OF THE INVENTION",
        "BRIEF DESCRIPTION OF THE DRAWINGS",
    ]
    assert document.claims == (
        "A bumper comprising: a) a strap; and b) a pad of at least 2. 5 inches.",
        "The bumper of claim 1, wherein the pad is rubber.",
        "The bumper of claim 2.",
    )


@pytest.mark.parametrize(
    "text",
    [
        "graph neural networks for molecules",
        "How can documents be hashed so that retrieval takes constant time?",
        "Has anyone bred mice that lack both genes? We look for the effect on the liver and\nthe spleen in old age.",
        "BACKGROUND: Something is known. METHODS: We did it. RESULTS: It worked.",
    ],
)
def test_one_short_paragraph_is_a_query(text: str) -> None:
    document = read_text(text).document
    assert document.kind == "query"
    assert (document.title, document.abstract, document.sections) == ("", " ".join(text.split()), ())
    assert document.id.startswith("text:")


TELLS = (
    "Deep networks on graphs make the nodes of a graph alike. We study how fast they do, and prove a bound that "
    "depends on the spectrum of the Laplacian alone. On citation networks and on molecules, the bound is close to "
    "what is seen, and a simple normalization removes the effect."
)
WISHES = "on how fast deep networks on graphs make their nodes alike, with a proof that depends on the spectrum alone"


@pytest.mark.parametrize(
    "text",
    [
        TELLS,
        f"Can nodes be kept apart? {TELLS}",
        f"{TELLS} This extends Oono and Suzuki (2020).",
        TELLS.replace("We study", "We look at"),
        TELLS.replace(" the ", "\nthe "),
        "图神经网络已成为关系数据学习的标准工具。本文研究网络深度如何影响节点表示的平滑性。我们证明深层网络以指数速度收敛到一个子空间，"
        "在该子空间中相同度数的节点无法区分。实验证实了该理论，并且简单的归一化消除了这种影响。",
    ],
)
def test_a_paragraph_that_tells_is_an_abstract_without_a_title(text: str) -> None:
    reading = read_text(text)
    assert (reading.document.kind, reading.document.title, reading.warnings) == ("paper", "", ())
    assert reading.document.abstract.split() == text.split()


@pytest.mark.parametrize(
    "text",
    [
        f"I am looking for work {WISHES}, and for experiments that test it on molecules or on citation networks, "
        "no matter how small the networks are or whether they were trained.",
        f"Please find papers {WISHES}, and experiments that test it on molecules or on citation networks, no matter "
        "how small the networks are or whether they were trained at all.",
        f"What is known {WISHES}, and are there experiments that test it on molecules or on citation networks, no "
        "matter how small the networks are or whether they were trained at all?",
        f"{TELLS} What else removes it? Do residual connections? Does training on subgraphs?",
        "Deep networks on graphs smooth their nodes [3], and the effect was first proved by Oono and Suzuki (2020). "
        "Later work [4, 5] removes it by a normalization, which we build on here for networks that are deep and wide.",
    ],
)
def test_a_long_paragraph_that_asks_or_cites_is_a_query(text: str) -> None:
    assert read_text(text).document.kind == "query"


def test_a_long_paragraph_is_no_query() -> None:
    reading = read_text("These words make one long paragraph. " * 150)
    assert reading.document.kind == "paper"
    assert [section.title for section in reading.document.sections] == ["Text"]
    assert reading.warnings == (
        "No title was found: the first line does not look like one. You can add it by hand.",
        "No abstract was found.",
    )


def test_a_title_above_a_paragraph() -> None:
    document = read_text("A Study of Kettles\n\nWe study kettles. They boil.").document
    assert (document.kind, document.title, document.abstract) == (
        "paper",
        "A Study of Kettles",
        "We study kettles. They boil.",
    )


def test_a_title_right_above_a_long_line() -> None:
    text = "A Study of Kettles\nWe study kettles at length, and this line of the abstract is far longer than the title."
    assert read_text(text).document.title == "A Study of Kettles"


def test_a_sentence_is_no_title() -> None:
    text = "We study kettles here, in the kitchen.\n\nThey boil when they are heated enough.\n\nThis was known."
    document = read_text(text).document
    assert document.title == ""
    assert document.abstract.startswith("We study kettles")


def test_named_fields() -> None:
    document = read_text("Title: A Study\nAbstract: We study things.\nIntroduction\nHello there.\n").document
    assert (document.title, document.abstract) == ("A Study", "We study things.")
    assert document.sections == (Section("Introduction", "Hello there."),)


def test_scripts_stay_text() -> None:
    document = read_text("<script>alert(1)</script> in titles\n\nThe body <b>of</b> it.").document
    assert document.title == "<script>alert(1)</script> in titles"
    assert document.abstract == "The body <b>of</b> it."


def test_invisible_characters_and_broken_words_are_mended() -> None:
    text = "A Ti\u00adtle\x00 \u202eIs\n\nAbstract\nex-\nample, mid-\nMay, cafe\u0301 re-use, re-\nuse\u200b."
    document = read_text(text).document
    assert document.title == "A Title Is"
    assert document.abstract == "example, mid-May, café re-use, re-use."


def test_same_text_has_the_same_id_and_a_file_says_so() -> None:
    assert read_text(PASTED).document.id == read_text(PASTED).document.id
    assert read_bytes(PASTED.encode(), "a.txt").document.id.startswith("file:")


@pytest.mark.parametrize("joint", [", and ", "1,2,*, ", ",,,", ". A., "], ids=["and", "marks", "commas", "initials"])
def test_a_long_line_of_names_is_told_at_once(joint: str) -> None:
    text = f"A graph of things\n\n{joint.join(['John Smith'] * 30)} in Paris\n\nAbstract\n\nWe count things.\n"
    assert read_text(text).document.abstract == "We count things."


def test_many_lines_look_at_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[Budget] = []
    monkeypatch.setattr(Budget, "check", lambda self: looks.append(self))
    read_plain("A Kite\n\n" + "kite\n" * 300, "a")
    assert len(looks) >= 300


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
def test_long_numbers_cost_no_more_than_their_length(piece: str) -> None:
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


@pytest.mark.parametrize(
    "opening",
    [
        "What is claimed is:",
        "I claim:",
        "We claim",
        "What is claimed as new and desired to be protected by Letters Patent is:",
        "CLAIMS",
        "Claims:",
    ],
)
def test_ways_to_open_claims(opening: str) -> None:
    document = read_text(f"A Lid\n\nSUMMARY\nA lid.\n\n{opening}\n\n1. A lid.\n2. The lid of claim 1.\n").document
    assert document.kind == "patent"
    assert document.claims == ("A lid.", "The lid of claim 1.")


def test_claims_on_one_line() -> None:
    document = read_text("A Lid\n\nWhat is claimed is: 1. A lid, of 2 cm. 2. The lid of claim 1. 3. A kettle.").document
    assert document.claims == ("A lid, of 2 cm.", "The lid of claim 1.", "A kettle.")


@pytest.mark.parametrize(
    "claims",
    [
        "Claims\n1.-3. (canceled)\n4. A lid of steel.\n5. The lid of claim 4.",
        "What is claimed is:\n\n1-3. (canceled)\n\n4. A lid of\nsteel.\n\n5. The lid of claim 4.",
        "CLAIMS\n1. (canceled)\n2-3. (canceled)\n4. A lid of steel.\n5. The lid of claim 4.\n6. (canceled)",
        "What is claimed is: 1-3. (canceled) 4. A lid of steel. 5. The lid of claim 4.",
        "Claims 1-3 (canceled)\n4. A lid of steel.\n5. The lid of claim 4.",
    ],
)
def test_claims_after_cancelled_ones_keep_their_numbers(claims: str) -> None:
    document = read_text(f"A Lid\n\nAbstract\nA lid that is quiet.\n\n{claims}\n").document
    assert (document.kind, document.title, document.abstract) == ("patent", "A Lid", "A lid that is quiet.")
    assert document.claims == ("", "", "", "A lid of steel.", "The lid of claim 4.")
    assert document.parts[-1].title == "Claim 5"


def test_a_sentence_about_cancelled_claims_opens_none() -> None:
    text = "A Lid\n\nIntroduction\nText.\n\nClaims 1-20 of the older patent were canceled\n\nMore text.\n"
    assert read_text(text).document.claims == ()


def test_a_number_before_a_small_letter_begins_no_claim() -> None:
    assert split_claims(
        ["1. A lid with a rim and", "2 seals that hold.", "2. The lid of claim 1.", "Claim 3: A pot."]
    ) == [
        "A lid with a rim and 2 seals that hold.",
        "The lid of claim 1.",
        "A pot.",
    ]


def test_claims_without_numbers_in_order_stay_with_the_claim_before() -> None:
    assert split_claims(["1. A lid of", "7. parts.", "2. A pot."]) == ["A lid of 7. parts.", "A pot."]
    assert split_claims(["No number here."]) == []


def test_a_word_claims_alone_opens_nothing() -> None:
    document = read_text("A Title\n\nIntroduction\nText.\n\nClaims\nThese are statements only.\n").document
    assert document.claims == ()


def test_a_word_of_several_hyphens_keeps_them_over_a_line_end() -> None:
    text = "A Title\n\nAbstract\nState-of-\nthe-art, end-to-\nend, non-para-\nmetric tests; parametric ones."
    assert read_text(text).document.abstract == "State-of-the-art, end-to-end, non-parametric tests; parametric ones."


def test_a_blank_line_after_each_line_does_not_cut_sentences() -> None:
    text = "A Title\n\nAbstract\n\nWe study the many kettles\n\nthat boil in kitchens.\n\nThey whistle.\n"
    assert read_text(text).document.abstract == "We study the many kettles that boil in kitchens.\n\nThey whistle."


def test_a_number_before_many_spaces_is_no_claim() -> None:
    assert split_claims(["1. A thing.", f"2{' ' * 100_000}"]) == ["A thing. 2"]


@pytest.mark.parametrize(
    ("first", "second", "body", "own", "other"),
    [
        (("Abstract", ENGLISH), ("Resumen", SPANISH), ("Introduction", ENGLISH_BODY), "en", "es"),
        (("Resumen", SPANISH), ("Abstract", ENGLISH), ("Introducción", SPANISH_BODY), "es", "en"),
        (("Abstract", ENGLISH), ("Zusammenfassung", GERMAN), ("1. Einleitung", GERMAN_BODY), "de", "en"),
        (("Résumé", FRENCH), ("Abstract", ENGLISH), ("Introduction", FRENCH_BODY), "fr", "en"),
        (("Resumo", PORTUGUESE), ("Abstract", ENGLISH), ("Introdução", PORTUGUESE_BODY), "pt", "en"),
        (("Abstract", GERMAN), ("Abstract", ENGLISH), ("Introduction", ENGLISH_BODY), "en", "de"),
    ],
)
def test_an_abstract_in_two_languages(
    first: tuple[str, str], second: tuple[str, str], body: tuple[str, str], own: str, other: str
) -> None:
    written = "".join(f"## {heading}\n\n{text}\n\n" for heading, text in (first, second, body))
    texts = {language_of(text): text for _, text in (first, second)}
    for found in (
        read_text(f"# Reefs\n\n{written}").document,
        read_bytes(f"Slow reefs\n\n{written.replace('## ', '')}".encode(), "a.txt").document,
    ):
        assert (found.language, found.abstract) == (own, texts[own])
        assert found.translations == (Translation(other, abstract=texts[other]),)
        assert [section.title for section in found.sections] == [body[0].removeprefix("1. ")]


def test_paragraphs_of_one_abstract_in_two_languages_part() -> None:
    found = read_text(
        f"# Reefs\n\n## Abstract\n\n{ENGLISH}\n\nMap it.\n\n{GERMAN}\n\n## Introduction\n\n{ENGLISH_BODY}"
    )
    assert found.document.abstract == f"{ENGLISH}\n\nMap it."
    assert found.document.translations == (Translation("de", abstract=GERMAN),)


def test_an_abstract_in_one_language_says_none() -> None:
    found = read_text(f"# Reefs\n\n## Abstract\n\n{ENGLISH}\n\n{ENGLISH_BODY}\n\n## Introduction\n\nReefs are still.")
    assert (found.document.language, found.document.translations) == ("", ())
    assert found.document.abstract == f"{ENGLISH}\n\n{ENGLISH_BODY}"


def test_a_line_without_a_sentence_is_short() -> None:
    assert is_short("1 Lid Lab, Town")
    assert not is_short("We boil kettles.")
    assert not is_short("lid " * 20)


@pytest.mark.parametrize(
    "line", ["by Ada Lind", "Ada Lind (Institute of Knots)", "Ada Lind, Institute of Knots", "Author: Ada Lind"]
)
def test_a_lone_author_with_a_place_or_a_label(line: str) -> None:
    prose = "We tie knots of many kinds in ropes of jute and hold them under load for a week to see how they slip."
    for name, text in (
        ("a.txt", f"On the slip of knots\n\n{line}\n\nAbstract\n{prose}\n\n1. Introduction\n{prose}\n"),
        ("a.md", f"# On the slip of knots\n\n{line}\n\n## Abstract\n\n{prose}\n\n## Introduction\n\n{prose}\n"),
    ):
        found = read_bytes(text.encode(), name).document
        assert (found.title, found.authors, found.abstract) == ("On the slip of knots", ("Ada Lind",), prose)
