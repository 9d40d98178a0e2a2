"""What the KeyVec paper says of its two tables; the text at hand has their sentences and not their figures."""

from __future__ import annotations

from collections.abc import Mapping

ROWS: Mapping[str, str] = {
    "keyvec": "KeyVec",
    "doc2vec": "Paragraph Vector",
    "word2vec-mean": "word2vec averaging, public release",
    "word2vec-own": "word2vec averaging, academic corpus",
}
"""The paper's methods that rows of ours stand for."""

PLACES: Mapping[str, float] = {"keyvec": 3, "doc2vec": 2, "word2vec-mean": 1, "word2vec-own": 1}
"""The order that its text gives for every metric of both tables, larger is better; the two averages share a place."""
