"""What a second version changes: each kind told from the others, in texts of our own and in comparisons."""

from __future__ import annotations

from dataclasses import astuple
from itertools import pairwise

import numpy as np
import pytest

from engine.cli.read import read_input
from engine.compare import as_json
from engine.compare.comparing import compare
from engine.compare.differences import Text, Thresholds, differences, passages_of, uncovered
from engine.compare.json_form import _versions
from engine.compare.model import Differences
from engine.compare.pairs import NearestSentences
from engine.compare.read_document import ReadDocument, sentences_of
from engine.compare.stretches import Similarities, Words
from engine.compare.versions import Change, Versions, changed_words, versions
from engine.core.errors import ConfigError
from engine.documents import Document, Section
from explorer.state.examples import EXAMPLE_PAIRS, every_example
from tests.compare.texts import GLIDERS, KITES, StandIn

ROPE = "The kite pulls a rope from a drum in each cycle of the winch. The generator is reversed before the next stroke."


STORE = "Batteries store the electric energy that the turbine has made at night. They are charged in two hours."


SENSOR = "A sensor measures the tension of the line with an accuracy of 0.5 percent. Its readings go out by radio."


CLOTH = "The wing is made of ripstop nylon and weighs four kilograms. It folds into a bag for transport by road."


SALT = "Salt water corrodes the bearings within a season unless they are sealed with wax."


OTHER_SENSOR = "One sensor gauges the tension of this line to an accuracy of 0.5 percent. Readings are sent by radio."


def document(*sections: str, id_: str = "draft") -> Document:
    held = tuple(Section(f"Part {number}", text) for number, text in enumerate(sections, 1))
    return Document(id_, "paper", "Kites", sections=held)


def text(one: Document, words: Words) -> Text:
    sentences, _, telling = sentences_of(one, words)
    return Text(one, sentences, np.ones(len(sentences), np.bool_), telling)


def changed(old: Document, new: Document, words: Words) -> Versions:
    a, b = text(old, words), text(new, words)
    return versions(a, b, Similarities(a.sentences, b.sentences))


def only(found: Versions) -> Change:
    (change,) = found.changes
    return change


def test_the_same_text_changes_nothing(words: Words) -> None:
    found = changed(document(ROPE, STORE), document(ROPE, STORE, id_="again"), words)
    assert found.changes == () and found.share("new") == 0


def test_an_added_sentence_is_new_with_the_nearest_of_the_old_beside_it(words: Words) -> None:
    found = changed(document(ROPE, STORE), document(f"{ROPE} {SALT}", STORE), words)
    change = only(found)
    assert (change.kind, change.new and change.new.text, change.old) == ("new", SALT, None)
    assert change.nearest is not None and change.nearest.text in f"{ROPE} {STORE}"
    assert found.share("new") == round(change.words / found.new_words, 4)


def test_a_dropped_passage_is_told_of_the_old_text(words: Words) -> None:
    change = only(changed(document(ROPE, STORE, SENSOR), document(ROPE, SENSOR), words))
    assert (change.kind, change.old and change.old.text, change.new) == ("dropped", STORE, None)


def test_a_passage_in_another_place_is_moved_and_not_new(words: Words) -> None:
    old, new = document(ROPE, STORE, SENSOR), document(f"{STORE} {SENSOR}", ROPE)
    change = only(changed(old, new, words))
    assert change.kind == "moved" and change.new is not None and change.old is not None
    assert change.new.text == change.old.text == ROPE


def test_a_passage_in_another_section_is_moved_though_the_order_stays(words: Words) -> None:
    old = document(f"{ROPE} {STORE} {SENSOR}", f"{CLOTH} {SALT}")
    change = only(changed(old, document(f"{ROPE} {STORE}", f"{SENSOR} {CLOTH} {SALT}"), words))
    assert change.kind == "moved" and change.new is not None and change.new.text == SENSOR


def test_a_section_cut_in_two_moves_nothing(words: Words) -> None:
    assert changed(document(f"{ROPE} {STORE}"), document(ROPE, STORE), words).changes == ()


def test_other_words_in_the_same_place_are_rewritten(words: Words) -> None:
    change = only(changed(document(ROPE, SENSOR, CLOTH), document(ROPE, OTHER_SENSOR, CLOTH), words))
    assert change.kind == "rewritten" and change.old is not None and change.new is not None
    assert (change.old.text, change.new.text) == (SENSOR, OTHER_SENSOR)


@pytest.mark.parametrize("number", ["0.7", "0.51"])
def test_another_number_is_a_rewritten_sentence(words: Words, number: str) -> None:
    change = only(changed(document(ROPE, SENSOR), document(ROPE, SENSOR.replace("0.5", number)), words))
    assert change.kind == "rewritten" and change.old is not None
    assert change.old.text == SENSOR.partition(" Its")[0]


