"""The Models and Evaluate pages in a real browser: they fit, and a query's bar shows both rankings."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By

from engine.documents import Document
from engine.encoders import KeptModel, bring_model
from engine.evaluation import BakeOffs
from engine.library import Library
from engine.workspace import Workspace
from tests.browser import audit, axe
from tests.browser.app import Visitor
from tests.contracts.encoder import SUBJECTS, corpus
from tests.encoders.tiny_sentences import write

pytestmark = pytest.mark.browser
_SIDE = {"name": "blend", "scores": {}, "documents_per_second": 90.0, "dim": 32, "keyword_weight": 0.75}
_MODEL = {**_SIDE, "name": "tiny"}
FIGURES = {"of": 0, "queries": 12, "documents": 60, "model": _MODEL, "default": _SIDE, "differences": {}}
BOTTOM = "return document.querySelector('.ps-overview table').getBoundingClientRect().bottom"
BARS = ".st-key-evaluate-bars .bars .point path"


@pytest.fixture
def own(tmp_path: Path) -> Iterator[str]:
    name = bring_model(str(write(tmp_path / "tiny"))).name
    KeptModel.read(name).add_measured("small", FIGURES)
    yield name
    KeptModel.remove(name)


def is_told_apart(visitor: Visitor) -> None:
    visitor.rests()
    visitor.until(lambda _: not audit.alike(visitor), f"expected controls to be told apart: {audit.alike(visitor)}")
    assert audit.named_by_icons(visitor) == [] and audit.faint(visitor) == []
    assert axe.findings(visitor) == []


def test_the_table_of_rankings_fits_a_window_and_a_model_stands_below(visitor: Visitor, own: str) -> None:
    size = {"width": 1400, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    visitor.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        visitor.open("models")
        visitor.sees("Large blend")
        visitor.rests()
        assert visitor.driver.execute_script(BOTTOM) < 900
        visitor.sees("not offered yet")
        is_told_apart(visitor)
    finally:
        visitor.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_blind_list_is_told_apart_and_its_thumbs_count(visitor: Visitor, library: Path) -> None:
    held = BakeOffs(library)
    with Workspace(library) as workspace:
        held.start(("default", "blend"))
        asked = held.ask(workspace, Document("blind", "query", abstract="stars and telescopes seen at night"))
    try:
        visitor.open("evaluate?way=blind")
        visitor.sees("Too early to say: 0 of")
        is_told_apart(visitor)
        visitor.click_on(".st-key-blind-1 button", "Relevant")
        visitor.sees("Too early to say: 1 of")
    finally:
        held.drop()
        with Library.open(library) as opened:  # other tests count what was judged
            opened.judgements.forget(asked.key)


def write_set(path: Path) -> Path:
    """A benchmark as BEIR has it: one query leads every ranking astray, one those that want words as written."""
    subjects = {subject: words.split() for subject, words in SUBJECTS.items()}
    queries = {f"q-{subject}": " ".join(words[:3]) for subject, words in subjects.items()}
    first, other = list(subjects)[:2]
    queries["q-mixed"] = " ".join([*subjects[first][:2], *subjects[other]])
    queries["q-forms"] = " ".join([*(f"{word}s" for word in subjects[first][:4]), subjects[other][0]])
    judged = {name: first if name in ("q-mixed", "q-forms") else name.removeprefix("q-") for name in queries}
    rows = [
        f"{name}\t{one.id}\t1" for name, subject in judged.items() for one in corpus() if one.id.startswith(subject)
    ]
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("corpus.jsonl", "\n".join(json.dumps({"_id": d.id, "text": d.text}) for d in corpus()))
        archive.writestr("queries.jsonl", "\n".join(json.dumps({"_id": q, "text": t}) for q, t in queries.items()))
        archive.writestr("qrels/test.tsv", "\n".join(["query-id\tcorpus-id\tscore", *rows]))
    return path


def test_files_are_measured_and_a_clicked_bar_opens_both_rankings(visitor: Visitor, tmp_path: Path) -> None:
    visitor.open("evaluate?row=bm25&row=bm25-stems&on=own")
    visitor.click_on("[role=radiogroup] label", "Your own files")
    visitor.sees("Read these files")
    visitor.upload(write_set(tmp_path / "steam.zip"))
    ready = ".st-key-read-own button:enabled"
    visitor.until(lambda driver: driver.find_elements(By.CSS_SELECTOR, ready), "expected the upload to arrive")
    visitor.press("read-own")
    visitor.sees("documents of its own")
    visitor.press("measure")
    visitor.sees("Query by query")
    visitor.rests()
    assert len(visitor.driver.find_elements(By.CSS_SELECTOR, ".ps-bar .ps-fill")) == 2
    bar = visitor.find(BARS)
    ActionChains(visitor.driver).move_to_element(bar).click().perform()
    visitor.sees("of the first 10 right")
    assert len(visitor.driver.find_elements(By.CSS_SELECTOR, ".ps-run")) == 2
    assert "case=" not in visitor.driver.current_url  # the visitor's own files stand in no link


def test_a_thumb_is_counted_and_leads_to_the_evaluate_page(visitor: Visitor) -> None:
    from explorer.state.examples import examples

    visitor.open(f"?example={next(iter(examples()))}")
    visitor.sees("Shared terms")
    visitor.rests()
    visitor.driver.execute_script("arguments[0].click()", visitor.find(".st-key-thumbs button"))
    visitor.sees("1 hit judged, 1 relevant")
    visitor.click_on("a", "See Evaluate")
    visitor.sees("1 hit judged on the Search page")
    visitor.sees("Judged queries (1)")
    assert "on=judged" in visitor.driver.current_url
