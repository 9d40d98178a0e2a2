"""Questions of several kinds asked of a library: who asks, what is relevant, and what is left out."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engine.core.errors import EvaluationError
from engine.core.progress import silent
from engine.documents import Document, Section
from engine.encoders import registry
from engine.library import Library as LibraryOnDisk
from engine.research.baselines.rows import ROWS, WITHOUT_PASSAGES
from engine.research.matching.pair_set import PairSet, load_pair_set
from engine.research.measures import full_texts, kinds, misspelt, out_of_library, paraphrase, verdicts
from engine.research.measures.kinds import SharedTopics, TopicSettings
from engine.research.measures.out_of_library import Library, collections_of, refusals, taken_out
from engine.research.measures.verdicts import read_questions
from engine.research.nearness.asked import Collection
from engine.research.nearness.fields import OF_ONE_FIELD, Field
from engine.research.salience.texts import Link, links, read_citations
from engine.research.typesetting.misprints import noisy_document
from tests.contracts.encoder import corpus
from tests.evaluation.small import write_benchmark, write_table

SETTINGS = TopicSettings(fewest_papers=2, most_papers=3, most_patents=2, others=1)


def paper(name: str, *keywords: str) -> Document:
    return Document(name, title=f"On {name}", keywords=keywords)


def patent(name: str, title: str, family: str = "") -> Document:
    return Document(name, kind="patent", title=title, family=family)


PAPERS = [
    paper("p1", "Steam engines", "Access control"),
    paper("p2", "steam engines", "boilers"),
    paper("p3", "access control", "Rare phrase"),
    paper("p4", "real-time"),
    *(paper(f"q{number}", "steam engines of ships", "wide topic") for number in range(4)),  # four are too many
]
PATENTS = [
    patent("US1", "Access control for steam engines", "f1"),
    patent("US2", "Device for access control", "f1"),
    patent("US3", "Steam engines"),
    patent("US4", "A wide topic of rare phrase and boilers"),
]


def test_topics_are_phrases_of_both_kinds_within_bounds() -> None:
    shared = SharedTopics.of(PAPERS, PATENTS, SETTINGS)
    steam, access = ("steam", "engines"), ("access", "control")
    assert shared.topics == {
        "p1": {steam, access},
        "p2": {steam},
        "p3": {access},
        "US1": {steam, access},
        "US2": {access},
        "US3": {steam},
    }
    ids = [one.id for one in shared.corpus]
    assert ids[:3] == ["p1", "p2", "p3"] and ids[-4:] == ["US1", "US2", "US3", "US4"]
    assert len(ids) == 8  # one paper without a topic is drawn
    assert SharedTopics.of(PAPERS, PATENTS, SETTINGS).corpus == shared.corpus


def test_what_shares_a_topic_is_relevant_whatever_its_kind_but_for_the_own_family() -> None:
    shared = SharedTopics.of(PAPERS, PATENTS, SETTINGS)
    of_patents = shared.benchmark("patent", "all", SETTINGS)
    assert {query: set(grades) for query, grades in of_patents.qrels.items()} == {
        "US1": {"p1", "p2", "p3", "US3"},
        "US2": {"p1", "p3"},
        "US3": {"p1", "p2", "US1"},
    }
    assert shared.benchmark("paper", "all", SETTINGS).qrels["p2"].keys() == {"p1", "US1", "US3"}
    parts = [{one.id for one in shared.benchmark("paper", part, SETTINGS).queries} for part in ("valid", "test")]  # type: ignore[arg-type]
    assert parts[0] | parts[1] == {"p1", "p2", "p3"} and not parts[0] & parts[1]


def test_patents_without_a_topic_ask_nothing() -> None:
    shared = SharedTopics.of(PAPERS, [PATENTS[3]], SETTINGS)
    with pytest.raises(EvaluationError, match="Expected judged queries"):
        shared.benchmark("patent", "all", SETTINGS)


TOPICS = ("steam engines", "sorting networks", "access control")


def write_papers(path: Path, count: int) -> None:
    """So many papers of each topic, which they carry as keywords."""
    titles = [f"{topic} {number}" for topic in TOPICS for number in range(count)]
    write_table(
        path, [Document(title.replace(" ", "-"), title=title, abstract=f"We study {title}.") for title in titles]
    )
    plain = pq.read_table(path)
    keywords = [[" ".join(title.split()[:2])] for title in titles]
    pq.write_table(plain.append_column("keywords", pa.array(keywords, pa.list_(pa.string()))), path)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    for name in ("papers", "patents"):
        (folder / name).mkdir(parents=True)
    write_papers(folder / "papers" / "corpus.parquet", 8)
    patents = [
        Document(
            f"US{number}{topic[:2]}",
            kind="patent",
            title=f"Means for {topic}",
            abstract="Said means comprise said housing.",
        )
        for topic in TOPICS
        for number in range(4)
    ]
    write_table(folder / "patents" / "corpus.parquet", patents)
    return folder


def test_every_ranking_is_measured_for_both_kinds(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save = tmp_path / "report.json"
    line = ["--data", str(data), "--papers", "papers", "--patents", "patents", "--encoder", "lsa"]
    kinds.main([*line, "--queries", "all", "--sharpness", "0", "1", "--save", str(save)])
    report = json.loads(save.read_text())
    assert report["sets"]["patents"]["queries"] == {"patents": 12, "papers": 24}
    assert report["sets"]["patents"]["topics"] == 3
    assert set(report["figures"]) == {"patents of papers and patents", "papers of papers and patents"}
    of_patents = report["figures"]["patents of papers and patents"]
    assert set(of_patents) == {"relevant", "one list", "apart, sharpness 0", "apart, sharpness 1"}
    assert of_patents["relevant"] == pytest.approx(8 / 11, abs=1e-3)
    assert of_patents["one list"]["other kind"] == 0 < of_patents["apart, sharpness 0"]["other kind"]
    assert of_patents["one list"]["nDCG@10"] < of_patents["apart, sharpness 0"]["nDCG@10"]
    assert of_patents["one list"]["p"] == {"nDCG@10": 1.0, "R@100": 1.0}
    assert of_patents["apart, sharpness 0"]["p"]["nDCG@10"] < 0.05
    printed = capsys.readouterr().out
    assert save.with_suffix(".md").read_text() in printed
    assert "## papers of papers and patents, all queries" in printed and "## Means of the above" in printed
    assert str(tmp_path) not in save.read_text()


def test_the_means_are_over_every_asker() -> None:
    found = {"nDCG@10": 0.2, "R@100": 0.4, "other kind": 0.5, "p": {"nDCG@10": 1.0, "R@100": 1.0}}
    other = {**found, "nDCG@10": 0.4}
    figures = {"patents": {"relevant": 0.5, "one list": found}, "papers": {"relevant": 0.25, "one list": other}}
    text = kinds.as_markdown(figures, "valid", {"commit": "c"})
    assert "| one list | 0.3000 | 0.4000 |" in text
    assert "Of the relevant, 0.250 are of the other kind." in text


WORDS = "boiler valve piston crank gauge rivet flange spindle gasket turbine".split()
BODY = (Section("Trials", "Nobody had measured it for a whole year before."),)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Ten papers, each about two neighbouring words; neighbours are related."""
    documents = [
        Document(f"p{n}", title=f"The {word}", abstract=f"{word} and {WORDS[(n + 1) % 10]}", sections=BODY)
        for n, word in enumerate(WORDS)
    ]
    (tmp_path / "ours").mkdir()
    write_table(tmp_path / "ours" / "corpus.parquet", documents)
    rows = ["p0\tp1\t1\ttest", "p2\tp1\t1\ttrain", "p1\tp3\t1\tvalid", "p1\tp5\t0\ttest", "p6\tp7\t1\ttest"]
    (tmp_path / "ours" / "pairs.tsv").write_text("\n".join(["id-a\tid-b\tlabel\tsplit", *rows, ""]))
    return tmp_path


