"""What the library answers for columns of Arrow, whose buffers are copied once into it, and once out."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from urlsum.native import PIECE_ROWS, REASON, REASONS, Handle, Result

_LARGE = (pa.large_string(), pa.large_binary())


def digests(handle: Handle, rows: pa.Array, width: int, kind: pa.DataType) -> pa.Array:
    """Return the hashes of rows of string, large_string, binary or large_binary: null for what is not a URL."""
    values, reasons = pa.allocate_buffer(width * len(rows)), pa.allocate_buffer(len(rows))
    for start, count, result in _pieces(handle, rows, width):
        ctypes.memmove(values.address + width * start, result.values, width * count)
        ctypes.memmove(reasons.address + start, result.reasons, count)
    is_valid = pc.equal(_bytes_in(reasons), 0)
    if rows.null_count > 0:
        is_valid = pc.and_(is_valid, rows.is_valid())
    return pa.Array.from_buffers(kind, len(rows), [is_valid.buffers()[1], values])


def texts(handle: Handle, rows: pa.Array, output: int) -> pa.Array:
    """Return the texts of rows, null for what has none."""
    of_pieces = _reasons if output == REASON else _texts
    answers = [of_pieces(result, count) for _, count, result in _pieces(handle, rows, output)]
    answer = pa.concat_arrays(answers) if answers else pa.array([], pa.string())
    return pc.if_else(rows.is_valid(), answer, None) if rows.null_count > 0 else answer


_NAMES = pa.array(REASONS, pa.string())


def _reasons(result: Result, count: int) -> pa.Array:
    return _NAMES.take(_bytes_in(_copied(result.reasons, count)))


def _texts(result: Result, count: int) -> pa.Array:
    offsets = _copied(result.offsets, 8 * (count + 1))
    byte_length = ctypes.c_int64.from_address(result.offsets + 8 * count).value
    is_valid = pc.equal(_bytes_in(_copied(result.reasons, count)), 0)
    buffers = [is_valid.buffers()[1], offsets, _copied(result.values, byte_length)]
    return pa.Array.from_buffers(pa.large_string(), count, buffers).cast(pa.string())


def _pieces(handle: Handle, rows: pa.Array, output: int) -> Iterator[tuple[int, int, Result]]:
    """Yield where pieces of rows begin, how many rows they have, and what the library answers, until the next piece."""
    _, offsets, data = rows.buffers()
    offset_bytes = 8 if rows.type in _LARGE else 4
    for start in range(0, len(rows), PIECE_ROWS):
        count = min(PIECE_ROWS, len(rows) - start)
        first = offsets.address + offset_bytes * (rows.offset + start)
        yield start, count, handle.rows(None if data is None else data.address, first, offset_bytes, count, output)


def _bytes_in(buffer: pa.Buffer) -> pa.Array:
    return pa.Array.from_buffers(pa.uint8(), buffer.size, [None, buffer])


def _copied(address: int, byte_length: int) -> pa.Buffer:
    return pa.py_buffer(ctypes.string_at(address, byte_length))
