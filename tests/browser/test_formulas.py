"""Formulas of a text are set on the page, and nothing else of it becomes markup."""

from __future__ import annotations

import pytest

from tests.browser.app import Visitor

pytestmark = pytest.mark.browser

_SET = "return [...document.querySelectorAll('.ps-passage .ps-tex math')].map(one => one.textContent)"


def test_a_formula_of_the_question_is_set(visitor: Visitor) -> None:
    visitor.open()
    visitor.paste(
        r"Steam engines whose boilers lie in $\mathbb{R}^n$ with $\text{<img src=x onerror=alert(1)>}$ valves."
    )
    visitor.until(lambda driver: "\u211dn" in driver.execute_script(_SET), "the formula is not set")
    assert visitor.driver.execute_script("return document.querySelectorAll('.ps-passage img').length") == 0
    assert "$" not in visitor.find(".ps-passage").text
