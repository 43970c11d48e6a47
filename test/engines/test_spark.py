"""Spark with executors of their own."""

import hashlib
import os
import signal
from decimal import Decimal
from pathlib import Path

import cluster
import duckdb
import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark import TaskContext
from pyspark.sql import functions as spark_functions

import urlsum.spark


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


OPTIONED = "http://a.example/1?q#f"


def digest(text, width=32):
    return hashlib.sha256(text.encode()).digest()[:width]


@pytest.fixture
def three(spark):
    """A URL, what is not one, and null."""
    frame = spark.createDataFrame([(OPTIONED,), ("",), (None,)], "url string")
    frame.createOrReplaceTempView("three")
    return frame


def values(frame):
    """Return the last column."""
    return [row[-1] for row in frame.collect()]


@pytest.mark.parametrize(
    ("options", "kind", "expected"),
    [
        ({}, "binary", digest(OPTIONED)),
        ({"width": 16}, "binary", digest(OPTIONED, 16)),
        ({"width": 8, "exclude_fragment": True}, "binary", digest("http://a.example/1?q", 8)),
        ({"output": "u64"}, "decimal(20,0)", Decimal(int.from_bytes(digest(OPTIONED, 8), "little"))),
        ({"output": "i64"}, "bigint", int.from_bytes(digest(OPTIONED, 8), "little", signed=True)),
        ({"output": "canonical", "exclude_fragment": True}, "string", "http://a.example/1?q"),
        ({"output": "canonical", "drop_params": ["q"]}, "string", "http://a.example/1#f"),
        ({"output": "canonical", "site_rules": "a.example fold https"}, "string", "https://a.example/1?q#f"),
        ({"output": "canonical", "default_scheme": "https"}, "string", OPTIONED),
    ],
    ids=["hash", "hash 16", "hash 8", "u64", "i64", "canonical", "parameters", "rules", "scheme"],
)
def test_every_output_of_map_hash(three, options, kind, expected):
    mapped = three.mapInArrow(urlsum.spark.map_hash("url", "answer", **options), f"url string, answer {kind}")
    assert values(mapped) == [expected, None, None]


def test_a_u64_is_unsigned(spark):
    """Half of them have the highest bit."""
    urls = [f"http://a.example/{row}" for row in range(20)]
    frame = spark.createDataFrame([(url,) for url in urls], "url string")
    mapped = frame.mapInArrow(urlsum.spark.map_hash("url", output="u64"), "url string, url_hash decimal(20,0)")
    expected = [int.from_bytes(digest(url, 8), "little") for url in urls]
    assert values(mapped) == expected
    assert max(expected) >= 2**63


@pytest.mark.parametrize(
    ("function", "options", "expected"),
    [
        (urlsum.spark.url_hash, {"width": 16, "exclude_fragment": True}, digest("http://a.example/1?q", 16)),
        (urlsum.spark.url_canonical, {"exclude_fragment": True}, "http://a.example/1?q"),
        (urlsum.spark.url_canonical, {"drop_params": ["q"], "sort_params": True}, "http://a.example/1#f"),
        (urlsum.spark.url_canonical, {"keep_params": ["b"], "fold": ["https"]}, "https://a.example/1#f"),
    ],
    ids=["hash 16", "canonical", "parameters", "folds"],
)
def test_functions_of_columns_take_options(three, function, options, expected):
    assert values(three.select(function("url", **options))) == [expected, None, None]


def test_reasons(spark, three):
    no_scheme = "missing-scheme-non-relative-URL"
    assert values(three.select(urlsum.spark.url_reason("url"))) == [None, no_scheme, None]
    assert values(spark.sql("SELECT url_reason('http://a:b')")) == ["port-invalid"]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (urlsum.spark.url_host, "a.example"),
        (urlsum.spark.url_site, "a.example"),
        (urlsum.spark.url_surt, "example,a)/1?q"),
    ],
)
def test_places(three, function, expected):
    assert values(three.select(function("url", fold=["https"], exclude_fragment=True))) == [expected, None, None]


def test_functions_of_sql_take_options(spark, three):
    sql = "SELECT struct(url_hash(url), url_hash_i64(url), url_canonical(url)) FROM three"
    urlsum.spark.register(spark, width=8, exclude_fragment=True)
    try:
        answered = values(spark.sql(sql))
    finally:
        urlsum.spark.register(spark)
    page = digest("http://a.example/1?q", 8)
    word = int.from_bytes(page, "little", signed=True)
    assert [tuple(row) for row in answered] == [(page, word, "http://a.example/1?q"), *[(None,) * 3] * 2]
    assert values(spark.sql("SELECT url_hash(url) FROM three")) == [digest(OPTIONED), None, None]


COLUMN_FUNCTIONS = {name: getattr(urlsum.spark, name) for name in dir(urlsum.spark) if name.startswith("url_")}


