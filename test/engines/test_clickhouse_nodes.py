"""Two nodes on loopback: functions that each node runs for itself, and hashes that a cluster is sharded by."""

import subprocess
import tempfile
from pathlib import Path

import children
import nodes
import numpy as np
import psutil
import pytest
from material import PROJECT

FUNCTIONS = PROJECT / "engines/clickhouse"


@pytest.fixture(scope="module")
def library(pytestconfig) -> Path:
    """The engine as a library, which `test/engines/run` installs."""
    return Path(pytestconfig.getoption("--clickhouse-library"))


def initiate(library: Path, folder: Path, sql: str) -> subprocess.CompletedProcess:
    """Run a query, which asks the nodes, in an engine of its own on a folder of its own."""
    patient = f"SET connect_timeout_with_failover_ms = 60000; {sql}"
    command = nodes.local_engine(library, FUNCTIONS, Path(tempfile.mkdtemp(dir=folder)), patient)
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def test_each_node_hashes_its_own_rows(library, rows, pages, tmp_path):
    def node(index):
        load = f"""
            CREATE TABLE urls (id Int64, url String) ENGINE = Memory;
            INSERT INTO urls SELECT id, url FROM file('{pages}/*.parquet', Parquet) WHERE id % 2 = {index}
        """
        return nodes.listening_engine(library, FUNCTIONS, tmp_path / f"node{index}", load)

    with node(0) as (first, first_port), node(1) as (second, second_port):
        both = f"remote('{nodes.HOST}:{{{first_port},{second_port}}}', default, urls)"
        sql = f"""
            SELECT count(), uniqExact(urlHashOrNull(url)), countIf(urlHashOrNull(url) IS NULL),
                groupUniqArray(urlProfile('')) FROM {both} FORMAT TSV
        """
        answer = initiate(library, tmp_path, sql)
        hashing = [len(children.serving(psutil.Process(process.pid))) for process in (first, second)]
        second.kill()
        second.wait()
        count = f"SELECT count() FROM {both} WHERE urlHash(url) != ''"
        skipping = initiate(library, tmp_path, f"{count} SETTINGS skip_unavailable_shards = 1")
        # the last one: it is cancelled on the first node, and this engine, as a node, can abort after that
        failed = initiate(library, tmp_path, count)
    distinct = len(rows.hashes.unique().drop_null())
    expected = [str(len(rows.urls)), str(distinct), str(rows.hashes.null_count), "['url/1+unicode18']"]
    assert answer.stdout.strip().split("\t") == expected, answer.stderr
    assert min(hashing) >= 1, "each node has processes of its own"
    valid = rows.hashes.is_valid().to_numpy(zero_copy_only=False)
    skipped = f"with this setting its rows are lost silently: {skipping.stderr}"
    assert skipping.stdout.strip() == str(np.count_nonzero(valid[::2])), skipped
    assert skipping.returncode == 0, skipping.stderr
    assert failed.stdout == "", "a node that is down is an error"
    assert "ALL_CONNECTION_TRIES_FAILED" in failed.stderr


@pytest.fixture(scope="module")
def records(rows) -> np.ndarray:
    """The valid rows in RowBinary: id and hash."""
    valid = rows.hashes.drop_null()
    packed = np.empty(len(valid), np.dtype([("id", "<u8"), ("hash", "V32")]))
    packed["id"] = np.flatnonzero(rows.hashes.is_valid().to_numpy(zero_copy_only=False))
    packed["hash"] = np.frombuffer(valid.buffers()[1], "V32", len(valid), 32 * valid.offset)
    return packed


def test_hashes_shard_a_cluster(rows, records, tmp_path):
    """They come from outside: Debian's 18.16 has no functions. All rows of one hash come to one shard."""
    table = "(id UInt64, hash FixedString(32))"
    shard = "reinterpretAsUInt64(substring(hash, 1, 8))"
    with nodes.debian_servers(tmp_path) as ports:
        for port in ports:
            nodes.debian_client(port, f"CREATE TABLE hashes {table} ENGINE = MergeTree ORDER BY hash")
        spread = f"CREATE TABLE spread {table} ENGINE = Distributed(both, default, hashes, {shard})"
        nodes.debian_client(ports[0], spread)
        nodes.debian_client(ports[0], "INSERT INTO spread FORMAT RowBinary", records.tobytes())
        counts = [int(nodes.debian_client(port, "SELECT count() FROM hashes")) for port in ports]
        distinct = [int(nodes.debian_client(port, "SELECT uniqExact(hash) FROM hashes")) for port in ports]
        whole = nodes.debian_client(ports[0], "SELECT count(), uniqExact(hash), sum(id) FROM spread")
    expected = len(rows.hashes.unique().drop_null())
    assert sum(counts) == len(records)
    assert min(distinct) > 0.45 * expected, "the shards are of a size"
    assert sum(distinct) == expected, "no hash is on both"
    assert whole.split() == [str(len(records)), str(expected), str(records["id"].sum())]
