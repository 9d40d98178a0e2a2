"""The table of all rankings."""

from __future__ import annotations

import pytest

from engine.documents.markup import element
from engine.evaluation import MeasuredQuality
from engine.evaluation.quality import Quality
from explorer.models import overview
from explorer.shared import encoder_facts
from explorer.state.encoder_names import encoder_names, short


def result(
    benchmark: str, figure: float, *, part: str = "all", fingerprint: str = "", hidden: bool = False
) -> MeasuredQuality:
    return MeasuredQuality(benchmark, part, 10, hidden, fingerprint, {"nDCG@10": figure}, None)


def show(monkeypatch: pytest.MonkeyPatch, **results: tuple[MeasuredQuality, ...]) -> None:
    held = Quality(results, {}, {"tfidf": 3816.1, "blend": 150.5})
    monkeypatch.setattr(overview, "read_quality", lambda: held)


@pytest.mark.usefixtures("empty_folder")
def test_every_ranking_has_a_row_the_default_first() -> None:
    made = overview.rows()
    assert [row[0] for row in made] == ["Both (default)", "Keywords", *map(short, encoder_names())]
    assert all(row[1].endswith(".") for row in made)


@pytest.mark.usefixtures("empty_folder")
def test_the_shipped_figures_show_the_default_and_the_keywords() -> None:
    for name in ("default", "keywords", encoder_names()[0]):
        assert all(overview.task_figure(name, sets) for sets in overview._TASKS.values())


@pytest.mark.usefixtures("empty_folder")
def test_a_task_is_the_mean_of_its_sets_and_the_best_stands_out(monkeypatch: pytest.MonkeyPatch) -> None:
    questions = tuple(result(name, figure) for name, figure in (("cranfield", 0.3), ("cacm", 0.4), ("npl", 0.5)))
    show(
        monkeypatch,
        tfidf=(result("arxiv-subject", 0.1), *questions),
        lsa=(result("arxiv-subject", 0.2), *questions[1:]),
    )
    by_name = {row[0]: row for row in overview.rows()}
    best = element("strong", "0.400")
    assert by_name["TF-IDF"][2:7] == ("0.100", "–", "–", best, "3,816")
    assert by_name["LSA"][2:7] == (element("strong", "0.200"), "–", "–", "–", "–")
    assert by_name["Both (default)"][6] == "150"  # it reads with the default encoder


@pytest.mark.usefixtures("empty_folder")
def test_only_all_queries_of_the_shipped_weights_count(monkeypatch: pytest.MonkeyPatch) -> None:
    present = encoder_facts.encoder_card("ctpe").fingerprint
    others = (
        result("arxiv-subject", 0.1, part="test", fingerprint=present),
        result("arxiv-subject", 0.2, fingerprint="of other weights"),
        result("arxiv-subject", 0.3, fingerprint=present, hidden=True),
    )
    show(monkeypatch, ctpe=others)
    assert overview.task_figure("ctpe", ("arxiv-subject",)) is None
    show(monkeypatch, ctpe=(*others, result("arxiv-subject", 0.4, fingerprint=present)))
    assert overview.task_figure("ctpe", ("arxiv-subject",)) == 0.4
