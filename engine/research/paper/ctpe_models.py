"""Small CTPE models in the paper's own form, each trained by the real pipeline once and then found again."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from engine import encoders
from engine.core import config, files
from engine.core.errors import EvaluationError
from engine.core.rows import DenseRows
from engine.documents import Document
from engine.encoders import Transformer, WordVectors, minilm
from engine.encoders.ctpe import EmbeddingModel, SentenceMeans, TransformerTokens, WordEmbeddings
from engine.encoders.transformer_mean import MAX_TOKENS
from engine.evaluation import Benchmark, Validation
from engine.evaluation.benchmarks import CORPUS, QUERIES
from engine.evaluation.measure import Blockwise, Encodes, PreparedSystem, rank, score
from engine.research.baselines import glove
from engine.research.baselines.rows import OWN_RECIPE
from engine.research.paper.settings import CtpeSize, CtpeTables
from engine.research.paper.work import Work, by_metric, rounded
from engine.training import Folders
from engine.training.ctpe import trainer
from engine.training.ctpe.recipe import CtpeRecipe
from engine.training.word2vec import TrainedWords, Word2vecRecipe
from engine.training.word2vec import train as train_words

RANDOM, OWN, FULL, SENTENCES, MINILM = "word2vec(ran)", "word2vec", "word2vec(full)", "sentence means", "MiniLM"
GLOVE, GLOVE_FULL, SUBWORDS = "GloVe", "GloVe(full)", "fastText"
EMBEDDINGS = (RANDOM, GLOVE, GLOVE_FULL, OWN, SUBWORDS, FULL, SENTENCES, MINILM)

WORD2VEC_FULL = "word2vec-full"
"""The recipe of word2vec on all text, and the name by which `--trained` gives its folder."""

VALID_METRIC = "MAP@20"
_ALL_TOKENS = 100_000
_RESULT = "result.json"
R = TypeVar("R", Word2vecRecipe, glove.GloveRecipe)


@dataclass(frozen=True)
class Cell:
    """One model on one benchmark: its metrics, and for a trained one the best of its epochs."""

    label: str
    metrics: Mapping[str, float]
    fingerprint: str
    by_query: Mapping[str, Sequence[float]]
    best_epoch: int | None = None
    epochs: int | None = None
    seconds: float | None = None

    @property
    def facts(self) -> dict[str, Any]:
        """What made the figures."""
        return {name: value for name, value in asdict(self).items() if name not in ("label", "metrics", "by_query")}


@dataclass(frozen=True)
class Models:
    """Everything that is trained and measured of CTPE on one benchmark, kept below the folder of its name.

    `small` networks have the size of tables 4 and 5.
    """

    work: Work
    benchmark: Benchmark
    small: bool = False

    @property
    def folder(self) -> Path:
        """The folder of everything trained on this benchmark."""
        return self.work.runs / self.benchmark.name

    @property
    def tables(self) -> CtpeTables:
        """How CTPE's tables are made."""
        return self.work.settings.ctpe

    @property
    def size(self) -> CtpeSize:
        """How large the networks are and how long they learn."""
        return self.tables.size_on(self.benchmark.name, small=self.small)

    def ctpe(
        self, label: str, *, embedding: str = FULL, settings: Sequence[str] = (), epochs: int | None = None
    ) -> Cell:
        """Train, or find trained, a CTPE model with these settings of its recipe, and measure it."""
        recipe = self._recipe(embedding, settings, self.size.epochs if epochs is None else epochs)
        of = asdict(recipe)
        del of["network"]["source"]  # what they hold counts, not where they lie
        if not recipe.places.source and not recipe.pairs.part_tokens:
            del of["places"], of["pairs"]["part_tokens"]  # what is not used makes no other model
        place = self._place(label, of | {"vectors": self._made_of(embedding)})
        return self._found(place) or self._trained(label, recipe, place)

    def average(self, embedding: str) -> Cell:
        """Measure the mean of all vectors that an embedding model gives a document ("avg", CTPE, section 4.5)."""
        label = f"avg {embedding}"
        settings = {"embedding": embedding, "seed": self.work.settings.seed, "vectors": self._made_of(embedding)}
        place = self._place(label, settings)
        kept = self._found(place)
        if kept is not None:
            return kept
        model = self._embedding(embedding)
        most = MAX_TOKENS if embedding == MINILM else _ALL_TOKENS
        return self._measured(place, label, Average(model, most), model.fingerprint, {})

    def _trained(self, label: str, recipe: CtpeRecipe, place: Path) -> Cell:
        name, run = self.benchmark.name, place / "run"
        folders = Folders(self._training_data(), run, self.folder / "tokens")
        trained = recipe.schedule.epochs > 0
        valid = Validation.load([name], self.work.data, metric=VALID_METRIC) if trained else None
        encoder = trainer.train(recipe, folders, resume=run.exists(), score=valid, report=self.work.report)
        if encoder is None:
            raise EvaluationError("Expected one process to train these tables, got several. Run the suite in one.")
        encoder.save(place / "encoder")
        return self._measured(place, label, encoder, encoder.card.fingerprint, encoder.facts)

    def _recipe(self, embedding: str, settings: Sequence[str], epochs: int) -> CtpeRecipe:
        """Return the paper's recipe on this benchmark's corpus, at this size."""
        values: dict[str, Any] = {
            "seed": self.work.settings.seed,
            "data": {"corpora": [self.benchmark.name], "valid": [self.benchmark.name], "metric": VALID_METRIC},
            "network": {"channels": self.size.channels, **self._source(embedding)},
            "schedule": {"epochs": epochs, "patience": self.size.patience},
        }
        changed = config.with_settings(values, [*self.tables.settings, *settings])
        recipe: CtpeRecipe = config.from_mapping(changed, CtpeRecipe, origin="ctpe.settings")
        return recipe

    def _source(self, embedding: str) -> dict[str, str]:
        """Return where the recipe finds an embedding model."""
        if embedding == MINILM:
            return {"embedding": "transformer", "source": str(minilm.minilm_folder())}
        if embedding == SENTENCES:
            return {"embedding": "sentences", "source": "word2vec"}
        return {"embedding": "words", "source": str(self.words(embedding))}

    def _made_of(self, embedding: str) -> str:
        """Return the fingerprint of what gives an embedding model's vectors."""
        if embedding == MINILM:
            return files.sha256_file(minilm.minilm_folder() / minilm.WEIGHTS)
        return encoders.read_card(self.words(embedding)).fingerprint

    def _embedding(self, embedding: str) -> EmbeddingModel:
        if embedding == MINILM:
            return TransformerTokens(Transformer.open(minilm.minilm_folder()))
        words = WordEmbeddings.of(WordVectors.load(self.words(embedding)))
        return SentenceMeans(words) if embedding == SENTENCES else words

    def words(self, embedding: str) -> Path:
        """Return the folder of word vectors: shipped, trained on all text or on this corpus alone, or drawn.

        Raises EvaluationError for an unknown name, ConfigError for settings that their recipe does not know, and
        InputError where all text is not there.
        """
        shipped, own = encoders.PRETRAINED / "word2vec", self.tables
        if embedding == FULL and (own.word2vec or WORD2VEC_FULL in self.work.trained):
            return self.work.train_words(WORD2VEC_FULL, own.word2vec)
        if embedding in (FULL, SENTENCES):
            return shipped
        if embedding == GLOVE_FULL:
            return self.work.train_words("glove-full", own.glove)
        makers: Mapping[str, Callable[[], WordVectors]] = {
            RANDOM: lambda: _random_words(WordVectors.load(shipped), self.work.settings.seed),
            OWN: lambda: self._own_words(subwords=False),
            SUBWORDS: lambda: self._own_words(subwords=True),
            GLOVE: self._own_glove,
        }
        if embedding not in makers:
            raise EvaluationError(f"Expected embeddings among {', '.join(EMBEDDINGS)}; got {embedding}.")
        made_by = {RANDOM: ("uniform",), GLOVE: own.glove}.get(embedding, own.word2vec)
        digest = files.fingerprint(self.benchmark.sha256[CORPUS], str(self.work.settings.seed), *made_by)
        folder = self.folder / f"{embedding}-{digest}"
        if not (folder / "card.json").exists():
            makers[embedding]().save(folder)
        return folder

    def _own_words(self, *, subwords: bool) -> WordVectors:
        texts = (document.text for document in self.benchmark.corpus)
        recipe = changed(replace(OWN_RECIPE, subwords=subwords), self.tables.word2vec)
        return _half(train_words(texts, recipe, report=self.work.report))

    def _own_glove(self) -> WordVectors:
        texts = (document.text for document in self.benchmark.corpus)
        recipe = changed(glove.GloveRecipe(OWN_RECIPE.corpora, seed=self.work.settings.seed), self.tables.glove)
        return _half(glove.train(texts, recipe, report=self.work.report))

    def _training_data(self) -> Path:
        """Return the folder of corpora to train on: the data themselves, or as many drawn documents of this one."""
        count = self.tables.documents
        if not count or count >= len(self.benchmark.corpus):
            return self.work.data
        kept = self.folder / f"data-{count}-{files.fingerprint(self.benchmark.sha256[CORPUS])}"
        return drawn(self.work.data / self.benchmark.name, kept, count)

    def _place(self, label: str, settings: Mapping[str, Any]) -> Path:
        """Return a folder that no other settings, data or number of documents shares; results go by queries' part."""
        digests = json.dumps([settings, dict(self.benchmark.sha256), self.tables.documents], default=str)
        return self.folder / f"{label.replace(' ', '-')}-{files.fingerprint(digests)}"

    def _found(self, place: Path) -> Cell | None:
        path = place / f"{self.benchmark.part}-{_RESULT}"
        return Cell(**files.read_json(path)) if path.exists() else None

    def _measured(self, place: Path, label: str, encoder: Encodes, fingerprint: str, facts: Mapping[str, Any]) -> Cell:
        system = Blockwise(encoder, self.benchmark.corpus)
        run = rank(self.benchmark, PreparedSystem(label, system, fingerprint, None))
        found, by_query = score(run, self.benchmark)
        curve = facts.get("curve", [])
        cell = Cell(
            label,
            rounded(found),
            fingerprint,
            by_metric(by_query),
            best_epoch=facts.get("best_epoch"),
            epochs=len(curve) if facts else None,
            seconds=round(sum(one["seconds"] for one in curve), 1) if facts else None,
        )
        files.write_json(place / f"{self.benchmark.part}-{_RESULT}", asdict(cell))
        return cell


