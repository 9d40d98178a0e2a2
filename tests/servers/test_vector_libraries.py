"""A library whose vectors lie on a server: read, changed, copied, searched, and out of reach."""

from __future__ import annotations

import ast
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from engine import encoders
from engine.core.errors import VectorServerError
from engine.core.stores import Stores, keep_stores, stores_of
from engine.documents import Document
from engine.documents.text import sentences
from engine.library import Library
from engine.search import Question
from engine.vectors import registry, served
from engine.vectors.index import VectorIndex
from engine.workspace import Workspace, copy_vectors
from engine.workspace.indexing import index_library, open_vectors
from engine.workspace.passages import index_passages, open_passages
from engine.workspace.reading_state import unread_ids
from tests.conftest import PROJECT
from tests.servers.milvus import StandaloneMilvus
from tests.servers.postgres import PostgresServer
from tests.workspace.letters import Letters, completing, reference
from tests.workspace.test_passages import LetterPassages, counts, paper, wanted


@pytest.fixture(params=["postgres", "milvus", "milvus_lite"])
def address(request: pytest.FixtureRequest) -> str:
    """A server of vectors."""
    server = request.getfixturevalue(request.param)
    if isinstance(server, PostgresServer):
        return server.make_database()
    return server.address if isinstance(server, StandaloneMilvus) else server


@pytest.fixture
def library(tmp_path: Path, address: str) -> Iterator[Library]:
    keep_stores(tmp_path / "library", Stores(vectors=address, name=tmp_path.name))
    with Library.open(tmp_path / "library", create=True) as opened:
        yield opened


def shelf(count: int) -> list[Document]:
    return [Document(f"d{n}", title="abc" * n + str(n)) for n in range(count)]


def test_documents_are_read_once_and_again_where_they_change(library: Library) -> None:
    library.add_file("k1", "many", [*shelf(9), reference(1)])
    first = Letters()
    index = index_library(library, first)
    assert first.read == 10 and list(index.ids) == library.ids() and not unread_ids(library, first.card)
    assert not any(library.vectors_folder("letters").glob("*/*"))
    library.add_file("k2", "full text", [completing(1)])
    assert unread_ids(library, first.card) == {"r1"}
    again = Letters()
    assert index_library(library, again).rows(["r1"])[0, 0] > index.rows(["r1"])[0, 0] and again.read == 1
    library.remove(["d3"])
    assert "d3" not in open_vectors(library, Letters())
    index_library(library, other := Letters("letters-2"))
    assert other.read == 9 and [
        one.name for one in registry.kept_folders(library.vectors_folder("letters"), stores_of(library.folder))
    ] == ["letters-2"]


KILLED = """
import os, sys
from pathlib import Path
from engine.library import Library
from engine.workspace import indexing
from tests.workspace.letters import Letters
class Killed(Letters):
    def encode_documents(self, documents):
        if self.read >= 12:
            os.kill(os.getpid(), 9)
        return super().encode_documents(documents)
indexing._FIRST_BATCH = indexing._LARGEST_BATCH = 4
indexing._SECONDS_KEPT, indexing._BATCH_SECONDS = 0, 1e9
indexing.index_library(Library.open(Path(sys.argv[1])), Killed())
"""


@pytest.mark.parametrize("address", ["postgres", "milvus"], indirect=True)  # a file of milvus-lite is one process's
def test_a_killed_run_goes_on_from_what_it_had_written(library: Library) -> None:
    library.add_file("k1", "many", shelf(30))
    run = subprocess.run([sys.executable, "-c", KILLED, str(library.folder)], cwd=PROJECT, check=False)
    assert run.returncode == -signal.SIGKILL
    resumed = Letters()
    assert sorted(index_library(library, resumed).ids) == sorted(library.ids()) and resumed.read == 18


