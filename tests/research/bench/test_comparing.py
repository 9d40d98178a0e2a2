"""What comparing costs and finds: planted paragraphs, roles of sections, kept chunks and coverage."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from engine.compare import ReadDocument, Words
from engine.core.errors import EvaluationError
from engine.documents import Document, Section
from engine.encoders import registry
from engine.encoders.colde import LongRows
from engine.library import LIBRARY_VARIABLE, Library
from engine.research.__main__ import main
from engine.research.bench import covering, kept_chunks
from engine.research.bench.comparing import measure_comparing
from engine.research.bench.planted import DROPPED, EXACT, Plan, measure_planted, measure_roles, planted, role_of
from engine.research.matching.pair_set import load_pair_set
from engine.search import Vocabulary, sentence_words
from engine.training.long_corpus import LabelledPair
from engine.workspace import Workspace, comparison
from tests.compare.shelves import PAPERS, Reader, matcher, shelf
from tests.compare.texts import StandIn
from tests.contracts.encoder import SUBJECTS
from tests.encoders.colde import tiny
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.evaluation.small import write_table
from tests.research.matching.small_pairs import write_pairs
from tests.search.hashed_words import paper


@pytest.fixture(scope="module")
def words() -> Words:
    return Words(Vocabulary({}, 1_000), "Our own counts.", 1_000, sentence_words())


SYLLABLES = "ba ce di fo gu ha ke li mo nu pa re si to vu wa ze".split()


def written(name: str, subject: str, *, sentences: int = 12) -> Document:
    """A document whose sentences of twelve words have six made up, among two hundred of its own, and one subject's."""
    drawn = random.Random(name)
    known = ["".join(drawn.choices(SYLLABLES, k=4)) for _ in range(200)]
    subjects = SUBJECTS[subject].split()

    def text(count: int) -> str:
        said = (drawn.sample(known, 6) for _ in range(count))
        return " ".join(
            f"The {a} {b} of our {c} {d} moves {drawn.choice(subjects)} near {e} {f}." for a, b, c, d, e, f in said
        )

    titles = ("1 Introduction", "2 Method", "3 Results", "Acknowledgements")
    sections = (*(Section(title, text(sentences)) for title in titles), Section("References", text(3), "references"))
    return Document(name, title=name, abstract=text(2), sections=sections, claims=("A claim of a thing.",))


DOCUMENTS = {f"{subject}{n}": written(f"{subject}{n}", subject) for subject in SUBJECTS for n in range(2)}
PAIRS = [
    *(
        LabelledPair(f"{a}0", f"{b}1", False, "test")
        for a, b in (("steam", "neural"), ("protein", "graph"), ("graph", "steam"))
    ),
    *(LabelledPair(f"{a}0", f"{a}1", True, "test") for a in SUBJECTS),
]


def test_a_paragraph_is_put_whole_between_two_sentences(words: Words) -> None:
    a, b = DOCUMENTS["steam0"], DOCUMENTS["neural1"]
    plant = planted(ReadDocument.read(a, StandIn(), words), b, random.Random(1), words=80)
    assert plant is not None
    number, start, stop = plant.taken
    paragraph = a.parts[number].text[start:stop]
    assert a.parts[number].role == "body" and 80 <= len(paragraph.split()) < 92
    place, first, last = plant.put
    changed = plant.document.parts[place].text
    assert changed[first:last] == paragraph
    assert changed[:first] + changed[last + 1 :] == b.parts[place].text
    assert changed[:first].endswith(". ") and changed[last] == " "
    assert [part for n, part in enumerate(plant.document.parts) if n != place] == [
        part for n, part in enumerate(b.parts) if n != place
    ]
    assert plant.document.id != b.id


def test_a_third_of_the_words_is_dropped_in_their_order(words: Words) -> None:
    side, b = ReadDocument.read(DOCUMENTS["steam0"], StandIn(), words), DOCUMENTS["neural1"]
    whole, less = (planted(side, b, random.Random(1), words=80, dropped=share) for share in (0.0, 1 / 3))
    assert whole is not None and less is not None and whole.taken == less.taken and whole.put[:2] == less.put[:2]
    texts = [one.document.parts[one.put[0]].text[one.put[1] : one.put[2]].split() for one in (whole, less)]
    assert len(texts[1]) == len(texts[0]) - round(len(texts[0]) / 3)
    left = iter(texts[0])
    assert all(word in left for word in texts[1])


def test_nothing_is_planted_where_there_is_no_paragraph_or_no_place(words: Words) -> None:
    side = ReadDocument.read(DOCUMENTS["steam0"], StandIn(), words)
    assert planted(side, DOCUMENTS["neural1"], random.Random(1), words=1_000) is None
    assert planted(side, Document("b", abstract="Only this."), random.Random(1), words=80) is None


