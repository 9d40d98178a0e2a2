"""What a text's sentences are worth: which are judged, how they are scored, and the command that tells it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import networkx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document, Section
from engine.encoders.keyvec import Salience
from engine.evaluation.benchmarks import read_documents
from engine.research.salience import command
from engine.research.salience.scores import (
    BASELINES,
    Reads,
    centrality,
    labels,
    lead,
    page_rank,
    precision_at_labels,
    precision_of_first,
    probabilities,
    roc_auc,
    score_row,
    text_rank,
)
from engine.research.salience.texts import (
    Body,
    SentenceWords,
    citing_sentences,
    held_out,
    mentions,
    read_citations,
    trained_on,
)
from engine.training.keyvec.recipe import LabelSettings
from engine.training.long_corpus import LabelledPair
from tests.evaluation.small import write_table

FILLER = (
    "Weather was cold in the north that winter.",
    "Several carts of coal arrived by rail.",
    "Workmen painted the fence beside the yard.",
    "Letters were answered on Thursday morning.",
)
KEY = ("The governor keeps the speed of an engine steady.", "A heavy flywheel stores energy between strokes.")


def paper(name: str = "p", *, year: int | None = None, more: str = "") -> Document:
    """A paper whose third and eighth sentence carry it; `more` is added to the end."""
    first = " ".join((FILLER[0], FILLER[1], KEY[0], FILLER[2]))
    second = " ".join((FILLER[3], "42.", "Coal was dear.", KEY[1], "Rain fell."))
    sections = (Section("Introduction", first), Section("Method", f"{second} {more}".strip()))
    abstract = "We show how a governor keeps an engine at a steady speed. Its flywheel stores energy."
    references = Section("References", "Governor, A. 1990. On the flywheel.", "references")
    return Document(id=name, title="On engines", abstract=abstract, sections=(*sections, references), year=year)


class Reader:
    """Says that sentences with a word are salient, and leaves out one, as an encoder does without a known word."""

    def __init__(self, word: str, *, ignores: str = "Rain") -> None:
        self.word, self.ignores = word, ignores

    def salience(self, documents: Sequence[Document]) -> list[Salience]:
        found = []
        for document in documents:
            assert not document.abstract
            kept = tuple(chunk for chunk in Body.of(document).sentences if self.ignores not in chunk.text)
            p = np.array([0.9 if self.word in chunk.text else 0.1 for chunk in kept], np.float32)
            found.append(Salience(kept, p, ()))
        return found


BODY = Body.of(paper())
WORDS = SentenceWords.of([*BODY.texts, *BODY.abstract])


def test_the_sentences_that_the_abstract_says_are_labelled() -> None:
    marked = labels(BODY, BODY.abstract, WORDS, LabelSettings(threshold=0.15, top=1))
    assert tuple(np.array(BODY.texts)[marked]) == KEY
    assert not labels(BODY, BODY.abstract, WORDS, LabelSettings(threshold=0.99, top=1)).any()
    assert not labels(BODY, (), WORDS, LabelSettings()).any()


SCORES = np.array([0.9, 0.1, 0.8, 0.3, 0.2])
LABELS = np.array([True, False, False, True, False])


def test_as_many_are_taken_as_are_labelled() -> None:
    assert precision_at_labels(SCORES, LABELS) == 1 / 2
    assert precision_at_labels(SCORES, ~LABELS) == 1 / 3
    assert precision_at_labels(SCORES, np.zeros(5, bool)) == 0


def test_of_equal_scores_the_earlier_is_first() -> None:
    assert precision_at_labels(np.zeros(5), LABELS) == 1 / 2


def test_the_first_five_are_taken_even_of_fewer() -> None:
    assert precision_of_first(SCORES, LABELS, 2) == 1 / 2
    assert precision_of_first(SCORES[:3], LABELS[:3]) == 1 / 5


def test_the_area_counts_pairs_in_the_right_order() -> None:
    assert roc_auc(SCORES, LABELS) == pytest.approx((3 + 2) / (2 * 3))
    assert roc_auc(SCORES, np.ones(5, bool)) == 0.5


def test_documents_count_the_same() -> None:
    told = score_row("row", [SCORES, -SCORES, SCORES], [LABELS, LABELS, np.zeros(5, bool)])
    assert told.name == "row"
    assert told.figures["ROC-AUC"] == pytest.approx(0.5)
    assert told.figures["P@labels"] == pytest.approx((1 / 2 + 0) / 2)


def test_documents_without_labels_are_told() -> None:
    with pytest.raises(EvaluationError, match="Expected a document with labelled and other sentences, found none"):
        score_row("row", [SCORES], [np.ones(5, bool)])


def test_a_readers_probabilities_stand_at_their_sentences() -> None:
    reader, body = Reader("flywheel"), Body.of(paper())
    assert isinstance(reader, Reads)
    assert not isinstance(object(), Reads)
    (p,) = probabilities(reader, [body])
    np.testing.assert_allclose(p, [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.9, 0.0], atol=1e-6)


def test_the_first_sentence_leads() -> None:
    scores = lead(BODY, WORDS)
    assert (np.diff(scores) < 0).all()


@pytest.mark.parametrize("score", [centrality, text_rank])
def test_what_others_say_too_is_central(score: Callable[[Body, SentenceWords], np.ndarray]) -> None:
    body = Body.of(paper(more="An engine has a governor. Speed of the engine is what a governor keeps."))
    scores = score(body, SentenceWords.of(body.texts))
    assert scores.shape == (10,)
    best = body.texts[int(scores.argmax())]
    assert "governor" in best
    assert scores[body.texts.index("Rain fell.")] < scores.max() / 2


def test_the_walk_is_networkxs() -> None:
    generator = np.random.default_rng(1)
    weights = np.triu(generator.random((12, 12)) * (generator.random((12, 12)) > 0.5), 1)
    weights[3] = weights[:, 3] = 0  # like no other
    weights = weights + weights.T
    expected = networkx.pagerank(networkx.from_numpy_array(weights), alpha=0.85, tol=1e-12, max_iter=500)
    np.testing.assert_allclose(page_rank(weights), [expected[place] for place in range(12)], atol=1e-8)


def test_every_baseline_takes_a_body_of_one_sentence() -> None:
    body = Body(BODY.document, BODY.sentences[:1], BODY.abstract)
    for score in BASELINES.values():
        assert np.isfinite(score(body, WORDS)).all()
        assert score(body, WORDS).shape == (1,)


def test_a_body_is_without_title_abstract_references_and_sentences_without_a_word() -> None:
    body = Body.of(paper())
    assert len(body.sentences) == 8
    assert (body.texts[2], body.texts[6]) == KEY
    assert not any("42." == text or "Governor, A." in text or "engines" in text for text in body.texts)
    assert len(body.abstract) == 2


def test_a_sentence_stands_where_it_says() -> None:
    body = Body.of(paper())
    for chunk in body.sentences:
        part = body.document.parts[chunk.part]
        assert (part.text[chunk.start : chunk.stop], part.title) == (chunk.text, chunk.section)


def test_words_weigh_by_how_few_sentences_have_them() -> None:
    words = SentenceWords.of(["coal coal engine", "coal governor", "coal"])
    rows = words.rows(["coal governor", "the unknown"]).toarray()
    column = words.vectorizer.vocabulary_
    assert rows[0, column["governor"]] > rows[0, column["coal"]]
    assert np.linalg.norm(rows[0]) == pytest.approx(1)
    assert not rows[1].any()


def test_nothing_to_weigh_by_is_told() -> None:
    with pytest.raises(EvaluationError, match="Expected sentences with words to weigh by, got none"):
        SentenceWords.of(["the of 42"])


def test_held_out_stands_in_no_pair_that_trains() -> None:
    pairs = [
        LabelledPair("a", "b", True, "train"),
        LabelledPair("b", "c", True, "test"),
        LabelledPair("d", "e", True, "valid"),
        LabelledPair("e", "f", False, "test"),
    ]
    assert trained_on(pairs) == {"a", "b"}
    assert held_out(pairs, "test") == {"c", "e", "f"}
    assert held_out(pairs, "valid") == {"d"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("as Collins (1997) shows", {("Collins", 1997)}),
        ("is known (Ge et al., 1998; van der Berg, 2001a).", {("Ge", 1998), ("van der Berg", 2001)}),
        ("see (Och and Ney, 2003)", {("Och", 2003)}),
        ("Brown, Pietra and Mercer (1993) and Collins’s (1999) parser", {("Brown", 1993), ("Collins", 1999)}),
        ("in 1997 there were 1998 trees", set()),
    ],
)
def test_a_mention_is_the_first_name_with_the_year(text: str, expected: set[tuple[str, int]]) -> None:
    assert mentions(text) == expected


def citing(name: str, *said: str) -> Document:
    return Document(id=name, title=name, sections=(Section("Work", " ".join(said)),), year=2005)


BOILER = "Boilers burst under too much steam pressure, as found by Adams (1990)."
OTHERS = "Some others used valves of iron (Baker, 1990)."
PAPERS = [
    Document(id="cited", title="Boilers", year=1990),
    Document(id="second", title="Valves", year=1990),
    citing("one", BOILER, OTHERS),
    citing("two", "Steam boilers are tested by pressure of cold water (Adams, 1990; Clark, 1991).", OTHERS),
    citing("three", OTHERS, "It is so (Adams, 1990)."),
    citing("four", OTHERS),
]


def test_the_name_is_told_from_who_cites_and_its_sentences_are_taken_without_marks() -> None:
    found = citing_sentences(PAPERS, [("one", "cited"), ("two", "cited"), ("three", "cited")])
    assert set(found) == {"cited"}
    assert found["cited"].mention == ("Adams", 1990)
    assert len(found["cited"].sentences) == 2
    assert not any("1990" in text or "Clark" in text for text in found["cited"].sentences)
    assert found["cited"].sentences[0].startswith("Boilers burst under too much steam pressure")


def test_a_paper_that_one_cites_or_whose_name_is_shared_is_left_out() -> None:
    assert citing_sentences(PAPERS, [("one", "cited")]) == {}
    both = [("one", "cited"), ("two", "cited"), ("one", "second"), ("two", "second")]
    assert citing_sentences(PAPERS, both) == {}


def test_papers_that_are_not_at_hand_count_for_nothing() -> None:
    assert citing_sentences(PAPERS, [("one", "gone"), ("gone", "cited"), ("cited", "cited")]) == {}


def test_citations_are_two_columns(tmp_path: Path) -> None:
    (tmp_path / "citations.tsv").write_text("citing\tcited\na\tb\n")
    assert read_citations(tmp_path / "citations.tsv") == [("a", "b")]
    (tmp_path / "other.tsv").write_text("citing\tcited\na b\n")
    for name in ("other.tsv", "none.tsv"):
        with pytest.raises(EvaluationError, match=f"Expected the columns citing and cited.* in {name}"):
            read_citations(tmp_path / name)


def test_known_names_are_told_in_real_papers(shared: Path) -> None:
    """Nobody tells the authors: that these come out is evidence that the rule works."""
    folder = shared / "data" / "acl-long"
    pairs = read_citations(folder / "citations.tsv")
    known = {"acl:P97-1003": "Collins", "acl:J96-1002": "Berger", "acl:P05-1066": "Collins", "acl:P08-1068": "Koo"}
    by = {citing for citing, cited in pairs if cited in known}
    documents = read_documents(folder / "corpus.parquet")
    near = [document for place, document in enumerate(documents) if document.id in by | set(known) or place % 40 == 0]
    found = citing_sentences(near, [pair for pair in pairs if pair[1] in known])
    assert {name: one.mention[0] for name, one in found.items()} == known


@pytest.fixture
def line(tmp_path: Path) -> list[str]:
    folder = tmp_path / "data" / "long"
    folder.mkdir(parents=True)
    citing = [
        Document(id=name, title=name, abstract="None.", sections=(Section("Work", text),))
        for name, text in (
            ("one", "A flywheel stores energy between the strokes of an engine (Adams, 1990). It is late."),
            ("two", "Energy is stored by a heavy flywheel, says Adams (1990), between strokes. We go on."),
        )
    ]
    learnt = [paper(f"t{number}", year=1980) for number in range(4)]
    documents = [*learnt, paper("held", year=1990), paper("other"), *citing]
    write_table(folder / "corpus.parquet", documents)
    plain = pq.read_table(folder / "corpus.parquet")
    years = pa.array([document.year for document in documents], pa.int64())
    pq.write_table(plain.append_column("year", years), folder / "corpus.parquet")
    pairs = ["id-a\tid-b\tlabel\tsplit", "t0\tt1\t1\ttrain", "t2\tt3\t1\ttrain", "held\tother\t1\ttest"]
    (folder / "pairs.tsv").write_text("\n".join(pairs) + "\n")
    (folder / "citations.tsv").write_text("citing\tcited\none\theld\ntwo\theld\n")
    save = str(tmp_path / "report.json")
    return ["--data", str(tmp_path / "data"), "--sets", "long", "--top", "1", "--save", save]


def test_readers_and_baselines_are_scored_on_both_kinds_of_labels(
    line: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    rows = SimpleNamespace(trained_encoder=lambda row: Reader("flywheel"), rows_of=lambda given: [given])
    monkeypatch.setattr(command, "ROWS", rows)
    command.main([*line, "--keyvec", "keyvec"])
    made = json.loads((tmp_path / "report.json").read_text())["sets"]["long"]
    rows = {"position", "TextRank", "TF-IDF centrality", "keyvec"}
    assert set(made["abstract"]["rows"]) == rows
    assert made["abstract"]["documents"] == 2
    assert made["abstract"]["rows"]["keyvec"]["P@labels"] == pytest.approx(1 / 2)
    assert made["citing"]["documents"] == 1
    assert made["citing"]["rows"]["keyvec"] == {"P@labels": 1.0, "P@5": 0.2, "P@2": 0.5, "ROC-AUC": 1.0}
    assert set(made["sha256"]) == {"corpus.parquet", "pairs.tsv", "citations.tsv"}
    text = (tmp_path / "report.md").read_text()
    assert "labels by citing: 1 documents" in text
    assert text.strip() in capsys.readouterr().out
    assert KEY[1] not in text


def test_baselines_alone_need_no_encoder_and_no_citations(line: list[str], tmp_path: Path) -> None:
    (tmp_path / "data" / "long" / "citations.tsv").unlink()
    command.main(line)
    made = json.loads((tmp_path / "report.json").read_text())["sets"]["long"]
    assert set(made) == {"sha256", "abstract"}


def test_an_encoder_that_tells_no_sentences_is_refused(line: list[str]) -> None:
    with pytest.raises(EvaluationError, match="Expected an encoder that tells salient sentences, as keyvec does"):
        command.main([*line, "--keyvec", "word2vec-mean"])
