"""The comparison of two checkouts: what counts as equal, and what is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house import answers
from tests.house.answers import Checkout, Kept, Work, compared, differences
from tests.house.sessions import Data, Session, sessions

PROJECT = Path(__file__).resolve().parents[2]
PROGRAM = """
import json, os, sys
from pathlib import Path
if sys.argv[1] == "break":
    raise ValueError("broken")
if sys.argv[1] == "refuse":
    print("priorscope: Expected less.", file=sys.stderr)
    sys.exit(2)
if sys.argv[1] == "write":
    Path(sys.argv[2]).write_text("one\\ntwo\\n")
Path("runs").open("a").write("x")
print(json.dumps({"score": SCORE, "seconds": len(Path("runs").read_text()), "place": os.environ["PRIORSCOPE_LIBRARY"]}))
"""
COMMANDS = (("give", "--json"), ("write", "{out}/text.md"), ("refuse",))


def checkout(folder: Path, score: float, commit: str = "c0ffee") -> Checkout:
    """A project whose command prints a score."""
    (folder / "engine/cli").mkdir(parents=True)
    for package in ("engine", "engine/cli"):
        (folder / package / "__init__.py").touch()
    (folder / "engine/cli/main.py").write_text(PROGRAM.replace("SCORE", str(score)))
    return Checkout(folder, commit)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ({"a": [1, 0.5]}, {"a": [1, 0.500009]}, []),
        ({"a": 0.5}, {"a": 0.50002}, ["$.a: 0.5 | 0.50002"]),
        ({"a": 1}, {"a": 1.0}, ["$.a: 1 | 1.0"]),
        ({"a": 1}, {"a": True}, ["$.a: 1 | true"]),
        ({"seconds": 1, "b": {"commit": "x"}}, {"seconds": 2, "b": {"commit": "y"}}, []),
        ({"a": 1, "b": 2}, {"b": 2, "c": 3}, ["$.a: 1 | gone", "$.c: new | 3"]),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, ["$: keys in another order: a, b | b, a"]),
        ([1, 2], [1, 3, 4], ["$: 2 entries | 3", "$[1]: 2 | 3"]),
        ({"a": "x" * 200 + "one"}, {"a": "x" * 200 + "two"}, [f'$.a: "{"x" * 25}one" | "{"x" * 25}two"']),
        (None, "", ['$: null | ""']),
    ],
)
def test_a_difference_has_its_path(before: answers.Json, after: answers.Json, said: list[str]) -> None:
    assert list(differences(before, after)) == said


def test_texts_are_compared_by_lines_without_times() -> None:
    assert answers.tree("10 results, 31 ms\nready in 2.5 s") == answers.tree("10 results, 7 ms\nready in 12.0 s")
    assert list(differences(answers.tree("one\ntwo"), answers.tree("one\nthree"))) == ['$[1]: "two" | "three"']


def test_two_checkouts_are_held_against_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, same, other = (checkout(tmp_path / f"{score}-{n}", score) for n, score in enumerate((0.5, 0.5, 0.75)))
    data, session = Data(tmp_path / "corpora"), Session("some", COMMANDS)
    kept = Kept(before, tmp_path / "keep")
    assert answers.hold(before, same, [session], kept, data) == (3, 3)
    assert "equal (exit 2): refuse" in capsys.readouterr().out
    assert answers.hold(before, other, [session], kept, data) == (1, 3)
    assert "DIFFERS: give --json\n      $.printed.score: 0.5 | 0.75" in capsys.readouterr().out
    assert (before.folder / "runs").read_text() == "xx"  # what it gave was kept
    assert (other.folder / "runs").read_text() == "xx"
    found = kept.answers(session, Work(tmp_path / "work", data))
    assert found[0]["printed"].endswith('"place": "{library}"}\n')
    assert found[1]["files"] == {"text.md": "one\ntwo\n"}
    assert found[2]["said"] == ["priorscope: Expected less."]


def test_answers_of_changed_files_are_not_kept(tmp_path: Path) -> None:
    before, data = checkout(tmp_path / "before", 0.5, "c0ffee+"), Data(tmp_path / "corpora")
    for _ in range(2):
        Kept(before, tmp_path / "keep").answers(Session("some", COMMANDS[:1]), Work(tmp_path / "work", data))
    assert (before.folder / "runs").read_text() == "xx"


def test_a_command_that_breaks_off_is_never_equal(tmp_path: Path) -> None:
    work = Work(tmp_path / "work", Data(tmp_path / "corpora"))
    work.begin()
    broken = answers.run_command(checkout(tmp_path / "one", 1), ("break",), work)
    assert compared(broken, broken) == [f"{name} broke off with exit code 1" for name in ("before", "after")]


def test_this_checkout_reads_a_text_and_stores_a_library(tmp_path: Path) -> None:
    text = tmp_path / "pump.md"
    text.write_text("# A pump\n\nIt feels a blockage by the current of its motor.\n", "utf-8")
    work = Work(tmp_path / "work", Data(tmp_path / "corpora", tmp_path))
    work.begin()
    read, brought, stored = (
        answers.run_command(Checkout(PROJECT, ""), words, work)
        for words in (("read", "{shared}/pump.md", "--json"), ("import", "{shared}/pump.md"), ("stored",))
    )
    assert (read["code"], brought["code"]) == (0, 0)
    assert answers.tree(read["printed"])["title"] == "A pump"
    form = answers.tree(stored["printed"])
    assert list(form["arrays"].values()) != [] and form["tables"] != []
    assert compared(read, read) == compared(stored, stored) == []


def test_every_session_has_commands_without_shared_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = {session.name: session.commands for session in sessions(Data(tmp_path), PROJECT, quick=True)}
    assert not found.pop("field") and all(found.values())
    assert "Name their folder with --shared." in capsys.readouterr().out
