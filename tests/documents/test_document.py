"""Documents, their parts and their text, and what indexes remember of documents asked about often."""

from __future__ import annotations

import dataclasses
import gc
import json
from collections.abc import Collection
from pathlib import Path

import numpy as np
import pytest

from engine.documents.document import (
    Document,
    DocumentDate,
    Identifier,
    LineBox,
    PageStart,
    Placed,
    RecognisedPage,
    Reference,
    Section,
    Translation,
    as_fields,
    from_fields,
)
from engine.documents.selections import Roster, Selection, places
from engine.library import KeywordIndex
from engine.vectors import VectorIndex
from engine.vectors.binary import BinaryIndex, BinarySettings
from engine.vectors.exact import DenseIndex

PATENT = Document(
    id="US1",
    kind="patent",
    title="Car coupling",
    abstract="A coupling.",
    sections=(Section("Background", "Couplings fail."), Section("References", "[1] A book.", "references")),
    claims=("A coupling for cars.", "The coupling of claim 1."),
)


def test_parts_are_every_text_in_reading_order() -> None:
    assert [(part.title, part.role) for part in PATENT.parts] == [
        ("Title", "title"),
        ("Abstract", "abstract"),
        ("Background", "body"),
        ("References", "references"),
        ("Claim 1", "claim"),
        ("Claim 2", "claim"),
    ]


def test_text_leaves_the_reference_list_out() -> None:
    assert "Couplings fail." in PATENT.text
    assert "The coupling of claim 1." in PATENT.text
    assert "A book" not in PATENT.text


def test_a_document_without_a_title_is_named_by_its_id() -> None:
    assert PATENT.name == "Car coupling"
    assert Document("US2", "patent").name == "Untitled patent US2"


def test_an_empty_document_has_no_parts() -> None:
    assert Document("x").parts == ()
    assert Document("x").text == ""


def test_the_first_claim_is_one_that_was_not_cancelled() -> None:
    assert PATENT.first_claim == "A coupling for cars."
    assert dataclasses.replace(PATENT, claims=("", "A hook.")).first_claim == "A hook."
    assert dataclasses.replace(PATENT, claims=("",)).first_claim == Document("x").first_claim == ""


PAGED = Section("Methods", "On page two. On page three. On four.", pages=(PageStart(0, 2), PageStart(13, 3)))


def test_a_passage_of_a_scan_says_so() -> None:
    section = dataclasses.replace(PAGED, recognised=(RecognisedPage(3, 0.98),))
    on_third = next(one.start for one in section.pages if one.page == 3)
    chunk = section.chunk("x", 0, on_third, on_third + 2)
    assert (chunk.place, chunk.page_as_json) == (f"{section.title}, p. 3 (scan)", {"page": 3, "recognised": True})
    assert not section.chunk("x", 0, 0, 2).recognised


def test_a_place_in_a_section_has_a_page_where_pages_are_known() -> None:
    assert [PAGED.page_at(offset) for offset in (0, 12, 13, 99)] == [2, 2, 3, 3]
    assert Section("Methods", "A text.").page_at(0) is None
    assert Section("Methods", "A text.", pages=(PageStart(2, 5),)).page_at(1) is None


def test_a_chunk_says_where_it_stands() -> None:
    chunk = PAGED.chunk("x", 4, 13, 26)
    assert (chunk.document_id, chunk.part, chunk.text, chunk.page) == ("x", 4, "On page three", 3)
    assert chunk.place == "Methods, p. 3"
    assert chunk.page_as_json == {"page": 3}
    assert Section("", PAGED.text, pages=PAGED.pages).chunk("x", 0, 0, 2).place == "p. 2"
    assert Section("Methods", "A text.").chunk("x", 0, 0, 6).place == "Methods"
    assert Section("Methods", "A text.").chunk("x", 0, 0, 6).page_as_json == {}
    assert Section("", "A text.").chunk("x", 0, 0, 6).place == ""


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        (PAGED.text, [(0, 2), (13, 3)]),
        ("Upon page two. On page three. On four.", [(0, 2), (15, 3)]),
        ("On page two. On page three, corrected.", [(0, 2), (13, 3)]),
        ("On page two. New here. On page three. On four.", [(0, 2), (13, 3)]),
        ("On page two. And now the rest.", [(0, 2), (13, 3)]),
        ("On page", [(0, 2)]),
        ("On page. On four.", [(0, 2)]),
        ("", []),
    ],
)
def test_a_correction_keeps_the_pages_around_it(text: str, pages: list[tuple[int, int]]) -> None:
    corrected = PAGED.with_text(text)
    assert (corrected.title, corrected.text) == ("Methods", text)
    assert [tuple(start) for start in corrected.pages] == pages


def test_pages_are_no_part_of_what_a_section_is() -> None:
    assert Section("Methods", PAGED.text) == PAGED


def test_documents_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        PATENT.title = "other"  # type: ignore[misc]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "//example.org",
        "ftp://a/b",
        "http://",
        "http://[::1",
        "https://a/\nb",
        "",
    ],
)
def test_an_address_that_is_not_plain_web_is_nothing(url: str) -> None:
    assert Document("d", url=url).web_address == ""