def test_planted_paragraphs_are_counted_where_they_are_found(words: Words) -> None:
    seen = []
    plan = Plan(pairs=5, words=40, source="ours")
    report = measure_planted(DOCUMENTS, PAIRS, StandIn(), words=words, plan=plan, report=seen.append)
    assert (report.pairs, report.left_out, report.source, report.words) == (3, 0, "ours", 40)
    assert report.found[EXACT].cell == report.found[EXACT].passage == 1.0
    assert report.found[DROPPED].passage >= 0.3
    assert seen[-1].done == 3
    assert json.loads(json.dumps(report.as_json()))["found"][EXACT]["cell"] == 1.0
    again = measure_planted(DOCUMENTS, PAIRS, StandIn(), words=words, plan=plan)
    assert again.found == report.found
    with pytest.raises(
        EvaluationError, match=r"Expected unrelated pairs with a paragraph of 900 words; found none of 3\."
    ):
        measure_planted(DOCUMENTS, PAIRS, StandIn(), words=words, plan=Plan(words=900))


def test_an_encoder_that_tells_nothing_still_finds_by_sentences_but_not_by_chunks(words: Words) -> None:
    class Blind(StandIn):
        def _read(self, document: Document) -> LongRows:
            long = super()._read(document)
            long.rows[:] = 1
            return long

    found = measure_planted(DOCUMENTS, PAIRS, Blind(), words=words, plan=Plan(words=40)).found[EXACT]
    assert found.passage == 1.0 and found.cell_by_chunks < found.cell


@pytest.mark.parametrize(
    ("title", "role"),
    [
        ("1 Introduction", "introduction"),
        ("2. Related Work", "related work"),
        ("Experimental Results", "experiments"),
        ("Materials and Methods", "method"),
        ("Our Approach", "method"),
        ("CONCLUSIONS AND FUTURE WORK", "conclusion"),
        ("Claims", "claims"),
        ("Detailed Description", "description"),
        ("4.", ""),
        ("Acknowledgements", ""),
    ],
)
def test_titles_tell_roles(title: str, role: str) -> None:
    assert role_of(title) == role


def test_roles_agree_where_the_largest_section_cell_joins_them() -> None:
    class ByTitle(StandIn):
        shift = 0

        def _read(self, document: Document) -> LongRows:
            long = super()._read(document)
            shift = self.shift if document.id.endswith("1") else 0
            long.rows[:] = 0
            for row, section in zip(long.rows, long.section_of.tolist(), strict=True):
                row[(section + shift) % len(long.sections)] = 1
            return long

    agreeing, moved = ByTitle(), ByTitle()
    moved.shift = 1
    report = measure_roles(DOCUMENTS, PAIRS, agreeing, source="ours")
    assert (report.pairs, report.left_out, report.agree, report.by_chance) == (4, 0, 1.0, 0.2)
    assert measure_roles(DOCUMENTS, PAIRS, moved).agree == 0.0
    assert measure_roles(DOCUMENTS, PAIRS, agreeing, most=2).pairs == 2
    bare = {name: Document(name, abstract="Text.") for name in DOCUMENTS}
    with pytest.raises(
        EvaluationError, match=r"Expected related pairs whose sections have roles in common; found none of 4"
    ):
        measure_roles(bare, PAIRS, agreeing)


def test_the_two_documents_of_the_wanted_length_are_timed(words: Words) -> None:
    documents = [written(f"d{n}", "steam", sentences=n) for n in (2, 8, 9, 20)]
    report = measure_comparing(documents, StandIn(), words=words, length=440, rounds=2, source="ours")
    assert set(report.documents) == {"d8", "d9"} and report.source == "ours"
    assert set(report.milliseconds) == {"cold", "kept_vectors", "kept_sides", "read", "plain"}
    assert all(0 < times.p50 <= times.max for times in report.milliseconds.values())
    assert report.peak_memory_mib > 10 and report.times_plain > 0 and len(report.chunks) == 2
    for few, rounds in ((documents[:1], 2), (documents, 0)):
        with pytest.raises(
            EvaluationError, match=r"Expected two documents to compare, and at least 1 round; got \d and \d"
        ):
            measure_comparing(few, StandIn(), words=words, rounds=rounds)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(comparison, "load_colde", lambda _: StandIn())
    monkeypatch.setenv(LIBRARY_VARIABLE, str(tmp_path / "no library"))
    rows = [f"{pair.a}\t{pair.b}\t{int(pair.related)}\t{pair.split}" for pair in PAIRS]
    return write_pairs(tmp_path / "ours", rows, list(DOCUMENTS.values()))


