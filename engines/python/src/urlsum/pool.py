"""The processes of this process: as many as requests are under way at once, and no more than it has processors.

Nothing here waits for a lock that the same thread may hold: a signal handler that hashes goes on where the call that it
interrupts has stopped, with a process of its own.
"""

from __future__ import annotations

import contextlib
import os
import random
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar
from weakref import WeakSet

from urlsum.child import BUNDLE, Child, start
from urlsum.errors import ChildDiedError
from urlsum.job import Job

Answer = TypeVar("Answer")

_LIMIT = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Pool:
    """Lends a process to each request; one that is interrupted or dies is not lent again.

    The processes end when no user is left. After a fork each process has some of its own.
    """

    def __init__(self, node: str | None, bundle: Path) -> None:
        self._node = node
        self._bundle = bundle
        self._started: WeakSet[Child] = WeakSet()
        self._users: set[object] = set()
        self._begin()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._begin)

    def ask(self, user: object, job: Job, question: Callable[[Child], Answer]) -> Answer:
        """Return what a process answers, or where it dies another one."""
        self._users.add(user)
        door = next((door for door, is_entered in self._doors.items() if not is_entered), None)
        door = door or random.choice(list(self._doors))  # a guess: its lock decides
        with door:
            self._doors[door] = True
            try:
                return self._ask(self._idle_child(job), job, question)
            except ChildDiedError:
                return self._ask(None, job, question)
            finally:
                self._doors[door] = False

    def leave(self, user: object) -> None:
        """Do without a user until it asks again."""
        self._users.discard(user)
        self._end_if_unused()

    def _begin(self) -> None:
        """Begin without any process: after a fork those that run are the parent's, and so is who holds a lock."""
        for child in self._started:
            child.leave()
        self._started.clear()
        self._idle: list[Child] = []  # its methods are atomic
        self._doors = {threading.RLock(): False for _ in range(_LIMIT)}

    def _ask(self, child: Child | None, job: Job, question: Callable[[Child], Answer]) -> Answer:
        """One question; whatever interrupts it costs the process, since half an answer may be left in its pipe."""
        if child is None:
            child = start(self._node, self._bundle, job)
            self._started.add(child)
        try:
            child.choose(job)
            answer = question(child)
        except BaseException:
            child.close()
            raise
        self._idle.append(child)
        self._end_if_unused()
        return answer

    def _idle_child(self, job: Job) -> Child | None:
        """Take one of those that wait, best one that computes this job."""
        for child in sorted(self._idle, key=lambda child: child.job != job):
            with contextlib.suppress(ValueError):  # another thread has taken it
                self._idle.remove(child)
                if child.is_running:
                    return child
                child.close()
        return None

    def _end_if_unused(self) -> None:
        with contextlib.suppress(IndexError):
            while not self._users:
                self._idle.pop().close()


@cache
def pool_of(node: str | None, bundle: Path | None) -> Pool:
    """Return the pool that runs a program: the default is the package's own on the Node that is found."""
    return Pool(node, bundle or BUNDLE)
