"""A library of four topics with maps drawn by hand, a query on them, and the map page over it."""

from __future__ import annotations

import base64
import json
import re
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from engine.documents import Document
from engine.encoders import registry
from engine.exports import Query
from engine.library import Library
from engine.maps import ClusterLabel, LibraryMap
from engine.workspace.importing import import_paths
from engine.workspace.indexing import encoder_for, index_library
from explorer.map.query import Near, PlacedQuery
from tests import topics
from tests.made_readings import READ

PAGE = Path(__file__).resolve().parents[2] / "explorer" / "map" / "view.py"
TOPIC_NAMES = ("ranking, recall", "galaxies, stars", "turbine, blade", "catheter, vessel")
DOCUMENTS = len(topics.TOPICS) * topics.EACH


def filled(folder: Path, *, with_map: bool) -> None:
    """The four topics in a library, encoded; their map drawn by hand, so that a test takes no time for it."""
    shutil.copytree(Path(_read_once().name) / "library", folder)
    if with_map:
        first_map(folder)


@cache
def _read_once() -> tempfile.TemporaryDirectory[str]:
    """A folder with the library that every test starts from: encoding it takes longer than most of them."""
    folder = tempfile.TemporaryDirectory(prefix="priorscope-topics-")
    with Library.open(Path(folder.name) / "library", create=True) as library:
        import_paths(library, [topics.write(Path(folder.name))])
        index_library(library, encoder_for(library, registry.DEFAULT))
    return folder


def first_map(folder: Path) -> None:
    """The map under the default encoder."""
    with Library.open(folder) as library:
        index = index_library(library, encoder_for(library, registry.DEFAULT))
        small_map(list(index.ids), index.fingerprint).save(library.map_folder(registry.DEFAULT))


def second_map(folder: Path, name: str = "tfidf") -> None:
    """A map under another encoder, which holds the documents the other way round."""
    with Library.open(folder) as library:
        index = index_library(library, encoder_for(library, name))
        small_map(list(index.ids)[::-1], index.fingerprint, encoder=name, kept=0.29).save(library.map_folder(name))


def small_map(ids: list[str], fingerprint: str, *, encoder: str = registry.DEFAULT, kept: float = 0.41) -> LibraryMap:
    """Each topic at a corner of a square."""
    count = len(ids)
    group = np.repeat(np.arange(len(topics.TOPICS)), topics.EACH)
    corners = np.array([[0, 0], [10, 0], [0, 10], [10, 10]], dtype=np.float32)
    positions = corners[group] + np.random.default_rng(0).normal(size=(count, 2)).astype(np.float32)
    labels = tuple(
        ClusterLabel(0, number, name, float(corners[number, 0]), float(corners[number, 1]), topics.EACH)
        for number, name in enumerate(TOPIC_NAMES)
    )
    return LibraryMap(
        ids=tuple(ids),
        positions=positions,
        levels=np.tile(group.astype(np.int32), (3, 1)),
        labels=labels,
        neighbours=np.zeros((count, 15), np.int32),
        kept_per_point=np.full(count, kept, np.float32),
        placed=np.zeros(count, dtype=bool),
        trustworthiness=0.93,
        kept=kept,
        spacing=1.0,
        fingerprint=fingerprint,
        encoder=encoder,
    )


def page(**link: str) -> AppTest:
    app = AppTest.from_file(str(PAGE), default_timeout=60)
    for key, value in link.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    return app


def words(app: AppTest) -> str:
    return " ".join(block.proto.body for block in app.get("html"))


def linked(app: AppTest, key: str) -> str:
    value = app.query_params[key]
    return value if isinstance(value, str) else value[0]


def settings(app: AppTest, key: str = "map") -> dict[str, Any]:
    """What the browser is told about one map."""
    texts = [part.proto.json for part in app.get("bidi_component") if part.proto.id.endswith(f"-{key}")]
    found: dict[str, Any] = json.loads(texts[0])
    return found


def sent(app: AppTest, key: str) -> list[bytes]:
    """The bytes given to the browser under a key: none or one."""
    return [part.proto.bytes for part in app.get("bidi_component") if part.proto.id.endswith(f"-{key}")]


def rows_of(bits: str) -> list[int]:
    """The rows whose bit is set."""
    return [int(row) for row in np.flatnonzero(np.unpackbits(np.frombuffer(base64.b64decode(bits), np.uint8)))]


def halves(said: str) -> list[tuple[str, str]]:
    """Each half of the page: its encoder's name, and the beginning of its trust figure."""
    return re.findall(r"<h2>([^<]*)</h2>.*?(This picture keeps \d+\xa0%)", said)


def placed(ids: list[str], *, first_row: int = 0) -> PlacedQuery:
    near = tuple(Near(rank, Document(id_, "paper", id_), READ, True) for rank, id_ in enumerate(ids, start=1))
    return PlacedQuery(Document("q"), Query(0.0, 0.0, "q", tuple(range(first_row, first_row + len(ids)))), near)