def test_the_command_measures_prints_and_saves(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["bench", "compare", "--pairs", str(table), "--rounds", "1", "--length", "500", "--words", "40"]
    assert main([*words, "--save", str(tmp_path / "report.json"), "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert list(value) == ["speed", "planted", "roles"]
    assert json.loads((tmp_path / "report.json").read_text("utf-8")) == value
    assert value["planted"]["source"] == "ours, test" and value["roles"]["pairs"] == 4
    assert main(words) == 0
    text = capsys.readouterr().out
    assert "ours, test: a paragraph of 40 words or more in 3 unrelated documents" in text
    assert "a third of the words dropped" in text and "kept vectors" in text and "of 4 related pairs" in text
    assert main([*words, "--what", "roles", "--split", "test"]) == 0
    assert "kept vectors" not in capsys.readouterr().out


def test_the_command_refuses_what_it_does_not_measure(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "compare", "--pairs", str(table), "--what", "planted,beauty"]) == 2
    assert "Expected measurements among planted, roles, speed, got 'planted,beauty'." in capsys.readouterr().err
    assert main(["bench", "compare", "--pairs", str(table), "--split", "valid"]) == 2
    assert "found none of 0" in capsys.readouterr().err


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Three test pairs of whole papers, of which two share one, and a pair of abstracts."""
    folder = tmp_path / "data" / "small"
    folder.mkdir(parents=True)
    write_table(folder / "corpus.parquet", [paper(f"d{n}", body=120 if n < 6 else 0) for n in range(8)])
    rows = ["d0\td1", "d1\td2", "d3\td4", "d6\td7"]
    (folder / "pairs.tsv").write_text(
        "id-a\tid-b\tlabel\tsplit\n" + "".join(f"{row}\t1\ttest\n" for row in rows), "utf-8"
    )
    return tmp_path / "data"


def test_pairs_have_long_documents_of_their_own(data: Path) -> None:
    held = load_pair_set(data / "small" / "pairs.tsv", form=None)
    pairs = kept_chunks.drawn(held, 1, 0)
    names = [document.id for pair in pairs for document in pair]
    assert len(pairs) == 2 and len(set(names)) == 4 and not {"d6", "d7"} & set(names)
    with pytest.raises(EvaluationError, match="Expected 3 test pairs of long documents of their own in small, found 2"):
        kept_chunks.drawn(held, 2, 0)


def test_the_command_prints_and_saves_the_report(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    encoder = tiny.placed(write_tiny_transformer(tmp_path / "model"))
    monkeypatch.setattr(comparison, "load_colde", lambda _: encoder)
    saved = tmp_path / "report.json"
    given = ["bench", "chunks", "--data", str(data), "--sets", "small", "--pairs", "1", "--save", str(saved)]
    assert main(given) == 0
    assert "small, test: largest change document score 0.0" in capsys.readouterr().out
    report = json.loads(saved.read_text("utf-8"))
    (found,) = report["sets"]
    assert report["encoder"] == "colde" and report["fingerprint"] == registry.find("colde").card.fingerprint
    assert found["pairs"] == 1 and found["median_words"] > 1_000 and found["chunks"] > 100
    assert set(found["milliseconds"]) == {"kept", "processor", "read"}
    assert 0 < found["largest"]["chunk cells"] < 0.05


def test_a_document_has_as_many_words_as_were_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(covering, "_FEWEST_PASSAGES", 3)
    made = covering.made(shelf(), 1_000, 0)
    assert len(made.text.split()) - len(made.title.split()) == 1_000
    assert made == covering.made(shelf(), 1_000, 0) != covering.made(shelf(), 1_000, 1)
    with pytest.raises(EvaluationError, match="Expected whole documents of 1000000 words in all"):
        covering.made(shelf(), 1_000_000, 0)


def test_the_command_prints_and_saves_the_report_covering(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Library.open(tmp_path / "library", create=True) as held:
        held.add_file("k", "papers", PAPERS)
    monkeypatch.setattr(Workspace, "passage_encoder", lambda _: Reader())
    monkeypatch.setattr(Workspace, "passages", lambda _: matcher())
    monkeypatch.setattr(covering, "_FEWEST_PASSAGES", 3)
    saved = tmp_path / "report.json"
    given = ["bench", "coverage", "--library", str(tmp_path / "library"), "--words", "900", "--rounds", "2"]
    assert main([*given, "--documents", "4", "--save", str(saved)]) == 0
    report = json.loads(saved.read_text())
    assert report["columns"] == 4 and report["rounds"] == 2 and report["documents"] == 24
    assert 0 < report["seconds_first_row"] <= report["seconds"] <= report["seconds_longest"]
    assert "against 24 documents" in capsys.readouterr().out


def test_a_library_without_kept_passages_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Library.open(tmp_path / "library", create=True) as held:
        held.add_file("k", "papers", PAPERS)
    monkeypatch.setattr(Workspace, "passage_encoder", lambda _: Reader())
    assert main(["bench", "coverage", "--library", str(tmp_path / "library")]) == 2
    assert "Expected a library whose passages are kept" in capsys.readouterr().err
