"""Pairs read with their documents, judged by a threshold and tested, and the command that does it."""

from __future__ import annotations

import dataclasses
import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

from engine.core.errors import EvaluationError, InputError, StorageError
from engine.documents import Document, Section, text
from engine.research.matching import command
from engine.research.matching.command import MatchReport, told
from engine.research.matching.judging import (
    FIGURES,
    Judged,
    Scored,
    check,
    choose_threshold,
    compare,
    figures,
    inner_products,
    judge,
    save_scores,
    take_scores,
)
from engine.research.matching.pair_set import Form, PairSet, load_pair_set
from engine.research.matching.rows import parse_rows
from engine.research.matching.scoring import score
from tests.research.matching.small_pairs import lines, long_corpus, pair_set, write_pairs

LONG = Document(
    "p1",
    title="A title",
    abstract="An abstract.",
    sections=(
        Section("Introduction", "one two, three-four five"),
        Section("Method", "six seven eight"),
        Section("Results", "nine ten"),
        Section("References", "A list.", "references"),
    ),
    claims=("A claim.",),
)


def test_only_the_body_is_compared() -> None:
    body = Form().of(LONG)
    assert [section.title for section in body.sections] == ["Introduction", "Method", "Results"]
    assert (body.title, body.abstract, body.claims) == ("", "", ())
    assert body.id == "p1"


@pytest.mark.parametrize(
    ("most", "kept"),
    [
        (1, ["one"]),
        (3, ["one two,"]),  # what lies between white space stays together, and two tokens would be one too many
        (4, ["one two, three-four"]),
        (5, ["one two, three-four five"]),
        (6, ["one two, three-four five", "six"]),
        (100, ["one two, three-four five", "six seven eight", "nine ten"]),
    ],
)
def test_the_first_tokens_are_kept_up_to_white_space(most: int, kept: list[str]) -> None:
    assert [section.text for section in Form(max_tokens=most).of(LONG).sections] == kept


def test_long_sections_are_cut_to_the_token() -> None:
    words = [f"word{'x' * (number % 3)}" for number in range(1_000)]
    document = Document("long", sections=(Section("", " ".join(words[:500])), Section("", "\n".join(words[500:]))))
    for most in (63, 64, 65, 499, 500, 501, 777):
        assert text.tokens(Form(max_tokens=most).of(document).text) == words[:most]


def test_a_first_word_of_too_many_tokens_leaves_no_text() -> None:
    document = Document("d", sections=(Section("", "one-two-three four"),))
    assert Form(max_tokens=2).of(document).sections == ()


def test_sections_are_shuffled_by_document_and_seed() -> None:
    titles = [str(number) for number in range(12)]
    documents = [Document(name, sections=tuple(Section(title, "text") for title in titles)) for name in ("a", "b")]

    def order(seed: int, document: Document) -> list[str]:
        return [section.title for section in Form(shuffle_sections=seed).of(document).sections]

    assert sorted(order(1, documents[0])) == sorted(titles)
    assert order(1, documents[0]) == order(1, documents[0])
    assert len({tuple(order(seed, document)) for seed in (1, 2) for document in documents}) == 4


def test_the_options_ask_for_the_same_form() -> None:
    assert Form().options == []
    assert Form(shuffle_sections=3, max_tokens=1000).options == ["--shuffle-sections", "3", "--max-tokens", "1000"]


def test_forms_that_leave_nothing_are_refused() -> None:
    with pytest.raises(EvaluationError, match="Expected max-tokens of at least 1, got 0"):
        Form(max_tokens=0)
    with pytest.raises(EvaluationError, match="a seed of 0 or more for the order of sections, got -1"):
        Form(shuffle_sections=-1)


def test_pairs_are_read_with_the_bodies_of_their_documents(tmp_path: Path) -> None:
    table = write_pairs(tmp_path / "small")
    pairs = load_pair_set(table)
    assert pairs.name == "small"
    assert len(pairs.pairs) == 40
    assert len(pairs.documents) == 40
    assert all(document.abstract == "" for document in pairs.corpus)
    assert not any("same works" in document.text for document in pairs.corpus)
    first = pairs.pairs[0]
    assert [pairs.documents[place].id for place in pairs.places[0]] == [first.a, first.b]
    assert pairs.counts["valid"] == {"related": 4, "unrelated": 4, "left_out": 0}
    assert int(pairs.of("test").sum()) == 16
    assert np.array_equal(pairs.related[:2], [True, False])
    assert told(pairs) == []


