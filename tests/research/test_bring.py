"""`python -m engine.research bring`: a user's converted weights become an encoder's folder."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine.core import files
from engine.core.errors import InputError
from engine.evaluation import load_benchmark
from engine.research.baselines.elmo import ElmoEncoder, ElmoSettings
from engine.research.baselines.rows import ROWS
from engine.research.bring import main
from tests.contracts.encoder import corpus
from tests.evaluation.small import write_benchmark
from tests.research.baselines import tiny_recurrent
from tests.research.baselines.tiny_recurrent import WORDS


def test_skip_thoughts_become_a_row_of_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files.write_arrays(tmp_path / "weights.safetensors", tiny_recurrent.skip_thoughts())
    (tmp_path / "dictionary.txt").write_text("\n".join(WORDS) + "\n", "utf-8")
    given = ["--weights", str(tmp_path / "weights.safetensors"), "--words", str(tmp_path / "dictionary.txt")]
    main(["skip-thoughts", *given, "--out", str(tmp_path / "out")])
    assert "skip-thoughts of 14 numbers" in capsys.readouterr().out
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    measured = ROWS.measure(benchmark, f"skip-thoughts={tmp_path / 'out'}:sentences")
    assert measured.metrics["R@20"] > 0


def test_elmo_takes_its_options(tmp_path: Path) -> None:
    files.write_arrays(tmp_path / "weights.safetensors", tiny_recurrent.elmo())
    options = {"lstm": {"cell_clip": 0.5, "proj_clip": 2, "dim": 7}, "char_cnn": {"max_characters_per_token": 9}}
    (tmp_path / "options.json").write_text(json.dumps(options), "utf-8")
    given = ["--weights", str(tmp_path / "weights.safetensors"), "--options", str(tmp_path / "options.json")]
    main(["elmo", *given, "--out", str(tmp_path / "out")])
    wanted = ElmoEncoder(tiny_recurrent.elmo(), ElmoSettings(max_characters=9, cell_clip=0.5, proj_clip=2.0))
    found = ROWS.trained_encoder(f"elmo={tmp_path / 'out'}")
    assert found.card == wanted.card
    np.testing.assert_array_equal(found.encode_documents(corpus()[:2]), wanted.encode_documents(corpus()[:2]))
    del options["lstm"]["cell_clip"]
    (tmp_path / "options.json").write_text(json.dumps(options), "utf-8")
    with pytest.raises(InputError, match=r"Expected lstm\.cell_clip, .* in options\.json; got others: 'cell_clip'"):
        main(["elmo", *given, "--out", str(tmp_path / "out")])


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    files.write_arrays(tmp_path / "weights.safetensors", tiny_recurrent.elmo())
    given = ["--weights", str(tmp_path / "weights.safetensors"), "--out", str(tmp_path / "out")]
    with pytest.raises(InputError, match="Expected the file of weights and --words FILE for skip-thoughts, got one"):
        main(["skip-thoughts", *given])
    with pytest.raises(InputError, match=r"--options FILE for elmo, got .*nowhere\.json"):
        main(["elmo", *given, "--options", str(tmp_path / "nowhere.json")])
