"""Topics that papers carry as keywords and patents have in their titles."""

from __future__ import annotations

import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.research.measures.shared_topics import SharedTopics, TopicSettings

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
