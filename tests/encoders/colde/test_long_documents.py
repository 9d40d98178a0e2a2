"""Documents cut into chunks: places in the text, sections, sentences, every script; and how near two are."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from engine.core.errors import EncoderError
from engine.core.rows import unit_length
from engine.documents import Document, Section
from engine.encoders.colde.long_documents import CLAIMS, CutDocument, Cutter, Levels
from tests.encoders.colde import tiny

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,;!?-()"


def wordpiece() -> Tokenizer:
    """A tokenizer like BERT's whose pieces are letters; other scripts are unknown words."""
    pieces = ["[UNK]", "[CLS]", "[SEP]", *LETTERS, *(f"##{letter}" for letter in LETTERS)]
    made = Tokenizer(models.WordPiece({piece: number for number, piece in enumerate(pieces)}, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    return made


def bytewise() -> Tokenizer:
    """A tokenizer that reads a text byte by byte, as those of many models do, without marks around it."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE({letter: number for number, letter in enumerate(alphabet)}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return made


def cut(*texts: str, most: int = 12, whole_sentences: bool = True, tokenizer: Tokenizer | None = None) -> CutDocument:
    """The chunks of a document with one section a text, their places checked."""
    document = Document("d", sections=tuple(Section(f"S{number}", text) for number, text in enumerate(texts)))
    return checked(document, Cutter(tokenizer or wordpiece(), most, whole_sentences=whole_sentences), most)


def checked(document: Document, cutter: Cutter, most: int) -> CutDocument:
    """Cut a document and hold what is promised of every chunk."""
    found = cutter.cut(document)
    assert len(found.chunks) == len(found.tokens) == len(found.section_of)
    assert sorted(set(found.section_of)) == list(range(len(found.sections)))
    assert list(found.section_of) == sorted(found.section_of)
    end: dict[int, int] = {}
    for chunk, tokens in zip(found.chunks, found.tokens, strict=True):
        part = document.parts[chunk.part]
        assert chunk.text == part.text[chunk.start : chunk.stop] != ""
        assert (chunk.section, chunk.document_id) == (part.title, document.id)
        assert chunk.start >= end.get(chunk.part, 0), "chunks do not overlap"
        assert 1 <= len(tokens) <= most
        end[chunk.part] = chunk.stop
    assert [chunk.part for chunk in found.chunks] == sorted(chunk.part for chunk in found.chunks)
    return found


def said(found: CutDocument) -> list[str]:
    return [chunk.text for chunk in found.chunks]


def test_a_chunk_ends_with_the_last_sentence_that_fits() -> None:
    assert said(cut("Ab cd. Ef gh. Ij kl mn.", most=14)) == ["Ab cd. Ef gh.", "Ij kl mn."]


def test_the_paper_cuts_after_every_so_many_tokens() -> None:
    assert said(cut("Ab cd. Ef gh. Ij kl mn.", most=14, whole_sentences=False)) == ["Ab cd. Ef gh. Ij", "kl mn."]


def test_a_sentence_that_is_too_long_ends_with_a_word_and_a_word_that_is_too_long_anywhere() -> None:
    assert said(cut("abc defgh ijklm nop", most=12)) == ["abc defgh", "ijklm nop"]
    assert said(cut("abcdefghijklmnopqrstuvwxyz", most=12)) == ["abcdefghij", "klmnopqrst", "uvwxyz"]


def test_a_sentence_that_would_leave_half_a_chunk_empty_is_cut() -> None:
    assert said(cut("Ab. Cdefg hij kl mn op.", most=12)) == ["Ab. Cdefg", "hij kl mn op."]


def test_tokens_are_the_text_s_own_between_the_tokenizer_s_marks() -> None:
    text = "Ab cd. Ef gh. Ij kl mn."
    tokens = cut(text, most=14).tokens
    assert {(one[0], one[-1]) for one in tokens} == {(1, 2)}
    inner = [number for one in tokens for number in one[1:-1]]
    assert inner == wordpiece().encode(text, add_special_tokens=False).ids


def test_chunks_never_cross_sections() -> None:
    found = cut("Ab.", "", "Cd.", "  ", "Ef gh ij kl mn op.")
    assert said(found) == ["Ab.", "Cd.", "Ef gh ij kl mn", "op."]
    assert (found.sections, found.section_of) == (("S0", "S2", "S4"), (0, 1, 2, 2))


def test_the_reference_list_is_not_read_and_the_title_only_where_there_is_nothing_else() -> None:
    cutter = Cutter(wordpiece(), 12)
    references = Section("References", "Ab cd.", "references")
    with_text = Document("d", title="Xy", abstract="Ef.", sections=(Section("One", "Gh."), references))
    assert said(cutter.cut(with_text)) == ["Ef.", "Gh."]
    assert cutter.cut(with_text).sections == ("Abstract", "One")
    alone = checked(Document("d", title="Xy", sections=(references, Section("One", " ... "))), cutter, 12)
    assert (said(alone), alone.sections) == (["Xy"], ("Title",))


def test_all_claims_are_one_section_with_a_chunk_each() -> None:
    patent = Document("p", "patent", abstract="Ef.", claims=("A cup.", "The cup of claim 1.", "A lid."))
    found = checked(patent, Cutter(wordpiece(), 30), 30)
    assert found.sections == ("Abstract", CLAIMS)
    assert found.section_of == (0, 1, 1, 1)
    assert [chunk.section for chunk in found.chunks] == ["Abstract", "Claim 1", "Claim 2", "Claim 3"]


def test_sections_of_one_title_stay_apart() -> None:
    document = Document("d", sections=(Section("", "Ab."), Section("", "Cd.")))
    found = checked(document, Cutter(wordpiece(), 12), 12)
    assert (found.sections, found.section_of) == (("", ""), (0, 1))


@pytest.mark.parametrize("text", ["", " \n ", "...", "—", "\x00\x01", "\u200b", "\ufeff", "\u0301"])
def test_a_text_without_a_word_has_no_chunks(text: str) -> None:
    assert cut(text) == CutDocument((), (), (), ())
    assert Cutter(wordpiece(), 12).cut(Document("d", title=text)).chunks == ()


@pytest.mark.parametrize("tokenizer", [wordpiece(), bytewise()], ids=["pieces", "bytes"])
@pytest.mark.parametrize("most", [6, 9, 256])
@pytest.mark.parametrize("whole_sentences", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        "word",
        "日本語の文章です。次の文。もう一つの長い文章がここにあります。",
        "مرحبا بالعالم هذا نص طويل جدا",
        "e\u0301te\u0301 nai\u0308ve cafe\u0301s Ünïcode",
        "😀😀😀 \U0001f469\u200d\U0001f469\u200d\U0001f467 text",
        "\uff46\uff55\uff4c\uff4c ﬁgure Ⅳ İstanbul ß",
        "abc\x00def\x1fghi\x7fj\u2028kl\x85mn",
        "tab\tand\r\nlines\n\n\nand\x0bmore",
        "\ud83d lone \udc00 halves \ud800",
        "<script>alert(1)</script> &amp; $x_1^2$ \\frac{a}{b}",
        "x. " * 40,
        "1 2 3 4.5 6,7",
    ],
)
def test_every_script_keeps_its_places(text: str, whole_sentences: bool, most: int, tokenizer: Tokenizer) -> None:
    found = cut(text, most=most, whole_sentences=whole_sentences, tokenizer=tokenizer)
    assert found.chunks
    kept = "".join(said(found))
    assert [one for one in text if one.isalnum() and one not in kept] == []


def test_a_long_document_is_cut_whole() -> None:
    text = "The boiler holds steam, as fig. 3 shows. " * 6_250
    found = cut(text, most=256)
    assert "".join(said(found)).count("boiler") == 6_250
    assert all(chunk.text.endswith("shows.") for chunk in found.chunks)
    assert len(found.chunks) > 500


def test_a_tokenizer_that_cuts_and_fills_texts_is_told_not_to() -> None:
    tokenizer = wordpiece()
    tokenizer.enable_truncation(5)
    tokenizer.enable_padding(length=50)
    assert said(cut("ab cd ef gh ij kl.", most=12, tokenizer=tokenizer)) == ["ab cd ef gh ij", "kl."]
    assert json.loads(tokenizer.to_str())["truncation"] is None


def test_a_chunk_without_room_for_text_is_refused() -> None:
    with pytest.raises(EncoderError, match=r"Expected chunks of more than 2 tokens, .*; got 2\."):
        Cutter(wordpiece(), 2)
    assert said(cut("abc", most=3)) == ["a", "b", "c"]


def test_the_same_document_is_cut_the_same(colde_cutter: Cutter) -> None:
    document = tiny.long_document()
    assert colde_cutter.cut(document) == colde_cutter.cut(document)
    assert colde_cutter.cut(document).sections == ("Abstract", "Part 1", "Part 2", "Part 3")


@pytest.fixture
def colde_cutter() -> Cutter:
    return Cutter(wordpiece(), 40)


def levels(chunks: int, seed: int) -> Levels:
    drawn = np.random.default_rng(seed).normal(size=(chunks + 1, 6)).astype(np.float32)
    rows = unit_length(drawn)
    return Levels(rows[0], np.zeros((0, 6), np.float32), rows[1:])


def plain_late(a: Levels, b: Levels) -> float:
    ours = [max(float(x @ y) for y in b.chunks) for x in a.chunks]
    theirs = [max(float(x @ y) for x in a.chunks) for y in b.chunks]
    return (sum(ours) / len(ours) + sum(theirs) / len(theirs)) / 2


def test_late_interaction_is_the_mean_of_best_matches_both_ways() -> None:
    a, b = levels(4, 1), levels(3, 2)
    assert a.late(b) == pytest.approx(plain_late(a, b), abs=1e-6)
    assert a.late(b) == pytest.approx(b.late(a), abs=1e-6)
    assert a.late(a) == pytest.approx(1, abs=1e-6)


def test_the_share_mixes_both() -> None:
    a, b = levels(4, 1), levels(3, 2)
    cosine = float(a.document @ b.document)
    assert a.similarity(b, late_share=0) == pytest.approx(cosine)
    assert a.similarity(b, late_share=0.25) == pytest.approx(0.75 * cosine + 0.25 * a.late(b))


def test_of_each_document_the_chunks_that_match_best_may_count_alone() -> None:
    a, b = levels(4, 1), levels(3, 2)
    ours = sorted(max(float(x @ y) for y in b.chunks) for x in a.chunks)[2:]
    theirs = sorted(max(float(x @ y) for x in a.chunks) for y in b.chunks)[1:]
    assert a.late(b, best=0.5) == pytest.approx((sum(ours) / 2 + sum(theirs) / 2) / 2, abs=1e-6)
    assert a.similarity(b, late_share=1, late_best=0.5) == pytest.approx(a.late(b, best=0.5), abs=1e-6)
    assert a.late(b, best=1) == a.late(b)


def test_chunks_that_were_left_out_match_nothing() -> None:
    a, b = levels(4, 1), levels(3, 2)
    left = Levels(a.document, a.sections, a.chunks * np.array([[1], [0], [1], [1]], np.float32))
    kept = Levels(a.document, a.sections, a.chunks[[0, 2, 3]])
    assert left.late(b) == pytest.approx(kept.late(b), abs=1e-6)
    nothing = Levels(np.zeros(6, np.float32), a.sections, np.zeros((2, 6), np.float32))
    assert nothing.late(b) == b.late(nothing) == 0
    assert nothing.similarity(b, late_share=0.5) == 0
