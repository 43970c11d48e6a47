"""One URL, or a column of them, without a hasher: the processes are those of all hashers."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, overload

import pyarrow as pa

from urlsum.form import Form, form_of
from urlsum.hasher import Errors, UrlHasher
from urlsum.rows import Urls
from urlsum.tables import FormOptions, OutputName, ProfileName, Width

if TYPE_CHECKING:  # Python has it from 3.11 on
    from typing_extensions import Unpack


@overload
def canonicalize(
    url: str | bytes,
    *,
    errors: Literal["raise"] = "raise",
    profile: ProfileName | None = None,
    **options: Unpack[FormOptions],
) -> str: ...
@overload
def canonicalize(
    url: str | bytes | None,
    *,
    errors: Literal["null"],
    profile: ProfileName | None = None,
    **options: Unpack[FormOptions],
) -> str | None: ...
def canonicalize(
    url: str | bytes | None,
    *,
    errors: Errors = "raise",
    profile: ProfileName | None = None,
    **options: Unpack[FormOptions],
) -> str | None:
    """Return the canonical form of one URL.

    Args:
        url: a text, or its UTF-8.
        errors: what a text becomes that is not a URL: ``raise`` an error, or ``null``: None, and so is None.
        profile: ``url``, or ``web-risk`` or ``v5`` of Safe Browsing.
        **options: those of ``FormOptions``.

    Raises:
        UrlError: it is not a URL; ``reason`` says why.
        TypeError, ValueError, UrlsumError: as UrlHasher does.

    Example:
        >>> urlsum.canonicalize("HTTP://Example.com:80")
        'http://example.com/'
    """
    form: str | None = hash_one(url, output="canonical", profile=profile, errors=errors, **options)
    return form


def hash_one(
    url: str | bytes | None,
    *,
    width: Width = 32,
    output: OutputName = "hash",
    profile: ProfileName | None = None,
    errors: Errors = "raise",
    **options: Unpack[FormOptions],
) -> Any:  # noqa: ANN401 - it goes by the output
    """Return the SHA-256 of the canonical form of one URL, or another output; a column is for ``hash``.

    Args:
        url: as in ``canonicalize``.
        width: bytes of each hash that are kept.
        output: as in UrlHasher; None where a URL has none, as an address has no site.
        profile: as in UrlHasher.
        errors: as in ``canonicalize``.
        **options: those of ``FormOptions``.

    Raises:
        UrlError, TypeError, ValueError, UrlsumError: as ``canonicalize`` does.

    Example:
        >>> urlsum.hash_one("https://example.com", width=8).hex()
        '0f115db062b7c0dd'

        Scrapy, by the setting ``REQUEST_FINGERPRINTER_CLASS``:

        >>> class Fingerprinter:
        ...     def fingerprint(self, request):
        ...         return urlsum.hash_one(request.url)
    """
    form = form_of(options) if options else Form()
    return _hasher(width, output, profile, form).hash_one(url, errors=errors)


def hash(
    urls: Urls,
    *,
    width: Width = 32,
    output: OutputName = "hash",
    profile: ProfileName | None = None,
    errors: Errors = "null",
    **options: Unpack[FormOptions],
) -> pa.Array:
    """Return the hashes of a column, or another output: a row for each, null where it is null or not a URL.

    Args:
        urls: as in ``UrlHasher.hash``; one URL is for ``hash_one``.
        width: bytes of each hash that are kept.
        output: as in UrlHasher.
        profile: as in UrlHasher.
        errors: ``null``, or ``raise`` an error for the first row that is not a URL.
        **options: those of ``FormOptions``.

    Raises:
        UrlError: with ``errors="raise"``; ``row`` is its row.
        TypeError, ValueError, UrlsumError: as UrlHasher and its ``hash`` do.

    Example:
        pandas, where the column needs Arrow's type for its nulls:

        >>> keys = urlsum.hash(frame["url"], output="u64")
        >>> frame["key"] = pandas.Series(keys, frame.index, pandas.ArrowDtype(keys.type))

        polars:

        >>> frame.with_columns(key=polars.from_arrow(urlsum.hash(frame["url"], output="u64")))
    """
    return _hasher(width, output, profile, form_of(options)).hash(urls, errors=errors)


@lru_cache(64)
def _hasher(width: Width, output: OutputName, profile: ProfileName | None, form: Form) -> UrlHasher:
    return UrlHasher(width, output, profile=profile, **form.options)
