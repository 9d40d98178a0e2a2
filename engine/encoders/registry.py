"""Every encoder by name, those that come with Priorscope and a person's own: what it is, and how to load it."""

from __future__ import annotations

import gc
import os
import threading
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, cast
from weakref import WeakValueDictionary

from engine.core.errors import EncoderError, NotFittedError, StorageError, UnknownEncoderError
from engine.core.files import stamp
from engine.documents import Document
from engine.encoders import blend_settings as blend
from engine.encoders import lsa, storage, tfidf, word_vectors
from engine.encoders.base import Encoder, EncoderCard, FittedEncoder
from engine.encoders.cdssm import settings as cdssm
from engine.encoders.colde import settings as colde
from engine.encoders.ctpe import settings as ctpe
from engine.encoders.kept_models import KeptModel
from engine.encoders.keyvec import settings as keyvec
from engine.encoders.model_folder import ModelFacts, facts_of, fetch, name_from, on_this_machine
from engine.encoders.processor import give_back_memory
from engine.encoders.sentence_transformer import (
    MODULES,
    SentenceTransformerEncoder,
    StaticEmbeddingEncoder,
    module_kinds,
)
from engine.encoders.student import settings as student
from engine.encoders.transformer_mean import TransformerMeanEncoder
from engine.encoders.word_vectors import Word2vecMeanEncoder, Word2vecSifEncoder

DEFAULT = blend.NAME
PRETRAINED = Path(__file__).resolve().parents[2] / "pretrained"
USUAL_KEYWORD_WEIGHT = 2.0
SENTENCE_KEYWORD_WEIGHT = 0.75
"""The keywords' weight beside an encoder of sentences: chosen for those that come with Priorscope, whose valid queries
lose most above 1.5 (engine/research/reports/fusion.json), and taken for a person's own."""

UNUSED_MINUTES = "PRIORSCOPE_MODEL_MINUTES"
"""An environment variable: after how many minutes without use encoders leave the app's memory, 10 by default."""

_IN_MEMORY: WeakValueDictionary[tuple[str, Path, Hashable], _Lent] = WeakValueDictionary()
_LOADING: dict[tuple[str, Path], threading.Lock] = {}
"""One lock a folder: two threads wait for one loading, and different encoders load at the same time."""

_SECONDS_BETWEEN_LOOKS = 2.0
_SENTENCE_METHOD = "sentence-transformer/1"
_RANKINGS = ("default", "meaning", "keywords", "bm25", "bm25-stems")  # what measures and bake-offs call by these names


@dataclass(frozen=True, slots=True)
class Entry:
    """One encoder to choose."""

    name: str
    label: str
    """Its name on screen; the part before the colon names it in a sentence."""

    summary: str
    method: str
    """The method's name in card.json, by which `load_folder` finds the loader."""

    loader: str
    """The dotted path of its class, imported only when the encoder is loaded, because most need torch."""

    shipped: str | None = None
    """Its folder in pretrained/, or the whole path of a person's own model; None for an encoder that learns from the
    library that it searches."""

    card_from: Callable[[EncoderCard], EncoderCard] | None = None
    """Makes its card from the one in that folder, if more than name and summary differ."""

    sparse: bool = False
    searches: bool = True
    """False where reading a whole library would take hours; it is then not offered for search."""

    joins: tuple[str, ...] = ()
    """The encoders that it combines; their folders lie beside its own."""

    keyword_weight: float = USUAL_KEYWORD_WEIGHT
    """The weight of the keywords' ranking beside this encoder's 1 when the two are fused.

    The value with the best mean nDCG@10 over the valid queries of six sets: `python -m engine.research fusion`,
    engine/research/reports/fusion.json.
    """

    passage_weight: float | None = None
    """The same where the question is a passage that cites works and uses their words; None if not measured.

    The value with the best nDCG@10 over the valid queries of acm-citation, with and without the citing paper's title:
    `python -m engine.research citing_passages`, engine/research/reports/citing-passages.json and
    citing-passages-large.json.
    """

    @property
    def folder(self) -> Path | None:
        """Where its weights lie; None for an encoder that learns from the library that it searches."""
        return None if self.shipped is None else PRETRAINED / self.shipped

    @property
    def learns(self) -> bool:
        """Whether it learns from the library that it searches, instead of having weights."""
        return self.shipped is None

    @property
    def is_own(self) -> bool:
        """Whether it is a model that a person brought."""
        return self.name not in ENTRIES

    @property
    def card(self) -> EncoderCard:
        """Its card, with dim 0 and no fingerprint where it learns. Raises StorageError for a damaged folder."""
        if self.folder is None:
            return EncoderCard(self.name, self.summary, 0, "", trained_on=("your library",), sparse=self.sparse)
        stored = storage.read_card(self.folder)
        if self.card_from is not None:
            return self.card_from(stored)
        return replace(stored, name=self.name, summary=self.summary)

    @property
    def facts(self) -> Mapping[str, Any]:
        """What its card.json holds beside the card; empty where it learns. Raises StorageError as `card` does."""
        return {} if self.folder is None else storage.read_head(self.folder)[1]["facts"]


