"""What callers hand over as URLs, as Arrow arrays of UTF-8 rows."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, TypeAlias, runtime_checkable

import pyarrow as pa


@runtime_checkable
class ArrowArray(Protocol):
    """An array of another library that Arrow's PyCapsule interface hands over, such as one of nanoarrow."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Return capsules of its schema and of itself."""
        ...


@runtime_checkable
class ArrowStream(Protocol):
    """A column of another library in chunks, such as a Series of polars or of pandas 3."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return a capsule of the stream."""
        ...


Urls: TypeAlias = ArrowArray | ArrowStream | Iterable[Any]
"""What can be hashed: columns of Arrow or of who speaks its interface, of pandas and numpy, and strings. None, NaN and
the NA of pandas are nulls."""


def bytes_of(url: object) -> bytes:
    """Return the row of one URL, as that of a column has it."""
    if isinstance(url, str):
        try:
            return url.encode()
        except UnicodeEncodeError:
            return _well_formed(url).encode()
    if isinstance(url, bytes):
        return url
    nulls = "None; with errors='null' None stays None"
    raise TypeError(f"url must be a text, not {nulls if url is None else f'a {type(url).__name__}'}")


def column_of(urls: Urls) -> pa.Array | pa.ChunkedArray:
    """Return the rows of ``urls`` in Arrow, whatever they are; raise TypeError where they are not a column."""
    if isinstance(urls, pa.Array | pa.ChunkedArray):
        return urls
    names = _column_names(urls)
    if names is not None:
        name = "url" if "url" in names or not names else names[0]
        raise TypeError(
            f"urls must be one column, not a {type(urls).__name__} with the columns {', '.join(names)}: "
            f"pass table[{name!r}]"
        )
    if isinstance(urls, str | bytes):
        raise TypeError(
            f"urls must be an Arrow array or strings, not one {type(urls).__name__}: hash_one takes one URL"
        )
    if not isinstance(urls, Iterable | ArrowArray | ArrowStream):
        raise TypeError(f"urls must be an Arrow array or strings, not one {type(urls).__name__}")
    try:
        return _imported(urls)
    except pa.ArrowException as error:
        raise TypeError(f"urls must be strings: {error}") from error


def _column_names(urls: object) -> list[str] | None:
    """Return the names of a table's columns: of Arrow, pandas, polars, or a dict of columns. None for a column."""
    if isinstance(urls, Mapping):
        return list(map(str, urls))
    names = getattr(urls, "column_names", None)  # Arrow
    if not isinstance(names, list):
        names = getattr(urls, "columns", None)
    return list(map(str, names)) if isinstance(names, Iterable) else None


def _imported(urls: Urls) -> pa.Array | pa.ChunkedArray:
    """Take what is typed as it is; what Python knows becomes text, and None, NaN and the NA of pandas nulls."""
    is_typed = isinstance(urls, ArrowArray | ArrowStream) or hasattr(urls, "__array__")  # numpy, pandas 2
    values: Any = urls
    values, kind = (values, None) if is_typed else (list(values), pa.large_string())
    try:
        if isinstance(values, ArrowStream) and not isinstance(values, ArrowArray):
            return pa.chunked_array(values)
        return pa.array(values, kind, from_pandas=True)
    except UnicodeEncodeError:
        texts = [_well_formed(value) if isinstance(value, str) else value for value in values]
        return pa.array(texts, pa.large_string(), from_pandas=True)


def _well_formed(text: str) -> str:
    """A lone surrogate becomes U+FFFD, as in JavaScript."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def plain_rows(array: pa.Array) -> pa.Array:
    """Return rows as an array of string, large_string, binary or large_binary; raise TypeError if they are not text."""
    kind = array.type
    if array.null_count == len(array):  # whatever its type: pandas has floats where there is no value at all
        return pa.nulls(len(array), pa.large_string())
    if pa.types.is_string_view(kind):
        return array.cast(pa.large_string())
    if pa.types.is_binary_view(kind):
        return array.cast(pa.large_binary())
    if kind in (pa.string(), pa.large_string(), pa.binary(), pa.large_binary()):
        return array
    raise TypeError(f"urls must be text, not Arrow's {kind}")
