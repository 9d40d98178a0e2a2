"""Every encoder by name: what it is, and how it is had."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.documents import Document
from engine.encoders import lsa, storage, tfidf, word_vectors
from engine.encoders.base import Encoder, EncoderCard, FittedEncoder
from engine.encoders.blend import settings as blend
from engine.encoders.cdssm import settings as cdssm
from engine.encoders.colde import settings as colde
from engine.encoders.ctpe import settings as ctpe
from engine.encoders.distilled import settings as distilled
from engine.encoders.keyvec import settings as keyvec
from engine.encoders.sentence_mean import SentenceMeanEncoder
from engine.encoders.sentence_settings import MODULES
from engine.encoders.sentence_transformer import SentenceTransformerEncoder
from engine.encoders.student import settings as student
from engine.encoders.transformer_chunks import TransformerChunksEncoder
from engine.encoders.transformer_mean import TransformerMeanEncoder
from engine.encoders.word2vec_mean import Word2vecMeanEncoder
from engine.encoders.word2vec_sif import Word2vecSifEncoder
from engine.errors import NotFittedError, StorageError, UnknownEncoderError
from engine.research.matchers import settings as matchers

DEFAULT = blend.NAME
PRETRAINED = Path(__file__).resolve().parents[2] / "pretrained"


@dataclass(frozen=True, slots=True)
class _Entry:
    """One encoder: `fits` learns it from a corpus, or `shipped` is its folder in pretrained/.

    `card_from` makes the card of a shipped encoder from the card in that folder. `searches` is False where reading a
    whole library would take hours, so that it is no choice to search it by. `joins` names the encoders that it is made
    of, whose folders lie beside its own.
    """

    summary: str
    loads: Callable[[Path], Encoder]
    fits: Callable[[Sequence[Document]], FittedEncoder] | None = None
    shipped: str | None = None
    card_from: Callable[[EncoderCard], EncoderCard] | None = None
    sparse: bool = False
    searches: bool = True
    joins: tuple[str, ...] = ()


def _load_ctpe(folder: Path) -> Encoder:
    from engine.encoders.ctpe.encoder import CtpeEncoder  # brings torch

    return CtpeEncoder.load(folder)


def _load_blend(folder: Path) -> Encoder:
    from engine.encoders.blend.encoder import BlendEncoder  # its parts bring torch

    return BlendEncoder.load(folder)


def _load_cdssm(folder: Path) -> Encoder:
    from engine.encoders.cdssm.encoder import CdssmEncoder  # brings torch

    return CdssmEncoder.load(folder)


def _load_distilled(folder: Path) -> Encoder:
    from engine.encoders.distilled.encoder import DistilledEncoder  # brings scipy and tokenizers

    return DistilledEncoder.load(folder)


def _load_student(folder: Path) -> Encoder:
    from engine.encoders.student.encoder import StudentEncoder  # brings torch

    return StudentEncoder.load(folder)


def _load_colde(folder: Path) -> Encoder:
    from engine.encoders.colde.encoder import ColdeEncoder  # brings torch

    return ColdeEncoder.load(folder)


def _load_keyvec(folder: Path) -> Encoder:
    from engine.encoders.keyvec.encoder import KeyvecEncoder  # brings torch

    return KeyvecEncoder.load(folder)


def _load_matcher(folder: Path) -> Encoder:
    from engine.research.matchers.encoder import MatcherEncoder  # brings torch

    return MatcherEncoder.load(folder)


def _word_vectors(kind: type[Word2vecMeanEncoder]) -> _Entry:
    """An encoder that reads the word vectors shipped."""
    return _Entry(kind.summary, kind.load, shipped="word2vec", card_from=kind.card_from)


_ENTRIES = {
    blend.NAME: _Entry(
        blend.SUMMARY, _load_blend, shipped="blend", card_from=blend.shipped_card, joins=(ctpe.NAME, student.NAME)
    ),
    blend.LARGE: _Entry(
        blend.LARGE_SUMMARY,
        _load_blend,
        shipped="blend-large",
        card_from=blend.shipped_card,
        joins=(ctpe.NAME, student.LARGE),
    ),
    ctpe.NAME: _Entry(ctpe.SUMMARY, _load_ctpe, shipped="ctpe", card_from=ctpe.shipped_card),
    student.NAME: _Entry(student.SUMMARY, _load_student, shipped="student", card_from=student.shipped_card),
    student.LARGE: _Entry(
        student.LARGE_SUMMARY, _load_student, shipped="student-large", card_from=student.shipped_card
    ),
    distilled.NAME: _Entry(distilled.SUMMARY, _load_distilled, shipped="distilled", card_from=distilled.shipped_card),
    Word2vecSifEncoder.name: _word_vectors(Word2vecSifEncoder),
    cdssm.NAME: _Entry(cdssm.SUMMARY, _load_cdssm, shipped="cdssm", card_from=cdssm.shipped_card),
    tfidf.NAME: _Entry(tfidf.SUMMARY, tfidf.TfidfEncoder.load, fits=tfidf.TfidfEncoder.fit, sparse=True),
    lsa.NAME: _Entry(lsa.SUMMARY, lsa.LsaEncoder.load, fits=lsa.LsaEncoder.fit),
    Word2vecMeanEncoder.name: _word_vectors(Word2vecMeanEncoder),
    keyvec.NAME: _Entry(keyvec.SUMMARY, _load_keyvec, shipped="keyvec", card_from=keyvec.shipped_card),
    colde.NAME: _Entry(colde.SUMMARY, _load_colde, shipped="colde", card_from=colde.shipped_card, searches=False),
}
"""What can be chosen, in the order of the README's table of what to choose."""

