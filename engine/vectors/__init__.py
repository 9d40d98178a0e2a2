"""Where vectors lie on disk and are searched: an index of documents' rows, segments of passages' rows, codes.

`storage.py` says how both lie on disk.
"""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.vectors.index import VectorIndex
    from engine.vectors.passages import PassagePlace, PassageStore, PassageView
    from engine.vectors.registry import (
        BINARY_ABOVE,
        FEWEST,
        IndexChoice,
        IndexKind,
        chosen_kind,
        has_codes,
        keep_revision,
        kept_folders,
        kept_ids,
        kept_passage_store,
        measured_recall,
        open_index,
        open_passage_store,
        remove_rows,
        rows_written,
        seen_revision,
    )
    from engine.vectors.storage import ReadPassages, check_rows, mark_of_list

__getattr__ = door(__name__)
