"""What nothing in another document covers, its counts, and the nearest miss."""

from __future__ import annotations

import numpy as np

from engine.compare import as_json
from engine.compare.comparing import compare
from engine.compare.differences import Text, differences, passages_of, uncovered
from engine.compare.model import Differences
from engine.compare.pairs import NearestSentences
from engine.compare.read_document import ReadDocument
from engine.compare.stretches import Similarities, Words
from tests.compare.test_versions import CLOTH, OTHER_SENSOR, ROPE, SALT, SENSOR, STORE, document, text
from tests.compare.texts import GLIDERS, KITES, StandIn


def found(a: Text, b: Text) -> Differences:
    table = Similarities(a.sentences, b.sentences)
    return differences(a, b, NearestSentences.of(table, (a.follows, b.follows), (a.kept, b.kept)))


def test_what_the_other_does_not_say_is_counted_and_its_nearest_miss_named(words: Words) -> None:
    a, b = text(document(f"{ROPE} {SALT}", SENSOR), words), text(document(ROPE, OTHER_SENSOR), words)
    told = found(a, b)
    (only,) = told.a.passages
    assert only.passage.text == SALT and only.words == len(SALT.split())
    assert told.a.of_words == a.words and told.a.share == round(only.words / a.words, 4)
    assert only.nearest is not None and only.nearest.text in b.document.text and 0 < only.score < 0.5
    assert told.b.passages == () and told.b.share == 0


def test_other_words_for_the_same_and_other_places_are_covered(words: Words) -> None:
    told = found(text(document(ROPE, SENSOR, CLOTH), words), text(document(CLOTH, OTHER_SENSOR, ROPE), words))
    assert told.a.passages == told.b.passages == ()


def test_swapped_documents_swap_what_they_lack(words: Words) -> None:
    a, b = text(document(ROPE, SALT), words), text(document(ROPE, STORE), words)
    assert found(b, a) == found(a, b).transposed()


def test_versions_are_told_from_two_works(words: Words) -> None:
    one = text(document(ROPE, STORE, SENSOR), words)
    assert found(one, text(document(SENSOR, ROPE, SALT, STORE), words)).are_versions
    assert not found(one, text(document(ROPE, CLOTH, SALT), words)).are_versions
    assert not found(one, text(document(CLOTH, SALT), words)).are_versions


def test_a_short_sentence_goes_with_the_telling_ones_around_it(words: Words) -> None:
    one = text(document(f"{SALT} See Figure 2. {CLOTH}", f"{ROPE} See Figure 3. {CLOTH}"), words)
    texts = [chunk.text for chunk in one.sentences.chunks]
    scores = np.array([0.9 if sentence in ROPE else 0.1 for sentence in texts], np.float32)
    flags = uncovered(one, scores, 0.5)
    assert flags[texts.index("See Figure 2.")] and not flags[texts.index("See Figure 3.")]


def test_what_is_left_out_is_neither_counted_nor_shown(words: Words) -> None:
    a, b = text(document(f"{ROPE} {SALT}"), words), text(document(ROPE), words)
    a.kept[[chunk.text == SALT for chunk in a.sentences.chunks]] = False
    told = found(a, b)
    assert told.a.passages == () and told.a.of_words == a.words < len(f"{ROPE} {SALT}".split()) + 1


def test_long_runs_are_cut_into_passages_at_blank_lines_and_by_length(words: Words) -> None:
    one = text(document(f"{ROPE}\n\n{STORE}", " ".join([ROPE, STORE, SENSOR, CLOTH] * 4)), words)
    parts = [chunk.part for chunk in one.sentences.chunks]
    first, second = ([n for n, part in enumerate(parts) if part == wanted] for wanted in (1, 2))
    assert [one.joined(numbers).text for numbers in passages_of(one, first)] == [ROPE, STORE]
    cut = passages_of(one, second)
    assert len(cut) > 1 and [number for numbers in cut for number in numbers] == second
    assert all(one.sentences.counts[numbers].sum() <= 120 for numbers in cut)


def test_a_comparison_holds_its_differences_either_way_round(words: Words) -> None:
    encoder = StandIn()
    a, b = (ReadDocument.read(one, encoder, words) for one in (KITES, GLIDERS))
    one, other = compare(a, b), compare(b, a)
    assert one.differences.transposed() == other.differences
    value = as_json(one)["differences"]
    assert list(value) == ["a", "b", "same", "versions"]  # type: ignore[call-overload]
    for passage in value["a"]["passages"]:  # type: ignore[index]
        part = next(p for p in KITES.parts if p.title == passage["section"])
        assert part.text[passage["start"] : passage["stop"]] == passage["text"]


def test_numbers_and_function_words_alone_say_nothing_that_could_be_missed(words: Words) -> None:
    numbers = text(document("1 2 3 4 5. It is what it is. 10 11 12."), words)
    assert found(numbers, numbers).a.passages == found(numbers, text(document(ROPE), words)).a.passages == ()
