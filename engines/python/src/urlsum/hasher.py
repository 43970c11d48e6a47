"""UrlHasher: the hashes of Arrow arrays of URLs."""

import os
import threading
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, get_args

import pyarrow as pa

from urlsum.child import BUNDLE, Child
from urlsum.errors import ChildDiedError, ProfileMismatchError
from urlsum.frames import OUTPUTS, OutputName, Request, requests_of, type_of
from urlsum.node import find_node
from urlsum.profiles import ProfileName, form_of, profile_of
from urlsum.rows import Urls, rows_of

Width = Literal[8, 16, 32]


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
        exclude_fragment: bool = False,
        *,
        drop_params: Iterable[str] = (),
        drop_list: str | None = None,
        sort_params: bool = False,
        profile: ProfileName | None = None,
        node: str | None = None,
        bundle: str | os.PathLike[str] | None = None,
    ) -> None:
        """Take the options of ``urlsum serve``; nothing is started yet.

        Args:
            width: bytes of each SHA-256 that are kept; for the outputs ``hash`` and ``expressions``.
            output: what a row becomes: ``hash``, ``u64``, ``i64``, ``canonical`` or ``expressions``.
            exclude_fragment: leave the fragment out of the canonical form.
            drop_params: names of parameters that are removed from the query; a final ``*`` stands for any end.
            drop_list: the name of a list of such parameters: ``tracking-2026``.
            sort_params: sort the parameters by name. docs/parameters.md defines these three.
            profile: ``url``; ``web-risk`` and ``v5`` for the outputs ``canonical`` and ``expressions`` of Safe
                Browsing. The default is ``v5`` for ``expressions``, else ``url``.
            node: the path of Node; the default is that of ``urlsum.node.find_node``.
            bundle: the path of urlsum-serve.mjs; the default is the package's own.

        Raises:
            ValueError: an option with a value that it does not have, and options that exclude each other.
            TypeError: one string as ``drop_params``.
        """
        _must_be_one_of("width", width, get_args(Width))
        _must_be_one_of("output", output, OUTPUTS)
        name: ProfileName = profile or ("v5" if output == "expressions" else "url")
        form = form_of(exclude_fragment, drop_params, drop_list, sort_params)
        self._options: dict[str, Any] = {
            "width": width,
            "output": output,
            **asdict(form),
            "profile": name,
            "node": node,
            "bundle": bundle,
        }
        self._expected_profile = profile_of(name, form)
        self._type = type_of(output, width)
        self._arguments = ["--output", output, "--profile", name, *form.arguments]
        if output in ("hash", "expressions"):
            self._arguments += ["--width", str(width)]
        self._reset()

    def hash(self, urls: Urls) -> pa.Array:
        """Hash one URL per row, in order.

        Args:
            urls: an Arrow array or chunked array of text (string, large_string, string_view, the same of binary as
                UTF-8, dictionary-encoded or not), a column of polars, pandas or whatever else speaks Arrow's PyCapsule
                interface, or strings. Nulls are allowed, and so are the missing values of pandas: NA, NaN and None.

        Returns:
            As many rows, null where a URL is null or invalid: for the output ``hash`` a FixedSizeBinaryArray of
            ``width`` bytes, for ``u64`` a UInt64Array, ``i64`` an Int64Array, ``canonical`` a StringArray,
            ``expressions`` a ListArray of FixedSizeBinary.

        Raises:
            TypeError: rows that are not text.
            ValueError: a row of more than 2**27 bytes.
            UrlsumError: the process does not start, or died twice with the same rows.
        """
        answers = [self._answer(request) for rows in rows_of(urls) for request in requests_of(rows)]
        return pa.concat_arrays(answers) if answers else pa.array([], self._type)

    @property
    def profile(self) -> str:
        """The full name of the canonical form, such as ``url/1+unicode17``; starts the process."""
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

    def __enter__(self) -> "UrlHasher":
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
            node = self._options["node"] or find_node()
            child = Child(node, Path(self._options["bundle"] or BUNDLE), self._arguments)
            if child.greeting.profile != self._expected_profile:
                child.close()
                raise ProfileMismatchError(
                    f"the process computes {child.greeting.profile}, this package names {self._expected_profile}: "
                    "install the same version of urlsum everywhere"
                )
            self._child = child
        return self._child

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


def _must_be_one_of(name: str, value: object, choices: tuple[object, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(str, choices))}, not {value!r}")


def _hasher_of(options: dict[str, Any]) -> UrlHasher:
    return UrlHasher(**options)
