"""`urlsum serve` without an engine: many rows in little memory."""

import hashlib
import subprocess
import threading

import psutil
from conftest import SCALE
from material import PROJECT

ROWS = min(10_000_000, round(5_000_000 * SCALE))
REQUEST = [f"http://a.example/{row}/{'x' * (row % 90)}" for row in range(100_000)]
DIGESTS = [hashlib.sha256(row.encode()).digest() for row in REQUEST]
GROWTH_BYTES = 32 * (ROWS - 3_000_000) // 2
"""What the rows after the first three million may add: half of what their hashes alone would take if they stayed."""


def memory(pid: int) -> int:
    return psutil.Process(pid).memory_info().rss


def test_memory_does_not_grow_with_the_rows_of_rowbinary():
    chunk = b"%d\n" % len(REQUEST) + b"".join(bytes([len(row)]) + row.encode() for row in REQUEST)
    answer = b"".join(DIGESTS)
    child = subprocess.Popen(
        ["node", PROJECT / "dist/urlsum-serve.mjs"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
    )
    reader = open(child.stdout.fileno(), "rb", closefd=False)  # noqa: SIM115 - it is the child's
    peaks = []
    for answered in range(0, ROWS, len(REQUEST)):
        writer = threading.Thread(target=_write_all, args=(child.stdin, chunk))
        writer.start()
        assert reader.read(len(answer)) == answer
        writer.join()
        if answered % 1_000_000 == 0:
            peaks.append(memory(child.pid))
    child.stdin.close()
    assert child.wait() == 0
    assert max(peaks[3:]) < max(peaks[:3]) + GROWTH_BYTES


def _write_all(pipe, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[pipe.write(left) :]
