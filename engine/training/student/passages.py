"""Teaches a small transformer passages by a recipe: which passage a quote is from, and which documents match.

Papers and patents are cut into passages by the ids of their tokens, and stretches of these are drawn as readers quote.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from engine.core.errors import TrainingError
from engine.core.progress import Report, silent
from engine.core.rows import Positions, TokenIds
from engine.encoders.student import StudentEncoder
from engine.search import cut_passages, passage_text
from engine.training import corpora
from engine.training.corpora import HeldOut, documents_of
from engine.training.loop import Start, Surroundings, TrainingRun, train_encoder
from engine.training.losses import contrastive, late_interaction, placing_distance, posterior_loss
from engine.training.related import RelatedPairs, pair_digests, pairs_in
from engine.training.run_folder import Folders, folder_of
from engine.training.student.recipe import PassageDataSettings, PassagesRecipe, QuoteSettings

_QUOTES, _PASSAGES = 4, 5  # keep these draws apart from whatever else a step draws by its key
_KINDS = ("WordPiece", "WordLevel")
_ENDS = ("[CLS]", "[SEP]")

_TEXTS_AT_ONCE = 4_096


@dataclass(frozen=True)
class CutDocuments:
    """n documents with p passages, their tokens end to end without start and end tokens.

    Passage i has flat[starts[i]:starts[i + 1]]; `parts` (p,) numbers the section that it is cut from. Document j has
    the passages firsts[j] to firsts[j + 1].
    """

    names: tuple[str, ...]
    families: tuple[str, ...]
    firsts: Positions
    flat: TokenIds
    starts: Positions
    parts: Positions

    @property
    def subjects(self) -> tuple[str, ...]:
        """The subject of each document: none has one."""
        return ("",) * len(self.names)

    @classmethod
    def of(
        cls, settings: PassageDataSettings, encoder: StudentEncoder, data: Path, *, report: Report = silent
    ) -> CutDocuments:
        """Read the documents of train pairs; no benchmark's query, copy of one, nor one of its family is among them.

        Raises InputError if a corpus or a file of pairs is missing.
        """
        paired = {name for one in settings.files for pair in pairs_in(data / one.corpus / one.pairs) for name in pair}
        held_out = HeldOut.below(data)
        names, families, counts, texts, parts = [], [], [], list[str](), list[int]()
        for _, document in documents_of(settings.corpora, data, report):
            if document.id not in paired or document in held_out:
                continue
            paired.remove(document.id)  # of two of one id the first counts
            passages = cut_passages(document, settings.words)
            names.append(document.id)
            families.append(document.family)
            counts.append(len(passages))
            texts += [passage_text(document, one) for one in passages]
            parts += [one.part for one in passages]
        flat, lengths = _tokens(texts, encoder)
        return cls(
            tuple(names), tuple(families), corpora.bounds(counts), flat, corpora.bounds(lengths), np.array(parts)
        )

    def passages(self, document: int) -> Positions:
        """Return the passages of a document."""
        return np.arange(self.firsts[document], self.firsts[document + 1])

    def tokens(self, passage: int) -> TokenIds:
        """Return the tokens of a passage: (t,)."""
        return self.flat[self.starts[passage] : self.starts[passage + 1]]

    def owners(self) -> Positions:
        """Return the document of each passage: (p,)."""
        return np.repeat(np.arange(len(self.names)), np.diff(self.firsts))

    def runs_on(self) -> NDArray[np.bool_]:
        """Tell whether the next passage goes on with the section of each: (p,)."""
        section = self.owners() * (int(self.parts.max(initial=0)) + 1) + self.parts
        return np.append(section[1:] == section[:-1], False)


def _tokens(texts: list[str], encoder: StudentEncoder) -> tuple[TokenIds, Positions]:
    """Return the tokens of texts end to end, without what begins and ends each, and how many each has."""
    found: list[TokenIds] = []
    for first in range(0, len(texts), _TEXTS_AT_ONCE):
        read = encoder.tokens(texts[first : first + _TEXTS_AT_ONCE])
        found += [np.array(ids[1:-1], np.int32) for ids in read]
    return np.concatenate([np.zeros(0, np.int32), *found]), np.array([len(ids) for ids in found], np.int64)


class Quotes(NamedTuple):
    """m stretches by their tokens, and the passage of each among those that were drawn from: (m,).

    `beside` (m,) is a passage that a stretch runs on into, if it is among them, else -1.
    """

    tokens: list[TokenIds]
    own: Positions
    beside: Positions


class Quoting:
    """Draws stretches of the passages of documents."""

    def __init__(self, settings: QuoteSettings, documents: CutDocuments, continues: NDArray[np.bool_]) -> None:
        """Take what is drawn from; `continues` (v,) says which tokens of the vocabulary go on with a word."""
        self._settings, self._documents, self._continues = settings, documents, continues
        self._runs_on = documents.runs_on()
        begins = ~continues[documents.flat]
        self._whole_words = documents.flat[begins & np.append(begins[1:], True)]

    def draw(self, passages: Positions, generator: np.random.Generator) -> Quotes:
        """Draw stretches of as many passages (n,) as the recipe says; at least half of one lies in its passage."""
        wanted = min(self._settings.spans, len(passages))
        own = generator.choice(len(passages), wanted, replace=False)
        place_of = {int(passage): place for place, passage in enumerate(passages)}
        found, beside = [], []
        for place in own.tolist():
            passage = int(passages[place])
            tokens, runs_over = self._stretch(passage, generator)
            found.append(self._changed(tokens, generator))
            beside.append(place_of.get(passage + 1, -1) if runs_over else -1)
        return Quotes(found, own, np.array(beside, np.int64))

    def _stretch(self, passage: int, generator: np.random.Generator) -> tuple[TokenIds, bool]:
        """Draw some words of a passage, and tell whether they run on into the next."""
        settings, tokens = self._settings, self._documents.tokens(passage)
        inside = int((~self._continues[tokens]).sum())
        if self._runs_on[passage]:
            tokens = np.concatenate([tokens, self._documents.tokens(passage + 1)])
        begins = np.flatnonzero(~self._continues[tokens])
        length = min(round(float(np.exp(generator.uniform(*np.log([settings.fewest, settings.most]))))), inside)
        first = int(generator.integers(max(1, min(inside - (length + 1) // 2, len(begins) - length) + 1)))
        ends = np.append(begins, len(tokens))
        last = min(first + length, len(begins))
        return tokens[ends[first] : ends[last]], last > inside

    def _changed(self, tokens: TokenIds, generator: np.random.Generator) -> TokenIds:
        """Return the tokens with some words left out and others changed, in the recipe's share of cases."""
        settings = self._settings
        if generator.random() >= settings.changed:
            return tokens
        begins = ~self._continues[tokens]
        begins[:1] = True
        word = begins.cumsum() - 1  # the word of each token
        drops, changes = generator.uniform(0, [settings.dropped, settings.replaced])
        drawn = generator.random((2, int(word[-1]) + 1))
        kept, other = drawn[0] >= drops, drawn[1] < changes
        if not kept.any():
            return tokens
        tokens = tokens.copy()
        places = np.flatnonzero(begins & other[word])
        tokens[places] = generator.choice(self._whole_words, len(places))
        left: TokenIds = tokens[kept[word] & (begins | ~other[word])]
        return left


