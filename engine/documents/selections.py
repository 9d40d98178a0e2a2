"""Some documents of a library by their ids, and what each index knows of them, found out once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from itertools import count, repeat
from typing import Any, Self, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from engine.documents.document import Document, Kind

T = TypeVar("T")
_MANY = 4
"""From one id in four that are held on, it is quicker to go through what is held than to look up each id."""


class Roster:
    """The ids that selections are of, by number; more may come, and none goes."""

    def __init__(self, ids: Iterable[str] = ()) -> None:
        """Begin with these ids."""
        self.ids: list[str] = []
        self.numbers: dict[str, int] = {}
        self._places: WeakKeyDictionary[Any, NDArray[np.int64]] = WeakKeyDictionary()
        self.extend(ids)

    def extend(self, ids: Iterable[str]) -> list[int]:
        """Return the numbers of ids, which those get that have none."""
        asked, begun = list(ids), len(self.ids)
        new = dict(zip(dict.fromkeys(asked), count(begun), strict=False))
        if self.numbers.keys().isdisjoint(new):
            self.ids += new
            self.numbers |= new
        else:
            for name in new:
                if self.numbers.setdefault(name, len(self.ids)) == len(self.ids):
                    self.ids.append(name)
        return [self.numbers[name] for name in asked]

    def places(self, held: Mapping[str, int], state: object) -> NDArray[np.int64]:
        """Return the place of each id (n,) in the state of an index, which holds these places, or -1."""
        known = self._places.get(state, np.zeros(0, np.int64))
        if len(known) < len(self.ids):
            more = self.ids[len(known) :]
            new = np.fromiter(map(held.get, more, repeat(-1)), np.int64, len(more))
            known = self._places[state] = np.concatenate([known, new])
        return known


class Selection(Set[str]):
    """Ids that many questions are asked within, such as all patents: which of a library's, by their numbers.

    To turn 200,000 ids into rows takes a tenth of a second. So whoever keeps rows finds out once where each id of the
    library is, and any selection of these is then a choice among numbers.
    """

    def __init__(self, ids: Iterable[str] = ()) -> None:
        """Select some ids of no library."""
        self.roster = Roster(dict.fromkeys(ids))
        self.chosen: NDArray[np.bool_] = np.ones(len(self.roster.ids), bool)

    @classmethod
    def of(cls, roster: Roster, chosen: NDArray[np.bool_]) -> Self:
        """Select the ids that are `chosen` (n,) of the first n of a roster."""
        made = cls()
        made.roster, made.chosen = roster, chosen
        return made

    def __contains__(self, name: object) -> bool:
        """Return whether an id is selected."""
        number = self.roster.numbers.get(name, len(self.chosen)) if isinstance(name, str) else len(self.chosen)
        return number < len(self.chosen) and bool(self.chosen[number])

    def __len__(self) -> int:
        """Return how many are selected."""
        return int(np.count_nonzero(self.chosen))

    def __iter__(self) -> Iterator[str]:
        """Yield the ids in the order of their numbers."""
        return map(self.roster.ids.__getitem__, np.flatnonzero(self.chosen).tolist())

    def __eq__(self, other: object) -> bool:
        """Return whether the same ids are selected; of one library, without going through them."""
        if isinstance(other, Selection) and other.roster is self.roster:
            return other is self or bool(np.array_equal(*self._both(other)))
        return Set.__eq__(self, other)

    __hash__ = object.__hash__  # by which states are told apart; ids are compared by `==`

    def __and__(self, other: Set[object]) -> Selection:
        """Return what both select."""
        if isinstance(other, Selection) and other.roster is self.roster:
            return Selection.of(self.roster, np.logical_and(*self._both(other)))
        return self.that(other.__contains__)

    __rand__ = __and__

    def __sub__(self, other: Set[Any]) -> Selection:
        """Return what this selects alone."""
        if isinstance(other, Selection) and other.roster is self.roster:
            one, theirs = self._both(other)
            return Selection.of(self.roster, one & ~theirs)
        return self.that(lambda name: name not in other)

    def __or__(self, other: Set[T]) -> Selection:
        """Return what either selects."""
        if isinstance(other, Selection) and other.roster is self.roster:
            return Selection.of(self.roster, np.logical_or(*self._both(other)))
        return Selection([*self, *(name for name in other if isinstance(name, str))])

    def that(self, passes: Callable[[str], bool]) -> Selection:
        """Return the selected ids that pass a test."""
        chosen = self.chosen.copy()
        numbers = np.flatnonzero(chosen)
        names = map(self.roster.ids.__getitem__, numbers.tolist())
        chosen[numbers] = np.fromiter(map(passes, names), bool, len(numbers))
        return Selection.of(self.roster, chosen)

    def missing_from(self, held: Mapping[str, int], state: object) -> Selection:
        """Return the selected ids that are not held; `held` gives each id its place in a state."""
        return Selection.of(self.roster, self.chosen & (self.roster.places(held, state)[: len(self.chosen)] < 0))

    def lacking(self, names: Sequence[str]) -> list[str]:
        """Return those of some ids that are not selected."""
        numbers = np.fromiter(map(self.roster.numbers.get, names, repeat(-1)), np.int64, len(names))
        among = np.append(np.pad(self.chosen, (0, len(self.roster.ids) - len(self.chosen))), False)
        return [names[place] for place in np.flatnonzero(~among[numbers]).tolist()]

    def places(self, held: Mapping[str, int], state: object) -> NDArray[np.int64]:
        """Return the places of those ids that are held (n,), ascending; `held` gives each id its place in a state."""
        found = self.roster.places(held, state)[: len(self.chosen)][self.chosen]
        return np.sort(found[found >= 0], kind="stable")

    def remembered(self, state: object, find: Callable[[], T]) -> T:
        """Return what `find` gave the first time for this very state of an index, which is kept weakly."""
        held: WeakKeyDictionary[Any, Any] = self.__dict__.setdefault("_held", WeakKeyDictionary())
        if state not in held:
            held[state] = find()
        found: T = held[state]
        return found

    def _both(self, other: Selection) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return what is chosen of both, as long as the longer."""
        size = max(len(self.chosen), len(other.chosen))
        one, theirs = (np.pad(chosen, (0, size - len(chosen))) for chosen in (self.chosen, other.chosen))
        return one, theirs

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> Set[Any]:
        return cls(it)