def test_a_web_address_stays() -> None:
    assert Document("d", url=" https://arxiv.org/abs/1706.03762 ").web_address == "https://arxiv.org/abs/1706.03762"


def test_a_digest_of_somebody_s_own_text_is_no_name() -> None:
    ids = ("file:e6f817eaee9840c9", "text:61ba6625aa33ca48", "doi:10.1/x", "US204080A")
    assert [Document(id_).public_id for id_ in ids] == ["", "", "doi:10.1/x", "US204080A"]


FULL = Document(
    id="EP1",
    kind="patent",
    title="Car coupling",
    abstract="A coupling.",
    sections=(
        Section(
            "Background",
            "Couplings fail.",
            pages=(PageStart(0, 1),),
            boxes=(LineBox(0, 1, 72.0, 700.5, 300.0, 712.0),),
            recognised=(RecognisedPage(1, 0.93),),
        ),
        Section("References", "[1] A book.", "references"),
        Section("Claims", "", boxes=(LineBox(0, 2, 1.0, 2.0, 3.0, 4.0),)),
    ),
    claims=("A coupling for cars.", ""),
    references=(
        Reference("[1] A book.", "A book", ("Ann Lee",), 1901, "Press", (Identifier("isbn", "1"),)),
        Reference("x"),
    ),
    identifiers=(Identifier("patent", "EP1A1"), Identifier("doi", "10.1/x")),
    year=1893,
    dates=(DocumentDate("filed", "1893-07-04"), DocumentDate("granted", "1894")),
    language="en",
    translations=(Translation("de", "Wagenkupplung", "Eine Kupplung.", ("Kupplung für Wagen.",)), Translation("fr")),
    categories=("B61G",),
    keywords=("coupling",),
    venue="EPO",
    authors=("Ann Lee",),
    inventors=("Ann Lee",),
    assignees=("Couplings Ltd",),
    url="https://example.org/EP1",
    family="F1",
    file="ab" * 32,
    placed=(Placed("Abstract", 11, (PageStart(0, 1),), (LineBox(0, 1, 72, 600, 300, 612),)), Placed("Claim 1", 20)),
)


def test_every_field_survives_json() -> None:
    assert {one.name for one in dataclasses.fields(FULL) if not getattr(FULL, one.name)} == set()
    back = from_fields(json.loads(json.dumps(as_fields(FULL))))
    assert back == FULL
    assert [(one.pages, one.boxes, one.recognised) for one in back.sections] == [
        (one.pages, one.boxes, one.recognised) for one in FULL.sections
    ]
    assert hash(back) == hash(FULL)
    assert (back.file, back.placed) == (FULL.file, FULL.placed)


def test_title_abstract_and_claims_know_where_they_stand_until_they_are_corrected() -> None:
    abstract, claim = FULL.parts[1], FULL.parts[-2]
    assert (abstract.title, abstract.page_at(3), len(abstract.boxes)) == ("Abstract", 1, 1)
    assert (claim.title, claim.pages) == ("Claim 1", ())
    assert dataclasses.replace(FULL, abstract="A better coupling.").parts[1].boxes == ()


def test_documents_that_differ_in_their_file_alone_are_equal() -> None:
    assert dataclasses.replace(FULL, file="", placed=()) == FULL


TWO_LINES = Section(
    "", "one two three\nfour five six\n\nseven", boxes=(LineBox(0, 1, 0, 20, 260, 30), LineBox(14, 1, 0, 10, 260, 20))
)


def test_a_stretch_gets_its_lines_from_about_where_it_begins_to_about_where_it_ends() -> None:
    text = TWO_LINES.text
    first, second = TWO_LINES.lines_of(text.index("three"), text.index("five"))
    assert (first.start, first.left, first.right) == (8, 260 * 8 / 14 - 15, 260)
    assert (second.left, second.right) == (0, pytest.approx(260 * 5 / 13 + 15))
    assert TWO_LINES.lines_of(0, len(text))[0] == TWO_LINES.boxes[0]
    assert TWO_LINES.lines_of(2, 2) == []


def test_a_paragraph_whose_lines_are_not_known_has_none() -> None:
    assert TWO_LINES.lines_of(TWO_LINES.text.index("seven"), len(TWO_LINES.text)) == []
    assert Section("", "A text without lines.").lines_of(0, 5) == []


def test_a_line_from_right_to_left_is_cut_at_the_other_end() -> None:
    section = Section("", "abcdefghij", boxes=(LineBox(0, 1, 200, 0, 100, 4),))
    (box,) = section.lines_of(5, 10)
    assert (box.left, box.right) == (100, 156)


def test_what_is_empty_is_left_out_of_json() -> None:
    assert as_fields(Document("p1")) == {"id": "p1", "kind": "paper"}
    assert from_fields({"id": "p1"}) == Document("p1")


def test_sections_without_places_are_three_values_as_older_libraries_hold_them() -> None:
    assert as_fields(PATENT)["sections"][0] == ["Background", "Couplings fail.", "body"]
    old = {"id": "p1", "sections": [["Background", "Couplings fail.", "body", [[0, 3]]]]}
    assert from_fields(old).sections[0].pages == (PageStart(0, 3),)


