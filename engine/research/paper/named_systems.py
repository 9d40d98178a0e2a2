"""The systems that the four papers name, and how each runs here: methods, baselines, rivals, ablations, parts.

Works that a paper only cites as related are left out. Names that a paper's published figures hold come from there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from engine.research.baselines import doc2vec, lda
from engine.research.baselines.glove import GloveRecipe
from engine.research.baselines.rows import OWN_CORPUS, OWN_RECIPE
from engine.research.baselines.word_mover import MOST_WORDS, RERANKED
from engine.research.paper.colde_models import ABLATIONS, PLAIN, SBERT
from engine.research.paper.ctpe import MEANINGFUL, POSITIONS
from engine.research.paper.published import cdssm, ctpe, keyvec
from engine.research.paper.settings import PaperSettings
from engine.research.paper.ways import Way, as_folder, as_matcher, as_pairs, as_recipe, as_row, in_table

State = Literal["runs", "takes a model that you bring", "departs", "missing"]
STATES: tuple[State, ...] = get_args(State)
RUNS, BRING, DEPARTS, MISSING = STATES

CTPE, KEYVEC, CDSSM, COLDE = PAPERS = ("CTPE", "KeyVec", "C-DSSM", "CoLDE")


@dataclass(frozen=True, slots=True)
class Here:
    """How a system runs here: its state, the ways to run it, what to know of them, what stands beside a missing one.

    `notes` name entries of `NOTES`, which hold for several systems.
    """

    state: State
    ways: tuple[Way, ...] = ()
    how: str = ""
    notes: tuple[str, ...] = ()
    beside: tuple[Way, ...] = ()


@dataclass(frozen=True, slots=True)
class System:
    """A system by the name that its paper gives it, where it stands in the paper, and how it runs here."""

    paper: str
    where: str
    name: str
    here: Here

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with the entry: a name that leads nowhere, or a state that its other fields deny."""
        here = self.here
        is_missing = here.state == MISSING
        found = [way.check() for way in (*here.ways, *here.beside)]
        found += [
            f"Expected a note among {', '.join(NOTES)}, got {name!r}." for name in here.notes if name not in NOTES
        ]
        if is_missing and here.ways:
            found.append("Expected no way to run a missing system, got one. Move it to what stands beside.")
        if not is_missing and not here.ways:
            found.append("Expected a way to run it, got none. Name one, or call it missing.")
        if here.state in (DEPARTS, MISSING) and not here.how:
            found.append(f"Expected in words how or why it is {here.state!r}, got nothing. Write it.")
        return tuple(problem for problem in found if problem)


_SIZE, _LONG = PaperSettings().ctpe.size, PaperSettings().colde
_GLOVE = GloveRecipe(OWN_CORPUS)
WORD2VEC_OF_CTPE = ("epochs=100",)
GLOVE_OF_CTPE = ("epochs=100", "most_weighed=100", "learning_rate=0.05")
"""What makes word vectors as CTPE's paper does (section 4.3): its epochs, and otherwise the authors' settings."""
GLOVE_FULL_OF_CTPE = (*GLOVE_OF_CTPE, "least_together=0")
_MOVED = (
    f"Ranks the first {RERANKED} hits of the plain mean of the same vectors again, by the {MOST_WORDS} most frequent "
    "words of each text without function words."
)
_SKIP_THOUGHTS = (
    "FOLDER is what `python -m engine.research bring skip-thoughts` writes of the authors' weights, which its --help "
    "says how to convert. Uni-skip, bi-skip or both, 4,800 numbers together; `<eos>` is read."
)
_NO_CTPE_OVER_IT = "Its average alone: CTPE does not learn over it, and `tables` has no row for it."
_BEST_EPOCHS = ", ".join(str(row.epochs) for row in ctpe.TABLE_6["CTPE"].values())
_MINILM = in_table("ctpe-4", "MiniLM", ('ctpe.embeddings=["MiniLM"]',))
_LEARNT_TOKENS = ("network.embedding=transformer", "network.source=FOLDER")

