"""The texts that a small transformer learns: what its teacher places, passages that cite, and what belongs together."""

from __future__ import annotations

import math
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import InputError
from engine.documents import Document, Section
from engine.encoders import Transformer
from engine.training.student.recipe import StudentDataSettings
from engine.training.student.texts import (
    HeldTexts,
    RelatedTexts,
    passages_citing,
    read_texts,
    short_texts,
    whole_texts,
    words_of,
    worth_of_words,
)
from tests.contracts.encoder import corpus
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.evaluation.small import write_table
from tests.training.small import write_data
from tests.training.student.small import settings

SETTINGS = StudentDataSettings(shorts=("ours",), wholes=("ours",))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_data(tmp_path_factory.mktemp("texts"))


def test_texts_are_titles_sentences_and_whole_documents(data: Path) -> None:
    short = short_texts(SETTINGS, data, seed=1)
    documents = corpus()
    titles = {document.title for document in documents}
    sentences = set(short) - titles
    assert titles <= set(short)
    assert sentences and all(any(one in document.abstract for document in documents) for one in sentences)
    assert len(short) < 2 * len(documents)  # not every abstract gives one
    assert short == short_texts(SETTINGS, data, seed=1) != short_texts(SETTINGS, data, seed=2)
    assert whole_texts(SETTINGS, data) == [document.text for document in documents]


def test_queries_of_benchmarks_and_their_copies_teach_nothing(data: Path, tmp_path: Path) -> None:
    shutil.copytree(data, tmp_path / "data")
    (tmp_path / "data" / "asked").mkdir()
    asked = corpus()[0]
    copied = Document("held", title="What drives the governor of an engine")
    write_table(tmp_path / "data" / "asked" / "queries.parquet", [asked, replace(copied, id="asks")])
    write_table(tmp_path / "data" / "ours" / "corpus.parquet", [*corpus(), copied])
    assert whole_texts(SETTINGS, tmp_path / "data") == [one.text for one in corpus()[1:]]
    titles = {one.title for one in corpus()[1:]}
    assert asked.title in titles or asked.title not in short_texts(SETTINGS, tmp_path / "data", seed=1)


VALVES = Document(id="valves", title="Safety valves for boilers", abstract="A valve opens under steam.", year=1998)
WORTH = {"valve": 1.0, "valves": 1.0, "boilers": 2.0, "steam": 0.5, "safety": 3.0}


def citing_paper(*texts: str) -> Document:
    return Document(id="later", title="Engines", sections=tuple(Section("One", text) for text in texts), year=2004)


def found(*texts: str, most: int = 9) -> list[str]:
    return passages_citing(citing_paper(*texts), VALVES, WORTH, most=most)


@pytest.mark.parametrize(
    "mark",
    [
        "(Watt, 1998)",
        "Watt (1998)",
        "Watt and Boulton (1998)",
        "(Watt and Boulton, 1998)",
        "Watt et al. (1998)",
        "(Watt et al., 1998a)",
        "(Hook, 1996; Watt, 1998)",
        "(Çelik, 1998)",
        "O’Neil (1998)",
    ],
)
def test_a_name_with_the_year_is_a_mark(mark: str) -> None:
    text = f"Valves are known {mark} for that."
    assert found(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "Valves are known (Watt, 1999) for that.",
        "Valves of 1998 are known for that.",
        "Valves are known [3] for that.",
        "Valves are numbered Watt 19981 in that.",
        "Wheels are known (Watt, 1998) for that.",  # no word of worth in common
    ],
)
def test_nothing_else_is_one(text: str) -> None:
    assert found(text) == []


def test_a_passage_is_the_sentence_with_those_beside_it() -> None:
    text = "First comes this. Then comes that. Valves hold (Watt, 1998) well. After it comes this. Last comes that."
    assert found(text) == ["Then comes that. Valves hold (Watt, 1998) well. After it comes this."]


def test_at_the_ends_of_a_section_there_is_nothing_beside_it() -> None:
    assert found("Valves hold (Watt, 1998) well. Then comes that.", "Nothing of it is said here.") == [
        "Valves hold (Watt, 1998) well. Then comes that."
    ]


def test_the_likeliest_come_first_and_only_so_many() -> None:
    texts = ["Steam is hot (Watt, 1998).", "Safety matters (Watt, 1998).", "Boilers and valves (Watt, 1998)."]
    assert found(*texts) == [texts[1], texts[2], texts[0]]
    assert found(*texts, most=2) == [texts[1], texts[2]]


