"""Times a job and counts the processor time of every process that works for it."""

import contextlib
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pyarrow.parquet as pq

ROUNDS = 3


class Run:
    """The figures of one engine: a line for each way, of several rounds."""

    def __init__(self, engine: str, pages: Path) -> None:
        self.pages = pages
        self._row_count = pq.ParquetDataset(pages).read(columns=[]).num_rows
        self._engine = engine
        self._lines: list[dict] = []

    def add(self, way: str, job: Callable[[], object], rounds: int = ROUNDS) -> None:
        """Run a job once to warm it up, then as often as is to be measured."""
        job()
        measured = [self._round(job) for _ in range(rounds)]
        self._lines.append({"engine": self._engine, "way": way, "rows": self._row_count, "rounds": measured})
        best = min(seconds for seconds, _ in measured)
        cost = min(cpu for _, cpu in measured) / self._row_count * 1e6
        print(f"{self._engine}: {way}: {self._row_count / best:,.0f} rows/s, {cost:.2f} CPU s/Mrow", file=sys.stderr)

    def print(self) -> None:
        """Write the lines as JSON to standard output."""
        json.dump(self._lines, sys.stdout)

    def _round(self, job: Callable[[], object]) -> tuple[float, float]:
        started, cpu_before = time.perf_counter(), processor_seconds()
        job()
        return time.perf_counter() - started, processor_seconds() - cpu_before


def processor_seconds() -> float:
    """Sum the processor time of this process and all that it started; what they have waited for counts with them."""
    me = psutil.Process()
    total = 0.0
    for process in [me, *me.children(recursive=True)]:
        with contextlib.suppress(psutil.Error):
            total += sum(process.cpu_times()[:4])
    return total
