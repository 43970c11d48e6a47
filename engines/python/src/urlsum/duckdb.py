"""Functions for DuckDB.

Example:
    >>> import duckdb, urlsum.duckdb
    >>> connection = duckdb.connect()
    >>> urlsum.duckdb.register(connection)
    >>> connection.sql("SELECT url, url_hash(url) FROM 'pages.parquet'")
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Container
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from urlsum.errors import UrlsumError
from urlsum.form import form_of
from urlsum.hasher import UrlHasher
from urlsum.tables import OUTPUTS, Options, OutputName, Width, function_name

if TYPE_CHECKING:  # Python has it from 3.11 on
    from typing_extensions import Unpack

PREFIX = "url_"

_PROBES = ["http://a/#b", "c"]
"""URLs by whose answers one sees the width, the base and the default scheme; the rest is in the profile."""

_Function = Callable[[pa.ChunkedArray], pa.Array]

_TYPES = {"digest": "BLOB", "uint64": "UBIGINT", "int64": "BIGINT", "text": "VARCHAR"}


def register(
    connection: duckdb.DuckDBPyConnection, *, prefix: str = PREFIX, width: Width = 32, **options: Unpack[Options]
) -> None:
    """Register ``url_hash``, ``url_hash_u64``, ``url_canonical``, and the like: a function for each output.

    They take VARCHAR or BLOB, and are NULL for NULL and for what is not a URL; ``url_reason`` says why it is not, and
    is NULL for what is one. Functions that the connection has registered before are replaced; with a ``prefix`` of
    their own, those of two forms are beside each other. ``url_profile`` gives the name of the canonical form.

    Args:
        connection: the functions are seen there and by its cursors.
        prefix: beginning of the names of the functions: ``page_`` gives ``page_hash``, beside an earlier ``url_hash``.
        width: bytes of each hash of ``url_hash``: 8, 16 or 32.
        **options: those of ``Options``.

    Raises:
        TypeError: an option that does not exist, or a value of the wrong kind.
        ValueError: another value that an option does not have, options that exclude each other, and a prefix that is
            not a name.
        UrlsumError: another connection to this database has registered them with other options; it alone can replace
            them. Or a macro has the name of one: DuckDB would call it in the place of the function. One that is made
            later is not noticed, but ``system.main.url_hash`` is always the function.
    """
    if not re.fullmatch("[a-z_][a-z0-9_]*", prefix):
        raise ValueError(f"prefix must be of a-z, 0-9 and '_', without a digit first, not {prefix!r}")
    chosen = form_of(options).options
    hashers: dict[OutputName, UrlHasher] = {output: UrlHasher(width, output, **chosen) for output in OUTPUTS}
    functions: dict[str, tuple[_Function, str]] = {
        f"{prefix}profile": (_profile(hashers["hash"].profile), "VARCHAR"),
        **{function_name(output, prefix): (_hash(hashers[output]), _TYPES[OUTPUTS[output]]) for output in OUTPUTS},
    }
    _must_be_free(connection, functions)
    for name, (function, returns) in functions.items():
        with contextlib.suppress(duckdb.InvalidInputException):  # it is not there, or another connection's
            connection.remove_function(name)
        try:
            _create(connection, name, function, "VARCHAR", returns)
        except duckdb.CatalogException as error:
            _must_answer_alike(connection, name, function, error)
            continue
        with connection.cursor() as cursor:  # a connection has one function of a name, its database one for each type
            _create(cursor, name, function, "BLOB", returns)


def _create(connection: duckdb.DuckDBPyConnection, name: str, function: _Function, takes: str, returns: str) -> None:
    connection.create_function(  # type: ignore[call-overload] # DuckDB's stubs name no strings
        name, function, [takes], returns, type="arrow", null_handling="special"
    )


_MACROS = """SELECT database_name, schema_name, function_name FROM system.main.duckdb_functions()
    WHERE database_name <> 'system' AND function_type = 'macro'"""


def _must_be_free(connection: duckdb.DuckDBPyConnection, names: Container[str]) -> None:
    with connection.cursor() as cursor:
        for database, schema, name in cursor.execute(_MACROS).fetchall():
            if name.lower() in names:
                raise UrlsumError(
                    f"the macro {database}.{schema}.{name} has the name of a function of urlsum: drop the macro"
                )


def _hash(hasher: UrlHasher) -> _Function:
    return lambda urls: hasher.hash(urls)  # DuckDB counts the parameters


def _profile(profile: str) -> _Function:
    return lambda urls: pc.if_else(urls.is_valid(), profile, None)


def _must_answer_alike(
    connection: duckdb.DuckDBPyConnection, name: str, function: _Function, error: duckdb.CatalogException
) -> None:
    with connection.cursor() as cursor:
        answers = cursor.execute(f"SELECT {', '.join([f'{name}(?)'] * len(_PROBES))}", _PROBES).fetchone()
        if answers != tuple(function(pa.chunked_array([_PROBES])).to_pylist()):
            raise UrlsumError(
                f"another connection to this database has registered {name} with other options: register there"
            ) from error
