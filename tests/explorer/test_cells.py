"""Heatmaps and their cells: what each shows, what it opens without the server, and the texts beside each other."""

from __future__ import annotations

import json
from base64 import b64decode
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.compare import Carriers, LevelGrid, Together, darkest
from engine.documents import Chunk, Document, PageStart, Section
from engine.search import Reading
from explorer.compare import cells, side_by_side, three
from explorer.compare.cells import MOST_SHOWN, Opened, around, best_chunks, chunk_heatmap, section_heatmap, window
from explorer.compare.side_by_side import ShownCell, ShownTexts, pack_text, texts_message
from explorer.shared import heatmap
from explorer.shared.heatmap import Axis, HeatmapValues, Walk, packed
from explorer.shared.markup import shortened
from explorer.state import session
from explorer.state.visit import LEVELS, CellPlace, HeatmapLevel
from tests.explorer.comparisons import HOSTILE, PAPER, PATENT, made_comparison

COMPARISON = replace(made_comparison(gone=[1]), passages=made_comparison(gone=[1]).passages[:1])

HEATS: dict[HeatmapLevel, HeatmapValues] = {
    "section": section_heatmap(COMPARISON),
    "chunk": chunk_heatmap(COMPARISON, "across", None),
}

GRIDS = {heat.target: cells.cells(COMPARISON, level, heat) for level, heat in HEATS.items()}
TABLE = cells.Opened(GRIDS).table()

THIRD = Document(
    "c", "paper", "Kites", "A rotor turns in the wind.", (Section("Method", "The generator turns while we reel."),)
)

DOCUMENTS = (PAPER, PATENT, THIRD)
WHOLE = made_comparison()
TEXTS = ShownTexts(WHOLE.a, WHOLE.b, {"a": "First", "b": "Second"}, WHOLE.passages)


def unpacked(told: dict[str, str]) -> NDArray[np.integer[Any]]:
    """The whole numbers, row by row."""
    return np.frombuffer(b64decode(told["bytes"]), np.dtype(f"<{told['kind']}"))


def _as_the_browser_reads(table: dict[str, Any], level: HeatmapLevel, row: int, column: int) -> dict[str, Any]:
    """What `openedBy` in cells.js makes of a cell."""
    grid = table["grids"][f"{level}-heatmap"]
    i, j = row - grid["first"][0], column - grid["first"][1]
    score, a, b, match = (_numbers(grid, name)[i, j] for name in ("scores", "ours", "theirs", "matches"))
    is_extra = match < 0 <= a
    held = grid["sentences"]
    return {
        "at": [f"{level}-heatmap", row, column],
        "a": grid["a"][i][1],
        "b": grid["b"][j][1],
        "match": len(COMPARISON.passages) if is_extra else None if match < 0 else match,
        "evidence": {"score": score / 10 ** table["scoreDigits"], "a": held["a"][a], "b": held["b"][b]}
        if is_extra
        else None,
    }


def _numbers(grid: dict[str, Any], name: str) -> NDArray[np.integer[Any]]:
    return unpacked(grid[name]).reshape(len(grid["a"]), len(grid["b"]))


@pytest.mark.parametrize("level", LEVELS)
def test_every_cell_of_the_table_opens_what_the_server_would_open(level: HeatmapLevel) -> None:
    grid = COMPARISON.sections if level == "section" else COMPARISON.chunks
    texts = ShownTexts(COMPARISON.a, COMPARISON.b, {"a": "", "b": ""}, COMPARISON.passages)
    kinds = set()
    for row in range(grid.across.shape[0]):
        for column in range(grid.across.shape[1]):
            opened = cells.opened(COMPARISON, level, (row, column))
            told = texts_message(replace(texts, cell=opened))["cell"]
            assert told == _as_the_browser_reads(TABLE, level, row, column)
            kinds.add((told["match"] is None, told["evidence"] is None))
    assert len(kinds) == 3  # a match of the list, evidence of its own, and nothing that carries the cell


def test_the_table_says_each_cell_as_the_line_under_the_heatmap_does() -> None:
    grid = TABLE["grids"]["section-heatmap"]
    words, told = _numbers(grid, "words"), grid["told"]
    ours, theirs, number = grid["a"][0][0], grid["b"][2][0], told[words[0, 2]]
    assert GRIDS["section-heatmap"].said((0, 2)) == TABLE["said"].format(a=ours, b=theirs, number=number)
    assert told[words[1, 0]] == "left out" and len(told) == len(set(told))


