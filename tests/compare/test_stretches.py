"""Texts in stretches whose words are compared, and what a comparison knows of words."""

from __future__ import annotations

from pathlib import Path

from engine.compare.comparing import compare
from engine.compare.read_document import ReadDocument
from engine.compare.stretches import Words
from engine.documents import Document
from engine.library import KeywordIndex, Library
from tests.compare.everything import document_of
from tests.compare.texts import StandIn


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
        assert Words.of(held).source.startswith("There is no library of 50 documents or more: words weigh by")


def test_without_a_library_the_shipped_words_count() -> None:
    words = Words.shipped()
    assert words.source == (
        "There is no library of 50 documents or more: words weigh by their counts in the 243,509 abstracts that the "
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