SIZE, PATENTS, EPOCHS, FULL = "size", "patents", "words", "full"
BROUGHT, BERT, FROZEN = "brought", "BERT", "frozen"
NOTES: Mapping[str, str] = {
    SIZE: f"In `tables` the network has {_SIZE.channels} filters and learns for at most {_SIZE.epochs} epochs; --set "
    "ctpe.size.channels and ctpe.size.epochs change that, of tables 4 and 5 ctpe.small, and --settings papers-size "
    "makes tables 2, 3 and 6 as large as the paper's. The recipe ctpe-paper has the paper's 1,024 filters and at most "
    f"50 epochs, where the paper's best are {_BEST_EPOCHS}; --set schedule.epochs changes that.",
    PATENTS: "These patents have no claims. Their parts are title and abstract, and the opening of the description; "
    "the paper's are the abstract and the first claim.",
    EPOCHS: "The settings make word vectors as the paper does, and take hours. Without them, and in the rows of "
    f"evaluate, word2vec has {OWN_RECIPE.epochs} epochs, and GloVe {_GLOVE.epochs} with an x_max of "
    f"{_GLOVE.most_weighed:g} and, on all text, without pairs of words that count less than 0.5. `tables` trains what "
    "it needs, or takes it from --trained word2vec-full=FOLDER and glove-full=FOLDER. The recipes of these names take "
    "the same settings, and with --set 'corpora=[\"arxiv-subject\"]' the text of one set; what they write is a row of "
    "evaluate as NAME=FOLDER, and ctpe-paper learns over it with --set network.source=FOLDER.",
    FULL: "Trained on the four corpora of the recipe, not on the paper's public sources.",
    BROUGHT: "FOLDER is the folder of a `transformers` model with safetensors weights and a tokenizer.json, or the "
    "name of one that an earlier download left on this machine. Nothing is downloaded. The mean takes the first 256 "
    "tokens, start and end tokens too; the paper leaves [CLS] and [SEP] of BERT out. Under CTPE the two parts are read "
    "apart; the paper takes the better of apart and together. `tables` has no row for it.",
    BERT: "FOLDER holds the paper's transformer, bert-base-uncased, or is its name where an earlier download left it "
    "on this machine. Without that setting the recipe learns over all-MiniLM-L6-v2.",
    FROZEN: "In `tables` the transformer is all-MiniLM-L6-v2. It stays as it is and reads chunks of 256 tokens, so "
    "that section and chunk embeddings are nothing.",
}
"""What holds for several systems, by the word that stands for it."""


def _ctpe(*settings: str) -> Way:
    return as_recipe("ctpe-paper", settings)


def _word2vec(table: str, row: str) -> Way:
    """Return a row of a table over word2vec as the paper trains it."""
    return in_table(table, row, (f"ctpe.word2vec={json.dumps(WORD2VEC_OF_CTPE)}",))


def _glove(table: str, row: str, settings: tuple[str, ...] = GLOVE_OF_CTPE) -> Way:
    """Return a row of a table over GloVe as the paper trains it."""
    return in_table(table, row, (f"ctpe.glove={json.dumps(settings)}",))


def _embedding(way: Way, recipe: Way, *notes: str) -> Here:
    """Return word vectors as an average, untrained and trained: in our table, or over what their own recipe writes."""
    return Here(RUNS, (way, recipe, _ctpe("network.source=FOLDER")), "", (EPOCHS, *notes, SIZE))


_TRAINED_WORD2VEC = as_recipe("word2vec-full", WORD2VEC_OF_CTPE)
_TRAINED_GLOVE = as_recipe("glove-full", GLOVE_FULL_OF_CTPE)


def _transformer(name: str, checkpoint: str, how: str = "", *, beside: tuple[Way, ...] = ()) -> Here:
    """Return a transformer of a user's: the mean of its tokens, and the tokens that CTPE learns over."""
    said = f"The paper's is {checkpoint}. {how}".strip()
    return Here(BRING, (as_folder(name), _ctpe(*_LEARNT_TOKENS)), said, (BROUGHT,), beside)