def test_passages_are_read_once_and_again_where_they_change(library: Library) -> None:
    library.add_file("k1", "papers", [*(paper(f"d{n}", body=20 * (n % 4)) for n in range(8)), reference(1)])
    reader = LetterPassages()
    assert counts(index_passages(library, reader)) == wanted(library) == counts(open_passages(library, reader))
    library.add_file("k2", "full text", [completing(1)])
    reader.read.clear()
    assert counts(index_passages(library, reader)) == wanted(library) and reader.read == ["r1"]
    with Workspace(library.folder) as workspace:
        workspace.remove_documents(["d2"])
    assert set(open_passages(library, reader).ids) == set(library.ids())


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of the examples, read into its folder."""
    folder = tmp_path_factory.mktemp("examples") / "library"
    with Workspace(folder, create=True) as workspace:
        workspace.import_paths([PROJECT / "assets" / "examples"], encoder="default")
        workspace.whole("default")
        index_passages(workspace.library, workspace.passage_encoder())
    return folder


def answers(workspace: Workspace) -> list[list[tuple[str, dict[str, float]]]]:
    """What three documents of the library, slightly changed, find."""
    asked = [
        replace(one, id="asked", abstract=one.abstract[:400])
        for one in workspace.library.get(workspace.library.ids()[:3])
    ]
    found = [workspace.searcher("default").search(Question(one, k=5)).results for one in asked]
    return [[(result.document.id, dict(result.scores)) for result in results] for results in found]


def assert_alike(
    found: list[list[tuple[str, dict[str, float]]]], expected: list[list[tuple[str, dict[str, float]]]]
) -> None:
    assert [[name for name, _ in one] for one in found] == [[name for name, _ in one] for one in expected]
    for (_, own), (_, other) in zip(chain(*found), chain(*expected), strict=True):
        assert own == pytest.approx(other, abs=1e-4)


@pytest.mark.parametrize("many", [False, True])
def test_a_search_finds_the_same_wherever_the_vectors_lie(
    examples: Path, address: str, many: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(examples, tmp_path / "library")
    with Workspace(tmp_path / "library") as workspace:
        expected = answers(workspace)
        if many:  # rows are searched where they lie
            for module, name in ((registry, "BINARY_ABOVE"), (registry, "FEWEST"), (served, "_FEW")):
                monkeypatch.setattr(module, name, 0)
        copy_vectors(workspace.library, address)
        for rows in ("vectors", "passages"):
            shutil.rmtree(tmp_path / "library" / rows)
        workspace.forget()
        assert_alike(answers(workspace), expected)
        assert workspace.index("default").is_exact != many and workspace.unread_count("default") == 0
        assert workspace.has_vectors("default") and not workspace.has_passages_left()
        copy_vectors(workspace.library, "")
        workspace.forget()
        assert_alike(answers(workspace), expected)
        assert stores_of(tmp_path / "library").vectors == ""


@pytest.mark.parametrize("kind", ["postgres", "milvus"])
def test_words_answer_while_the_server_is_away_and_it_comes_back(
    examples: Path, kind: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_SECONDS_BETWEEN_LOOKS", 0)
    monkeypatch.setattr(registry, "_SECONDS_AWAY", 0)
    server = request.getfixturevalue(kind)
    address = server.make_database() if isinstance(server, PostgresServer) else server.address
    shutil.copytree(examples, tmp_path / "library")
    with Workspace(tmp_path / "library") as workspace:
        copy_vectors(workspace.library, address)
        workspace.forget()
        expected = answers(workspace)
        server.kill()
        asked = Question(workspace.library.get(workspace.library.ids()[:1])[0])
        answer = workspace.searcher("default").search(asked)
        assert answer.results and "rank by their words alone" in answer.verdict.read
        with pytest.raises(
            VectorServerError,
            match=rf"Expected vectors from {kind}.*it says: .*ask again\.$".replace("postgres", "PostgreSQL").replace(
                "milvus", "Milvus"
            ),
        ):
            workspace.whole("default")
        server.start()
        assert_alike(answers(workspace), expected)


@pytest.fixture(scope="module")
def real() -> np.ndarray:
    """Rows of the sentences in our own documentation."""
    texts = [path.read_text("utf-8") for path in sorted(PROJECT.glob("docs/*.md"))]
    for path in sorted((PROJECT / "engine").rglob("*.py")):
        nodes = (
            node
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.FunctionDef | ast.ClassDef)
        )
        texts += [text for node in nodes if (text := ast.get_docstring(node))]
    found = dict.fromkeys(text[one.start : one.stop] for text in texts for one in sentences(text))
    asked = [Document(str(n), abstract=text) for n, text in enumerate(found) if len(text.split()) > 8]
    return np.asarray(encoders.load("ctpe").encode_documents(asked[:4_000]))


def test_a_graph_finds_nearly_all_of_the_nearest_rows(
    address: str, real: np.ndarray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served, "_FEW", 0)
    names, (held, asked) = [f"d{n}" for n in range(len(real))], (real[:-100], real[-100:])
    made: dict[str, VectorIndex] = {}
    for kind, stores in (("embedded", Stores()), ("binary", Stores(vectors=address))):
        made[kind] = registry.open_index(
            tmp_path / "rows", fingerprint="f", dim=real.shape[1], kind=kind, precision="int8", stores=stores
        )
        made[kind].add(names[: len(held)], held)
    made["binary"].flush()
    assert registry.has_codes(tmp_path / "rows", Stores(vectors=address))
    for within in (None, names[:300], names[1_000:3_500]):
        found, exact = (made[kind].search(asked, 10, within=within) for kind in ("binary", "embedded"))
        shares = [
            len({hit.id for hit in one} & {hit.id for hit in other}) / 10
            for one, other in zip(found, exact, strict=True)
        ]
        assert np.mean(shares) >= 0.98
        scores = {hit.id: hit.score for hit in exact[0]}
        assert all(hit.score == pytest.approx(scores[hit.id], abs=1e-5) for hit in found[0] if hit.id in scores)