@pytest.fixture
def pairs(folder: Path) -> PairSet:
    return load_pair_set(folder / "ours", form=None)


def test_related_pairs_of_the_part_ask_and_those_of_others_are_left_out(pairs: PairSet) -> None:
    benchmark, whole = full_texts.mixed_benchmark(pairs, 1.0, 1, "test")
    assert benchmark.qrels == {"p0": {"p1": 1}, "p1": {"p0": 1}, "p6": {"p7": 1}, "p7": {"p6": 1}}
    assert benchmark.excluded == {"p0": {"p0"}, "p1": {"p1", "p2", "p3"}, "p6": {"p6"}, "p7": {"p7"}}
    assert whole == {f"p{n}" for n in range(10)}


def test_a_share_is_whole_and_the_question_always(pairs: PairSet) -> None:
    benchmark, whole = full_texts.mixed_benchmark(pairs, 0.5, 1, "test")
    assert 0 < len(whole) < 10
    assert {one.id for one in benchmark.corpus if one.sections} == whole
    assert all(query.sections for query in benchmark.queries)
    assert full_texts.mixed_benchmark(pairs, 0.5, 2, "test").whole != whole
    assert not full_texts.mixed_benchmark(pairs, 0.0, 1, "test").whole


def test_the_shares_of_whole_documents_are_counted(pairs: PairSet) -> None:
    mixed = full_texts.mixed_benchmark(pairs, 0.0, 1, "test")
    mixed = mixed._replace(whole=frozenset({"p1", "p6"}))
    found = full_texts.whole_shares({"p0": ["p1", "p5"], "p1": ["p0"], "p6": [], "p7": ["p6"]}, mixed)
    shares = {"whole in the first ten": 0.5, "of the relevant": 0.5}
    assert found == pytest.approx({**shares, "relevant of the whole": 1, "relevant of the cut": 0.5})


