"""What the two texts beside each other are made of, before the browser draws them."""

from __future__ import annotations

import json
from dataclasses import replace

from engine.documents import Document, PageStart, Section
from explorer.compare.side_by_side import ShownCell, ShownTexts, pack_text, texts_message
from tests.explorer.compare.comparisons import HOSTILE, PAPER, made_comparison

COMPARISON = made_comparison()


TEXTS = ShownTexts(COMPARISON.a, COMPARISON.b, {"a": "First", "b": "Second"}, COMPARISON.passages)


def test_a_text_travels_whole_under_a_name_made_of_its_content() -> None:
    key, data = pack_text(PAPER)
    told = json.loads(data)
    assert told["key"] == key
    assert [part["text"] for part in told["parts"]] == [part.text for part in PAPER.parts]
    assert HOSTILE in told["parts"][3]["text"]  # as text: the browser makes text nodes of it
    assert pack_text(replace(PAPER, title="Another"))[0] != key


def test_the_pages_of_a_text_travel_with_it() -> None:
    paged = Section("Methods", "We walk.", pages=(PageStart(0, 3),))
    told = json.loads(pack_text(Document("x", title="T", sections=(paged,)))[1])
    assert [part["pages"] for part in told["parts"]] == [[], [[0, 3]]]


def test_invisible_characters_become_spaces_and_no_place_moves() -> None:
    told = json.loads(pack_text(Document("x", abstract="a\u202eb\x00c"))[1])
    assert told["parts"][0]["text"] == "a b c"


def test_places_point_into_the_parts() -> None:
    told = texts_message(TEXTS)
    for match, passage in zip(told["matches"], COMPARISON.passages, strict=True):
        part, start, stop = match["a"]
        assert COMPARISON.a.parts[part].text[start:stop] == passage.a.text
        assert match["score"] == passage.score
    assert told["cell"] is None


def test_rows_of_matches_and_what_is_acknowledged_travel_with_the_matches() -> None:
    how = ["cited", *[""] * (len(COMPARISON.passages) - 1)]
    told = texts_message(replace(TEXTS, chains=((1, 0),), acknowledged=how))
    assert told["chains"] == [[1, 0]]
    assert [match.get("acknowledged", "") for match in told["matches"]] == how


def test_evidence_that_is_a_match_is_not_shown_twice() -> None:
    passage = COMPARISON.passages[0]
    inside = ShownCell([passage.a], [passage.b], 0, passage)
    assert texts_message(replace(TEXTS, cell=inside))["cell"] | {"a": 0, "b": 0} == {
        "at": None,
        "a": 0,
        "b": 0,
        "match": 0,
        "evidence": None,
    }
    told = texts_message(replace(TEXTS, cell=ShownCell([passage.a], [passage.b], None, passage)))["cell"]
    assert told["match"] == len(COMPARISON.passages)
    assert told["evidence"]["score"] == passage.score


def test_the_browser_is_told_places_and_what_they_mean() -> None:
    comparison = made_comparison()
    texts = ShownTexts(comparison.a, comparison.b, {"a": "First", "b": "Second"}, comparison.passages)
    assert texts_message(texts)["salient"] is None
    chunk = comparison.chunks_a[0]
    told = texts_message(replace(texts, salient={"a": [(chunk, 0.75)], "b": []}))["salient"]
    place = [chunk.part, chunk.start, chunk.stop]
    said = "Salient sentence, p 0.75: how likely it is to carry what an abstract would say, from 0 to 1"
    assert told == {"a": [{"place": place, "said": said}], "b": []}
