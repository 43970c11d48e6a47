"""Times jobs and counts the processor time of every process that works for them."""

import contextlib
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pyarrow.parquet as pq

ROUNDS = 3

Job = Callable[[], object]


class Run:
    """The ways of one engine to hash the same rows."""

    def __init__(self, engine: str, pages: Path) -> None:
        self.pages = pages
        self._row_count = pq.ParquetDataset(pages).read(columns=[]).num_rows
        self._engine = engine
        self._jobs: dict[str, Job] = {}

    def add(self, way: str, job: Job) -> None:
        """Add a way; nothing runs yet."""
        self._jobs[way] = job

    def measure(self) -> list[dict]:
        """Run every job once to warm it up, then all of them in turn, and return a line for each.

        In turn, because the machine is shared: what else runs on it meets every way alike.
        """
        rounds: dict[str, list[tuple[float, float]]] = {way: [] for way in self._jobs}
        for job in self._jobs.values():
            job()
        for _ in range(ROUNDS):
            for way, job in self._jobs.items():
                rounds[way].append(_round(job))
        for way, measured in rounds.items():
            self._tell(way, measured)
        return [
            {"engine": self._engine, "way": way, "rows": self._row_count, "rounds": measured}
            for way, measured in rounds.items()
        ]

    def _tell(self, way: str, measured: list[tuple[float, float]]) -> None:
        rate = self._row_count / min(seconds for seconds, _ in measured)
        cost = min(cpu for _, cpu in measured) / self._row_count * 1e6
        print(f"{self._engine}: {way}: {rate:,.0f} rows/s, {cost:.2f} CPU s/Mrow", file=sys.stderr)


def _round(job: Job) -> tuple[float, float]:
    """Run a job; return its seconds and those of the processors."""
    started, cpu_before = time.perf_counter(), _processor_seconds()
    job()
    return time.perf_counter() - started, _processor_seconds() - cpu_before


def _processor_seconds() -> float:
    """Sum the processor time of this process and all that it started; what they have waited for counts with them."""
    me = psutil.Process()
    total = 0.0
    for process in [me, *me.children(recursive=True)]:
        with contextlib.suppress(psutil.Error):
            total += sum(process.cpu_times()[:4])
    return total
