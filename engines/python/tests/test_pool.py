"""The processes that all hashers share: threads, forks, signals, and how they end."""

import asyncio
import contextlib
import dis
import hashlib
import itertools
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import urlsum
from urlsum import child, hasher, pool

URL = "http://a.example/1"
DIGEST = hashlib.sha256(URL.encode()).digest()
LIMIT_SECONDS = 120
"""What hangs is an error after it; nothing else depends on it."""


def run(code, *options):
    """Run a program that is to say nothing on standard error, even of what Python's developer mode warns of."""
    command = [sys.executable, "-X", "dev", *options, "-c", textwrap.dedent(code)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_every_output_and_form_is_of_the_same_process():
    with urlsum.UrlHasher(bundle=child.BUNDLE) as one:
        pid = one.pid
        others = [
            urlsum.UrlHasher(8, bundle=child.BUNDLE),
            urlsum.UrlHasher(output="canonical", bundle=child.BUNDLE, site_rules="a.example keep x"),
            urlsum.UrlHasher(output="expressions", bundle=child.BUNDLE),
        ]
        answers = [[hasher.hash([URL + "?y#z"]).to_pylist()[0] for hasher in (one, *others)] for _ in range(3)]
        assert answers[0] == answers[1] == answers[2]
        assert answers[0][2] == f"{URL}#z"
        assert {hasher.pid for hasher in (one, *others)} == {pid}


def test_a_wrong_text_for_a_process_that_runs_is_a_value_error():
    with urlsum.UrlHasher() as one:
        for _ in range(2):
            with pytest.raises(ValueError, match=r"^line 1 of the site rules: an action must be"):
                urlsum.UrlHasher(site_rules="a.example jump")
        assert one.hash_one(URL) == DIGEST


def test_more_threads_than_processors_share_as_many_processes():
    with urlsum.UrlHasher(bundle=child.BUNDLE) as one, ThreadPoolExecutor(16) as threads:
        urls = [f"{URL}/{row}" for row in range(2000)]
        forms = urlsum.UrlHasher(output="canonical", bundle=child.BUNDLE)
        digests = threads.map(one.hash_one, urls)
        canonical = threads.map(forms.hash_one, urls)
        assert list(digests) == [hashlib.sha256(url.encode()).digest() for url in urls]
        assert list(canonical) == urls
        assert 1 <= len(one._pool._started) <= pool._LIMIT


def test_the_processes_end_with_the_last_hasher():
    one, two = (urlsum.UrlHasher(bundle=child.BUNDLE) for _ in range(2))
    pid = one.pid
    assert two.pid == pid
    one.close()
    assert is_running(pid)
    del two
    assert not is_running(pid)


class Stepper:
    """Calls a function once, at one of the places where Python handles signals, in the modules that hash."""

    FILES = (pool.__file__, child.__file__, hasher.__file__)
    HANDLES = ("CALL", "JUMP_BACKWARD", "RESUME")
    """The instructions after which it does."""

    def __init__(self, step, interrupt):
        self.left = step
        self._interrupt = interrupt
        self._last = {}

    def run(self, work):
        """Return what ``work`` returns; ``left`` is more than 0 if it has fewer such places."""
        sys.settrace(self._trace)
        try:
            return work()
        finally:
            sys.settrace(None)

    def _trace(self, frame, event, _argument):
        if frame.f_code.co_filename not in self.FILES:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            if self._last.get(frame, "RESUME").startswith(self.HANDLES):
                self.left -= 1
            self._last[frame] = dis.opname[frame.f_code.co_code[frame.f_lasti]]
            if self.left == 0:
                sys.settrace(None)
                self._interrupt()
        return self._trace


def test_a_handler_that_hashes_may_come_at_any_step():
    other = hashlib.sha256(b"http://b/").digest()
    with urlsum.UrlHasher(bundle=child.BUNDLE) as one:
        answers = []
        for step in itertools.count(1):
            stepper = Stepper(step, lambda: answers.append(one.hash(["http://b/"]).to_pylist()))
            assert stepper.run(lambda: one.hash([URL]).to_pylist()) == [DIGEST]
            if stepper.left > 0:
                break
        assert answers == [[other]] * (step - 1)
        assert step > 30


class Interrupt(BaseException):
    """What Ctrl-C is."""


def test_an_interrupt_at_any_step_costs_the_call_and_nothing_else(monkeypatch):
    def interrupt():
        raise Interrupt

    def of_another_thread():
        found = []
        thread = threading.Thread(target=lambda: found.extend(one.hash([URL]).to_pylist()), daemon=True)
        thread.start()
        thread.join(LIMIT_SECONDS)
        return found

    monkeypatch.setattr(pool, "_LIMIT", 1)  # who keeps the one lock shuts out the others
    with urlsum.UrlHasher(node=child.nodes()[0]) as one:
        one._pool._begin()
        for step in itertools.count(1):
            stepper = Stepper(step, interrupt)
            with contextlib.suppress(Interrupt):
                assert stepper.run(lambda: one.hash([URL]).to_pylist()) == [DIGEST]
            assert of_another_thread() == [DIGEST]
            if stepper.left > 0:
                break
        assert step > 30


QUIET = {
    "nothing closed": "hasher = urlsum.UrlHasher(); hasher.hash(['http://a/']); urlsum.hash_one('http://a/')",
    "in a circle": "hasher = urlsum.UrlHasher(); hasher.itself = hasher; hasher.hash(['http://a/'])",
    "at exit": """
        import atexit
        hasher = urlsum.UrlHasher()
        hasher.hash(["http://a/"])  # pyarrow imports pandas with its first array, which is too late at exit
        atexit.register(hasher.hash, ["http://a/"])
    """,
    "a daemon": """
        import threading
        def work():
            while True:
                urlsum.hash(["http://a/"] * 1000)
                begun.set()
        begun = threading.Event()
        threading.Thread(target=work, daemon=True).start()
        begun.wait()
    """,
    "DuckDB's default connection": """
        import duckdb, urlsum.duckdb
        urlsum.duckdb.register(duckdb)
        assert duckdb.sql("SELECT url_canonical('HTTP://A')").fetchall() == [("http://a/",)]
    """,
    "DuckDB, never closed": """
        import duckdb, urlsum.duckdb
        connection = duckdb.connect()
        urlsum.duckdb.register(connection)
        relation = connection.sql("SELECT url_hash_u64(url) FROM (VALUES ('http://a/'), (NULL)) AS t(url)")
        assert len(relation.fetchall()) == 2
    """,
    "polars": """
        import polars
        urls = polars.LazyFrame({"url": ["http://a/"] * 10})
        keyed = urls.with_columns(key=polars.col("url").map_batches(
            lambda batch: polars.Series(urlsum.hash(batch, output="u64")), return_dtype=polars.UInt64))
        assert keyed.collect()["key"].null_count() == 0
    """,
    "asyncio": """
        import asyncio
        async def main():
            return await asyncio.gather(*(asyncio.to_thread(urlsum.hash_one, f"http://a/{n}") for n in range(50)))
        assert len(set(asyncio.run(main()))) == 50
    """,
    "an exit while others wait": """
        from concurrent.futures import ThreadPoolExecutor
        ThreadPoolExecutor(8).map(urlsum.hash_one, [f"http://a/{n}" for n in range(100)])
    """,
}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_a_program_ends_without_a_word(code):
    if "duckdb" in code:
        pytest.importorskip("duckdb")
    run("import urlsum\n" + textwrap.dedent(code))


PROCESSES = """
    import multiprocessing, sys, threading
    import urlsum

    def answer(url):
        return urlsum.hash_one(url, width=8), urlsum.hash([url], width=8)[0].as_py()

    if __name__ == "__main__":
        urls = [f"http://a/{number}" for number in range(20)]
        expected = list(map(answer, urls))
        with multiprocessing.get_context(sys.argv[1]).Pool(2) as processes:
            assert processes.map(answer, urls) == expected
        assert list(map(answer, urls)) == expected
"""


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes_of_every_kind(tmp_path, method):
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(PROCESSES))
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "ignore::DeprecationWarning", path, method],
        env=environment,
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_forks_while_threads_hash():
    run(
        """
        import os, threading
        import urlsum

        def work():
            while not done.is_set():
                assert urlsum.hash(["http://a/"] * 500, width=8)[0].as_py() == expected

        # in this thread first: with its first array pyarrow imports pandas, and imports do not survive a fork
        expected = urlsum.hash(["http://a/"], width=8)[0].as_py()
        done = threading.Event()
        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for _ in range(20):
            pid = os.fork()
            if pid == 0:
                os._exit(0 if urlsum.hash(["http://a/"], width=8)[0].as_py() == expected else 1)
            assert os.waitpid(pid, 0)[1] == 0
        done.set()
        for thread in threads:
            thread.join()
        """,
        "-W",
        "ignore::DeprecationWarning",  # Python 3.12 warns of every fork beside threads
    )