def test_a_folder_names_the_table_in_it_and_none_keeps_documents_whole(tmp_path: Path) -> None:
    write_pairs(tmp_path / "small")
    pairs = load_pair_set(tmp_path / "small", form=None)
    assert all(document.abstract for document in pairs.corpus)
    assert pairs.form is None


def test_only_documents_that_stand_in_a_pair_are_encoded(tmp_path: Path) -> None:
    pairs = pair_set(tmp_path / "small", lines()[:2])
    assert len(pairs.documents) == 3
    assert len(pairs.corpus) == 40


def test_pairs_without_a_document_are_told(tmp_path: Path) -> None:
    lost = [f"steam0\tlost{number}\t1\ttest" for number in range(7)]
    pairs = pair_set(tmp_path / "small", [*lines(), *lost, "lost1\tlost2\t0\tvalid"])
    assert len(pairs.pairs) == 40
    assert {split: counts["left_out"] for split, counts in pairs.counts.items()} == {"train": 0, "valid": 1, "test": 7}
    assert told(pairs) == [
        "8 pairs (valid 1, test 7) for want of 7 documents: lost0, lost1, lost2, lost3, lost4 and 2 more"
    ]


def test_documents_without_text_are_told(tmp_path: Path) -> None:
    documents = [document for document in long_corpus() if document.id != "steam0"]
    empty = next(document for document in long_corpus() if document.id == "steam0")
    pairs = pair_set(tmp_path / "small", documents=[*documents, type(empty)("steam0", title="Only a title")])
    assert pairs.empty == ["steam0"]
    assert told(pairs) == ["no pair, but 1 documents have no text to compare: steam0"]


@pytest.mark.parametrize("kept", ["1\tvalid", "0\tvalid", "1\ttrain"])
def test_a_split_of_one_class_or_none_is_refused(kept: str, tmp_path: Path) -> None:
    rows = [row for row in lines() if not row.endswith("valid") or row.endswith(kept)]
    with pytest.raises(
        EvaluationError, match=r"related and unrelated pairs of small in the split valid, got \d and \d,"
    ):
        pair_set(tmp_path / "small", rows).require_both("valid")


def test_a_split_whose_documents_are_missing_says_so(tmp_path: Path) -> None:
    rows = [row.replace("steam", "lost") for row in lines() if "steam" in row]
    with pytest.raises(EvaluationError, match="split test, got 0 and 0, with 6 left out for want of a document"):
        pair_set(tmp_path / "small", rows).require_both("test")


def test_a_table_without_its_corpus_is_refused(tmp_path: Path) -> None:
    table = write_pairs(tmp_path / "small")
    (tmp_path / "small" / "corpus.parquet").unlink()
    with pytest.raises(EvaluationError, match=r"Expected corpus\.parquet beside pairs\.tsv in .*small; there is none"):
        load_pair_set(table)


def test_another_table_is_refused(tmp_path: Path) -> None:
    table = write_pairs(tmp_path / "small")
    table.write_text("a\tb\n1\t2\n")
    with pytest.raises(InputError, match="Expected the columns id-a"):
        load_pair_set(table)
    with pytest.raises(InputError, match=r"Expected a table of pairs at .*none\.tsv; there is none"):
        load_pair_set(tmp_path / "none.tsv")


def test_the_form_changes_what_is_compared(tmp_path: Path) -> None:
    table = write_pairs(tmp_path / "small")
    short = load_pair_set(table, form=Form(max_tokens=3))
    assert all(len(document.text.split()) == 3 for document in short.corpus)


def test_what_figures_are_of_leaves_the_train_pairs_out_and_keeps_the_corpus(tmp_path: Path) -> None:
    pairs = pair_set(tmp_path / "small")
    judged = pairs.judged
    assert {pair.split for pair in judged.pairs} == {"valid", "test"}
    assert len(judged.pairs) == len(pairs.pairs) - pairs.of("train").sum() == 24
    assert len(judged.documents) < len(pairs.documents)
    assert judged.corpus == pairs.corpus
    assert [judged.documents[place].id for place in judged.places[0]] == [judged.pairs[0].a, judged.pairs[0].b]


