"""Which works two documents both cite."""

from __future__ import annotations

from engine.documents import Document, Identifier, Reference, Section
from engine.search.citations.cited import shared_references

BOTH = "Davis T (2006). Direct Methods for Sparse Linear Systems. SIAM."


def paper(id_: str, *entries: str) -> Document:
    return Document(id_, sections=(Section("References", "\n\n".join(entries), "references"),))


def test_a_work_in_both_lists_is_shared_however_it_is_printed() -> None:
    one = paper("one", BOTH, "Bates D (2004). Linear mixed models and penalized least squares. J. Things.")
    other = paper("other", "[1] T. Davis, “Direct methods for sparse linear system,” in SIAM, 2006.")
    assert [reference.text for reference in shared_references(one, other)] == [BOTH]


def test_works_that_only_look_alike_are_not_shared() -> None:
    one = paper("one", "Andrews D, Monahan J (1992). An Improved Consistent Covariance Matrix Estimator. Econometrica.")
    other = paper("other", "Andrews D (1991). Consistent Covariance Matrix Estimation. Econometrica.")
    assert shared_references(one, other) == ()
    assert shared_references(other, one) == ()


def test_patents_are_shared_by_their_numbers() -> None:
    entry = Reference("US 5,123,456 A", identifiers=(Identifier("patent", "US5123456A"),))
    kindless = Reference("US 5123456", identifiers=(Identifier("patent", "US5123456"),))
    one, other = Document("a", "patent", references=(entry,)), Document("b", "patent", references=(kindless,))
    assert shared_references(one, other) == (entry,)


def test_a_document_without_a_list_shares_nothing() -> None:
    assert shared_references(paper("one", BOTH), Document("other")) == ()
    assert shared_references(Document("other"), paper("one", BOTH)) == ()
