"""The library that computes: liburlsum, the module urlsum.wasm as C, called by ctypes."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import lru_cache
from importlib.resources import as_file, files

from urlsum.errors import UrlsumError
from urlsum.form import Form

_ABI = 1
LIBRARY_NAME = {"darwin": "liburlsum.dylib", "win32": "urlsum.dll"}.get(sys.platform, "liburlsum.so")

REASON, CANONICAL, HOST, SITE, SURT = range(5)
"""Outputs of the library, which has digests by their width."""

NO_VALUE = 255
"""The reason of a URL that has none of an output, as an address has no site."""

PIECE_ROWS = 1 << 14
"""Rows that the library is given at once: what it answers stays in a cache until it is copied, and Ctrl-C is heard."""

_KEPT_FORMS = 32
"""A handle takes up to 1.6 MB."""

_REFUSED, _OUT_OF_MEMORY = -1, -2


class Result(ctypes.Structure):
    """The values of rows, which belong to a handle until its next call."""

    _fields_ = [
        ("row_count", ctypes.c_size_t),
        ("reasons", ctypes.c_void_p),
        ("values", ctypes.c_void_p),
        ("offsets", ctypes.c_void_p),
    ]


def _loaded() -> tuple[ctypes.CDLL, ctypes.PyDLL]:
    """Return the library twice: calls of the first release Python's lock, which takes too long for one URL."""
    with as_file(files("urlsum") / LIBRARY_NAME) as path:  # in a file of its own where the package is in an archive
        library, with_lock = ctypes.CDLL(str(path)), ctypes.PyDLL(str(path))
    if library.urlsum_abi() != _ABI:
        raise ImportError(f"{path} has version {library.urlsum_abi()} of the interface, not {_ABI}")
    number, size, text, address = ctypes.c_int, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_void_p
    for name, returns, takes in (
        ("urlsum_open", address, []),
        ("urlsum_close", None, [address]),
        ("urlsum_configure", number, [address, text, size, text, size, text, size]),
        ("urlsum_site_rules", number, [address, text, size, text]),
        ("urlsum_rows", number, [address, address, address, number, size, number, address]),
        ("urlsum_last_error", text, [address]),
        ("urlsum_reason_name", text, [number]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = returns, takes
    return library, with_lock


_LIBRARY, _WITH_LOCK = _loaded()
_digest = _WITH_LOCK.urlsum_digest  # without argtypes: to check what these two are given would take 0.3 µs
_text = _WITH_LOCK.urlsum_text


def _reasons() -> tuple[str | None, ...]:
    names = (_LIBRARY.urlsum_reason_name(number) for number in range(256))
    return tuple(name and name.decode() for name in names)


REASONS = _reasons()
"""Reasons by their numbers; None of what is a URL, and of NO_VALUE."""


class Handle:
    """What computes under one form, for one call at a time."""

    def __init__(self, form: Form) -> None:
        """Open it; raise ValueError where the library refuses the form."""
        self._address = address = _LIBRARY.urlsum_open()
        if address is None:
            raise MemoryError("there is no memory for a handle of liburlsum")
        self._address = ctypes.byref(ctypes.c_char.from_address(address))  # made once: a c_void_p is made for each call
        self._length, self._digest, self._text = ctypes.c_size_t(), ctypes.create_string_buffer(32), ctypes.c_char_p()
        self._to_digest, self._to_text = ctypes.byref(self._digest), ctypes.byref(self._text)
        self.result = Result()
        self._result = ctypes.byref(self.result)
        self.profile = form.profile(self._site_rules_id)
        given = (self.profile, form.options.get("base"), form.options.get("default_scheme"))
        texts = [(text or "").encode("utf-8", "replace") for text in given]
        arguments = [argument for text in texts for argument in (text, len(text))]
        self._must_be_well(_LIBRARY.urlsum_configure(self._address, *arguments))

    def __del__(self, close: Callable[..., None] = _LIBRARY.urlsum_close) -> None:
        close(self._address)

    def _site_rules_id(self, text: str) -> str:
        rules, rules_id = text.encode(), ctypes.create_string_buffer(33)
        self._must_be_well(_LIBRARY.urlsum_site_rules(self._address, rules, len(rules), rules_id))
        return rules_id.value.decode()

    def digest_of(self, url: bytes, width: int) -> bytes | None:
        """Return the hash of one URL; None for what is not one."""
        self._length.value = len(url)
        reason = _digest(self._address, url, self._length, width, self._to_digest)
        if reason == 0:
            return self._digest.raw[:width]
        self._must_be_well(reason)
        return None

    def text_of(self, url: bytes, output: int) -> str | None:
        """Return a text of one URL, of the output REASON the reason why it is not one; None where it has none."""
        self._length.value = len(url)
        reason = _text(self._address, url, self._length, output, self._to_text)
        if reason < 0:
            self._must_be_well(reason)
        text = self._text.value
        return None if text is None else text.decode()

    def rows(self, data: int | None, offsets: int, offset_bytes: int, row_count: int, output: int) -> Result:
        """Return what rows have, in memory that stays until the next call; they are at addresses, as Arrow has them."""
        self._must_be_well(
            _LIBRARY.urlsum_rows(self._address, data, offsets, offset_bytes, row_count, output, self._result)
        )
        return self.result

    def _must_be_well(self, status: int) -> None:
        if status >= 0:
            return
        error = _LIBRARY.urlsum_last_error(self._address).decode("utf-8", "replace")
        raise {_REFUSED: ValueError, _OUT_OF_MEMORY: MemoryError}.get(status, UrlsumError)(error)


class Handles:
    """The handles of a form: as many as calls have run at once, also of threads and of signal handlers."""

    def __init__(self, form: Form) -> None:
        """Open one; raise ValueError where the library refuses the form."""
        self._form = form
        self._idle = [Handle(form)]
        self.give = self._idle.append
        self.profile = self._idle[0].profile

    def take(self) -> Handle:
        """Take one for a call, after which ``give`` takes it back."""
        try:
            return self._idle.pop()
        except IndexError:
            return Handle(self._form)


@lru_cache(_KEPT_FORMS)
def handles_of(form: Form) -> Handles:
    """Return the handles of a form, which all hashers of this process share."""
    return Handles(form)