_METHODS: dict[str, Callable[[Path], Encoder]] = {
    tfidf.METHOD: tfidf.TfidfEncoder.load,
    lsa.METHOD: lsa.LsaEncoder.load,
    word_vectors.METHOD: Word2vecMeanEncoder.load,
    TransformerMeanEncoder.method: TransformerMeanEncoder.load,
    TransformerChunksEncoder.method: TransformerChunksEncoder.load,
    SentenceTransformerEncoder.method: SentenceTransformerEncoder.load,
    SentenceMeanEncoder.method: SentenceMeanEncoder.load,
    blend.METHOD: _load_blend,
    ctpe.METHOD: _load_ctpe,
    distilled.METHOD: _load_distilled,
    student.METHOD: _load_student,
    cdssm.METHOD: _load_cdssm,
    keyvec.METHOD: _load_keyvec,
    colde.METHOD: _load_colde,
    **dict.fromkeys(matchers.KIND_OF, _load_matcher),
}
"""How an encoder's folder is read, by the method in its card.json."""


def names() -> tuple[str, ...]:
    """The name of every encoder that learns from a library, or whose weights lie here."""
    shipped = {name: shipped_folder(name) for name in _ENTRIES}
    return tuple(name for name, folder in shipped.items() if folder is None or folder.is_dir())


def search_names() -> tuple[str, ...]:
    """Those of `names` that a whole library can be searched and drawn by."""
    return tuple(name for name in names() if _entry(name).searches)


def is_fitted_kind(name: str) -> bool:
    """Whether the encoder learns from the library that it searches, and so ships no weights."""
    return _entry(name).fits is not None


def shipped_folder(name: str) -> Path | None:
    """Where a shipped encoder's weights lie; None for one that learns from a library."""
    shipped = _entry(name).shipped
    return None if shipped is None else PRETRAINED / shipped


def joined_names(name: str) -> tuple[str, ...]:
    """The encoders that one is made of, by name; none for most."""
    return _entry(name).joins


def card(name: str) -> EncoderCard:
    """The card of a shipped encoder; for one that learns from a library, dim 0 and no fingerprint until it has."""
    entry = _entry(name)
    if entry.shipped is None or entry.card_from is None:
        return EncoderCard(name, entry.summary, 0, "", trained_on=("your library",), sparse=entry.sparse)
    return entry.card_from(storage.read_card(PRETRAINED / entry.shipped)[0])


def load(name: str, *, folder: Path | None = None) -> Encoder:
    """Load an encoder from `folder`, or the shipped one where no folder is given.

    Raises UnknownEncoderError, StorageError, or NotFittedError for one that ships no weights.
    """
    entry = _entry(name)
    if folder is None and entry.shipped is None:
        raise NotFittedError(
            f"Expected the folder of a fitted {name}, got none: it learns from a library and ships no weights. "
            "Fit it on your documents first."
        )
    return entry.loads(folder or PRETRAINED / str(entry.shipped))


def load_folder(folder: Path) -> Encoder:
    """Load an encoder of any method from its folder, or a transformer that another library saved.

    A sentence-transformers folder is read as it says, any other of `transformers` as the mean of its token vectors, and
    word vectors as their plain mean. Raises StorageError where the folder holds none of these, or EncoderError.
    """
    if not (folder / storage.CARD).exists():
        if (folder / MODULES).exists():
            return SentenceTransformerEncoder.open(folder)
        if (folder / "config.json").exists():
            return TransformerMeanEncoder.open(folder)
    method = storage.read_card(folder)[1]["method"]
    if method not in _METHODS:
        raise StorageError(f"Expected an encoder of {', '.join(_METHODS)} in {folder}, found one of {method}.")
    return _METHODS[method](folder)


def fit(name: str, documents: Sequence[Document]) -> FittedEncoder:
    """Learn an encoder from a corpus. Raises UnknownEncoderError, or NotFittedError where that cannot be."""
    entry = _entry(name)
    if entry.fits is None:
        raise NotFittedError(f"Expected an encoder that learns from a library, got {name}, which is trained. Load it.")
    return entry.fits(documents)


def _entry(name: str) -> _Entry:
    """The entry of a name; "default" is the default encoder's."""
    wanted = DEFAULT if name == "default" else name
    if wanted not in _ENTRIES:
        raise UnknownEncoderError(f"Expected an encoder among {', '.join(_ENTRIES)}, got {name!r}.")
    return _ENTRIES[wanted]
