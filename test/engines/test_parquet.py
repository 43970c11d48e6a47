"""What docs/tables.md does with Parquet, on many rows: keys, memory, lines that DuckDB cannot read."""

import json
import re
import subprocess
import sys
import time

import duckdb
import numpy as np
import polars
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from material import COMMAND, PROJECT

import urlsum.duckdb

BLOCK = re.compile(r"^```(?:python|sql)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PAGE_COUNT = 300_000
"""Nested records, as docs/tables.md has measured."""

ROWS_PER_GROUP = 50_000

PEAK = "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
"""In KiB, of this process alone: that of ``getrusage`` begins with its parent's."""


def block_of(pattern: str) -> str:
    """Return the block of docs/tables.md that has a pattern."""
    [block] = [text for text in BLOCK.findall((PROJECT / "docs/tables.md").read_text()) if re.search(pattern, text)]
    return block


@pytest.mark.parametrize(
    ("function", "column", "growth_mib"), [("add_hashes", "url_hash", 40), ("add_keys", "key", 150)]
)
def test_python_adds_keys_in_memory_that_does_not_grow(function, column, growth_mib, rows, tmp_path):
    functions = "import pyarrow as pa, urlsum\n" + block_of(f"def {function}").partition("pq.write_table")[0]

    def peak_mib(repeats: int) -> float:
        source, target = tmp_path / f"{repeats}.parquet", tmp_path / f"{repeats}-keyed.parquet"
        with pq.ParquetWriter(source, pa.schema({"url": pa.string()})) as writer:
            for _ in range(repeats):
                writer.write_table(pa.table({"url": rows.urls}), row_group_size=ROWS_PER_GROUP)
        script = f"{functions}\n{function}({str(source)!r}, {str(target)!r})\n{PEAK}"
        peak = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
        expected = rows.hashes.cast(pa.binary()) if column == "url_hash" else rows.words
        keys = pq.read_table(target)[column].cast(expected.type)
        assert keys.equals(pa.chunked_array([expected] * repeats))
        return int(peak) / 1024

    few, many = peak_mib(4), peak_mib(16)
    assert many < few + growth_mib, (few, many)


@pytest.fixture
def connection():
    with duckdb.connect() as one:
        urlsum.duckdb.register(one)
        yield one


def convert(connection) -> None:
    """Run the recipe of docs/tables.md on ``crawl.jsonl`` in this folder."""
    [recipe] = re.findall(r"^COPY \(\n.*?;$", block_of("read_json"), re.DOTALL | re.MULTILINE)
    connection.execute(recipe)


def write_pages(path, urls) -> None:
    """Write nested records of some 320 bytes."""
    with path.open("w") as lines:
        for row, url in enumerate(urls):
            headers = {"type": "text/html", "length": row * 7}
            page = {"url": url, "status": 404 if row % 25 == 0 else 200, "headers": headers}
            links = [f"https://a.example/{row}", "/b"]
            record = {"id": row, "fetched": "2026-01-02T03:04:05Z", "page": page, "links": links, "text": "x" * 60}
            lines.write(json.dumps(record, ensure_ascii=False) + "\n")


def test_duckdb_gives_nested_records_the_keys_of_the_command(connection, rows, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    usual = rows.urls.filter(pc.less(pc.binary_length(rows.urls), 10_000)).to_pylist()
    write_pages(tmp_path / "crawl.jsonl", (usual * -(-PAGE_COUNT // len(usual)))[:PAGE_COUNT])
    start = time.monotonic()
    convert(connection)
    converted = time.monotonic()
    keyed = command("--json", "page.url", "--quiet", "crawl.jsonl").decode().splitlines()
    ended = time.monotonic()
    with capsys.disabled():
        print(f"\n{PAGE_COUNT} nested records: DuckDB {converted - start:.1f} s, the command {ended - converted:.1f} s")
    table = pq.read_table("crawl.parquet")
    assert table["id"].equals(pa.chunked_array([np.arange(PAGE_COUNT)]))
    hashes = [hash and hash.hex() for hash in table["hash"].to_pylist()]
    assert hashes == [json.loads(line)["urlsum"] for line in keyed]
    assert 0 < table["hash"].null_count < PAGE_COUNT / 2
    assert table.schema.field("page").type.field("headers").type.field("length").type == pa.int64()


def test_what_duckdb_reads_otherwise_is_what_tables_md_says(connection, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = '{"page":{"url":"https://a.example/"}'
    unread = ["no record", page, '{"page":{"url":"https://a.example/\\ud800"}}']
    values = page + ',"time":"2026-01-02T03:04:05Z","number":9223372036854775809}'
    (tmp_path / "crawl.jsonl").write_text("\n".join([values, *unread]) + "\n")
    convert(connection)
    table = pq.read_table("crawl.parquet")
    assert [row is None for row in table["hash"].to_pylist()] == [False, True, True, True]
    assert {value for row in table.slice(1).to_pylist() for value in row.values()} == {None}
    assert table["number"].to_pylist()[0] == 9223372036854775808.0
    assert pa.types.is_timestamp(table["time"].type)
    (tmp_path / "crawl.jsonl").write_text(f"{values}\n[]\n")
    with pytest.raises(duckdb.BinderException, match='"page" not found'):
        convert(connection)


def command(*arguments: str, lines: bytes | None = None) -> bytes:
    """Return what the command prints; some of the rows are bad."""
    ended = subprocess.run([*COMMAND, *arguments], input=lines, capture_output=True, check=False)
    assert ended.returncode == 1, ended.stderr.decode()
    return ended.stdout


def written_by_pyarrow(source, target, _):
    pq.write_table(pq.read_table(source), target, compression="zstd", data_page_version="2.0", write_page_index=True)


def written_by_duckdb(source, target, _):
    duckdb.sql(f"COPY (FROM '{source}') TO '{target}' (PARQUET_VERSION v2)")


def written_by_polars(source, target, _):
    polars.scan_parquet(source).sink_parquet(target)


def written_by_spark(source, target, spark):
    spark.read.parquet(str(source)).coalesce(1).write.parquet(f"{target}-folder")
    [part] = target.parent.glob(f"{target.name}-folder/*.parquet")
    part.rename(target)


@pytest.fixture(scope="module")
def nested(rows, tmp_path_factory):
    """The rows, a null after each hundredth, as a column and in a struct."""
    urls = pa.array([None if row % 100 == 99 else url for row, url in enumerate(rows.urls.to_pylist())])
    page = pa.StructArray.from_arrays([urls, pa.array(np.arange(len(urls)))], ["url", "status"])
    path = tmp_path_factory.mktemp("nested") / "rows.parquet"
    pq.write_table(pa.table({"url": urls, "page": page}), path, row_group_size=ROWS_PER_GROUP)
    return path


WRITERS = [written_by_pyarrow, written_by_duckdb, written_by_polars, written_by_spark]


@pytest.mark.parametrize("write", WRITERS)
def test_the_command_reads_what_four_writers_write(write, nested, rows, spark, tmp_path):
    target = tmp_path / "written.parquet"
    write(nested, target, spark)
    is_null = np.arange(len(rows.urls)) % 100 == 99
    expected = np.where(is_null, 0, rows.words.fill_null(0).to_numpy())
    for column in ["url", "page.url"]:
        packed = command("--column", column, "--width", "8", "--format", "bin", str(target))
        assert np.array_equal(np.frombuffer(packed, "<u8"), expected), column
