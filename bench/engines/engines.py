"""Time the packages in engines/ beside what people write today in the same engines: ``bench/engines/run``.

``engines.py pages FOLDER ROWS`` writes so many URLs as Parquet, ``engines.py ENGINE FOLDER`` prints the tables of one
engine as JSON, and ``engines.py join FOLDER FILE...`` the results of all, as bench/report.ts has them.
"""

import contextlib
import datetime
import importlib.metadata
import json
import platform
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import rival

PROJECT = Path(__file__).parents[2]
sys.path.append(str(PROJECT / "test/engines"))

PACKAGES = ("pyspark", "chdb-core", "duckdb", "pyarrow", "ada-url")
FILES = 8
ROUNDS = 3
TICK_SECONDS = 0.01
"""In which the system counts processor time: a round takes one at least."""

Job = Callable[[], object]


def write_pages(folder: Path, row_count: int) -> None:
    """Write the first rows of corpus/main twice and half of the other URLs, 3.6 % of all; without them, made ones."""
    import material

    if material.has_corpora():
        rows = material.corpus_rows(["main"]) * 2 + material.corpus_rows(material.OTHERS)[::2]
    else:
        rows = material.made_rows(row_count)
    material.Material(pa.array(rows[:row_count])).write_parquet(folder, FILES)


class Run:
    """The ways of one engine to hash the same rows; ``last`` is the one that the others are compared with."""

    def __init__(self, pages: Path) -> None:
        self.pages = pages
        self.row_count = pq.ParquetDataset(pages).read(columns=[]).num_rows
        self._jobs: dict[str, Job] = {}

    def add(self, way: str, job: Job) -> None:
        """Add a way; nothing runs yet."""
        self._jobs[way] = job

    def table(self, name: str, title: str) -> dict:
        """Run every job once to warm it up, then all of them in turn, and return a table of nanoseconds per row.

        In turn, because the machine is shared: what else runs on it meets every way alike.
        """
        rounds: dict[str, list[tuple[float, float]]] = {way: [] for way in self._jobs}
        for job in self._jobs.values():
            job()
        for _ in range(ROUNDS):
            for way, job in self._jobs.items():
                rounds[way].append(_round(job))
        last = list(rounds.values())[-1]
        rows = [self._row(way, measured, last) for way, measured in rounds.items()]
        return table(name, f"{title}: a row of {self.row_count:,}", "ns", rows)

    def _row(self, way: str, measured: list[tuple[float, float]], last: list[tuple[float, float]]) -> dict:
        elapsed = [seconds / self.row_count * 1e9 for seconds, _ in measured]
        processor = [seconds / self.row_count * 1e9 for _, seconds in measured]
        print(f"{way}: {min(elapsed):,.0f} ns, {min(processor):,.0f} of a processor", file=sys.stderr)
        ratio = statistics.median(other / one for (_, one), (_, other) in zip(measured, last, strict=True))
        return {
            "label": way,
            "value": min(elapsed),
            "range": [min(elapsed), max(elapsed)],
            "processor": min(processor),
            "ratio": ratio,
            "isOurs": "url_" in way or "urlH" in way or "urlC" in way or "map_hash" in way,
        }


def table(name: str, title: str, unit: str, rows: list[dict]) -> dict:
    """Return a table whose last row is what the others are compared with."""
    return {"name": name, "title": title, "unit": unit, "rival": rows[-1]["label"], "headlines": [], "rows": rows}


def _round(job: Job) -> tuple[float, float]:
    """Run a job; return its seconds and those of the processors."""
    started, cpu_before = time.perf_counter(), _processor_seconds()
    job()
    return time.perf_counter() - started, max(_processor_seconds() - cpu_before, TICK_SECONDS)


def _processor_seconds() -> float:
    """Sum the processor time of this process and all that it started; what they have waited for counts with them."""
    me = psutil.Process()
    total = 0.0
    for process in [me, *me.children(recursive=True)]:
        with contextlib.suppress(psutil.Error):
            total += sum(process.cpu_times()[:4])
    return total


DUCKDB = {
    "scan": "length(url)",
    "hash(url), not canonical": "hash(url)",
    "sha256(url), not canonical": "sha256(url)",
    "url_hash": "url_hash(url)",
    "url_hash_u64": "url_hash_u64(url)",
    "url_canonical": "url_canonical(url)",
    "ada-url + hashlib, Arrow function": "rival(url)",
}


