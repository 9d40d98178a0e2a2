"""Uploads as a benchmark: what is recognised, what is refused, and that a zip gives no more than is allowed."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence

import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.evaluation.formats import Bounds
from engine.evaluation.uploads import from_uploads, role_of
from tests.contracts.encoder import corpus

CORPUS = "".join(json.dumps({"_id": one.id, "title": one.title, "text": one.text}) + "\n" for one in corpus()).encode()
QUERIES = b'{"_id": "q1", "text": "steam valve"}\n{"_id": "q2", "text": "vertex"}\n'
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
    members = {"set/corpus.jsonl": CORPUS, "set/queries.jsonl": QUERIES, "set/qrels/dev.tsv": b"broken"}
    brought = from_uploads([("set.zip", zipped({**members, "set/qrels/test.tsv": QRELS}))], no_library)
    assert (brought.benchmark.name, brought.in_library) == ("set", False)
    assert len(brought.benchmark.corpus) == 40
    assert brought.benchmark.qrels == {"q1": {"steam0": 1}, "q2": {"graph3": 2}}


@pytest.mark.parametrize("name", ["documents.zip", "Corpus.ZIP", "queries.zip", "my-qrels.zip"])
def test_a_zip_is_opened_whatever_its_name_says(name: str) -> None:
    members = {"corpus.jsonl": CORPUS, "queries.jsonl": QUERIES, "qrels.tsv": QRELS}
    assert len(from_uploads([(name, zipped(members))], no_library).benchmark.corpus) == 40


def test_single_files_with_judgements_as_trec_writes_them() -> None:
    brought = from_uploads([("queries.jsonl", QUERIES), ("qrels.txt", TREC), ("corpus.jsonl", CORPUS)], no_library)
    assert brought.benchmark.name == "uploaded"
    assert set(brought.benchmark.qrels) == {"q1", "q2"}


def test_without_documents_the_librarys_are_judged() -> None:
    brought = from_uploads([("queries.jsonl", QUERIES), ("qrels.tsv", QRELS)], corpus)
    assert brought.in_library
    assert len(brought.benchmark.corpus) == 40


def test_what_is_missing_is_named() -> None:
    with pytest.raises(EvaluationError, match=r"Expected queries and qrels, found none in notes\.txt\. Bring queries"):
        from_uploads([("notes.txt", b"hello")], no_library)
    with pytest.raises(EvaluationError, match=r"Expected qrels, found none in set\.zip"):
        from_uploads([("set.zip", zipped({"queries.jsonl": QUERIES}))], no_library)


def test_judgements_of_documents_that_are_not_there_are_refused() -> None:
    with pytest.raises(EvaluationError, match="Expected every relevant document of uploaded in its corpus, 2 are not"):
        from_uploads([("queries.jsonl", QUERIES), ("qrels.tsv", QRELS)], lambda: [Document("other")])


def test_a_damaged_zip_is_refused() -> None:
    whole = zipped({"queries.jsonl": QUERIES, "qrels.tsv": QRELS})
    with pytest.raises(EvaluationError, match=r"Expected a whole zip file, set\.zip is damaged"):
        from_uploads([("set.zip", whole[:60])], no_library)
    at = whole.index(b"queries.jsonl") + len("queries.jsonl") + 5
    torn = whole[:at] + bytes(8) + whole[at + 8 :]
    with pytest.raises(EvaluationError, match=r"Expected a whole zip file, queries\.jsonl in it cannot be read"):
        from_uploads([("set.zip", torn)], no_library)


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_zip_is_refused_however_it_was_compressed(compression: int) -> None:
    whole = zipped({"queries.jsonl": QUERIES, "qrels.tsv": QRELS}, compression)
    at = whole.index(b"queries.jsonl") + len("queries.jsonl") + 9
    with pytest.raises(EvaluationError, match=r"Expected a whole zip file, queries\.jsonl in it cannot be read"):
        from_uploads([("set.zip", whole[:at] + b"\xff" * 12 + whole[at + 12 :])], no_library)


def test_a_zip_whose_list_of_files_is_damaged_is_refused() -> None:
    whole = bytearray(zipped({"queries.jsonl": QUERIES, "qrels.tsv": QRELS}))
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
    locked = bytearray(zipped({"queries.jsonl": QUERIES, "qrels.tsv": QRELS}))
    at = locked.index(b"PK\x01\x02")
    while at >= 0:  # the flag of each entry in the directory at the end
        locked[at + 8] |= 1
        at = locked.find(b"PK\x01\x02", at + 1)
    with pytest.raises(EvaluationError, match=r"Expected a zip without a password, qrels\.tsv needs one"):
        from_uploads([("set.zip", bytes(locked))], no_library)


def test_a_path_that_leads_out_of_the_zip_writes_nothing_there() -> None:
    members = {"../../corpus.jsonl": CORPUS, "/queries.jsonl": QUERIES, "qrels.tsv": QRELS}
    assert len(from_uploads([("set.zip", zipped(members))], no_library).benchmark.corpus) == 40