def test_of_equal_ones_the_first_comes_first_and_none_twice() -> None:
    texts = ["A valve is one (Watt, 1998).", "One is a valve (Watt, 1998).", "A valve is one (Watt, 1998)."]
    assert found(*texts) == texts[:2]


def test_without_a_year_nothing_is_found() -> None:
    undated = Document(id="undated", title="Safety valves")
    assert passages_citing(citing_paper("Valves are known (Watt, 1998)."), undated, WORTH, most=9) == []


def test_a_rare_word_is_worth_more() -> None:
    titles = ["steam valve", "steam engine", "steam wheel", "the steam valve"]
    worth = worth_of_words(Document(id=title, title=title) for title in titles)
    assert worth == {
        "steam": 0.0,
        "valve": pytest.approx(math.log(2)),
        "engine": pytest.approx(math.log(4)),
        "wheel": pytest.approx(math.log(4)),
    }


def test_words_are_of_title_and_abstract_without_function_words() -> None:
    document = Document(id="d", title="The valve", abstract="It opens.", sections=(Section("Method", "A wheel."),))
    assert words_of(document) == {"valve", "opens"}


KEYS = [(1, epoch, step) for epoch in range(2) for step in range(150)]


EVERY_SOURCE = ["subjects=['ours']", "files=[{corpus = 'ours'}]", "titles=['theirs']"]


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Transformer:
    return Transformer.open(write_tiny_transformer(tmp_path_factory.mktemp("tokenizer")))


def paper(name: str, *categories: str, title: str | None = None, family: str = "") -> Document:
    """A document whose title, abstract and section say which it is."""
    return Document(
        id=name,
        title=f"Steam {name}" if title is None else title,
        abstract=f"The boiler of {name}.",
        sections=(Section("Method", f"The valve of {name}."),),
        categories=categories,
        family=family,
    )


def write(folder: Path, name: str, documents: Sequence[Document], *pairs: tuple[str, str]) -> Path:
    """Write a corpus, with a table of pairs where there are any; gives the folder of corpora."""
    (folder / name).mkdir()
    write_table(folder / name / "corpus.parquet", documents)
    if pairs:
        rows = [f"{one}\t{other}" for one, other in pairs]
        (folder / name / "train-pairs.tsv").write_text("\n".join(["id-a\tid-b", *rows]))
    return folder


def read(data: Path, *given: str, most_characters: int = 1_000) -> HeldTexts:
    return read_texts(settings(*given), data, most_characters=most_characters)


def rest_of(document: Document) -> str:
    return "\n\n".join([document.abstract, document.sections[0].text])


def several(folder: Path) -> Path:
    """Four subjects of five documents and four pairs in "ours", six documents of no subject in "theirs"."""
    ours = [paper(f"{name}{number}", name) for name in "abcd" for number in range(5)]
    write(folder, "ours", ours, ("a0", "b0"), ("b1", "c1"), ("c2", "d2"), ("d3", "a3"))
    return write(folder, "theirs", [paper(f"t{number}") for number in range(6)])


def drawn_from(data: Path, tokenizer: Transformer, *given: str, batch: int = 3) -> RelatedTexts:
    made = RelatedTexts.of(settings("weight=0.5", f"batch={batch}", *given), tokenizer, data, max_tokens=32)
    assert made is not None
    return made


def test_whole_documents_have_their_subject_and_titles_what_they_head(tmp_path: Path) -> None:
    one, other = paper("one", "B", "A", "B", family="f"), paper("other")
    held = read(write(tmp_path, "ours", [one, other]), "subjects=['ours']", "titles=['ours']")
    assert held.texts == [one.text, "Steam one", rest_of(one), "Steam other", rest_of(other)]
    assert held.names == ["one", "one\ttitle", "one\trest", "other\ttitle", "other\trest"]
    assert held.subjects == ["ours\tA\tB", "", "", "", ""]
    assert held.families == ["f", "f", "f", "", ""]
    assert held.headed == [(1, 2), (3, 4)]


def test_a_corpus_gives_only_what_it_is_named_for(tmp_path: Path) -> None:
    write(tmp_path, "ours", [paper("one", "A")])
    write(tmp_path, "theirs", [paper("two", "A")])
    held = read(tmp_path, "subjects=['ours']", "titles=['theirs']")
    assert held.names == ["one", "two\ttitle", "two\trest"]
    assert held.subjects == ["ours\tA", "", ""]


