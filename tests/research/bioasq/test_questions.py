"""BioASQ's Task b as it comes: question by question, and what is wrong with a broken file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError, InputError, MalformedFileError, TruncatedFileError
from engine.research.bioasq import questions as module
from engine.research.bioasq.questions import Question, pubmed_number, read_questions

GIVEN = {
    "questions": [
        {
            "body": 'Which gene is mutated in the made-up disease, "Lind\'s"?',
            "documents": [
                "http://www.ncbi.nlm.nih.gov/pubmed/00101",
                "https://pubmed.ncbi.nlm.nih.gov/102/",
                "http://www.ncbi.nlm.nih.gov/pubmed/101",
                "http://www.ncbi.nlm.nih.gov/pmc/articles/PMC9",
            ],
            "snippets": [{"text": 'a "questions": [ in a text', "offsetInBeginSection": 0}],
            "type": "factoid",
            "id": "q1",
        },
        {"id": "q2", "body": "Ünknown?"},
    ],
    "more": 1,
}
READ = [
    Question("q1", GIVEN["questions"][0]["body"], ("101", "102"), strangers=1),  # type: ignore[index]
    Question("q2", "Ünknown?", ()),
]


def write(folder: Path, text: str) -> Path:
    path = folder / "questions.json"
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize("block", [1 << 20, 40])
@pytest.mark.parametrize("indent", [None, 2])
def test_questions_are_read_one_by_one(
    block: int, indent: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_BLOCK", block)
    assert list(read_questions(write(tmp_path, json.dumps(GIVEN, indent=indent)))) == READ
    assert list(read_questions(write(tmp_path, "\ufeff" + json.dumps(GIVEN, ensure_ascii=False)))) == READ
    assert list(read_questions(write(tmp_path, '{"questions": []}'))) == []


def test_only_a_block_beyond_the_question_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BLOCK", 100)
    many = {"questions": [{"id": f"q{number}"} for number in range(500)]}
    path = write(tmp_path, json.dumps(many))
    (tmp_path / "cut.json").write_text(json.dumps(many)[:5_000])
    first = [next(read_questions(one)).id for one in (path, tmp_path / "cut.json")]
    assert first == ["q0", "q0"]
    assert len(list(read_questions(path))) == 500
    monkeypatch.setattr(module, "_LONGEST", 300)
    long = {"questions": [{"id": "q", "body": "x" * 1_000}]}
    with pytest.raises(MalformedFileError, match=r"Expected JSON in question 1 of questions\.json: Unterminated"):
        list(read_questions(write(tmp_path, json.dumps(long))))


@pytest.mark.parametrize(
    ("text", "kind", "told"),
    [
        ("", MalformedFileError, r'Expected an object with a list of "questions" in questions\.json, got \'\''),
        ('{"articles": [{"pmid": 1}]}', MalformedFileError, r'of "questions" in questions\.json, got .*articles'),
        ('["questions"]', MalformedFileError, r'Expected an object with a list of "questions"'),
        ('{"questions": [{"id": "a"}', TruncatedFileError, "Expected a whole list of questions .* it stops early"),
        ('{"questions": [{"id": "a"}, {"id": "b', TruncatedFileError, "question 2 of .* stops in the middle"),
        ('{"questions": [{"id": "a"}, {"id" "b"}]}', MalformedFileError, "Expected JSON in question 2 of .*delimiter"),
        ('{"questions": [' + "[" * 100_000, MalformedFileError, "question 1 of .*, got JSON that cannot be read"),
        ('{"questions": [7]}', MalformedFileError, "Expected an object with an id in question 1 of .*, got '7'"),
        ('{"questions": [{"body": "?"}]}', MalformedFileError, "Expected an object with an id in question 1"),
        ('{"questions": [{"id": "a", "documents": "x"}]}', MalformedFileError, "addresses of documents as a list of"),
        ('{"questions": [{"id": "a", "documents": [1]}]}', MalformedFileError, r"list of texts in .*, got '\[1\]'"),
    ],
)
def test_a_broken_file_is_told(text: str, kind: type[InputError], told: str, tmp_path: Path) -> None:
    with pytest.raises(kind, match=told):
        list(read_questions(write(tmp_path, text)))


def test_what_is_no_text_or_too_much_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Expected a file of questions at .*none\.json; there is none"):
        list(read_questions(tmp_path / "none.json"))
    with pytest.raises(InputError, match="Expected a file of questions at"):
        list(read_questions(tmp_path))
    (tmp_path / "latin.json").write_bytes(b'{"questions": [{"id": "\xe9"}]}')
    with pytest.raises(MalformedFileError, match=r"Expected UTF-8 text in latin\.json, got another encoding"):
        list(read_questions(tmp_path / "latin.json"))
    many = {"questions": [{"id": "a", "documents": [f"{number}" for number in range(1, 2_002)]}]}
    with pytest.raises(EvaluationError, match=r"Expected at most 2,000 documents in question 1 of .*, got 2,001"):
        list(read_questions(write(tmp_path, json.dumps(many))))


def test_a_record_is_known_by_its_address_or_number() -> None:
    for text in (
        "pmid:12",
        "12",
        "0012",
        "http://www.ncbi.nlm.nih.gov/pubmed/12",
        "https://pubmed.ncbi.nlm.nih.gov/12/?x",
    ):
        assert pubmed_number(text) == "12"
    for text in ("PMC12", "doi:10.1/12", "", "0", "http://example.org/pubmed/12", "https://pubmed.ncbi.nlm.nih.gov/"):
        assert pubmed_number(text) == ""
