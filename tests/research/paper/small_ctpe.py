"""Small data for CTPE's tables."""

from __future__ import annotations

from pathlib import Path

from engine.core import config
from engine.research.paper.settings import PaperSettings
from engine.research.paper.tables import Line, Panel, Table
from engine.research.paper.work import Work
from tests.evaluation.small import write_benchmark

NAME = "arxiv-subject"
SMALL = (
    f'ctpe.sets=["{NAME}"]',
    f'ctpe.small_sets=["{NAME}"]',
    *(f"ctpe.{size}.{setting}" for size in ("size", "small") for setting in ("channels=4", "epochs=2")),
    'ctpe.settings=["optimizer.batch=10"]',
    'ctpe.embeddings=["word2vec(full)", "sentence means"]',
    'ctpe.leave_out=["minilm", "doc2vec-ctpe", "doc2vecc", "glove-own", "sentence-mean", "wmd", "rwmd", '
    '"lda-ctpe@elsewhere", "wmd(glove-own)", "wmd(glove-full)", "wmd(word2vec-own)"]',
)


def small_work(folder: Path, *settings: str, cache: str = "cache") -> Work:
    data = write_benchmark(folder / "data" / NAME)
    (data / "query-splits.tsv").write_text("q-steam\tvalid\n")
    made = config.from_mapping(config.with_settings({}, [*SMALL, *settings]), PaperSettings, origin="test")
    return Work(folder / "data", folder / cache, made)


def rows_of(table: Table) -> tuple[Panel, dict[str, Line]]:
    (panel,) = table.panels
    return panel, {line.name: line for line in panel.lines}
