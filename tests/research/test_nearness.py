"""What nearness is called: what is known of two documents, what is asked and revised, and how scales are fitted."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from itertools import cycle
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from engine.compare.differences import Thresholds
from engine.core.errors import EvaluationError
from engine.core.progress import silent
from engine.documents import Document, Section
from engine.encoders import registry
from engine.research.measures import differences
from engine.research.measures.differences import COVERED, UNCOVERED, as_markdown, rates
from engine.research.measures.readings import Labelled, Lists, fitted, fitted_lists, measured, measured_lists
from engine.research.nearness import fit
from engine.research.nearness.asked import (
    SETS,
    Answered,
    Collection,
    Shown,
    ask_all,
    passage_pairs,
    questions_of,
    quote,
)
from engine.research.nearness.fields import (
    APART,
    OF_ONE_FIELD,
    RELATED,
    SAME_WORK,
    Distance,
    Field,
    _by_category,
    _by_class,
    distance,
    drawn,
    known_pairs,
)
from engine.research.nearness.revisions import Revision, Stretch, Synonyms, changed, dropped, label_of, revision
from engine.search import Pair
from engine.search.readings import CLOSE, OTHER, SAME, SAME_FIELD
from tests.evaluation.small import write_table
from tests.search.hashed_words import HashedWords

ONE = Document("a", "patent", "Kite", categories=("B64C", "Y10T"), family="F1")
TWO = Document("b", "patent", "Reel", categories=("B64C",), family="F1")
THREE = Document("c", "patent", "Boat", categories=("B63B",))
FOUR = Document("d", "patent", "Stove", categories=("F24B",))


def test_family_comes_before_citation_and_citation_before_the_field() -> None:
    field = Field("x", "kites", [ONE, TWO, THREE, FOUR], _by_class, related=frozenset({frozenset({"a", "c"})}))
    assert field.known(ONE, TWO) == SAME_WORK and field.known(ONE, THREE) == RELATED
    assert field.known(TWO, THREE) == OF_ONE_FIELD | APART  # of one section, not of one class
    assert field.known(ONE, FOUR) == APART


@pytest.mark.parametrize(
    ("one", "other", "known"),
    [
        (("cs.CL",), ("cs.CL", "stat.ML"), RELATED | OF_ONE_FIELD),
        (("cs.CL",), ("cs.DS",), OF_ONE_FIELD | APART),
        (("cs.CL",), ("math.AG",), APART),
    ],
)
def test_papers_are_labelled_by_their_categories(one: tuple[str, ...], other: tuple[str, ...], known: object) -> None:
    assert _by_category(Document("a", categories=one), Document("b", categories=other)) == known


def test_areas_that_share_subjects_are_neighbours() -> None:
    fields = [Field(name, area, [], _by_class) for name, area in (("a", "aerodynamics"), ("b", "exact sciences"))]
    far = Field("c", "biomedicine", [], _by_class)
    assert distance(fields[0], fields[0]) == "own" and distance(*fields) == "neighbouring"
    assert distance(fields[0], far) == "far"


def test_pairs_are_those_with_a_label_of_1(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("id-a\tid-b\tlabel\tsplit\na\tb\t1\ttrain\na\tc\t0\ttrain\n")
    assert known_pairs(tmp_path / "pairs.tsv") == {frozenset({"a", "b"})}
    (tmp_path / "pairs.tsv").write_text("citing\tcited\na\tc\n")
    assert known_pairs(tmp_path / "pairs.tsv") == {frozenset({"a", "c"})}


def test_the_same_documents_are_drawn_again() -> None:
    documents = [Document(f"d{n}") for n in range(20)]
    assert drawn(documents, 5) == drawn(documents[::-1], 5) and len(drawn(documents, 5)) == 5


TEXT = "The {} turns in the wind. It lifts a load of {} stones. A crew steers it by ropes. It lands after an hour."
STORY = "Patients took {} daily. Bleeding was rare with {} in the trial. Mortality fell. No stroke was seen."


def field(name: str, area: str, text: str, subjects: str) -> Field:
    documents = [
        Document(f"{name}-{one}", title=f"On the {one} of {name}", abstract=text.format(one, one))
        for one in subjects.split()
    ]
    return Field(name, area, documents, lambda *_: OF_ONE_FIELD)


KITES = field("kites", "flight", TEXT, "kite glider balloon sail rotor wing")
DRUGS = field("drugs", "medicine", STORY, "aspirin heparin warfarin statin insulin codeine")


def test_documents_ask_whole_by_title_and_in_other_words() -> None:
    found = questions_of(KITES, None, own=True)
    assert {one.form for one in found} == {
        "document",
        "title",
        "hidden title",
        "dropped",
        "half",
    }  # no synonyms without WordNet
    title = next(one for one in found if one.form == "title")
    assert title.text.kind == "query" and title.text.abstract == title.origin.title and not title.hides_itself
    assert next(one for one in found if one.form == "document").hides_itself


def test_hits_are_labelled_and_no_document_answers_itself() -> None:
    encoder = registry.load("student")
    collections = {one.name: Collection(one, encoder, keep=None, report=silent) for one in (KITES, DRUGS)}
    shown, answered, asked = ask_all(collections, encoder, None)
    own = [one for one in shown if asked[one.question].form == "document" and not one.at_random]
    assert all(one.known <= {2, OTHER} for one in own)
    titles = [one for one in shown if asked[one.question].form == "title" and SAME in one.known]
    assert titles and np.mean([one.pair.cosine for one in titles]) > 0.5
    assert {one.asks for one in answered if one.field == "kites"} == {"kites", "drugs"}
    far = [one for one in answered if one.asks != one.field]
    near = [one for one in answered if one.asks == one.field]
    cosines = [np.mean([one.nearest[0].cosine for one in each]) for each in (near, far)]
    assert cosines[0] > cosines[1] + 0.3 and all(one.documents == 6 for one in answered)


WORDS = {"acl-long": "parser", "pmc-long": "enzyme", "patents-long": "processor"}


def write_set(folder: Path, word: str, *, documents: int = 8) -> None:
    """Documents of which neighbours are related and say much the same; the last is a title."""
    folder.mkdir()
    held = [
        Document(f"{word}{n}", "paper", f"On {word}", sections=(Section("Body", _body(word, n // 2)),))
        for n in range(documents)
    ]
    write_table(folder / "corpus.parquet", [*held, Document(f"{word} title", "paper", "Alone")])
    pairs = [f"{word}{n}\t{word}{n + 1}\t1\ttrain" for n in range(0, documents, 2)]
    lines = ["id-a\tid-b\tlabel\tsplit", f"{word} title\t{word}0\t1\ttrain", *pairs]
    (folder / "pairs.tsv").write_text("\n".join(lines))


def _body(word: str, subject: int) -> str:
    return " ".join(f"The {word} meets {word}{subject} as number {n} of a {word} trial." for n in range(130))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name in SETS:
        write_set(tmp_path / name, WORDS[name])
    return tmp_path


def test_pairs_are_the_best_of_two_documents_and_nearer_where_they_are_related(data: Path) -> None:
    shown, sets = passage_pairs(data, HashedWords(), None)
    assert set(sets) == {"acl", "pmc", "patents"} and len(sets) == len(shown)
    means = {}
    for kind in (SAME, CLOSE, SAME_FIELD, OTHER):
        cosines = [one.pair.cosine for one, name in zip(shown, sets, strict=True) if one.known == {kind}]
        means[kind] = sum(cosines) / len(cosines)
    assert means[CLOSE] > means[SAME_FIELD] > means[OTHER] and means[SAME] > means[SAME_FIELD]
    assert all(0 < one.pair.words <= 400 and one.pair.cosine <= 1.0001 for one in shown)


def test_synonyms_are_a_second_form_of_the_same_passage(data: Path, tmp_path: Path) -> None:
    for part in ("noun", "verb", "adj", "adv"):
        (tmp_path / f"index.{part}").write_text("", "utf-8")
        (tmp_path / f"data.{part}").write_text("", "utf-8")
    (plain, _), (more, _) = (passage_pairs(data, HashedWords(), one) for one in (None, Synonyms(tmp_path)))
    of_itself = [sum(one.known == {SAME} for one in shown) for shown in (plain, more)]
    assert of_itself == [2 * 8 * 3, 3 * 8 * 3]


def test_a_quote_is_half_of_the_sentences_in_a_row() -> None:
    text = "One kite flies. Two kites fly. Three kites fly. Four kites fly."
    quotes = {quote(text, random.Random(seed)) for seed in range(20)}
    assert "One kite flies. Two kites fly." in quotes and all(one in text for one in quotes)
    assert quote("Alone.", random.Random(0)) == "Alone."


FILES = {
    "data.noun": "00000010 03 n 03 show 0 Display 0 public_sight 0 000 | what is seen\n",
    "index.noun": "show n 1 0 1 4 00000010\ndisplay n 1 0 1 0 00000010\n",
    "data.verb": "00000020 29 v 03 show 0 demo 0 exhibit 1 001 @ 00000010 n 0000 01 + 02 00 | make visible\n",
    "index.verb": "show v 1 2 @ + 1 90 00000020\n",
    "data.adj": "00000030 00 a 02 large(ip) 0 big(a) 1 000 | of size\n",
    "index.adj": "large a 1 0 1 7 00000030\n",
    "data.adv": "",
    "index.adv": "",
}


def write_wordnet(folder: Path) -> Path:
    """A few words in WordNet's format, below lines of a licence."""
    folder.mkdir(exist_ok=True)
    for name, text in FILES.items():
        (folder / name).write_text(f"  1 This is a licence.\n  2 It has lines.\n{text}")
    return folder


