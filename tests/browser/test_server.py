"""The server and the page in one process: the page of routes draws without a network, and both show one library."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.browser.app import Visitor, serving_both
from tests.browser.test_main_path import ABSTRACT, hits
from tests.browser.test_nothing_leaves import asked

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def both(chromium_is_there: None, library: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with the app beside it, on a library of its own."""
    folder = tmp_path_factory.mktemp("both") / "library"
    shutil.copytree(library, folder)
    with serving_both(folder, folder.parent / "log") as address:
        yield address


def test_the_page_of_routes_draws_and_asks_nobody_else(both: str, driver: Chrome) -> None:
    visitor = Visitor(driver, both)
    driver.get("about:blank")  # a page of another test may still ask its own server
    driver.get_log("performance")
    driver.get(f"{both}/v1/docs")
    visitor.find(".opblock-summary-path")
    shown = {one.text for one in driver.find_elements(By.CSS_SELECTOR, ".opblock-summary-path")}
    paths = httpx2.get(f"{both}/v1/openapi.json").json()["paths"]
    assert shown == set(paths)
    assert {urlsplit(address).netloc for address in asked(visitor)} == {urlsplit(both).netloc}
    driver.find_element(By.CSS_SELECTOR, "#operations-questions-search_v1_search_post button").click()
    assert (
        "What is not read yet ranks by its words alone"
        in visitor.find("#operations-questions-search_v1_search_post .opblock-body").text
    )


def test_the_page_and_the_server_answer_from_one_library(both: str, driver: Chrome) -> None:
    visitor = Visitor(driver, both)
    visitor.open()
    visitor.paste(ABSTRACT)
    shown = hits(visitor)
    told = httpx2.post(f"{both}/v1/search", json={"document": {"text": ABSTRACT}, "k": 10}, timeout=60).json()["hits"]
    assert len(told) == len(shown) and all(one["title"] in text for one, text in zip(told, shown, strict=True))