def test_hyphens_spaces_and_marks_are_no_change(words: Words) -> None:
    spelt = ROPE.replace("generator", "gen- erator").replace(" of the ", "  of\nthe ")
    assert changed(document(ROPE, STORE), document(spelt, STORE), words).changes == ()


def test_rows_of_numbers_are_unchanged_where_they_are_the_same(words: Words) -> None:
    rows = "12 13. 14 15."
    assert changed(document(ROPE, rows), document(ROPE, rows), words).changes == ()


def test_a_sentence_cut_in_two_is_rewritten_whole(words: Words) -> None:
    one = "The kite pulls a rope from a drum in each cycle, and the generator is reversed before the next stroke."
    two = "The kite pulls a rope from a drum in each cycle. The generator is reversed before the next stroke."
    found = changed(document(STORE, one, CLOTH), document(STORE, two, CLOTH), words)
    assert [change.kind for change in found.changes] == ["rewritten"]
    assert only(found).new is not None and only(found).new.text == two  # type: ignore[union-attr]


def test_what_is_left_out_of_either_text_is_no_change(words: Words) -> None:
    a, b = text(document(ROPE, STORE), words), text(document(f"{ROPE} {SALT}", STORE), words)
    b.kept[[chunk.text == SALT for chunk in b.sentences.chunks]] = False
    assert versions(a, b, Similarities(a.sentences, b.sentences)).changes == ()


def test_changes_stand_in_the_order_of_the_new_text(words: Words) -> None:
    old, new = document(ROPE, STORE, SENSOR, CLOTH), document(f"{SALT} {ROPE}", OTHER_SENSOR, CLOTH)
    found = changed(old, new, words)
    assert [change.kind for change in found.changes] == ["new", "dropped", "rewritten"]
    value = _versions(found)
    assert set(value["shares"]) == {"new", "rewritten", "moved", "dropped"}
    assert [one["kind"] for one in value["changes"]] == ["new", "dropped", "rewritten"]


def test_an_empty_version_is_all_dropped_or_all_new(words: Words) -> None:
    full, empty = document(ROPE), Document("empty", "paper", "Kites")
    assert {change.kind for change in changed(full, empty, words).changes} == {"dropped"}
    assert {change.kind for change in changed(empty, full, words).changes} == {"new"}


def test_every_sentence_is_in_at_most_one_change(words: Words) -> None:
    old = document(ROPE, f"{STORE} {SENSOR}", CLOTH)
    new = document(CLOTH, f"{SALT} {OTHER_SENSOR}", f"{ROPE} {STORE}")
    found = changed(old, new, words)
    for side in ("old", "new"):
        held = sorted((c.part, c.start, c.stop) for one in found.changes if (c := getattr(one, side)) is not None)
        assert all(a[0] != b[0] or a[2] <= b[1] for a, b in pairwise(held))


def test_changed_words_are_told_and_the_pieces_are_the_text() -> None:
    old, new = "The sensor measures 0.5 percent.", "The sensor gauges 0.7 percent."
    pieces = list(changed_words(new, old))
    assert "".join(piece for piece, _ in pieces) == new
    assert [piece.strip() for piece, is_changed in pieces if is_changed] == ["gauges 0.7"]


@pytest.mark.parametrize("name", ["covers", "in_place", "elsewhere", "same_words"])
def test_a_threshold_that_no_match_can_be_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match=f"{name} must be above 0 and at most 1, got 1.5"):
        Thresholds(**{name: 1.5})


def test_sentences_that_differ_in_a_number_alone_are_those_with_the_same_number(words: Words) -> None:
    said = [f"The bearing {n} holds the shaft of wheel number {3 * n} against the lower frame." for n in range(12)]
    found = changed(document(" ".join(said)), document(" ".join(said[4:9]), id_="again"), words)
    assert {change.kind for change in found.changes} == {"dropped"}
    dropped = [change.old.text for change in found.changes if change.old]
    assert dropped == [" ".join(said[:4]), " ".join(said[9:])]


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
    assert list(value) == ["a", "b", "same", "versions"]
    for passage in value["a"]["passages"]:  # type: ignore[index]
        part = next(p for p in KITES.parts if p.title == passage["section"])
        assert part.text[passage["start"] : passage["stop"]] == passage["text"]


def test_numbers_and_function_words_alone_say_nothing_that_could_be_missed(words: Words) -> None:
    numbers = text(document("1 2 3 4 5. It is what it is. 10 11 12."), words)
    assert found(numbers, numbers).a.passages == found(numbers, text(document(ROPE), words)).a.passages == ()


WEAK = "The drum is held by two bearings and turns with the rope. A camera on the mast counts the gulls at the wing."
"""Near to ROPE, with other words and another subject, as papers of one field are."""