def test_a_score_is_the_product_of_query_row_and_document_row() -> None:
    generator = np.random.default_rng(1)
    queries, documents = (generator.random((30, 7)).astype(np.float32) for _ in range(2))
    places = generator.integers(0, 30, (2_500, 2))  # more than are multiplied at once
    wanted = np.array([queries[a] @ documents[b] for a, b in places])
    np.testing.assert_allclose(inner_products(queries, documents, places), wanted, rtol=1e-6)
    sparse = inner_products(csr_array(queries), csr_array(documents), places)
    np.testing.assert_allclose(sparse, wanted, rtol=1e-6)


def test_scores_that_are_no_numbers_are_refused_and_named(pairs: PairSet) -> None:
    scores = np.zeros(40)
    check("row", scores, pairs)
    scores[[3, 5]] = np.nan, np.inf
    first = pairs.pairs[3]
    told = f"finite score of row for each of 40 pairs, got NaN or infinity for 2, the first {first.a} with {first.b}"
    with pytest.raises(EvaluationError, match=told):
        check("row", scores, pairs)
    with pytest.raises(EvaluationError, match="a score of row for each of 40 pairs of small, got 39"):
        check("row", np.zeros(39), pairs)


def test_kept_scores_come_back_to_the_last_digit(pairs: PairSet, tmp_path: Path) -> None:
    generator = np.random.default_rng(4)
    kept = [
        Scored("a", "fa", generator.random(40), 1.5, facts={"weights": {"x": 1.0}}),
        Scored("b", "fb", -generator.random(40)),
    ]
    save_scores(tmp_path / "scores.json", kept, pairs)
    taken = take_scores(tmp_path / "scores.json", pairs)
    assert [(one.name, one.fingerprint, one.facts) for one in taken] == [("a", "fa", kept[0].facts), ("b", "fb", {})]
    assert all(np.array_equal(one.scores, other.scores) for one, other in zip(taken, kept, strict=True))
    assert all(one.seconds is None for one in taken)
    value = json.loads((tmp_path / "scores.json").read_text())
    assert value["columns"] == ["id-a", "id-b", "label", "split", "a", "b"]
    assert value["scores"][0][:4] == [pairs.pairs[0].a, pairs.pairs[0].b, 1, "train"]


