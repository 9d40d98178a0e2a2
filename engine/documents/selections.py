"""Some documents of a library by their ids, and what each index knows of them, found out once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Set
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from engine.documents.document import Document, Kind

T = TypeVar("T")
_MANY = 4
"""From one id in four that are held on, it is quicker to go through what is held than to look up each id."""


class Selection(frozenset[str]):
    """Ids that many questions are asked within, such as all patents.

    To turn 200,000 ids into rows takes a tenth of a second. So whoever keeps rows asks the selection to remember them,
    for as long as the state that they are true of lives.
    """

    def remembered(self, state: object, find: Callable[[], T]) -> T:
        """Return what `find` gave the first time for this very state of an index, which is kept weakly."""
        held: WeakKeyDictionary[Any, Any] = self.__dict__.setdefault("_held", WeakKeyDictionary())
        if state not in held:
            held[state] = find()
        found: T = held[state]
        return found


def ids_by_kind(documents: Iterable[Document]) -> dict[Kind, Selection]:
    """Return the ids of the documents of each kind."""
    found: dict[Kind, set[str]] = {}
    for document in documents:
        found.setdefault(document.kind, set()).add(document.id)
    return {kind: Selection(ids) for kind, ids in found.items()}


def remembered(ids: Collection[str], state: object, find: Callable[[], T]) -> T:
    """Return what `find` gives; where the ids are a selection, it is called once for a state."""
    return ids.remembered(state, find) if isinstance(ids, Selection) else find()


def places(ids: Collection[str], held: Mapping[str, int]) -> NDArray[np.int64]:
    """Return the places of those ids that are held (n,), ascending; `held` gives each id its place."""
    if _MANY * len(ids) < len(held):
        return np.array(sorted({held[name] for name in ids if name in held}), np.int64)
    among = ids if isinstance(ids, Set) else frozenset(ids)
    is_among = np.fromiter(map(among.__contains__, held), bool, len(held))
    return np.sort(np.fromiter(held.values(), np.int64, len(held))[is_among])