@pytest.mark.parametrize(
    "others", [(ROPE, WEAK), (WEAK, CLOTH), (OTHER_SENSOR, WEAK), (SALT, ROPE), tuple(f"{WEAK} {SENSOR}".split(". "))]
)
def test_no_sentence_is_both_in_a_match_and_said_alone(words: Words, others: tuple[str, ...]) -> None:
    a, b = document(ROPE, STORE, SENSOR, CLOTH, SALT), document(*others, id_="other")
    found = compare(*(ReadDocument.read(one, StandIn(), words) for one in (a, b)))
    for side, alone in (("a", found.differences.a), ("b", found.differences.b)):
        for match in (getattr(one, side) for one in found.passages):
            for missing in (one.passage for one in alone.passages):
                assert match.part != missing.part or match.stop <= missing.start or missing.stop <= match.start


def test_what_reads_as_the_same_or_closely_related_is_close_and_not_missing() -> None:
    shown = [read_input(str(every_example()[name].path)).document for name in astuple(EXAMPLE_PAIRS[0])[:2]]
    found = compare(*(ReadDocument.read(one, StandIn(), Words.shipped()) for one in shown))
    for side in (found.differences.a, found.differences.b):
        assert side.close.passages and side.alone.passages and side.alone.words + side.close.words == side.words
        assert all(one.reading is None or one.reading.rank > 1 for one in side.alone.passages)
        assert all(one.reading is not None and one.reading.rank <= 1 for one in side.close.passages)


def test_one_sentence_of_the_same_words_is_a_match_also_among_strangers(words: Words) -> None:
    lone = "Salt water corrodes these bearings within a season unless they are sealed with wax."
    a, b = document(f"{STORE} {SALT} {CLOTH}"), document(f"{KITES.sections[0].text} {lone} {SENSOR}", id_="other")
    found = compare(*(ReadDocument.read(one, StandIn(), words) for one in (a, b)))
    assert (found.passages[0].a.text, found.passages[0].b.text) == (SALT, lone)
    assert not any(SALT in one.passage.text for one in found.differences.a.passages)


def test_every_pair_that_is_listed_has_its_word(words: Words) -> None:
    a, b = document(ROPE, STORE, SENSOR), document(OTHER_SENSOR, WEAK, id_="other")
    found = compare(*(ReadDocument.read(one, StandIn(), words) for one in (a, b)))
    assert found.passages and all(one.reading is not None for one in found.passages)
    missed = [one for side in (found.differences.a, found.differences.b) for one in side.passages if one.nearest]
    assert missed and all(one.reading is not None and one.sentence is not None for one in missed)
    assert all(one.sentence.text in one.passage.text for one in missed if one.sentence is not None)


def test_the_nearest_of_a_claim_stand_in_the_order_of_their_words(kites: ReadDocument, patent: ReadDocument) -> None:
    found = compare(kites, patent).claims
    assert found and any(len(one.passages) > 1 for one in found)
    for element in found:
        ranks = [passage.reading.rank for passage in element.passages if passage.reading is not None]
        assert ranks == sorted(ranks) and len(ranks) == len(element.passages)


def test_a_comparison_says_which_part_of_each_text_its_word_reads(words: Words) -> None:
    long = document(" ".join([f"{ROPE} {STORE} {SENSOR}"] * 10))
    short = document(ROPE, id_="other")
    read = {one.id + str(n): ReadDocument.read(one, StandIn(), words) for n, one in enumerate((long, short))}
    other = ReadDocument.read(
        document(" ".join([ROPE, STORE, SENSOR, CLOTH, WEAK, SALT]), id_="third"), StandIn(), words
    )
    both, apart = compare(*[read["draft0"]] * 2), compare(read["draft0"], other)
    assert both.read_part("A", "B") == "by their beginnings, the first 400 words of each"
    assert apart.read_part("A", "B") == "by the first 400 words of A and all of B"
    assert apart.transposed().read_part("A", "B") == "by the first 400 words of B and all of A"
    whole = compare(*[read["other1"]] * 2)
    assert whole.read_part("A", "B") == "by both texts whole"


def test_a_short_text_is_read_with_as_much_of_a_long_one(words: Words) -> None:
    long = document(" ".join([STORE, SENSOR, CLOTH] * 10), f"{STORE} {SALT} {ROPE} {SENSOR}")
    short, far = document(SALT, id_="short"), document("Choirs sing in chapels on feast days.", id_="far")
    whole, one, other = (ReadDocument.read(some, StandIn(), words) for some in (long, short, far))
    for found, names in ((compare(one, whole), "AB"), (compare(whole, one), "BA")):
        part = found.near_part
        assert part is not None and part.text == SALT == long.parts[part.part].text[part.start : part.stop]
        assert found.nearness.word == "says the same" and found.nearness.level == "passage"
        count = len(SALT.split())
        told = f"by all of {names[0]} and the part of {names[1]} that is nearest to it, {count} words ({part.place})"
        assert found.read_part("A", "B") == told
        assert as_json(found)["document"]["near_part"]["text"] == SALT
    assert compare(other, whole).near_part is None
    assert compare(other, whole).read_part("A", "B") == "by the first 400 words of B and all of A"
