"""Pages of several steps."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest


def page() -> None:
    import streamlit as st

    from explorer.shared.steps import place_of

    step = st.session_state.get("step", "ask")
    with place_of(step, ("ask", "read", "answer")):
        st.write(f"the step {step}")


def test_a_step_shows_what_is_its_own_alone() -> None:
    test = AppTest.from_function(page).run()
    for step in ("ask", "answer", "read"):
        test.session_state["step"] = step
        assert [block.value for block in test.run().markdown] == [f"the step {step}"]


def test_a_step_that_the_page_does_not_have_is_no_place() -> None:
    from explorer.shared.steps import place_of

    with pytest.raises(KeyError, match="fourth"):
        place_of("fourth", ("ask", "read"))
