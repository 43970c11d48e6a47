"""Spark with executors of their own, in a local cluster and under a standalone master with two workers."""

import children
import cluster
import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import functions as spark_functions

import urlsum.spark


@pytest.fixture(scope="module", params=["local-cluster", "standalone"])
def spark(request, tmp_path_factory):
    if request.param == "local-cluster":
        with cluster.session(cluster.LOCAL_CLUSTER) as session:
            urlsum.spark.register(session)
            yield session
    else:
        with cluster.standalone(tmp_path_factory.mktemp("spark")) as master, cluster.session(master) as session:
            urlsum.spark.register(session)
            yield session


@pytest.fixture(scope="module")
def hashed(spark, pages, tmp_path_factory):
    """What Spark makes of the pages, as Parquet: by functions of DataFrames and of SQL."""
    folder = tmp_path_factory.mktemp("hashed") / "parquet"
    spark.read.parquet(str(pages)).createOrReplaceTempView("pages")
    by_sql = spark.sql("SELECT id, url, url_hash(url) AS hash, url_canonical(url) AS canonical FROM pages")
    by_sql.select("id", "hash", "canonical", urlsum.spark.url_hash_i64("url").alias("i64")).write.parquet(str(folder))
    return folder


def read(folder):
    """Read what Spark wrote, by pyarrow, in the order of the rows."""
    return pq.read_table(folder).sort_by("id").combine_chunks()


def test_every_row_is_what_the_command_says(hashed, rows):
    written = read(hashed)
    assert written["id"].chunk(0).equals(pa.array(np.arange(len(rows.urls))))
    assert written["hash"].chunk(0).cast(pa.binary(32)).equals(rows.hashes)
    assert written["canonical"].chunk(0).equals(rows.canonical)
    assert written["i64"].chunk(0).equals(rows.words.view(pa.int64()))


def test_types_and_nulls(spark):
    answers = spark.sql("SELECT url_hash(NULL), url_hash_i64('no url'), url_canonical('HTTP://A')")
    assert [field.dataType.simpleString() for field in answers.schema] == ["binary", "bigint", "string"]
    assert tuple(answers.collect()[0]) == (None, None, "http://a/")


def test_another_reader_sees_the_same(hashed, rows):
    table = duckdb.sql(f"SELECT hash, canonical FROM '{hashed}/*.parquet' ORDER BY id").to_arrow_table()
    assert table["hash"].combine_chunks().cast(pa.binary(32)).equals(rows.hashes)
    assert table["canonical"].combine_chunks().equals(rows.canonical)


def hash_pages(spark, pages, folder):
    """Write ids and hashes."""
    hashing = urlsum.spark.map_hash("url", "hash")
    answers = spark.read.parquet(str(pages)).mapInArrow(hashing, "id bigint, url string, hash binary")
    answers.select("id", "hash").write.parquet(str(folder))


def test_a_job_whose_children_are_killed_twice_is_exact(spark, pages, rows, tmp_path):
    with children.Killer(children.at_work, 2) as killer:
        hash_pages(spark, pages, tmp_path / "out")
    assert len(killer.killed) == 2
    assert read(tmp_path / "out")["hash"].chunk(0).cast(pa.binary(32)).equals(rows.hashes)


def test_distinct_and_join_by_hash(spark, hashed, rows):
    pages = spark.read.parquet(str(hashed)).select("id", "hash").where("hash IS NOT NULL")
    first = pages.groupBy("hash").agg(spark_functions.min("id").alias("first"))
    assert first.count() == len(rows.hashes.unique().drop_null())
    joined = pages.join(first.hint("shuffle_hash"), "hash")
    assert joined.count() == len(rows.hashes) - rows.hashes.null_count
    shuffled = cluster.shuffled_bytes(spark)
    assert sorted(shuffled) == ["0", "1"]
    assert all(min(read_and_written) > 1_000_000 for read_and_written in shuffled.values()), shuffled


def test_both_executors_use_what_the_driver_shipped(spark):
    bundle = children.BUNDLE

    def where(batches):
        import os
        import time

        from pyspark import SparkFiles

        from urlsum import hasher

        for _ in batches:
            time.sleep(1)  # long enough for the other executor to take a task
            answer = {
                "daemon": [os.getppid()],
                "modules": [hasher.__file__],
                "bundle": [SparkFiles.get(bundle)],
            }
            yield pa.RecordBatch.from_pydict(answer)

    tasks = spark.range(0, 6, 1, 6).mapInArrow(where, "daemon bigint, modules string, bundle string").collect()
    assert len({task.daemon for task in tasks}) == 2
    assert all(urlsum.spark.MODULES in task.modules for task in tasks)
    assert all(task.bundle.endswith(f"/{bundle}") for task in tasks)


def test_a_job_that_loses_an_executor_is_exact(spark, pages, rows, tmp_path):
    """The last of this file: a new executor takes the place of the lost one a while later."""
    with children.Killer(children.executors_at_work, 1) as killer:
        hash_pages(spark, pages, tmp_path / "out")
    assert len(killer.killed) == 1
    assert read(tmp_path / "out")["hash"].chunk(0).cast(pa.binary(32)).equals(rows.hashes)
