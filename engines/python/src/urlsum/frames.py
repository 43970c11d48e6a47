"""The protocol ``frames`` of ``urlsum serve`` (docs/serve.md): Arrow's buffers with a few numbers before them."""

import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from urlsum.errors import ProtocolError
from urlsum.tables import OUTPUTS, OutputName

VERSION = 1
PREFIX = "url_"
"""Beginning of the names of functions in SQL."""

BYTE_LIMIT = 1 << 27
"""The most bytes of data in a request, and so in a row."""

REQUEST_ROWS = 1 << 16
REQUEST_BYTES = 1 << 23
"""What a request is cut to where rows allow it: below the protocol's limits, which keeps the child's memory small."""

_GREETING = struct.Struct("<6sHBBH")
_HEADER = struct.Struct("<II")
_OPTIONS = 0xFFFF_FFFF
"""The row count of a request that has options in place of rows."""
_ONE_ROW = struct.Struct("<II")

ReadExactly = Callable[[int], bytearray]

if sys.byteorder != "little":
    raise ImportError("urlsum runs on little-endian machines only")


@dataclass(frozen=True)
class Greeting:
    """What a child says of itself at its start."""

    output: OutputName
    width: int
    profile: str


@dataclass(frozen=True)
class Request:
    """Rows on their way to the child: the buffers to write, in order."""

    row_count: int
    buffers: tuple[bytes | pa.Buffer, ...]


def read_greeting(read: ReadExactly) -> Greeting:
    """Read a greeting; raise ProtocolError where it is not one of this protocol's version."""
    magic, version, code, width, profile_length = _GREETING.unpack(read(_GREETING.size))
    output = next((name for name, row in OUTPUTS.items() if row.code == code), None)
    if magic != b"urlsum" or version != VERSION or output is None:
        raise ProtocolError(f"not a greeting of version {VERSION}: {magic!r}, version {version}, output {code}")
    return Greeting(output, width, read(profile_length).decode("ascii"))


def options_request(arguments: Sequence[str]) -> bytes:
    """Return the request that lets a child answer from now on as one that was started with other options."""
    options = "\0".join(arguments).encode()
    return _HEADER.pack(_OPTIONS, len(options)) + options


def requests_of(array: pa.Array) -> Iterator[Request]:
    """Cut an array of UTF-8 rows without nulls into requests.

    Args:
        array: of type string, large_string, binary or large_binary; a slice is sent without being copied.

    Raises:
        ValueError: a row is longer than a request may be.
    """
    if len(array) == 0:
        return
    offsets = _offsets_of(array)
    data = array.buffers()[2] or pa.py_buffer(b"")
    start = 0
    while start < len(array):
        end = _request_end(offsets, start)
        yield _request(offsets.slice(start, end - start + 1), data)
        start = end


def _offsets_of(array: pa.Array) -> pa.Array:
    """The ``len(array) + 1`` offsets of an array into its data, whichever slice it is."""
    kind = pa.int64() if pa.types.is_large_string(array.type) or pa.types.is_large_binary(array.type) else pa.int32()
    return pa.Array.from_buffers(kind, len(array) + 1, [None, array.buffers()[1]], offset=array.offset)


def _request_end(offsets: pa.Array, start: int) -> int:
    """The row after the last of a request that begins at ``start``: halved until it is small enough, or one row."""
    first = offsets[start].as_py()
    row_count = min(REQUEST_ROWS, len(offsets) - 1 - start)
    while row_count > 1 and offsets[start + row_count].as_py() - first > REQUEST_BYTES:
        row_count //= 2
    return start + row_count


def _request(offsets: pa.Array, data: pa.Buffer) -> Request:
    row_count = len(offsets) - 1
    first, end = offsets[0].as_py(), offsets[row_count].as_py()
    _must_fit(end - first)
    if offsets.type == pa.int64():
        offsets = pc.subtract(offsets, first).cast(pa.int32())
    sent = offsets.buffers()[1].slice(4 * offsets.offset, 4 * len(offsets))
    return Request(row_count, (_HEADER.pack(row_count, end - first), sent, data.slice(first, end - first)))


def request_of(row: bytes) -> Request:
    """Return the request of one row; raise ValueError where it is longer than a request may be."""
    _must_fit(len(row))
    return Request(1, (_HEADER.pack(1, len(row)) + _ONE_ROW.pack(0, len(row)) + row,))


def _must_fit(byte_length: int) -> None:
    if byte_length > BYTE_LIMIT:
        raise ValueError(f"a row has {byte_length} bytes, and at most {BYTE_LIMIT} can be hashed")


def read_answer(read: ReadExactly, row_count: int, output: OutputName, width: int) -> pa.Array:
    """Read the answer to a request of ``row_count`` rows as an Arrow array, null where a row is invalid."""
    answered, byte_length = _HEADER.unpack(read(_HEADER.size))
    values_are = OUTPUTS[output].values
    has_offsets = values_are in ("text", "digests")
    if answered != row_count or (not has_offsets and byte_length != row_count * width):
        raise ProtocolError(f"{answered} rows of {byte_length} bytes are the answer to {row_count} rows")
    offsets = pa.py_buffer(read(4 * (row_count + 1))) if has_offsets else None
    values = pa.py_buffer(read(byte_length))
    validity = pa.py_buffer(read((row_count + 7) // 8))
    kind = type_of(output, width)
    if values_are == "digests":
        hashes = pa.Array.from_buffers(pa.binary(width), byte_length // width, [None, values])
        return pa.Array.from_buffers(kind, row_count, [validity, offsets], children=[hashes])
    return pa.Array.from_buffers(kind, row_count, [validity, offsets, values] if has_offsets else [validity, values])


def type_of(output: OutputName, width: int) -> pa.DataType:
    """Return the Arrow type of the arrays that an output gives."""
    return {
        "digest": pa.binary(width),
        "uint64": pa.uint64(),
        "int64": pa.int64(),
        "text": pa.string(),
        "digests": pa.list_(pa.binary(width)),
    }[OUTPUTS[output].values]


def function_name(output: OutputName, prefix: str = PREFIX) -> str:
    """Return what an output is called in SQL: ``url_canonical``; a number is one form of the hash."""
    return f"{prefix}hash_{output}" if OUTPUTS[output].values in ("uint64", "int64") else f"{prefix}{output}"