def test_a_stretch_of_a_long_grid_tells_where_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.compare.cells.MOST_SHOWN", 2)
    comparison = made_comparison()
    found = cells.cells(comparison, "chunk", chunk_heatmap(comparison, "across", (2, 3)))
    grid = cells.Opened({"chunk-heatmap": found}).table()["grids"]["chunk-heatmap"]
    assert found.said((2, 3)).startswith(grid["a"][1][0])
    assert (grid["first"], len(grid["a"]), len(grid["b"]), _numbers(grid, "scores").size) == ([1, 2], 2, 2, 4)


def test_a_match_that_was_pressed_is_the_one_that_its_cell_shows() -> None:
    opened = cells.opened(COMPARISON, "chunk", (2, 0), picked=0)
    assert (opened.match, opened.evidence) == (0, None)


def test_names_of_uploads_travel_as_text() -> None:
    assert HOSTILE[:10] in json.dumps(TABLE)  # the browser makes text nodes of it
    assert "{a}" in TABLE["said"]


def test_a_cell_of_other_texts_names_them_and_their_matches() -> None:
    part = cells.AxisPart("x", None)
    columns = [cells.AxisPart(name, None, str(n)) for n, name in enumerate("yz")]
    evidence = COMPARISON.passages[0]
    carriers = Carriers((evidence.a,), (evidence.b,), np.zeros((1, 2, 2), np.int64), np.full((1, 2), 0.5))
    words = cells.CellWords(["0.10", "0.90"], np.asarray([[0, 1]]))
    found = cells.HeatmapCells([part], columns, carriers, np.asarray([[-1, 0]]), words)
    texts = ShownTexts(COMPARISON.a, COMPARISON.b, {"a": "", "b": ""}, [evidence], pair=cells.pair_name("", 1))
    table = cells.Opened({"coverage-heatmap": found}, [texts]).table()
    (_, _, owner), pairs = table["grids"]["coverage-heatmap"]["b"][1], table["pairs"]
    assert list(pairs) == [f"-{owner}"] and len(pairs["-1"]["matches"]) == 1
    assert pairs["-1"]["pair"] == "-1" and pairs["-1"]["texts"] == texts_message(texts)["texts"]
    assert found.said((0, 1)) == "x × z: 0.90"


def test_the_numbers_are_those_of_the_comparison(heat: HeatmapValues) -> None:
    comparison = made_comparison()
    assert np.array_equal(heat.values, comparison.sections.across)
    assert np.array_equal(chunk_heatmap(comparison, "attention_back", None).values, comparison.attention_back.T)
    assert np.array_equal(chunk_heatmap(comparison, "attention", None).values, comparison.attention)
    assert heat.said(heat.values[1, 2]) == f"similarity {comparison.sections.across[1, 2]:.2f}"


def test_what_is_left_out_is_blank_and_said_so() -> None:
    heat = section_heatmap(made_comparison(gone=[1]))
    assert np.isnan(heat.values[1]).all()
    assert heat.said(heat.values[1, 0]) == "left out"
    assert best_chunks(made_comparison(gone=[1]), 1, 0) is None


def test_similarities_share_one_scale_and_attention_has_its_own(heat: HeatmapValues) -> None:
    def scale(values: list[list[float]], what: str) -> tuple[float, float]:
        drawn = heatmap.heatmap_figure(replace(heat, values=np.array(values), what=what)).data[0]
        return drawn.zmin, drawn.zmax

    three = [[0.1, 0.2, np.nan]] * 3
    assert scale(three, "similarity") == (0, 0.75)
    assert scale([[0.1, 0.2, 0.95]] * 3, "similarity") == (0, 0.95)
    assert scale(three, "attention") == (0.1, 0.2)
    assert scale([[0.2] * 3] * 3, "attention") == pytest.approx((0.2, 0.21))


def test_a_long_document_is_shown_in_stretches() -> None:
    assert window(MOST_SHOWN, 3) == range(MOST_SHOWN)
    for chosen in range(300):
        shown = window(300, chosen)
        assert chosen in shown
        assert len(shown) == MOST_SHOWN


