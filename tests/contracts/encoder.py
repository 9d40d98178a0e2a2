"""What every encoder promises; an encoder's own test inherits this and supplies one fixture, `encoder`."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

from engine.core import files
from engine.core.errors import NotFittedError, StorageError
from engine.core.rows import Rows
from engine.documents import Document, Section
from engine.encoders import Encoder
from engine.encoders.base import FittedEncoder

SUBJECTS = {
    "steam": "boiler pressure valve steam engine piston cylinder governor condenser crank",
    "neural": "neural network training gradient layer weights learning image recognition loss",
    "protein": "protein gene cell expression mutation binding enzyme sequence genome pathway",
    "graph": "graph vertex edge colouring clique planar matching subgraph degree tree",
}


def corpus() -> list[Document]:
    """Forty documents about four subjects: each says some of its subject's words, and function words."""
    generator = np.random.default_rng(3)
    documents = []
    for number in range(40):
        subject = list(SUBJECTS)[number % 4]
        words = SUBJECTS[subject].split()
        chosen = [words[place] for place in generator.integers(0, len(words), 30)]
        documents.append(
            Document(
                id=f"{subject}{number}",
                title=f"On the {chosen[0]} of a {chosen[1]}",
                abstract=f"We show that the {' and the '.join(chosen[2:10])} is in the {chosen[11]}.",
                sections=(Section("Method", " of ".join(chosen[12:])),),
            )
        )
    return documents


EMPTY = Document(id="empty")
FOREIGN = Document(id="foreign", title="Ünbekannte Wörter", abstract="42 + 17 = 59 !!! <b></b> &amp;")


