"""The processes that hash, among those that this process started."""

import contextlib
import os
import signal
import threading
import time

import psutil

BUNDLE = "urlsum-serve.mjs"


def serving(root: psutil.Process) -> list[psutil.Process]:
    """Return the descendants of a process that run the bundle."""
    found = []
    for process in root.children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if any(BUNDLE in argument for argument in process.cmdline()) and "node" in process.name():
                found.append(process)
    return found


class Killer:
    """Kills processes that hash, while a job runs: one at a time, a moment after it started to work."""

    def __init__(self, root: psutil.Process, count: int) -> None:
        self.killed: list[int] = []
        self._root = root
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
            for process in serving(self._root):
                with contextlib.suppress(psutil.Error):
                    if process.pid not in self.killed and sum(process.cpu_times()[:2]) > 0.3:
                        os.kill(process.pid, signal.SIGKILL)
                        self.killed.append(process.pid)
                        time.sleep(0.5)
                        break
