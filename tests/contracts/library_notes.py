"""What a person keeps of a library's documents, over every store: notes, tags, collections, reviews, grades."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from engine.core.errors import LibraryError, UnknownDocumentError
from engine.documents import Document, Identifier, Section
from engine.library.annotations import Annotation
from engine.library.collections import Collections
from engine.library.filters import Filters
from engine.library.screening import Decision, Reviews, Screened
from engine.library.store import Library
from tests.library.records import BOX, DELTA, SLED


def found(library: Library, line: str) -> list[str]:
    return library.ids(Filters(lines=(line,)))


WRITTEN = Annotation(("wind",), "Holds in gusts.", True)


def written(library: Library, id_: str) -> tuple[Annotation, str]:
    (screened,) = library.screening.of([id_])
    return library.annotations.of([id_])[0], screened.reason if screened else ""


QUERY = Document(
    "draft",
    "paper",
    "Kites in gusts",
    "How a kite flies.",
    (Section("Method", "We tie it."),),
    year=2020,
    categories=("cs.RO",),
)


OTHER = Document("q2", "query", abstract="reels")


GATHERED = [
    Document(f"p{number}", "paper", f"Stable flight of {shape} kites in gusty coastal wind", "They flew.", year=2015)
    for number, shape in enumerate(("box", "delta", "diamond", "sled", "rotor"))
]


class NotesContract:
    @pytest.fixture
    def flown(self, library: Library) -> Library:
        library.add_file("k1", "kites.jsonl", [BOX, DELTA, SLED])
        return library

    def test_what_was_written_is_there_after_reopening(self, folder: Path) -> None:
        with Library.open(folder, create=True) as library:
            library.add_file("k1", "kites.jsonl", [BOX, DELTA, SLED])
            assert library.annotations.of([BOX.id]) == [Annotation()]
            assert library.annotations.tag([BOX.id, SLED.id], "  to   Read ") == 2
            assert library.annotations.tag([BOX.id], "TO READ") == 0
            assert library.annotations.tag([DELTA.id], "to read") == 1
            assert library.annotations.note([BOX.id], "Holds in  gusts.\r\nSee figure 3. ") == 1
            assert library.annotations.mark_read([BOX.id, DELTA.id], True) == 2
        with Library.open(folder) as library:
            box, delta, sled = library.annotations.of([BOX.id, DELTA.id, SLED.id])
            assert box == Annotation(("to Read",), "Holds in gusts.\nSee figure 3.", True)
            assert (delta, sled) == (Annotation(("to Read",), "", True), Annotation(("to Read",)))
            assert library.annotations.tags() == {"to Read": 3}

    def test_what_was_written_is_taken_away(self, flown: Library) -> None:
        flown.annotations.tag([BOX.id], "wind")
        flown.annotations.note([BOX.id], "Holds.")
        flown.annotations.mark_read([BOX.id], True)
        assert flown.annotations.untag([BOX.id, SLED.id], "Wind") == 1
        assert flown.annotations.note([BOX.id], "Holds.") == 0
        assert flown.annotations.note([BOX.id, SLED.id], " \n ") == 1
        assert flown.annotations.mark_read([BOX.id, SLED.id], False) == 1
        assert flown.annotations.of([BOX.id]) == [Annotation()]
        assert flown.annotations.tags() == {}

    @pytest.mark.parametrize("tag", ["", "  ", "x" * (Annotation.MAX_TAG + 1), 'say "kite"', "kite*"])
    def test_a_tag_that_no_line_could_ask_for_is_refused(self, flown: Library, tag: str) -> None:
        with pytest.raises(LibraryError, match=r"Expected a tag of 1 to 60 characters .* Choose another tag\."):
            flown.annotations.tag([BOX.id], tag)

    def test_a_note_that_is_too_long_is_refused(self, flown: Library) -> None:
        with pytest.raises(LibraryError, match=r"Expected a note of at most 20,000 characters, got 20,001"):
            flown.annotations.note([BOX.id], "x" * (Annotation.MAX_NOTE + 1))

    def test_what_is_not_held_gets_no_tag_and_nothing_else_does(self, flown: Library) -> None:
        with pytest.raises(UnknownDocumentError, match="holds none with the id 'p9'"):
            flown.annotations.tag([BOX.id, "p9"], "wind")
        assert flown.annotations.tags() == {}

    def test_lines_find_tags_notes_and_read_documents(self, flown: Library) -> None:
        flown.annotations.tag([BOX.id], "Méthode du vent")
        flown.annotations.tag([DELTA.id], "method")
        flown.annotations.note([SLED.id], "Über 100% der Böen_tests, sagt Gale")
        flown.annotations.mark_read([DELTA.id], True)
        assert found(flown, 'tag:"méthode du vent"') == [BOX.id]
        assert found(flown, "tag:method") == found(flown, "tag:meth*") == [DELTA.id]
        assert found(flown, "tag:*") == [BOX.id, DELTA.id]
        assert found(flown, "note:uber") == found(flown, "note:bo*") == found(flown, 'note:"100 der boen"') == [SLED.id]
        assert found(flown, "note:bo") == found(flown, 'note:"der 100"') == []
        assert found(flown, "read:yes") == [DELTA.id]
        assert found(flown, "read:no NOT note:gale") == [BOX.id]
        assert found(flown, "tag:method OR note:gale OR author:nobody") == [DELTA.id, SLED.id]

    def test_a_change_grows_the_version_and_a_repetition_does_not(self, flown: Library) -> None:
        versions = [flown.annotations.version()]
        for _ in range(2):
            flown.annotations.tag([BOX.id], "wind")
            flown.annotations.note([BOX.id], "Holds.")
            flown.annotations.mark_read([BOX.id], True)
            flown.screening.decide([BOX.id], "excluded", "Too short")
            versions.append(flown.annotations.version())
        assert versions[0] < versions[1] == versions[2]

    def test_facets_count_again_when_a_tag_that_a_line_asks_for_is_given(self, flown: Library) -> None:
        filters = Filters(lines=("tag:wind",))
        assert flown.facets(filters).total == 0
        flown.annotations.tag([BOX.id], "wind")
        assert flown.facets(filters).total == 1

    def test_a_file_that_is_imported_again_changes_nothing_that_was_written(self, flown: Library) -> None:
        flown.annotations.note([BOX.id], "Holds.")
        flown.add_file("k1", "kites.jsonl", [BOX])
        flown.add_file("k2", "copy.jsonl", [replace(BOX, id="copy")])
        assert flown.annotations.of([BOX.id, "copy"]) == [Annotation(note="Holds.")] * 2

    def test_a_reference_that_gets_its_paper_keeps_its_note(self, library: Library) -> None:
        bare = replace(BOX, id="gale2015", abstract="", sections=())
        library.add_file("k1", "list.bib", [bare])
        library.annotations.note([bare.id], "Get the paper.")
        assert library.add_file("k2", "paper.pdf", [BOX]).completed == 1
        assert library.get([bare.id])[0].sections
        assert found(library, "note:paper beach") == [bare.id]

    def test_a_tag_is_renamed_everywhere(self, flown: Library) -> None:
        flown.annotations.tag([BOX.id, DELTA.id], "To read")
        flown.annotations.tag([SLED.id], "Later")
        flown.remove([DELTA.id])
        assert flown.annotations.rename_tag("to READ", "Read soon") == 2
        assert flown.annotations.tags() == {"Later": 1, "Read soon": 1}
        flown.add_file("again", "again.ris", [DELTA])
        assert flown.annotations.of([DELTA.id])[0].tags == ("Read soon",)
        assert flown.annotations.rename_tag("read soon", "READ SOON") == 2
        assert flown.annotations.tags() == {"Later": 1, "READ SOON": 2}

    def test_a_tag_is_taken_in_by_another(self, flown: Library) -> None:
        flown.annotations.tag([BOX.id, DELTA.id], "wind")
        flown.annotations.tag([DELTA.id, SLED.id], "Gusts")
        assert flown.annotations.rename_tag("wind", "gusts") == 2
        assert flown.annotations.tags() == {"Gusts": 3}
        assert flown.ids(Filters(lines=("tag:wind",))) == []

    def test_what_cannot_be_renamed_is_said(self, flown: Library) -> None:
        with pytest.raises(LibraryError, match="Expected a tag that a document has, got 'wind'"):
            flown.annotations.rename_tag("wind", "gusts")
        flown.annotations.tag([BOX.id], "wind")
        with pytest.raises(LibraryError, match="Expected a tag of 1 to 60 characters"):
            flown.annotations.rename_tag("wind", "gust*")

    @pytest.fixture
    def removed(self, library: Library) -> Library:
        """A library whose only document was removed after it was noted and screened."""
        library.add_file("k1", "kites.jsonl", [BOX])
        library.annotations.tag([BOX.id], "wind")
        library.annotations.note([BOX.id], WRITTEN.note)
        library.annotations.mark_read([BOX.id], True)
        library.screening.decide([BOX.id], "excluded", "Too short")
        library.remove([BOX.id])
        return library

    def test_while_it_is_away_nothing_of_it_is_counted_or_found(self, removed: Library) -> None:
        removed.add_file("k2", "delta.jsonl", [DELTA])
        assert removed.annotations.tags() == {}
        assert removed.ids(Filters(lines=("tag:wind OR note:gusts OR read:yes OR screen:excluded",))) == []
        assert removed.screening.flow().excluded == 0
        assert removed.annotations.of_removed() == 1

    @pytest.mark.parametrize(
        "again",
        [
            lambda: BOX,
            lambda: replace(BOX, id="doi:10.1/box"),
            lambda: replace(BOX, id="gale2015", abstract="", sections=()),
            lambda: replace(BOX, title="", sections=()),
        ],
        ids=["the same file", "another id", "a bare reference", "the same id without a title"],
    )
    def test_the_same_work_gets_it_back(self, removed: Library, again: Callable[[], Document]) -> None:
        document = again()
        removed.add_file("k1", "kites.jsonl", [DELTA, document])
        assert written(removed, document.id) == (WRITTEN, "Too short")
        assert written(removed, DELTA.id) == (Annotation(), "")
        assert removed.annotations.of_removed() == 0

    def test_a_number_that_names_the_work_is_enough(self, library: Library) -> None:
        known = Document("doi:10.1/box", title="Box kites", identifiers=(Identifier("doi", "10.1/box"),))
        library.add_file("k1", "one.ris", [known])
        library.annotations.note([known.id], "Holds.")
        library.remove_file("k1")
        library.add_file("k2", "two.ris", [replace(known, abstract="They flew.")])
        assert library.annotations.of([known.id]) == [Annotation(note="Holds.")]

    def test_another_work_under_the_same_id_gets_nothing(self, removed: Library) -> None:
        removed.add_file("k2", "other.jsonl", [replace(DELTA, id=BOX.id)])
        assert written(removed, BOX.id) == (Annotation(), "")
        assert removed.annotations.of_removed() == 1

    def test_it_comes_back_whenever_the_work_does(self, removed: Library) -> None:
        for key in ("k2", "k3"):
            removed.add_file(key, "kites.jsonl", [BOX])
            assert written(removed, BOX.id) == (WRITTEN, "Too short")
            removed.remove_file(key)

    def test_it_can_be_forgotten_to_the_last_word(self, removed: Library) -> None:
        assert removed.annotations.forget_removed() == 1
        assert removed.annotations.of_removed() == 0
        removed.add_file("k2", "kites.jsonl", [BOX])
        assert written(removed, BOX.id) == (Annotation(), "")

    def test_a_library_without_judgements_has_none(self, library: Library) -> None:
        assert (len(library.judgements), library.judgements.queries(), library.judgements.grades(QUERY)) == (0, [], {})
        library.judgements.take_back(QUERY, "p1")
        library.judgements.forget("no such key")
        assert len(library.judgements) == 0

    def test_grades_and_the_whole_query_are_there_after_reopening(self, folder: Path) -> None:
        with Library.open(folder, create=True) as library:
            library.judgements.judge(QUERY, "p1", 1)
            library.judgements.judge(QUERY, "p2", 0)
            library.judgements.judge(OTHER, "p1", 1)
        with Library.open(folder) as library:
            last, first = library.judgements.queries()
            assert (last.query, last.grades) == (OTHER, {"p1": 1})
            assert (first.query, first.grades) == (QUERY, {"p1": 1, "p2": 0})
            assert first.when < last.when
            assert library.judgements.grades(QUERY) == {"p1": 1, "p2": 0}
            assert len(library.judgements) == 3

    def test_a_query_whose_kind_was_corrected_is_kept_as_it_was_judged_last(self, library: Library) -> None:
        library.judgements.judge(QUERY, "p1", 1)
        corrected = replace(QUERY, kind="patent", year=1898)
        library.judgements.judge(corrected, "p2", 0)
        (judged,) = library.judgements.queries()
        assert (judged.query, judged.grades) == (corrected, {"p1": 1, "p2": 0})

    def test_a_later_grade_takes_the_place_of_an_earlier_one(self, library: Library) -> None:
        library.judgements.judge(QUERY, "p1", 1)
        library.judgements.judge(QUERY, "p1", 0)
        assert library.judgements.grades(QUERY) == {"p1": 0}

    def test_what_is_taken_back_is_gone_and_the_query_with_its_last_grade(self, library: Library) -> None:
        library.judgements.judge(QUERY, "p1", 1)
        library.judgements.judge(QUERY, "p2", 1)
        library.judgements.take_back(QUERY, "p1")
        assert library.judgements.grades(QUERY) == {"p2": 1}
        library.judgements.take_back(QUERY, "p2")
        assert library.judgements.queries() == []

    def test_a_query_is_forgotten_whole(self, library: Library) -> None:
        library.judgements.judge(QUERY, "p1", 1)
        library.judgements.judge(OTHER, "p1", 1)
        library.judgements.forget(library.judgements.queries()[1].key)
        assert [judged.query.id for judged in library.judgements.queries()] == ["q2"]

    def test_a_corrected_query_is_another_one(self, library: Library) -> None:
        library.judgements.judge(QUERY, "p1", 1)
        assert library.judgements.grades(replace(QUERY, title="Kites in storms")) == {}

    def test_a_grade_of_another_scale_is_refused(self, library: Library) -> None:
        with pytest.raises(LibraryError, match=r"Expected the grade 1 \(relevant\) or 0 \(not relevant\), got 3"):
            library.judgements.judge(QUERY, "p1", 3)  # type: ignore[arg-type]

    @pytest.fixture
    def gathered(self, folder: Path) -> Iterator[Library]:
        with Library.open(folder, create=True) as opened:
            opened.add_file("k1", "five.jsonl", GATHERED)
            yield opened

    def test_a_library_without_collections_has_none(self, gathered: Library) -> None:
        kept = gathered.collections
        assert (kept.counts(), kept.holding(["p1"]), kept.version()) == ({}, {}, "0")
        assert gathered.ids(Filters(collections=frozenset({"Kites"}))) == []
        with pytest.raises(
            LibraryError, match="Expected the name of a collection, got 'Kites'; the library has none yet"
        ):
            kept.ids("Kites")

    def test_documents_are_there_after_reopening_in_the_order_they_came(self, folder: Path) -> None:
        with Library.open(folder, create=True) as gathered:
            gathered.add_file("k1", "five.jsonl", GATHERED)
            assert gathered.collections.add("To read", ["p3"]) == 1
            assert gathered.collections.add("to  read ", ["p1", "p3"]) == 1
            gathered.collections.add("Claims", [])
        with Library.open(folder) as gathered:
            assert gathered.collections.counts() == {"Claims": 0, "To read": 2}
            assert gathered.collections.ids("TO READ") == ["p3", "p1"]
            assert gathered.collections.holding(["p1", "p2", "p3"]) == {"To read": 2}

    def test_a_document_taken_out_leaves_and_the_collection_stays(self, gathered: Library) -> None:
        gathered.collections.add("Kites", ["p1", "p2"])
        before = gathered.collections.version()
        assert gathered.collections.take_out("Kites", ["p2", "p4"]) == 1
        assert gathered.collections.take_out("kites", ["p1"]) == 1
        assert gathered.collections.counts() == {"Kites": 0}
        assert gathered.collections.version() != before
        assert gathered.get(["p1"]) == [GATHERED[1]]

    def test_a_folded_duplicate_stands_for_what_it_is_folded_into(self, gathered: Library) -> None:
        copy = replace(GATHERED[2], id="copy-of-p2")
        assert gathered.add_file("k2", "copy.jsonl", [copy]).folded == 1
        gathered.collections.add("Kites", ["copy-of-p2"])
        assert gathered.collections.ids("Kites") == ["p2"]
        assert gathered.collections.add("Kites", ["p2"]) == 0
        assert gathered.collections.holding(["copy-of-p2"]) == {"Kites": 1}
        assert gathered.collections.take_out("Kites", ["copy-of-p2"]) == 1

    def test_what_is_not_held_cannot_be_kept_and_nothing_else_is(self, gathered: Library) -> None:
        with pytest.raises(UnknownDocumentError, match="holds none with the id 'p9'"):
            gathered.collections.add("Kites", ["p1", "p9"])
        assert gathered.collections.counts() == {}

    def test_a_collection_is_renamed_and_only_to_a_free_name(self, gathered: Library) -> None:
        gathered.collections.add("Kites", ["p1"])
        gathered.collections.add("Reels", ["p2"])
        with pytest.raises(
            LibraryError, match="a name that no collection has, got 'reels'; there is one called 'Reels'"
        ):
            gathered.collections.rename("Kites", "reels")
        version = gathered.collections.version()
        gathered.collections.rename("Kites", "KITES")
        assert gathered.collections.counts() == {"KITES": 1, "Reels": 1}
        gathered.collections.rename("kites", "Box kites")
        assert gathered.collections.ids("Box kites") == ["p1"]
        assert gathered.collections.version() != version

    def test_a_collection_is_deleted_and_its_documents_stay(self, gathered: Library) -> None:
        gathered.collections.add("Kites", ["p1"])
        gathered.collections.add("Reels", ["p1"])
        gathered.collections.delete("Kites")
        assert gathered.collections.counts() == {"Reels": 1}
        assert len(gathered) == len(GATHERED)
        with pytest.raises(LibraryError, match="got 'Kites'; the library has Reels"):
            gathered.collections.delete("Kites")

    @pytest.mark.parametrize("name", ["", "  \n", "x" * (Collections.MAX_NAME + 1), "a\x00b", "turned \u202e round"])
    def test_a_name_must_be_seen_and_short(self, gathered: Library, name: str) -> None:
        with pytest.raises(
            LibraryError, match=f"a collection's name of 1 to {Collections.MAX_NAME} visible characters"
        ):
            gathered.collections.add(name, ["p1"])
        gathered.collections.add("Kites", [])
        with pytest.raises(LibraryError, match="visible characters"):
            gathered.collections.rename("Kites", name)

    def test_collections_limit_what_is_asked_for(self, gathered: Library) -> None:
        gathered.collections.add("Kites", ["p3", "p1"])
        gathered.collections.add("Reels", ["p2"])
        asked = [frozenset({"kites"}), frozenset({"Kites", "Reels"}), frozenset({"Kites", "none"}), frozenset({"none"})]
        found = [gathered.ids(Filters(collections=names)) for names in asked]
        assert found == [["p1", "p3"], ["p1", "p2", "p3"], ["p1", "p3"], []]
        assert gathered.ids(Filters(kinds=frozenset({"patent"}), collections=frozenset({"Kites"}))) == []

    @pytest.fixture
    def records(self, library: Library) -> Library:
        """Three documents of five records: the first file repeats one, the second brings one again."""
        library.add_file("k1", "first.ris", [BOX, DELTA, replace(DELTA, id="delta again")])
        library.add_file("k2", "second.ris", [SLED, replace(BOX, id="box again")])
        return library

    def test_a_decision_replaces_the_one_before(self, records: Library) -> None:
        assert records.screening.of([BOX.id]) == [None]
        assert records.screening.decide([BOX.id, DELTA.id], "excluded", "Wrong  wind") == 2
        assert records.screening.decide([BOX.id], "excluded", "wrong WIND") == 0
        assert records.screening.decide([DELTA.id], "included") == 1
        box, delta = records.screening.of(["box again", DELTA.id])
        assert box is not None and (box.decision, box.reason) == ("excluded", "Wrong wind")
        assert delta is not None and (delta.decision, delta.reason) == ("included", "")
        assert records.screening.take_back([BOX.id, SLED.id]) == 1
        assert records.screening.of([BOX.id]) == [None]

    def test_reasons_come_most_given_first(self, records: Library) -> None:
        records.screening.decide([BOX.id], "excluded", "No kite")
        records.screening.decide([DELTA.id, SLED.id], "excluded", "Wrong wind")
        assert records.screening.reasons() == ["Wrong wind", "No kite"]

    @pytest.mark.parametrize(
        ("decision", "reason", "said"),
        [
            ("maybe", "", "Expected a decision, included or excluded, got 'maybe'"),
            ("included", "It flies", "for what is excluded, got 8 for what is included"),
            (
                "excluded",
                "x" * (Screened.MAX_REASON + 1),
                "Expected a reason of at most 200 characters for what is excluded, got 201",
            ),
        ],
    )
    def test_what_is_no_decision_is_refused(self, records: Library, decision: str, reason: str, said: str) -> None:
        with pytest.raises(LibraryError, match=said):
            records.screening.decide([BOX.id], cast(Decision, decision), reason)

    def test_a_decision_on_what_is_not_held_is_none(self, records: Library) -> None:
        with pytest.raises(UnknownDocumentError):
            records.screening.decide([BOX.id, "p9"], "included")
        assert records.screening.flow().screened == 0

    def test_the_undecided_come_one_after_the_other_and_then_from_the_front(self, records: Library) -> None:
        assert records.screening.next() == BOX.id
        records.screening.decide([BOX.id], "included")
        assert records.screening.next() == DELTA.id
        assert records.screening.next(after=DELTA.id) == SLED.id
        assert records.screening.next(after=SLED.id) == DELTA.id
        assert records.screening.next(Filters(lines=("sled",))) == SLED.id
        records.screening.decide([SLED.id], "excluded")
        assert records.screening.next(after=DELTA.id) is None
        records.screening.decide([DELTA.id], "excluded")
        assert records.screening.next() is None

    def test_the_flow_adds_up(self, records: Library) -> None:
        records.screening.decide([BOX.id], "excluded", "Wrong wind")
        records.screening.decide([SLED.id], "excluded")
        flow = records.screening.flow()
        assert (flow.identified, flow.duplicates, flow.documents) == (5, 2, 3)
        assert (flow.screened, flow.excluded, flow.included, flow.undecided) == (2, 2, 0, 1)
        assert flow.reasons == {"": 1, "Wrong wind": 1}

    def test_the_flow_of_some_documents_counts_their_records(self, records: Library) -> None:
        records.screening.decide([BOX.id], "included")
        first = records.screening.flow(Filters(files=frozenset({"first.ris"})))
        assert (first.identified, first.duplicates, first.included, first.undecided) == (3, 1, 1, 1)
        delta = records.screening.flow(Filters(lines=("delta",)))
        assert (delta.identified, delta.duplicates, delta.undecided) == (2, 1, 1)
        assert records.screening.flow(Filters(lines=("glider",))).identified == 0

    def test_a_removed_document_leaves_the_flow(self, records: Library) -> None:
        records.screening.decide([DELTA.id], "included")
        records.remove([DELTA.id])
        flow = records.screening.flow()
        assert (flow.identified, flow.duplicates, flow.included, flow.undecided) == (3, 1, 0, 2)

    def test_lines_find_decisions(self, records: Library) -> None:
        records.screening.decide([BOX.id], "included")
        records.screening.decide([DELTA.id], "excluded")
        found = {
            line: records.ids(Filters(lines=(f"screen:{line}",))) for line in ("Included", "excluded", "undecided")
        }
        assert found == {"Included": [BOX.id], "excluded": [DELTA.id], "undecided": [SLED.id]}

    @pytest.fixture
    def reviewed(self, library: Library) -> Library:
        library.add_file("k1", "reviewed.ris", [BOX, DELTA, SLED])
        library.screening.decide([BOX.id, DELTA.id], "excluded", "Wrong wind")
        library.reviews.make("Beach  flights")
        return library

    def test_each_review_decides_for_itself(self, reviewed: Library) -> None:
        beach = reviewed.screening.in_review("beach flights")
        assert beach.flow().undecided == 3 and beach.reasons() == [] and beach.next() == BOX.id
        beach.decide([BOX.id], "included")
        beach.decide([SLED.id], "excluded", "No beach")
        assert [one and one.decision for one in beach.of([BOX.id, DELTA.id, SLED.id])] == ["included", None, "excluded"]
        assert (beach.flow().included, beach.flow().reasons) == (1, {"No beach": 1})
        assert beach.reasons() == ["No beach"] and beach.next() == DELTA.id
        first = reviewed.screening
        assert (first.flow().included, first.flow().reasons, first.next()) == (0, {"Wrong wind": 2}, SLED.id)
        assert first.take_back([SLED.id]) == 0 and reviewed.reviews.counts() == {"Review 1": 2, "Beach flights": 2}

    def test_rows_and_lines_show_the_decisions_of_one_review(self, reviewed: Library) -> None:
        reviewed.screening.in_review("Beach flights").decide([SLED.id], "included")
        shown = {
            name: [row.screened and row.screened.decision for row in reviewed.listing.in_review(name).page()]
            for name in ("", "Beach flights")
        }
        assert shown == {"": ["excluded", "excluded", None], "Beach flights": [None, None, "included"]}
        asked = {
            "screen:excluded": [BOX.id, DELTA.id],
            'screen:"Review 1/undecided"': [SLED.id],
            'screen:"beach flights/included"': [SLED.id],
            'screen:"Beach flights/undecided" delta': [DELTA.id],
            'screen:"unknown/included"': [],
        }
        assert {line: reviewed.ids(Filters(lines=(line,))) for line in asked} == asked
        for line, ids in asked.items():
            flow = reviewed.screening.flow(Filters(lines=(line,)))
            assert flow.documents == len(ids) == flow.screened + flow.undecided

    def test_a_review_that_goes_takes_its_decisions_along(self, reviewed: Library) -> None:
        reviewed.reviews.rename("Review 1", "Wind")
        reviewed.remove([BOX.id])
        assert reviewed.reviews.counts() == {"Wind": 1, "Beach flights": 0}
        assert reviewed.reviews.delete("wind") == 2
        assert reviewed.reviews.counts() == {"Beach flights": 0}
        reviewed.add_file("k2", "again.ris", [BOX])
        assert reviewed.screening.of([BOX.id]) == [None]  # the first review is another one now
        assert (reviewed.reviews.delete("Beach flights"), reviewed.reviews.counts()) == (0, {})

    def test_a_review_begins_when_one_begins_it_or_decides(self, library: Library) -> None:
        library.add_file("k1", "unscreened.ris", [BOX, DELTA])
        assert library.reviews.counts() == {} and library.screening.next() == BOX.id
        flow = library.screening.flow()
        assert (flow.review, flow.undecided, library.listing.page()[0].review) == ("", 2, "")
        assert library.screening.take_back([BOX.id]) == library.screening.decide([], "included") == 0
        with pytest.raises(LibraryError, match="got 'Sea'; the library has none yet"):
            library.screening.in_review("Sea").flow()
        assert library.reviews.counts() == {}
        library.screening.decide([BOX.id], "included")
        assert library.reviews.counts() == {"Review 1": 1}

    def test_a_review_of_some_documents_counts_and_shows_them_alone_in_their_order(self, reviewed: Library) -> None:
        name = reviewed.reviews.make_of([SLED.id, BOX.id], about='Which "sleds"/kites\n fly?')
        review = reviewed.screening.in_review(name)
        assert name == "Which sledskites fly?" and review.next() == SLED.id and review.next(after=SLED.id) == BOX.id
        assert review.next(after=BOX.id) == SLED.id and review.next(Filters(lines=("sled",)), after=SLED.id) is None
        assert [review.flow().undecided, review.flow().identified, reviewed.screening.flow().documents] == [2, 2, 3]
        for line, passing in {
            f'screen:"{name}/all"': [BOX.id, SLED.id],
            f'screen:"{name}/undecided" NOT box': [SLED.id],
            "screen:all": [BOX.id, DELTA.id, SLED.id],
        }.items():
            assert reviewed.ids(Filters(lines=(line,))) == passing
        review.decide([SLED.id], "included")
        assert (review.next(), review.included(5), review.flow().included) == (BOX.id, [SLED.id], 1)
        review.decide([DELTA.id], "included")  # from elsewhere: it is of the review from now on
        assert (review.flow().documents, review.included(5)) == (3, [DELTA.id, SLED.id])

    def test_the_same_documents_are_one_review_and_others_of_one_name_are_told_apart(self, reviewed: Library) -> None:
        make = reviewed.reviews.make_of
        assert make([BOX.id, SLED.id], "kites") == make([BOX.id, SLED.id], "Winds") == "kites"
        assert [make([SLED.id, BOX.id], "KITES"), make([SLED.id], "kites")] == ["KITES 2", "kites 3"]
        assert len(make([DELTA.id], "long words " * 20)) <= Reviews.MAX_NAME
        assert make([DELTA.id, BOX.id], " / ") == "Review 1 2"
        with pytest.raises(UnknownDocumentError, match="holds none with the id 'p9'"):
            make([BOX.id, "p9"], "none")
        assert "none" not in reviewed.reviews.counts()

    def test_a_review_of_some_documents_stays_so_when_they_go_and_come_back(self, reviewed: Library) -> None:
        review = reviewed.screening.in_review(reviewed.reviews.make_of([SLED.id, BOX.id], "Kites"))
        reviewed.remove([SLED.id])
        assert (review.next(), review.flow().documents) == (BOX.id, 1)
        reviewed.add_file("k2", "again.ris", [SLED])
        assert (review.next(), review.flow().documents) == (SLED.id, 2)
        reviewed.remove([SLED.id, BOX.id])
        reviewed.annotations.forget_removed()
        assert (review.next(), review.flow().documents, reviewed.screening.flow().documents) == (None, 0, 1)

    def test_a_removed_document_comes_back_with_the_decision_of_each_review(self, reviewed: Library) -> None:
        beach = reviewed.screening.in_review("Beach flights")
        beach.decide([BOX.id], "included")
        reviewed.remove([BOX.id])
        assert (beach.flow().included, reviewed.screening.flow().excluded) == (0, 1)
        reviewed.add_file("k2", "again.ris", [BOX])
        assert (beach.flow().included, reviewed.screening.flow().excluded) == (1, 2)

    @pytest.mark.parametrize("name", ["", "  ", "x" * (Reviews.MAX_NAME + 1), "a/b", 'so "called"'])
    def test_what_is_no_name_is_refused(self, reviewed: Library, name: str) -> None:
        with pytest.raises(LibraryError, match="Expected a review's name of 1 to 60 characters"):
            reviewed.reviews.make(name)

    def test_two_reviews_have_two_names(self, reviewed: Library) -> None:
        for act in (
            lambda: reviewed.reviews.make("REVIEW 1"),
            lambda: reviewed.reviews.rename("Beach flights", "review 1"),
        ):
            with pytest.raises(LibraryError, match="one is called 'Review 1'"):
                act()
        assert reviewed.reviews.rename("Beach flights", "beach flights") == "beach flights"

    def test_an_unknown_review_is_named(self, reviewed: Library) -> None:
        asked = reviewed.screening.in_review("Sea")
        for act in (asked.flow, asked.next, asked.reasons, lambda: asked.of([]), lambda: asked.decide([], "included")):
            with pytest.raises(LibraryError, match="got 'Sea'; the library has Review 1, Beach flights"):
                act()
