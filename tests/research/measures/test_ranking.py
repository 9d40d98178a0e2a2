"""How values of the ranking are chosen on valid queries: weights, fusion, feedback, forms of words, long questions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document, Hit, Section
from engine.encoders import registry
from engine.encoders.blend import BlendEncoder
from engine.evaluation import PRODUCT, load_benchmark
from engine.evaluation.benchmarks import from_parts
from engine.evaluation.measure import PreparedSystem
from engine.evaluation.systems import BM25
from engine.library import Library, postings
from engine.research.measures import (
    blend_weights,
    blind_feedback,
    citing_passages,
    fusion,
    long_questions,
    word_forms,
    word_order,
)
from engine.research.measures.blend_weights import smaller
from engine.research.measures.citing_passages import WITH, WITHOUT
from engine.search.settings import SHIPPED, Blind
from tests.contracts.encoder import corpus
from tests.encoders.test_blend import blend
from tests.evaluation.small import QUERIES, split_queries, write_benchmark, write_table


def test_a_smaller_corpus_keeps_what_is_relevant(tmp_path: Path) -> None:
    whole = load_benchmark(write_benchmark(tmp_path / "small"))
    first = next(iter(whole.qrels))
    whole = replace(whole, qrels={first: whole.qrels[first]})
    relevant = {name for judged in whole.qrels.values() for name, gain in judged.items() if gain > 0}
    some = smaller(whole, len(relevant) + 2)
    ids = [document.id for document in some.corpus]
    assert len(ids) == len(relevant) + 2 and relevant < set(ids)
    assert ids == [document.id for document in whole.corpus if document.id in set(ids)]
    assert ids == [document.id for document in smaller(whole, len(relevant) + 2).corpus]
    assert {document.id for document in smaller(whole, 1).corpus} == relevant
    for most in (0, len(whole.corpus)):
        assert smaller(whole, most) is whole


CITING = [
    Document(query.id, kind="query", title="Of walks", abstract=" ".join([query.abstract] * 9) + " [3].")
    for query in QUERIES
]
LONG = [Document(query.id, kind="paper", abstract=" ".join([query.abstract] * 9)) for query in QUERIES]
PATENTS = [replace(query, kind="patent") for query in LONG]
ALL = ["questions", "papers", "patents", "passages"]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(blend_weights, "_FEWEST", 1)
    for name, queries in zip(ALL, (QUERIES, LONG, PATENTS, CITING), strict=True):
        folder = write_benchmark(tmp_path / name, queries=queries)
        (folder / "query-splits.tsv").write_text("".join(f"{query.id}\tvalid\n" for query in queries))
    blend().save(tmp_path / "parts")
    return tmp_path


def test_the_best_weights_are_written_as_a_blend(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved, parts = data / "report.json", data / "parts"
    for name in ("ctpe", "student"):
        (parts / name).rename(data / name)
    words = ["--data", str(data), "--sets", *ALL, "--write", str(data / "blend")]
    rows = ["--coupled", f"ctpe={data / 'ctpe'}", "--general", f"student={data / 'student'}"]
    blend_weights.main([*words, *rows, "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert set(report["figures"]["questions"]["alone"]["0.0"]) == {"questions"}
    assert set(report["figures"]["papers"]["alone"]["0.0"]) == {"papers"}
    assert set(report["figures"]["patents"]["alone"]) == {f"{weight}" for weight in blend_weights.WEIGHTS if weight}
    choice = report["choice"]
    made = BlendEncoder.load(data / "blend")
    assert made.settings.weight == pytest.approx(choice["patents"])
    assert made.settings.paper_weight == pytest.approx(choice["papers"])
    assert made.settings.short_weight == pytest.approx(choice["questions"])
    assert made.settings.passage_weight == pytest.approx(choice["passages"])
    assert set(report["figures"]["passages"][str(registry.ENTRIES["blend"].passage_weight)]["0.5"]) == {
        "passages",
        "passages without titles",
    }
    assert {"parts", "chosen", "commit", "hardware"} == set(made.facts)
    assert "## questions: questions" in capsys.readouterr().out


def test_a_blend_of_other_parts_names_them(data: Path) -> None:
    for name, new in (("ctpe", "ctpe"), ("student", "student-large")):
        (data / "parts" / name).rename(data / new)
    words = ["--data", str(data), "--sets", *ALL, "--write", str(data / "blend-large")]
    rows = ["--coupled", f"ctpe={data / 'ctpe'}", "--general", f"student-large={data / 'student-large'}"]
    blend_weights.main([*words, *rows])
    made = BlendEncoder.load(data / "blend-large")
    assert (made.settings.coupled, made.settings.general) == ("ctpe", "student-large")
    assert made.card.name == "blend-large"


def test_a_part_of_each_corpus_is_enough_where_it_is_asked_for(data: Path) -> None:
    saved = data / "report.json"
    words = ["--data", str(data), "--sets", *ALL, "--documents", "1"]
    rows = ["--coupled", f"ctpe={data / 'parts' / 'ctpe'}", "--general", f"student={data / 'parts' / 'student'}"]
    blend_weights.main([*words, *rows, "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert {one["documents"] for one in report["sets"].values()} == {40}  # what is relevant
    assert report["command"].endswith("--coupled=ctpe=ctpe --general=student=student --short-below 40 --documents 1")


def test_weights_that_are_given_are_written_as_they_are(data: Path) -> None:
    for name in ("ctpe", "student"):
        (data / "parts" / name).rename(data / name)
    rows = ["--coupled", f"ctpe={data / 'ctpe'}", "--general", f"student={data / 'student'}"]
    words = ["--data", str(data / "none"), *rows, "--weights", "2", "0.125", "0.5", "0.75"]
    blend_weights.main([*words, "--write", str(data / "blend")])
    made = BlendEncoder.load(data / "blend").settings
    assert (made.weight, made.short_weight, made.passage_weight, made.paper_weight) == (2, 0.125, 0.5, 0.75)
    with pytest.raises(SystemExit):
        blend_weights.main(words)


def test_the_choice_is_the_best_mean_over_sets() -> None:
    figures = {
        "papers": {
            "alone": {1.0: {"a": [0.9, 0]}},
            "0.5": {0.5: {"a": [0.3, 0], "b": [0.3, 0]}, 1.0: {"a": [0.5, 0], "b": [0.2, 0]}},
        },
        "questions": {"alone": {1.0: {"c": [0.9, 0]}}, "0.5": {0.0: {"c": [0.2, 0]}, 0.25: {"c": [0.4, 0]}}},
    }
    assert blend_weights.chosen(figures) == {"keywords": 0.5, "papers": 1.0, "questions": 0.25}  # type: ignore[arg-type]
    figures["passages"] = {
        "0.5": {0.0: {"d": [0.9, 0]}},
        str(registry.ENTRIES["blend"].passage_weight): {0.0: {"d": [0.1, 0]}, 2.0: {"d": [0.2, 0]}},
    }
    assert blend_weights.chosen(figures) == {"keywords": 0.5, "papers": 1.0, "questions": 0.25, "passages": 2.0}  # type: ignore[arg-type]


def test_a_set_is_told_the_weight_that_the_others_choose() -> None:
    of = {0.5: {"a": [0.3, 0.6], "b": [0.4, 0.5]}, 1.0: {"a": [0.5, 0.5], "b": [0.2, 0.7]}}
    assert blend_weights.left_out(of) == [
        ("a", "nDCG@10", 0.5, 0.3, 1.0, 0.5),
        ("a", "R@100", 1.0, 0.5, 0.5, 0.6),
        ("b", "nDCG@10", 1.0, 0.2, 0.5, 0.4),
        ("b", "R@100", 0.5, 0.5, 1.0, 0.7),
    ]
    assert blend_weights.left_out({0.5: {"a": [0.3, 0.6]}}) == []


def test_the_related_documents_of_a_set_of_pairs_ask_by_their_abstracts(tmp_path: Path) -> None:
    body = (Section("Trials", "Nobody had measured it for a whole year before."),)
    documents = [replace(one, abstract=" ".join([one.abstract] * 9), sections=body) for one in corpus()[:3]]
    write_table(tmp_path / "corpus.parquet", [*documents, Document("title", title="Valves", sections=body)])
    first, second, third = (one.id for one in documents)
    rows = [f"{first}\t{second}\t1\tvalid", f"{first}\t{third}\t1\ttest", f"title\t{second}\t1\tvalid"]
    (tmp_path / "pairs.tsv").write_text("\n".join(["id-a\tid-b\tlabel\tsplit", *rows, ""]))
    found = blend_weights._benchmark(tmp_path)
    assert found.qrels == {first: {second: 1}, second: {first: 1, "title": 1}}
    assert found.excluded[first] == {first, third}
    assert not any(one.sections for one in (*found.corpus, *found.queries))


def test_rankings_follow_the_weighed_sum() -> None:
    coupled, general = np.array([[1.0, 0.0]], np.float32), np.array([[0.0, 0.6]], np.float32)
    for weight, first in ((0.5, "y"), (1.0, "x")):
        hits = blend_weights.Weighed(["x", "y"], coupled, general, weight).rank([QUERIES[0]], 2)[0]
        assert hits[0].id == first


def test_a_row_that_is_no_encoder_s_is_refused() -> None:
    with pytest.raises(TypeError, match="expected the row of an encoder, got bm25"):
        blend_weights._parts(PreparedSystem("bm25", blend_weights.Weighed([], *(np.zeros((0, 0)),) * 2, 1.0), "", None))  # type: ignore[arg-type]


def test_the_other_sets_choose_for_one(tmp_path: Path) -> None:
    report = tmp_path / "weights.json"
    few = {0.5: {"a": [0.3, 0], "b": [0.4, 0]}, 1.0: {"a": [0.5, 0], "b": [0, 0]}}
    every = {one: {"alone": few, "0.5": few} for one in ("papers", "patents", "questions")}
    passages = {"0.5": {0.25: {"c": [0.1, 0], "c without titles": [0.1, 0]}}}
    every["passages"] = {**passages, str(registry.ENTRIES["blend"].passage_weight): passages["0.5"]}
    report.write_text(json.dumps({"figures": every}), "utf-8")
    usual = {"keywords": 0.5, "papers": 0.5, "patents": 0.5, "questions": 0.5}
    assert blend_weights.chosen_without(report, "none") == {**usual, "passages": 0.25}
    assert blend_weights.chosen_without(report, "a") == {**usual, "passages": 0.25}
    assert blend_weights.chosen_without(report, "c") == usual
    assert blend_weights.chosen_without(report, "b")["papers"] == 1
    report.write_text(json.dumps({"figures": {**every, "patents": {"0.5": {"1.0": {"a": [1, 1]}}}}}), "utf-8")
    with pytest.raises(EvaluationError, match=r"weights.json patents, questions and papers of other sets than a, got"):
        blend_weights.chosen_without(report, "a")


@pytest.fixture
def line(tmp_path: Path) -> list[str]:
    folder = write_benchmark(tmp_path / "data" / "small")
    split_queries(folder)
    return ["--data", str(tmp_path / "data"), "--sets", "small", "--save", str(tmp_path / "report.json")]


def test_each_encoder_is_measured_with_each_weight_on_valid_queries(
    line: list[str], tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    fusion.main([*line, "--encoders", "tfidf", "lsa", "--weights", "1", "6", "1000"])
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["sets"]["small"]["queries"] == 3
    assert set(report["mean"]) == set(report["best"]) == set(report["fingerprints"]) == {"tfidf", "lsa"}
    for encoder, means in report["mean"].items():
        assert list(means) == ["encoder alone", "keywords alone", "1", "6", "1000"]
        assert means == pytest.approx(report["figures"][encoder]["small"], abs=1e-4)
        assert means["1000"] == pytest.approx(means["keywords alone"], abs=0.02)
        assert str(report["best"][encoder]) in ("1.0", "6.0", "1000.0")
    assert {"commit", "hardware", "keywords", "part", "metric"} <= report.keys()
    assert "tfidf: mean nDCG@10, keywords at encoder alone: " in capsys.readouterr().out


def test_a_figure_is_that_of_the_fused_ranking(line: list[str], tmp_path: Path) -> None:
    from engine.evaluation import load_benchmark

    benchmark = load_benchmark(tmp_path / "data" / "small", part="valid")
    prepared = PRODUCT.prepare("word2vec-sif", benchmark.corpus)
    found = fusion.curve(benchmark, prepared, PRODUCT.prepare(BM25, benchmark.corpus), [6.0], "nDCG@10")
    assert found["6"] == pytest.approx(PRODUCT.measure(benchmark, "default").metrics["nDCG@10"])


def test_systems_are_asked_once_for_all_weights() -> None:
    class Counted:
        asked = 0

        def rank(self, queries: list[Document], k: int) -> list[list[Hit]]:
            self.asked += 1
            first, second = ("a", "b") if isinstance(self, Other) else ("b", "a")
            return [[Hit(first, 1.0), Hit(second, 0.5)] for _ in queries]

    class Other(Counted): ...

    one, other = Counted(), Other()
    both = fusion.Fusion(one, other)
    for both.weight, first in ((0.1, "b"), (10.0, "a")):
        assert both.rank(corpus()[:2], 5)[0][0].id == first
    assert (one.asked, other.asked) == (1, 1)


def test_of_equal_weights_the_smallest_is_best() -> None:
    assert fusion.best_weight({"encoder alone": 9.0, "1": 0.3, "6": 0.4, "8": 0.4, "12": 0.2}) == 6


@pytest.mark.parametrize("weight", ["0", "-1", "inf"])
def test_a_weight_that_is_none_is_refused(line: list[str], weight: str) -> None:
    with pytest.raises(EvaluationError, match=f"Expected a weight above 0, got {weight}"):
        fusion.main([*line, "--encoders", "tfidf", f"--weights={weight}"])


def test_every_value_is_measured_on_valid_queries(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_benchmark(tmp_path / "data" / "small")
    split_queries(folder)
    save = tmp_path / "report.json"
    line = ["--data", str(tmp_path / "data"), "--sets", "small", "--encoders", "lsa", "blend", "--save", str(save)]
    blind_feedback.main([*line, "--documents", "1", "3", "--betas", "0.5", "1"])
    report = json.loads(save.read_text())
    assert report["sets"]["small"]["queries"] == 3
    assert set(report["figures"]) == set(report["sets"]["small"]["fingerprints"]) == {"lsa", "blend"}
    tried = [(one["documents"], one["beta"]) for one in report["figures"]["blend"]]
    assert tried == [(3, 0.0), (1, 0.5), (1, 1.0), (3, 0.5), (3, 1.0)]
    searches = PRODUCT.measure(load_benchmark(folder, part="valid"), "default").metrics["nDCG@10"]
    as_searched = next(
        one for one in report["figures"]["blend"] if one["documents"] == 3 and one["beta"] == Blind().beta
    )
    assert as_searched["sets"]["small"] == pytest.approx(searches)
    assert save.with_suffix(".md").read_text() in capsys.readouterr().out


def test_the_largest_mean_is_chosen_and_of_equal_ones_the_first() -> None:
    none, some, more = Blind(beta=0), Blind(3, 0.5), Blind(5, 0.5)
    assert (
        blind_feedback.chosen({none: {"a": 0.4, "b": 0.2}, some: {"a": 0.1, "b": 0.6}, more: {"a": 0.35, "b": 0.35}})
        == some
    )
    text = blind_feedback.as_markdown({"lsa": {none: {"a": 0.4}, some: {"a": 0.5}}}, "nDCG@10", {"commit": "c"})
    assert "| none | 0.4000 | 0.4000 |" in text
    assert "| 3 documents, beta 0.5 | 0.5000 | **0.5000** |" in text


def test_every_form_is_measured_on_valid_queries(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_benchmark(tmp_path / "data" / "small")
    split_queries(folder)
    save = tmp_path / "report.json"
    line = ["--data", str(tmp_path / "data"), "--sets", "small", "--encoders", "lsa", "blend", "--save", str(save)]
    word_forms.main(line)
    report = json.loads(save.read_text())
    assert report["sets"]["small"]["queries"] == report["sets"]["small"]["by stems"] == 3
    assert set(report["figures"]) == {"keywords alone", "lsa", "blend"}
    benchmark = load_benchmark(folder, part="valid")
    for row, name, form in (
        ("bm25", "keywords alone", "as written"),
        ("bm25-stems", "keywords alone", "by stems"),
        ("keywords", "keywords alone", "as searched"),
        ("default", "blend", "as searched"),
    ):
        metrics = PRODUCT.measure(benchmark, row).metrics
        found = report["figures"][name][form]["small"]
        assert found == {metric: round(metrics[metric], 4) for metric in word_forms.METRICS}
    assert save.with_suffix(".md").read_text() in capsys.readouterr().out


def test_a_table_has_the_mean_of_its_sets() -> None:
    of_sets = {"a": {"nDCG@10": 0.2, "R@100": 0.5}, "b": {"nDCG@10": 0.4, "R@100": 0.7}}
    text = word_forms.as_markdown({"blend": {"by stems": of_sets}}, {"commit": "c"})
    assert "## default ranking with blend, nDCG@10, valid queries" in text
    assert "| by stems | 0.2000 | 0.4000 | 0.3000 |" in text and "| by stems | 0.5000 | 0.7000 | 0.6000 |" in text


def test_documents_of_one_word_keep_their_order_and_those_without_follow() -> None:
    assert word_order.by_word(["a", "b", "c", "d", "e"], [2, 0, 2, 0]) == ["b", "d", "a", "c", "e"]
    assert word_order.by_word(["a", "b"], []) == ["a", "b"]


def test_both_orders_are_scored_and_lists_out_of_order_counted() -> None:
    documents = corpus()[:4]
    names = [one.id for one in documents]
    queries = [documents[0], documents[1]]
    asked = from_parts("ours", documents, queries, {one.id: {names[3]: 1} for one in queries})
    run = {queries[0].id: names, queries[1].id: names}
    words = {queries[0].id: [4, 3, 2, 0], queries[1].id: [0, 1, 1, 2]}
    found = word_order.compared(run, words, 4, asked)
    assert found["lists out of order"] == 0.5
    assert found["by word"] > found["as fused"] == pytest.approx(0.4307, abs=1e-4)  # at rank 4: 1 / log2(5)
    assert found["difference"] == pytest.approx((1 - 0.4307) / 2, abs=1e-4)
    cut = word_order.compared(run, words, 3, asked)
    assert cut["by word"] == cut["as fused"]


def test_the_command_saves_a_line_a_set_and_length(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_benchmark(tmp_path / "data" / "small")
    papers = corpus()[:8]
    (tmp_path / "data" / "whole").mkdir()
    write_table(tmp_path / "data" / "whole" / "corpus.parquet", papers)
    pairs = f"id-a\tid-b\tlabel\tsplit\n{papers[0].id}\t{papers[1].id}\t1\ttest\n"
    (tmp_path / "data" / "whole" / "pairs.tsv").write_text(pairs)
    saved = tmp_path / "report.json"
    sets = ["--data", str(tmp_path / "data"), "--sets", "small", "--whole", "whole"]
    word_order.main([*sets, "--shown", "3", "10", "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert {name: list(each) for name, each in report["figures"].items()} == {
        "small": ["3", "10"],
        "whole": ["3", "10"],
    }
    for each in report["figures"].values():
        for one in each.values():
            assert one["difference"] == pytest.approx(one["by word"] - one["as fused"], abs=1e-9)
            assert 0 <= one["lists out of order"] <= 1
    assert "| small | 10 |" in saved.with_suffix(".md").read_text()
    assert "| whole | 3 |" in capsys.readouterr().out
    assert str(tmp_path) not in saved.read_text()


def test_every_weight_is_measured_with_titles_and_without(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    passages = [replace(query, title="A title", abstract=f"{query.abstract} [3]") for query in QUERIES]
    folder = write_benchmark(tmp_path / "data" / "small", queries=passages)
    split_queries(folder, passages)
    save = tmp_path / "report.json"
    weight = registry.ENTRIES["blend"].passage_weight
    line = ["--data", str(tmp_path / "data"), "--set", "small", "--save", str(save)]
    citing_passages.main([*line, "--weights", "0.75", str(weight)])
    report = json.loads(save.read_text())
    assert list(report["figures"]) == ["bm25", "0.75", f"{weight:g}"]
    assert report["passages"] == {
        f"{part}, {form}": count for part, count in (("valid", 3), ("all", 4)) for form in (WITH, WITHOUT)
    }
    searches = PRODUCT.measure(load_benchmark(folder, part="all"), "default").metrics["nDCG@10"]
    assert report["figures"][f"{weight:g}"][f"all, {WITH}"]["nDCG@10"] == pytest.approx(searches, abs=1e-4)
    assert report["chosen"] in ("0.75", f"{weight:g}")
    citing_passages.main([*line, "--weights", str(weight), "--times", "1", str(SHIPPED.citing_times)])
    report = json.loads(save.read_text())
    names = [f"{weight:g}, where they cite {times} times" for times in (1, SHIPPED.citing_times)]
    assert list(report["figures"]) == ["bm25", *names]
    assert report["figures"][names[1]][f"all, {WITH}"]["nDCG@10"] == pytest.approx(searches, abs=1e-4)
    assert save.with_suffix(".md").read_text() in capsys.readouterr().out


def test_the_largest_mean_over_both_forms_is_chosen() -> None:
    figures = {
        "bm25": {f"valid, {WITH}": {"nDCG@10": 0.9}, f"valid, {WITHOUT}": {"nDCG@10": 0.9}},
        "1": {f"valid, {WITH}": {"nDCG@10": 0.4}, f"valid, {WITHOUT}": {"nDCG@10": 0.2}},
        "2": {f"valid, {WITH}": {"nDCG@10": 0.35}, f"valid, {WITHOUT}": {"nDCG@10": 0.3}},
    }
    assert citing_passages.chosen(figures) == "2"


PAIRS = ("p0\tp1\t1\ttrain", "p2\tp3\t1\tvalid", "p4\tp5\t1\ttest", "p0\tp5\t0\ttrain")


def write_papers(folder: Path, words: Sequence[str]) -> None:
    """Papers by their numbers: two that follow each other share a word, and their bodies another."""
    folder.mkdir()
    papers = [
        Document(
            f"p{n}", title=f"On {word}", abstract=f"A {word}.", sections=(Section("Body", f"The {word} {word}s."),)
        )
        for n, word in enumerate(words)
    ]
    write_table(folder / "corpus.parquet", papers)
    (folder / "pairs.tsv").write_text("\n".join(["id-a\tid-b\tlabel\tsplit", *PAIRS, ""]))


@pytest.fixture
def long_data(tmp_path: Path) -> Path:
    for name in ("arxiv-subject", "patents-citation"):
        split_queries(write_benchmark(tmp_path / name), QUERIES)
    for name in ("acl-long", "pmc-long"):
        write_papers(tmp_path / name, ["crank", "crank", "rivet", "rivet", "gauge", "gauge"])
    with Library.open(tmp_path / "library", create=True) as library:
        library.add_file("a", "samples.jsonl", corpus())
    return tmp_path


def test_train_and_valid_pairs_relate_and_test_pairs_are_not_read(long_data: Path) -> None:
    assert long_questions.related(long_data / "acl-long" / "pairs.tsv") == {
        "p0": {"p1": 1},
        "p1": {"p0": 1},
        "p2": {"p3": 1},
        "p3": {"p2": 1},
    }


def test_full_papers_ask_abstracts_and_full_texts_among_the_samples(long_data: Path) -> None:
    asked = list(long_questions.collections(long_data, long_data / "library"))
    assert [one.name for one in asked] == [
        "arxiv-subject",
        "patents-citation",
        "acl-long, abstracts",
        "acl-long, full",
        "pmc-long, abstracts",
        "pmc-long, full",
    ]
    assert [one.index.size for one in asked] == [40, 40, 46, 46, 46, 46]
    assert {query.id for query in asked[2].queries} == {"p0", "p1", "p2", "p3"}
    assert all(query.sections for query in asked[2].queries)
    assert not asked[2].index.search("rivets", 9) and len(asked[3].index.search("rivets", 9)) == 2


def test_every_number_of_terms_is_measured_and_the_usual_one_comes_back(
    long_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    usual, saved = postings.QUESTION_TERMS, long_data / "report.json"
    long_questions.main(["--data", str(long_data), "--library", str(long_data / "library"), "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert list(report["mean"]) == ["32", "64", "96", "128", "all"]
    assert report["ndcg@10"]["acl-long, full"] == dict.fromkeys(report["mean"], 1.0)
    assert set(report["sha256"]) == {"arxiv-subject", "patents-citation", "acl-long", "pmc-long"}
    assert postings.QUESTION_TERMS == usual
    assert "mean" in capsys.readouterr().out
