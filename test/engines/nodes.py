"""Two nodes of ClickHouse on 127.0.0.1."""

import contextlib
import ctypes
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import psutil

HOST = "127.0.0.1"


def free_ports(count: int) -> list[int]:
    """Return ports on which nothing listens."""
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(socket.socket()) for _ in range(count)]
        for server in servers:
            server.bind((HOST, 0))
        return [server.getsockname()[1] for server in servers]


def wait_for(is_ready: Callable[[], bool], process: subprocess.Popen, name: str) -> None:
    """Wait until a server is ready; raise where it ends before, or takes more than two minutes."""
    end = time.monotonic() + 120
    while not is_ready():
        if process.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"{name} does not listen (status {process.poll()})")
        time.sleep(0.1)


def listening_ports(process: subprocess.Popen) -> set[int]:
    """Return the ports that a process, and not another one, listens on: none where it has ended."""
    with contextlib.suppress(psutil.Error):
        connections = psutil.Process(process.pid).net_connections("tcp")
        return {each.laddr.port for each in connections if each.status == psutil.CONN_LISTEN}
    return set()


# The engine of chdb as a library, with the command line of `clickhouse local`: the only one of this age that is
# available without a server's package.


def local_engine(library: Path, functions: Path, data: Path, sql: str, *settings: str) -> list[str]:
    """Return the command that runs SQL in an engine that has the functions of a folder."""
    return [
        sys.executable,
        __file__,
        str(library),
        f"--path={data}",
        "--multiquery",
        f"--query={sql}",
        "--",
        f"--user_scripts_path={functions}",
        f"--user_defined_executable_functions_config={functions}/udf_config.xml",
        *settings,
    ]


@contextlib.contextmanager
def listening_engine(library: Path, functions: Path, data: Path, sql: str) -> Iterator[tuple[subprocess.Popen, int]]:
    """Run an engine that executes SQL and then listens; give its process and port."""
    stay = "SELECT sum(sleepEachRow(1)) FROM numbers(3600) SETTINGS max_block_size = 1"
    command = local_engine(
        library,
        functions,
        data,
        f"{sql}; SYSTEM START LISTEN TCP; {stay}",
        f"--listen_host={HOST}",
        "--tcp_port=0",
    )
    process = subprocess.Popen(command)
    try:
        wait_for(lambda: bool(listening_ports(process)), process, "the engine")
        [port] = listening_ports(process)
        yield process, port
    finally:
        process.kill()
        process.wait()


def _run_command_line(library: str, arguments: list[str]) -> bytes:
    engine = ctypes.CDLL(library)
    for name, kind in (
        ("chdb_query_cmdline", ctypes.c_void_p),
        ("chdb_result_error", ctypes.c_char_p),
        ("chdb_result_length", ctypes.c_size_t),
        ("chdb_result_buffer", ctypes.c_void_p),
    ):
        getattr(engine, name).restype = kind
        getattr(engine, name).argtypes = [ctypes.c_void_p]
    engine.chdb_query_cmdline.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)]
    encoded = [b"clickhouse", *(argument.encode() for argument in arguments)]
    result = engine.chdb_query_cmdline(len(encoded), (ctypes.c_char_p * len(encoded))(*encoded))
    error = engine.chdb_result_error(result)
    if error:
        sys.exit(error.decode())
    length = engine.chdb_result_length(result)
    return ctypes.string_at(engine.chdb_result_buffer(result), length) if length else b""


# Debian's server: two nodes, each with a table of its own and one distributed over both.

_SERVER = """
<yandex>
  <logger><level>warning</level><console>1</console></logger>
  <listen_host>127.0.0.1</listen_host>
  <tcp_port>{port}</tcp_port>
  <http_port>{http_port}</http_port>
  <interserver_http_port>{interserver_port}</interserver_http_port>
  <path>{folder}/data/</path>
  <tmp_path>{folder}/tmp/</tmp_path>
  <mark_cache_size>100000000</mark_cache_size>
  <users_config>{folder}/users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <remote_servers>
    <both>
      {shards}
    </both>
  </remote_servers>
</yandex>
"""

_USERS = """
<yandex>
  <profiles><default></default></profiles>
  <quotas><default></default></quotas>
  <users><default>
    <password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>
  </default></users>
</yandex>
"""


@contextlib.contextmanager
def debian_servers(folder: Path) -> Iterator[list[int]]:
    """Run two servers that know each other as the cluster ``both``; give their ports."""
    ports = free_ports(6)
    nodes = [ports[:3], ports[3:]]
    shards = "\n".join(
        f"<shard><replica><host>{HOST}</host><port>{port}</port></replica></shard>" for port, *_ in nodes
    )
    with contextlib.ExitStack() as stack:
        for index, (port, http_port, interserver_port) in enumerate(nodes):
            place = folder / f"node{index}"
            place.mkdir(parents=True)
            config = _SERVER.format(
                port=port, http_port=http_port, interserver_port=interserver_port, folder=place, shards=shards
            )
            (place / "config.xml").write_text(dedent(config).strip())
            (place / "users.xml").write_text(dedent(_USERS).strip())
            log = stack.enter_context((place / "log").open("wb"))
            process = subprocess.Popen(
                ["/usr/sbin/clickhouse-server", f"--config-file={place}/config.xml"], stdout=log, stderr=log, cwd=place
            )
            stack.callback(process.wait)
            stack.callback(process.kill)
            wait_for(lambda port=port, process=process: port in listening_ports(process), process, "clickhouse-server")
        yield [port for port, *_ in nodes]


def debian_client(port: int, sql: str, rows: bytes = b"") -> str:
    """Run SQL on a server, with rows for its standard input."""
    command = [
        "clickhouse-client",
        "--host",
        HOST,
        "--port",
        str(port),
        "--query",
        sql,
        "--insert_distributed_sync",
        "1",
    ]
    return subprocess.run(command, input=rows, stdout=subprocess.PIPE, check=True).stdout.decode()


if __name__ == "__main__":
    sys.stdout.buffer.write(_run_command_line(sys.argv[1], sys.argv[2:]))
