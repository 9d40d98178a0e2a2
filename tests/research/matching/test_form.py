"""What of a document is compared, and how it is changed."""

from __future__ import annotations

import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document, Section, text
from engine.research.matching.form import Form

LONG = Document(
    "p1",
    title="A title",
    abstract="An abstract.",
    sections=(
        Section("Introduction", "one two, three-four five"),
        Section("Method", "six seven eight"),
        Section("Results", "nine ten"),
        Section("References", "A list.", "references"),
    ),
    claims=("A claim.",),
)


def test_only_the_body_is_compared() -> None:
    body = Form().of(LONG)
    assert [section.title for section in body.sections] == ["Introduction", "Method", "Results"]
    assert (body.title, body.abstract, body.claims) == ("", "", ())
    assert body.id == "p1"


@pytest.mark.parametrize(
    ("most", "kept"),
    [
        (1, ["one"]),
        (3, ["one two,"]),  # what lies between white space stays together, and two tokens would be one too many
        (4, ["one two, three-four"]),
        (5, ["one two, three-four five"]),
        (6, ["one two, three-four five", "six"]),
        (100, ["one two, three-four five", "six seven eight", "nine ten"]),
    ],
)
def test_the_first_tokens_are_kept_up_to_white_space(most: int, kept: list[str]) -> None:
    assert [section.text for section in Form(max_tokens=most).of(LONG).sections] == kept


def test_long_sections_are_cut_to_the_token() -> None:
    words = [f"word{'x' * (number % 3)}" for number in range(1_000)]
    document = Document("long", sections=(Section("", " ".join(words[:500])), Section("", "\n".join(words[500:]))))
    for most in (63, 64, 65, 499, 500, 501, 777):
        assert text.tokens(Form(max_tokens=most).of(document).text) == words[:most]


def test_a_first_word_of_too_many_tokens_leaves_no_text() -> None:
    document = Document("d", sections=(Section("", "one-two-three four"),))
    assert Form(max_tokens=2).of(document).sections == ()


def test_sections_are_shuffled_by_document_and_seed() -> None:
    titles = [str(number) for number in range(12)]
    documents = [Document(name, sections=tuple(Section(title, "text") for title in titles)) for name in ("a", "b")]

    def order(seed: int, document: Document) -> list[str]:
        return [section.title for section in Form(shuffle_sections=seed).of(document).sections]

    assert sorted(order(1, documents[0])) == sorted(titles)
    assert order(1, documents[0]) == order(1, documents[0])
    assert len({tuple(order(seed, document)) for seed in (1, 2) for document in documents}) == 4


def test_the_options_ask_for_the_same_form() -> None:
    assert Form().options == []
    assert Form(shuffle_sections=3, max_tokens=1000).options == ["--shuffle-sections", "3", "--max-tokens", "1000"]


def test_forms_that_leave_nothing_are_refused() -> None:
    with pytest.raises(EvaluationError, match="Expected max-tokens of at least 1, got 0"):
        Form(max_tokens=0)
    with pytest.raises(EvaluationError, match="a seed of 0 or more for the order of sections, got -1"):
        Form(shuffle_sections=-1)