def test_a_grid_stays_where_it_is_while_it_shows_the_chosen_cell() -> None:
    before = (0, 200)
    assert around((300, 300), (MOST_SHOWN - 1, 200), before) == before
    assert around((300, 300), (MOST_SHOWN, 200), before) == (MOST_SHOWN, 200)
    assert around((300, 300), (0, 0), before) == (0, 0)


def test_many_sections_are_shown_in_stretches_and_bound_what_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.compare.cells.MOST_SHOWN", 2)
    comparison = made_comparison()
    heat = section_heatmap(comparison, (2, 1))
    assert heat.values.shape == (2, 2) and (heat.rows.first, heat.columns.first) == (1, 1)
    assert np.array_equal(heat.values, comparison.sections.across[1:3, 1:3])
    assert [place for place, _ in heat.rows.labels] == [1, 2] and len(heat.rows.openings) == 2
    assert section_heatmap(comparison).values.shape == (2, 2)


def test_a_stretch_keeps_the_numbers_of_its_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.compare.cells.MOST_SHOWN", 2)
    comparison = made_comparison()
    heat = chunk_heatmap(comparison, "across", (2, 3))
    assert heat.values.shape == (2, 2)
    assert (heat.rows.first, heat.columns.first) == (1, 2)
    assert np.array_equal(heat.values, comparison.chunks.across[1:3, 2:4])
    drawn = heatmap.heatmap_figure(heat).data[0]
    assert (list(drawn.x), list(drawn.y)) == ([2, 3], [1, 2])


def _together() -> Together:
    compared = {(a, b): made_comparison(DOCUMENTS[a], DOCUMENTS[b]) for a, b in combinations(range(3), 2)}
    alone = tuple(made_comparison(one, one) for one in DOCUMENTS)
    grids = []
    for names in ([one.sections.a for one in alone], [one.chunks.a for one in alone]):
        owners = tuple(owner for owner, held in enumerate(names) for _ in held)
        values = np.full((len(owners), len(owners)), 0.25)
        grids.append(LevelGrid(tuple(name for held in names for name in held), owners, values))
    kept = [np.ones(len(grid.names), bool) for grid in grids]
    return Together(DOCUMENTS, compared, alone, np.eye(3), *grids, grids[1].values, *kept)


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Together:
    chosen = session.Visit()
    monkeypatch.setattr(session, "current", lambda: chosen)
    return _together()


def _chosen(monkeypatch: pytest.MonkeyPatch, cell: CellPlace) -> None:
    chosen = session.Visit()
    monkeypatch.setattr(session, "current", lambda: replace(chosen, pair=replace(chosen.pair, cell=cell)))


@pytest.mark.parametrize("level", LEVELS)
def test_every_cell_opens_what_the_server_would_open(
    found: Together, level: HeatmapLevel, monkeypatch: pytest.MonkeyPatch
) -> None:
    heat = three._heat(found, level)
    table: dict[str, Any] = Opened({heat.target: three._cells(found, level, heat)}).table()
    grid, count = table["grids"][heat.target], len(heat.values)
    numbers = {name: unpacked(grid[name]).reshape(count, count) for name in ("scores", "ours", "theirs", "matches")}
    carried = 0
    for row, column in np.ndindex(count, count):
        _chosen(monkeypatch, CellPlace(level, row, column))
        wanted = texts_message(three._texts(found))
        cell, (ours, theirs) = wanted["cell"], (grid["a"][row], grid["b"][column])
        assert wanted["pair"] == f"{ours[2]}-{theirs[2]}"
        assert (cell["a"], cell["b"], numbers["matches"][row, column]) == (ours[1], theirs[1], -1)
        if cell["evidence"] is None:
            assert numbers["ours"][row, column] == numbers["theirs"][row, column] == -1
            continue
        carried += 1
        assert cell["evidence"] == {
            "score": numbers["scores"][row, column] / 10 ** table["scoreDigits"],
            "a": grid["sentences"]["a"][numbers["ours"][row, column]],
            "b": grid["sentences"]["b"][numbers["theirs"][row, column]],
        }
    assert 3 < carried < count * count