def test_scores_of_other_pairs_or_texts_are_refused(pairs: PairSet, tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    save_scores(path, [Scored("a", "f", np.zeros(40))], pairs)
    table = write_pairs(tmp_path / "small")
    with pytest.raises(EvaluationError, match=r"small as it is read now in scores\.json, found those of another form"):
        take_scores(path, load_pair_set(table, form=Form(max_tokens=5)))
    with pytest.raises(EvaluationError, match="found those of another form"):
        take_scores(path, load_pair_set(table, form=None))
    table.write_text(table.read_text() + "steam0\tneural1\t0\ttrain\n")
    with pytest.raises(EvaluationError, match=r"found those of another sha256\. Score these pairs again"):
        take_scores(path, load_pair_set(table))


def test_another_file_is_refused(pairs: PairSet, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("[]")
    with pytest.raises(EvaluationError, match=r"Expected scores of pairs in other\.json, found something else"):
        take_scores(tmp_path / "other.json", pairs)
    with pytest.raises(StorageError, match=r"Expected the file none\.json"):
        take_scores(tmp_path / "none.json", pairs)


def accuracy(scores: np.ndarray, related: np.ndarray, threshold: float) -> float:
    return float(((scores >= threshold) == related).mean())


def threshold_of(scores: list[float], related: list[int]) -> float:
    return choose_threshold(np.array(scores, np.float64), np.array(related, np.bool_))


def test_the_threshold_lies_midway_between_the_classes() -> None:
    assert threshold_of([0.1, 0.2, 0.6, 0.8], [0, 0, 1, 1]) == pytest.approx(0.4)


def test_of_equally_good_thresholds_the_lowest_is_taken() -> None:
    # midway between .2 and .4 and above .6 both tell three of four
    assert threshold_of([0.2, 0.4, 0.6, 0.8], [0, 1, 0, 1]) == pytest.approx(0.3)
    # the first tells as many as taking every pair for related does, which is lower
    assert threshold_of([0.1, 0.2, 0.3], [1, 0, 1]) == 0.1


def test_equal_scores_are_never_told_apart() -> None:
    assert threshold_of([0.5, 0.5, 0.5], [0, 1, 1]) == 0.5
    assert threshold_of([0.5, 0.5, 0.5], [0, 0, 1]) > 0.5
    assert threshold_of([0.5, 0.5, 0.1], [0, 1, 0]) == pytest.approx(0.3)


def test_scores_next_to_each_other_are_still_told_apart() -> None:
    low = 1.0
    high = float(np.nextafter(low, 2))
    assert threshold_of([low, high], [0, 1]) == high


def test_no_other_threshold_is_better() -> None:
    generator = np.random.default_rng(2)
    for _ in range(50):
        scores = generator.integers(0, 8, 20) / 8
        related = generator.random(20) < 0.5
        found = choose_threshold(scores, related)
        best = max(accuracy(scores, related, threshold) for threshold in np.linspace(-0.05, 1.05, 111))
        assert accuracy(scores, related, found) == pytest.approx(best)


def test_figures_are_those_of_the_related_pairs() -> None:
    related = np.array([True, True, True, False, False])
    found = figures(np.array([0.9, 0.8, 0.1, 0.7, 0.2]), related, 0.5)
    assert found.rounded() == {"precision": 0.6667, "recall": 0.6667, "f1": 0.6667, "accuracy": 0.6, "auc": 0.6667}
    nothing = figures(np.array([0.1, 0.1, 0.1, 0.1, 0.1]), related, 0.5)
    assert nothing.rounded() == {"precision": 0.0, "recall": 0.0, "f1": 0.0, "accuracy": 0.4, "auc": 0.5}


def test_the_threshold_comes_from_valid_and_the_figures_from_test(tmp_path: Path) -> None:
    pairs = pair_set(tmp_path / "small")
    scores = pairs.related * 0.5 + 0.25
    scores[pairs.of("test")] += 1  # on test the threshold takes every pair for related
    scores[pairs.of("train")] = -9
    judged = judge(Scored("row", "f", scores), pairs)
    assert judged.threshold == pytest.approx(0.5)
    assert judged.valid.accuracy == 1.0
    assert judged.test.rounded() == {"precision": 0.5, "recall": 1.0, "f1": 0.6667, "accuracy": 0.5, "auc": 1.0}
    assert np.array_equal(judged.right, pairs.related[pairs.of("test")])


@pytest.mark.parametrize("split", ["valid", "test"])
def test_a_split_of_one_class_cannot_be_judged(split: str, tmp_path: Path) -> None:
    pairs = pair_set(tmp_path / "small", [row for row in lines() if not row.endswith(f"0\t{split}")])
    with pytest.raises(
        EvaluationError, match=f"related and unrelated pairs of small in the split {split}, got . and 0"
    ):
        judge(Scored("row", "f", np.zeros(len(pairs.pairs))), pairs)


def test_mcnemar_counts_where_one_alone_is_right() -> None:
    def of(right: list[int]) -> Judged:
        nothing = figures(np.array([0.0, 1.0]), np.array([False, True]), 0.5)
        return Judged(Scored("row", "f", np.zeros(2)), 0.5, nothing, nothing, None, np.array(right, np.bool_))

    found = compare(of([1] * 9 + [0, 1, 0]), of([0] * 9 + [1, 1, 0]))
    assert (found.only_first, found.only_second) == (9, 1)
    assert found.p == pytest.approx(2 * (1 + 10) / 2**10)
    assert found.as_json() == {"only_this_right": 9, "only_that_right": 1, "p": 0.021484}
    for one, other in itertools.product((of([1, 0]), of([1, 0])), repeat=2):
        assert compare(one, other).p == 1.0


COLUMNS = {"precision", "recall", "f1", "accuracy", "auc", "threshold"}


def run(*arguments: str) -> None:
    command.main(arguments)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_pairs(tmp_path / "small")


def test_json_has_every_figure_of_every_row(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("--pairs", str(table), "--encoders", "tfidf,lsa,bm25,mix(tfidf,bm25)", "--json")
    value = json.loads(capsys.readouterr().out)
    assert value["pairs"] == "small"
    assert list(value["encoders"]) == ["tfidf", "lsa", "bm25", "mix(tfidf,bm25)"]
    assert all(set(row) == COLUMNS for row in value["encoders"].values())


def test_the_table_is_printed_and_the_report_saved(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table.write_text(table.read_text() + "steam0\tlost\t0\tvalid\n")
    saved = tmp_path / "report.json"
    run(
        *("--pairs", str(table), "--encoders", "tfidf,bm25", "--save", str(saved)),
        *("--shuffle-sections", "3", "--max-tokens", "12"),
    )
    printed = capsys.readouterr().out
    assert "small: 16 test pairs, threshold from 8 valid ones" in printed
    assert "Left out: 1 pairs (valid 1) for want of 1 documents: lost" in printed
    assert "p: how likely such a difference from tfidf is by chance" in printed
    value = json.loads(saved.read_text())
    assert value["command"] == (
        "python -m engine.research match --pairs small/pairs.tsv --encoders tfidf,bm25 "
        "--shuffle-sections 3 --max-tokens 12"
    )
    assert str(tmp_path) not in saved.read_text()
    assert (tmp_path / "report.md").is_file()


def test_rows_of_an_earlier_run_are_taken_and_mixed(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, saved = tmp_path / "scores.json", tmp_path / "report.json"
    run("--pairs", str(table), "--encoders", "tfidf,bm25", "--scores", str(kept), "--json")
    first = json.loads(capsys.readouterr().out)
    value = json.loads(kept.read_text())
    value["columns"][-2], value["rows"]["earlier"] = "earlier", value["rows"].pop("tfidf")
    value["rows"] = {name: value["rows"][name] for name in ("earlier", "bm25")}
    kept.write_text(json.dumps(value))
    run(
        *("--pairs", str(table), "--encoders", "earlier,mix(earlier,bm25)", "--take", str(kept)),
        *("--mix-on", "valid", "--save", str(saved), "--json"),
    )
    second = json.loads(capsys.readouterr().out)
    assert second["encoders"]["earlier"] == first["encoders"]["tfidf"]
    assert json.loads(saved.read_text())["command"].endswith(
        "--encoders 'earlier,mix(earlier,bm25)' --mix-on valid --take scores.json"
    )


def test_rows_of_texts_are_kept_for_later_runs(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ("--pairs", str(table), "--encoders", "word2vec-sif", "--cache", str(tmp_path / "kept"), "--json")
    run(*line)
    first = capsys.readouterr().out
    assert list((tmp_path / "kept").rglob("*.safetensors"))
    run(*line)
    assert capsys.readouterr().out == first


@pytest.mark.parametrize(
    ("option", "told"),
    [
        (("--encoders", "tfidf,bert"), "got bert"),
        (("--max-tokens", "0"), "max-tokens of at least 1"),
        (("--sections", "2"), "a row that CoLDE reads"),
        (("--save", "report.md"), r"a name for the JSON, got report\.md"),
        (
            ("--save", "same.json", "--scores", "same.json"),
            r"two files for --save and --scores, got same\.json for both",
        ),
    ],
)
def test_what_cannot_be_done_is_told(
    option: tuple[str, ...], told: str, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(table.parent)
    with pytest.raises(EvaluationError, match=told):
        run("--pairs", str(table), *option)


def test_places_that_cannot_be_written_are_told_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for option in ("--save", "--scores", "--cache"):
        with pytest.raises(StorageError, match="Expected to write"):
            run("--pairs", str(tmp_path / "none.tsv"), option, str(tmp_path / "file" / "there.json"))


def test_splits_without_both_classes_are_told_before_any_work(tmp_path: Path) -> None:
    table = write_pairs(tmp_path / "small", [row for row in lines() if not row.endswith("valid")])
    with pytest.raises(EvaluationError, match="in the split valid, got 0 and 0"):
        run("--pairs", str(table), "--encoders", "ctpe")


@pytest.fixture
def report(tmp_path: Path) -> MatchReport:
    pairs = pair_set(tmp_path / "small", [*lines(), "steam0\tlost\t1\ttest"])
    judged = [judge(one, pairs) for one in score(parse_rows("tfidf,bm25,mix(tfidf,bm25)"), pairs)]
    return MatchReport(pairs, judged, command="python -m engine.research match")


def test_the_figures_are_of_test_with_the_threshold_of_valid(report: MatchReport) -> None:
    value = report.figures()
    assert value["pairs"] == "small"
    assert list(value["encoders"]) == ["tfidf", "bm25", "mix(tfidf,bm25)"]
    assert all(list(row) == [*FIGURES, "threshold"] for row in value["encoders"].values())
    assert value["counts"]["test"] == {"related": 8, "unrelated": 8, "left_out": 1}


def test_the_json_keeps_figures_and_circumstances(report: MatchReport, tmp_path: Path) -> None:
    report.save(tmp_path / "saved" / "small.json")
    value = json.loads((tmp_path / "saved" / "small.json").read_text())
    assert {"command", "sha256", "commit", "hardware", "seed", "threshold", "documents", "corpus"} <= value.keys()
    assert set(value["sha256"]) == {"pairs.tsv", "corpus.parquet"}
    row = value["encoders"]["bm25"]
    assert {"valid", "fingerprint", "seconds", "mcnemar"} <= row.keys()
    assert row["mcnemar"]["against"] == "tfidf"
    assert "mcnemar" not in value["encoders"]["tfidf"]
    unseen = report.pairs.related[report.pairs.unseen]
    assert value["counts"]["unseen"] == {"related": unseen.sum(), "unrelated": (~unseen).sum()}
    assert unseen.any() and row["unseen"].keys() == set(FIGURES)
    assert set(value["encoders"]["mix(tfidf,bm25)"]["weights"]) == {"tfidf", "bm25"}


def test_the_table_has_a_row_a_system_and_says_what_is_left_out(report: MatchReport, tmp_path: Path) -> None:
    report.save(tmp_path / "small.json")
    table = (tmp_path / "small.md").read_text().splitlines()
    rows = [line for line in table if line.startswith(("| |", "| tfidf", "| bm25", "| mix"))]
    assert len(rows) == 4
    assert len({row.count("|") for row in rows}) == 1
    assert any(line.startswith("* command: python -m engine.research match") for line in table)
    assert "* left out: 1 pairs (test 1) for want of 1 documents: lost" in table
    assert any(line.startswith("* mix(tfidf,bm25): weights tfidf ") for line in table)
    assert rows[0].endswith("| unseen: accuracy | AUC |")
    unseen = report.judged[1].unseen
    assert unseen is not None and rows[2].endswith(f" | {unseen.accuracy:.4f} | {unseen.auc:.4f} |")
    assert any(line.startswith("* unseen: related ") for line in table)


def test_pairs_of_two_documents_that_no_train_pair_holds_have_figures_of_their_own(pairs: PairSet) -> None:
    trained = {name for pair in pairs.pairs if pair.split == "train" for name in (pair.a, pair.b)}
    new = [pair.split == "test" and not {pair.a, pair.b} & trained for pair in pairs.pairs]
    assert pairs.unseen.tolist() == new and any(new)
    assert pairs.judged.unseen.sum() == sum(new)  # though it holds no train pair
    met = dataclasses.replace(pairs, trained={*trained, next(pair.a for pair in pairs.pairs if pair.split == "test")})
    assert met.unseen.sum() < pairs.unseen.sum()
    scores = np.where(pairs.related, 1.0, 0.0)
    scores[np.flatnonzero(met.of("test") & ~met.unseen)] = 0.5  # told wrongly or by chance, but seen
    found = judge(Scored("row", "f", scores), met)
    assert found.unseen is not None and found.unseen.accuracy == found.unseen.auc == 1 > found.test.accuracy
    none = dataclasses.replace(pairs, trained=[document.id for document in pairs.documents])
    assert judge(Scored("row", "f", scores), none).unseen is None
