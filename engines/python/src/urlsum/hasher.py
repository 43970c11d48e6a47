"""UrlHasher: the hashes of Arrow arrays of URLs."""

from __future__ import annotations

import os
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, get_args

import pyarrow as pa

from urlsum.child import BUNDLE, Child
from urlsum.errors import ChildDiedError, ProfileMismatchError
from urlsum.form import Form, form_of
from urlsum.frames import Request, request_of, requests_of, type_of
from urlsum.node import find_node
from urlsum.rows import Urls, bytes_of, rows_of
from urlsum.tables import OUTPUTS, FormOptions, OutputName, ProfileName, Width

if TYPE_CHECKING:  # Python has it from 3.11 on
    from typing_extensions import Unpack

_KEPT_ANSWERS = 4096
_KEPT_LENGTH = 2048
"""Of a URL whose answer is kept: some 16 MB in all."""


class UrlHasher:
    """Hashes URLs in one child process, which starts with the first call and is replaced when it has died.

    It may be used from several threads, one call at a time, and be pickled; after a fork each process has a child of
    its own.

    Example:
        >>> with UrlHasher(width=8) as hasher:
        ...     hasher.hash(["https://example.com", "no url"])
        <pyarrow.lib.FixedSizeBinaryArray object at ...>
        [
          0F115DB062B7C0DD,
          null
        ]
    """

    _child: Child | None

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
        """Take the options of ``urlsum serve``; where they have a text, the process starts here, and checks it.

        Args:
            width: bytes of each SHA-256 that are kept; for the outputs ``hash`` and ``expressions``.
            output: what a row becomes: ``hash``, ``u64``, ``i64``, ``canonical``, ``expressions``, or ``reason``, which
                says why a row is null in the others.
            profile: ``url``; ``web-risk`` and ``v5`` for the outputs ``canonical``, ``expressions`` and ``reason`` of
                Safe Browsing. The default is ``v5`` for ``expressions``, else ``url``.
            node: the path of Node; the default is that of ``urlsum.node.find_node``.
            bundle: the path of urlsum-serve.mjs; the default is the package's own.
            **options: those of ``FormOptions``, for the profile ``url``.

        Raises:
            TypeError: an option that does not exist, or a value of the wrong kind.
            ValueError: another value that an option does not have, and options that exclude each other.
            UrlsumError: it does not start.
        """
        _must_be_one_of("width", width, get_args(Width))
        _must_be_one_of("output", output, tuple(OUTPUTS))
        self._form = form_of(options)
        self._profile = OUTPUTS[output].profiles[0] if profile is None else profile
        _must_fit(output, self._profile, self._form)
        self._options: dict[str, Any] = {
            "width": width,
            "output": output,
            "profile": profile,
            "node": node,
            "bundle": bundle,
            **self._form.options,
        }
        self._type = type_of(output, width)
        self._reset()
        if self._form.has_texts:
            self._running()

    def hash(self, urls: Urls) -> pa.Array:
        """Hash one URL per row, in order.

        Args:
            urls: an Arrow array or chunked array of text (string, large_string, string_view, the same of binary as
                UTF-8, dictionary-encoded or not), a column of polars, pandas or whatever else speaks Arrow's PyCapsule
                interface, or strings. Nulls are allowed, and so are the missing values of pandas: NA, NaN and None.

        Returns:
            As many rows, null where a URL is null or invalid: for the output ``hash`` a FixedSizeBinaryArray of
            ``width`` bytes, for ``u64`` a UInt64Array, ``i64`` an Int64Array, ``expressions`` a ListArray of
            FixedSizeBinary, the others a StringArray.

        Raises:
            TypeError: rows that are not text.
            ValueError: a row of more than 2**27 bytes.
            UrlsumError: the process does not start, or died twice with the same rows.
        """
        answers = [self._answer(request) for rows in rows_of(urls) for request in requests_of(rows)]
        return pa.concat_arrays(answers) if answers else pa.array([], self._type)

    def hash_one(self, url: str | bytes | None) -> Any:  # noqa: ANN401 - it goes by the output
        """Hash one URL; the last 4096 answers are kept, so that a URL of a usual length costs one request.

        Args:
            url: a text, or its UTF-8 of at most 2**27 bytes; None is null.

        Returns:
            What ``hash([url])[0].as_py()`` is: ``width`` bytes, an integer, a text or a list of bytes; None where the
            URL is null or invalid.

        Raises:
            TypeError, ValueError, UrlsumError: as ``hash`` does.
        """
        if not isinstance(url, str | bytes | None):
            raise TypeError(f"url must be a text, not a {type(url).__name__}")
        with self._own_lock():
            kept = self._kept
            answer = kept.pop(url) if url in kept else self._answer_again(request_of(bytes_of(url)))[0].as_py()
            if url is None or len(url) <= _KEPT_LENGTH:
                kept[url] = answer
            if len(kept) > _KEPT_ANSWERS:
                del kept[next(iter(kept))]  # the one that was asked for longest ago
            return answer.copy() if isinstance(answer, list) else answer

    @property
    def profile(self) -> str:
        """The full name of the canonical form, such as ``url/1+unicode18``; starts the process."""
        with self._own_lock():
            return self._running().greeting.profile

    @property
    def pid(self) -> int:
        """The id of the process; starts it."""
        with self._own_lock():
            return self._running().pid

    def close(self) -> None:
        """End the process. The next call starts another."""
        with self._own_lock():
            self._drop()

    def __enter__(self) -> UrlHasher:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_child", None) is not None and self._owner == os.getpid():
            self._drop()

    def __reduce__(self) -> tuple[Any, ...]:
        return _hasher_of, (self._options,)

    def _answer(self, request: Request) -> pa.Array:
        with self._own_lock():
            return self._answer_again(request)

    def _answer_again(self, request: Request) -> pa.Array:
        try:
            return self._exchange(request)
        except ChildDiedError:
            return self._exchange(request)

    def _exchange(self, request: Request) -> pa.Array:
        """One request; whatever interrupts it costs the child, since half an answer may be left in its pipe."""
        child = self._running()
        try:
            return child.answer(request)
        except BaseException:
            self._drop()
            raise

    def _running(self) -> Child:
        if self._child is None:
            child = self._started()
            start, _, _ = child.greeting.profile.partition(";")
            expected = self._form.profile_start(self._profile)
            if start != expected:
                child.close()
                raise ProfileMismatchError(
                    f"the process computes {start}, this package names {expected}: "
                    "install the same version of urlsum everywhere"
                )
            self._child = child
        return self._child

    def _started(self) -> Child:
        """Start a process; what it says of a text that it was sent is a ValueError."""
        node, bundle = self._options["node"] or find_node(), Path(self._options["bundle"] or BUNDLE)
        with tempfile.TemporaryDirectory(prefix="urlsum-") as folder:
            try:
                return Child(node, bundle, [*self._arguments, *self._form.arguments(Path(folder))])
            except ChildDiedError as error:
                _, _, problem = str(error).partition(folder)
                if problem == "":
                    raise
                raise ValueError(problem.partition(": ")[2]) from error

    @property
    def _arguments(self) -> list[str]:
        output, width = self._options["output"], self._options["width"]
        has_width = OUTPUTS[output].values in ("digest", "digests")
        return ["--output", output, "--profile", self._profile, *(["--width", str(width)] if has_width else [])]

    def _drop(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.close()

    def _own_lock(self) -> threading.Lock:
        """The lock; after a fork a new one, and no child: that of the parent process is not to be shared."""
        if self._owner != os.getpid():
            self._reset()
        return self._lock

    def _reset(self) -> None:
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._child = None
        self._kept: dict[str | bytes | None, Any] = {}


def _must_be_one_of(name: str, value: object, choices: tuple[object, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(str, choices))}, not {value!r}")


def _must_fit(output: OutputName, profile: ProfileName, form: Form) -> None:
    _must_be_one_of("profile", profile, get_args(ProfileName))
    profiles = OUTPUTS[output].profiles
    if profile not in profiles:
        raise ValueError(f"output {output!r} needs profile {' or '.join(map(repr, profiles))}, not {profile!r}")
    if profile != "url" and form.values:
        raise ValueError(f"{form.values[0][0]} needs profile 'url', not {profile!r}")


def _hasher_of(options: dict[str, Any]) -> UrlHasher:
    return UrlHasher(**options)
