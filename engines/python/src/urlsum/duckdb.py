"""Functions for DuckDB.

Example:
    >>> import duckdb, urlsum.duckdb
    >>> connection = duckdb.connect()
    >>> urlsum.duckdb.register(connection)
    >>> connection.sql("SELECT url, url_hash(url) FROM 'pages.parquet'")
"""

import contextlib
import copy
from collections.abc import Callable, Iterable
from dataclasses import asdict

import duckdb
import pyarrow as pa

from urlsum.errors import UrlsumError
from urlsum.hasher import UrlHasher, Width
from urlsum.profiles import form_of, profile_of

_PROBE = "http://a/#b"
"""A URL by whose answer one sees the width; the rest is in the profile."""


_Function = Callable[[pa.ChunkedArray], pa.Array]


def register(
    connection: duckdb.DuckDBPyConnection,
    *,
    width: Width = 32,
    exclude_fragment: bool = False,
    drop_params: Iterable[str] = (),
    drop_list: str | None = None,
    sort_params: bool = False,
) -> None:
    """Register ``url_hash``, ``url_hash_u64``, ``url_hash_i64``, ``url_canonical`` and ``url_expressions``.

    They are NULL for what is not a URL. There are as many processes as DuckDB has threads at work in a function; they
    end with the connection. Functions that the connection has registered before are replaced. ``url_profile`` gives,
    whatever its argument, the name of the canonical form.

    Args:
        connection: the functions are seen there and by its cursors.
        width: bytes of each hash of ``url_hash`` and ``url_expressions``: 8, 16 or 32.
        exclude_fragment: leave the fragment out of the canonical form.
        drop_params: as in UrlHasher.
        drop_list: as in UrlHasher.
        sort_params: as in UrlHasher. Expressions are those of the URL as it is, whatever these options are.

    Raises:
        UrlsumError: another connection to this database has registered them with other options; it alone can replace
            them.
    """
    form = form_of(exclude_fragment, drop_params, drop_list, sort_params)
    options = asdict(form)
    functions: dict[str, tuple[_Function, str]] = {
        "url_profile": (_constant(profile_of("url", form)), "VARCHAR"),
        "url_hash": (_function(UrlHasher(width, "hash", **options)), "BLOB"),
        "url_hash_u64": (_function(UrlHasher(8, "u64", **options)), "UBIGINT"),
        "url_hash_i64": (_function(UrlHasher(8, "i64", **options)), "BIGINT"),
        "url_canonical": (_function(UrlHasher(32, "canonical", **options)), "VARCHAR"),
        "url_expressions": (_function(UrlHasher(width, "expressions")), "BLOB[]"),
    }
    for name, (function, returns) in functions.items():
        with contextlib.suppress(duckdb.InvalidInputException):  # it is not there, or another connection's
            connection.remove_function(name)
        try:
            connection.create_function(  # type: ignore[call-overload] # DuckDB's stubs name no strings
                name, function, ["VARCHAR"], returns, type="arrow", null_handling="special"
            )
        except duckdb.CatalogException as error:
            _must_answer_alike(connection, name, function, error)


def _constant(text: str) -> _Function:
    return lambda urls: pa.repeat(text, len(urls))


def _function(first: UrlHasher) -> _Function:
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
    connection: duckdb.DuckDBPyConnection, name: str, function: _Function, error: duckdb.CatalogException
) -> None:
    with connection.cursor() as cursor:
        answer = cursor.execute(f"SELECT {name}(?)", [_PROBE]).fetchone()
        if answer != tuple(function(pa.chunked_array([[_PROBE]])).to_pylist()):
            raise UrlsumError(
                f"another connection to this database has registered {name} with other options: register there"
            ) from error
