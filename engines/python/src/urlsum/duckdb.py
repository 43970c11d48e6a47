"""Functions for DuckDB.

Example:
    >>> import duckdb, urlsum.duckdb
    >>> connection = duckdb.connect()
    >>> urlsum.duckdb.register(connection)
    >>> connection.sql("SELECT url, url_hash(url) FROM 'pages.parquet'")
"""

from collections.abc import Callable

import duckdb
import pyarrow as pa

from urlsum.frames import OutputName
from urlsum.hasher import UrlHasher

_FUNCTIONS: tuple[tuple[str, OutputName, str], ...] = (
    ("url_hash", "hash", "BLOB"),
    ("url_hash_u64", "u64", "UBIGINT"),
    ("url_hash_i64", "i64", "BIGINT"),
    ("url_canonical", "canonical", "VARCHAR"),
)


def register(connection: duckdb.DuckDBPyConnection, *, exclude_fragment: bool = False) -> None:
    """Register ``url_hash``, ``url_hash_u64``, ``url_hash_i64`` and ``url_canonical``; NULL for what is not a URL.

    There are as many processes as DuckDB has threads at work in a function; they end with the connection.

    Args:
        connection: the functions are seen there and by its cursors.
        exclude_fragment: leave the fragment out of the canonical form.
    """
    for name, output, returns in _FUNCTIONS:
        connection.create_function(  # type: ignore[call-overload] # DuckDB's stubs name no strings
            name, _function(output, exclude_fragment), ["VARCHAR"], returns, type="arrow", null_handling="special"
        )


def _function(output: OutputName, exclude_fragment: bool) -> Callable[[pa.ChunkedArray], pa.Array]:
    """Return a function that takes an idle hasher for each call.

    A hasher for each thread would not do: to Python, each call from a thread of DuckDB's comes from a new one.
    """
    idle: list[UrlHasher] = []

    def function(urls: pa.ChunkedArray) -> pa.Array:
        try:
            hasher = idle.pop()
        except IndexError:
            hasher = UrlHasher(output=output, exclude_fragment=exclude_fragment)
        try:
            return hasher.hash(urls)
        finally:
            idle.append(hasher)

    return function