class KeywordWeights(NamedTuple):
    """How much the ranking by keywords counts beside an encoder's, which counts 1, when the two are fused."""

    usual: float
    of_passages: float | None
    """Beside questions that are passages which cite; None if not measured."""

    reason: str
    """Why they weigh that beside a person's own model, in a part of a sentence."""


def _word_vectors(
    kind: type[Word2vecMeanEncoder], label: str, *, keyword_weight: float = USUAL_KEYWORD_WEIGHT
) -> Entry:
    """Return the entry of an encoder of the shipped word vectors."""
    return Entry(
        kind.name,
        label,
        kind.summary,
        word_vectors.METHOD,
        f"{kind.__module__}.{kind.__name__}",
        shipped="word2vec",
        card_from=kind.card_from,
        keyword_weight=keyword_weight,
    )


_LISTED = (
    Entry(
        blend.NAME,
        "Blend: CTPE and a small transformer",
        blend.SUMMARY,
        blend.METHOD,
        "engine.encoders.blend.BlendEncoder",
        shipped="blend",
        joins=(ctpe.NAME, student.NAME),
        keyword_weight=0.75,
        passage_weight=1.5,
    ),
    Entry(
        blend.LARGE,
        "Large blend: CTPE and a larger transformer",
        blend.LARGE_SUMMARY,
        blend.METHOD,
        "engine.encoders.blend.BlendEncoder",
        shipped="blend-large",
        joins=(ctpe.NAME, student.LARGE),
        keyword_weight=0.75,
        passage_weight=1.0,
    ),
    Entry(
        ctpe.NAME,
        "CTPE: coupled text pairs",
        ctpe.SUMMARY,
        ctpe.METHOD,
        "engine.encoders.ctpe.encoder.CtpeEncoder",
        shipped="ctpe",
        keyword_weight=1.5,
    ),
    Entry(
        student.NAME,
        "Student: a small transformer",
        student.SUMMARY,
        student.METHOD,
        "engine.encoders.student.encoder.StudentEncoder",
        shipped="student",
        keyword_weight=SENTENCE_KEYWORD_WEIGHT,
    ),
    Entry(
        student.LARGE,
        "Large student: a larger transformer",
        student.LARGE_SUMMARY,
        student.METHOD,
        "engine.encoders.student.encoder.StudentEncoder",
        shipped="student-large",
        keyword_weight=SENTENCE_KEYWORD_WEIGHT,
    ),
    _word_vectors(Word2vecSifEncoder, "Word vectors, common words turned down", keyword_weight=3.0),
    Entry(
        cdssm.NAME,
        "C-DSSM: words by their letters",
        cdssm.SUMMARY,
        cdssm.METHOD,
        "engine.encoders.cdssm.encoder.CdssmEncoder",
        shipped="cdssm",
    ),
    Entry(tfidf.NAME, "TF-IDF", tfidf.SUMMARY, tfidf.METHOD, "engine.encoders.tfidf.TfidfEncoder", sparse=True),
    Entry(lsa.NAME, "LSA", lsa.SUMMARY, lsa.METHOD, "engine.encoders.lsa.LsaEncoder"),
    _word_vectors(Word2vecMeanEncoder, "Word vectors, plain mean"),
    Entry(
        keyvec.NAME,
        "KeyVec: salient sentences",
        keyvec.SUMMARY,
        keyvec.METHOD,
        "engine.encoders.keyvec.encoder.KeyvecEncoder",
        shipped="keyvec",
    ),
    Entry(
        colde.NAME,
        "CoLDE: long documents",
        colde.SUMMARY,
        colde.METHOD,
        "engine.encoders.colde.encoder.ColdeEncoder",
        shipped="colde",
        searches=False,
    ),
)

ENTRIES: dict[str, Entry] = {entry.name: entry for entry in _LISTED}
"""Every encoder that comes with Priorscope, in the order of the README's table of what to choose."""

_LOADERS: dict[str, str] = {
    **{entry.method: entry.loader for entry in _LISTED},
    word_vectors.METHOD: "engine.encoders.word_vectors.Word2vecMeanEncoder",  # of the two that read them
    "transformer-mean/1": "engine.encoders.transformer_mean.TransformerMeanEncoder",
    "transformer-chunks/1": "engine.encoders.transformer_mean.TransformerChunksEncoder",
    _SENTENCE_METHOD: "engine.encoders.sentence_transformer.SentenceTransformerEncoder",
    "static-embedding/1": "engine.encoders.sentence_transformer.StaticEmbeddingEncoder",
    "sentence-mean/1": "engine.encoders.sentence_mean.SentenceMeanEncoder",
}
"""Which class reads an encoder's folder, by the method in its card.json; some load only from a folder."""