_CTPE_METHODS: Mapping[str, Here] = {
    "doc2vec(ran)": Here(RUNS, (as_row("random"), in_table("ctpe-2", "random"))),
    "avg-word2vec(ran)": Here(RUNS, (as_row("random-words"), in_table("ctpe-2", "random-words"))),
    "TF-IDF": Here(RUNS, (as_row("tfidf"), in_table("ctpe-2", "tfidf"))),
    "LSA": Here(
        DEPARTS,
        (as_row("lsa"), in_table("ctpe-2", "lsa")),
        "100 topics as in the paper, by a decomposition of our own with 4 power iterations; the paper's is gensim's "
        "with 100 iterations.",
    ),
    "LDA": Here(
        RUNS,
        (as_row("lda-ctpe"), in_table("ctpe-2", "lda-ctpe")),
        f"{lda.TOPICS} topics, {lda.OF_CTPE.iterations} iterations and gensim's settings otherwise, over the "
        "50,000 words of most documents. The row lda reads content words alone, and the corpus "
        f"{lda.USUAL.passes} times.",
    ),
    "avg-GloVe": Here(RUNS, (_glove("ctpe-2", "glove-own"), as_row("glove-own"), _TRAINED_GLOVE), notes=(EPOCHS,)),
    "avg-GloVe(full)": Here(
        RUNS, (_glove("ctpe-2", "glove-full", GLOVE_FULL_OF_CTPE), _TRAINED_GLOVE), notes=(EPOCHS, FULL)
    ),
    "avg-word2vec": Here(
        RUNS, (_word2vec("ctpe-2", "word2vec-own"), as_row("word2vec-own"), _TRAINED_WORD2VEC), notes=(EPOCHS,)
    ),
    "avg-word2vec(full)": Here(
        RUNS,
        (_word2vec("ctpe-2", "word2vec-mean"), as_row("word2vec-mean"), _TRAINED_WORD2VEC),
        notes=(EPOCHS, FULL),
    ),
    "WMD-GloVe": Here(DEPARTS, (_glove("ctpe-2", "wmd(glove-own)"), as_row("wmd(glove-own)")), _MOVED, (EPOCHS,)),
    "WMD-GloVe(full)": Here(
        DEPARTS,
        (_glove("ctpe-2", "wmd(glove-full)", GLOVE_FULL_OF_CTPE), as_row("wmd(glove-full)=FOLDER"), _TRAINED_GLOVE),
        _MOVED,
        (EPOCHS, FULL),
    ),
    "WMD-word2vec": Here(
        DEPARTS, (_word2vec("ctpe-2", "wmd(word2vec-own)"), as_row("wmd(word2vec-own)")), _MOVED, (EPOCHS,)
    ),
    "WMD-word2vec(full)": Here(
        DEPARTS, (_word2vec("ctpe-2", "wmd"), as_row("wmd"), _TRAINED_WORD2VEC), _MOVED, (EPOCHS, FULL)
    ),
    "doc2vec": Here(
        DEPARTS,
        (as_row("doc2vec-ctpe"), in_table("ctpe-2", "doc2vec-ctpe")),
        f"PV-DM with {doc2vec.DIMENSIONS} numbers, window {doc2vec.OF_CTPE.window} and {doc2vec.OF_CTPE.epochs} epochs "
        "as in the paper. Documents of the corpus are inferred like new ones, and a word need come up only twice. The "
        f"row doc2vec has window {doc2vec.USUAL.window} and {doc2vec.USUAL.epochs} epochs.",
    ),
    "Doc2VecC": Here(
        DEPARTS,
        (as_row("doc2vecc"), in_table("ctpe-2", "doc2vecc")),
        "10 epochs; the paper has at most 100. A tenth of a text is kept, as in the paper.",
    ),
    "avg-Skip-thoughts": Here(
        BRING,
        (as_folder("skip-thoughts", "sentences"),),
        _SKIP_THOUGHTS,
        beside=(as_row("sentence-mean"), in_table("ctpe-2", "sentence-mean")),
    ),
    "CTPE-word2vec(full)": Here(RUNS, (_ctpe(), _word2vec("ctpe-2", "CTPE")), notes=(SIZE, PATENTS, EPOCHS, FULL)),
}
_CTPE_EMBEDDINGS: Mapping[str, Here] = {
    "Skip-thoughts": Here(
        DEPARTS,
        (as_folder("skip-thoughts", "sentences"),),
        f"{_NO_CTPE_OVER_IT} {_SKIP_THOUGHTS}",
        beside=(in_table("ctpe-4", "sentence means"),),
    ),
    "word2vec(ran)": Here(RUNS, (in_table("ctpe-4", "word2vec(ran)"),), notes=(SIZE,)),
    "GloVe": _embedding(_glove("ctpe-4", "GloVe"), _TRAINED_GLOVE),
    "GloVe(full)": _embedding(_glove("ctpe-4", "GloVe(full)", GLOVE_FULL_OF_CTPE), _TRAINED_GLOVE, FULL),
    "word2vec": _embedding(_word2vec("ctpe-4", "word2vec"), _TRAINED_WORD2VEC),
    "word2vec(full)": _embedding(_word2vec("ctpe-4", "word2vec(full)"), _TRAINED_WORD2VEC, FULL),
    "ELMo": Here(
        DEPARTS,
        (as_folder("elmo", ""),),
        f"{_NO_CTPE_OVER_IT} FOLDER is what `python -m engine.research bring elmo` writes of the authors' weights, "
        "which its --help says how to convert. The paper's is Original (5.5B). The mean takes the first 256 tokens.",
    ),
    "GPT": _transformer("gpt", "openai-gpt"),
    "GPT-2": _transformer("gpt-2", "gpt2-medium"),
    "BERT": _transformer("bert", "bert-large-uncased-whole-word-masking", beside=(_MINILM,)),
    "TransXL": Here(
        MISSING,
        how="`transformers` 5 does not know Transformer-XL (the type transfo-xl), so that a folder of it is refused. "
        "The library's page on it names 4.35.0 as the last version that supports it. The paper's is transfo-xl-wt103.",
    ),
    "XLM": _transformer(
        "xlm",
        "xlm-mlm-en-2048",
        "The library's own XLMTokenizer is refused, because it is not a fast one: the folder's tokenizer_config.json "
        "must name PreTrainedTokenizerFast.",
    ),
    "XLNet": _transformer("xlnet", "xlnet-large-cased"),
    "RoBERTa": _transformer("roberta", "roberta.large"),
}
_CTPE_PARTS: Mapping[str, Here] = {
    "avg": Here(
        RUNS,
        (as_row("word2vec-mean"), in_table("ctpe-4", "word2vec(full)")),
        "The plain average, a column of every row of ctpe-4; of a transformer it is its row of evaluate.",
    ),
    "CTPE_0": Here(
        RUNS,
        (_ctpe("schedule.epochs=0"), in_table("ctpe-2", "CTPE_0"), in_table("ctpe-4", "word2vec(full)")),
        "A column of every row of ctpe-4.",
        (SIZE,),
    ),
}
_POSITIONS: Mapping[str, Here] = {
    place: Here(
        RUNS,
        (_ctpe(f'pairs.position="{place}"'), in_table(POSITIONS, place)),
        notes=(SIZE, PATENTS) if place == MEANINGFUL else (SIZE,),
    )
    for place in ctpe.TABLE_5
}
_SAMPLINGS: Mapping[str, Here] = {
    "CTPE_T": Here(
        RUNS,
        (_ctpe("objective.sampling=tfidf"), in_table("ctpe-6", "CTPE_T"), in_table("ctpe-2", "CTPE_T")),
        notes=(SIZE,),
    ),
    "CTPE": Here(RUNS, (_ctpe(), in_table("ctpe-6", "CTPE")), notes=(SIZE,)),
}

