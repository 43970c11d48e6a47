"""DuckDB: all rows, nulls, Parquet in and out."""

import gc

import children
import duckdb
import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import urlsum.duckdb


@pytest.fixture
def connection():
    with duckdb.connect() as one:
        urlsum.duckdb.register(one)
        yield one


def test_every_row_of_parquet_in_and_out_is_what_the_command_says(connection, rows, pages, tmp_path):
    written = tmp_path / "hashes.parquet"
    connection.execute(f"""
        COPY (SELECT id, url_hash(url) AS hash, url_canonical(url) AS canonical FROM '{pages}/*.parquet' ORDER BY id)
        TO '{written}' (FORMAT parquet)
    """)
    table = pq.read_table(written).combine_chunks()
    assert table["id"].chunk(0).equals(pa.array(np.arange(len(rows.urls))))
    assert table["hash"].chunk(0).cast(rows.hashes.type).equals(rows.hashes)
    assert table["canonical"].chunk(0).equals(rows.canonical)


def test_words_are_the_first_eight_bytes(connection, rows, pages):
    table = connection.sql(f"""
        SELECT url_hash_u64(url) AS unsigned, url_hash_i64(url) AS signed FROM '{pages}/0.parquet' ORDER BY id
    """).to_arrow_table()
    words = rows.words.slice(0, len(table))
    assert table["unsigned"].combine_chunks().equals(words)
    assert table["signed"].combine_chunks().equals(words.view(pa.int64()))


def test_null_is_null(connection):
    assert connection.execute("SELECT url_hash(NULL), url_hash_u64('no url'), url_canonical('')").fetchall() == [
        (None, None, None)
    ]


def test_a_query_whose_children_are_killed_is_exact(connection, rows, pages):
    with children.Killer(children.at_work, 2) as killer:
        for _ in range(3):
            table = connection.sql(f"SELECT url_hash(url) AS hash FROM '{pages}/*.parquet' ORDER BY id")
            hashes = table.to_arrow_table()["hash"].combine_chunks()
            assert hashes.cast(rows.hashes.type).equals(rows.hashes)
    assert len(killer.killed) == 2


def test_distinct_and_join_by_hash(connection, rows, pages):
    [[distinct, joined]] = connection.execute(f"""
        WITH hashed AS (SELECT id, url_hash(url) AS hash FROM '{pages}/*.parquet'),
             first AS (SELECT hash, min(id) AS id FROM hashed WHERE hash IS NOT NULL GROUP BY hash)
        SELECT (SELECT count(*) FROM first), (SELECT count(*) FROM hashed JOIN first USING (hash))
    """).fetchall()
    assert distinct == len(rows.hashes.unique().drop_null())
    assert joined == len(rows.hashes) - rows.hashes.null_count


def test_there_are_no_more_processes_than_threads_and_none_after_the_connection(pages):
    me = psutil.Process()
    before = {child.pid for child in me.children()}
    connection = duckdb.connect(config={"threads": 3})
    urlsum.duckdb.register(connection)
    for _ in range(3):
        connection.execute(f"SELECT count(url_hash(url)) FROM '{pages}/*.parquet'").fetchall()
    started = [child for child in me.children() if child.pid not in before]
    assert 1 <= len(started) <= 3
    connection.close()
    del connection
    gc.collect()
    _, alive = psutil.wait_procs(started, timeout=10)
    assert alive == []
