"""Benchmarks on disk: what is read, which part of the queries, and what is refused.

A library as a benchmark: who asks, what is right, and what the library's own rankings make of it.

Uploads as a benchmark: what is recognised, what is refused, and that a zip gives no more than is allowed.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.core.progress import Progress
from engine.documents import Document
from engine.encoders import registry
from engine.evaluation.benchmarks import (
    Benchmark,
    from_files,
    from_parts,
    from_uploads,
    library_key,
    load_benchmark,
    read_qrels,
    role_of,
)
from engine.evaluation.formats import Bounds
from engine.evaluation.systems import PRODUCT
from engine.library import Library
from engine.workspace import Workspace
from tests.contracts.encoder import SUBJECTS, corpus
from tests.evaluation.small import DOCUMENTS, QUERIES, split_queries, write_beir, write_benchmark


def test_corpus_queries_and_qrels_are_read(tmp_path: Path) -> None:
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    assert benchmark.name == "small"
    assert len(benchmark.corpus) == 40
    assert benchmark.corpus[0].sections[0].title == "Method"
    assert [query.id for query in benchmark.queries] == [query.id for query in QUERIES]
    assert set(benchmark.qrels["q-steam"].values()) == {1}
    data = (tmp_path / "small" / "corpus.parquet").read_bytes()
    assert benchmark.sha256["corpus.parquet"] == hashlib.sha256(data).hexdigest()


def test_an_empty_document_and_a_repeated_id_are_held_once(tmp_path: Path) -> None:
    extra = [Document(id="empty"), Document(id="steam0", title="again")]
    benchmark = load_benchmark(write_benchmark(tmp_path / "small", extra=extra))
    assert [document.id for document in benchmark.corpus].count("steam0") == 1
    assert benchmark.corpus[0].title != "again"
    assert benchmark.corpus[-1].text == ""


def test_a_query_is_valid_where_its_sha1_says_so(tmp_path: Path) -> None:
    queries = [Document(id=f"q-steam{number}", kind="query", abstract="valve") for number in range(40)]
    folder = write_benchmark(tmp_path / "small", queries=queries)
    rows = [f"{query.id}\tsteam0\t1" for query in queries]
    (folder / "qrels.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *rows]))
    expected = [q.id for q in queries if int(hashlib.sha1(q.id.encode()).hexdigest(), 16) % 5 == 0]
    assert expected
    assert [query.id for query in load_benchmark(folder, part="valid").queries] == expected
    assert len(load_benchmark(folder, part="test").queries) == 40 - len(expected)


def test_a_split_file_goes_before_the_rule(tmp_path: Path) -> None:
    folder = write_benchmark(tmp_path / "small")
    (folder / "query-splits.tsv").write_text("query\tsplit\nq-steam\tvalid\nq-graph\ttest\n")
    assert [query.id for query in load_benchmark(folder, part="valid").queries] == ["q-steam"]
    assert len(load_benchmark(folder, part="test").queries) == 3


def test_a_query_without_a_relevant_document_is_left_out_and_counted(tmp_path: Path) -> None:
    queries = [*QUERIES, Document(id="q-other", kind="query", abstract="valve")]
    benchmark = load_benchmark(write_benchmark(tmp_path / "small", queries=queries))
    assert len(benchmark.queries) == 4
    assert benchmark.left_out == 1


def test_missing_files_are_named(tmp_path: Path) -> None:
    folder = write_benchmark(tmp_path / "small")
    (folder / "qrels.tsv").unlink()
    (folder / "queries.parquet").unlink()
    with pytest.raises(EvaluationError, match=r"missing: queries\.parquet, qrels\.tsv"):
        load_benchmark(folder)


def test_a_part_without_queries_is_told(tmp_path: Path) -> None:
    folder = write_benchmark(tmp_path / "small")
    (folder / "query-splits.tsv").write_text("q-steam\ttest\n")
    with pytest.raises(
        EvaluationError,
        match="Expected judged queries in the part 'valid' of small, found none with a relevant document",
    ):
        load_benchmark(folder, part="valid")


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("strange\tsteam0\t1", "1 others, the first 'strange'"),
        ("q-steam\tlost\t1", "1 are not there, the first 'lost'"),
    ],
)
def test_qrels_of_another_set_are_refused(tmp_path: Path, row: str, text: str) -> None:
    folder = write_benchmark(tmp_path / "small")
    with (folder / "qrels.tsv").open("a") as file:
        file.write(row + "\n")
    with pytest.raises(EvaluationError, match=text):
        load_benchmark(folder)


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("strange\tsteam0", "ids of queries and documents of small in exclude.tsv, got 'strange'"),
        ("q-steam\tlost", "ids of queries and documents of small in exclude.tsv, got 'lost'"),
        ("q-steam\tsteam0", "exclude.tsv of small to leave out no relevant document, got 'steam0' for 'q-steam'"),
        ("q-steam\tneural0\t1", r"query-id and corpus-id with a tab between them in line 2 of exclude.tsv, got 'q-s"),
        ("q-steam", "in line 2 of exclude.tsv, got 'q-steam'. Write two columns."),
    ],
)
def test_exclusions_of_another_set_are_refused(tmp_path: Path, row: str, text: str) -> None:
    folder = write_benchmark(tmp_path / "small")
    (folder / "exclude.tsv").write_text(f"query-id\tcorpus-id\n{row}\n")
    with pytest.raises(EvaluationError, match=text):
        load_benchmark(folder)


def test_exclusions_belong_to_the_queries_that_are_asked(tmp_path: Path) -> None:
    folder = write_benchmark(tmp_path / "small")
    (folder / "exclude.tsv").write_text("q-steam\tneural1\nq-neural\tsteam0\n")
    split_queries(folder, valid=1)
    assert load_benchmark(folder).excluded == {"q-steam": {"neural1"}, "q-neural": {"steam0"}}
    (asked,) = load_benchmark(folder, part="valid").queries
    assert load_benchmark(folder, part="valid").excluded.keys() == {asked.id} & {"q-steam", "q-neural"}


@pytest.mark.parametrize("line", ["q1 d1 1", "q1\td1", "q1\td1\tmuch"])
def test_a_wrong_line_of_qrels_is_told(tmp_path: Path, line: str) -> None:
    path = tmp_path / "qrels.tsv"
    path.write_text(f"query-id\tcorpus-id\tscore\nq0\td0\t1\n{line}\n")
    with pytest.raises(EvaluationError, match=r"in line 3 of qrels\.tsv"):
        read_qrels(path)


def test_a_beir_folder_is_the_same_benchmark(tmp_path: Path) -> None:
    ours = load_benchmark(write_benchmark(tmp_path / "small"))
    beir = load_benchmark(write_beir(tmp_path / "beir", "test"))
    assert beir.queries == ours.queries
    assert beir.qrels == ours.qrels
    assert [document.id for document in beir.corpus] == [document.id for document in ours.corpus]
    assert set(beir.sha256) == {"corpus.jsonl", "queries.jsonl", "qrels/test.tsv"}
    data = (tmp_path / "beir" / "corpus.jsonl").read_bytes()
    assert beir.corpus_sha256 == hashlib.sha256(data).hexdigest()
    assert PRODUCT.measure(beir, "tfidf", cache=tmp_path / "kept").metrics["R@20"] > 0.9


def test_a_beir_folders_parts_are_its_files_of_judgements(tmp_path: Path) -> None:
    folder = write_beir(tmp_path / "beir", "test")
    write_beir(folder, "dev", queries=QUERIES[:1])
    whole = [*QUERIES, Document("q-none", kind="query", abstract="nothing")]
    write_beir(folder, "test", queries=QUERIES[1:], asked=whole)
    valid, test, every = (load_benchmark(folder, part=part) for part in ("valid", "test", "all"))
    assert [query.id for query in valid.queries] == [QUERIES[0].id]
    assert test.queries == every.queries == QUERIES[1:]
    assert valid.left_out == test.left_out == 0
    assert test.others == {QUERIES[0].id, "q-none"}


def test_a_beir_folder_without_the_parts_judgements_is_told(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"corpus\.jsonl, queries\.jsonl and .*; missing: qrels/dev\.tsv"):
        load_benchmark(write_beir(tmp_path / "beir", "test"), part="valid")


def test_ids_that_a_beir_folder_lacks_are_told_and_the_rest_is_read(tmp_path: Path) -> None:
    folder = write_beir(tmp_path / "beir", "test")
    with (folder / "qrels" / "test.tsv").open("a") as file:
        file.write("q-steam\tlost\t1\nq-graph\tgone\t2\nq-lost\tsteam0\t1\nq-steam\tunseen\t0\n")
    with (folder / "corpus.jsonl").open("a") as file:
        file.write('{"_id": "", "text": "A text."}\n{"title": "Another", "text": "One."}\n')
    found, whole = load_benchmark(folder), load_benchmark(write_beir(tmp_path / "whole", "test"))
    assert found.notes == (
        "2 lines of corpus.jsonl without an id left out, the first line 41.",
        "Judgements of 1 missing query left out, the first 'q-lost'.",
        "2 judgements of missing documents left out, the first of 'gone'.",
    )
    assert (found.qrels, found.corpus, found.queries) == (whole.qrels, whole.corpus, whole.queries)
    assert whole.notes == ()
    lines = (folder / "corpus.jsonl").read_text().splitlines()
    (folder / "corpus.jsonl").write_text("\n".join([lines[-1], *lines[:-1]]))
    assert load_benchmark(folder).notes[0] == "2 lines of corpus.jsonl without an id left out, the first line 1."
    (folder / "corpus.jsonl").write_text("\n".join(lines))
    single = from_files("x", folder / "corpus.jsonl", folder / "queries.jsonl", folder / "qrels" / "test.tsv")
    assert single.notes == found.notes and single.qrels == whole.qrels


def test_a_beir_folder_most_of_whose_judgements_are_of_another_set_is_refused(tmp_path: Path) -> None:
    folder = write_beir(tmp_path / "beir", "test")
    for row, told in (("q-steam\tx{0}\t1\n", "40 are not there"), ("q{0}\tsteam0\t1\n", "40 others, the first 'q0'")):
        (folder / "qrels" / "test.tsv").write_text("".join(row.format(number) for number in range(40)))
        with pytest.raises(EvaluationError, match=told):
            load_benchmark(folder)


def test_parts_in_memory_are_a_benchmark_named_by_their_content() -> None:
    qrels = {"q-steam": {"steam0": 2, "steam1": 0}, "q-graph": {"steam1": 0}}
    benchmark = from_parts("mine", corpus(), QUERIES, qrels)
    assert (benchmark.name, benchmark.part, benchmark.left_out) == ("mine", "all", 3)
    assert [query.id for query in benchmark.queries] == ["q-steam"]
    assert benchmark.qrels == {"q-steam": {"steam0": 2, "steam1": 0}}
    assert benchmark.others == {query.id for query in QUERIES} - {"q-steam"}
    assert from_parts("other", corpus(), QUERIES, qrels).sha256 == benchmark.sha256
    fewer = from_parts("mine", corpus()[:-1], QUERIES, qrels)
    assert fewer.corpus_sha256 != benchmark.corpus_sha256
    assert fewer.sha256["qrels"] == benchmark.sha256["qrels"]


@pytest.mark.parametrize(
    ("documents", "queries", "told"),
    [
        ([*corpus(), corpus()[0]], QUERIES, "for each document of mine, got 'steam0' more than once"),
        (corpus(), [*QUERIES, QUERIES[0]], "for each query of mine, got 'q-steam' more than once"),
        (corpus(), QUERIES[1:], "judgements of the queries of mine, got 1 others, the first 'q-steam'"),
        (corpus()[1:], QUERIES, "every relevant document of mine in its corpus, 1 are not there, the first 'steam0'"),
    ],
)
def test_parts_that_do_not_belong_together_are_refused(
    documents: list[Document], queries: list[Document], told: str
) -> None:
    with pytest.raises(EvaluationError, match=told):
        from_parts("mine", documents, queries, {"q-steam": {"steam0": 1}})


def test_single_files_are_a_benchmark_with_a_corpus_at_hand_or_in_a_file(tmp_path: Path) -> None:
    folder = write_beir(tmp_path / "beir", "test")
    queries, qrels = tmp_path / "topics.tsv", tmp_path / "mine.qrels"
    queries.write_text("q-steam\tboiler valve\n")
    qrels.write_text("q-steam 0 steam0 1\n")
    at_hand = from_files("mine", corpus(), queries, qrels)
    in_a_file = from_files("mine", folder / "corpus.jsonl", queries, qrels)
    assert at_hand.queries == in_a_file.queries == [Document("q-steam", kind="query", abstract="boiler valve")]
    assert at_hand.qrels == in_a_file.qrels
    assert len(at_hand.corpus) == len(in_a_file.corpus) == 40


DRAFT = Document("draft", "paper", "A draft", " ".join(SUBJECTS["steam"].split()[::2]))


def test_documents_with_the_same_subjects_are_right_but_not_the_one_that_asks(library: Library) -> None:
    benchmark = Benchmark.from_subjects(library, most=7)
    assert len(benchmark.corpus) == 40 and len(benchmark.queries) == 7
    for query in benchmark.queries:
        subject = query.categories[0]
        own = {query.id, *library.duplicates_of(query)}  # two of them bear the same title
        expected = {one.id for one in DOCUMENTS if one.categories == (subject,) and one.id not in own}
        assert benchmark.qrels[query.id] == dict.fromkeys(expected, 1)


def test_who_asks_is_the_same_each_time_and_another_with_another_seed(library: Library) -> None:
    first, again, other = (Benchmark.from_subjects(library, most=5, seed=seed) for seed in (0, 0, 1))
    assert [one.id for one in first.queries] == [one.id for one in again.queries]
    assert [one.id for one in first.queries] != [one.id for one in other.queries]
    assert first.sha256 == again.sha256 != other.sha256


def test_a_library_goes_by_what_was_imported(library: Library, tmp_path: Path) -> None:
    before = library_key(library)
    with Library.open(tmp_path / "copy", create=True) as copy:
        copy.add_file("own", "another name.jsonl", DOCUMENTS)
        assert library_key(copy) == before
    library.add_file("more", "more.jsonl", [Document("more", title="One more")])
    assert library_key(library) != before


def test_a_set_of_subjects_counts_as_a_whole(tmp_path: Path) -> None:
    both = Document("both", title="Pumps and graphs", categories=("graph", "steam"))
    turned = Document("turned", title="Graphs and pumps of steam", categories=("steam", "graph"))
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k", "k", [*DOCUMENTS[:1], both, turned, Document("none", title="No subject at all")])
        benchmark = Benchmark.from_subjects(library)
    assert benchmark.qrels == {"both": {"turned": 1}, "turned": {"both": 1}}


def test_a_library_in_which_no_subject_comes_up_twice_is_refused(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k", "k", [Document("a", title="One"), Document("b", title="Two", categories=("x",))])
        with pytest.raises(EvaluationError, match="Expected two works with the same subjects in the library"):
            Benchmark.from_subjects(library)


KINDS = ("one hook", "two drawbars", "three springs", "four buffers")
FAMILIES = [
    Document(f"US{number}{which}", "patent", f"Coupling with {kind}", text, categories=("B61G",), family=f"F{number}")
    for number, kind in enumerate(KINDS)
    for which, text in (("A", f"A railway coupling that has {kind}."), ("B", f"Of couplings for cars: {kind}."))
]


def test_other_versions_of_the_work_that_asks_are_not_right_so_that_a_whole_ranking_is(tmp_path: Path) -> None:
    draft = Document("draft", "paper", "The hook of a railway coupling, drawn", categories=("B61G",))
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k", "k", [*FAMILIES, draft, replace(draft, id="printed", abstract="Hooks.", year=1890)])
        benchmark = Benchmark.from_subjects(library)
        measured = PRODUCT.prepare_in(Workspace(library.folder), "tfidf", benchmark.corpus).measure(benchmark)
    assert len(benchmark.queries) == 10
    assert benchmark.qrels["US1A"] == dict.fromkeys(
        ["US0A", "US0B", "US2A", "US2B", "US3A", "US3B", "draft", "printed"], 1
    )
    assert benchmark.qrels["draft"] == dict.fromkeys([document.id for document in FAMILIES], 1)
    assert (measured.metrics["R@100"], measured.metrics["nDCG@10"]) == (1, 1)


def test_documents_that_share_their_subjects_with_their_own_work_only_do_not_ask(tmp_path: Path) -> None:
    alone = [replace(document, categories=("A01B",)) for document in FAMILIES[:2]]
    with Library.open(tmp_path / "both", create=True) as library:
        library.add_file("k", "k", [*alone, *FAMILIES[2:]])
        asked = {query.id for query in Benchmark.from_subjects(library).queries}
        few = Benchmark.from_subjects(library, most=6)
    assert asked == {document.id for document in FAMILIES[2:]}
    assert (len(few.queries), few.left_out) == (6, 0)
    with Library.open(tmp_path / "alone", create=True) as library:
        library.add_file("k", "k", alone)
        with pytest.raises(EvaluationError, match="two works with the same subjects in the library; there are none"):
            Benchmark.from_subjects(library)


def test_judged_queries_ask_and_those_without_a_right_answer_are_counted(library: Library) -> None:
    judgements = library.judgements
    judgements.judge(DRAFT, "steam4", 1)
    judgements.judge(DRAFT, "graph3", 0)
    judgements.judge(DRAFT, "gone", 1)
    judgements.judge(DOCUMENTS[0], "steam8", 0)
    benchmark = Benchmark.from_judgements(library)
    assert benchmark.queries == [DRAFT]
    assert benchmark.qrels == {"draft": {"steam4": 1, "graph3": 0}}
    assert benchmark.left_out == 1


def test_a_query_and_its_correction_are_two(library: Library) -> None:
    library.judgements.judge(DRAFT, "steam4", 1)
    library.judgements.judge(replace(DRAFT, title="Corrected"), "steam8", 1)
    queries = Benchmark.from_judgements(library).queries
    assert [query.title for query in queries] == ["A draft", "Corrected"]
    assert queries[0].id == "draft" and queries[1].id.startswith("draft#")


def test_a_corrected_query_does_not_find_itself_as_it_stands_in_the_library(library: Library) -> None:
    held = DOCUMENTS[0]
    for asking in (held, replace(held, title="Steam and its valves, corrected", abstract=f"{held.abstract} indeed")):
        library.judgements.judge(asking, "steam4", 1)
    benchmark = Benchmark.from_judgements(library)
    measured = PRODUCT.prepare_in(Workspace(library.folder), "bm25", benchmark.corpus).measure(benchmark)
    assert len(measured.run) == 2
    assert all("steam4" in ids and held.id not in ids for ids in measured.run.values())


def test_without_a_relevant_hit_there_is_nothing_to_measure(library: Library) -> None:
    library.judgements.judge(DRAFT, "steam4", 0)
    with pytest.raises(EvaluationError, match="Expected a query with a hit that was judged relevant; there is none"):
        Benchmark.from_judgements(library)


@pytest.mark.parametrize("row", ["bm25", "bm25-stems", "keywords", "default", "tfidf", "lsa"])
def test_a_row_ranks_with_what_the_library_holds(library: Library, row: str) -> None:
    benchmark = Benchmark.from_subjects(library, most=8)
    measured = PRODUCT.prepare_in(Workspace(library.folder), row, benchmark.corpus, encoder="tfidf").measure(benchmark)
    assert measured.metrics["nDCG@10"] > 0.9
    assert all(query not in ids for query, ids in measured.run.items())


def test_a_row_that_no_search_offers_encodes_the_documents_and_keeps_nothing(library: Library, tmp_path: Path) -> None:
    registry.fit("lsa", corpus()).save(tmp_path / "mine")
    benchmark = Benchmark.from_subjects(library, most=4)
    prepared = PRODUCT.prepare_in(Workspace(library.folder), f"mine={tmp_path / 'mine'}", benchmark.corpus)
    assert prepared.name == "mine" and prepared.seconds is not None
    assert not library.vectors_folder("mine").exists()


def test_another_version_of_the_query_is_never_its_answer(library: Library) -> None:
    copy = replace(DOCUMENTS[0], id="draft of it")
    library.judgements.judge(copy, "steam4", 1)
    benchmark = Benchmark.from_judgements(library)
    measured = PRODUCT.prepare_in(Workspace(library.folder), "bm25", benchmark.corpus).measure(benchmark)
    assert DOCUMENTS[0].id not in measured.run["draft of it"]


def test_ranking_says_how_far_it_has_come(library: Library) -> None:
    said: list[Progress] = []
    benchmark = Benchmark.from_subjects(library)
    PRODUCT.prepare_in(Workspace(library.folder), "bm25", benchmark.corpus).stepwise(said.append).measure(benchmark)
    assert (said[-1].stage, said[-1].done, said[-1].total) == ("rank by bm25", 40, 40)


CORPUS = "".join(json.dumps({"_id": one.id, "title": one.title, "text": one.text}) + "\n" for one in corpus()).encode()
QUERIES_FILE = b'{"_id": "q1", "text": "steam valve"}\n{"_id": "q2", "text": "vertex"}\n'
QRELS = b"query-id\tcorpus-id\tscore\nq1\tsteam0\t1\nq2\tgraph3\t2\n"
TREC = b"q1 0 steam0 1\nq2 0 graph3 1\n"


def no_library() -> Sequence[Document]:
    raise AssertionError("the uploads bring their own documents")


def zipped(members: Mapping[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("scifact/qrels/test.tsv", "qrels"),
        ("qrels.robust2004.txt", "qrels"),
        ("Queries.jsonl", "queries"),
        ("topics.tsv", "queries"),
        ("a\\corpus.parquet", "corpus"),
        ("documents.csv", "corpus"),
        ("query-splits.tsv", ""),
        ("__MACOSX/._queries.jsonl", ""),
        ("set/._corpus.jsonl", ""),
        ("readme.md", ""),
        ("my-qrels/queries.jsonl", "queries"),
        ("queries-qrels.tsv", "qrels"),
    ],
)
def test_a_file_is_what_its_name_says(name: str, role: str) -> None:
    assert role_of(name) == role


def test_a_zip_of_a_beir_folder_is_read_with_its_test_judgements() -> None:
    members = {"set/corpus.jsonl": CORPUS, "set/queries.jsonl": QUERIES_FILE, "set/qrels/dev.tsv": b"broken"}
    brought = from_uploads([("set.zip", zipped({**members, "set/qrels/test.tsv": QRELS}))], no_library)
    assert (brought.benchmark.name, brought.in_library) == ("set", False)
    assert len(brought.benchmark.corpus) == 40
    assert brought.benchmark.qrels == {"q1": {"steam0": 1}, "q2": {"graph3": 2}}


@pytest.mark.parametrize("name", ["documents.zip", "Corpus.ZIP", "queries.zip", "my-qrels.zip"])
def test_a_zip_is_opened_whatever_its_name_says(name: str) -> None:
    members = {"corpus.jsonl": CORPUS, "queries.jsonl": QUERIES_FILE, "qrels.tsv": QRELS}
    assert len(from_uploads([(name, zipped(members))], no_library).benchmark.corpus) == 40


def test_single_files_with_judgements_as_trec_writes_them() -> None:
    brought = from_uploads([("queries.jsonl", QUERIES_FILE), ("qrels.txt", TREC), ("corpus.jsonl", CORPUS)], no_library)
    assert brought.benchmark.name == "uploaded"
    assert set(brought.benchmark.qrels) == {"q1", "q2"}


def test_without_documents_the_librarys_are_judged() -> None:
    brought = from_uploads([("queries.jsonl", QUERIES_FILE), ("qrels.tsv", QRELS)], corpus)
    assert brought.in_library
    assert len(brought.benchmark.corpus) == 40


def test_what_is_missing_is_named() -> None:
    with pytest.raises(EvaluationError, match=r"Expected queries and qrels, found none in notes\.txt\. Bring queries"):
        from_uploads([("notes.txt", b"hello")], no_library)
    with pytest.raises(EvaluationError, match=r"Expected qrels, found none in set\.zip"):
        from_uploads([("set.zip", zipped({"queries.jsonl": QUERIES_FILE}))], no_library)


def test_judgements_of_documents_that_are_not_there_are_refused() -> None:
    with pytest.raises(EvaluationError, match="Expected every relevant document of uploaded in its corpus, 2 are not"):
        from_uploads([("queries.jsonl", QUERIES_FILE), ("qrels.tsv", QRELS)], lambda: [Document("other")])


def test_a_damaged_zip_is_refused() -> None:
    whole = zipped({"queries.jsonl": QUERIES_FILE, "qrels.tsv": QRELS})
    with pytest.raises(EvaluationError, match=r"Expected a whole zip file, set\.zip is damaged"):
        from_uploads([("set.zip", whole[:60])], no_library)
    at = whole.index(b"queries.jsonl") + len("queries.jsonl") + 5
    torn = whole[:at] + bytes(8) + whole[at + 8 :]
    with pytest.raises(EvaluationError, match=r"Expected a whole zip file, queries\.jsonl in it cannot be read"):
        from_uploads([("set.zip", torn)], no_library)


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_zip_is_refused_however_it_was_compressed(compression: int) -> None:
    whole = zipped({"queries.jsonl": QUERIES_FILE, "qrels.tsv": QRELS}, compression)
    at = whole.index(b"queries.jsonl") + len("queries.jsonl") + 9
    with pytest.raises(EvaluationError, match=r"Expected a whole zip file, queries\.jsonl in it cannot be read"):
        from_uploads([("set.zip", whole[:at] + b"\xff" * 12 + whole[at + 12 :])], no_library)


def test_a_zip_whose_list_of_files_is_damaged_is_refused() -> None:
    whole = bytearray(zipped({"queries.jsonl": QUERIES_FILE, "qrels.tsv": QRELS}))
    whole[whole.index(b"PK\x01\x02") + 6] = 152  # needs version 15.2 of the format
    with pytest.raises(
        EvaluationError, match=r"Expected a whole zip file, set\.zip is damaged: zip file version 15\.2"
    ):
        from_uploads([("set.zip", bytes(whole))], no_library)


def test_a_zip_that_swells_is_read_no_further_than_is_allowed() -> None:
    bomb = zipped({"queries.jsonl": b" " * 5_000_000, "qrels.tsv": QRELS})
    with pytest.raises(EvaluationError, match=r"Expected at most 2 MiB in queries\.jsonl, it has more"):
        from_uploads([("set.zip", bomb)], no_library, bounds=Bounds(max_bytes=2 << 20))


def test_a_zip_of_very_many_files_is_refused() -> None:
    many = zipped({f"{number}.txt": b"" for number in range(2_001)})
    with pytest.raises(EvaluationError, match=r"Expected at most 2,000 files in set\.zip, it holds 2,001"):
        from_uploads([("set.zip", many)], no_library)


def test_a_zip_with_a_password_is_refused() -> None:
    locked = bytearray(zipped({"queries.jsonl": QUERIES_FILE, "qrels.tsv": QRELS}))
    at = locked.index(b"PK\x01\x02")
    while at >= 0:  # the flag of each entry in the directory at the end
        locked[at + 8] |= 1
        at = locked.find(b"PK\x01\x02", at + 1)
    with pytest.raises(EvaluationError, match=r"Expected a zip without a password, qrels\.tsv needs one"):
        from_uploads([("set.zip", bytes(locked))], no_library)


def test_a_path_that_leads_out_of_the_zip_writes_nothing_there() -> None:
    members = {"../../corpus.jsonl": CORPUS, "/queries.jsonl": QUERIES_FILE, "qrels.tsv": QRELS}
    assert len(from_uploads([("set.zip", zipped(members))], no_library).benchmark.corpus) == 40
