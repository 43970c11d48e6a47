"""The handles of the library that all hashers share: threads, forks, signals, Python's end, and memory."""

import asyncio
import contextlib
import dis
import gc
import hashlib
import itertools
import os
import signal
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
import pytest

import urlsum
from urlsum import columns, hasher, native
from urlsum.form import Form

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


@pytest.fixture(autouse=True)
def own_handles():
    """Begin without the handles of the tests before."""
    urlsum.functions._kept_hasher.cache_clear()
    native.handles_of.cache_clear()


def idle():
    """Return how many handles of the form without options are not at work."""
    return len(native.handles_of(Form())._idle)


def test_calls_one_after_another_have_one_handle_and_each_output_the_same():
    for output in ("hash", "u64", "canonical", "reason"):
        for _ in range(100):
            urlsum.hash_one(URL, output=output)
            urlsum.hash([URL] * 3, output=output)
    assert idle() == 1


@pytest.mark.parametrize("threads", [16, 160])
def test_threads_have_a_handle_each_at_most(threads):
    one = urlsum.UrlHasher()
    rows = [f"{URL}/{row}" for row in range(5000)]
    expected = [hashlib.sha256(row.encode()).digest() for row in rows]
    with ThreadPoolExecutor(threads) as pool:
        assert list(pool.map(one.hash_one, rows)) == expected
        assert all(answer.to_pylist() == expected for answer in pool.map(one.hash, [rows] * 20))
    assert 1 <= idle() <= threads


def test_a_call_that_fails_gives_its_handle_back():
    one = urlsum.UrlHasher()
    for _ in range(20):
        with pytest.raises(urlsum.UrlError):
            one.hash_one("no url")
        with pytest.raises(TypeError):
            one.hash(pa.array([1]))
    assert idle() == 1


def test_a_trap_is_an_error_of_its_call(monkeypatch):
    """No text is known to cause one; the library's answer to one is that of another status."""
    one = urlsum.UrlHasher()
    for status, error in ((-2, MemoryError), (-3, urlsum.UrlsumError), (-4, urlsum.UrlsumError)):
        with monkeypatch.context() as patch:
            patch.setattr(native, "_digest", lambda *_, status=status: status)
            patch.setattr(native, "_text", lambda *_, status=status: status)
            for call in (one.hash_one, urlsum.canonicalize):
                with pytest.raises(error):
                    call(URL)
        assert (one.hash_one(URL), urlsum.canonicalize(URL)) == (DIGEST, URL)


def test_no_memory_for_a_handle_is_an_error_and_nothing_else_is_said(monkeypatch):
    said = []
    with monkeypatch.context() as patch:
        patch.setattr(sys, "unraisablehook", said.append)
        patch.setattr(native._LIBRARY, "urlsum_open", lambda: None)
        with pytest.raises(MemoryError):
            urlsum.UrlHasher(base="http://no-memory.example/")
        gc.collect()
    assert said == []


def test_offsets_that_do_not_ascend_are_an_error_and_the_next_column_is_right():
    array = pa.array(["http://a/", "http://b/"])
    offsets = pa.array([0, 9, 5], pa.int32()).buffers()[1]
    damaged = pa.Array.from_buffers(pa.string(), 2, [None, offsets, array.buffers()[2]])
    with pytest.raises(urlsum.UrlsumError):
        urlsum.hash(damaged)
    assert urlsum.hash([URL]).to_pylist() == [DIGEST]


def test_memory_does_not_grow():
    """Rows in chunks, single URLs, and forms that are not asked for again."""
    said = run(
        """
        import pyarrow as pa
        import urlsum

        def resident():
            with open("/proc/self/statm") as sizes:
                return int(sizes.read().split()[1]) * 4

        rows = pa.array([f"http://a.example/\u00fc{row}" for row in range(1000)])
        def work(round):
            for output in ("hash", "canonical", "reason"):
                urlsum.hash(pa.chunked_array([rows] * 2), output=output)
            for row in range(100):
                urlsum.hash_one(f"http://b\u00fc.example/{round}/{row}")
            urlsum.UrlHasher(base=f"http://h{round}/").hash_one("a")

        for round in range(100):
            work(round)
        before = resident()
        for round in range(100, 200):
            work(round)
        print(resident() - before)
        """
    )
    assert int(said) < 20_000, "KiB"


