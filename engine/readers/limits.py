"""Every limit of the readers in one place, so that a file cannot take the machine down."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import InputTooLargeError

_MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one file, document or row may hold; every limit is far above real papers and patents.

    `max_file_bytes` bounds a file that is read whole (PDF, XML, text); `max_bulk_bytes` one that is
    streamed (tables, bulk files), with only `max_record_bytes` held at a time. Of a DOCX, which
    is an archive, each member that is read has a size and a ratio of its size to its packed size.
    """

    max_file_bytes: int = 64 * _MEBIBYTE
    max_bulk_bytes: int = 16 * 1024 * _MEBIBYTE
    max_record_bytes: int = 32 * _MEBIBYTE
    max_row_group_bytes: int = 2 * 1024 * _MEBIBYTE
    max_pages: int = 2_000
    max_page_seconds: int = 20
    max_pdf_seconds: int = 300
    max_characters: int = 10_000_000
    max_sections: int = 5_000
    max_claims: int = 2_000
    max_list_items: int = 10_000
    max_xml_depth: int = 200
    max_xml_elements: int = 1_000_000
    max_json_depth: int = 32
    max_tex_depth: int = 200
    max_tex_marks: int = 2_000_000
    max_macros: int = 10_000
    max_macro_characters: int = 4_000
    max_archive_members: int = 5_000
    max_member_bytes: int = 128 * _MEBIBYTE
    max_member_ratio: int = 200

    def __post_init__(self) -> None:
        """Refuse a limit that would refuse everything."""
        for name in self.__slots__:
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)}.")


LIMITS = Limits()
"""The limits in force."""


def require_record_size(size: int, name: str, limits: Limits) -> None:
    """Refuse a record of a streamed file that has grown beyond its limit, with `size` bytes or characters so far."""
    if size > limits.max_file_bytes:
        raise InputTooLargeError(
            f"Expected records of at most {limits.max_file_bytes >> 20} MiB in {name}; one is larger. "
            "Cut the file into smaller ones."
        )