def duckdb(run: Run) -> Iterator[dict]:
    """Measure each function over all rows."""
    import duckdb

    import urlsum.duckdb

    with duckdb.connect(config={"threads": 2}) as connection:
        urlsum.duckdb.register(connection)
        connection.create_function(
            "rival", rival.hash_array, ["VARCHAR"], "BLOB", type="arrow", null_handling="special"
        )
        for way, expression in DUCKDB.items():
            sql = f"SELECT count({expression}) FROM '{run.pages}/*.parquet'"
            run.add(way, lambda sql=sql: connection.execute(sql).fetchall())
        yield run.table("engines-duckdb", "DuckDB in Python")


CLICKHOUSE = {
    "scan": "length(url)",
    "cityHash64(url), not canonical": "cityHash64(url)",
    "SHA256(url), not canonical": "cityHash64(SHA256(url))",
    "urlHash": "cityHash64(urlHash(url))",
    "urlHashOrNull": "cityHash64(assumeNotNull(urlHashOrNull(url)))",
    "urlHash64": "urlHash64(url)",
    "urlCanonical": "length(assumeNotNull(urlCanonical(url)))",
    "urlExpressions": "length(urlExpressions(url))",
    "ada-url + hashlib, Python function, TabSeparated": "length(rival(url))",
}

RIVAL_FUNCTION = """
    <function>
        <type>executable_pool</type>
        <name>rival</name>
        <return_type>String</return_type>
        <argument><name>url</name><type>String</type></argument>
        <format>TabSeparated</format>
        <command>rival_function.py</command>
        <execute_direct>1</execute_direct>
        <send_chunk_header>1</send_chunk_header>
        <pool_size>2</pool_size>
        <max_command_execution_time>60</max_command_execution_time>
        <command_read_timeout>60000</command_read_timeout>
    </function>
</functions>
"""

RIVAL_SCRIPT = f"""#!{sys.executable}
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import rival
for count in sys.stdin:
    for _ in range(int(count)):
        digest = rival.digest(sys.stdin.readline().rstrip("\\n"))
        print(digest.hex() if digest else "")
    sys.stdout.flush()
"""


def clickhouse(run: Run) -> Iterator[dict]:
    """Measure each function over all rows: those that are shipped, and one in Python."""
    import chdb
    from chdb import session

    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(shutil.copytree(PROJECT / "engines/clickhouse", f"{scratch}/functions"))
        config = folder / "udf_config.xml"
        config.write_text(config.read_text().replace("</functions>", RIVAL_FUNCTION))
        script = folder / "rival_function.py"
        script.write_text(RIVAL_SCRIPT)
        script.chmod(0o755)
        chdb.g_udf_path = str(folder)
        source = f"file('{run.pages}/*.parquet', Parquet, 'id Int64, url String')"
        with session.Session() as engine:  # it keeps the processes; each chdb.query starts others
            for way, expression in CLICKHOUSE.items():
                sql = f"SELECT sum({expression}) FROM {source} SETTINGS max_threads = 2"
                run.add(way, lambda sql=sql: engine.query(sql, "CSV"))
            yield run.table("engines-clickhouse", "ClickHouse in chdb")


def spark(run: Run) -> Iterator[dict]:
    """Measure two executors of one core each."""
    import cluster
    from pyspark.sql import functions
    from pyspark.sql.types import BinaryType

    import urlsum.spark

    with cluster.session(cluster.LOCAL_CLUSTER) as session:
        urlsum.spark.register(session)
        session.sparkContext.addPyFile(rival.__file__)
        pages = session.read.parquet(str(run.pages))
        pages.createOrReplaceTempView("pages")
        schema, hashed = "id bigint, url string", "id bigint, url string, hash binary"
        rival_udf = functions.arrow_udf(rival.arrow_function(), BinaryType())
        ours = pages.mapInArrow(urlsum.spark.map_hash("url", "hash"), hashed)
        frames = {
            "scan": pages,
            "xxhash64(url), not canonical": pages.select(functions.xxhash64("url")),
            "sha2(url, 256), not canonical": pages.select(functions.sha2("url", 256)),
            "mapInArrow, identity": pages.mapInArrow(rival.identity, schema),
            "mapInArrow(map_hash)": ours,
            **{f"SQL {name}": session.sql(f"SELECT {name}(url) FROM pages") for name in SPARK_FUNCTIONS},
            "ada-url + hashlib, Arrow UDF": pages.select(rival_udf("url")),
            "ada-url + hashlib, mapInArrow": pages.mapInArrow(rival.batches(), hashed),
        }
        for way, frame in frames.items():
            run.add(way, _sink(frame))
        yield run.table("engines-spark", "Spark")


SPARK_FUNCTIONS = ("url_hash", "url_hash_i64", "url_canonical")


def _sink(frame) -> Job:
    return lambda: frame.write.format("noop").mode("overwrite").save()