def test_428_chunks_against_each_other_are_told_in_little(found: Together, monkeypatch: pytest.MonkeyPatch) -> None:
    count, sentences = 428, 2000
    values = np.random.default_rng(0).random((count, count)).round(4)
    grid = LevelGrid(tuple(f"A Section {n}" for n in range(count)), (0,) * count, values)
    chunks = tuple(Chunk("a", 1, "Section", n, n + 900, "word " * 180) for n in range(sentences))
    pairs = np.random.default_rng(1).integers(0, sentences, (count, count, 2))
    carriers = Carriers(chunks, chunks, pairs, values)
    alone = replace(found.alone[0], chunks_a=chunks[:count], section_of_a=np.zeros(count, np.int64))
    flags = np.ones(count, bool)
    long = replace(found, chunks=grid, alone=(alone, *found.alone[1:]), kept_chunks=flags)
    monkeypatch.setattr(Together, "carried", lambda *_: carriers)
    heat = three._heat(long, "chunk")
    assert 200_000 <= three.MOST_TOLD and heat.values.size <= three.MOST_TOLD
    table = Opened({heat.target: three._cells(long, "chunk", heat)}).table()
    assert len(json.dumps(table)) < 2_300_000  # two bytes a number, not a text a cell


def test_a_heatmap_too_large_to_send_says_so(found: Together, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(three, "show", lambda made: said.append(str(made)))
    monkeypatch.setattr(three, "heatmap", lambda *_, **__: None)
    heat = three._heat(found, "chunk")
    three._level(found, "chunk", heat)
    assert "too large" not in " ".join(said)
    monkeypatch.setattr(three, "MOST_TOLD", heat.values.size - 1)
    three._level(found, "chunk", heat)
    assert f"With {heat.values.size:,} cells, this heatmap is too large" in said[-1]


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
    for match, passage in zip(told["matches"], WHOLE.passages, strict=True):
        part, start, stop = match["a"]
        assert WHOLE.a.parts[part].text[start:stop] == passage.a.text
        assert match["score"] == passage.score
        assert "word" not in match
    word = Reading("closely related", 0.71, 0.6, "passage")
    read = replace(TEXTS, matches=[replace(WHOLE.passages[0], reading=word)])
    (match,) = texts_message(read)["matches"]
    assert (match["word"], match["near"]) == ("closely related (71\xa0%)", 0.75)
    assert told["cell"] is None


def test_rows_of_matches_and_what_is_acknowledged_travel_with_the_matches() -> None:
    how = ["cited", *[""] * (len(WHOLE.passages) - 1)]
    told = texts_message(replace(TEXTS, chains=((1, 0),), acknowledged=how))
    assert told["chains"] == [[1, 0]]
    assert [match.get("acknowledged", "") for match in told["matches"]] == how


def test_evidence_that_is_a_match_is_not_shown_twice() -> None:
    passage = WHOLE.passages[0]
    inside = ShownCell([passage.a], [passage.b], 0, passage)
    assert texts_message(replace(TEXTS, cell=inside))["cell"] | {"a": 0, "b": 0} == {
        "at": None,
        "a": 0,
        "b": 0,
        "match": 0,
        "evidence": None,
    }
    told = texts_message(replace(TEXTS, cell=ShownCell([passage.a], [passage.b], None, passage)))["cell"]
    assert told["match"] == len(WHOLE.passages)
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


def test_the_chart_draws_colours_alone_and_answers_no_pointer(heat: HeatmapValues) -> None:
    figure = heatmap.heatmap_figure(heat)
    assert [trace.type for trace in figure.data] == ["heatmap"]
    assert (figure.layout.hovermode, figure.layout.clickmode) == (False, "none")
    assert "<img" not in str(figure.layout.yaxis.ticktext)


def test_columns_have_names_and_the_scale_both_ends_also_in_a_strip(heat: HeatmapValues) -> None:
    figure = heatmap.heatmap_figure(heat, heatmap.STRIP)
    assert len(figure.layout.xaxis.ticktext) == 3 and all(map(len, figure.layout.xaxis.ticktext))
    said = str(heatmap.colour_scale(heat))
    assert "similarity 0.00 <span" in said and said.endswith(f"</span> {darkest(heat.values):.2f}</p>")
    assert str(heatmap.colour_scale(replace(heat, what=heatmap.PROBABILITY))).endswith("</span> 1.00</p>")


def test_a_border_between_documents_is_thick(heat: HeatmapValues) -> None:
    parted = replace(
        heat, rows=replace(heat.rows, bounds=[1, 2], borders=[2]), columns=replace(heat.columns, bounds=[])
    )
    assert [line.line.width for line in heatmap.heatmap_figure(parted).layout.shapes] == [1, 3]


def test_the_script_is_told_each_number_and_how_both_parts_start(heat: HeatmapValues) -> None:
    told = heatmap._numbers(replace(heat, values=np.where(np.eye(3), np.nan, heat.values)))
    numbers = unpacked(told["numbers"]).reshape(told["shape"])
    assert [numbers[n, n] for n in range(3)] == [told["leftOut"]] * 3
    assert numbers[1, 2] / 100 == round(float(heat.values[1, 2]), 2)
    rows, columns = told["openings"]
    assert rows[0] == "Abstract: A rotor turns in the tide. Its blades follow the current."
    assert columns[0].startswith("Abstract: A wheel")
    assert any(HOSTILE in opening for opening in rows)  # the browser makes text nodes of it
    assert json.loads(json.dumps(told, allow_nan=False)) == told


def test_many_cells_are_told_in_little() -> None:
    axis = Axis("one", ["word " * 200] * 150, [])
    told = json.dumps(heatmap._numbers(HeatmapValues("x", np.full((150, 150), 0.123456), axis, axis)))
    assert len(told) < 70_000


def test_a_heatmap_says_its_size_and_its_highest_cell(heat: HeatmapValues) -> None:
    words = heatmap.describe_heatmap(heat)
    assert "3 rows of first document, 3 columns of second document" in words
    assert f"Highest: {heat.values.max():.2f}" in words
    empty = replace(heat, values=np.full_like(heat.values, np.nan))
    assert "Everything is left out" in heatmap.describe_heatmap(empty)
    assert heatmap.heatmap_figure(replace(empty, what="attention")).data[0].zmax == 1


def test_only_a_cell_of_the_grid_can_be_chosen() -> None:
    walk = Walk(3, 4, (0, 0), (1, 1))
    assert heatmap._is_cell([2, 3], walk)
    for place in ([3, 0], [0, 4], [-1, 0], [0], "00", [0, True], [0.0, 1], None):
        assert not heatmap._is_cell(place, walk)


def test_a_title_in_a_label_is_cut_to_one_line() -> None:
    assert shortened("a  long\ntitle of a section", 12) == "a long titl…"
    assert HOSTILE in str(section_heatmap(made_comparison()).rows.labels)


@pytest.mark.parametrize(
    ("numbers", "kind"),
    [([], "i1"), ([-128, 127], "i1"), ([[128, 0], [-1, 5]], "i2"), ([-32_769], "i4"), ([2**31 - 1], "i4")],
)
def test_numbers_come_back_from_the_smallest_kind_that_holds_them(numbers: list[int], kind: str) -> None:
    told = packed(np.asarray(numbers, np.int64))
    assert told["kind"] == kind
    assert unpacked(told).tolist() == np.ravel(numbers).tolist()


def test_a_number_that_no_kind_holds_is_refused() -> None:
    with pytest.raises(StopIteration):
        packed(np.asarray([2**31]))


def test_a_claim_chart_folds_dependent_claims_below_independent_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    claims = (
        "A wheel.",
        "A seal.",
        "The seal of claim 2 of rubber.",
        "The wheel of claim 1 with it.",
        "That of claim 3.",
    )
    comparison = made_comparison(b=replace(PATENT, claims=claims))
    sent: list[dict[str, Any]] = []
    monkeypatch.setattr(side_by_side, "_component", lambda: lambda data, key: sent.append(data))
    texts = ShownTexts(comparison.a, comparison.b, {"a": "First", "b": "Second"}, comparison.passages)
    side_by_side.show_claim_chart(texts, comparison.claims, key="claims")
    ((chart,),) = (one["charts"] for one in sent)
    assert chart["title"] == "Claim chart of the second (2 independent claims, 5 elements)"
    assert [(item["name"], item["under"]) for item in chart["items"]] == [
        *(("1", ""), ("4", "1"), ("2", ""), ("3", "2"), ("5", "2"))
    ]