def test_a_title_that_heads_nothing_and_a_text_without_a_title_are_no_pair(tmp_path: Path) -> None:
    documents = [Document(id="bare", title="Steam"), paper("headless", title=""), paper("blank", title="  ")]
    held = read(write(tmp_path, "ours", documents), "titles=['ours']")
    assert (held.texts, held.headed) == ([], [])


def test_no_query_of_a_benchmark_nor_a_copy_or_one_of_its_family_is_among_the_texts(tmp_path: Path) -> None:
    documents = [paper("query", "A"), paper("later", "A", family="f"), paper("free", "A", family="g")]
    copied = paper("copy", "A", title="What drives the governor of an engine")
    documents.append(copied)
    write(tmp_path, "ours", documents, ("query", "free"), ("later", "free"))
    (tmp_path / "bench").mkdir()
    write_table(tmp_path / "bench" / "queries.parquet", [paper("query", family="f"), replace(copied, id="asks")])
    held = read(tmp_path, "subjects=['ours']", "files=[{corpus = 'ours'}]", "titles=['ours']")
    assert held.names == ["free", "free\ttitle", "free\trest"]


def test_an_id_that_was_seen_before_is_taken_once(tmp_path: Path) -> None:
    write(tmp_path, "ours", [paper("one", "A", title="First"), paper("one", "A", title="Second")])
    write(tmp_path, "theirs", [paper("one", "A", title="Third"), paper("two", "A")])
    held = read(tmp_path, "subjects=['ours', 'theirs']", "titles=['ours', 'theirs']")
    assert held.names == ["one", "one\ttitle", "one\trest", "two", "two\ttitle", "two\trest"]
    assert held.texts[1] == "First"


def test_related_documents_of_some_corpora_are_read_to_the_end_of_their_abstract(tmp_path: Path) -> None:
    one, two = paper("one", "A"), paper("two", "A")
    write(tmp_path, "ours", [one])
    write(tmp_path, "theirs", [two])
    held = read(tmp_path, "subjects=['ours', 'theirs']", "abstracts=['theirs']", "titles=['theirs']")
    assert held.texts == [one.text, f"{two.title}\n\n{two.abstract}", two.title, rest_of(two)]


def test_paired_documents_are_held_without_categories_in_their_own_corpus(tmp_path: Path) -> None:
    write(tmp_path, "ours", [paper(name) for name in ("a", "b", "c")], ("a", "b"), ("b", "d"))
    write(tmp_path, "theirs", [paper("d"), paper("e")], ("e", "c"))
    held = read(tmp_path, "files=[{corpus = 'ours'}, {corpus = 'theirs'}]")
    assert (held.names, held.subjects, held.headed) == (["a", "b", "e"], ["", "", ""], [])


def test_categories_count_only_in_a_corpus_of_subjects(tmp_path: Path) -> None:
    write(tmp_path, "ours", [paper("a", "A"), paper("b", "A"), paper("c", "A")], ("a", "b"))
    held = read(tmp_path, "files=[{corpus = 'ours'}]")
    assert (held.names, held.subjects) == (["a", "b"], ["", ""])


def test_no_text_is_longer_than_it_may_be(tmp_path: Path) -> None:
    write(tmp_path, "ours", [Document(id="one", title="Steam engine", abstract="x" * 50, categories=("A",))])
    held = read(tmp_path, "subjects=['ours']", "titles=['ours']", most_characters=20)
    assert held.texts == ["Steam engine\n\nxxxxxx", "Steam engine", "x" * 20]


def test_no_title_is_longer_than_a_text_may_be(tmp_path: Path) -> None:
    write(tmp_path, "ours", [paper("one", title="x" * 50)])
    assert [len(text) for text in read(tmp_path, "titles=['ours']", most_characters=20).texts] == [20, 20]


def test_without_weight_nothing_is_read(tokenizer: Transformer, tmp_path: Path) -> None:
    assert RelatedTexts.of(settings(*EVERY_SOURCE), tokenizer, tmp_path / "none", max_tokens=32) is None


