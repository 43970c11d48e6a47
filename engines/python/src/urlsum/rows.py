"""What callers hand over as URLs, as Arrow arrays of UTF-8 rows without nulls."""

from collections.abc import Iterable, Iterator

import pyarrow as pa
import pyarrow.compute as pc


def rows_of(urls: pa.Array | pa.ChunkedArray | Iterable[str | None]) -> Iterator[pa.Array]:
    """Yield the rows of ``urls`` in order, each array of type string, large_string, binary or large_binary.

    A null becomes an empty row: it is invalid, and so null again in the answer.

    Raises:
        TypeError: rows that are not text.
    """
    if isinstance(urls, pa.ChunkedArray):
        for chunk in urls.chunks:
            yield _plain(chunk)
    else:
        yield _plain(urls if isinstance(urls, pa.Array) else _array_of(urls))


def _array_of(urls: Iterable[str | None]) -> pa.Array:
    """One string alone is a mistake, not a sequence of URLs. A lone surrogate becomes U+FFFD, as in JavaScript."""
    if isinstance(urls, str | bytes):
        raise TypeError("urls must be an Arrow array or strings, not one string")
    texts = list(urls)
    try:
        return pa.array(texts, pa.large_string())
    except UnicodeEncodeError:
        return pa.array([None if text is None else _well_formed(text) for text in texts], pa.large_string())
    except pa.ArrowException as error:
        raise TypeError(f"urls must be strings: {error}") from error


def _well_formed(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _plain(array: pa.Array) -> pa.Array:
    kind = array.type
    if pa.types.is_dictionary(kind):
        return _plain(array.cast(kind.value_type))
    if pa.types.is_null(kind) or pa.types.is_string_view(kind):
        array = array.cast(pa.large_string())
    elif pa.types.is_binary_view(kind):
        array = array.cast(pa.large_binary())
    elif not (
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
    ):
        raise TypeError(f"urls must be text, not Arrow's {kind}")
    return pc.fill_null(array, pa.scalar(b"").cast(array.type)) if array.null_count > 0 else array