_KEYVEC: Mapping[str, Here] = {
    "keyvec": Here(
        DEPARTS,
        (as_recipe("keyvec-paper"), as_row("keyvec"), in_table("keyvec-1", "keyvec"), in_table("keyvec-2", "keyvec")),
        "Salient sentences are labelled by TF-IDF unless labels.similarity is dssm, the paper's choice. Most texts to "
        "learn from are abstracts, whose own words are predicted, half of them hidden with objective.hidden=0.5; the "
        "paper reads bodies. The recipe keyvec-paper has the paper's widths and plain SGD; what is shipped learns by "
        "Adam with dropout.",
    ),
    "doc2vec": Here(
        RUNS,
        (as_row("doc2vec"), in_table("keyvec-1", "doc2vec"), in_table("keyvec-2", "doc2vec")),
        "The paper gives no settings. Ours learns from the papers that are searched or clustered.",
    ),
    "word2vec-mean": Here(
        DEPARTS,
        (as_row("word2vec-mean"), in_table("keyvec-1", "word2vec-mean"), in_table("keyvec-2", "word2vec-mean")),
        "Our shipped vectors of papers and patents stand where the paper has a public release.",
    ),
    "word2vec-own": Here(
        DEPARTS,
        (as_row("word2vec-own"), in_table("keyvec-1", "word2vec-own"), in_table("keyvec-2", "word2vec-own")),
        "Learns from the papers that are searched or clustered; the paper's corpus has 113 GB.",
    ),
}
_LABELS: Mapping[str, Here] = {
    "DSSM, which labels salient sentences": Here(
        RUNS,
        (as_recipe("keyvec-paper", ("labels.similarity=dssm", "labels.threshold=0.5")),),
        "A small DSSM, trained on the bodies' sentences and their abstracts. Without these settings labels come from "
        "TF-IDF.",
    ),
}
_PAPERS_FORM = "The paper gives no sizes; ours has 300 filters, 128 numbers a document and 30,000 trigrams."
_CDSSM: Mapping[str, Here] = {
    "lda": Here(
        RUNS,
        (as_row("lda"), in_table("cdssm-2", "lda"), in_table("cdssm-6", "lda")),
        f"The paper gives no sizes; ours has {lda.TOPICS} topics.",
    ),
    **{
        row: Here(RUNS, (as_recipe(row), in_table(table, row), in_table("cdssm-6", row)), _PAPERS_FORM)
        for row, table in (("cdssm-two-towers", "cdssm-3"), ("cdssm-trigrams", "cdssm-4"))
    },
    "cdssm-words": Here(
        DEPARTS,
        (
            as_recipe("cdssm-words", ("vectors.dim=200",)),
            *(in_table(table, "cdssm-words") for table in ("cdssm-5", "cdssm-6")),
            in_table("cdssm-5", "cdssm-words", ('cdssm.settings=["vectors.dim=200"]',)),
        ),
        "Word vectors of papers and patents stand where the paper has vectors of PubMed, of 200 numbers. Ours "
        "have 200 with vectors.dim=200, and 100 without it.",
    ),
}
_CDSSM_RIVALS: Mapping[str, Here] = {
    "DSSM": Here(
        DEPARTS,
        (as_matcher("dssm"),),
        "Learns the cosines of pairs of long documents; the paper's softmax over related and unrelated documents is "
        "that of our C-DSSM.",
    ),
    "Word Movers' Distance": Here(
        DEPARTS, (as_row("wmd"), as_row("wmd(word2vec-own)")), f"{_MOVED} The paper gives no figures of it."
    ),
    "Supervised Word Movers' Distance": Here(
        DEPARTS,
        (as_recipe("swmd"), as_row("wmd(swmd)=FOLDER")),
        "Learns from documents of one subject and from train pairs, where its authors have the classes of one set; a "
        "text's neighbours come from its batch. The weights of words are learnt by their logarithms. "
        f"Ranks the first {RERANKED} hits of the weighted mean of the learnt vectors again.",
    ),
}


