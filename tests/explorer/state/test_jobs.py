"""The background job as its visitor sees it."""

from __future__ import annotations

import threading

import pytest

from engine.core.progress import Report, silent
from explorer.state import handles, jobs
from tests.explorer.conftest import Start, page_text


@pytest.mark.usefixtures("folder")
def test_a_job_that_ends_while_the_page_is_drawn_changes_all_of_the_page(
    app: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    going, encodes, prepare = threading.Event(), jobs.encodes, handles.prepare

    def held(name: str, report: Report = silent) -> None:
        assert going.wait(60)
        prepare(name, report)

    def ended(name: str) -> bool:
        job = jobs.last()
        assert job is not None
        going.set()
        assert job.finished.wait(60)
        return encodes(name)

    monkeypatch.setattr(handles, "reading_seconds", lambda name: 0.0)
    monkeypatch.setattr(handles, "prepare", held)
    test = app(encoder="lsa").button(key="prepare").click().run()
    assert "<dt>Your library</dt><dd>not encoded yet</dd>" in page_text(test)
    monkeypatch.setattr(jobs, "encodes", ended)  # the side has been drawn when the page asks
    test.run()
    assert "Your library is encoded with LSA." in page_text(test)
    assert "<dt>Your library</dt><dd>encoded, " in page_text(test)