class PassageBatch(NamedTuple):
    """A step's documents (d,), and what seeds its other draws."""

    documents: Positions
    key: tuple[int, int, int]


@dataclass(frozen=True)
class PassageTexts:
    """Documents in passages, which of them are related, the stretches that ask for them, and a text's two ends."""

    documents: CutDocuments
    pairs: RelatedPairs
    quoting: Quoting
    ends: tuple[int, int]


class PassageTask:
    """Related documents for the loop; each step reads some passages of theirs."""

    def __init__(self, recipe: PassagesRecipe, model: nn.Module, texts: PassageTexts) -> None:
        """Take a transformer on its device, which also says where passages were in the beginning."""
        self._recipe, self._model, self._texts = recipe, model, texts
        self._before = copy.deepcopy(model).eval().requires_grad_(False)
        self._device = next(model.parameters()).device

    @property
    def model(self) -> nn.Module:
        """The transformer."""
        return self._model

    def groups(self) -> list[dict[str, Any]]:
        """Return the parameters with their learning rate."""
        return [{"params": list(self._model.parameters()), "lr": self._recipe.optimizer.learning_rate}]

    def steps(self) -> int:
        """Return the number of batches in an epoch."""
        return self._recipe.objective.steps

    def batches(self, epoch: int) -> Sequence[PassageBatch]:
        """Return an epoch's batches: the documents of related pairs, each once."""
        keys = [(self._recipe.seed, epoch, number) for number in range(self.steps())]
        return [PassageBatch(np.unique(self._texts.pairs.draw(key).pairs), key) for key in keys]

    def loss(self, batch: PassageBatch) -> Tensor:
        """Return how badly quotes find their passages and documents those related to them, and what has moved."""
        settings = self._recipe.objective
        drawn = self._passages(batch)
        passages = np.concatenate(drawn)
        texts = [self._texts.documents.tokens(passage) for passage in passages.tolist()]
        rows = self._encode(texts, self._model)  # (n, dim)
        total = torch.zeros((), device=self._device)
        if settings.places:
            with torch.no_grad():
                before = self._encode(texts, self._before)
            total = total + settings.places * placing_distance(rows, before)
        if settings.quotes.weight:
            total = total + settings.quotes.weight * self._quotes(rows, passages, batch.key)
        if settings.matches.weight:
            similarity = late_interaction(torch.split(rows, [len(part) for part in drawn]))  # (d, d)
            same = self._texts.pairs.same_label(batch.documents, batch.documents)
            found = contrastive(similarity, self._moved(same), temperature=settings.matches.temperature)
            total = total + settings.matches.weight * found
        return total

    def _quotes(self, rows: Tensor, passages: Positions, key: tuple[int, int, int]) -> Tensor:
        """Return how badly stretches of the passages (n,) with rows (n, dim) find them."""
        settings = self._recipe.objective.quotes
        drawn = self._texts.quoting.draw(passages, np.random.default_rng([*key, _QUOTES]))
        asked = self._encode(drawn.tokens, self._model)  # (m, dim)
        return posterior_loss(
            asked,
            rows,
            self._moved(drawn.own),
            gamma=1 / settings.temperature,
            strangers=self._moved(_strangers(drawn, len(passages))),
        )

    def _passages(self, batch: PassageBatch) -> list[Positions]:
        """Draw some passages of each document of a batch."""
        generator = np.random.default_rng([*batch.key, _PASSAGES])
        held = [self._texts.documents.passages(document) for document in batch.documents.tolist()]
        return [generator.permutation(one)[: self._recipe.data.each] for one in held]

    def _encode(self, texts: Sequence[TokenIds], model: nn.Module) -> Tensor:
        """Return the sums of n texts' token vectors: (n, dim)."""
        first, last = self._texts.ends
        lengths = np.array([len(ids) + 2 for ids in texts])
        padded = np.zeros((len(texts), lengths.max()), np.int64)
        inside = np.arange(lengths.max()) < lengths[:, None]  # (n, t)
        padded[inside] = np.concatenate([part for ids in texts for part in ([first], ids, [last])])
        mask = self._moved(inside)
        vectors: Tensor = model(input_ids=self._moved(padded), attention_mask=mask.long()).last_hidden_state
        return (vectors.float() * mask[:, :, None]).sum(1)

    def _moved(self, array: NDArray[Any]) -> Tensor:
        return torch.from_numpy(array).to(self._device)


