"""Which sentences to read first: the mix that every kind of document has, and no boilerplate among them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine.documents import Chunk, Document, Section
from engine.documents.text import sentences
from engine.encoders.keyvec import Salience
from engine.search.evidence.salience import (
    FEATURES,
    Regression,
    centrality,
    kind_of,
    reread,
    sentence_features,
    sentence_weights,
    without_stock,
)
from engine.search.vocabulary import Vocabulary


def test_weights_are_read_by_the_names_of_features_and_give_probabilities(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text(json.dumps({"long": {"weights": {"b": 2.0, "a": 1.0}, "intercept": -1.0}}))
    found = Regression.shipped(path, "long", ("a", "b"))
    rows = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert found.log_odds(rows).tolist() == [0.0, 1.0]
    assert found.p(rows).tolist() == pytest.approx([0.5, 1 / (1 + np.exp(-1))])


WORDS = Vocabulary({"kite": 400, "wind": 300, "bridle": 40, "tail": 60, "weather": 200}, 1_000)
TEXT = (
    "The weather was mild that year. A kite needs a bridle and a tail in the wind. We show that the bridle of a kite "
    "turns it into the wind. Coal arrived by rail in June 1893."
)


def said_of(text: str, p: float | list[float] = 0.2, *, kind: str = "paper", role: str = "body") -> tuple:
    document = Document("x", kind, sections=(Section("", text),)) if role == "body" else Document("x", abstract=text)
    chunks = tuple(document.parts[0].chunk("x", 0, one.start, one.stop) for one in sentences(text))
    return document, Salience(chunks, np.full(len(chunks), p, np.float32) if isinstance(p, float) else np.array(p), ())


def weights(**of: float) -> Regression:
    return Regression(np.array([of.get(name, 0.0) for name in FEATURES]), 0.0)


def test_a_sentence_that_shares_rare_words_with_the_others_is_central() -> None:
    _, said = said_of(TEXT)
    central = centrality([one.text for one in said.sentences], WORDS)
    assert set(np.argsort(-central)[:2]) == {1, 2}
    assert ((central >= 0) & (central <= 1 + 1e-9)).all()


def test_features_are_told_within_their_document() -> None:
    _, said = said_of(TEXT, [0.1, 0.2, 0.4, 0.1])
    rows = sentence_features(said, WORDS)
    assert rows.shape == (4, len(FEATURES))
    assert np.allclose(rows.mean(axis=0), 0)
    column = dict(zip(FEATURES, rows.T, strict=True))
    assert column["KeyVec"].argmax() == 2 and column["we"].argmax() == 2 and column["a result"].argmax() == 2
    assert column["position"].argmax() == 0 and column["digits"].argmax() == 3
    alone = said_of("A kite flies.")[1]
    assert not sentence_features(alone, WORDS).any()  # nothing to tell it from


def test_the_mix_decides_what_is_read_first() -> None:
    document, said = said_of(TEXT, [0.9, 0.2, 0.3, 0.1])
    by = {name: reread([document], [said], WORDS, weights(**{name: 1.0}))[0].p.argmax() for name in FEATURES[:3]}
    assert by["KeyVec"] == by["position"] == 0 and by["centrality"] in (1, 2)
    told = reread([document], [said], WORDS)[0]
    assert ((told.p > 0) & (told.p < 1)).all() and told.p.dtype == np.float32
    assert told.p.argmax() in (0, 2), "what KeyVec and the others speak for"
    assert told.keywords == said.keywords


STOCK = (
    "This application claims the benefit of a provisional application on kites.",
    "This work was supported by the society of kites.",
    "To all whom it may concern: be it known that I have made a kite.",
    "Fig. 2 is a side view of the kite.",
)


@pytest.mark.parametrize("stock", STOCK)
@pytest.mark.parametrize("kind", ["paper", "patent"])
def test_boilerplate_is_never_among_the_sentences_however_strong(stock: str, kind: str) -> None:
    document, said = said_of(f"{stock} {TEXT}", [0.99, 0.1, 0.2, 0.3, 0.1], kind=kind)
    (told,) = reread([document], [said], WORDS)
    assert stock not in {one.text for one in told.sentences}
    assert len(told.sentences) == 4 == len(told.p)
    assert [one.text for one in told.sentences] == [one.text for one in said.sentences[1:]]


def test_nothing_but_boilerplate_leaves_nothing() -> None:
    document, said = said_of(STOCK[0])
    assert without_stock(said).sentences == ()
    assert reread([document], [said], WORDS)[0].sentences == ()


def test_patents_abstracts_and_papers_have_weights_of_their_own() -> None:
    kinds = [kind_of(*said_of(TEXT)), kind_of(*said_of(TEXT, kind="patent")), kind_of(*said_of(TEXT, role="abstract"))]
    assert kinds == ["paper", "patent", "abstract"]
    assert len({sentence_weights(kind).of.tobytes() for kind in kinds}) == 3
    chunk = Chunk("x", 0, "", 0, 1, "x")
    assert (
        kind_of(Document("x", "patent", abstract="A kite."), Salience((chunk,), np.ones(1, np.float32), ())) == "patent"
    )
