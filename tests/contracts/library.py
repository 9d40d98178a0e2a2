"""What every store of a library promises: a store's own test inherits this and supplies `folder`, where one is opened.

The fixtures `library`, `imported` and `worded` open it there; they come from `tests/library/conftest.py`.
"""

from __future__ import annotations

from tests.contracts.library_holding import HoldingContract
from tests.contracts.library_keeping import KeepingContract
from tests.contracts.library_lists import ListsContract
from tests.contracts.library_notes import NotesContract
from tests.contracts.library_words import WordsContract
from tests.contracts.library_writing import WritingContract


class LibraryContract(HoldingContract, KeepingContract, ListsContract, NotesContract, WordsContract, WritingContract):
    """All of it."""