def test_a_third_of_the_words_is_dropped() -> None:
    words = [f"w{number}" for number in range(30)]
    left = dropped(" ".join(words), random.Random(1)).split()
    assert len(left) == 20 and left == [word for word in words if word in left]


def test_words_that_have_synonyms_are_changed(tmp_path: Path) -> None:
    synonyms = Synonyms(write_wordnet(tmp_path))
    told = changed("Show a large boiler, 3 of them.", random.Random(1), synonyms)
    assert told in ("demo a big boiler, 3 of them.", "exhibit a big boiler, 3 of them.")


def test_the_part_that_was_tagged_most_often_decides(tmp_path: Path) -> None:
    synonyms = Synonyms(write_wordnet(tmp_path))
    assert synonyms.of("show") == ("demo", "exhibit")
    assert synonyms.of("display") == ("show",)
    assert synonyms.of("large") == ("big",)
    assert synonyms.of("boiler") == ()


def test_a_folder_without_its_files_is_told(tmp_path: Path) -> None:
    write_wordnet(tmp_path)
    (tmp_path / "data.adv").unlink()
    with pytest.raises(
        EvaluationError, match=r"Expected WordNet's files in .*, data\.adv is missing\. Install wordnet-"
    ):
        Synonyms(tmp_path)


REWORD = {"a third dropped": dropped}
_SUBJECTS = (
    "boiler valve piston crank gauge rivet".split(),
    "enzyme protein genome membrane ribosome plasmid".split(),
    "corpus parser lexicon grammar treebank tagger".split(),
    "antenna carrier modulation spectrum relay beacon".split(),
)
_VERBS = "carries turns holds moves feeds closes opens joins lifts meets".split()
_PLACES = "shaft basin tower cellar garden harbour island meadow orchard quarry river station".split()


