"""A taught transformer as an encoder: its settings, the contract, its rows by hand, storage, bad folders."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core import files
from engine.core.errors import EncoderError, StorageError
from engine.documents import Document
from engine.encoders import registry, storage
from engine.encoders.base import Encoder
from engine.encoders.student.encoder import StudentEncoder
from engine.encoders.student.settings import StudentSettings
from engine.encoders.transformer import Transformer, bare_model
from engine.encoders.transformer_mean import TransformerMeanEncoder
from tests.contracts.encoder import EncoderContract, corpus
from tests.encoders.tiny_student import teacher, tiny, weights
from tests.encoders.tiny_transformer import write_tiny_transformer


def moved() -> StudentEncoder:
    """The same transformer with other weights."""
    import torch

    model = bare_model(teacher().config)
    drawn = torch.Generator().manual_seed(4)
    given = {name: torch.from_numpy(teacher().arrays[name]) for name in model.state_dict()}
    model.load_state_dict(
        {
            name: part + 0.2 * torch.randn(part.shape, generator=drawn) if part.is_floating_point() else part
            for name, part in given.items()
        }
    )
    return StudentEncoder.of(model, teacher().tokenizer, StudentSettings(max_tokens=64), trained_on=("more",))


class TestContract(EncoderContract):
    """In float32: in bfloat16 rows hold to 1e-2 whatever they are encoded with."""

    @pytest.fixture
    def encoder(self, monkeypatch: pytest.MonkeyPatch) -> Encoder:
        monkeypatch.setattr("engine.encoders.transformer.reading_precision", lambda: "float32")
        return tiny()


def test_rows_are_the_mean_of_the_token_vectors() -> None:
    found = tiny().encode_documents(corpus()[:3])
    plain = TransformerMeanEncoder(teacher(), max_tokens=64).encode_documents(corpus()[:3])
    np.testing.assert_allclose(found, plain, atol=2e-2)


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_between_two_lies_the_share_of_every_weight(precision: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.encoders.transformer.reading_precision", lambda: precision)
    one, other = tiny(), moved()
    found = one.between(other, 0.25, facts={"share": 0.25})
    for name, part in weights(found).items():
        wanted = 0.75 * weights(one)[name] + 0.25 * weights(other)[name]
        np.testing.assert_allclose(part, wanted, atol=0.02 if part.ndim == 2 else 1e-6)
    assert found.facts == {"share": 0.25} and found.card.trained_on == ("more",)
    assert one.between(other, 0.0).card.fingerprint == one.card.fingerprint
    assert found.card.fingerprint not in {one.card.fingerprint, other.card.fingerprint}


def test_between_transformers_of_other_shapes_there_is_nothing(tmp_path: Path) -> None:
    short = Transformer.open(write_tiny_transformer(tmp_path, max_positions=32), precision="float32")
    other = StudentEncoder.of(bare_model(short.config), short.tokenizer, StudentSettings(max_tokens=32))
    with pytest.raises(EncoderError, match="of one shape and one vocabulary, got others"):
        tiny().between(other, 0.5)


def test_what_is_loaded_has_the_same_card_and_facts(tmp_path: Path) -> None:
    encoder = tiny(StudentSettings(max_tokens=5))
    encoder.facts = {"best_epoch": 2}
    encoder.save(tmp_path / "student")
    again = registry.load_folder(tmp_path / "student")
    assert isinstance(again, StudentEncoder)
    assert (again.card, again.facts) == (encoder.card, {"best_epoch": 2})
    assert encoder.card.max_tokens == 5 and encoder.card.stored == "int8"
    longer, shorter = again.encode_documents([Document("a", title="boiler valve gene graph loss tree"), corpus()[0]])
    assert longer.shape == shorter.shape


def test_another_length_is_another_encoder_of_the_same_weights() -> None:
    encoder = tiny(StudentSettings(max_tokens=8))
    encoder.facts = {"best_epoch": 2}
    shorter = encoder.reading(4)
    text = Document("a", title="boiler valve gene graph loss tree")
    assert (shorter.card.max_tokens, shorter.facts) == (4, {"best_epoch": 2})
    assert shorter.card.fingerprint != encoder.card.fingerprint
    assert not np.allclose(shorter.encode_documents([text]), encoder.encode_documents([text]), atol=1e-2)
    assert shorter.reading(8).card == encoder.card


def test_more_is_read_of_a_question() -> None:
    usual = tiny(StudentSettings(max_tokens=4))
    asking, text = usual.reading(4, query_tokens=8), "boiler valve gene graph loss tree"
    question, paper = (Document("a", kind, title=text) for kind in ("query", "paper"))
    np.testing.assert_array_equal(asking.encode_documents([question]), usual.encode_documents([question]))
    np.testing.assert_array_equal(asking.encode_queries([question]), usual.reading(8).encode_documents([question]))
    np.testing.assert_array_equal(asking.encode_queries([paper]), asking.encode_documents([paper]))
    np.testing.assert_array_equal(usual.encode_queries([question]), usual.encode_documents([question]))
    together = asking.encode_queries([paper, question, paper])
    alone = [asking.encode_queries([one])[0] for one in (paper, question, paper)]
    np.testing.assert_allclose(together, alone, atol=2e-2)
    assert not np.allclose(together[0], together[1], atol=2e-2)
    assert asking.card.fingerprint not in {usual.card.fingerprint, usual.reading(8).card.fingerprint}
    assert asking.reading(4).card == usual.card


@pytest.mark.parametrize(
    ("layers", "name"), [(1, "student"), (3, "student"), (4, "student-large"), (6, "student-large")]
)
def test_more_layers_have_a_name_of_their_own(layers: int, name: str, tmp_path: Path) -> None:
    config = {**teacher().config, "num_hidden_layers": layers}
    encoder = StudentEncoder.of(bare_model(config), teacher().tokenizer, StudentSettings(max_tokens=16))
    encoder.save(tmp_path / "saved")
    assert encoder.card.name == name
    assert StudentEncoder.load(tmp_path / "saved").card == encoder.card
    assert ("six layers" in encoder.card.summary) == (name == "student-large")


def test_a_folder_with_other_settings_is_refused(tmp_path: Path) -> None:
    tiny().save(tmp_path / "student")
    card = files.read_json(tmp_path / "student" / storage.CARD)
    for change, said in (
        ({"max_tokens": 63}, "found other weights"),
        ({"config": {"model_type": "no such"}}, "Expected a taught transformer in"),
    ):
        settings = {**card["facts"][storage.SETTINGS], **change}
        changed = {**card, "facts": {**card["facts"], storage.SETTINGS: settings}}
        files.write_json(tmp_path / "student" / storage.CARD, changed)
        with pytest.raises(StorageError, match=said):
            StudentEncoder.load(tmp_path / "student")
    with pytest.raises(ValueError, match="max_tokens must be at least 1, got 0"):
        StudentSettings(max_tokens=0)
    with pytest.raises(ValueError, match="stored must be one of"):
        StudentSettings(stored="int3")


def test_how_much_is_read_of_a_query_is_kept_and_bounded(tmp_path: Path) -> None:
    asking = tiny(StudentSettings(max_tokens=4, query_tokens=8))
    asking.save(tmp_path / "student")
    again = StudentEncoder.load(tmp_path / "student")
    assert again.settings == asking.settings and again.card == asking.card
    with pytest.raises(EncoderError, match=r"Expected query_tokens of at most .* got 100000"):
        asking.reading(4, query_tokens=100_000)
    with pytest.raises(ValueError, match="query_tokens must not be negative, got -1"):
        StudentSettings(query_tokens=-1)