def encoder_names() -> tuple[str, ...]:
    """Return the name of every encoder that learns or whose weights are here, a person's own models last."""
    folders = {entry.name: entry.folder for entry in ENTRIES.values()}
    here = (name for name, folder in folders.items() if folder is None or folder.is_dir())
    return (*here, *_offered())


def shipped_folders() -> list[Path]:
    """Return the folders of weights that come with Priorscope, of encoders and what they need; one may be missing."""
    named = {entry.folder for entry in ENTRIES.values() if entry.folder is not None}
    return sorted(named | {path.parent for path in PRETRAINED.glob(f"*/{storage.CARD}")})


def search_names() -> tuple[str, ...]:
    """Return the names of encoders that can search and map a whole library."""
    return tuple(name for name in encoder_names() if name not in ENTRIES or ENTRIES[name].searches)


def find(name: str) -> Entry:
    """Return the entry of a name; "default" is the default encoder's.

    Raises UnknownEncoderError, or StorageError where the folder of a person's own model is damaged.
    """
    wanted = DEFAULT if name == "default" else name
    if wanted in ENTRIES:
        return ENTRIES[wanted]
    if wanted not in (own := _offered()):
        raise UnknownEncoderError(f"Expected an encoder among {', '.join([*ENTRIES, *own])}, got {name!r}.")
    folder = own[wanted].folder
    card, value = storage.read_head(folder)
    method = value["method"]
    if method not in _LOADERS:
        raise StorageError(
            f"Expected a transformer in {folder}, found {method!r}. Remove the model and bring it again."
        )
    return Entry(wanted, wanted, card.summary, method, _LOADERS[method], shipped=str(folder.absolute()))


def label(name: str) -> str:
    """Return an encoder's label, or its name if it has no entry."""
    return ENTRIES[name].label if name in ENTRIES else name


def keyword_weights(name: str) -> KeywordWeights:
    """Return the weights of keywords beside the encoder of a name (see `Entry`).

    A person's own model of sentences, offered or not, counts as one that comes with Priorscope; any other encoder
    without an entry has the usual weights.
    """
    reason = "the usual weight beside an encoder for which none was chosen"
    if (entry := ENTRIES.get(name)) is not None:
        return KeywordWeights(entry.keyword_weight, entry.passage_weight, reason)
    try:
        method = storage.read_head(KeptModel.read(name).folder)[1]["method"]
    except (UnknownEncoderError, StorageError):
        method = ""
    if method == _SENTENCE_METHOD:
        reason = "as beside the sentence encoders that come with Priorscope"
        return KeywordWeights(SENTENCE_KEYWORD_WEIGHT, None, reason)
    return KeywordWeights(USUAL_KEYWORD_WEIGHT, None, reason)


def load(name: str, *, folder: Path | None = None) -> Encoder:
    """Load an encoder from `folder`, by default the shipped one.

    Raises UnknownEncoderError, StorageError, or NotFittedError for one without shipped weights.
    """
    entry = find(name)
    place = folder or entry.folder
    if place is None:
        raise NotFittedError(
            f"Expected the folder of a fitted {name}, got none: it learns from a library and ships no weights. "
            "Fit it on your documents first."
        )
    return _loaded(entry.loader, place)


def load_folder(folder: Path, loaders: Mapping[str, str] = MappingProxyType({})) -> Encoder:
    """Load an encoder of any method from its folder, or a transformer that another library saved.

    `loaders` name the class of further methods, as `Entry.loader` does, by the method in the folder's card.json.
    A sentence-transformers folder is read as it says, any other of `transformers` as the mean of its token vectors, and
    word vectors as their plain mean. Raises StorageError where the folder holds none of these, or EncoderError.
    """
    if not (folder / storage.CARD).exists():
        if (folder / MODULES).exists():
            kinds = [kind for kind, _ in module_kinds(folder)]
            kind = StaticEmbeddingEncoder if kinds[:1] == ["StaticEmbedding"] else SentenceTransformerEncoder
            return kind.open(folder)
        if (folder / "config.json").exists():
            return TransformerMeanEncoder.open(folder)
    method = storage.read_head(folder)[1]["method"]
    known = {**_LOADERS, **loaders}
    if method not in known:
        raise StorageError(f"Expected an encoder of {', '.join(known)} in {folder}, found one of {method}.")
    return _loaded(known[method], folder)