class EncoderContract:
    """Checks of `encoder`, which knows the words of `corpus()`."""

    @pytest.fixture
    def documents(self) -> list[Document]:
        return [*corpus(), EMPTY, FOREIGN]

    def dense(self, rows: Rows) -> np.ndarray:
        return rows.toarray() if isinstance(rows, csr_array) else rows

    def test_rows_are_float32_and_as_wide_as_the_card_says(self, encoder: Encoder, documents: list[Document]) -> None:
        for rows in (encoder.encode_documents(documents), encoder.encode_queries(documents[:1])):
            assert isinstance(rows, csr_array) == encoder.card.sparse
            assert rows.dtype == np.float32
            assert rows.shape[1] == encoder.card.dim
        assert encoder.encode_documents(documents).shape == (len(documents), encoder.card.dim)
        assert encoder.encode_documents([]).shape == (0, encoder.card.dim)

    def test_document_rows_become_query_rows_without_reading_again(
        self, encoder: Encoder, documents: list[Document]
    ) -> None:
        turned = encoder.as_queries(encoder.encode_documents(documents))
        assert isinstance(turned, csr_array) == encoder.card.sparse
        assert turned.dtype == np.float32
        np.testing.assert_allclose(self.dense(turned), self.dense(encoder.encode_queries(documents)), atol=1e-6)
        assert encoder.as_queries(encoder.encode_documents([])).shape == (0, encoder.card.dim)

    def test_the_same_input_gives_the_same_rows(self, encoder: Encoder, documents: list[Document]) -> None:
        first, second = (self.dense(encoder.encode_documents(documents)) for _ in range(2))
        np.testing.assert_array_equal(first, second)

    def test_batch_size_and_order_do_not_matter(self, encoder: Encoder, documents: list[Document]) -> None:
        together = self.dense(encoder.encode_documents(documents))
        alone = np.concatenate([self.dense(encoder.encode_documents([document])) for document in documents])
        backwards = self.dense(encoder.encode_documents(documents[::-1]))[::-1]
        np.testing.assert_allclose(alone, together, atol=1e-6)
        np.testing.assert_allclose(backwards, together, atol=1e-6)

    def test_a_text_without_known_words_gives_no_nan(self, encoder: Encoder) -> None:
        assert np.isfinite(self.dense(encoder.encode_documents([EMPTY, FOREIGN]))).all()
        assert np.isfinite(self.dense(encoder.encode_queries([EMPTY, FOREIGN]))).all()

    def test_the_inner_product_puts_the_same_subject_first(self, encoder: Encoder) -> None:
        documents = corpus()
        scores = self.dense(encoder.encode_queries(documents)) @ self.dense(encoder.encode_documents(documents)).T
        np.fill_diagonal(scores, -np.inf)
        right = [
            documents[place].id.startswith(document.id.rstrip("0123456789"))
            for document, place in zip(documents, scores.argmax(axis=1), strict=True)
        ]
        assert np.mean(right) >= 0.9

    def test_the_reference_list_is_not_read(self, encoder: Encoder) -> None:
        plain = corpus()[0]
        cited = Document(
            id="cited",
            title=plain.title,
            abstract=plain.abstract,
            sections=(*plain.sections, Section("References", SUBJECTS["graph"] * 5, "references")),
        )
        np.testing.assert_array_equal(
            self.dense(encoder.encode_documents([plain])), self.dense(encoder.encode_documents([cited]))
        )

    def test_a_saved_encoder_comes_back_the_same(
        self, encoder: Encoder, documents: list[Document], tmp_path: Path
    ) -> None:
        encoder.save(tmp_path / "saved")
        again = type(encoder).load(tmp_path / "saved")
        assert again.card == encoder.card
        np.testing.assert_array_equal(
            self.dense(again.encode_documents(documents)), self.dense(encoder.encode_documents(documents))
        )

    def test_saving_again_replaces_and_leaves_nothing_beside(self, encoder: Encoder, tmp_path: Path) -> None:
        encoder.save(tmp_path / "saved")
        (tmp_path / "saved" / "old").touch()
        encoder.save(tmp_path / "saved")
        assert [path.name for path in tmp_path.iterdir()] == ["saved"]
        assert not (tmp_path / "saved" / "old").exists()

    @pytest.mark.parametrize("file", ["card.json", "weights.safetensors", "vocabulary.txt"])
    def test_a_missing_file_is_told(self, encoder: Encoder, tmp_path: Path, file: str) -> None:
        encoder.save(tmp_path / "saved")
        (tmp_path / "saved" / file).unlink()
        with pytest.raises(StorageError, match=f"Expected the file {file}"):
            type(encoder).load(tmp_path / "saved")

    @pytest.mark.parametrize("file", ["weights.safetensors", "vocabulary.txt"])
    def test_a_changed_byte_is_told(self, encoder: Encoder, tmp_path: Path, file: str) -> None:
        encoder.save(tmp_path / "saved")
        path = tmp_path / "saved" / file
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
        with pytest.raises(StorageError, match="Build the folder again"):
            type(encoder).load(tmp_path / "saved")

    def test_other_weights_under_the_same_card_are_refused(self, encoder: Encoder, tmp_path: Path) -> None:
        arrays = self.saved_arrays(encoder, tmp_path)
        name = sorted(arrays)[0]
        arrays[name] = arrays[name] * 2
        self.rewrite(tmp_path, arrays)
        with pytest.raises(StorageError, match=r"Expected the encoder \w+ in .*, found other"):
            type(encoder).load(tmp_path / "saved")

    def test_an_array_too_many_is_refused(self, encoder: Encoder, tmp_path: Path) -> None:
        self.rewrite(tmp_path, {**self.saved_arrays(encoder, tmp_path), "more": np.zeros(3)})
        with pytest.raises(StorageError, match=r"Expected the arrays .*, found .*more \(1-d\)"):
            type(encoder).load(tmp_path / "saved")

    def test_another_method_is_refused(self, encoder: Encoder, tmp_path: Path) -> None:
        encoder.save(tmp_path / "saved")
        card = files.read_json(tmp_path / "saved" / "card.json")
        files.write_json(tmp_path / "saved" / "card.json", {**card, "method": "other/9"})
        with pytest.raises(StorageError, match=r"Expected an encoder of .*, found one of other/9"):
            type(encoder).load(tmp_path / "saved")

    def saved_arrays(self, encoder: Encoder, tmp_path: Path) -> dict[str, np.ndarray]:
        encoder.save(tmp_path / "saved")
        digest = json.loads((tmp_path / "saved" / "card.json").read_text())["weights_sha256"]
        return files.read_arrays(tmp_path / "saved" / "weights.safetensors", digest)

    def rewrite(self, tmp_path: Path, arrays: dict[str, np.ndarray]) -> None:
        """Other arrays with a right checksum, under the old card."""
        card = files.read_json(tmp_path / "saved" / "card.json")
        card["weights_sha256"] = files.write_arrays(tmp_path / "saved" / "weights.safetensors", arrays)
        files.write_json(tmp_path / "saved" / "card.json", card)


@cache
def fitted_once(method: type[FittedEncoder]) -> FittedEncoder:
    """An encoder is never changed by its use, so its tests share one."""
    return method.fit(corpus())


class FittedEncoderContract(EncoderContract):
    """More checks, of encoders that learn from a corpus; the test supplies `method`."""

    method: type[FittedEncoder]

    @pytest.fixture
    def encoder(self) -> Encoder:
        return fitted_once(self.method)

    def test_fitting_again_gives_the_same_fingerprint(self, encoder: Encoder) -> None:
        assert self.method.fit(corpus()).card.fingerprint == encoder.card.fingerprint

    def test_another_corpus_gives_another_fingerprint(self, encoder: Encoder) -> None:
        assert self.method.fit(corpus()[:-3]).card.fingerprint != encoder.card.fingerprint

    def test_a_corpus_without_words_is_refused(self) -> None:
        for nothing in ([], [EMPTY, FOREIGN][:1]):
            with pytest.raises(NotFittedError, match="Expected documents with words to learn from"):
                self.method.fit(nothing)
