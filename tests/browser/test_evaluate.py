"""The evaluate page in a real browser: measure, click a query's bar, see both rankings; a thumb under a hit."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By

from tests.browser.app import Visitor
from tests.contracts.encoder import SUBJECTS, corpus

pytestmark = pytest.mark.browser

BARS = ".st-key-evaluate-bars .bars .point path"


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