def test_texts_are_the_first_tokens_that_a_student_reads(tokenizer: Transformer, tmp_path: Path) -> None:
    abstract = " ".join(["boiler", "valve"] * 40)
    write(tmp_path, "ours", [Document(id=name, title="Steam", abstract=abstract) for name in ("one", "two")])
    made = RelatedTexts.of(settings("weight=1", "batch=2", "titles=['ours']"), tokenizer, tmp_path, max_tokens=9)
    assert made is not None
    assert list(made.tokens) == tokenizer.tokens(["Steam", abstract] * 2, 9)
    assert [len(ids) for ids in made.tokens] == [3, 9] * 2


def test_a_step_draws_from_one_source_by_its_share(tokenizer: Transformer, tmp_path: Path) -> None:
    given = (*EVERY_SOURCE, "title_share=0.4", "subject_share=0.75")
    data = several(tmp_path)
    made, held = drawn_from(data, tokenizer, *given), read(data, *given)
    assert made.pairs.counts == {"subjects": 4, "related_pairs": 4 + 6}
    np.testing.assert_allclose(made.pairs.chances, [0.6 * 0.75, 0.6 * 0.25, 0.4])
    seen: list[str] = []
    for key in KEYS:
        pairs = made.draw(key).pairs
        assert pairs.shape == (3, 2)
        kinds = {_kind(held, one, other) for one, other in pairs.tolist()}
        assert len(kinds) == 1
        seen += kinds
    shares = [seen.count(kind) / len(KEYS) for kind in ("subject", "file", "title")]
    np.testing.assert_allclose(shares, made.pairs.chances, atol=0.08)


def test_titles_alone_are_drawn_in_every_step(tokenizer: Transformer, tmp_path: Path) -> None:
    made = drawn_from(several(tmp_path), tokenizer, "titles=['theirs']", "title_share=0.1")
    assert made.pairs.chances.tolist() == [1.0]
    assert made.pairs.counts == {"subjects": 0, "related_pairs": 6}
    drawn = [tuple(pair) for key in KEYS[:50] for pair in made.draw(key).pairs.tolist()]
    assert {(min(pair), max(pair)) for pair in drawn} == {(place, place + 1) for place in range(0, 12, 2)}
    assert {(0, 1), (1, 0)} <= set(drawn)  # either may ask


def test_subjects_and_files_are_drawn_without_titles(tokenizer: Transformer, tmp_path: Path) -> None:
    made = drawn_from(several(tmp_path), tokenizer, *EVERY_SOURCE[:2], "title_share=0.4", "subject_share=0.75")
    assert made.pairs.chances.tolist() == [0.75, 0.25]


def test_titles_are_strangers_unless_their_documents_are_of_one_family(tokenizer: Transformer, tmp_path: Path) -> None:
    documents = [paper("one", "A", family="f"), paper("two", "A", family="f"), paper("three", "A")]
    made = drawn_from(write(tmp_path, "ours", documents), tokenizer, "titles=['ours']")
    titles, rests = np.array([0, 2, 4]), np.array([1, 3, 5])
    expected = [[True, True, False], [True, True, False], [False, False, False]]
    assert made.pairs.same_label(titles, rests).tolist() == expected


def test_too_few_to_fill_a_batch_are_told(tokenizer: Transformer, tmp_path: Path) -> None:
    data = several(tmp_path)
    for source, batch, told in (
        ("subjects=['ours']", 5, "at least 5 sets of categories with 4 documents in ours for a batch, got 4"),
        ("files=[{corpus = 'ours'}]", 5, r"at least 5 related pairs in ours/train-pairs\.tsv for a batch, got 4"),
    ):
        drawn_from(data, tokenizer, source, batch=batch - 1)
        with pytest.raises(InputError, match=told):
            drawn_from(data, tokenizer, source, batch=batch)


def test_too_few_titles_to_fill_a_batch_are_told(tokenizer: Transformer, tmp_path: Path) -> None:
    data = several(tmp_path)
    assert len(drawn_from(data, tokenizer, "titles=['theirs']", batch=6).draw(KEYS[0]).pairs) == 6
    with pytest.raises(InputError, match="at least 7 titles with what they head in theirs for a batch, got 6"):
        drawn_from(data, tokenizer, "titles=['theirs']", batch=7)


PASSAGES = "passages=[{corpus = 'ours'}]"


def citing(name: str, year: int, *texts: str) -> Document:
    """A paper with a section a text, and an abstract that names it."""
    sections = tuple(Section("Method", text) for text in texts)
    return Document(id=name, title=f"On {name}", abstract=f"A {name} is shown.", sections=sections, year=year)