def _strangers(drawn: Quotes, count: int) -> NDArray[np.bool_]:
    """Tell which of `count` passages are wrong answers to each of m stretches: (m, count)."""
    found = np.ones((len(drawn.own), count), np.bool_)
    over = np.flatnonzero(drawn.beside >= 0)
    found[over, drawn.beside[over]] = False
    return found


def train(recipe: PassagesRecipe, folders: Folders, *, resume: bool = False, report: Report = silent) -> StudentEncoder:
    """Teach by a recipe; gives the last epoch's encoder.

    Raises InputError if a corpus or a table is missing or too small, StorageError if the encoder that it begins as is,
    and TrainingError in several processes, or if the run folder holds another run.
    """
    digests = corpora.digests(recipe.data.corpora, folders.data) | pair_digests(recipe.data.files, folders.data)

    def begin(around: Surroundings) -> Start[StudentEncoder]:
        source = StudentEncoder.load(folder_of(recipe.source)).as_it_reads(recipe.reading)
        documents = CutDocuments.of(recipe.data, source, folders.data, report=report)
        pairs = RelatedPairs.of(recipe.data, documents, folders.data, batch=recipe.optimizer.batch)
        continues, ends = _words(source.tokenizer)
        model = source.to_train().to(around.device)
        texts = PassageTexts(documents, pairs, Quoting(recipe.objective.quotes, documents, continues), ends)
        about = {
            "documents": len(documents.names),
            "passages": len(documents.parts),
            "tokens": len(documents.flat),
            **pairs.counts,
            "source_fingerprint": source.card.fingerprint,
        }
        trained_on = tuple(dict.fromkeys([*source.card.trained_on, *recipe.data.corpora]))

        def encoder(facts: Mapping[str, Any]) -> StudentEncoder:
            return StudentEncoder.of(model, source.tokenizer, recipe.reading, trained_on=trained_on, facts=facts)

        return Start(PassageTask(recipe, model, texts), encoder, about)

    found = train_encoder(TrainingRun(recipe, folders, resume, report), digests, begin, alone="an encoder of passages")
    return cast(StudentEncoder, found)


def _words(tokenizer: str) -> tuple[NDArray[np.bool_], tuple[int, int]]:
    """Tell which tokens of a vocabulary go on with a word, (v,), and the two that a text begins and ends with.

    Raises TrainingError for a tokenizer of another kind than BERT's.
    """
    found = json.loads(tokenizer)["model"]
    ids: Mapping[str, int] = found.get("vocab", {})
    if found["type"] not in _KINDS or not set(_ENDS) <= ids.keys():
        raise TrainingError(
            f"Expected an encoder whose tokenizer is of words or word pieces, as BERT's; got one of {found['type']}. "
            "Begin as another."
        )
    prefix = found.get("continuing_subword_prefix")
    continues = np.zeros(max(ids.values()) + 1, np.bool_)
    continues[[number for piece, number in ids.items() if prefix and piece.startswith(prefix)]] = True
    return continues, (ids[_ENDS[0]], ids[_ENDS[1]])
