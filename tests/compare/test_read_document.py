"""A document read for comparisons: its chunks, stretches of words, and what is left out."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.compare import read_document
from engine.compare.comparing import compare
from engine.compare.model import Exclusions
from engine.compare.read_document import ReadDocument, chunks_fingerprint, find_entries, is_list
from engine.compare.stretches import Words
from engine.core.errors import EmptyInputError, InputTooLargeError
from engine.documents import Chunk, Document, Section
from engine.documents.text import sentences
from engine.encoders import registry
from engine.encoders.colde import ColdeEncoder, LongRows
from engine.library import KeywordIndex, Library
from engine.vectors import ReadPassages, kept_passage_store, open_passage_store
from tests.compare.texts import EVERYTHING, KITES, StandIn, as_text, document_of
from tests.encoders.colde import tiny
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.search.hashed_words import paper


def test_references_and_boilerplate_are_left_out_where_asked(kites: ReadDocument, gliders: ReadDocument) -> None:
    all_, usual = compare(kites, gliders, exclusions=EVERYTHING), compare(kites, gliders)
    assert all_.left_out == {"references": (0, 0), "recurring": (0, 0), "short": (0, 0)}
    assert usual.left_out["references"][0] >= 2
    assert usual.left_out["recurring"] == (1, 0)  # "Figure 2 shows the winch."
    shown = [chunk.text for passage in compare(kites, kites).passages for chunk in (passage.a, passage.b)]
    assert not any("Proceedings" in text or "Figure 2" in text for text in shown)
    shown = [passage.a.text for passage in compare(kites, kites, exclusions=EVERYTHING).passages]
    assert any("Proceedings" in text for text in shown) and any("Figure 2" in text for text in shown)


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("MOST_SENTENCES", "at most 9 sentences to compare, 'A book' has more. Give the chapters that matter, or one"),
        ("MOST_CHARACTERS", "at most 9 characters to compare, 'A book' has more"),
        ("MOST_SECTIONS", "at most 9 sections to compare, 'A book' has more"),
    ],
)
def test_a_document_that_is_too_long_is_refused_before_it_is_read(
    limit: str, said: str, encoder: StandIn, words: Words, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoder, "read", None, raising=False)
    monkeypatch.setattr(read_document, limit, 9)
    sections = tuple(Section(f"Part {number}", "The winch turns the drum.") for number in range(10))
    with pytest.raises(InputTooLargeError, match=f"Expected {said}"):
        ReadDocument.read(Document("b", title="A book", sections=sections), encoder, words)


def test_sentences_of_a_text_of_many_are_counted_only_until_they_are_too_many(
    encoder: StandIn, words: Words, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut: list[Section] = []
    whole = read_document.stretches.sentence_spans
    monkeypatch.setattr(read_document.stretches, "sentence_spans", lambda part: (cut.append(part), whole(part))[1])
    sections = tuple(Section(f"Part {number}", "The winch turns. " * 2_000) for number in range(50))
    with pytest.raises(InputTooLargeError, match="Expected at most 15,000 sentences"):
        ReadDocument.read(Document("b", title="A book", sections=sections), encoder, words)
    assert len(cut) < 12


@pytest.mark.parametrize(
    "text",
    [
        "One sentence only, about a kite.",
        "x",
        "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich.",
        "风筝在高空飞行。绞盘收回缆绳发电机给电池充电。" * 60,
        "Воздушный змей летит высоко. Лебёдка тянет трос.",
        "الطائرة الورقية تحلق عاليا. الرافعة تسحب الحبل.",
        "1 2 3 4 5. 6 7 8 9 10. = + - %",
        "word " * 3_000,
        "a" * 5_000,
    ],
)
def test_odd_documents_compare(text: str, encoder: StandIn, words: Words, kites: ReadDocument) -> None:
    odd = ReadDocument.read(document_of(text), encoder, words)
    for found in (compare(odd, kites), compare(odd, odd), compare(odd, kites, exclusions=Exclusions(min_words=5))):
        assert "NaN" not in as_text(found)
        assert 0 <= found.score <= 1 and found.chunks.across.min() >= 0
    itself = compare(odd, odd, exclusions=EVERYTHING)
    assert np.array_equal(np.diag(itself.chunks.across), itself.chunks.across.max(axis=1))


def test_a_document_without_text_is_refused(encoder: StandIn, words: Words) -> None:
    with pytest.raises(
        EmptyInputError, match=r"Expected text to compare in 'Untitled paper none'; found no word outside"
    ):
        ReadDocument.read(Document("none"), encoder, words)


def test_fifty_thousand_words_compare(encoder: StandIn, words: Words, kites: ReadDocument) -> None:
    drawn = random.Random(1)
    known = "".join(KITES.text.lower().split(".")).split()
    long = " ".join(" ".join(drawn.choices(known, k=20)).capitalize() + "." for _ in range(2_500))
    side = ReadDocument.read(document_of(long, "long"), encoder, words)
    found = compare(side, kites)
    assert len(side.sentences) > 2_000 and found.chunks.across.shape == (len(side.long.chunks), len(kites.long.chunks))


def test_chunks_hold_their_sentences(kites: ReadDocument) -> None:
    for sentence, number in zip(kites.sentences.chunks, kites.chunk_of.tolist(), strict=True):
        if number < 0:
            assert sentence.section == "References"
        else:
            chunk: Chunk = kites.long.chunks[number]
            assert chunk.part == sentence.part and chunk.start <= sentence.start and sentence.stop <= chunk.stop


ACL = (
    "Peter F. Brown, Vincent J. Pietra, and Robert L. Mercer. 1993. The mathematics of words. Computational "
    "Linguistics, 19(2):263-311. Franz Josef Och. 2003. Minimum error rates. In Proceedings of ACL, pages 160-167."
)


APA = (
    "Smith, J. A., & Doe, B. (2010). The kites of the north. Journal of Wind, 12(3), 4-9. Brown, C. (2011). Winds over "
    "lakes. Springer. Green, D., White, E., & Black, F. (2015). How lakes freeze. Lake Letters, 3(1), 77-80."
)


NUMBERED = (
    '[1] J. Smith and B. Doe, "The kites of the north," IEEE Trans. on Wind, vol. 12, pp. 4-9, 2010.\n[2] C. Brown, "'
    'Winds over lakes," in Proc. Lakes, 2011, pp. 1-4.\n[3] D. Green, E. White, and F. Black, Ice. Springer, 2015.'
)


VANCOUVER = (
    "F Bray, J Ferlay, I Soerjomataram. Global cancer statistics. CA Cancer J Clin. 2018\nB Vogelstein, ER Fearon, SR "
    "Hamilton. Genetic alterations during development. N Engl J Med. 1988\nBray F, Ferlay J, Smith B. Winds. Lancet. "
    "2011;3:4-7."
)


BODY = (
    "Smith et al. (2010) fly kites in the north. We follow J. Smith and fly them in the south, too. In 2012, winds "
    "blew. Our kites follow the winds of the lakes, as Brown (2011) found, and freeze in 2015. Lakes freeze in winter."
)


def flags(text: str) -> list[bool]:
    return find_entries([text[span.start : span.stop] for span in sentences(text)]).tolist()


@pytest.mark.parametrize("text", [ACL, APA, NUMBERED, VANCOUVER])
def test_entries_of_many_styles_are_seen(text: str) -> None:
    found = flags(text)
    assert sum(found) >= 0.6 * len(found)


@pytest.mark.parametrize(
    "text",
    [
        *(ACL, APA, NUMBERED, VANCOUVER, BODY, "J. of Wind", "PhD thesis, Oslo", "Ph.D. thesis", "Lancet, 2011."),
        *("see pp. 4", "AB, CD, and EF Smith, arXiv", "a, b, doi, 1999,", "Lee AB, Kim C, Wu D, of Conf. on Ice"),
        *("Tech Rep", "Oslo University Press", "\u0662\u0660 (\u0663): \u0664"),
    ],
)
def test_what_is_sought_first_decides_nothing(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = [text, *(text[span.start : span.stop] for span in sentences(text)), *re.split(r"(?<=,) ", text)]
    quick = [read_document._signs(piece) for piece in pieces]
    anything = re.compile("")
    monkeypatch.setattr(read_document, "_DIGIT", anything)
    monkeypatch.setattr(read_document, "_INITIAL", anything)
    monkeypatch.setattr(read_document, "_OF_VENUES", ("",))
    assert quick == [read_document._signs(piece) for piece in pieces]


def test_a_body_that_cites_is_no_list() -> None:
    assert not any(flags(BODY))
    assert not any(flags("One. Two three. Four."))
    assert flags("") == []


def test_entries_within_a_body_leave_the_rest() -> None:
    text = f"{BODY} {BODY} {APA}"
    found = flags(text)
    body = len(sentences(f"{BODY} {BODY}"))
    assert not any(found[:body]) and any(found[body:])


@pytest.mark.parametrize("title", ["References", "7. REFERENCES", "Bibliography", "Literature Cited:"])
def test_a_section_is_told_by_its_title(title: str) -> None:
    assert is_list(Section(title, "Text.")) and is_list(Section("", "Text.", "references"))
    assert not is_list(Section("Reference frames", "Text."))


# Chunks that a library keeps -------------------------------------------------------------------

CLAIMED = replace(paper("claimed"), kind="patent", claims=("A kite with a tail.", "The kite of claim 1, of silk."))


@pytest.fixture(scope="module")
def colde(tmp_path_factory: pytest.TempPathFactory) -> ColdeEncoder:
    return tiny.placed(write_tiny_transformer(tmp_path_factory.mktemp("transformer") / "model"))


def test_kept_chunks_are_what_the_encoder_reads(colde: ColdeEncoder, tmp_path: Path) -> None:
    documents = [paper("a"), CLAIMED, Document("empty"), paper("abstract", body=0)]
    store = open_passage_store(tmp_path, fingerprint=chunks_fingerprint(colde.card), dim=colde.reader[0].dim)
    every = colde.read(documents)
    store.add([ReadPassages(one.id, read.chunks, read.rows) for one, read in zip(documents, every, strict=True)])
    view = kept_passage_store(tmp_path).view()
    for document, read in zip(documents, every, strict=True):
        held = view.read(document)
        assert held is not None
        kept = LongRows.of(document, held.passages, held.rows)
        assert (kept.sections, kept.chunks) == (read.sections, read.chunks)
        assert kept.section_of.tolist() == read.section_of.tolist()
        np.testing.assert_allclose(kept.rows, read.rows, atol=1e-2 * max(1, np.abs(read.rows).max(initial=0)))


def test_another_way_to_read_has_chunks_of_its_own(colde: ColdeEncoder) -> None:
    assert chunks_fingerprint(colde.card) != chunks_fingerprint(colde.with_sections(2).card)
    assert chunks_fingerprint(colde.card) == chunks_fingerprint(colde.with_facts({"note": "read alike"}).card)


def test_the_installed_encoders_chunks_are_known_without_its_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert chunks_fingerprint() == chunks_fingerprint(registry.load("colde").card)
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path)
    assert chunks_fingerprint() == ""


def test_a_script_without_spaces_has_passages(encoder: StandIn, words: Words) -> None:
    shared = "绞盘收回缆绳发电机给电池充电。"
    a, b = (
        ReadDocument.read(document_of(f"{other}{shared}{other}", name), encoder, words)
        for name, other in (("a", "风筝在高空飞行风很大。" * 40), ("b", "企鹅在冰上行走天气冷。" * 40))
    )
    assert any(shared in passage.a.text and shared in passage.b.text for passage in compare(a, b).passages)


COMMON = "The remaining gadgets follow in the appendix of this volume."


def library(folder: Path, count: int) -> Library:
    made = Library.open(folder, create=True)
    documents = [
        Document(
            f"d{n}",
            title=f"Work {n} of letters {chr(97 + n % 26) * 3}{chr(97 + n // 26) * 3}",
            abstract=f"{COMMON} Kite{n} flies.",
        )
        for n in range(count)
    ]
    made.add_file("key", "texts", documents)
    return made


def test_words_weigh_by_the_library(tmp_path: Path) -> None:
    with library(tmp_path, 60) as held:
        words = Words.of(held)
        assert words.source == "Words weigh by how few of the library's 60 documents hold them."
        assert words.vocabulary.idf("gadget") < words.vocabulary.idf("submarine")
        common = {"the", "remaining", "gadgets", "follow", "in", "appendix", "of", "this", "volume"}
        assert words.recurring(
            [(common, {"gadget", "appendix"}), ({*common, "submarine"}, {"gadget", "submarine"}), (common, set())]
        ) == [True, False, False]


def test_a_small_library_cannot_tell(tmp_path: Path) -> None:
    with library(tmp_path, 10) as held:
        assert Words.of(held).source.startswith("Without a library of at least 50 documents, words weigh by")


def test_without_a_library_the_shipped_words_count() -> None:
    words = Words.shipped()
    assert words.source == (
        "Without a library of at least 50 documents, words weigh by their counts in the 243,509 abstracts that the "
        "shipped word vectors were trained on."
    )
    assert 0 < words.vocabulary.idf("network") < words.vocabulary.idf("governor") < words.vocabulary.idf("qqxyzzy")
    assert words.recurring([({"the"}, {"network"})]) == [False]


def test_documents_that_hold_all_words_are_counted() -> None:
    texts = ("a kite flies high", "a kite flies low", "a kite rests", "submarines rest")
    index = KeywordIndex.in_memory(Document(f"d{n}", abstract=text) for n, text in enumerate(texts))
    asked = [one.split() for one in ("kite", "kite flies", "flies low kite", "kite submarines", "zebra", "")]
    assert index.holding(asked) == [3, 2, 1, 0, 0, 0]
    for above, counts in ((1, [3, 2, 0, 0, 0, 0]), (2, [3, 0, 0, 0, 0, 0]), (2.5, [3, 0, 0, 0, 0, 0]), (3, [0] * 6)):
        assert index.holding(asked, above=above) == counts