def _rival(name: str, kind: str, how: str) -> Here:
    """Return a matcher, which is trained on pairs of long documents."""
    epochs = f"{_LONG.matcher_epochs} epochs in `tables`, up to 20 by its recipe."
    by_length = in_table("colde-7", name, (f'colde.length_rivals=["{name}"]',))
    return Here(
        DEPARTS, (as_matcher(kind), in_table("colde-2", name), by_length, in_table("colde-8", name)), f"{how} {epochs}"
    )


def _from_scratch(words: str) -> str:
    return f"A small network from scratch over the first {words} words ({_LONG.slow_matcher_words} in `tables`)"


def _colde(*settings: str) -> Way:
    return as_recipe("colde-paper", ("backbone.source=FOLDER", *settings))


_NO_NUMBERS = ("backbone.section_numbers=1", "backbone.chunk_numbers=1")
_FURTHER: Mapping[str, tuple[str, ...]] = {"CoLDE-Aug": _NO_NUMBERS, "CoLDE-CL": _NO_NUMBERS}
"""What an ablation changes besides in the paper's form, where section and chunk embeddings are learnt (section 4.5)."""

_COLDE_MODELS: Mapping[str, Here] = {
    "DSSM": _rival("DSSM", "dssm", "Reads the first 2,000 words."),
    "ARC-I": _rival("ARC-I", "arc-i", "Reads the first 2,000 words."),
    "HAN": _rival("HAN", "han", f"{_from_scratch('1,000')}."),
    "S-BERT": Here(
        BRING,
        (
            as_recipe("matcher-s-bert", ("network.source=FOLDER",)),
            in_table("colde-2", SBERT),
            in_table("colde-8", SBERT),
            as_pairs(PLAIN),
        ),
        f"In `tables` it learns for {_LONG.sbert_epochs} epochs over all-MiniLM-L6-v2. Figure 7 leaves it out: it "
        "reads 512 tokens whatever the bound. `match` has all-MiniLM-L6-v2 as it comes, by the first 256 tokens.",
        (BERT,),
    ),
    "SMITH": _rival("SMITH", "smith", f"{_from_scratch('1,000')}; the paper fine-tunes what its authors published."),
    "S-LONG": _rival("S-LONG", "s-long", f"{_from_scratch('1,500')}; the paper has Longformer over 4,096 tokens."),
    **{
        name: Here(BRING, (_colde(*settings, *_FURTHER.get(name, ())), in_table("colde-2", name)), notes=(BERT, FROZEN))
        for name, settings in ABLATIONS.items()
    },
}
_COLDE_FORMS: Mapping[tuple[str, str], Here] = {
    ("figure 6", "CoLDE by the documents of a batch"): Here(
        BRING,
        (in_table("colde-6", "CoLDE"), *(_colde(f"optimizer.batch={size}") for size in _LONG.batches)),
        notes=(BERT, FROZEN),
    ),
    ("figure 7", "CoLDE by the most tokens of a section"): Here(
        BRING,
        (in_table("colde-7", "CoLDE"), *(_colde(f"objective.max_tokens={most}") for most in _LONG.lengths)),
        notes=(BERT, FROZEN),
    ),
    ("figure 8", "CoLDE with its sections in another order"): Here(
        BRING, (in_table("colde-8", "CoLDE"), _colde()), notes=(BERT, FROZEN)
    ),
    ("section 4.5.4", "CoLDE by the sections of a document"): Here(
        BRING, tuple(_colde(f"objective.sections={count}") for count in (2, 3, 4, 5)), notes=(BERT,)
    ),
}


