"""Figures that docs/scale.md computes with: one executor beside two, distinct counts by hash and by string, skew."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from measure import Run
from pyspark.sql import DataFrame, SparkSession

import urlsum.spark

sys.path.append(str(Path(__file__).parents[2] / "test/engines"))

import cluster

PARTITIONS = 200
"""Spark's default for a shuffle."""

HOST = r"^[A-Za-z]+://(?:[^/?#@]*@)?(?P<host>[^/?#:]*)"


def keys(pages: DataFrame) -> dict[str, DataFrame]:
    """Return frames of one column, which urls are counted by."""

    def key(schema: str, **options: object) -> DataFrame:
        hashed = pages.mapInArrow(urlsum.spark.map_hash("url", "key", **options), f"id bigint, url string, {schema}")
        return hashed.select("key")

    return {
        "URL as given": pages.select("url"),
        "canonical form": key("key string", output="canonical"),
        "hash, 32 bytes": key("key binary"),
        "hash, 16 bytes": key("key binary", width=16),
        "hash, 8 bytes (`i64`)": key("key bigint", output="i64"),
    }


def measure(executor_count: int, pages: Path) -> list[dict]:
    """Measure a cluster of so many executors of one core each: of one alone, only the hashing."""
    name = f"Spark, executors of one core: {executor_count}"
    run = Run(name, pages)
    with cluster.session(f"local-cluster[{executor_count},1,1024]") as spark:
        urlsum.spark.ship(spark)
        frames = keys(spark.read.parquet(str(pages)))
        jobs = {f"distinct by {key}": _count_of(frame) for key, frame in frames.items()}
        run.add("hash alone", _sink(frames["hash, 32 bytes"]))
        for way, job in jobs.items() if executor_count > 1 else ():
            run.add(way, job)
        lines = run.measure()
        for line in lines[1:]:
            line["shuffled"] = _shuffled_bytes(spark, jobs[line["way"]]) / line["rows"]
    return lines


def _sink(frame: DataFrame) -> Callable[[], None]:
    return lambda: frame.write.format("noop").mode("overwrite").save()


def _count_of(frame: DataFrame) -> Callable[[], int]:
    return lambda: frame.distinct().count()


def _shuffled_bytes(spark: SparkSession, job: Callable[[], object]) -> int:
    """Return how many bytes a job writes for its shuffles, compressed."""

    def written() -> int:
        return sum(write for _, write in cluster.shuffled_bytes(spark).values())

    before = written()
    job()
    return written() - before


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
    with urlsum.UrlHasher(output="u64") as hasher:
        partitions = hasher.hash(urls).drop_null().to_numpy() % PARTITIONS
    return np.bincount(partitions.astype(np.int64), minlength=PARTITIONS).max() / (len(partitions) / PARTITIONS)


if __name__ == "__main__":
    pages = Path(sys.argv[1])
    [*lines, last] = [*measure(1, pages), *measure(2, pages)]
    json.dump([*lines, last | {"note": skew(pages)}], sys.stdout)
