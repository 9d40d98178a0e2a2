"""Files or sources into a library, and a library into an encoder's index: the only room that joins all four."""

from engine.ingest.importing import ImportSummary, Note, has_samples, import_paths, import_samples
from engine.ingest.indexing import (
    encoder_for,
    exact_index,
    index_library,
    lacks_codes,
    open_index,
    search_index,
    vectors_folder,
    whole_index,
)
from engine.ingest.passages import (
    chunk_view,
    forget_foreign_chunks,
    has_passages_left,
    index_passages,
    keep_chunks,
    open_passages,
)
from engine.ingest.removing import remove_documents, remove_file

__all__ = [
    "ImportSummary",
    "Note",
    "chunk_view",
    "encoder_for",
    "exact_index",
    "forget_foreign_chunks",
    "has_passages_left",
    "has_samples",
    "import_paths",
    "import_samples",
    "index_library",
    "index_passages",
    "keep_chunks",
    "lacks_codes",
    "open_index",
    "open_passages",
    "remove_documents",
    "remove_file",
    "search_index",
    "vectors_folder",
    "whole_index",
]
