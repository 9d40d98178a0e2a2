"""What the papers' tables are measured on, and how large the models are that are trained for them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from engine.research.paper.published.ctpe import STAND_IN
from engine.training.settings import CheckedSettings, Rules, at_least, zero_or_more

RETRIEVAL_SETS = ("arxiv-subject", "acm-citation", "patents-citation")


def left_out(names: tuple[str, ...], data: str) -> dict[str, str]:
    """Return the rows among `names` that are left out of a set's table, and why: those without a set, and its own."""
    parts = (name.partition("@") for name in names)
    return {row: "asked to be left out" for row, _, of in parts if of in ("", data)}


@dataclass(frozen=True, slots=True)
class CtpeSize(CheckedSettings):
    """How large CTPE's networks are and how long they learn; `patience` 0 takes every epoch."""

    channels: int = at_least(1, 128)
    epochs: int = at_least(1, 5)
    patience: int = zero_or_more(2)


@dataclass(frozen=True, slots=True)
class CtpeTables(CheckedSettings):
    """CTPE's tables: the sets of tables 1 to 3, those of 4 to 6, and the size of the models in the paper's own form.

    Tables 2, 3 and 6 train networks of `size`, on the sets of `epochs_of` for as many epochs; tables 4 and 5, which
    train many, networks of `small`. `documents` is how many of a corpus are trained on, evenly drawn (0: all);
    `settings` change the recipe; `word2vec` and `glove` those of word vectors, of a set's own text and of all text, as
    "epochs=100". Without `word2vec` the vectors of all text are the shipped ones. `leave_out` names rows of tables 2
    and 3, as "minilm" or "minilm@acm-citation".
    """

    sets: tuple[str, ...] = (*RETRIEVAL_SETS, STAND_IN)
    small_sets: tuple[str, ...] = ("arxiv-subject", STAND_IN, "patents-citation")
    leave_out: tuple[str, ...] = ()
    embeddings: tuple[str, ...] = (
        "sentence means",
        "word2vec(ran)",
        "GloVe",
        "GloVe(full)",
        "word2vec",
        "word2vec(full)",
    )
    size: CtpeSize = field(default_factory=CtpeSize)
    epochs_of: dict[str, int] = field(default_factory=dict)
    small: CtpeSize = field(default_factory=CtpeSize)
    documents: int = zero_or_more(20_000)
    settings: tuple[str, ...] = ()
    word2vec: tuple[str, ...] = ()
    glove: tuple[str, ...] = ()

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return (
            *(
                (count >= 1, f"epochs_of.{data} must be at least 1, got {count}")
                for data, count in self.epochs_of.items()
            ),
        )

    def size_on(self, data: str, *, small: bool) -> CtpeSize:
        """Return the size of the models on a set, of tables 4 and 5 where `small`."""
        return self.small if small else replace(self.size, epochs=self.epochs_of.get(data, self.size.epochs))


@dataclass(frozen=True, slots=True)
class CdssmTables:
    """C-DSSM's tables: their sets, rows beside the paper's in table 6, and changes to the recipes of its models.

    `texts` are the corpora whose words table 1 counts. `leave_out` names rows of table 6, as "lda" or "lda@ours".
    """

    sets: tuple[str, ...] = RETRIEVAL_SETS
    texts: tuple[str, ...] = (
        *("arxiv-abstracts", "arxiv-subject", "acm-citation", "patents-abstracts", "patents-citation"),
        *("acl-long", "pmc-long", "patents-long"),
    )
    peers: tuple[str, ...] = ("cdssm", "keyvec", "tfidf", "lsa", "word2vec-mean", "ctpe")
    leave_out: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeyvecTables(CheckedSettings):
    """KeyVec's tables: their rows, what makes a field and how many papers are searched, and the draws of venues.

    `settings` change the recipes of the rows that are trained, the ablations keyvec-read-only and keyvec-enc-only.
    `leave_out` names rows, as "minilm" or, of retrieval, "minilm@acm-citation".
    """

    rows: tuple[str, ...] = (
        "keyvec",
        "keyvec-read-only",
        "keyvec-enc-only",
        "doc2vec",
        "word2vec-own",
        "word2vec-mean",
        "lsa",
        "tfidf",
        "minilm",
        "ctpe",
        "cdssm",
    )
    leave_out: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    pool: int = at_least(1, 20_000)
    fewest_held_out: int = at_least(1, 5)
    fewest_relevant: int = at_least(1, 20)
    papers: int = at_least(1, 850)
    venues: int = at_least(1, 186)
    draws: int = at_least(1, 10)


@dataclass(frozen=True, slots=True)
class ColdeTables(CheckedSettings):
    """CoLDE's table 2 and figures 6 to 8: their sets, and the size of what is trained.

    Reading whole documents takes about a second each and training the rivals minutes an epoch, so that only
    `read_sets` are read by CoLDE and only on `matcher_sets` are DSSM, ARC-I, HAN, S-BERT, SMITH and S-LONG trained.
    HAN, SMITH and S-LONG read the first `slow_matcher_words`. S-BERT, which takes a quarter of an hour to an hour an
    epoch on one core, learns for `sbert_epochs`, on the sets of `sbert_epochs_of` for as many, over the first
    `sbert_tokens`. `settings`, `matcher_settings` and `sbert_settings` change the recipes. `length_rivals` are trained
    once for each of `lengths` in figure 7.

    On `learnt_sets` table 2 also has CoLDE with its whole transformer learnt, as in the paper: hours on a processor,
    minutes on a GPU. There `learnt_settings` change its recipe, too, and `section_tokens` is how much of a section it
    reads in training (0: all); where a document is one section, it reads twice as much of that.

    `leave_out` names rows of table 2, as "CoLDE" or "CoLDE@pmc-long"; "learnt" is all whose whole transformer learnt.
    """

    sets: tuple[str, ...] = ("acl-long", "patents-long", "pmc-long")
    leave_out: tuple[str, ...] = ()
    learnt_sets: tuple[str, ...] = ()
    learnt_settings: tuple[str, ...] = ()
    section_tokens: int = zero_or_more(0)
    read_sets: tuple[str, ...] = ("acl-long", "pmc-long")
    matcher_sets: tuple[str, ...] = ("acl-long",)
    matcher_epochs: int = at_least(1, 3)
    slow_matcher_words: int = at_least(1, 500)
    sbert_epochs: int = at_least(1, 2)
    sbert_epochs_of: dict[str, int] = field(default_factory=dict)
    sbert_tokens: int = at_least(4, 512)
    figure_sets: tuple[str, ...] = ("acl-long",)
    shuffled_sets: tuple[str, ...] = ("acl-long",)
    batches: tuple[int, ...] = (50, 75, 100, 200)
    lengths: tuple[int, ...] = (1_000, 4_000, 8_000)
    length_rivals: tuple[str, ...] = ("DSSM", "ARC-I")
    settings: tuple[str, ...] = ()
    matcher_settings: tuple[str, ...] = ()
    sbert_settings: tuple[str, ...] = ()

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return (
            *(
                (count >= 1, f"sbert_epochs_of.{data} must be at least 1, got {count}")
                for data, count in self.sbert_epochs_of.items()
            ),
        )


@dataclass(frozen=True, slots=True)
class PaperSettings(CheckedSettings):
    """How every table is made; `seed` seeds every draw."""

    seed: int = zero_or_more(1)
    ctpe: CtpeTables = field(default_factory=CtpeTables)
    cdssm: CdssmTables = field(default_factory=CdssmTables)
    keyvec: KeyvecTables = field(default_factory=KeyvecTables)
    colde: ColdeTables = field(default_factory=ColdeTables)
