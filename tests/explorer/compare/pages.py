"""What the tests of the compare page ask of it."""

from __future__ import annotations

import json

from streamlit.testing.v1 import AppTest

from explorer.state.examples import EXAMPLE_PAIRS

PAIR = {"a": "example:car-coupling", "b": "example:duplex-telegraph-relay"}
COMPARED = {"a": f"example:{EXAMPLE_PAIRS[0].first}", "b": f"example:{EXAMPLE_PAIRS[0].second}"}
MARKDOWN = b"# Walks on graphs\n\n## Abstract\n\nA walk on a graph.\n\n## Method\n\nWe walk.\n"


def charts(test: AppTest) -> list[dict[str, object]]:
    return [json.loads(chart.proto.spec) for chart in test.get("plotly_chart")]
