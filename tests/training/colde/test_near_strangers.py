"""Hard negatives of long documents, against a plain count of shared words."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from engine.documents import text
from engine.training.colde.task import near_strangers, with_strangers
from engine.training.long_corpus import LongCorpus, contrastive_batches, read_long_corpora
from tests.training.long import write_long_corpora


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> LongCorpus:
    return read_long_corpora(["ours", "more"], write_long_corpora(tmp_path_factory.mktemp("long")))


def plain(corpus: LongCorpus, place: int, others: list[int]) -> dict[int, float]:
    """Cosines of (1 + ln tf) (1 + ln((1 + n) / (1 + df))) between one document and others of its corpus."""
    counted = {one: Counter(text.tokens(corpus.documents[one].text)) for one in {place, *others}}
    df = Counter(word for counts in counted.values() for word in counts)
    n = len(counted)
    rows = {
        one: {w: (1 + math.log(c)) * (1 + math.log((1 + n) / (1 + df[w]))) for w, c in counts.items() if df[w] <= n / 2}
        for one, counts in counted.items()
    }
    lengths = {one: math.sqrt(sum(value**2 for value in row.values())) for one, row in rows.items()}
    return {
        one: sum(value * rows[one].get(word, 0) for word, value in rows[place].items()) / lengths[place] / lengths[one]
        for one in others
        if one != place
    }


def test_they_are_the_nearest_of_the_corpus_s_train_documents_that_nothing_joins(corpus: LongCorpus) -> None:
    near = near_strangers(corpus, count=4)
    assert near.shape == (40, 4)
    joined = corpus.same_label(np.arange(40))
    for pairs in corpus.train.values():
        held = np.unique(pairs.places).tolist()
        for place in held:
            cosines = plain(corpus, place, held)
            wanted = sorted((value for one, value in cosines.items() if not joined[place, one]), reverse=True)[:4]
            found = [one for one in near[place].tolist() if one >= 0]
            assert [cosines[one] for one in found] == pytest.approx([one for one in wanted if one > 0], abs=1e-5)
            assert not joined[place, found].any()


def test_a_document_that_only_a_valid_pair_names_has_none_and_is_none(corpus: LongCorpus) -> None:
    train = {place for pairs in corpus.train.values() for place in pairs.places.ravel().tolist()}
    others = sorted(set(range(40)) - train)
    near = near_strangers(corpus)
    assert others
    assert (near[others] == -1).all()
    assert not np.isin(near, others).any()


def test_a_batch_takes_up_so_many_of_each_the_same_ones_each_time(corpus: LongCorpus) -> None:
    near = near_strangers(corpus)
    batches = contrastive_batches(corpus, 8, seed=1, epoch=0)
    widened = [with_strangers(batch, near, 2) for batch in batches]
    for batch, wide in zip(batches, widened, strict=True):
        assert set(batch.documents) < set(wide.documents) <= set(batch.documents) | set(near[batch.documents].flat)
        assert len(wide.documents) <= 3 * len(batch.documents)
        assert len({place // 20 for place in wide.documents}) == 1
        assert (wide.key, wide.documents.tolist()) == (batch.key, sorted(set(wide.documents)))
    again = [with_strangers(batch, near, 2).documents.tolist() for batch in batches]
    assert again == [wide.documents.tolist() for wide in widened]
