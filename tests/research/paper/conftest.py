"""What the papers' tables are made of in tests: small sets, and a command that is quick."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.encoders.tfidf import TfidfEncoder
from engine.research.paper.work import Work
from tests.contracts.encoder import corpus
from tests.evaluation.small import write_benchmark
from tests.research.paper.small_keyvec import settings, write

NAME = "ours"


@pytest.fixture
def keyvec_work(tmp_path: Path) -> Work:
    """Both sets, each document with its subject as category, key word and venue."""
    documents = []
    for place in range(3):
        for document in corpus():
            subject = document.id.rstrip("0123456789")
            named = {"categories": (subject,), "keywords": (subject.title(), f"word {document.id}"), "venue": subject}
            documents.append(replace(document, id=f"{document.id}-{place}", sections=(), **named))
    data = tmp_path / "data"
    write(data / "arxiv-subject" / "corpus.parquet", documents[:80])
    write(data / "arxiv-subject" / "queries.parquet", documents[80:])
    write(data / "acm-citation" / "corpus.parquet", documents)
    return Work(data, tmp_path / "cache", settings())


@pytest.fixture
def cdssm_line(tmp_path: Path) -> list[str]:
    """The command on a small set, with an encoder of ours in the place of one that is trained."""
    write_benchmark(tmp_path / "data" / NAME)
    TfidfEncoder.fit(corpus()).save(tmp_path / "words")
    places = ["--data", str(tmp_path / "data"), "--cache", str(tmp_path / "cache")]
    given = [
        "--trained",
        f"cdssm-words={tmp_path / 'words'}",
        "--set",
        f'cdssm.sets=["{NAME}"]',
        "--set",
        'cdssm.peers=["tfidf"]',
    ]
    return ["tables", *places, *given, "--save", str(tmp_path / "report.json")]
