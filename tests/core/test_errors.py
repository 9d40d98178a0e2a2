"""The tree of errors: as its module draws it, and apart from the errors of Python."""

from __future__ import annotations

import re

from engine.core import errors
from engine.core.errors import EngineError


def drawn() -> dict[str, str]:
    """Each error of the module's drawing, and the one that it hangs from."""
    above, found = ["EngineError"], {}
    for line in (errors.__doc__ or "").splitlines():
        if branch := re.match(r"((?:\|  |   )*)[|`]- (\w+)", line):
            depth = len(branch[1]) // 3 + 1
            found[branch[2]] = above[depth - 1]
            above[depth:] = [branch[2]]
    return found


def defined() -> list[type[EngineError]]:
    return [one for one in vars(errors).values() if isinstance(one, type) and one is not EngineError]


def test_the_drawing_is_the_tree() -> None:
    assert drawn() == {error.__name__: error.__base__.__name__ for error in defined()}
    assert drawn()["ShapeError"] == "VectorIndexError"


def test_an_error_is_ours_only() -> None:
    """An error of ours that was a ValueError, too, would be caught where nobody shows its text."""
    for error in defined():
        assert error.__mro__[-4:] == (EngineError, Exception, BaseException, object), error
        assert all(issubclass(one, EngineError) for one in error.__mro__[:-3]), error


def test_an_error_shows_the_text_that_it_was_given_and_says_what_it_is_for() -> None:
    for error in (EngineError, *defined()):
        assert str(error("Expected a file, got none.")) == "Expected a file, got none."
        assert re.fullmatch(r"[A-Z].*[.]", error.__doc__ or "", re.DOTALL), error
