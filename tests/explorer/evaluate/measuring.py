"""The Evaluate page, opened and measured on the library of a test."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from engine.documents import Document
from explorer.evaluate import results
from explorer.evaluate.results import Evaluated
from tests.contracts.encoder import SUBJECTS
from tests.explorer.conftest import HOSTILE, Start, finished

ROWS = ["bm25", "tfidf"]
DRAFT = Document("draft", "paper", f"A draft {HOSTILE}", " ".join(SUBJECTS["steam"].split()[::2]))


def open_page(app: Start, **link: object) -> AppTest:
    test = app()
    for key, value in {"row": ROWS, **link}.items():
        test.query_params[key] = value
    return test.switch_page("explorer/evaluate/view.py").run()


def measured(app: Start, **link: object) -> AppTest:
    test = open_page(app, **link)
    return finished(test.button(key="measure").click().run())


def held() -> Evaluated:
    questions = results.question_set("subjects")
    assert questions is not None
    found = results.find_results(questions)
    assert found is not None
    return found
