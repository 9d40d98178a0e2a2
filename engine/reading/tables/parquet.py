"""Parquet into documents, by row group and in small batches, its unpacked size counted before it is unpacked."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from engine.core.errors import InputTooLargeError, MalformedFileError, TextEncodingError, TruncatedFileError
from engine.documents import Document
from engine.reading.base import Omissions
from engine.reading.limits import Limits
from engine.reading.tables.columns import COLUMNS, as_ours, is_of_patents
from engine.reading.tables.records import TableRow, require_columns, to_document

_BATCH_ROWS, _BATCH_BYTES = 256, 32 << 20
_ROW_BYTES, _VALUE_BYTES = 1024, 64
"""What a row and a value cost beside their text, as documents."""


def read_parquet(file: BinaryIO, name: str, limits: Limits, warn: Callable[[str], None]) -> Iterator[Document]:
    """Yield the documents of a Parquet file; a row that cannot be read is left out, and `warn` is told.

    Texts are held once for each of their values, as Parquet's dictionaries hold them, however many rows name them.
    """
    import pyarrow

    size = file.seek(0, io.SEEK_END)
    file.seek(max(size - 4, 0))
    if file.read(4) != b"PAR1":
        raise TruncatedFileError(
            f"Expected {name} to end with Parquet's mark PAR1; it stops before. Fetch or write the file again."
        )
    file.seek(0)
    omissions = Omissions(warn, limits)
    try:
        for row in _rows(file, size, name, limits, omissions):
            yield from omissions.documents(_document(row, omissions, limits), row.place)
    except (pyarrow.ArrowException, OSError) as error:
        raise MalformedFileError(
            f"Expected a whole Parquet file in {name}; it is damaged ({str(error)[:100]}). Fetch or write it again."
        ) from None
    omissions.finish()


def _document(row: TableRow, omissions: Omissions, limits: Limits) -> Iterator[Document]:
    size = _characters(row.values)
    if size > limits.max_record_bytes:
        raise InputTooLargeError(
            f"Expected rows of at most {limits.max_record_bytes >> 20} MiB in {row.place}; it is larger. Split it."
        )
    yield to_document(row, limits, omissions.value)


def _rows(file: BinaryIO, size: int, name: str, limits: Limits, omissions: Omissions) -> Iterator[TableRow]:
    from pyarrow.parquet import ParquetFile

    table = ParquetFile(file)
    names = table.schema_arrow.names
    ours = dict(zip(names, as_ours(names), strict=True))
    require_columns(tuple(ours.values()), name)
    columns = [column for column, name_of_ours in ours.items() if name_of_ours in COLUMNS]
    every = (table.schema.column(at) for at in range(len(table.schema)))
    leaves = [leaf for leaf in every if leaf.path.split(".")[0] in columns]
    texts = [leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY"]
    _check_size(table, {leaf.path for leaf in leaves}, size, name, limits)
    table = ParquetFile(file, read_dictionary=texts)
    most = max(limits.max_decoded_bytes, limits.max_member_ratio * size)
    of_patents, number, read = is_of_patents(names), 0, 0
    for group in range(table.num_row_groups):
        told = table.metadata.row_group(group)
        rows = max(1, min(_BATCH_ROWS, _BATCH_BYTES * told.num_rows // max(told.total_byte_size, 1)))
        for batch in table.iter_batches(batch_size=rows, row_groups=[group], columns=columns):
            place = f"rows {number + 1:,} to {number + batch.num_rows:,} of {name}"
            for values in _batch_rows(batch, place, omissions):
                number += 1
                read += _characters(values) + _ROW_BYTES
                if read > most:
                    raise _too_large(name, most)
                yield TableRow(
                    {ours[key]: value for key, value in values.items()}, f"row {number} of {name}", of_patents
                )


def _check_size(table: Any, paths: set[str], size: int, name: str, limits: Limits) -> None:  # noqa: ANN401
    """Refuse a file whose row groups, or whose rows in all, would unpack to much more than their file can mean."""
    whole = table.metadata.num_rows * _ROW_BYTES
    for place in range(table.metadata.num_row_groups):
        group = table.metadata.row_group(place)
        if group.total_byte_size > limits.max_row_group_bytes:
            raise InputTooLargeError(
                f"Expected row groups of at most {limits.max_row_group_bytes >> 20} MiB in {name}; group {place + 1} "
                f"unpacks to {group.total_byte_size >> 20} MiB. Write the file with smaller row groups."
            )
        for at in range(group.num_columns):
            column = group.column(at)
            if column.path_in_schema in paths:
                whole += column.total_uncompressed_size + _VALUE_BYTES * column.num_values
    most = max(limits.max_decoded_bytes, limits.max_member_ratio * size)
    if whole > most:
        raise _too_large(name, most)


def _too_large(name: str, most: int) -> InputTooLargeError:
    return InputTooLargeError(
        f"Expected {name} to unpack to at most {most >> 20} MiB, as a file of its size can mean; it unpacks to more. "
        "Check how it was made, or write it in parts."
    )


def _characters(value: object) -> int:
    """Return how many characters and bytes of text a value of Parquet's holds."""
    if isinstance(value, str | bytes):
        return len(value)
    if isinstance(value, dict):
        return sum(map(_characters, value.values()))
    return sum(map(_characters, value)) if isinstance(value, list) else 0


