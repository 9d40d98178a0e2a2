"""The front door opens fast: nothing heavy is loaded before a page needs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from engine.encoders import registry
from engine.library import Library
from engine.workspace.indexing import encoder_for, index_library
from tests.explorer.conftest import OWN

PROJECT = Path(__file__).resolve().parents[2]
HEAVY = {"torch", "transformers", "umap", "sklearn", "faiss", "numba", "gensim", "pypdfium2"}
SCRIPT = """
import json, sys
import streamlit
before = set(sys.modules)
from streamlit.testing.v1 import AppTest
from engine.workspace import Workspace
Workspace.warm = lambda self, name: None  # it works in the background after the first paint
test = AppTest.from_file("streamlit_app.py", default_timeout=60).run()
assert not test.exception, test.exception
assert test.title[0].value == "What lies near your document?"
loaded = {name.split(".")[0] for name in sys.modules} - {name.split(".")[0] for name in before}
engine = sorted(name for name in sys.modules if name.startswith("engine."))
print(json.dumps([sorted({name.split(".")[0] for name in sys.modules}), sorted(loaded), engine]))
"""


@pytest.mark.parametrize(("documents", "encoded"), [(0, False), (3, False), (3, True)])
def test_the_first_paint_loads_nothing_heavy(tmp_path: Path, documents: int, encoded: bool) -> None:
    with Library.open(tmp_path / "library", create=True) as library:
        library.add_file("own", "own.jsonl", OWN[:documents])
        if encoded:
            index_library(library, encoder_for(library, registry.DEFAULT))
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=PROJECT,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PRIORSCOPE_LIBRARY": str(tmp_path / "library")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    held, loaded, engine = json.loads(run.stdout.strip().rsplit("\n", 1)[-1])
    assert set(held) & HEAVY == set()
    assert set(loaded) & {"plotly", "pyarrow", "pandas"} == set()  # what Streamlit loads itself is not ours
    assert {"engine.search.searcher", "engine.workspace.importing", "engine.maps.fitting"} & set(engine) == set()
