"""The page and the server over each store that a group may have: one library, one answer."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from selenium.webdriver import Chrome

from engine.core.stores import SERVERS_VARIABLE, Stores, folder_of, keep_stores
from engine.library import Library, move_library
from engine.workspace import copy_vectors
from tests import topics
from tests.browser.app import Visitor, serving_both
from tests.browser.conftest import chromium_is_there, driver, small_library
from tests.browser.test_main_path import ABSTRACT, hits
from tests.servers.milvus import StandaloneMilvus

__all__ = ["chromium_is_there", "driver"]  # fixtures
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library in a folder under the default encoder."""
    folder = tmp_path_factory.mktemp("stores")
    small_library(folder / "library", topics.write(folder))
    return folder / "library"


@pytest.fixture
def places(
    library: Path, database: str, milvus: StandaloneMilvus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[dict[str, str]]:
    """What names the library, and its copies on servers, by the store."""
    monkeypatch.setenv(SERVERS_VARIABLE, str(tmp_path / "servers"))
    shutil.copytree(library, tmp_path / "folder")
    keep_stores(tmp_path / "milvus", Stores(name=tmp_path.name))
    for folder, vectors in ((folder_of(database), database), (tmp_path / "milvus", milvus.address)):
        move_library(library, folder)
        with Library.open(folder) as opened:
            copy_vectors(opened, vectors)
    yield {"folder": str(tmp_path / "folder"), "PostgreSQL": database, "Milvus": str(tmp_path / "milvus")}
    with Library.open(tmp_path / "milvus") as opened:
        copy_vectors(opened, "")


def test_the_page_and_the_server_answer_alike_over_every_store(
    places: dict[str, str], driver: Chrome, tmp_path: Path
) -> None:
    told, shown = {}, {}
    for store, place in places.items():
        with serving_both(place, tmp_path / f"{store}.log") as address, httpx2.Client(timeout=60) as client:
            visitor = Visitor(driver, address)
            visitor.open()
            visitor.paste(ABSTRACT)
            shown[store] = hits(visitor)
            asked = {"document": {"text": ABSTRACT}, "k": 10}
            found = client.post(f"{address}/v1/search", json=asked).raise_for_status().json()["hits"]
            told[store] = [(hit["title"], hit["scores"]) for hit in found]
            assert all(hit["title"] in text for hit, text in zip(found, shown[store], strict=True))
            held = client.get(f"{address}/v1/library").raise_for_status().json()
            assert (held["database"], bool(held["vectors"])) == (place * (store == "PostgreSQL"), store != "folder")
            first = {"ids": [found[0]["id"]]}
            client.post(f"{address}/v1/collections/kept/documents", json=first).raise_for_status()
            visitor.open("library")
            visitor.sees("kept 1 document")
            visitor.sees("Everything stays on this machine" if store == "folder" else "They lie on a server")
    assert shown["folder"] == shown["PostgreSQL"] == shown["Milvus"]
    for store, answer in told.items():
        for (title, scores), (expected, others) in zip(answer, told["folder"], strict=True):
            assert title == expected and scores == pytest.approx(others, abs=1e-4), store
