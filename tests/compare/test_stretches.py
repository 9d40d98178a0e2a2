"""Texts in stretches whose words are compared."""

from __future__ import annotations

from engine.compare.comparing import compare
from engine.compare.read_document import ReadDocument
from engine.compare.stretches import Words
from tests.compare.everything import document_of
from tests.compare.texts import StandIn


def test_a_script_without_spaces_has_passages(encoder: StandIn, words: Words) -> None:
    shared = "绞盘收回缆绳发电机给电池充电。"
    a, b = (
        ReadDocument.read(document_of(f"{other}{shared}{other}", name), encoder, words)
        for name, other in (("a", "风筝在高空飞行风很大。" * 40), ("b", "企鹅在冰上行走天气冷。" * 40))
    )
    assert any(shared in passage.a.text and shared in passage.b.text for passage in compare(a, b).passages)
