"""Words for hits, and the verdict on a list."""

from __future__ import annotations

from pathlib import Path

from engine.documents import Document
from engine.search.evidence.vocabulary import Vocabulary
from engine.search.nearness import HitReader, PairReader, common_field
from tests.search.library import DOCUMENTS, QUERY, fill


def test_most_documents_share_a_category_or_a_venue_or_nothing() -> None:
    documents = [Document(f"d{n}", categories=("cs.CL",) if n < 6 else ("cs.DS",)) for n in range(10)]
    assert common_field(documents) == "category cs.CL"
    assert common_field(documents[5:]) == "category cs.DS" and common_field(documents[4:8]) == ""
    assert common_field([Document("a", venue="Kites"), Document("b", venue="Kites")]) == "venue Kites"
    assert common_field([]) == ""


def test_hits_are_read_against_the_question_or_the_nearest_liked_document(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path / "library")
    with library:
        keywords = library.keywords
        reader = HitReader(library, PairReader(encoder, index), Vocabulary(keywords.frequencies(), keywords.size))
        crystals, valve = DOCUMENTS[1], DOCUMENTS[5]
        asking = reader.asking(QUERY, [], None)
        near, far = reader.read(asking, [crystals, valve])
        assert near.rank < far.rank and asking.is_question
        liked = reader.asking(None, [crystals, valve], None)
        assert not liked.is_question
        assert [one.word for one in reader.read(liked, [valve, crystals])] == ["says the same"] * 2
        found = reader.verdict(liked, [one.id for one in DOCUMENTS], [valve])
        assert found.near and found.unknown_terms == ()
        assert reader.gibberish(QUERY) is None and reader.gibberish(Document("q", abstract="asdfgh")) is not None
