"""The default ranking: its settings, how its lists are weighed and asked again, and rankings joined by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import FrozenInstanceError, fields, replace
from pathlib import Path

import numpy as np
import pytest

from engine.core.rows import DenseRows, Rows
from engine.documents import Document, Hit
from engine.documents.selections import ids_by_kind
from engine.encoders import registry
from engine.library import Filters
from engine.search import fusion, ranking
from engine.search import queries as question_words
from engine.search.answers import Answer, Question
from engine.search.fusion import (
    Ids,
    Lists,
    demote,
    found_by_kind,
    join_lists,
    list_weights,
    mean_row,
    own_first,
    promote,
    relative_scores,
)
from engine.search.ranking import Corpus, fuse_relative, keyword_weight, ranking_fingerprint
from engine.search.searcher import Searcher
from engine.search.settings import SHIPPED, Blind, RankingSettings
from engine.vectors import VectorIndex, open_index
from tests.search.library import DOCUMENTS, QUERY, fill, weigh

ONCE = RankingSettings(blind=Blind(beta=0))


NEAR, TERMS = [Hit("a", 0.9), Hit("b", 0.8)], [Hit("b", 7.0), Hit("a", 6.0)]


def test_the_heavier_ranking_decides() -> None:
    assert [hit.id for hit in fuse_relative(NEAR, TERMS, 6.0, depth=200)] == ["b", "a"]
    assert [hit.id for hit in fuse_relative(NEAR, TERMS, 0.5, depth=200)] == ["a", "b"]


def test_the_default_asks_again_with_what_came_first(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path)
    with library:
        by = Corpus(encoder, index, library.keywords)
        asked = replace(QUERY, title="", abstract="Three rounds")  # words of one paper alone
        once, twice = (by.rank([asked], 7, settings=RankingSettings(blind=Blind(1, beta)))[0] for beta in (0.0, 0.5))
    assert once[0].id == twice[0].id == "p-molecules"
    assert {hit.score for hit in once[1:]} == {0.0}
    assert [hit.id for hit in twice[1:3]] == ["p-crystals", "p-crystals-preprint"]
    assert twice[2].score > twice[3].score > 0


def test_a_document_is_not_moved_towards_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []

    def moved(rows: Rows, rankings: list[list[Hit]], **_: object) -> Rows:
        seen.extend([hit.id for hit in hits] for hits in rankings)
        return rows

    monkeypatch.setattr(ranking, "move_blindly", moved)
    library, encoder, index = fill(tmp_path)
    with library:
        Corpus(encoder, index, library.keywords).rank([DOCUMENTS[0]], 7)
    assert DOCUMENTS[0].id not in seen[0]
    assert DOCUMENTS[1].id in seen[0]


def test_each_encoder_has_its_weight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names, usual = ("blend", "student-large", "another"), registry.USUAL_KEYWORD_WEIGHT
    assert [keyword_weight(name) for name in names] == [0.75, 0.75, usual]
    library, encoder, index = fill(tmp_path)
    with library:
        by = Corpus(encoder, index, library.keywords)
        alone = {name: by.rank([QUERY], 7, ranking=name) for name in ("encoder", "keywords")}
        for name, weight in (("encoder", 1e-9), ("keywords", 1e9)):
            weigh(monkeypatch, keyword_weight=weight)
            order = [hit.id for hit in by.rank([QUERY], 7, settings=ONCE)[0]]
            expected = [hit.id for hit in alone[name][0]]
            assert order[: len(expected)] == expected


def test_a_passage_that_cites_goes_more_by_its_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    passage, paper = (replace(QUERY, abstract=f"{QUERY.text} [3]", kind=kind) for kind in ("query", "paper"))
    assert (keyword_weight("blend", passage), keyword_weight("blend", paper)) == (1.5, 0.75)
    assert keyword_weight("another", passage) == registry.USUAL_KEYWORD_WEIGHT
    library, encoder, index = fill(tmp_path)
    with library:
        by = Corpus(encoder, index, library.keywords)
        weigh(monkeypatch, keyword_weight=1e-9, passage_weight=1e9)
        answers = [by.rank([one], 7, settings=ONCE)[0] for one in (passage, paper)]
        alone = [by.rank([passage], 7, ranking=name)[0] for name in ("keywords", "encoder")]
        for answer, expected in zip(answers, alone, strict=True):
            assert [hit.id for hit in answer][: len(expected)] == [hit.id for hit in expected]


def test_a_question_finds_other_forms_where_it_asks_by_stems(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path)
    with library:
        by = Corpus(encoder, index, library.keywords)
        asked = Document("q", abstract="admitting classified", kind="query")
        longer = replace(asked, abstract=f"{asked.abstract} {'kite ' * 40}")
        (found,), (none,) = (by.rank([one], 7, ranking="keywords") for one in (asked, longer))
        assert {hit.id for hit in found} == {"US1", "p-images"} and none == []  # admits, classify
        best = []
        for stemmed in (None, True, False):
            hits = by.rank([asked], 7, settings=RankingSettings(blind=Blind(beta=0), stemmed=stemmed))[0]
            best.append(hits[0].id)
    assert best == ["p-images", "p-images", "p-molecules"]  # nothing matched: the first of the library


def test_a_live_search_is_a_batch_of_one(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path)
    with library:
        for settings in (RankingSettings(), ONCE, RankingSettings(keyword_weight=1e9), RankingSettings(sharpness=0.0)):
            searcher = Searcher(library, encoder, index, settings=settings)
            found = [result.document.id for result in searcher.search(Question(QUERY)).results]
            bulk = [hit.id for hit in searcher.rank([QUERY], 10)[0]]
            assert [name for name in bulk if name in found] == found  # versions of one work are folded in a search


def test_the_fingerprint_names_weights_settings_and_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    card = registry.fit("tfidf", DOCUMENTS).card
    found = {ranking_fingerprint(card), ranking_fingerprint(replace(card, fingerprint="other"))}
    weigh(monkeypatch, keyword_weight=5.0)
    found.add(ranking_fingerprint(card))
    weigh(monkeypatch, passage_weight=5.0)
    found.add(ranking_fingerprint(card))
    monkeypatch.setattr("engine.library.postings.QUESTION_TERMS", 12)
    found.add(ranking_fingerprint(card))
    monkeypatch.setattr(question_words, "SHORT_BELOW_TOKENS", 30)
    found.add(ranking_fingerprint(card))
    changed = [
        RankingSettings(depth=100),
        RankingSettings(blind=Blind(documents=5)),
        RankingSettings(citing_times=2),
        RankingSettings(stemmed=True),
        RankingSettings(keyword_weight=7.0),
        RankingSettings(passage_weight=7.0),
    ]
    found |= {ranking_fingerprint(card, settings=settings) for settings in changed}
    kinds = {ranking_fingerprint(card, mixed=True, settings=RankingSettings(sharpness=power)) for power in (1.0, 2.0)}
    assert len(found | kinds) == 6 + len(changed) + 2


def test_the_fingerprint_of_what_is_shipped_stays() -> None:
    card = replace(registry.fit("tfidf", DOCUMENTS).card, name="another", fingerprint="known")
    assert ranking_fingerprint(card) == "95cbea11544616c8"
    assert ranking_fingerprint(card, mixed=True) == "61a9f0f3c5aabe80"


def test_settings_override_what_an_encoder_has() -> None:
    passage = replace(QUERY, abstract=f"{QUERY.text} [3]", kind="query")
    settings = RankingSettings(keyword_weight=5.0, passage_weight=6.0)
    assert [keyword_weight("blend", one, settings) for one in (None, QUERY, passage)] == [5.0, 5.0, 6.0]
    assert keyword_weight("blend", passage, RankingSettings(keyword_weight=5.0)) == 1.5  # what it has for passages


def test_what_is_shipped_leaves_weights_to_the_encoders_entry() -> None:
    passage = replace(QUERY, abstract=f"{QUERY.text} [3]", kind="query")
    for name, entry in registry.ENTRIES.items():
        assert keyword_weight(name, QUERY, SHIPPED) == entry.keyword_weight
        expected = entry.keyword_weight if entry.passage_weight is None else entry.passage_weight
        assert keyword_weight(name, passage, SHIPPED) == expected


def test_the_fingerprint_knows_every_setting() -> None:
    card = registry.fit("tfidf", DOCUMENTS).card
    changed = {
        "depth": 199,
        "blind": Blind(beta=0.4),
        "citing_times": 3,
        "sharpness": 1.9,
        "stemmed": False,
        "keyword_weight": 0.5,
        "passage_weight": 0.5,
        "spread_weight": 0.5,
        "matched_weight": 0.5,
        "candidates": 400,
    }
    assert list(changed) == [field.name for field in fields(RankingSettings)]
    every = [SHIPPED, *(replace(SHIPPED, **{name: value}) for name, value in changed.items())]  # type: ignore[arg-type]
    found = {ranking_fingerprint(card, mixed=True, passages="p", settings=one) for one in every}
    assert len(found) == len(every)


def test_no_trial_changes_what_is_shipped() -> None:
    with pytest.raises(FrozenInstanceError):
        SHIPPED.depth = 3  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        SHIPPED.blind.beta = 0.0  # type: ignore[misc]
    assert RankingSettings() == SHIPPED
    assert hash(RankingSettings()) == hash(SHIPPED), "settings are a key of caches"


DEPTH = 200


ONE = [Hit("a", 9.0), Hit("b", 8.0), Hit("c", 5.0)]


OTHER = [Hit("b", 0.3), Hit("d", 0.2), Hit("e", 0.1)]


def test_scores_are_sums_of_the_way_from_the_last_to_the_first() -> None:
    fused = relative_scores([ONE, OTHER], depth=DEPTH)
    assert [hit.id for hit in fused] == ["b", "a", "d", "c", "e"]
    assert [hit.score for hit in fused] == pytest.approx([0.75 + 1, 1, 0.5, 0, 0])


def test_the_scale_of_a_ranking_does_not_count() -> None:
    scaled = [Hit(hit.id, hit.score * 4 - 5) for hit in ONE]
    assert [hit.id for hit in relative_scores([scaled, OTHER], depth=DEPTH)] == [
        hit.id for hit in relative_scores([ONE, OTHER], depth=DEPTH)
    ]


def test_weights_scale_a_ranking() -> None:
    fused = relative_scores([ONE, OTHER], [1.0, 3.0], depth=DEPTH)
    assert [hit.id for hit in fused][:3] == ["b", "d", "a"]
    assert fused[1].score == pytest.approx(1.5)


def test_what_stands_below_the_depth_counts_nothing() -> None:
    fused = relative_scores([ONE], depth=2)
    assert [(hit.id, hit.score) for hit in fused] == [("a", 1.0), ("b", 0.0), ("c", 0.0)]


def test_equal_scores_count_alike_and_ties_go_to_the_earlier_ranking() -> None:
    fused = relative_scores([[Hit("x", 1.0)], [Hit("y", 7.0), Hit("z", 7.0)]], depth=DEPTH)
    assert [(hit.id, hit.score) for hit in fused] == [("x", 1.0), ("y", 1.0), ("z", 1.0)]


def test_what_stands_below_many_equal_scores_counts_nothing() -> None:
    fused = relative_scores([[*(Hit(f"{n}", 5.0) for n in range(DEPTH)), Hit("low", 0.1)]], depth=DEPTH)
    assert {hit.score for hit in fused[:-1]} == {1.0}
    assert fused[-1] == Hit("low", 0.0)


def test_nothing_gives_nothing() -> None:
    assert relative_scores([], depth=DEPTH) == []
    assert relative_scores([[], []], depth=DEPTH) == []


def test_every_ranking_needs_a_weight() -> None:
    with pytest.raises(ValueError, match="shorter"):
        relative_scores([ONE, OTHER], [1.0], depth=DEPTH)


def test_near_documents_that_hold_the_words_rise_and_the_rest_keeps_its_order() -> None:
    order = [Hit("a", 9.0), Hit("b", 8.0), Hit("c", 5.0), Hit("d", 1.0)]
    assert [hit.id for hit in promote(order, [{"c", "d"}], depth=DEPTH)] == ["c", "a", "b", "d"]  # d is not near
    assert [hit.id for hit in promote(order, [], depth=DEPTH)] == ["a", "b", "c", "d"]
    assert promote([], [{"a"}], depth=DEPTH) == []


def test_two_words_both_count() -> None:
    order = [Hit("a", 9.0), Hit("b", 8.0), Hit("c", 5.0), Hit("d", 1.0)]
    assert [hit.id for hit in promote(order, [{"b", "c"}, {"c"}], depth=DEPTH)] == ["c", "b", "a", "d"]


def test_demotion_takes_half_the_scaled_score_away() -> None:
    hits = [Hit("a", 10.0), Hit("b", 8.0), Hit("c", 6.0)]
    assert demote(hits, [Hit("a", 4.0), Hit("c", 2.0)]) == [Hit("b", 8.0), Hit("a", 5.0), Hit("c", 3.5)]
    assert demote(hits, []) == hits
    assert demote([], hits) == []


def test_a_kind_counts_by_how_near_its_first_documents_come() -> None:
    own, other = [Hit("a", 0.9), Hit("b", 0.5)], [Hit("c", 0.4), Hit("d", 0.4)]
    assert list_weights([own, other], 0.2, 1.0) == pytest.approx([1.0, 0.4])  # (.4 - .2) / (.7 - .2)
    assert list_weights([own, other], 0.2, 2.0) == pytest.approx([1.0, 0.16])
    assert list_weights([other, own], 0.2, 2.0) == pytest.approx([0.16, 1.0])
    assert list_weights([own, other], 0.2, 0.0) == [1.0, 1.0]
    assert list_weights([own, []], 0.2, 2.0) == [1.0, 0.0]
    assert list_weights([own, other], 1.0, 2.0) == [1.0, 1.0]  # neither is above the average document
    far = [Hit(str(number), 0.1) for number in range(9)]
    assert list_weights([own, [*([Hit("e", 0.7)] * 3), *far]], 0.2, 2.0) == pytest.approx(
        [1, 1]
    )  # three say how near a kind comes, not all


def test_lists_are_joined_by_what_each_counts() -> None:
    one, other = [Hit("a", 1.0), Hit("b", 0.5)], [Hit("c", 1.0), Hit("d", 0.2)]
    assert join_lists([one, other], [1.0, 0.5]) == [Hit("a", 1.0), Hit("b", 0.5), Hit("c", 0.5), Hit("d", 0.1)]
    assert join_lists([one], [1.0]) == one


PAPERS, PATENTS = frozenset({"p1", "p2", "p3", "p4"}), frozenset({"US1", "US2"})


HITS = [Hit(name, 1 - number / 10) for number, name in enumerate(("US1", "p1", "US2", "p2", "p3", "p4"))]


def test_the_kind_that_asks_comes_first_where_there_are_several() -> None:
    kinds = {"paper": PAPERS, "patent": PATENTS}
    assert own_first("patent", kinds) == [PATENTS, PAPERS]  # type: ignore[arg-type]
    assert own_first("paper", kinds) == [PAPERS, PATENTS]  # type: ignore[arg-type]
    assert own_first("query", kinds) == [None]  # type: ignore[arg-type]
    assert own_first("paper", {"paper": PAPERS, "patent": frozenset()}) == [None]
    assert own_first("paper", {}) == [None]


@pytest.mark.parametrize(
    ("depth", "order", "searches"), [(2, HITS, 2), (1, [HITS[0], HITS[2], *HITS], 3), (9, HITS, 2)]
)
def test_each_group_is_searched_and_the_largest_by_leaving_others_out(
    depth: int, order: list[Hit], searches: int
) -> None:
    asked: list[tuple[list[int], Ids]] = []
    short = [HITS[0], HITS[2], *HITS]  # patents lead

    def search(numbers: Sequence[int], most: int, ids: Ids) -> Lists:
        asked.append((list(numbers), ids))
        orders = [(order, HITS, short)[number] for number in numbers]
        return [[hit for hit in hits if ids is None or hit.id in ids][:most] for hits in orders]

    found = found_by_kind(search, 1, depth, [PATENTS, PAPERS])
    assert found == [[[hit for hit in order if hit.id in ids][:depth] for ids in (PATENTS, PAPERS)]]
    assert len(asked) == searches
    assert ([0], PAPERS) in asked or searches == 2  # papers apart only where too few are among the first of all
    asked.clear()
    all_found = found_by_kind(search, 3, 1, [PATENTS, PAPERS])
    first = {PATENTS: HITS[0], PAPERS: HITS[1]}
    assert all_found == [[[first[ids]] for ids in (PATENTS, PAPERS)]] * 3
    assert [numbers for numbers, ids in asked if ids == PAPERS] == [[0, 2] if order != HITS else [2]]


def test_one_group_is_searched_as_it_is() -> None:
    def search(numbers: Sequence[int], most: int, ids: Ids) -> Lists:
        return [HITS[:most] if ids == PAPERS else [] for _ in numbers]

    assert found_by_kind(search, 2, 2, [PAPERS]) == [[HITS[:2]], [HITS[:2]]]


def test_the_mean_row_is_that_of_all_rows(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path)
    with library:
        rows = encoder.encode_documents(DOCUMENTS).toarray()  # type: ignore[union-attr]
        assert mean_row(index)[0] == pytest.approx(rows.mean(axis=0), abs=1e-6)
        empty = open_index(tmp_path / "empty", fingerprint="f", dim=3, kind="embedded")
        assert mean_row(empty).tolist() == [[0.0, 0.0, 0.0]]


FORM = "The present invention comprises an apparatus wherein said means is coupled to said housing. "


LENSES = "A liquid lens focuses light by electrowetting of an oil drop. "


OTHERS = ("A saw blade cuts timber.", "A pump feeds water.", "A hinge bears a door.", "A lamp stands in a street.")


MIXED = (
    Document("p-lens", title="Electrowetting", abstract="We study how voltage moves a drop of oil in a lens."),
    Document("p-oil", title="Thin films", abstract="A film of oil focuses light as a liquid lens does."),
    Document("p-drop", title="Drops on a wall", abstract="We watch how liquid wets a wall by electrowetting."),
    *(Document(f"p{n}", title="Graphs", abstract=f"We colour graph {n} by a greedy rule.") for n in range(60)),
    *(Document(f"US{n}", kind="patent", title="Apparatus", abstract=FORM * 3 + text) for n, text in enumerate(OTHERS)),
)


ASKING = Document("file:patent", kind="patent", title="Apparatus", abstract=FORM * 3 + LENSES)


def test_wording_alone_puts_no_kind_ahead(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path, MIXED)
    with library:
        one_list = Corpus(encoder, index, library.keywords)
        apart = replace(one_list, kinds=ids_by_kind(MIXED))
        (before,), (now,), (even,) = (
            one_list.rank([ASKING], 9),
            apart.rank([ASKING], 9),
            apart.rank([ASKING], 9, settings=RankingSettings(sharpness=0.0)),
        )
        answer = Searcher(library, encoder, index).search(Question(ASKING, k=9))
    places = [[hit.id for hit in hits].index("p-lens") for hits in (before, now, even)]
    assert places[0] > places[1] > places[2]
    assert [result.document.id for result in answer.results] == [hit.id for hit in now]
    assert answer.kinds_apart


def test_kinds_are_apart_only_where_both_may_be_found(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path)
    with library:
        searcher = Searcher(library, encoder, index)

        def asked(**given: object) -> Answer:
            return searcher.search(Question(QUERY, **given))  # type: ignore[arg-type]

        assert asked().kinds_apart and asked(filters=Filters(year_to=2016)).kinds_apart
        assert not asked(filters=Filters(kinds=frozenset({"patent"}))).kinds_apart
        assert not asked(filters=Filters(year_from=2000)).kinds_apart  # the patents are older
        assert not asked(ranking="encoder").kinds_apart and not asked(ranking="keywords").kinds_apart
        assert not searcher.search(Question(replace(QUERY, kind="query"))).kinds_apart
        seeds = Document("seeds", "query")
        assert searcher.search(Question(seeds, liked=("US1",))).kinds_apart
        kinds = {result.document.kind for result in asked(filters=Filters(year_to=2016)).results}
        assert kinds == {"paper", "patent"}


def test_documents_that_came_later_are_of_their_kind(tmp_path: Path) -> None:
    papers = tuple(one for one in DOCUMENTS if one.kind == "paper")
    library, encoder, index = fill(tmp_path, papers)
    with library:
        searcher = Searcher(library, encoder, index)
        assert not searcher.search(Question(QUERY)).kinds_apart
        patent = next(one for one in DOCUMENTS if one.kind == "patent")
        library.add_file("later", "texts", [patent])
        index.add([patent.id], encoder.encode_documents([patent]))
        answer = searcher.search(Question(QUERY, k=9))
        assert answer.kinds_apart
        assert patent.id in {result.document.id for result in answer.results}


def test_a_question_that_is_in_the_library_gets_the_whole_list_of_each_kind(
    tmp_path: Path,
) -> None:
    """Most documents are papers, yet few come first; the hidden patent must not make these few the whole list."""
    asking, settings = MIXED[-1], RankingSettings(depth=2)
    library, encoder, index = fill(tmp_path, MIXED)
    with library:
        searcher, question = Searcher(library, encoder, index, settings=settings), Question(asking, k=1)
        answer = searcher.search(question)
        batch = searcher._batch(question, searcher._look_up(question))
        lists = ranking.rank(batch, searcher._corpus(), settings)[0].near
    assert asking.id in answer.query_duplicates
    assert [len(hits) for hits in lists] == [2, 3]  # of three each, the patent itself hidden


def test_the_mean_row_of_many_is_that_of_rows_at_even_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fusion, "_MOST_ROWS", 3)
    rows = np.arange(21, dtype=np.float32).reshape(7, 3)
    index = open_index(tmp_path / "rows", fingerprint="f", dim=3, kind="embedded")
    index.add([f"d{number}" for number in range(7)], rows)
    assert mean_row(index)[0] == pytest.approx(rows[::2].mean(axis=0), abs=1e-6)


def test_the_mean_row_is_made_once_until_documents_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def counted(index: VectorIndex) -> DenseRows:
        made.append(len(index))
        return mean_row(index)

    monkeypatch.setattr(ranking, "mean_row", counted)
    library, encoder, index = fill(tmp_path, DOCUMENTS[:-1])
    with library:
        searcher = Searcher(library, encoder, index)
        for _ in range(2):  # as an evaluation asks, some queries at a time, of both kinds
            searcher.rank([DOCUMENTS[0], DOCUMENTS[4]], 3)
        searcher.search(Question(QUERY))
        assert made == [6]
        library.add_file("later", "texts", [DOCUMENTS[-1]])
        index.add([DOCUMENTS[-1].id], encoder.encode_documents([DOCUMENTS[-1]]))
        searcher.rank([DOCUMENTS[0]], 3)
    assert made == [6, 7]
