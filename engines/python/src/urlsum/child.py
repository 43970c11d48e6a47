"""The process that hashes: ``node urlsum-serve.mjs``, driven over its standard input and output."""

import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from io import FileIO
from pathlib import Path
from typing import IO, cast

import pyarrow as pa

from urlsum.errors import ChildDiedError, UrlsumError
from urlsum.frames import Greeting, Request, read_answer, read_greeting

if sys.platform == "linux":
    from fcntl import F_SETPIPE_SZ, fcntl

BUNDLE = Path(__file__).with_name("urlsum-serve.mjs")
"""The program of the child, one file; `npm run build` puts it there and the wheel holds it."""

_PIPE_BYTES = 1 << 20
"""A request and its answer then take a sixteenth of the switches between the processes that 64 KiB take."""

_MESSAGE_BYTES = 4096
_SECONDS_TO_END = 5


class Child:
    """One running process. After an exception from ``answer`` it must be closed: half an answer may be left to read."""

    def __init__(self, node: str, bundle: Path, arguments: Sequence[str]) -> None:
        """Start the process and read its greeting."""
        self._messages: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        try:
            self._process = subprocess.Popen(
                [node, str(bundle), "--format", "frames", *arguments],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._messages,
            )
        except OSError as error:
            self._messages.close()
            raise UrlsumError(f"{node} cannot be run: {error}") from error
        self._requests = cast(FileIO, self._process.stdin)  # they are pipes, and without a buffer
        self._answers = cast(FileIO, self._process.stdout)
        _enlarge(self._requests)
        _enlarge(self._answers)
        try:
            self.greeting: Greeting = read_greeting(self._read)
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def answer(self, request: Request) -> pa.Array:
        """Write a request and read its answer; raise ChildDiedError where the process ends before."""
        for buffer in request.buffers:
            self._write(memoryview(buffer))
        return read_answer(self._read, request.row_count, self.greeting.output, self.greeting.width)

    def close(self) -> None:
        """End the process: it ends by itself when its input does."""
        for pipe in (self._requests, self._answers):
            with contextlib.suppress(OSError):
                pipe.close()
        try:
            self._process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._messages.close()

    def _write(self, bytes_left: memoryview) -> None:
        while len(bytes_left) > 0:
            try:
                written = self._requests.write(bytes_left)
            except BrokenPipeError:
                raise self._died() from None
            bytes_left = bytes_left[written:]

    def _read(self, byte_length: int) -> bytearray:
        content = bytearray(byte_length)
        bytes_left = memoryview(content)
        while len(bytes_left) > 0:
            read = self._answers.readinto(bytes_left)
            if not read:
                raise self._died()
            bytes_left = bytes_left[read:]
        return content

    def _died(self) -> ChildDiedError:
        status = self._process.wait()
        self._messages.seek(0)
        message = self._messages.read(_MESSAGE_BYTES).decode("utf-8", "replace").strip()
        return ChildDiedError(f"the process that hashes ended with status {status}: {message or 'it said nothing'}")


def _enlarge(pipe: FileIO) -> None:
    """Enlarge a pipe where the system has room: a smaller one is slower, and as good."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            fcntl(pipe, F_SETPIPE_SZ, _PIPE_BYTES)