def _batch_rows(batch: Any, place: str, omissions: Omissions) -> Iterator[dict[str, Any]]:  # noqa: ANN401
    columns = [
        _values(values, f"the column {name!r} of {place}", omissions)
        for name, values in zip(batch.schema.names, batch.columns, strict=True)
    ]
    for row in zip(*columns, strict=True):
        yield dict(zip(batch.schema.names, row, strict=True))


def _values(array: Any, place: str, omissions: Omissions) -> list[Any]:  # noqa: ANN401  pyarrow has no types
    """Return an Arrow array's values; equal texts are one object."""
    import pyarrow
    from pyarrow import types

    if types.is_dictionary(array.type):
        codes = array.indices.to_pylist()
        used = list({code: None for code in codes if code is not None})
        named = array.dictionary.take(pyarrow.array(used, pyarrow.int64()))
        texts = dict(zip(used, _plain(named, place, omissions), strict=True))
        return [None if code is None else texts[code] for code in codes]
    if types.is_list(array.type) or types.is_large_list(array.type):
        items = iter(_values(array.flatten(), place, omissions))
        counts = array.value_lengths().to_pylist()
        return [None if count is None else [next(items) for _ in range(count)] for count in counts]
    if types.is_struct(array.type):
        fields = [_values(one, place, omissions) for one in array.flatten()]
        names = [array.type.field(at).name for at in range(array.type.num_fields)]
        rows = zip(array.is_valid().to_pylist(), *fields, strict=True)
        return [dict(zip(names, values, strict=True)) if valid else None for valid, *values in rows]
    return _plain(array, place, omissions)


def _plain(array: Any, place: str, omissions: Omissions) -> list[Any]:  # noqa: ANN401  pyarrow has no types
    """Return the values as Python's; times and dates of Arrow that lie outside Python's calendar are left out."""
    import pyarrow

    try:
        return list(array.to_pylist())
    except pyarrow.ArrowException:
        raise
    except (OverflowError, ValueError):
        return [_one(value, place, omissions) for value in array]


def _one(value: Any, place: str, omissions: Omissions) -> Any:  # noqa: ANN401  pyarrow has no types
    try:
        return value.as_py()
    except UnicodeDecodeError as error:
        omissions.value(
            TextEncodingError(
                f"Expected UTF-8 text in {place}, as Parquet has it, found the byte "
                f"0x{error.object[error.start]:02x} that UTF-8 does not allow there. Write the column in UTF-8."
            )
        )
        return None
    except (OverflowError, ValueError) as error:
        omissions.value(
            MalformedFileError(
                f"Expected values of the years 1 to 9999 in {place}; one cannot be read "
                f"({str(error)[:100]}). Write dates as text and years as whole numbers."
            )
        )
        return None
