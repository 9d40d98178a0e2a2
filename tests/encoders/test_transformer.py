"""Two threads that load a model at once: the app warms several encoders while a visitor asks for another."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from engine.encoders.transformer import Transformer, batches, config_of, empty_model, without_dropout
from tests.encoders.tiny_transformer import write_tiny_transformer

PROJECT = Path(__file__).resolve().parents[2]
SCRIPT = """
import threading, torch
from engine.encoders.transformer import empty_model

CONFIG = {"model_type": "bert", "vocab_size": 9, "hidden_size": 4, "num_hidden_layers": 1, "num_attention_heads": 1}
begin, problems = threading.Barrier(4), []

def load():
    begin.wait()
    try:
        assert empty_model(CONFIG).config.hidden_size == 4
    except Exception as error:
        problems.append(repr(error))

threads = [threading.Thread(target=load) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(problems)
"""


def test_threads_that_are_the_first_to_load_a_model_all_get_it() -> None:
    # a process of its own, because the library is imported once; without the lock one run in two or three fails
    run = subprocess.run([sys.executable, "-c", SCRIPT], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "[]"


def test_threads_that_cut_at_other_lengths_get_their_own(tmp_path: Path) -> None:
    model = Transformer.open(write_tiny_transformer(tmp_path), precision="float32")
    text, wrong, begin = "steam valve " * 40, [], threading.Barrier(2)

    def read(length: int) -> None:
        begin.wait()
        wrong.extend(found for _ in range(400) if (found := len(model.tokens([text], length)[0])) != length)

    threads = [threading.Thread(target=read, args=(length,)) for length in (8, 32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert wrong == []


def test_batches_are_of_like_lengths_and_of_so_many_tokens() -> None:
    lengths = [3, 256, 17, 256, 90, 1, 200]
    found = list(batches(lengths, 512))
    assert sorted(place for batch in found for place in batch) == list(range(7))
    assert found[0] == [1, 3]
    assert all(len(batch) * max(lengths[place] for place in batch) <= 512 for batch in found)
    assert list(batches([900, 2], 512)) == [[0], [1]], "a text that is too long is read alone"
    assert list(batches([], 512)) == []


SMALL = {
    "bert": {"hidden_size": 4, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 4},
    "distilbert": {"dim": 4, "n_layers": 1, "n_heads": 1, "hidden_dim": 4},
    "gpt2": {"n_embd": 4, "n_layer": 1, "n_head": 1},
}


@pytest.mark.parametrize("kind", SMALL)
def test_a_model_of_any_kind_drops_nothing_where_it_is_told_so(kind: str) -> None:
    from torch.nn import Dropout

    config = config_of(empty_model({"model_type": kind, "vocab_size": 9, **SMALL[kind]}))

    def shares(settings: dict[str, object]) -> set[float]:
        return {part.p for part in empty_model(settings).modules() if isinstance(part, Dropout)}

    assert shares(config) == {0.1}
    assert shares(without_dropout(config)) == {0.0}
    kept = without_dropout(config, of="att")
    changed = {name for name, value in kept.items() if value != config[name]}
    assert len(changed) == 1 and "att" in changed.pop()
    assert 0.1 in shares(kept)
