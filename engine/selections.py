"""Some documents of a library by their ids, and what each index knows of them, found out once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")


class Selection(frozenset[str]):
    """Ids that many questions are asked within, such as all patents.

    To turn 200,000 ids into rows takes a tenth of a second. So whoever keeps rows asks the selection to remember them,
    for as long as the state that they are true of lives.
    """

    def remembered(self, state: object, find: Callable[[], T]) -> T:
        """What `find` gave the first time for this very state of an index, which is kept weakly."""
        held: WeakKeyDictionary[Any, Any] = self.__dict__.setdefault("_held", WeakKeyDictionary())
        if state not in held:
            held[state] = find()
        found: T = held[state]
        return found
