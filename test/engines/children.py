"""The processes that hash, among those that this process started."""

import contextlib

import psutil

BUNDLE = "urlsum-serve.mjs"


def serving(root: psutil.Process) -> list[psutil.Process]:
    """Return the descendants of a process that run the bundle; one that has ended meanwhile is left out."""
    found = []
    for process in root.children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if any(BUNDLE in argument for argument in process.cmdline()) and "node" in process.name():
                found.append(process)
    return found
