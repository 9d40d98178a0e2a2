"""Related pairs of several sources: where a step draws them from, and who is no stranger."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.training.cdssm.corpus import WordCorpus
from engine.training.related import RelatedPairs
from tests.training.cdssm.small import recipe

KEYS = [(1, epoch, step) for epoch in range(2) for step in range(150)]


def corpus() -> WordCorpus:
    """Six documents of each of four subjects, then eight of none, the last two of one family."""
    subjects = [f"ours\t{name}" for name in "abcd" for _ in range(6)] + [""] * 8
    families = [""] * 30 + ["f"] * 2
    names = [f"d{place}" for place in range(32)]
    none = np.zeros(32, np.int32), np.arange(33)
    return WordCorpus(*none, ["word"], names, subjects, families, {})


def pairs(folder: Path, *settings: str) -> RelatedPairs:
    for name, joined in (("ours", [(24, 25), (25, 26), (24, 27), (28, 29)]), ("theirs", [(0, 24), (1, 30), (2, 31)])):
        (folder / name).mkdir(exist_ok=True)
        rows = [f"d{one}\td{other}" for one, other in joined]
        (folder / name / "train-pairs.tsv").write_text("\n".join(["id-a\tid-b", *rows]))
    files = "data.files=[{corpus = 'ours'}, {corpus = 'theirs'}]"
    given = recipe(folder, files, *settings)
    return RelatedPairs.of(given.data, corpus(), folder, batch=given.optimizer.batch)


def test_a_step_draws_from_one_source_by_its_share(tmp_path: Path) -> None:
    made = pairs(tmp_path, "data.subject_share=0.5")
    assert made.counts == {"subjects": 4, "related_pairs": 7}
    np.testing.assert_allclose(made.chances, [0.5, 0.5 * 4 / 7, 0.5 * 3 / 7])
    subjects, seen = corpus().subjects, []
    for key in KEYS:
        drawn = made.draw(key)
        assert drawn.pairs.shape == (3, 2)
        same = [subjects[one] and subjects[one] == subjects[other] for one, other in drawn.pairs]
        held = {frozenset(pair) for pair in drawn.pairs.tolist()}
        seen.append("subjects" if all(same) else "theirs" if held == {frozenset(p) for p in THEIRS} else "ours")
        if seen[-1] == "subjects":
            assert len({subjects[one] for one, _ in drawn.pairs}) == 3
    shares = [seen.count(name) / len(KEYS) for name in ("subjects", "ours", "theirs")]
    np.testing.assert_allclose(shares, made.chances, atol=0.08)


THEIRS = [(0, 24), (1, 30), (2, 31)]


def test_either_document_of_a_pair_may_ask(tmp_path: Path) -> None:
    made = pairs(tmp_path, "data.subjects=[]")
    asks = {tuple(pair) for key in KEYS for pair in made.draw(key).pairs.tolist()}
    assert {(24, 25), (25, 24), (0, 24), (24, 0)} <= asks


def test_a_step_draws_the_same_again_and_another_step_something_else(tmp_path: Path) -> None:
    made = pairs(tmp_path)
    first, again, other = (made.draw(key).pairs for key in ((1, 0, 0), (1, 0, 0), (1, 0, 1)))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_documents_that_share_a_label_or_a_train_pair_are_no_strangers(tmp_path: Path) -> None:
    made = pairs(tmp_path)
    one, other = np.array([0, 24, 30, 28]), np.array([0, 5, 6, 25, 27, 31, 29])
    expected = [
        [True, True, False, False, False, False, False],  # itself, one of its subject, one of another
        [True, False, False, True, True, False, False],  # joined by train pairs
        [False, False, False, False, False, True, False],  # of its family
        [False, False, False, False, False, False, True],
    ]
    assert made.same_label(one, other).tolist() == expected
    assert made.same_label(other, one).tolist() == np.array(expected).T.tolist()
