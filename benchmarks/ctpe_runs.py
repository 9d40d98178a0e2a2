"""Small CTPE models, each trained by the real pipeline once: a second call finds what the first one left."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from engine import config, files
from engine.cli.terminal import bar
from engine.documents import Document
from engine.encoders import minilm, registry
from engine.encoders.ctpe.embeddings import EmbeddingModel, SentenceMeans, WordEmbeddings
from engine.encoders.ctpe.transformer_tokens import TransformerTokens
from engine.encoders.transformer import Transformer
from engine.encoders.transformer_mean import MAX_TOKENS
from engine.encoders.word_vectors import WordVectors
from engine.evaluation.baselines import OWN_RECIPE
from engine.evaluation.benchmarks import CORPUS, QUERIES, Benchmark, Part, load_benchmark
from engine.evaluation.measure import rank, score
from engine.evaluation.systems import Prepared
from engine.evaluation.validation import Blockwise, Encodes, Validation
from engine.rows import DenseRows
from engine.training import ctpe
from engine.training.ctpe_recipe import CtpeRecipe
from engine.training.word2vec import train as train_words

RANDOM, OWN, FULL, SENTENCES, MINILM = "word2vec(ran)", "word2vec", "word2vec(full)", "sentence means", "MiniLM"
SUBWORDS = "fastText"
EMBEDDINGS = (RANDOM, OWN, SUBWORDS, FULL, SENTENCES, MINILM)
_ALL_TOKENS = 100_000
_METRICS = ("P@20", "R@20", "F1@20", "MAP@20", "nDCG@10")


@dataclass(frozen=True)
class Size:
    """How large the models and the training are; `documents` 0 takes a whole corpus."""

    channels: int = 128
    epochs: int = 5
    patience: int = 2
    documents: int = 0
    part: Part = "test"
    seed: int = 1
    settings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cell:
    """One model on one benchmark: its metrics, and for a trained one the best of its epochs."""

    label: str
    metrics: Mapping[str, float]
    fingerprint: str
    best_epoch: int | None = None
    epochs: int | None = None
    seconds: float | None = None


@dataclass
class Runs:
    """Everything that is trained and measured on one benchmark, kept below `folder`."""

    data: Path
    name: str
    folder: Path
    size: Size
    _benchmark: Benchmark | None = field(default=None, init=False)

    @property
    def benchmark(self) -> Benchmark:
        """The benchmark with the queries that are reported."""
        if self._benchmark is None:
            self._benchmark = load_benchmark(self.data / self.name, part=self.size.part)
        return self._benchmark

    def ctpe(
        self, label: str, *, embedding: str = FULL, settings: Sequence[str] = (), epochs: int | None = None
    ) -> Cell:
        """Train, or find trained, a CTPE model with these settings of its recipe, and measure it."""
        recipe = self._recipe(embedding, settings, self.size.epochs if epochs is None else epochs)
        place = self._place(label, asdict(recipe))
        kept = _read(place / "result.json")
        if kept is not None:
            return kept
        run = place / "run"
        folders = ctpe.Folders(self._training_data(), run, self.folder / self.name / "tokens")
        scored = embedding != MINILM and recipe.schedule.epochs > 0  # a transformer reads a corpus for minutes
        valid = Validation.load([self.name], self.data, metric=recipe.data.metric) if scored else None
        encoder = ctpe.train(recipe, folders, resume=run.exists(), score=valid, report=bar())
        if encoder is None:
            raise RuntimeError("these tables are trained by one process")
        encoder.save(place / "encoder")
        return self._measured(place, label, encoder, encoder.card.fingerprint, encoder.facts)

    def average(self, embedding: str) -> Cell:
        """Measure the mean of all vectors that an embedding model gives a document ("avg", CTPE, section 4.5)."""
        label = f"avg {embedding}"
        place = self._place(label, {"embedding": embedding})
        kept = _read(place / "result.json")
        if kept is not None:
            return kept
        model = self._embedding(embedding)
        most = MAX_TOKENS if embedding == MINILM else _ALL_TOKENS
        return self._measured(place, label, Average(model, most), model.fingerprint, {})

    def _recipe(self, embedding: str, settings: Sequence[str], epochs: int) -> CtpeRecipe:
        """The paper's recipe on this benchmark's corpus, at this size."""
        values: dict[str, Any] = {
            "seed": self.size.seed,
            "data": {"corpora": [self.name], "valid": [self.name], "metric": "MAP@20"},
            "network": {"channels": self.size.channels, **self._source(embedding)},
            "schedule": {"epochs": epochs, "patience": self.size.patience},
        }
        changed = config.with_settings(values, [*self.size.settings, *settings])
        recipe: CtpeRecipe = config.from_mapping(changed, CtpeRecipe, origin="benchmarks.ctpe_tables")
        return recipe

    def _source(self, embedding: str) -> dict[str, str]:
        """Where the recipe finds an embedding model."""
        if embedding == MINILM:
            return {"embedding": "transformer", "source": str(minilm.folder())}
        if embedding == SENTENCES:
            return {"embedding": "sentences", "source": "word2vec"}
        return {"embedding": "words", "source": str(self._words(embedding))}

    def _embedding(self, embedding: str) -> EmbeddingModel:
        if embedding == MINILM:
            return TransformerTokens(Transformer.open(minilm.folder()))
        words = WordEmbeddings.of(WordVectors.load(self._words(embedding)))
        return SentenceMeans(words) if embedding == SENTENCES else words

    def _words(self, embedding: str) -> Path:
        """The folder of word vectors: shipped, trained on this corpus alone, or drawn."""
        shipped = registry.PRETRAINED / "word2vec"
        if embedding in (FULL, SENTENCES):
            return shipped
        kinds = {OWN: "words-own", SUBWORDS: "words-subwords", RANDOM: "words-random"}
        folder = self.folder / self.name / kinds[embedding]
        if not folder.exists() or not (folder / "card.json").exists():
            if embedding == RANDOM:
                vectors = _random_words(WordVectors.load(shipped), self.size.seed)
            else:
                vectors = self._own_words(subwords=embedding == SUBWORDS)
            vectors.save(folder)
        return folder

    def _own_words(self, *, subwords: bool) -> WordVectors:
        texts = (document.text for document in self.benchmark.corpus)
        trained = train_words(texts, replace(OWN_RECIPE, subwords=subwords), report=bar())
        return WordVectors(trained.words, trained.vectors.astype(np.float16), trained.counts, trained.tokens)

    def _training_data(self) -> Path:
        """The folder of corpora to train on: the data themselves, or as many drawn documents of this one."""
        count = self.size.documents
        kept = self.folder / self.name / f"data-{count}"
        return drawn(self.data / self.name, kept, count) if count else self.data

    def _place(self, label: str, settings: Mapping[str, Any]) -> Path:
        """A folder that no other settings, data or queries share."""
        digests = json.dumps([settings, dict(self.benchmark.sha256), self.size.part, self.size.documents], default=str)
        return self.folder / self.name / f"{label.replace(' ', '-')}-{files.fingerprint(digests)}"

    def _measured(self, place: Path, label: str, encoder: Encodes, fingerprint: str, facts: Mapping[str, Any]) -> Cell:
        system = Blockwise(encoder, self.benchmark.corpus)
        found = score(rank(self.benchmark, Prepared(label, system, fingerprint, None)), self.benchmark)[0]
        curve = facts.get("curve", [])
        cell = Cell(
            label,
            {name: round(found[name], 4) for name in _METRICS},
            fingerprint,
            best_epoch=facts.get("best_epoch"),
            epochs=len(curve) if facts else None,
            seconds=round(sum(one["seconds"] for one in curve), 1) if facts else None,
        )
        files.write_json(place / "result.json", asdict(cell))
        return cell


@dataclass(frozen=True)
class Average:
    """The mean of a document's vectors at unit length: an encoder as far as a ranking needs one."""

    model: EmbeddingModel
    max_tokens: int

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """One row a document, (n, dim); zeros for one without a vector."""
        rows = np.zeros((len(documents), self.model.dim), np.float32)
        order = sorted(range(len(documents)), key=lambda place: len(documents[place].text))
        for start in range(0, len(order), self.model.halves_at_once):
            places = order[start : start + self.model.halves_at_once]
            vectors, lengths = self.model.encode([documents[place].text for place in places], self.max_tokens)
            inside = np.arange(vectors.shape[1]) < lengths.numpy()[:, None]  # (b, t)
            rows[places] = np.einsum("btd,bt->bd", vectors.detach().float().numpy(), inside.astype(np.float32))
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.divide(rows, norms, out=rows, where=norms > 0)

    encode_queries = encode_documents


def drawn(benchmark: Path, data: Path, count: int) -> Path:
    """A data folder with `count` documents of a benchmark's corpus, every k-th, and its queries to hold out."""
    import pyarrow.parquet as pq

    folder = data / benchmark.name
    if not (folder / CORPUS).exists():
        table = pq.read_table(benchmark / CORPUS)
        step = max(1, len(table) // count)
        folder.mkdir(parents=True, exist_ok=True)
        files.write_bytes(folder / QUERIES, (benchmark / QUERIES).read_bytes())
        pq.write_table(table.take(list(range(0, len(table), step))[:count]), folder / f"{CORPUS}.new")
        (folder / f"{CORPUS}.new").rename(folder / CORPUS)
    return data


def _random_words(shipped: WordVectors, seed: int) -> WordVectors:
    """Vectors drawn for the shipped words ("word2vec(ran)", CTPE, table 4)."""
    rows = np.random.default_rng(seed).standard_normal(shipped.vectors.shape).astype(np.float16)
    return WordVectors(shipped.words, rows, shipped.counts, shipped.tokens)


def _read(path: Path) -> Cell | None:
    return Cell(**files.read_json(path)) if path.exists() else None
