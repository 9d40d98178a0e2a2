"""Small data for KeyVec's tables."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from engine.core import config
from engine.documents import Document
from engine.research.paper.settings import PaperSettings


def write(path: Path, documents: list[Document]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        {
            **{name: getattr(document, name) for name in ("id", "kind", "title", "abstract", "venue")},
            **{name: list(getattr(document, name)) for name in ("categories", "keywords")},
        }
        for document in documents
    ]
    pq.write_table(pa.Table.from_pylist(rows), path)


def settings(*changes: str) -> PaperSettings:
    sizes = {"pool": 60, "fewest_held_out": 1, "fewest_relevant": 2, "papers": 14, "venues": 4, "draws": 2}
    given = [f"keyvec.{name}={value}" for name, value in sizes.items()]
    values = config.with_settings({}, [*given, 'keyvec.rows=["tfidf", "doc2vec", "word2vec-own"]', *changes])
    return config.from_mapping(values, PaperSettings, origin="test")