def citations(folder: Path) -> Path:
    """A paper of 2004 that cites one of 1998 twice and one of 2001 once; one of 2004 is paired with it alone."""
    later = citing(
        "wheel",
        2004,
        "A valve is old (Watt, 1998).",
        "No valve is a boiler (Watt, 1998; Hook, 2001).",
        "By Hook, 2001.",
    )
    earlier = (citing("valve", 1998, "A wheel comes later (Otto, 2004)."), citing("boiler", 2001), citing("pump", 2004))
    pairs = (("wheel", "valve"), ("boiler", "wheel"), ("wheel", "pump"))
    return write(folder, "ours", [later, *earlier], *pairs)


def test_passages_that_cite_are_paired_with_the_cited_work(tmp_path: Path) -> None:
    held = read(citations(tmp_path), PASSAGES, "abstracts=['ours']")
    assert held.names[:4] == ["wheel", "valve", "boiler", "pump"]
    assert held.texts[1] == "On valve\n\nA valve is shown."
    assert [(held.names[one], held.texts[one], held.names[other]) for one, other in held.citing] == [
        ("wheel\tvalve\t0", "On wheel\n\nA valve is old (Watt, 1998).", "valve"),
        ("wheel\tvalve\t1", "No valve is a boiler (Watt, 1998; Hook, 2001).", "valve"),
        ("wheel\tboiler\t0", "On wheel\n\nNo valve is a boiler (Watt, 1998; Hook, 2001).", "boiler"),
    ]
    assert set(held.known) == {(passage, place) for passage in (4, 5, 6) for place in (1, 2, 3)}
    assert len(read(tmp_path, PASSAGES, "passages_most=1").citing) == 2


def test_a_passage_is_no_stranger_to_what_its_paper_is_paired_with(tokenizer: Transformer, tmp_path: Path) -> None:
    made = drawn_from(citations(tmp_path), tokenizer, PASSAGES)
    assert made.pairs.chances.tolist() == [1.0]
    passages, papers = np.array([4, 5, 6]), np.array([0, 1, 2, 3])
    assert made.pairs.same_label(passages, papers).tolist() == [[False, True, True, True]] * 3
    drawn = {frozenset(pair) for key in KEYS[:20] for pair in made.draw(key).pairs.tolist()}
    assert drawn == {frozenset(pair) for pair in ((4, 1), (5, 1), (6, 2))}


def test_passages_take_their_share_of_the_steps(tokenizer: Transformer, tmp_path: Path) -> None:
    given = ("files=[{corpus = 'ours'}]", PASSAGES, "titles=['ours']", "passage_share=0.2", "title_share=0.5")
    made = drawn_from(citations(tmp_path), tokenizer, *given)
    np.testing.assert_allclose(made.pairs.chances, [0.5 * 0.8, 0.5 * 0.2, 0.5])


def test_too_few_passages_to_fill_a_batch_are_told(tokenizer: Transformer, tmp_path: Path) -> None:
    told = r"at least 4 passages that cite in ours/train-pairs\.tsv for a batch, got 3"
    with pytest.raises(InputError, match=told):
        drawn_from(citations(tmp_path), tokenizer, PASSAGES, batch=4)


def test_no_passage_is_longer_than_a_text_may_be(tmp_path: Path) -> None:
    held = read(citations(tmp_path), PASSAGES, most_characters=12)
    assert [len(held.texts[place]) for place, _ in held.citing] == [12] * 3


def test_a_copy_of_which_nothing_was_taken_does_not_stand_in_the_way(tmp_path: Path) -> None:
    write(tmp_path, "ours", [paper("p0"), paper("p1")])
    write(tmp_path, "theirs", [paper("p0"), paper("p1")], ("p0", "p1"))
    held = read(tmp_path, "subjects=['ours']", "files=[{corpus = 'theirs'}]")
    assert held.names == ["p0", "p1"]


def test_documents_without_text_are_not_held(tmp_path: Path) -> None:
    write(tmp_path, "ours", [Document("empty", categories=("a",)), paper("full", "a")])
    assert read(tmp_path, "subjects=['ours']").names == ["full"]


def _kind(held: HeldTexts, one: int, other: int) -> str:
    """Which source two texts must come from."""
    if (min(one, other), max(one, other)) in held.headed:
        return "title"
    return "subject" if held.subjects[one] and held.subjects[one] == held.subjects[other] else "file"