def test_functions_of_columns_and_of_sql_have_the_options_of_the_registration(spark, three):
    registered = {row.name for row in spark.catalog.listFunctions() if row.name.startswith("url_")}
    assert registered - {"url_encode", "url_decode"} == set(COLUMN_FUNCTIONS)
    url = OPTIONED.replace("?", "?utm_id=1&")
    frame = spark.createDataFrame([(url,), ("no url",), (None,)], "url string")
    frame.createOrReplaceTempView("optioned")
    plain = values(frame.select(urlsum.spark.url_canonical("url")))
    urlsum.spark.register(spark, width=8, preset="page-2026", fold=["https"])
    try:
        for name, function in COLUMN_FUNCTIONS.items():
            assert values(frame.select(function("url"))) == values(spark.sql(f"SELECT {name}(url) FROM optioned")), name
        page = "https://a.example/1?q"
        assert values(frame.select(urlsum.spark.url_canonical("url"))) == [page, None, None]
        assert values(frame.select(urlsum.spark.url_hash("url"))) == [digest(page, 8), None, None]
        assert values(frame.select(urlsum.spark.url_hash("url", width=16))) == [digest(page, 16), None, None]
        own = urlsum.spark.url_hash("url", exclude_fragment=True)  # which alone counts
        assert values(frame.select(own)) == [digest(url.removesuffix("#f"), 8), None, None]
        profile = f"{urlsum.PROFILE};exclude-fragment=but-routes;drop-list=tracking-2026;fold=https;sort-params"
        assert values(frame.select(urlsum.spark.url_profile("url"))) == [profile, profile, None]
        assert values(frame.select(urlsum.spark.url_profile("url", unicode=17))) == ["url/1+unicode17"] * 2 + [None]
    finally:
        urlsum.spark.register(spark)
    assert values(frame.select(urlsum.spark.url_canonical("url"))) == plain


def test_wrong_options_are_refused_before_a_job_starts():
    with pytest.raises(ValueError, match="base and default_scheme cannot be combined"):
        urlsum.spark.map_hash("url", base="http://a/", default_scheme="https")
    with pytest.raises(ValueError, match=r"output must be one of .*, not 'words'"):
        urlsum.spark.map_hash("url", output="words")
    with pytest.raises(ValueError, match="width must be one of 8, 16, 32, not 64"):
        urlsum.spark.url_hash("url", width=64)


def test_another_reader_sees_the_same(hashed, rows):
    table = duckdb.sql(f"SELECT hash, canonical FROM '{hashed}/*.parquet' ORDER BY id").to_arrow_table()
    assert table["hash"].combine_chunks().cast(pa.binary(32)).equals(rows.hashes)
    assert table["canonical"].combine_chunks().equals(rows.canonical)


def hash_pages(spark, pages, folder, hashing):
    """Write ids and hashes."""
    answers = spark.read.parquet(str(pages)).mapInArrow(hashing, "id bigint, url string, hash binary")
    answers.select("id", "hash").write.parquet(str(folder))
    return read(folder)["hash"].chunk(0).cast(pa.binary(32))


def test_distinct_and_join_by_hash(spark, hashed, rows):
    pages = spark.read.parquet(str(hashed)).select("id", "hash").where("hash IS NOT NULL")
    first = pages.groupBy("hash").agg(spark_functions.min("id").alias("first"))
    assert first.count() == len(rows.hashes.unique().drop_null())
    joined = pages.join(first.hint("shuffle_hash"), "hash")
    assert joined.count() == len(rows.hashes) - rows.hashes.null_count
    shuffled = cluster.shuffled_bytes(spark)
    assert sorted(shuffled) == ["0", "1"]
    assert all(min(read_and_written) > 1_000_000 for read_and_written in shuffled.values()), shuffled


def test_both_executors_use_what_the_driver_shipped(spark, tmp_path):
    begun = tmp_path / "begun"
    begun.mkdir()

    def where(batches):
        import os
        import time

        from urlsum import hasher

        Path(begun, str(os.getppid())).touch()
        end = time.monotonic() + 60
        while len(list(begun.iterdir())) < 2 and time.monotonic() < end:
            time.sleep(0.05)  # until the other executor has taken a task
        for _ in batches:
            yield pa.RecordBatch.from_pydict({"daemon": [os.getppid()], "modules": [hasher.__file__]})

    tasks = spark.range(0, 6, 1, 6).mapInArrow(where, "daemon bigint, modules string").collect()
    assert len({task.daemon for task in tasks}) == 2
    assert all(urlsum.spark.MODULES in task.modules for task in tasks)


def test_a_job_that_loses_an_executor_is_exact(spark, pages, rows, tmp_path):
    """The last of this file: a new executor takes the place of the lost one a while later."""
    hashing = urlsum.spark.map_hash("url", "hash")
    killed = tmp_path / "killed"
    killed.mkdir()
    executor_class = "org.apache.spark.executor.CoarseGrainedExecutorBackend"

    def hash_and_kill(batches):
        task = TaskContext.get()
        for index, batch in enumerate(hashing(batches)):
            if (task.partitionId(), task.attemptNumber(), index) == (0, 0, 1):
                [executor] = [each for each in psutil.Process().parents() if executor_class in each.cmdline()]
                Path(killed, str(executor.pid)).touch()
                os.kill(executor.pid, signal.SIGKILL)
            yield batch

    assert hash_pages(spark, pages, tmp_path / "out", hash_and_kill).equals(rows.hashes)
    assert len(list(killed.iterdir())) == 1
