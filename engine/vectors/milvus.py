"""Rows in Milvus: a collection an encoder and kind, found by HNSW; in process (milvus-lite) or over the network.

Encoders have rows of their own width and graphs of their own, so each has a collection, and an encoder's old rows go
with theirs. An entity is a row; one more, numbered -1, says what the collection holds rows of (`TableState`). Before
the graph is made all rows are compared. Where the server has it, the graph holds bytes (HNSW_SQ; scores are counted
again from the rows), else the rows (HNSW). While it is made, which takes a minute for 20,000 rows on two cores, the
server does not answer other searches of these rows.

Tried with the server 2.3.5, which has neither bytes in a graph nor short vectors, and with milvus-lite 3.2.2, which has
the first. Servers from 2.4 on, which also have half vectors, were not tried.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import lru_cache
from typing import Any, ClassVar

import grpc
import numpy as np
import pymilvus
from pymilvus import DataType, MilvusClient, MilvusException

from engine.core.errors import VectorServerError
from engine.core.files import fingerprint
from engine.core.rows import DenseRows
from engine.vectors.served import FoundKeys, HeldDocument, RowKey, RowTable, TableRows, TableState
from engine.vectors.storage import IndexForm

TOKEN_VARIABLE = "PRIORSCOPE_MILVUS_TOKEN"
LITE = "milvus-lite://"
_SECONDS, _LOADING_SECONDS = 30.0, 3_600.0
_LONGEST = 65_535
_NAMED_AT_ONCE = 8_192
"""Documents of one filter."""
_LABELS = ("document", "number", "count", "added", "part", "start", "stop")
_LINKS = {"M": 16, "efConstruction": 200}
_ROUGH = "HNSW_SQ"

logging.getLogger(pymilvus.__name__).setLevel(logging.CRITICAL)  # an error is one sentence, not a page


@lru_cache(maxsize=16)
def _client(address: str) -> MilvusClient:
    """Connect to a server, or start milvus-lite in this process. One serves all threads and comes back by itself."""
    lite = address.startswith(LITE)
    uri = address.removeprefix(LITE) if lite else address.replace("milvus://", "http://", 1)
    return MilvusClient(uri=uri, token="" if lite else os.environ.get(TOKEN_VARIABLE, ""), timeout=10)


@contextmanager
def _asking(address: str) -> Iterator[MilvusClient]:
    """Use a server within the block. Raises VectorServerError where it does not answer, or refuses."""
    try:
        yield _client(address)
    except (MilvusException, grpc.RpcError, grpc.FutureTimeoutError, ValueError) as error:
        why = " ".join(str(getattr(error, "message", "") or error).split())
        raise VectorServerError(
            f"Expected vectors from Milvus at {address}; it says: {why[:200]}. See that it runs and that "
            f"${TOKEN_VARIABLE} lets you in, then ask again."
        ) from None


class MilvusTable(RowTable):
    """A collection of rows in Milvus."""

    most: ClassVar[int] = 16_384

    def __init__(self, address: str, name: str) -> None:
        """Name the collection; nothing is asked of the server yet."""
        super().__init__(address, name)
        self._collection = f"priorscope_{fingerprint(name)}"
        self._is_ready = False
        self._graph = ""

    @classmethod
    def names(cls, address: str) -> list[str]:
        """Return the names of all tables at an address."""
        with _asking(address) as client:
            held = [one for one in client.list_collections() if one.startswith("priorscope_")]
            return sorted(str(_state_in(client, one)[0]) for one in held)

    def state(self) -> TableState | None:
        """Return what the table says of itself; None before it is made."""
        with _asking(self.address) as client:
            if not client.has_collection(self._collection, timeout=_SECONDS):
                return None
            self._load(client)
            return _state_in(client, self._collection)[1]

    def keep_state(self, state: TableState) -> None:
        """Write it; makes the table where it is missing."""
        with _asking(self.address) as client:
            if not client.has_collection(self._collection, timeout=_SECONDS):
                self._make(client, state.form.dim)
            self._load(client)
            said = json.dumps({"name": self.name, "form": asdict(state.form)})
            labels = dict(zip(_LABELS, (said, -1, state.revision, state.version, 0, 0, 0), strict=True))
            row = np.zeros(state.form.dim, np.float32)
            client.upsert(self._collection, [{"key": "", **labels, "row": row}], timeout=_SECONDS)

    def _make(self, client: MilvusClient, dim: int) -> None:
        schema = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
        schema.add_field("key", DataType.VARCHAR, is_primary=True, max_length=_LONGEST)
        schema.add_field("document", DataType.VARCHAR, max_length=_LONGEST)
        for name in _LABELS[1:]:
            schema.add_field(name, DataType.INT64)
        schema.add_field("row", DataType.FLOAT_VECTOR, dim=dim)
        client.create_collection(self._collection, schema=schema, consistency_level="Session", timeout=_SECONDS)

    def _load(self, client: MilvusClient) -> None:
        """Make the collection ready to be asked: a stopped process may have left it without an index."""
        if not self._is_ready:
            found = client.list_indexes(self._collection, field_name="row")
            if not found:
                self._index(client, "FLAT")
            self._graph = client.describe_index(self._collection, "row")["index_type"]
            client.load_collection(self._collection, timeout=_LOADING_SECONDS)
            self._is_ready = True

    def _index(self, client: MilvusClient, kind: str) -> None:
        params = client.prepare_index_params()
        links = {} if kind == "FLAT" else {**_LINKS, **({"sq_type": "SQ8"} if kind == _ROUGH else {})}
        params.add_index("row", index_type=kind, metric_type="IP", params=links, index_name="row")
        client.create_index(self._collection, params, timeout=_LOADING_SECONDS, sync=kind != "FLAT")

    def listed(self) -> list[HeldDocument]:
        """Return the documents held, in the order added."""
        with _asking(self.address) as client:
            self._load(client)
            pages = client.query_iterator(
                self._collection,
                batch_size=self.most,
                filter="number == 0",
                output_fields=["document", "count", "added"],
                consistency_level="Strong",
                timeout=_SECONDS,
            )
            found: list[HeldDocument] = []
            while page := pages.next():
                found += [HeldDocument(one["document"], one["count"], one["added"]) for one in page]
            pages.close()
        return sorted(found, key=lambda one: (one.added, one.id))

    def put(self, rows: TableRows) -> None:
        """Write rows, in place of those under the same keys; what fails on the way is sent again until it is late."""
        labels = zip(rows.keys, rows.counts.tolist(), rows.added.tolist(), rows.places.tolist(), rows.rows, strict=True)
        entities = [
            {"key": _key(key), **dict(zip(_LABELS, (*key, count, added, *place), strict=True)), "row": row}
            for key, count, added, place, row in labels
        ]
        with _asking(self.address) as client:
            self._load(client)
            client.upsert(self._collection, entities, timeout=_SECONDS)

    def remove(self, documents: Sequence[str]) -> None:
        """Remove all rows of documents; unknown ones are ignored."""
        with _asking(self.address) as client:
            self._load(client)
            if documents:
                client.delete(self._collection, filter=_among("document", documents), timeout=_SECONDS)

    def take(self, keys: Sequence[RowKey]) -> TableRows:
        """Return rows by their keys, in any order; unknown ones are left out."""
        with _asking(self.address) as client:
            self._load(client)
            asked, fields = _among("key", [_key(key) for key in keys]), [*_LABELS, "row"]
            found = client.query(self._collection, filter=asked, output_fields=fields, timeout=_SECONDS)
        labels = np.array([[one[name] for name in _LABELS[2:]] for one in found], np.int64).reshape(len(found), 5)
        rows = np.array([one["row"] for one in found], np.float32)
        return TableRows(
            [(one["document"], one["number"]) for one in found], labels[:, 0], labels[:, 1], labels[:, 2:], rows
        )

    def nearest(self, queries: DenseRows, k: int, within: Sequence[str] | None) -> list[FoundKeys]:
        """Return the k nearest rows of each query (q, dim), of many documents in several questions."""
        parts = (
            [within]
            if within is None
            else [within[n : n + _NAMED_AT_ONCE] for n in range(0, len(within), _NAMED_AT_ONCE)]
        )
        with _asking(self.address) as client:
            self._load(client)
            is_rough = self._graph == _ROUGH
            answers: list[list[Any]] = [[] for _ in queries]
            for part in parts:
                found = client.search(
                    self._collection,
                    data=list(queries),
                    limit=k,
                    filter="number >= 0" if part is None else _among("document", part),
                    output_fields=["document", "number", *(["row"] if is_rough else [])],
                    search_params={"params": {} if self._graph == "FLAT" else {"ef": max(100, 2 * k)}},
                    timeout=_SECONDS,
                )
                answers = [[*before, *own] for before, own in zip(answers, found, strict=True)]
        return [_found(one, is_rough=is_rough) for one in answers]

    def has_graph(self) -> bool:
        """Return whether near rows are found by a graph; otherwise all are compared."""
        with _asking(self.address) as client:
            self._load(client)
            return self._graph != "FLAT"

    def make_graph(self) -> None:
        """Make the graph, if it is not there, of bytes where the server can."""
        if self.has_graph():
            return
        with _asking(self.address) as client:
            client.flush(self._collection, timeout=_LOADING_SECONDS)
            client.release_collection(self._collection)
            client.drop_index(self._collection, "row")
            self._is_ready = False
            try:
                self._index(client, _ROUGH)
            except MilvusException:
                self._index(client, "HNSW")
            self._load(client)

    def compact(self) -> None:
        """Let the server give back the room of removed rows."""
        with _asking(self.address) as client:
            client.compact(self._collection, timeout=_SECONDS)

    def drop(self) -> None:
        """Remove the table, if it is there."""
        with _asking(self.address) as client:
            client.drop_collection(self._collection, timeout=_SECONDS)
        self._is_ready = False


def _state_in(client: MilvusClient, collection: str) -> tuple[str, TableState | None]:
    """Return the name of a collection's table and its state; nothing where it was not written yet."""
    fields = ["document", "count", "added"]
    found = client.query(collection, filter='key == ""', output_fields=fields, timeout=_SECONDS)
    if not found:
        return "", None
    said = json.loads(found[0]["document"])
    return said["name"], TableState(IndexForm(**said["form"]), found[0]["count"], found[0]["added"])


def _key(key: RowKey) -> str:
    return f"{key[1]}:{key[0]}"


def _among(field: str, values: Sequence[str]) -> str:
    """Return a filter: the field is one of some texts."""
    return f"{field} in {json.dumps(values, ensure_ascii=False)}"


def _found(hits: Sequence[Any], *, is_rough: bool) -> FoundKeys:
    held = [one["entity"] for one in hits]
    rows = np.array([one["row"] for one in held], np.float32).reshape(len(held), -1) if is_rough and held else None
    scores = np.array([one["distance"] for one in hits], np.float32)
    return FoundKeys([(one["document"], one["number"]) for one in held], scores, rows)