def long_document(id_: str, subject: int, *, sections: int = 3, sentences: int = 40) -> Document:
    """A document of sentences of one subject, no two alike."""
    draw = random.Random(id_)
    words = _SUBJECTS[subject]

    def sentence(number: int) -> str:
        one, other, third = draw.sample(words, 3)
        verb, (place, beside) = draw.choice(_VERBS), draw.sample(_PLACES, 2)
        return f"The {one} number {number} of the {place} {verb} every {other} while the {third} waits near a {beside}."

    held = tuple(
        Section(f"Part {n}", " ".join(sentence(100 * n + m) for m in range(sentences))) for n in range(sections)
    )
    return Document(id_, "paper", f"On the {words[0]}", "", held)


def made() -> Revision:
    found = revision(long_document("a", 0), long_document("b", 1), random.Random(1), REWORD)
    assert found is not None
    return found


def texts(document: Document, stretches: Sequence[Stretch], kind: str) -> list[str]:
    return [document.parts[part].text[start:stop].strip() for part, start, stop, name in stretches if name == kind]


def test_every_way_of_changing_is_used_and_stands_where_it_says() -> None:
    one = made()
    assert {kind for *_, kind in one.of_new} == {"new", "moved", "rewritten"}
    assert {kind for *_, kind in one.of_old} == {"moved", "rewritten", "dropped"}
    assert sorted(texts(one.old, one.of_old, "moved")) == sorted(texts(one.new, one.of_new, "moved"))
    new = one.new.text
    assert not any(text in new for text in texts(one.old, one.of_old, "dropped"))
    assert all("enzyme" in text or "protein" in text for text in texts(one.new, one.of_new, "new"))


