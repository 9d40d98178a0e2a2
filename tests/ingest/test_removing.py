"""Documents out of a library and out of its vectors."""

from __future__ import annotations

from engine import ingest
from engine.library import Library
from tests.ingest.letters import Letters, completing, reference


def test_a_revision_s_number_is_never_given_again(library: Library) -> None:
    library.add_file("k1", "refs.bib", [reference(1), reference(2)])
    library.add_file("k2", "one.pdf", [completing(1)])
    ingest.index_library(library, Letters())
    ingest.remove_documents(library, ["r1"])
    assert library.revision() == 1 and library.revised_since(0) == []
    library.add_file("k3", "two.pdf", [completing(2)])
    assert library.revised_since(1) == ["r2"]
    encoder = Letters()
    kept = ingest.whole_index(library, encoder).rows(["r2"])
    assert encoder.read == 1
    assert kept.tolist() == encoder.encode_documents(library.get(["r2"])).tolist()
