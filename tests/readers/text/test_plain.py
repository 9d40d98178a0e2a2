from __future__ import annotations

import pytest

from engine.documents import Section
from engine.readers import read_bytes, read_text
from engine.readers.text.outline import split_claims
from tests.readers.texts import PASTED, PATENT_TEXT


def titles(text: str) -> list[str]:
    return [section.title for section in read_text(text).document.sections]


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


def test_scripts_stay_text() -> None:
    document = read_text("<script>alert(1)</script> in titles\n\nThe body <b>of</b> it.").document
    assert document.title == "<script>alert(1)</script> in titles"
    assert document.abstract == "The body <b>of</b> it."


def test_invisible_characters_and_broken_words_are_mended() -> None:
    text = "A Ti\u00adtle\x00 \u202eIs\n\nAbstract\nex-\nample, mid-\nMay, cafe\u0301 re-use, re-\nuse\u200b."
    document = read_text(text).document
    assert document.title == "A Title Is"
    assert document.abstract == "example, mid-May, café re-use, re-use."


def test_a_word_of_several_hyphens_keeps_them_over_a_line_end() -> None:
    text = "A Title\n\nAbstract\nState-of-\nthe-art, end-to-\nend, non-para-\nmetric tests; parametric ones."
    assert read_text(text).document.abstract == "State-of-the-art, end-to-end, non-parametric tests; parametric ones."


def test_a_blank_line_after_each_line_does_not_cut_sentences() -> None:
    text = "A Title\n\nAbstract\n\nWe study the many kettles\n\nthat boil in kitchens.\n\nThey whistle.\n"
    assert read_text(text).document.abstract == "We study the many kettles that boil in kitchens.\n\nThey whistle."


def test_same_text_has_the_same_id_and_a_file_says_so() -> None:
    assert read_text(PASTED).document.id == read_text(PASTED).document.id
    assert read_bytes(PASTED.encode(), "a.txt").document.id.startswith("file:")


@pytest.mark.parametrize("joint", [", and ", "1,2,*, ", ",,,", ". A., "], ids=["and", "marks", "commas", "initials"])
def test_a_long_line_of_names_is_told_at_once(joint: str) -> None:
    text = f"A graph of things\n\n{joint.join(['John Smith'] * 30)} in Paris\n\nAbstract\n\nWe count things.\n"
    assert read_text(text).document.abstract == "We count things."


def test_a_number_before_many_spaces_is_no_claim() -> None:
    assert split_claims(["1. A thing.", f"2{' ' * 100_000}"]) == ["A thing. 2"]


@pytest.mark.parametrize("title", ["A Proofs of Theorems", "B. Additional Experiments", "Appendix A Proofs"])
def test_an_appendix_after_the_references_is_a_section(title: str) -> None:
    parts = ("On lids", "Abstract", "Of lids.", "1 Method", "We look.", "References", "[1] A Lind. Lids. 1999.")
    text = "\n\n".join((*parts, title, "It holds."))
    found = read_text(text).document
    assert [(one.title, one.role) for one in found.sections][-1] == ("References", "references")
    assert "It holds." in " ".join(one.text for one in found.sections if one.role == "body")
    assert "It holds." not in found.sections[-1].text