def test_what_is_rewritten_keeps_its_sentences_and_loses_a_third_of_its_words() -> None:
    one = made()
    for before, after in zip(
        texts(one.old, one.of_old, "rewritten"), texts(one.new, one.of_new, "rewritten"), strict=True
    ):
        assert before.count(".") == after.count(".")
        assert 0.55 * len(before.split()) < len(after.split()) < 0.75 * len(before.split())


def test_the_rest_is_the_document_and_the_same_seed_makes_the_same() -> None:
    one = made()
    assert one == made()
    changed = sum(len(text) for kind in ("moved", "rewritten", "dropped") for text in texts(one.old, one.of_old, kind))
    assert changed < 0.5 * len(one.old.text)
    sentence = one.old.parts[1].chunk("a", 1, 0, one.old.parts[1].text.index(".") + 1)
    assert label_of(sentence, one.of_old) in {"unchanged", "moved", "rewritten", "dropped"}
    assert label_of(sentence, [(1, 0, 5_000, "moved")]) == "moved" and label_of(sentence, []) == "unchanged"


def test_a_short_document_has_no_second_version() -> None:
    short = long_document("short", 2, sections=1, sentences=3)
    assert revision(short, long_document("b", 1), random.Random(1), REWORD) is None
    assert revision(long_document("a", 0), short, random.Random(1), REWORD) is None


def shown(count: int = 400, seed: int = 1) -> list[Shown]:
    """Pairs of four kinds whose cosines are .9, .7, .5 and .1, about."""
    draw = np.random.default_rng(seed)
    return [
        Shown(n, Pair(float(draw.normal((0.9, 0.7, 0.5, 0.1)[n % 4], 0.05)), 0.1, 0.1, 100), frozenset({n % 4}), False)
        for n in range(count)
    ]


def test_kinds_that_differ_are_told_apart_and_probabilities_hold() -> None:
    pairs = shown()
    features, known = fit.arrays(pairs)
    weights = fit.fit_scale(features, known, np.ones(len(pairs)))
    p = fit.probabilities(weights, features)
    assert p.shape == (400, 4) and np.allclose(p.sum(axis=1), 1)
    assert (p.argmax(axis=1) == known.argmax(axis=1)).mean() > 0.9
    matrix = fit.confusion(p, known, np.ones(len(pairs)))
    assert np.allclose(matrix.sum(axis=1), 1) and np.diag(matrix).min() > 0.8
    errors = fit.errors(p, known, [one.pair for one in pairs], np.ones(len(pairs)), 0.2)
    assert errors[3] == 0 and all(error is not None and error < 0.5 for error in errors)  # none shares words


def test_a_pair_that_excludes_some_kinds_counts_for_the_others() -> None:
    pairs = [*shown(40), *(Shown(n, Pair(0.6, 0.1, 0.1, 100), frozenset({1, 2}), False) for n in range(40))]
    features, known = fit.arrays(pairs)
    p = fit.probabilities(fit.fit_scale(features, known, np.ones(80)), features)
    assert p[40:, 1:3].sum(axis=1).min() > 0.8


def test_the_calibration_error_is_the_gap_of_promise_and_truth() -> None:
    p, counts = np.full(10, 0.85), np.ones(10)
    assert fit.calibration_error(p, np.arange(10) < 6, counts) == pytest.approx(0.25)
    assert fit.calibration_error(np.full(10, 0.6), np.arange(10) < 6, counts) == pytest.approx(0)


def test_every_kind_of_a_set_counts_alike() -> None:
    known = np.array([[1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 1], [0, 1, 1, 0]], bool)
    counts = fit.balanced(["a"] * 4, known, np.array([False, False, True, False]))
    assert counts[0] == 1 and counts[1] + counts[2] == pytest.approx(1) and counts[1] > counts[2]
    assert counts[3] == pytest.approx(0.8)


def test_the_last_kind_has_two_words_by_the_shared_vocabulary() -> None:
    pairs = [Pair(0.1, 0.3, 0, 9), Pair(0.1, 0.0, 0, 9)]
    assert fit.five(np.array([[0, 0, 0, 1.0]] * 2), pairs, 0.2).tolist() == [[0, 0, 0, 1, 0], [0, 0, 0, 0, 1]]
    known = np.array([[0, 0, 0, 1]] * 2, bool)
    assert fit.vocabulary_share(pairs, known) == pytest.approx(0.27)
    assert fit.medians(pairs, known, {"unrelated": 3}) == {"unrelated": 0.1}