@dataclass(frozen=True)
class Average:
    """The mean of a document's vectors at unit length: an encoder as far as a ranking needs one."""

    model: EmbeddingModel
    max_tokens: int

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Return one row a document, (n, dim); zeros for one without a vector."""
        rows = np.zeros((len(documents), self.model.dim), np.float32)
        order = sorted(range(len(documents)), key=lambda place: len(documents[place].text))
        for start in range(0, len(order), self.model.halves_at_once):
            places = order[start : start + self.model.halves_at_once]
            vectors, lengths = self.model.encode([documents[place].text for place in places], self.max_tokens)
            inside = np.arange(vectors.shape[1]) < lengths.numpy()[:, None]  # (b, t)
            rows[places] = np.einsum("btd,bt->bd", vectors.detach().float().numpy(), inside.astype(np.float32))
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        np.divide(rows, norms, out=rows, where=norms > 0)
        return rows

    encode_queries = encode_documents


def drawn(benchmark: Path, data: Path, count: int) -> Path:
    """Return a data folder with `count` documents of a benchmark's corpus, every k-th, and its queries to hold out."""
    import pyarrow.parquet as pq

    folder = data / benchmark.name
    if not (folder / CORPUS).exists():
        table = pq.read_table(benchmark / CORPUS)
        step = max(1, len(table) // count)
        files.write_bytes(folder / QUERIES, (benchmark / QUERIES).read_bytes())
        written = io.BytesIO()
        pq.write_table(table.take(list(range(0, len(table), step))[:count]), written)
        files.write_bytes(folder / CORPUS, written.getvalue())
    return data


def changed(recipe: R, settings: Sequence[str]) -> R:
    """Return a word recipe with "key=value" settings in their places. Raises ConfigError for an unknown key."""
    values = {**asdict(recipe), "corpora": list(recipe.corpora)}
    return config.from_mapping(config.with_settings(values, settings), type(recipe), origin=f"ctpe.{recipe.method}")


def _half(trained: TrainedWords) -> WordVectors:
    """Return word vectors in half precision, as those that are shipped."""
    return WordVectors(trained.words, trained.vectors.astype(np.float16), trained.counts, trained.tokens)


def _random_words(shipped: WordVectors, seed: int) -> WordVectors:
    """Return vectors drawn uniformly for the shipped words ("word2vec(ran)", CTPE, section 4.2 and table 4)."""
    rows = np.random.default_rng(seed).uniform(-1, 1, shipped.vectors.shape).astype(np.float16)
    return WordVectors(shipped.words, rows, shipped.counts, shipped.tokens)
