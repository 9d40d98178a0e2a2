"""What is measured, and on which documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import EmptyLibraryError, EvaluationError, UnsupportedFormatError
from engine.documents import Document
from engine.encoders.processor import PRECISIONS
from engine.reading import read_text
from engine.research.bench import searching
from engine.research.bench.searching import (
    FEW_WORDS,
    STAGES,
    Asked,
    StartTimes,
    as_markdown,
    load,
    measure_search,
    measure_start,
    of_library,
)
from tests.search.library import DOCUMENTS, fill


def test_papers_and_patents_are_measured_in_turn(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path)
    with library:
        speed = measure_search(library, encoder, index, of_library(library, 2, 0), k=3)
        again = measure_search(library, encoder, index, of_library(library, 2, 0), k=3)
    assert (speed.queries, speed.papers + speed.patents, speed.documents) == (2, 2, 7)
    assert speed.encoder == "tfidf" and speed.fingerprint == encoder.card.fingerprint
    assert set(speed.stages) == {*STAGES, "total"}
    assert all(0 <= times.p50 <= times.p95 <= times.max for times in speed.stages.values())
    assert again.median_query_words == speed.median_query_words
    assert speed.hardware and speed.precision in PRECISIONS and speed.load >= 0 and not speed.commands


def test_files_ask_and_short_questions_are_told_apart(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path)
    long = Asked("long.md", b"# Of boilers\n\n" + b"The boiler has a valve and a gauge. " * 80)
    warm_up = [Asked.of(one) for one in DOCUMENTS[:5]]
    with library:
        speed = measure_search(library, encoder, index, [*warm_up, long, Asked.of(DOCUMENTS[4])], k=3)
        alone = measure_search(library, encoder, index, [long], k=3)
        with pytest.raises(UnsupportedFormatError):
            measure_search(library, encoder, index, [Asked("x.zip", b"PK\x03\x04")])
    assert (speed.queries, speed.patents, alone.queries) == (2, 1, 1) and alone.of_few_words is None
    assert speed.of_few_words is not None and speed.of_few_words.max <= speed.stages["total"].max
    assert alone.median_query_words > FEW_WORDS


def test_one_search_and_help_are_timed_from_their_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library, encoder, index = fill(tmp_path)
    with library:
        speed = measure_search(library, encoder, index, of_library(library, 2, 0), k=3)
    asked: list[tuple[list[str], str]] = []

    def measured(arguments: list[str], *, text: str = "") -> StartTimes:
        asked.append((arguments, text))
        return StartTimes(1.5, 1.2, 5)

    monkeypatch.setattr(searching, "measure_start", measured)
    commands = searching.with_commands(speed, tmp_path, DOCUMENTS[0]).commands
    assert set(commands) == {"search", "--help"} and commands["search"].seconds == 1.5
    assert str(tmp_path) in asked[0][0] and DOCUMENTS[0].title in asked[0][1] and asked[1] == (["--help"], "")


def test_a_library_smaller_than_the_warm_up_is_measured_whole(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path, DOCUMENTS[:3])
    with library:
        assert measure_search(library, encoder, index, of_library(library, 50, 0)).queries == 3


def test_a_document_survives_the_way_through_markdown() -> None:
    patent = DOCUMENTS[4]
    read = read_text(as_markdown(patent)).document
    assert read.title == patent.title
    assert read.abstract == patent.abstract
    assert patent.sections[0].text in read.text
    assert "eccentric rod on the crank shaft" in read.text
    assert as_markdown(Document("a")) == ""


def test_errors_are_named(tmp_path: Path) -> None:
    library, _encoder, _index = fill(tmp_path / "full")
    with library, pytest.raises(EvaluationError, match="at least 1 query to measure; got 0"):
        of_library(library, 0, 0)
    from engine.library import Library

    with Library.open(tmp_path / "empty", create=True) as empty, pytest.raises(EmptyLibraryError, match="holds none"):
        of_library(empty, 1, 0)


def test_a_command_is_timed_in_a_process_of_its_own() -> None:
    taken = measure_start(["--help"], runs=2)
    assert taken.runs == 2 and taken.seconds > 0.01 and taken.processor_seconds > 0.01
    assert load() >= 0


def test_a_command_that_fails_is_told() -> None:
    with pytest.raises(EvaluationError, match=r"Expected `priorscope search` to end well, it ended with 2: .*required"):
        measure_start(["search"], runs=1)