class Stepper:
    """Calls a function once, at one of the places where Python handles signals, in the modules that hash."""

    FILES = (columns.__file__, hasher.__file__, native.__file__)
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


CALLS = {
    "column": lambda one, url: one.hash([url]).to_pylist()[0],
    "one": lambda one, url: one.hash_one(url),
    "text": lambda _, url: hashlib.sha256(urlsum.canonicalize(url).encode()).digest(),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_handler_that_hashes_may_come_at_any_step(call):
    other = hashlib.sha256(b"http://b/").digest()
    one = urlsum.UrlHasher()
    answers = []
    for step in itertools.count(1):
        stepper = Stepper(step, lambda: answers.append(call(one, "http://b/")))
        assert stepper.run(lambda: call(one, URL)) == DIGEST
        if stepper.left > 0:
            break
    assert answers == [other] * (step - 1)
    assert step > (30 if call is CALLS["column"] else 10)


class Interrupt(BaseException):
    """What Ctrl-C is."""


def test_an_interrupt_at_any_step_costs_the_call_and_nothing_else():
    def interrupt():
        raise Interrupt

    one = urlsum.UrlHasher()
    for step in itertools.count(1):
        stepper = Stepper(step, interrupt)
        with contextlib.suppress(Interrupt):
            assert stepper.run(lambda: one.hash([URL]).to_pylist()) == [DIGEST]
        assert one.hash(["http://b/"]).to_pylist() == [hashlib.sha256(b"http://b/").digest()]
        if stepper.left > 0:
            break
    assert step > 30
    assert idle() <= 2


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


def test_an_interrupt_of_a_notebook_ends_a_long_column():
    said = run(
        """
        import os, signal, threading
        import urlsum
        os.setpgrp()
        rows = [f"http://a/{row}" for row in range(100_000)]
        expected = urlsum.hash(rows[:3])
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
        one = urlsum.UrlHasher()
        return await asyncio.gather(*(asyncio.to_thread(one.hash, [URL]) for _ in range(20)))

    assert [answer.to_pylist() for answer in asyncio.run(main())] == [[DIGEST]] * 20


def test_a_signal_handler_hashes_while_the_call_it_interrupts_waits():
    answers = []
    one = urlsum.UrlHasher()
    previous = signal.signal(signal.SIGALRM, lambda *_: answers.append(one.hash([URL]).to_pylist()))
    try:
        while len(answers) < 5:
            signal.setitimer(signal.ITIMER_REAL, 0.001)  # once: it may be that the handler is slow
            one.hash([URL] * 20_000)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert answers == [[DIGEST]] * len(answers)


IN_LITTLE = """
import sys
import urlsum
print(urlsum.hash_one("https://example.com", width=8).hex())
"""


@pytest.mark.parametrize("limits", ["", "ulimit -v 2000000; ", "ulimit -n 32; "])
def test_the_package_hashes_in_an_empty_environment(tmp_path, limits):
    """No PATH, no home, no folder for temporary files that exists, and little address space."""
    command = f"{limits}exec '{sys.executable}' -c '{IN_LITTLE}'"
    packages = os.pathsep.join(sys.path)
    environment = {"PATH": "", "PYTHONPATH": packages, "TMPDIR": str(tmp_path / "none"), "OPENBLAS_NUM_THREADS": "1"}
    ended = subprocess.run(["/bin/sh", "-c", command], env=environment, capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == ("0f115db062b7c0dd\n", "")


def test_the_library_is_found_in_an_archive(tmp_path):
    """Spark ships the package as one, and takes wheels."""
    spark = pytest.importorskip("urlsum.spark")
    archive = str(spark._zip_of_modules())
    code = f"import sys; sys.path.insert(0, {archive!r}); import urlsum; print(urlsum.__file__, urlsum.PROFILE)"
    command = [sys.executable, "-c", f"{code}; urlsum.hash_one('http://a/')"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path)}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == (f"{archive}/urlsum/__init__.py {urlsum.PROFILE}\n", "")
    assert list(tmp_path.iterdir()) == []
