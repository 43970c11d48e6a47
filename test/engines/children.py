"""The processes that hash, among those that this process started."""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable

import psutil

BUNDLE = "urlsum-serve.mjs"
EXECUTOR = "org.apache.spark.executor.CoarseGrainedExecutorBackend"


def serving(root: psutil.Process) -> list[psutil.Process]:
    """Return the descendants of a process that run the bundle."""
    return _those(root.children(recursive=True), _runs_bundle)


def at_work(root: psutil.Process) -> list[psutil.Process]:
    """Return those of them that have begun to work on rows."""
    return _those(serving(root), lambda process: sum(process.cpu_times()[:2]) > 0.3)


def _runs_bundle(process: psutil.Process) -> bool:
    return any(BUNDLE in argument for argument in process.cmdline()) and "node" in process.name()


def _those(processes: list[psutil.Process], holds: Callable[[psutil.Process], bool]) -> list[psutil.Process]:
    """Return the processes that it holds for. One that has ended meanwhile is left out."""
    found = []
    for process in processes:
        with contextlib.suppress(psutil.Error):
            if holds(process):
                found.append(process)
    return found


class Killer:
    """Kills processes while a job runs: one at a time, half a second apart."""

    def __init__(self, find: Callable[[psutil.Process], list[psutil.Process]], count: int) -> None:
        self.killed: list[int] = []
        self._find = find
        self._count = count
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> "Killer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        while len(self.killed) < self._count and not self._done.wait(0.05):
            alive = [process.pid for process in self._find(psutil.Process()) if process.pid not in self.killed]
            if alive:
                os.kill(alive[0], signal.SIGKILL)
                self.killed.append(alive[0])
                time.sleep(0.5)