def test_corrected_text_moves_the_boxes_of_lines_with_it() -> None:
    section = Section("", "one\ntwo\nthree", boxes=tuple(LineBox(n, 1, 0, 0, 9, 9) for n in (0, 4, 8)))
    assert [box.start for box in section.with_text("one\ntwo and more\nthree").boxes] == [0, 4, 17]
    assert section.with_text("").boxes == ()


class State:
    """Rows at a time."""


class Counted(dict[str, int]):
    """Rows by id; `seen` has every id that was looked up."""

    def __init__(self, rows: dict[str, int]) -> None:
        super().__init__(rows)
        self.seen: list[str] = []

    def __getitem__(self, name: str) -> int:
        self.seen.append(name)
        return super().__getitem__(name)

    def get(self, name: str, default: int = -1) -> int:  # type: ignore[override]
        self.seen.append(name)
        return super().get(name, default)


@pytest.mark.parametrize("ids", [[], ["d3"], ["d8", "d3", "d8"], ["nowhere", *(f"d{n}" for n in range(8, 2, -1))]])
@pytest.mark.parametrize("kind", [list, set, frozenset, Selection])
def test_the_places_of_few_and_of_many_ids_come_in_order_and_once(ids: list[str], kind: type[Collection[str]]) -> None:
    held = {f"d{number}": 2 * number for number in reversed(range(10))}
    found = places(kind(ids), held)
    assert found.dtype == np.int64
    assert found.tolist() == sorted({held[name] for name in ids if name in held})


def test_a_selection_finds_once_for_each_state_and_lets_states_go() -> None:
    selection, states, calls = Selection("abc"), [State(), State()], list[int]()

    def find(number: int) -> int:
        calls.append(number)
        return number

    for _ in range(3):
        for number in range(2):
            assert selection.remembered(states[number], lambda number=number: find(number)) == number
    assert calls == [0, 1]
    assert selection == frozenset("abc") and len(selection.__dict__["_held"]) == 2
    states.clear()
    gc.collect()
    assert len(selection.__dict__["_held"]) == 0


def test_selections_of_one_library_are_compared_without_going_through_their_ids(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    roster = Roster("abcd")
    three, same, two = (
        Selection.of(roster, np.array(list(chosen), bool)) for chosen in ((1, 1, 1), (1, 1, 1, 0), (1, 1))
    )
    with monkeypatch.context() as changed:
        changed.setattr(Selection, "__contains__", None)
        assert three == three and three == same and three != two and two != same
        assert two.remembered(three, lambda: 1) == two.remembered(three, lambda: 2) == 1
        assert two.remembered(same, lambda: 3) == 3  # a state is told apart by itself, not by its ids
    assert three == Selection("cba") == frozenset("abc") != two and three != "abc"


@pytest.fixture(params=[DenseIndex, BinaryIndex])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> VectorIndex:
    more = {"settings": BinarySettings(fewest=1)} if request.param is BinaryIndex else {}
    made: VectorIndex = request.param(tmp_path, fingerprint="f", dim=64, **more)
    made.add([f"d{number}" for number in range(600)], rows(600))
    return made


def rows(count: int, seed: int = 0) -> np.ndarray:
    found = np.random.default_rng(seed).normal(size=(count, 64)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def test_an_index_answers_as_without_one_while_documents_come_and_go(index: VectorIndex) -> None:
    selection = Selection(f"d{number}" for number in range(0, 900, 2))

    def agrees() -> None:
        for _ in range(2):
            found = index.search(rows(3, 1), 7, within=selection)
            assert found == index.search(rows(3, 1), 7, within=list(selection))
            assert all(len(hits) == 7 and {hit.id for hit in hits} <= selection for hits in found)

    agrees()
    index.add([f"d{number}" for number in range(600, 800)], rows(200, 2))
    agrees()
    index.add(["d4"], rows(1, 3))
    agrees()
    index.remove(["d0", "d4", "d7"])
    agrees()
    index.flush()
    agrees()


def test_rows_are_looked_up_once_while_nothing_changes(index: VectorIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    selection = Selection(["d1", "d2"])
    index.search(rows(1), 2)  # joins what waits
    counted = Counted(index._row_of)
    monkeypatch.setattr(index, "_row_of", counted)
    for _ in range(3):
        assert {hit.id for hit in index.search(rows(1), 2, within=selection)[0]} == selection
    assert sorted(counted.seen) == ["d1", "d2"]


def test_keywords_look_rows_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    keywords = KeywordIndex.in_memory([Document(f"d{n}", title=f"boiler valve {'steam ' * n}") for n in range(20)])
    postings = keywords._postings()
    counted = Counted(postings._rows)
    monkeypatch.setattr(postings, "_rows", counted)
    selection = Selection(["d3", "d5", "nowhere"])
    found = [keywords.search("steam", 5, within=selection) for _ in range(3)]
    assert sorted(counted.seen) == ["d3", "d5", "nowhere"]
    assert found == [keywords.search("steam", 5, within=["d3", "d5"])] * 3 and len(found[0]) == 2