def _listed() -> Iterator[System]:
    of_ctpe = {
        "tables 2 and 3": _CTPE_METHODS,
        "table 4": {**_CTPE_EMBEDDINGS, **_CTPE_PARTS},
        "table 5": _POSITIONS,
        "table 6": _SAMPLINGS,
    }
    yield from (System(CTPE, where, name, here) for where, part in of_ctpe.items() for name, here in part.items())
    yield from (System(KEYVEC, "retrieval, clustering", keyvec.ROWS[row], here) for row, here in _KEYVEC.items())
    yield from (System(KEYVEC, "the reader's objective", name, here) for name, here in _LABELS.items())
    for row, here in _CDSSM.items():
        table, _, name = cdssm.ROWS[row].partition(": ")
        yield System(CDSSM, f"{table.replace('table', 'tables')} and 6", name, here)
    yield from (System(CDSSM, "sections I and II", name, here) for name, here in _CDSSM_RIVALS.items())
    for name, here in _COLDE_MODELS.items():
        yield System(COLDE, "table 2" if name in ABLATIONS else "table 2, figures 7 and 8", name, here)
    yield from (System(COLDE, where, name, here) for (where, name), here in _COLDE_FORMS.items())


SYSTEMS: tuple[System, ...] = tuple(_listed())
"""Every one, in the order of the papers."""
