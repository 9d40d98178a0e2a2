"""A small library of texts that we wrote, with an encoder fitted on it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.documents import Document, Section
from engine.encoders import Encoder, registry
from engine.library import Library
from engine.vectors import VectorIndex, open_index

DOCUMENTS = (
    Document(
        "p-molecules",
        title="Message passing on molecular graphs",
        abstract=(
            "We train graph neural networks on small molecules and predict their energies. "
            "Each atom sends a message to its neighbours, and three rounds of message passing are enough."
        ),
        year=2019,
        categories=("cs.LG",),
        venue="Journal of Learned Chemistry",
        authors=("Ada Lind",),
    ),
    Document(
        "p-crystals",
        title="Crystal energies from graph networks",
        abstract=(
            "Graph neural networks read a crystal as a graph of atoms. "
            "Message passing between atoms of the crystal predicts formation energies within chemical accuracy."
        ),
        year=2021,
        categories=("cs.LG",),
        authors=("Bo Rask",),
    ),
    Document(
        "p-crystals-preprint",
        title="Crystal energies from graph networks",
        abstract="An early report on graph networks that read crystals and predict formation energies of atoms.",
        year=2020,
        categories=("cs.LG",),
        authors=("Bo Rask",),
    ),
    Document(
        "p-images",
        title="Convolutional networks for satellite images",
        abstract=(
            "Convolutional neural networks classify land use in satellite images. "
            "Weights are shared across positions of the image, so few labelled images suffice."
        ),
        year=2015,
        categories=("cs.CV",),
    ),
    Document(
        "US1",
        kind="patent",
        title="Slide valve for steam engines",
        abstract="A slide valve admits steam to the cylinder of an engine and cuts the steam off early.",
        sections=(
            Section(
                "Description",
                "The valve gear moves the slide valve along its seat. Exhaust steam leaves the cylinder by the port. "
                "The eccentric rod drives the valve gear from the crank shaft.",
            ),
        ),
        claims=(
            "A slide valve for a steam engine, having a seat, a port, and a valve gear that closes the port early.",
            "The slide valve of claim 1, in which the valve gear is driven by an eccentric rod on the crank shaft.",
        ),
        year=1890,
        categories=("F01L1/00",),
        family="fam-valve",
    ),
    Document(
        "US2",
        kind="patent",
        title="Improved valve gear",
        abstract="A valve gear closes the steam port of a slide valve early, which saves steam in the cylinder.",
        year=1892,
        categories=("F01L1/00",),
        family="fam-valve",
    ),
    Document(
        "US3",
        kind="patent",
        title="Boiler feed pump",
        abstract="A pump feeds water to a steam boiler at a rate set by a float in the boiler.",
        year=1895,
        categories=("F04B1/00",),
    ),
)

QUERY = Document(
    "file:query",
    title="Learning potentials",
    abstract=(
        "Graph neural networks learn interatomic potentials. "
        "Rounds of message passing between the atoms of a crystal predict its formation energies."
    ),
)


def weigh(monkeypatch: pytest.MonkeyPatch, **weights: float) -> None:
    """Let keywords count otherwise beside TF-IDF: `keyword_weight`, `passage_weight`."""
    monkeypatch.setitem(registry.ENTRIES, "tfidf", replace(registry.ENTRIES["tfidf"], **weights))  # type: ignore[arg-type]


def fill(folder: Path, documents: tuple[Document, ...] = DOCUMENTS) -> tuple[Library, Encoder, VectorIndex]:
    """A library in `folder` with the documents, TF-IDF fitted on them, and their vectors."""
    library = Library.open(folder, create=True)
    library.add_file("key", "texts", documents)
    encoder = registry.fit("tfidf", documents)
    index = open_index(folder / "v", fingerprint=encoder.card.fingerprint, dim=encoder.card.dim, kind="sparse")
    index.add([document.id for document in documents], encoder.encode_documents(documents))
    return library, encoder, index
