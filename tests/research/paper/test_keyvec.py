"""KeyVec's tables, papers found by a field's description and clustered by venue, and C-DSSM's table 1."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.core import files
from engine.core.errors import EvaluationError
from engine.core.progress import Progress
from engine.documents import Document
from engine.encoders.tfidf import TfidfEncoder
from engine.evaluation import PRODUCT, Catalogue
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.research.baselines.rows import ROWS
from engine.research.paper import cdssm, keyvec
from engine.research.paper.keyvec import (
    FieldSettings,
    FieldTask,
    VenueDraw,
    VenueSettings,
    clustering_scores,
    description,
    draw_papers,
    field_task,
    pair_f1,
    score_clusters,
    score_fields,
    series,
)
from engine.research.paper.published import cdssm as published
from engine.research.paper.settings import CdssmTables, PaperSettings
from engine.research.paper.work import Work
from tests.contracts.encoder import corpus
from tests.evaluation.small import write_table
from tests.research.paper.small_keyvec import settings

SETTINGS = FieldSettings(described_by=2, fewest_held_out=3, fewest_relevant=5)


def labelled() -> list[Document]:
    """The corpus of four subjects, each document with its subject; some of two subjects are "old" too."""
    documents = []
    for document in corpus():
        subject = document.id.rstrip("0123456789")
        more = ("old",) if subject in ("steam", "graph") and document.id[-1] in "04" else ()
        documents.append(replace(document, categories=(subject, *more)))
    return documents


def task(settings: FieldSettings = SETTINGS) -> FieldTask:
    documents = labelled()
    return field_task(documents[16:], documents[:16], lambda document: document.categories, settings)


def test_a_document_is_relevant_that_carries_the_field() -> None:
    made = task()
    assert set(made.relevant) == {"steam", "neural", "protein", "graph"}
    pool = {document.id: document for document in made.pool}
    for field, ids in made.relevant.items():
        assert ids == {name for name, document in pool.items() if field in document.categories}


def test_a_description_is_of_held_out_documents_and_does_not_name_the_field() -> None:
    made = task()
    held_out = {document.id for document in labelled()[:16]}
    assert [query.id for query in made.queries] == list(made.relevant)
    for query in made.queries:
        assert set(made.described_by[query.id]) <= held_out
        assert len(made.described_by[query.id]) == 2
        assert query.kind == "query"
        assert not query.categories
    assert task() == made
    assert task(replace(SETTINGS, seed=2)).described_by != made.described_by


def test_documents_of_fewer_fields_describe_first() -> None:
    fields = {"one": ("a",), "two": ("a", "b"), "three": ("a", "b", "c")}
    documents = [Document(id=name, title=name, categories=of) for name, of in fields.items()]
    pool = [Document(id="p", title="p", categories=("a",))]
    settings = FieldSettings(described_by=2, fewest_held_out=1, fewest_relevant=1)
    made = field_task(pool, documents[::-1], lambda document: document.categories, settings)
    assert made.described_by == {"a": ("one", "two")}


def test_a_text_about_a_field_is_titles_then_first_sentences() -> None:
    documents = [
        Document(id="1", title="On boilers.", abstract="Boilers hold steam. They burst."),
        Document(id="2", title="Valves", abstract=""),
    ]
    made = description("steam", documents)
    assert (made.title, made.abstract) == ("On boilers. Valves", "Boilers hold steam.")


def test_a_subject_that_the_same_documents_carry_is_asked_once() -> None:
    twice = [
        replace(document, categories=(*document.categories, f"{document.categories[0]}-again"))
        for document in labelled()
    ]
    made = field_task(twice[16:], twice[:16], lambda document: document.categories, SETTINGS)
    assert set(made.relevant) == {"steam", "neural", "protein", "graph"}
    assert len(task(replace(SETTINGS, most_fields=3)).relevant) == 3


def test_the_fields_documents_are_found() -> None:
    made = task()
    over_all, by_field = score_fields(made, PRODUCT.prepare("tfidf", made.pool).system)
    assert set(over_all) == {"P@10", "MAP", "MRR"}
    assert over_all["MRR"] == 1
    assert over_all["MAP"] > 0.9
    assert over_all["P@10"] == pytest.approx(sum(one["P@10"] for one in by_field.values()) / 4)
    assert by_field["steam"]["P@10"] <= 6 / 10


def test_a_document_on_both_sides_is_refused() -> None:
    documents = labelled()
    with pytest.raises(EvaluationError, match=r"not in the pool, got 4 that are, the first 'graph15'"):
        field_task(documents[12:], documents[:16], lambda document: document.categories, SETTINGS)


def test_too_few_documents_are_told() -> None:
    with pytest.raises(EvaluationError, match="Expected a subject that 9 held-out documents and 5 of the pool carry"):
        task(replace(SETTINGS, fewest_held_out=9))


SUBJECTS = {"steam", "neural", "protein", "graph"}


def test_fields_are_asked_for_in_both_sets(keyvec_work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    table = keyvec.retrieval(keyvec_work)
    arxiv, acm = table.panels
    assert (arxiv.facts["documents"], arxiv.facts["fields"]) == (80, 4)
    assert acm.facts["documents"] == 60
    for panel in table.panels:
        assert [set(line.ours) for line in panel.lines] == [{"P@10", "MAP", "MRR"}] * len(
            keyvec_work.settings.keyvec.rows
        )
    rows = {line.name: line for line in arxiv.lines}
    assert rows["tfidf"].ours["MRR"] == 1
    assert rows["doc2vec"].beside == "Paragraph Vector" and rows["tfidf"].beside == ""
    assert [order.over for order in arxiv.orders] == ["P@10", "MAP", "MRR"]
    assert {order.names for order in arxiv.orders} == {("doc2vec", "word2vec-own")}
    monkeypatch.setattr(Catalogue, "prepare", None)
    assert keyvec.retrieval(keyvec_work) == table  # nothing is measured twice


def test_held_out_documents_of_one_set_are_not_in_its_pool(keyvec_work: Work) -> None:
    task = keyvec.acm_fields(keyvec_work)
    described = {name for ids in task.described_by.values() for name in ids}
    assert described
    assert not described & {document.id for document in task.pool}
    assert SUBJECTS <= set(task.relevant)


def test_a_pool_and_drawn_papers_are_not_encoded_where_the_whole_set_was(keyvec_work: Work) -> None:
    documents = read_documents(keyvec_work.data / "acm-citation" / CORPUS)
    rows = keyvec_work.cache / files.sha256_file(keyvec_work.data / "acm-citation" / CORPUS)
    ROWS.prepare("random", documents, keep=rows)
    said: list[Progress] = []
    again = Work(keyvec_work.data, keyvec_work.cache, settings('keyvec.rows=["random"]'), report=said.append)
    assert keyvec.retrieval(again).panels[1].lines and keyvec.clustering(again).panels[0].lines
    assert [one.total for one in said if one.stage == "encode by random"] == [80, 0, 0]


def test_what_cannot_be_had_is_left_out(keyvec_work: Work, tmp_path: Path) -> None:
    odd = Work(keyvec_work.data, keyvec_work.cache, settings('keyvec.rows=["bm25", "skip-thoughts"]'))
    (panel,) = keyvec.clustering(odd).panels
    why = {one.name: one.why for one in panel.skipped}
    assert why["bm25"].startswith("Expected rows to cluster, got bm25, which only ranks.")
    assert why["skip-thoughts"].startswith("Expected a row of `python -m engine.research evaluate`, got skip-thoughts")
    assert {one.name for one in keyvec.retrieval(odd).panels[0].skipped} == {"skip-thoughts"}
    lost = Work(tmp_path / "nowhere", keyvec_work.cache, keyvec_work.settings)
    panels = [*keyvec.retrieval(lost).panels, *keyvec.clustering(lost).panels]
    assert all("Expected corpus.parquet in the set" in panel.skipped[0].why for panel in panels)


VENUES = VenueSettings(papers=14, venues=4, draws=3)
CLASSES = [0, 0, 0, 1, 1]
CLUSTERS = [5, 5, 6, 6, 6]
"""Same class: 3 + 1 pairs; same cluster: 1 + 3 pairs; both: 1 of the first cluster, 1 of the second."""


def papers() -> list[Document]:
    """The corpus of four subjects, each in a venue of its own; steam has a second year, and one paper has no venue."""
    documents = []
    for number, document in enumerate(corpus()):
        subject = document.id.rstrip("0123456789")
        year = "'19" if subject != "steam" or number % 8 else "'20"
        documents.append(replace(document, venue=f"{subject.title()} {year}"))
    return [*documents, Document(id="none", title="no venue")]


@pytest.mark.parametrize(
    ("venue", "expected"),
    [
        ("CHI '19", "CHI"),
        ("AIRS'08", "AIRS"),
        ("ADCS 2017", "ADCS"),
        ("WWW '15 Companion", "WWW"),
        ("J. Mach. Learn. Res.", "J. Mach. Learn. Res."),
        ("2019", "2019"),
    ],
)
def test_a_year_is_no_part_of_a_series(venue: str, expected: str) -> None:
    assert series(venue) == expected


def test_each_draw_has_the_papers_and_venues_asked_for() -> None:
    venue_of = {document.id: document.venue for document in papers()}
    draws = draw_papers(papers(), VENUES)
    assert [draw.seed for draw in draws] == [0, 1, 2]
    for draw in draws:
        assert len(set(draw.ids)) == len(draw.venues) == 14
        assert sorted(Counter(draw.venues.tolist()).values()) == [3, 3, 4, 4]
        named = {(venue_of[name], number) for name, number in zip(draw.ids, draw.venues.tolist(), strict=True)}
        assert len(named) == 4
        assert len({series(venue) for venue, _ in named}) == 4
    assert draws[0].ids != draws[1].ids
    np.testing.assert_array_equal(draw_papers(papers(), VENUES)[0].ids, draws[0].ids)


def test_a_second_year_is_drawn_where_there_are_too_few_series() -> None:
    (draw,) = draw_papers(papers(), VenueSettings(papers=10, venues=5, draws=1))
    assert len(set(draw.venues.tolist())) == 5


@pytest.mark.parametrize("encoder", ["sparse", "dense"])
def test_rows_of_one_venue_cluster(encoder: str) -> None:
    documents = {document.id: document for document in papers()}
    (draw,) = draw_papers(papers(), replace(VENUES, papers=20, draws=1))
    rows = TfidfEncoder.fit(corpus()).encode_documents([documents[name] for name in draw.ids])
    scores = score_clusters(rows if encoder == "sparse" else rows.toarray(), draw)
    assert set(scores) == {"F1", "V-measure", "ARI"}
    assert all(value > 0.7 for value in scores.values())


def test_rows_without_a_word_are_clustered_too() -> None:
    rows = np.zeros((4, 3), np.float32)
    rows[:2, 0] = 1
    scores = score_clusters(rows, VenueDraw(0, ("a", "b", "c", "d"), np.array([0, 0, 1, 1])))
    assert scores == {"F1": 1.0, "V-measure": 1.0, "ARI": 1.0}


def test_too_few_venues_are_told() -> None:
    with pytest.raises(EvaluationError, match="Expected 9 venues with 2 papers or more, found 5"):
        draw_papers(papers(), VenueSettings(papers=18, venues=9))


def test_pairs_that_share_a_class_are_sought_in_one_cluster() -> None:
    assert pair_f1(CLASSES, CLUSTERS) == pytest.approx(2 * (2 / 4) * (2 / 4) / (2 / 4 + 2 / 4))


def test_v_measure_is_by_entropies() -> None:
    both = math.log(5) - (2 * math.log(2) + 2 * math.log(2)) / 5  # joint entropy of (2, 1, 2) of 5
    one = math.log(5) - (3 * math.log(3) + 2 * math.log(2)) / 5  # entropy of (3, 2) of 5
    assert clustering_scores(CLASSES, CLUSTERS)["V-measure"] == pytest.approx(1 - (both - one) / one)


def test_the_rand_index_is_measured_against_chance() -> None:
    expected = 4 * 4 / 10
    assert clustering_scores(CLASSES, CLUSTERS)["ARI"] == pytest.approx((2 - expected) / ((4 + 4) / 2 - expected))


def test_the_same_partition_under_other_names_is_perfect() -> None:
    assert clustering_scores([0, 0, 1, 1], [7, 7, 3, 3]) == pytest.approx({"F1": 1, "V-measure": 1, "ARI": 1})


def test_no_shared_pair_scores_zero() -> None:
    assert pair_f1([0, 0, 1, 1], [0, 1, 2, 3]) == 0
    assert pair_f1([0, 1], [0, 1]) == 0


def test_papers_are_clustered_by_venue(keyvec_work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    table = keyvec.clustering(keyvec_work)
    (panel,) = table.panels
    rows = {line.name: line for line in panel.lines}
    assert rows["tfidf"].ours["F1"] > 0.5
    assert set(rows) == set(keyvec_work.settings.keyvec.rows)
    assert all(set(line.ours) == {"F1", "V-measure", "ARI"} for line in panel.lines)
    assert set(rows["tfidf"].facts["stdev"]) == {"F1", "V-measure", "ARI"}
    assert (panel.facts["papers"], panel.facts["venues"], panel.facts["draws"]) == (14, 4, 2)
    monkeypatch.setattr(Catalogue, "prepare", None)
    assert keyvec.clustering(keyvec_work) == table


def test_rows_are_left_out_of_one_set_or_of_all(keyvec_work: Work) -> None:
    given = 'keyvec.leave_out=["tfidf@acm-citation", "doc2vec", "word2vec-own"]'
    fewer = Work(keyvec_work.data, keyvec_work.cache, settings(given))
    arxiv, acm = keyvec.retrieval(fewer).panels
    assert [line.name for line in arxiv.lines] == ["tfidf"] and acm.lines == []
    assert {one.name: one.why for one in acm.skipped} == dict.fromkeys(
        fewer.settings.keyvec.rows, "asked to be left out"
    )
    (clusters,) = keyvec.clustering(fewer).panels
    assert [line.name for line in clusters.lines] == ["tfidf"]


def test_sizes_are_counted_from_one() -> None:
    with pytest.raises(Exception, match="draws must be at least 1, got 0"):
        settings("keyvec.draws=0")
    with pytest.raises(
        Exception, match="sbert_epochs must be at least 1, got 0; sbert_tokens must be at least 4, got 2"
    ):
        settings("colde.sbert_epochs=0", "colde.sbert_tokens=2")
    with pytest.raises(Exception, match=r"sbert_epochs_of\.pmc-long must be at least 1, got 0"):
        settings("colde.sbert_epochs_of.pmc-long=0")


def test_words_with_the_same_trigrams_equally_often_collide() -> None:
    assert cdssm.collisions(["cat", "cab"]) == {"trigrams": 5, "collisions": 0}  # #ca cat at# cab ab#
    assert cdssm.collisions(["ababaab", "abaabab", "ab"])["collisions"] == 1  # the same seven in another order
    assert cdssm.collisions(["aaaa", "aaaaa"])["collisions"] == 0  # how often counts


def test_the_most_frequent_words_are_counted_and_a_small_vocabulary_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = [*corpus(), *(replace(corpus()[0], id=f"x{n}", title="ababaab abaabab", sections=()) for n in range(9))]
    (tmp_path / "ours").mkdir()
    write_table(tmp_path / "ours" / "corpus.parquet", documents)
    found = {3: {"trigrams": 9.0, "collisions": 1.0}, 10_000: {"trigrams": 9.0, "collisions": 2.0}}
    monkeypatch.setattr(published, "COLLISIONS", found)
    work = Work(tmp_path, tmp_path / "cache", PaperSettings(cdssm=CdssmTables(texts=("ours",))))
    (panel,) = cdssm.letters(work).panels
    few, every = panel.lines
    assert (few.name, few.theirs) == ("3 words", found[3])
    assert few.ours["trigrams"] < every.ours["trigrams"]
    assert every.name.startswith("all ") and every.ours["collisions"] == 1 and not every.theirs
    assert [one.name for one in panel.skipped] == ["10,000 words"]
    assert "Expected 10,000 different words in ours, found" in panel.skipped[0].why
    assert cdssm.letters(work).panels == [panel]  # from the cache