def scale(run: Run) -> Iterator[dict]:
    """Measure what docs/performance.md computes with: one executor beside two, distinct counts, bytes shuffled."""
    for executor_count in (1, 2):
        yield from _executors(executor_count, run.pages)


def _executors(executor_count: int, pages: Path) -> Iterator[dict]:
    """Measure a cluster of so many executors of one core each: of one alone, only the hashing."""
    import cluster

    import urlsum.spark

    run = Run(pages)
    with cluster.session(f"local-cluster[{executor_count},1,1024]") as session:
        urlsum.spark.ship(session)
        frames = _keys(session.read.parquet(str(pages)))
        run.add("hash alone", _sink(frames["hash, 32 bytes"]))
        if executor_count > 1:
            for key, frame in frames.items():
                run.add(f"distinct by {key}", lambda frame=frame: frame.distinct().count())
        yield run.table(f"engines-executors-{executor_count}", f"Spark, executors of one core: {executor_count}")
        if executor_count > 1:
            sizes = {key: _shuffled_bytes(session, frame) / run.row_count for key, frame in frames.items()}
            last = list(sizes.values())[-1]
            rows = [
                {"label": f"distinct by {key}", "value": size, "ratio": last / size, "isOurs": "hash" in key}
                for key, size in sizes.items()
            ]
            yield table("engines-shuffle", "Bytes shuffled per row", "bytes", rows)


def _keys(pages) -> dict:
    """Return frames of one column, which urls are counted by."""
    import urlsum.spark

    def key(schema: str, **options: object):
        hashed = pages.mapInArrow(urlsum.spark.map_hash("url", "key", **options), f"id bigint, url string, {schema}")
        return hashed.select("key")

    return {
        "hash, 32 bytes": key("key binary"),
        "hash, 16 bytes": key("key binary", width=16),
        "hash, 8 bytes (i64)": key("key bigint", output="i64"),
        "canonical form": key("key string", output="canonical"),
        "URL as given": pages.select("url"),
    }


def _shuffled_bytes(session, frame) -> int:
    """Return how many bytes a distinct count writes for its shuffles, compressed."""
    import cluster

    def written() -> int:
        return sum(write for _, write in cluster.shuffled_bytes(session).values())

    before = written()
    frame.distinct().count()
    return written() - before


HOST = r"^[A-Za-z]+://(?:[^/?#@]*@)?(?P<host>[^/?#:]*)"
PARTITIONS = 200
"""Spark's default for a shuffle."""


def skew(pages: Path) -> str:
    """Say the largest host's share of the rows, and the largest of 200 partitions as a multiple of their mean."""
    urls = pq.read_table(pages, columns=["url"])["url"].combine_chunks()
    hosts = pc.struct_field(pc.extract_regex(urls, HOST), "host").drop_null()
    hosts = hosts.filter(pc.not_equal(hosts, ""))
    share = pc.max(hosts.value_counts().field("counts")).as_py() / len(urls)
    by_host = _largest(pc.binary_join_element_wise("http://", hosts, "/", ""))
    by_hash = _largest(urls.unique())
    return (
        f"The largest host has {share:.3f} of the rows. Of {PARTITIONS} partitions the largest has {by_host:.1f} times "
        f"their mean by host, and {by_hash:.2f} times by hash (of different URLs)."
    )


def _largest(urls: pa.Array) -> float:
    import urlsum

    hasher = urlsum.UrlHasher(output="u64")
    partitions = hasher.hash(urls).drop_null().to_numpy() % PARTITIONS
    return np.bincount(partitions.astype(np.int64), minlength=PARTITIONS).max() / (len(partitions) / PARTITIONS)


def joined(paths: list[str], pages: Path) -> dict:
    """Return the results of all engines, with when and on what they were measured."""
    versions = [f"{name} {importlib.metadata.version(name)}" for name in PACKAGES]
    machine = f"two cores of {_processor()}, Python {platform.python_version()}, the best of {ROUNDS} rounds"
    tables = [each for path in paths for each in json.loads(Path(path).read_text())]
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": machine,
        "notes": [", ".join(versions), f"load average {psutil.getloadavg()[0]:.1f}", skew(pages)],
        "tables": tables,
    }


def _processor() -> str:
    text = Path("/proc/cpuinfo").read_text()
    names = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.machine()


if __name__ == "__main__":
    command, folder, *paths = sys.argv[1:]
    if command == "pages":
        write_pages(Path(folder), int(paths[0]))
    elif command == "join":
        json.dump(joined(paths, Path(folder)), sys.stdout)
    else:
        engine = {"duckdb": duckdb, "clickhouse": clickhouse, "spark": spark, "scale": scale}[command]
        json.dump(list(engine(Run(Path(folder)))), sys.stdout)
