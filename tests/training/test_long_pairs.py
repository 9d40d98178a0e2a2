"""Tables of pairs, and what of a document is compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import InputError
from engine.documents import Document, Section
from engine.training.long_pairs import LabelledPair, body_of, ids_in, read_labelled_pairs, write_labelled_pairs

HEAD = "id-a\tid-b\tlabel\tsplit\n"


def written(folder: Path, text: str) -> Path:
    (folder / "pairs.tsv").write_text(text, "utf-8")
    return folder / "pairs.tsv"


def test_pairs_are_read_in_order(tmp_path: Path) -> None:
    pairs = read_labelled_pairs(written(tmp_path, HEAD + "b\ta\t1\ttrain\na\tc\t0\ttest\n"))
    assert pairs == [LabelledPair("b", "a", True, "train"), LabelledPair("a", "c", False, "test")]
    assert ids_in(pairs) == ["a", "b", "c"]
    write_labelled_pairs(tmp_path / "again.tsv", pairs)
    assert (tmp_path / "again.tsv").read_bytes() == (tmp_path / "pairs.tsv").read_bytes()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id-a\tid-b\tlabel\na\tb\t1\n", r"columns id-a, id-b, label, split in pairs.tsv; missing: split"),
        (
            HEAD + "a\tb\t2\ttrain\n",
            r"label 0 or 1, and split .* in pairs.tsv, line 2; got 'a', 'b', '2'",
        ),
        (HEAD + "a\tb\t1\tdev\n", r"line 2; got 'a', 'b', '1', 'dev'"),
        (HEAD + "a\n", r"line 2; got 'a', '', '', ''"),
        (HEAD, "Expected pairs of documents in pairs.tsv, found none"),
    ],
)
def test_another_table_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_labelled_pairs(written(tmp_path, text))


def test_no_table_and_no_text_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Expected a table of pairs at .*; there is none"):
        read_labelled_pairs(tmp_path / "pairs.tsv")
    (tmp_path / "pairs.tsv").write_bytes(HEAD.encode() + b"\xff\xfe\t\xff\t1\ttrain\n")
    with pytest.raises(InputError, match=r"Expected pairs.tsv to be text in UTF-8"):
        read_labelled_pairs(tmp_path / "pairs.tsv")


def test_only_the_body_is_compared() -> None:
    kept = Section("Introduction", "Engines turn heat into work.")
    document = Document(
        id="one",
        title="On engines",
        abstract="We build one.",
        sections=(
            Section("Abstract", "We build one."),
            kept,
            Section("References.", "Watt 1769."),
            Section("Sources", "Watt 1769.", "references"),
        ),
        claims=("An engine.",),
    )
    assert body_of(document) == Document(id="one", sections=(kept,))