def _loaded(loader: str, folder: Path) -> Encoder:
    """Return the encoder in a folder: the one in memory while anyone holds it, since two would take twice the room."""
    key = loader, folder.resolve(), stamp(folder)
    with _LOADING.setdefault(key[:2], threading.Lock()):
        found = _IN_MEMORY.get(key)
        if found is None:
            found = _IN_MEMORY[key] = _Lent(_class(loader), folder)
    return cast(Encoder, found)


class _Lent:
    """The encoder in a folder, to all who hold it: its weights can leave memory, and come back at their next use.

    Whoever is in the middle of a call keeps them until its end. Its card can be read without them.
    """

    def __init__(self, kind: type[Encoder], folder: Path) -> None:
        """Load it. Raises what `load` of its class does."""
        self._kind, self._place, self._waking = kind, folder, threading.Lock()
        self._awake: Encoder | None = kind.load(folder)
        self.card, self._used = self._awake.card, time.monotonic()

    __class__ = property(lambda lent: lent._kind)  # what `isinstance` asks for

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  whatever the encoder has
        """Return what the encoder has under a name. Raises StorageError if its folder holds another one by now."""
        self._used = time.monotonic()
        if (held := self._awake) is None:
            with self._waking:
                held = self._awake or self._kind.load(self._place)
                if held.card.fingerprint != self.card.fingerprint:
                    raise StorageError(f"Expected {self._place} as it was loaded, found another encoder. Try again.")
                self._awake = held
        return getattr(held, name)

    def let_go(self, before: float) -> bool:
        """Let the weights go if they were last used before a moment; returns whether they went."""
        goes = self._awake is not None and self._used < before
        if goes:
            self._awake = None
        return goes


def let_go_unused(before: float) -> None:
    """Let encoders leave memory that were last used before a moment of `time.monotonic`."""
    lent = [one for held in _IN_MEMORY.valuerefs() if (one := held()) is not None]
    if any([one.let_go(before) for one in lent]):
        gc.collect()  # networks name themselves
        give_back_memory(int(time.monotonic()))


@lru_cache(maxsize=1)
def watch_memory() -> None:
    """From now on, let encoders go that nobody used for ten minutes, or `UNUSED_MINUTES`, and what work has freed."""
    seconds = 60 * float(os.environ.get(UNUSED_MINUTES, "10"))

    def watch() -> None:
        worked = 0.0
        while True:
            time.sleep(_SECONDS_BETWEEN_LOOKS)
            let_go_unused(time.monotonic() - seconds)
            if time.process_time() > worked + 0.2:
                give_back_memory(int(time.monotonic()))
                worked = time.process_time()

    threading.Thread(target=watch, name="memory", daemon=True).start()


def fit(name: str, documents: Sequence[Document]) -> FittedEncoder:
    """Learn an encoder from a corpus. Raises UnknownEncoderError, or NotFittedError where that is impossible."""
    entry = find(name)
    if not entry.learns:
        raise NotFittedError(f"Expected an encoder that learns from a library, got {name}, which is trained. Load it.")
    return cast(type[FittedEncoder], _class(entry.loader)).fit(documents)


def bring_model(place: str, *, name: str = "") -> KeptModel:
    """Keep a copy of a model under a name, by default its own; it is offered once it was measured.

    A model that is kept already from the same place is kept as it is. Raises EncoderError where the name is taken or
    the model cannot be used, StorageError or DownloadError.
    """
    folder = on_this_machine(place)
    facts = ModelFacts.of(place)
    name = name_from(name or facts.name)
    if name.lower() in {*ENTRIES, *_RANKINGS}:
        raise EncoderError(f"Expected a name that no encoder has, got {name!r}. Give the model another name.")
    folder = folder or fetch(place)
    facts = facts_of(folder, place=facts.place)  # of what arrived, where the hub only announced it
    encoder = load_folder(folder)
    if not isinstance(encoder, TransformerMeanEncoder | StaticEmbeddingEncoder):
        raise EncoderError(f"Expected a sentence-transformers model in {place}, found another encoder. Name another.")
    if (held := {one.name.lower(): one for one in KeptModel.read_all()}.get(name.lower())) is not None:
        if storage.read_card(held.folder).fingerprint == encoder.card.fingerprint:
            return held
        if held.offered or held.name != name:  # some disks take both names for one
            raise EncoderError(
                f"Expected a name that no encoder has, {held.name!r} is in use. Remove that model first, or give this "
                "one another name."
            )
    return KeptModel.keep(encoder, folder, name, facts)


def _offered() -> dict[str, KeptModel]:
    """Return a person's own models that are offered as encoders, by name."""
    return {one.name: one for one in KeptModel.read_all() if one.offered}


def _class(loader: str) -> type[Encoder]:
    """Return the class at a dotted path."""
    module, _, name = loader.rpartition(".")
    return cast(type[Encoder], getattr(import_module(module), name))