def test_lists_of_near_documents_are_told_from_far_ones() -> None:
    answered = [
        Answered(n, "a", "b", "document", (Pair(0.6 if n % 2 else 0.2, 0.1, 0.1, 100),) * 10, 1000, 0.1)
        for n in range(40)
    ]
    near = np.array([n % 2 == 1 for n in range(40)])
    weights = fit.fit_lists(answered, near, np.ones(40))
    p = 1 / (1 + np.exp(-fit.list_array(answered) @ weights))
    limit = fit.threshold(p, near, ["b"] * 40)
    assert (p[near] >= limit).all() and (p[~near] < limit).all()


def test_a_scale_has_all_that_the_package_keeps_and_its_errors() -> None:
    pairs = shown(600)
    labelled = Labelled(pairs, [name for _, name in zip(pairs, cycle("aaaabbbb"), strict=False)])
    scale = fitted(labelled, {"unrelated": OTHER, "duplicate": SAME})
    assert set(cast(dict[str, float], scale["ruler"])) == {"unrelated", "duplicate"}
    assert np.array(scale["weights"]).shape == (4, 6) and set(scale) == {"weights", "vocabulary", "ruler"}
    found = measured(labelled)
    assert set(found["left out"]) == {"a", "b"} and len(found["held out"]) == 5
    assert 0 < labelled.held_out.mean() < 0.5


def test_far_questions_are_refused_by_a_library_that_was_not_fitted_on() -> None:
    answered, distances = [], list[Distance]()
    for n in range(120):
        library = "abc"[n % 3]
        for asks, cosine, far in ((library, 0.6, False), ("z", 0.1, True)):
            near = (Pair(cosine + 0.001 * (n % 7), cosine / 3, cosine / 2, 100),) * 10
            answered.append(Answered(n, asks, library, "document", near, 1_000, 0.1))
            distances.append("far" if far else "own")
    lists = Lists(answered, distances)
    assert len(np.array(fitted_lists(lists)["weights"])) == 8
    for refused in measured_lists(lists).values():
        assert refused["far"] == 1 and refused["own"] <= 0.2


def test_rates_count_words_said_and_words_true() -> None:
    counts = Counter({("new", "new"): 6, ("", "new"): 2, ("new", ""): 4, ("", ""): 100})
    assert rates(counts, "new") == {"precision": 0.75, "recall": 0.6, "f1": pytest.approx(2 * 6 / 18)}
    assert rates(Counter(), "new") == {"precision": 0, "recall": 0, "f1": 0}


def test_the_command_saves_precision_and_recall_of_every_kind(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    corpus = [long_document(f"d{number}", number) for number in range(4)]
    write_table(folder / "corpus.parquet", corpus)
    pairs = [("d0", "d1", 0, "test"), ("d2", "d3", 1, "test"), ("d1", "d0", 0, "valid"), ("d3", "d2", 0, "train")]
    lines = ["id-a\tid-b\tlabel\tsplit", *("\t".join(map(str, pair)) for pair in pairs)]
    (folder / "pairs.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    save = tmp_path / "report.json"
    differences.main(["--data", str(tmp_path), "--sets", "small", "--count", "2", "--save", str(save)])
    report = json.loads(save.read_text("utf-8"))
    kinds = report["figures"]["small"]["kinds"]
    assert list(kinds) == ["new", "rewritten", "moved", "dropped"]
    assert all(0 < kinds[kind]["precision"] <= 1 and 0 < kinds[kind]["recall"] <= 1 for kind in kinds)
    assert kinds["moved"]["f1"] > 0.9 and kinds["new"]["f1"] > 0.8
    assert report["thresholds"] == {**asdict(Thresholds()), "versions": 0.5}
    assert report["commit"] and report["hardware"] and "--count 2" in report["command"]
    assert "| small | moved |" in save.with_suffix(".md").read_text("utf-8")


def test_the_table_names_where_sentences_are_covered() -> None:
    rate = {"precision": 1.0, "recall": 0.5, "f1": 0.667}
    figures = {
        "documents": 2,
        "kinds": {"new": rate},
        "between versions": {UNCOVERED: rate},
        "in unrelated documents": {COVERED: rate},
        "least same words of versions": 0.8,
        "most same words of unrelated documents": 0.1,
    }
    told = "\n".join(as_markdown({"acl": figures}))
    assert "| acl | between versions | not covered | 1.000 | 0.500 | 0.667 |" in told