def test_a_process_ends_at_once_though_a_forked_worker_lives():
    with urlsum.UrlHasher(bundle=child.BUNDLE) as one:
        pid = one.pid
        end, write_end = os.pipe()
        forked = os.fork()
        if forked == 0:
            os.close(write_end)
            os.read(end, 1)
            os._exit(0)
    assert not is_running(pid)
    os.close(write_end)
    assert os.waitpid(forked, 0)[1] == 0


def test_a_process_ends_with_its_parent_though_a_forked_worker_lives():
    code = """
        import os, sys
        import urlsum
        hasher = urlsum.UrlHasher()
        print(hasher.pid, flush=True)
        if os.fork() == 0:
            os.close(1)
            sys.stdin.read()
        os._exit(0)
    """
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as parent:
        pid = int(parent.stdout.readline())
        parent.wait()
        end = time.monotonic() + LIMIT_SECONDS
        while is_running(pid) and time.monotonic() < end:
            time.sleep(0.02)
        assert not is_running(pid)


def test_an_interrupt_of_a_notebook_is_its_own():
    """Ctrl-C and the button send SIGINT to the process group: the call ends, and what hashes says nothing."""
    said = run(
        """
        import os, signal, threading
        import urlsum
        os.setpgrp()
        rows = [f"http://a/{row}" for row in range(100_000)]
        expected = urlsum.hash(rows[:3])
        pid = urlsum.UrlHasher().pid
        threading.Timer(0.05, os.killpg, (os.getpgrp(), signal.SIGINT)).start()
        try:
            while True:
                urlsum.hash(rows)
        except KeyboardInterrupt:
            print("interrupted")
        assert urlsum.hash(rows[:3]) == expected
        """
    )
    assert said == "interrupted\n"


def test_tasks_of_asyncio_hash_in_threads():
    async def main():
        with urlsum.UrlHasher() as one:
            return await asyncio.gather(*(asyncio.to_thread(one.hash, [URL]) for _ in range(20)))

    assert [answer.to_pylist() for answer in asyncio.run(main())] == [[DIGEST]] * 20


def test_a_signal_handler_hashes_while_the_call_it_interrupts_waits():
    answers = []
    with urlsum.UrlHasher() as one:
        previous = signal.signal(signal.SIGALRM, lambda *_: answers.append(one.hash([URL]).to_pylist()))
        try:
            while len(answers) < 5:
                signal.setitimer(signal.ITIMER_REAL, 0.001)  # once: it may be that the handler is slow
                one.hash([URL] * 20_000)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, previous)
    assert answers == [[DIGEST]] * len(answers)
