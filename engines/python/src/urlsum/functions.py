"""One URL, or a column of them, without a hasher."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, overload

import pyarrow as pa

from urlsum.hasher import Errors, UrlHasher
from urlsum.rows import Urls
from urlsum.tables import Options, OutputName, Width

if TYPE_CHECKING:  # Python has it from 3.11 on
    from typing_extensions import Unpack


@overload
def canonicalize(url: str | bytes, *, errors: Literal["raise"] = "raise", **options: Unpack[Options]) -> str: ...
@overload
def canonicalize(url: str | bytes | None, *, errors: Literal["null"], **options: Unpack[Options]) -> str | None: ...
def canonicalize(url: str | bytes | None, *, errors: Errors = "raise", **options: Unpack[Options]) -> str | None:
    """Return the canonical form of one URL.

    Args:
        url: a text, or its UTF-8.
        errors: what a text becomes that is not a URL: ``raise`` an error, or ``null``: None, and so is None.
        **options: those of ``Options``.

    Raises:
        UrlError: it is not a URL; ``reason`` says why.
        TypeError, ValueError: as UrlHasher does.

    Example:
        >>> urlsum.canonicalize("HTTP://Example.com:80")
        'http://example.com/'
    """
    form: str | None = _hasher(32, "canonical", options).hash_one(url, errors=errors)
    return form


def hash_one(
    url: str | bytes | None,
    *,
    width: Width = 32,
    output: OutputName = "hash",
    errors: Errors = "raise",
    **options: Unpack[Options],
) -> Any:  # noqa: ANN401 - it goes by the output
    """Return the SHA-256 of the canonical form of one URL, or another output; a column is for ``hash``.

    Args:
        url: as in ``canonicalize``.
        width: bytes of each hash that are kept.
        output: as in UrlHasher; None where a URL has none, as an address has no site.
        errors: as in ``canonicalize``.
        **options: those of ``Options``.

    Raises:
        UrlError, TypeError, ValueError: as ``canonicalize`` does.

    Example:
        >>> urlsum.hash_one("https://example.com", width=8).hex()
        '0f115db062b7c0dd'

        Scrapy, by the setting ``REQUEST_FINGERPRINTER_CLASS``:

        >>> class Fingerprinter:
        ...     def fingerprint(self, request):
        ...         return urlsum.hash_one(request.url)
    """
    return _hasher(width, output, options).hash_one(url, errors=errors)


def hash(
    urls: Urls,
    *,
    width: Width = 32,
    output: OutputName = "hash",
    errors: Errors = "null",
    **options: Unpack[Options],
) -> pa.Array:
    """Return the hashes of a column, or another output: a row for each, null where it is null or not a URL.

    Args:
        urls: as in ``UrlHasher.hash``; one URL is for ``hash_one``.
        width: bytes of each hash that are kept.
        output: as in UrlHasher.
        errors: ``null``, or ``raise`` an error for the first row that is not a URL.
        **options: those of ``Options``.

    Raises:
        UrlError: with ``errors="raise"``; ``row`` is its row.
        TypeError, ValueError: as UrlHasher and its ``hash`` do.

    Example:
        pandas, where the column needs Arrow's type for its nulls:

        >>> keys = urlsum.hash(frame["url"], output="u64")
        >>> frame["key"] = pandas.Series(keys, frame.index, pandas.ArrowDtype(keys.type))

        polars:

        >>> frame.with_columns(key=polars.from_arrow(urlsum.hash(frame["url"], output="u64")))
    """
    return _hasher(width, output, options).hash(urls, errors=errors)


def _hasher(width: Width, output: OutputName, options: Options) -> UrlHasher:
    try:
        return _kept_hasher(width, output, **options)  # type: ignore[arg-type] # a list raises
    except TypeError:  # a list, which is not hashable, or a wrong value
        return UrlHasher(width, output, **options)


@lru_cache(32, typed=True)
def _kept_hasher(width: Width, output: OutputName, **options: Unpack[Options]) -> UrlHasher:
    return UrlHasher(width, output, **options)