def test_the_command_saves_a_table_a_set(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = folder / "report.json"
    words = ["--data", str(folder), "--sets", "ours", "--rows", "bm25", "tfidf", "--most", "3"]
    full_texts.main([*words, "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert list(report["figures"]["ours"]) == ["1", "0.5", "0.1", "0"]
    assert report["figures"]["ours"]["1"]["bm25"]["R@100"] == 1
    assert report["figures"]["ours"]["0"]["bm25"]["whole in the first ten"] == 0
    assert {(one["ours"], one["theirs"]) for one in report["pooled"]["0.5"]} == {("tfidf", "bm25")}
    assert {one["metric"] for one in report["pooled"]["1"]} == {"nDCG@10", "R@100"}
    assert "| 0.5 | R@100 |" in saved.with_suffix(".md").read_text()
    assert set(report["sha256"]["ours"]) == {"pairs.tsv", "corpus.parquet"}
    (folder / "more").symlink_to(folder / "ours")
    both = folder / "both.json"
    full_texts.main([*words[:2], "--sets", "more", *words[4:], "--kept", str(saved), "--save", str(both)])
    two = json.loads(both.read_text())
    tested = [one["wins"] + one["ties"] + one["losses"] for one in two["pooled"]["1"]]
    assert set(two["scores"]["1"]) == {"ours", "more"} and set(tested) == {6}  # three documents of each ask
    assert two["circumstances"]["command"].endswith("--most 3 --kept report.json")
    with pytest.raises(EvaluationError, match=r"Expected in report.json the scores of .*'most': 2.*, got .*'most': 3"):
        full_texts.main([*words[:-1], "2", "--kept", str(saved)])
    assert "## ours" in saved.with_suffix(".md").read_text() and "| bm25 |" in capsys.readouterr().out
    assert str(folder) not in saved.read_text()


def test_some_of_the_documents_ask_and_always_the_same(pairs: PairSet) -> None:
    whole, half = (full_texts.mixed_benchmark(pairs, share, 1, "test") for share in (1.0, 0.5))
    few = [full_texts.Asking("test", 3).limited(one).benchmark for one in (whole, half)]
    assert [query.id for query in few[0].queries] == [query.id for query in few[1].queries]
    assert len(few[0].queries) == 3 and set(few[0].qrels) == {query.id for query in few[0].queries}
    assert full_texts.Asking("test").limited(whole) is whole and full_texts.Asking("test", 4).limited(whole) is whole


def test_cutting_leaves_title_and_abstract(pairs: PairSet) -> None:
    benchmark, _ = full_texts.mixed_benchmark(pairs, 0.0, 1, "test")
    assert list(benchmark.corpus) == [replace(one, sections=()) for one in pairs.corpus]


def test_the_last_row_is_held_against_the_others_and_p_corrected() -> None:
    queries = [f"q{number}" for number in range(40)]
    scores = [{metric: dict.fromkeys(queries, one) for metric in ("nDCG@10", "R@100")} for one in (0.1, 0.4, 0.4)]
    found = full_texts.against_the_last(dict(zip(("bm25", "meaning", "default"), scores, strict=True)))
    assert [(one.contrast.theirs, one.verdict) for one in found] == 2 * [("bm25", "better"), ("meaning", "the same")]


def test_a_library_whose_passages_were_not_read_is_a_row(pairs: PairSet) -> None:
    benchmark = full_texts.mixed_benchmark(pairs, 1.0, 1, "test").benchmark
    found = ROWS.prepare(WITHOUT_PASSAGES, benchmark.corpus)
    assert found.name == WITHOUT_PASSAGES and len(found.system.rank(benchmark.queries, 3)[0]) == 3


BOILERS = "Boilers of iron burst under too much steam pressure, as Adams (1990) found in old mills."
VALVES = "Some have fitted valves of cast brass to pumps in mines (Baker et al., 1991)."
BOTH = "Pressure in boilers and wear of brass valves are studied at length (Adams, 1990; Baker, 1991)."


def citing(name: str, *said: str) -> Document:
    return Document(name, title=f"On {name}", year=2005, sections=(Section("Work", " ".join(said)),))


DOCUMENTS = [
    Document("boilers", title="Hot: a study of steam pressure", year=1990),
    Document("valves", title="Brass valves that wear", year=1991),
    citing("mills", BOILERS, VALVES),
    citing("mines", BOTH),
    citing("ships", BOILERS, VALVES),
    citing("other", "Nothing is said of these things at all."),
]


@pytest.fixture
def citing_folder(tmp_path: Path) -> Path:
    """Three papers cite two; a train pair relates one of the three to one of the two."""
    (tmp_path / "ours").mkdir()
    write_table(tmp_path / "ours" / "corpus.parquet", DOCUMENTS)
    rows = ["mills\tboilers\t1\ttest", "ships\tvalves\t1\ttrain", "mines\tother\t1\tvalid", "mills\tother\t0\ttest"]
    (tmp_path / "ours" / "pairs.tsv").write_text("\n".join(["id-a\tid-b\tlabel\tsplit", *rows, ""]))
    cited = [f"{name}\t{of}" for name in ("mills", "mines", "ships") for of in ("boilers", "valves")]
    (tmp_path / "ours" / "citations.tsv").write_text("\n".join(["citing\tcited", *cited, ""]))
    return tmp_path


@pytest.fixture
def citing_pairs(citing_folder: Path) -> PairSet:
    return load_pair_set(citing_folder / "ours", form=None)


@pytest.fixture
def every(citing_folder: Path, citing_pairs: PairSet) -> list[Link]:
    return links(citing_pairs.corpus, read_citations(citing_folder / "ours" / "citations.tsv"))


def test_a_sentence_asks_for_all_that_it_cites_but_for_pairs_of_other_parts(
    citing_pairs: PairSet, every: list[Link]
) -> None:
    made = paraphrase.asked(citing_pairs, every, "test")
    found = {query.abstract[:13]: set(made.qrels[query.id]) for query in made.queries if "mills" in query.id}
    assert found == {"Boilers of ir": {"boilers"}, "Some have fit": {"valves"}}
    by = {query.id.split()[0]: set(made.qrels[query.id]) for query in made.queries if "mills" not in query.id}
    assert by == {"mines": {"boilers", "valves"}, "ships": {"boilers"}}
    left_out = {query.id.split()[0]: made.excluded[query.id] for query in made.queries}
    assert left_out == {"mills": {"mills"}, "mines": {"mines", "other"}, "ships": {"ships", "valves"}}
    assert len(made.corpus) == 6


def test_a_corpus_is_cut_to_what_is_relevant_and_some_others(citing_pairs: PairSet, every: list[Link]) -> None:
    made = paraphrase.asked(citing_pairs, every, "test", 3)
    ids = {one.id for one in made.corpus}
    assert len(ids) == 3 and ids >= {"boilers", "valves"}
    assert all(names <= ids for names in made.excluded.values())
    assert {one.id for one in paraphrase.asked(citing_pairs, every, "test", 1).corpus} == {"boilers", "valves"}


def test_one_sentence_of_each_pair_of_papers_asks() -> None:
    every = [Link("a", "b", ("Adams", 1990), f"sentence {n}") for n in range(5)]
    every.append(Link("a", "c", ("Baker", 1991), "other"))
    found = paraphrase.drawn(every)
    assert len(found) == 2 and found == paraphrase.drawn(every)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Steam, as Adams (1990) found, bursts boilers.", "Steam, as found, bursts boilers."),
        ("Iron bursts (Adams, 1990; Clark et al., 1991a), and brass wears.", "Iron bursts, and brass wears."),
        ("It bursts (see Adams, 1990) often (but not always).", "It bursts often (but not always)."),
        ("Others (Clark, 1991) follow the Adams test; so does Adams’s pump.", "Others follow the test; so does pump."),
        ("We repeat SteamNet and A Study of Steam at sea.", "We repeat and at sea."),
        (
            "(Where Adams (1990) tests iron, we test brass and steel.)",
            "(Where tests iron, we test brass and steel.)",
        ),
        ("Iron is tested at length (e.g., Adams (1990)).", "Iron is tested at length."),
    ],
)
def test_marks_names_and_titles_are_masked(sentence: str, expected: str) -> None:
    cited = [("Adams", "SteamNet: trials at sea"), ("Adams", "A Study of Steam")]
    assert paraphrase.masked(sentence, cited) == expected


def test_the_command_saves_figures_and_contrasts(citing_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = citing_folder / "report.json"
    words = ["--data", str(citing_folder), "--set", "ours", "--rows", "bm25", "bm25-passages", "--documents", "6"]
    paraphrase.main([*words, "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert set(report["figures"]) == {"bm25", "bm25-passages"} and report["contrasts"] == []
    assert report["questions"] == 4 and report["relevant documents"] == 2
    assert set(report["sha256"]) == {"pairs.tsv", "corpus.parquet", "citations.tsv"}
    assert report["command"].endswith("--rows bm25 bm25-passages --part test --documents 6")
    assert "| bm25-passages |" in saved.with_suffix(".md").read_text() and "| bm25 |" in capsys.readouterr().out


def test_the_default_is_held_against_every_other_row() -> None:
    corrected = {"ours": "bm25", "metric": "R@100", "means": [0.5, 0.75], "interval": [-0.5, 0.1], "p_holm": 0.25}
    text = "\n".join(paraphrase.as_markdown({"bm25": {"nDCG@10": 0.1, "R@100": 0.5, "first": 0.0}}, [corrected]))
    assert "| bm25 | 0.100 | 0.500 | 0.000 |" in text
    assert "| bm25 | R@100 | 0.500 | 0.750 | -0.500 to +0.100 | 0.2500 |" in text


KITES = "The {} turns in the wind over the hill. It lifts a load of stones by ropes. Its crew lands it after an hour."
DRUGS = "Patients took {} daily in a trial. Bleeding and stroke were rare. Mortality fell in hospital within a year."


def documents(text: str, category: str, subjects: str, venue: str = "") -> list[Document]:
    return [
        Document(
            f"{category} {one}", title=f"On the {one}", abstract=text.format(one), categories=(category,), venue=venue
        )
        for one in subjects.split()
    ]


KITE_PAPERS = documents(KITES, "math.AG", "kite glider balloon sail rotor wing", "Wind '11")
DRUG_PAPERS = documents(DRUGS, "cs.CL", "aspirin heparin warfarin statin insulin codeine", "Cures")


def field(name: str, some: list[Document]) -> Field:
    return Field(name, "", some, lambda *_: OF_ONE_FIELD)


FIELDS = [
    field("arxiv-cs", DRUG_PAPERS),
    field("arxiv-exact", KITE_PAPERS),
    field("acm", [*KITE_PAPERS, *DRUG_PAPERS]),
    field("pmc", [*DRUG_PAPERS, *KITE_PAPERS]),
]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fields of three documents are large enough."""
    monkeypatch.setattr(out_of_library, "KINDS", tuple(kind._replace(least=3) for kind in out_of_library.KINDS))


@pytest.mark.usefixtures("small")
def test_a_field_goes_with_all_its_documents() -> None:
    fields = collections_of(FIELDS)
    found = taken_out("arxiv", fields["arxiv"])
    assert {kind: sorted(labels) for kind, labels in found.items()} == {
        "a category": ["cs.CL", "math.AG"],
        "an archive": ["cs", "math"],
        "an area": ["computing", "exact sciences"],
    }
    assert found["a category"]["math.AG"].tolist() == [False] * 6 + [True] * 6
    np.testing.assert_array_equal(found["an area"]["computing"], found["an archive"]["cs"])
    assert list(taken_out("acm-citation", fields["acm-citation"])["a venue"]) == ["cures", "wind"]
    assert list(taken_out("pmc-long", fields["pmc-long"])["a venue"]) == ["Cures", "Wind '11"]


def test_small_fields_stay() -> None:
    assert taken_out("pmc-long", field("pmc", DRUG_PAPERS)) == {"a venue": {}}


def test_questions_of_another_field_are_refused_and_words_are_those_that_stay() -> None:
    encoder = registry.load("student")
    library = Library(Collection(field("both", [*KITE_PAPERS, *DRUG_PAPERS]), encoder, keep=None, report=silent))
    out = np.array([True] * 6 + [False] * 6)
    vocabulary = library.without(out)
    assert vocabulary.documents == 6 and vocabulary.holds("bleeding") and not vocabulary.holds("ropes")
    found = refusals(library, {"math.AG": out}, encoder)["math.AG"]
    assert found["taken out, document"] == 1 and set(found) == {
        f"{who}, {form}" for who in ("taken out", "stays") for form in ("document", "title")
    }
    assert found["stays, document"] < 1


@pytest.mark.usefixtures("small")
def test_the_command_saves_each_field(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(out_of_library, "read_fields", lambda *_, **__: FIELDS)
    saved = tmp_path / "report.json"
    out_of_library.main(["--data", str(tmp_path), "--library", str(tmp_path), "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert set(report["figures"]["arxiv, a category"]) == {"cs.CL", "math.AG"}
    assert report["documents"] == {"arxiv": 12, "acm-citation": 12, "pmc-long": 12}
    assert "| arxiv, a category | 2 |" in capsys.readouterr().out
    assert "## Each field" in saved.with_suffix(".md").read_text() and str(tmp_path) not in saved.read_text()


ASKED_OF_KITES = """form\tlibrary\texpected\ttext
topic\tkites\tsubject\tkite ropes
topic\tkites\tnothing\taspirin after stroke
sentence\tkites\tsubject\tWhat bleeding follows a stroke?
"""


def test_questions_are_graded_by_what_an_expert_would_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "kites").mkdir()
    write_table(tmp_path / "kites" / "corpus.parquet", KITE_PAPERS)
    table, saved = tmp_path / "asked.tsv", tmp_path / "report.json"
    table.write_text(ASKED_OF_KITES)
    monkeypatch.setattr(verdicts, "read_questions", lambda: questions)
    questions = read_questions(table)
    verdicts.main(["--data", str(tmp_path), "--cache", str(tmp_path / "kept"), "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert report["forms"] == {"topic": {"questions": 2, "right": 2}, "sentence": {"questions": 1, "right": 0}}
    assert report["kinds"]["subject"] == {"says": 0, "subject": 1, "nothing": 1}
    assert [one[3:5] for one in report["others"]] == [["What bleeding follows a stroke?", "nothing"]]
    assert "| topic | 2 | 2 |" in capsys.readouterr().out and (tmp_path / "kept" / "kites").is_dir()


def test_the_sixty_questions_are_of_every_form_and_kind() -> None:
    found = read_questions()
    assert len(found) == len({(one.library, one.text) for one in found}) == 60
    assert {one.form for one in found} == {"topic", "sentence", "abstract", "claim"}
    assert {one.expected for one in found} == set(verdicts.KINDS) and len({one.library for one in found}) == 6
    assert {one.form for one in found if one.expected == "nothing"} == {one.form for one in found}


def patents() -> list[Document]:
    """The corpus as old patents with a CPC group a subject, two codes in each; every fourth one misread."""
    found = []
    for number, document in enumerate(corpus()):
        subject = document.id.rstrip("0123456789")
        codes = (f"{subject.upper()}/{number % 2}",)
        patent = replace(document, kind="patent", year=1880, categories=codes)
        found.append(noisy_document(patent, 0.5, "misread") if number % 16 < 4 else patent)
    return found


@pytest.fixture
def line(tmp_path: Path) -> list[str]:
    write_benchmark(tmp_path / "data" / "small")
    with LibraryOnDisk.open(tmp_path / "library", create=True) as library:
        library.add_file("a", "a", [*patents(), Document(id="new", kind="patent", title="New one", year=1999)])
    options = ["--data", str(tmp_path / "data"), "--save", str(tmp_path / "report.json"), "--benchmarks", "small"]
    return [*options, "--queries", "all"]


def test_every_noise_is_measured_against_clean_queries(
    line: list[str], tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    misspelt.main([*line, "--encoders", "tfidf,word2vec-mean", "--cache", str(tmp_path / "kept")])
    report = json.loads((tmp_path / "report.json").read_text())
    assert "scanned" not in report
    made = report["sets"]["small"]
    assert made["queries"] == 4
    for figures in made["encoders"].values():
        assert figures["clean"] > 0.9
        columns = {f"{noise} {share} %" for noise in ("dropped", "mistyped", "misread") for share in (5, 10, 20)}
        assert set(figures) == {"fingerprint", "clean"} | {column.replace(" %", "%") for column in columns}
    text = (tmp_path / "report.md").read_text()
    assert "| misread: left at 20 % |" in text
    assert text.strip() in capsys.readouterr().out


def test_scanned_patents_ask_for_others_of_their_groups(line: list[str], tmp_path: Path) -> None:
    scanned = ["--library", str(tmp_path / "library"), "--scanned-queries", "24"]
    misspelt.main([*line[:-4], "--benchmarks", "--queries", "all", "--encoders", "lsa", *scanned])
    made = json.loads((tmp_path / "report.json").read_text())["scanned"]
    assert (made["queries"], made["documents"]) == (24, 40)
    figures = made["encoders"]["lsa"]
    assert figures["fewest strange words"] > 0.7
    assert figures["all"] == pytest.approx(sum(figures[third] for third in misspelt.THIRDS[1:]) / 3, abs=2e-4)
    assert 0 <= made["strange_words"]["least"] < made["strange_words"]["most"] <= 1
    assert "## Scanned patents: nDCG@10 over 24 queries, 40 documents" in (tmp_path / "report.md").read_text()


def test_a_patent_is_related_by_its_group_and_not_to_itself(line: list[str], tmp_path: Path) -> None:
    benchmark, strange = misspelt.scanned_benchmark(tmp_path / "library", queries=100, seed=1)
    assert len(benchmark.queries) == len(strange) == 40
    for query, grades in benchmark.qrels.items():
        subject = query.rstrip("0123456789")
        assert len(grades) == 9
        assert all(name.startswith(subject) for name in grades)
        assert query not in grades
    assert misspelt.scanned_benchmark(tmp_path / "library", queries=7, seed=1)[0].queries == benchmark.queries[:7]


def test_a_word_that_stands_nowhere_else_is_strange() -> None:
    documents = [Document(id="a", title="steam boiler boiIer"), Document(id="b", title="steam boiler")]
    assert misspelt.strange_words(documents, documents) == {"a": pytest.approx(1 / 3, abs=1e-4), "b": 0}
    assert misspelt.strange_words([Document(id="c")], []) == {"c": 0}


def test_a_library_without_scanned_patents_is_told(tmp_path: Path) -> None:
    with LibraryOnDisk.open(tmp_path / "other", create=True) as library:
        library.add_file("a", "a", corpus())
    with pytest.raises(EvaluationError, match="Expected scanned patents with 3 related ones in other, found 0"):
        misspelt.scanned_benchmark(tmp_path / "other", queries=5, seed=1)
