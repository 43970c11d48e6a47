"""UrlHasher: the hashes of Arrow arrays of URLs, and of one URL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import pyarrow as pa
import pyarrow.compute as pc

from urlsum import columns
from urlsum.errors import UrlError
from urlsum.form import form_of
from urlsum.native import CANONICAL, HOST, REASON, SITE, SURT, handles_of
from urlsum.rows import Urls, bytes_of, column_of, plain_rows
from urlsum.tables import OUTPUTS, Options, OutputName, Width

if TYPE_CHECKING:  # Python has it from 3.11 on
    from typing_extensions import Unpack

Errors: TypeAlias = Literal["raise", "null"]
"""What a text becomes that is not a URL: an error, or None."""

_TEXTS = {"reason": REASON, "canonical": CANONICAL, "host": HOST, "site": SITE, "surt": SURT}
"""Codes of the library for texts; that of a digest is its width."""


class UrlHasher:
    """Hashes URLs, under options that are checked once. Threads may share it; it may be pickled.

    Example:
        >>> UrlHasher(width=8).hash(["https://example.com", "no url"])
        <pyarrow.lib.FixedSizeBinaryArray object at ...>
        [
          0F115DB062B7C0DD,
          null
        ]
    """

    def __init__(self, width: Width = 32, output: OutputName = "hash", **options: Unpack[Options]) -> None:
        """Take the options of the form.

        Args:
            width: bytes of each SHA-256 that are kept, of the output ``hash``.
            output: what a row becomes: ``hash``; ``u64`` or ``i64``, its first 8 bytes as an integer; ``canonical``;
                ``host``, ``site`` or ``surt``; or ``reason``, which says why a row is null in the others.
            **options: those of ``Options``.

        Raises:
            TypeError: an option that does not exist, or a value of the wrong kind.
            ValueError: another value that an option does not have, and options that exclude each other.
        """
        _must_be_one_of("width", width, get_args(Width))
        _must_be_one_of("output", output, tuple(OUTPUTS))
        self._form = form_of(options)
        self._handles = handles_of(self._form)
        self._output: OutputName = output
        self._values = OUTPUTS[output]
        self._width = width
        self._code = _TEXTS.get(output, width if output == "hash" else 8)
        self.type: pa.DataType = {
            "digest": pa.binary(width),
            "uint64": pa.uint64(),
            "int64": pa.int64(),
            "text": pa.string(),
        }[self._values]

    @property
    def profile(self) -> str:
        """The full name of the canonical form, such as ``url/1+unicode18``."""
        return self._handles.profile

    def hash(self, urls: Urls, *, errors: Errors = "null") -> pa.Array:
        """Hash one URL per row, in order.

        Args:
            urls: an Arrow array or chunked array of text (string, large_string, string_view, the same of binary as
                UTF-8, dictionary-encoded or not), a column of polars, pandas or whatever else speaks Arrow's PyCapsule
                interface, or strings. Nulls are allowed, and so are the missing values of pandas: NA, NaN and None.
            errors: ``null``, or ``raise`` an error for the first row that is not a URL.

        Returns:
            As many rows, null where a URL is null or invalid, of ``type``: for the output ``hash`` a
            FixedSizeBinaryArray of ``width`` bytes, for ``u64`` a UInt64Array, ``i64`` an Int64Array, the others a
            StringArray.

        Raises:
            UrlError: with ``errors="raise"``; ``row`` is its row.
            TypeError: rows that are not text.
        """
        _must_be_one_of("errors", errors, get_args(Errors))
        column = column_of(urls)
        answer = self._column(column)
        if errors == "raise" and answer.null_count > column.null_count:
            self._must_be_urls(column)
        return answer

    def _column(self, column: pa.Array | pa.ChunkedArray) -> pa.Array:
        chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
        answers = [self._chunk(chunk) for chunk in chunks]
        return pa.concat_arrays(answers) if answers else pa.array([], self.type)

    def _chunk(self, chunk: pa.Array) -> pa.Array:
        if pa.types.is_dictionary(chunk.type):
            if len(chunk.dictionary) <= len(chunk):
                return self._chunk(chunk.dictionary).take(chunk.indices)
            chunk = chunk.dictionary.take(chunk.indices)
        handle = self._handles.take()
        try:
            if self._values == "text":
                return columns.texts(handle, plain_rows(chunk), self._code)
            return columns.digests(handle, plain_rows(chunk), self._code, self.type)
        finally:
            self._handles.give(handle)

    def _must_be_urls(self, column: pa.Array | pa.ChunkedArray) -> None:
        reasons = UrlHasher(32, "reason", **self._form.options)._column(column)
        row = pc.index(pc.is_valid(reasons), True).as_py()
        if row >= 0:
            raise UrlError(column[row].as_py(), reasons[row].as_py(), row)

    def hash_one(self, url: str | bytes | None, *, errors: Errors = "raise") -> Any:  # noqa: ANN401 - by the output
        """Hash one URL.

        Args:
            url: a text, or its UTF-8.
            errors: what a text becomes that is not a URL: ``raise`` an error, or ``null``: None, and so is None.

        Returns:
            What ``hash([url])[0].as_py()`` is: ``width`` bytes, an integer or a text; None where a URL has none, as an
            address has no site.

        Raises:
            UrlError: it is not a URL; ``reason`` says why.
            TypeError: it is not a text.
        """
        if errors != "raise":
            _must_be_one_of("errors", errors, get_args(Errors))
            if url is None:
                return None
        row = bytes_of(url)
        handle = self._handles.take()
        try:
            value = handle.text_of(row, self._code) if self._values == "text" else handle.digest_of(row, self._code)
            if value is None and errors == "raise" and self._output != "reason":
                reason = handle.text_of(row, REASON)
                if reason is not None:
                    raise UrlError(row if url is None else url, reason)
        finally:
            self._handles.give(handle)
        if isinstance(value, bytes) and self._values != "digest":
            return int.from_bytes(value, "little", signed=self._values == "int64")
        return value

    def __reduce__(self) -> tuple[Any, ...]:
        return _hasher_of, (self._width, self._output, self._form.options)


def _hasher_of(width: Width, output: OutputName, options: Options) -> UrlHasher:
    return UrlHasher(width, output, **options)


def _must_be_one_of(name: str, value: object, choices: tuple[object, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(str, choices))}, not {value!r}")
