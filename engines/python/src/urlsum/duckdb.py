"""Functions for DuckDB.

Example:
    >>> import duckdb, urlsum.duckdb
    >>> connection = duckdb.connect()
    >>> urlsum.duckdb.register(connection)
    >>> connection.sql("SELECT url, url_hash(url) FROM 'pages.parquet'")
"""

import contextlib
import copy
from collections.abc import Callable

import duckdb
import pyarrow as pa

from urlsum.errors import UrlsumError
from urlsum.hasher import UrlHasher, Width

_PROBE = "http://a/#b"
"""A URL by whose answer one sees width and fragment."""


def register(connection: duckdb.DuckDBPyConnection, *, width: Width = 32, exclude_fragment: bool = False) -> None:
    """Register ``url_hash``, ``url_hash_u64``, ``url_hash_i64``, ``url_canonical`` and ``url_expressions``.

    They are NULL for what is not a URL. There are as many processes as DuckDB has threads at work in a function; they
    end with the connection. Functions that the connection has registered before are replaced.

    Args:
        connection: the functions are seen there and by its cursors.
        width: bytes of each hash of ``url_hash`` and ``url_expressions``: 8, 16 or 32.
        exclude_fragment: leave the fragment out of the canonical form. Expressions never have one.

    Raises:
        UrlsumError: another connection to this database has registered them with other options; it alone can replace
            them.
    """
    functions = {
        "url_hash": (UrlHasher(width, "hash", exclude_fragment), "BLOB"),
        "url_hash_u64": (UrlHasher(8, "u64", exclude_fragment), "UBIGINT"),
        "url_hash_i64": (UrlHasher(8, "i64", exclude_fragment), "BIGINT"),
        "url_canonical": (UrlHasher(32, "canonical", exclude_fragment), "VARCHAR"),
        "url_expressions": (UrlHasher(width, "expressions"), "BLOB[]"),
    }
    for name, (hasher, returns) in functions.items():
        with contextlib.suppress(duckdb.InvalidInputException):  # it is not there, or another connection's
            connection.remove_function(name)
        try:
            connection.create_function(  # type: ignore[call-overload] # DuckDB's stubs name no strings
                name, _function(hasher), ["VARCHAR"], returns, type="arrow", null_handling="special"
            )
        except duckdb.CatalogException as error:
            _must_answer_alike(connection, name, hasher, error)


def _function(first: UrlHasher) -> Callable[[pa.ChunkedArray], pa.Array]:
    """Return a function that takes an idle hasher for each call, and where there is none a copy.

    A hasher for each thread would not do: to Python, each call from a thread of DuckDB's comes from a new one.
    """
    idle = [first]

    def function(urls: pa.ChunkedArray) -> pa.Array:
        try:
            hasher = idle.pop()
        except IndexError:
            hasher = copy.copy(first)
        try:
            return hasher.hash(urls)
        finally:
            idle.append(hasher)

    return function


def _must_answer_alike(
    connection: duckdb.DuckDBPyConnection, name: str, hasher: UrlHasher, error: duckdb.CatalogException
) -> None:
    with connection.cursor() as cursor, hasher:
        answer = cursor.execute(f"SELECT {name}(?)", [_PROBE]).fetchone()
        if answer != tuple(hasher.hash([_PROBE]).to_pylist()):
            raise UrlsumError(
                f"another connection to this database has registered {name} with other options: register there"
            ) from error