def as_selection(ids: Set[str]) -> Selection:
    """Return ids as a selection, which one is already."""
    return ids if isinstance(ids, Selection) else Selection(ids)


def ids_by_kind(documents: Iterable[Document]) -> dict[Kind, Selection]:
    """Return the ids of the documents of each kind."""
    kinds: dict[str, Kind] = {document.id: document.kind for document in documents}
    roster, each = Roster(kinds), np.array([*kinds.values()])
    return {kind: Selection.of(roster, each == kind) for kind in dict.fromkeys(kinds.values())}


def remembered(ids: Collection[str], state: object, find: Callable[[], T]) -> T:
    """Return what `find` gives; where the ids are a selection, it is called once for a state."""
    return ids.remembered(state, find) if isinstance(ids, Selection) else find()


def places(ids: Collection[str], held: Mapping[str, int], state: object | None = None) -> NDArray[np.int64]:
    """Return the places of those ids that are held (n,), ascending; `held` gives each id its place.

    Where the ids are a selection, they are found once for the `state` of what is held, and for all of a library.
    """
    if isinstance(ids, Selection) and state is not None:
        return ids.remembered(state, lambda: ids.places(held, state))
    if _MANY * len(ids) < len(held):
        return np.array(sorted({held[name] for name in ids if name in held}), np.int64)
    among = ids if isinstance(ids, Set) else frozenset(ids)
    is_among = np.fromiter(map(among.__contains__, held), bool, len(held))
    return np.sort(np.fromiter(held.values(), np.int64, len(held))[is_among])
