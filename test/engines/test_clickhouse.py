"""The functions of engines/clickhouse as shipped, on the 26.9 engine: its chdb takes the folder as it lies."""

import hashlib
import json
import os
import signal
import threading
import time
from pathlib import Path

import chdb
import children
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from material import PROJECT

FUNCTIONS = PROJECT / "engines/clickhouse"


def query(sql: str, output_format: str = "JSONCompactEachRow") -> str:
    return str(chdb.query(sql, output_format, udf_path=str(FUNCTIONS)))


def column(sql: str, folder: Path) -> pa.ChunkedArray:
    """Return the only column of a query, which the engine writes as Parquet and pyarrow reads."""
    path = folder / "answer.parquet"
    query(f"INSERT INTO FUNCTION file('{path}', Parquet) {sql} SETTINGS engine_file_truncate_on_insert = 1")
    return pq.read_table(path).combine_chunks().column(0).chunk(0)


@pytest.fixture(scope="module")
def source(pages) -> str:
    return f"file('{pages}/*.parquet', Parquet, 'id Int64, url String')"


def test_hashes_are_what_the_command_says(source, rows, tmp_path):
    hashes = column(f"SELECT urlHashOrNull(url) FROM {source} ORDER BY id", tmp_path)
    assert hashes.cast(rows.hashes.type).equals(rows.hashes)


def test_where_there_is_no_null_an_invalid_row_is_zero(source, rows, tmp_path):
    hashes = column(f"SELECT urlHash(url) FROM {source} ORDER BY id", tmp_path)
    zero = pa.scalar(bytes(32), rows.hashes.type)
    assert hashes.cast(rows.hashes.type).equals(rows.hashes.fill_null(zero))
    words = column(f"SELECT urlHash64(url) FROM {source} ORDER BY id", tmp_path)
    assert words.equals(rows.words.fill_null(0))


def test_canonical_forms_are_what_the_command_says(source, rows, tmp_path):
    forms = column(f"SELECT urlCanonical(url) FROM {source} ORDER BY id", tmp_path)
    assert forms.cast(pa.string()).equals(rows.canonical)


def test_expressions_are_what_the_command_says(source, rows, tmp_path):
    """The odd rows, which lines cannot hold, are left out."""
    lists = column(
        f"SELECT arrayMap(hash -> lower(hex(hash)), urlExpressions(url)) FROM {source} WHERE id >= 20 ORDER BY id "
        "LIMIT 50000",
        tmp_path,
    )
    assert lists.to_pylist() == rows.expression_hashes(20, 50_000)


URL = "http://a.example/1?q#f"
PAGE = "http://a.example/1?q"


def digest(text: str, byte_length: int) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[: 2 * byte_length]


def test_texts_have_a_function_each():
    texts = "urlReason(url), urlHost(url), urlSite(url), urlSurt(url)"
    rows = query(f"SELECT {texts} FROM values('url Nullable(String)', 'http://b.a.co.uk/?a', 'http://a:b', NULL)")
    assert [json.loads(row) for row in rows.splitlines()] == [
        [None, "b.a.co.uk", "a.co.uk", "uk,co,a,b)/?a"],
        ["port-invalid", None, None, None],
        [None, None, None, None],
    ]


@pytest.mark.parametrize("or_null", ["", "OrNull"])
@pytest.mark.parametrize(("suffix", "form"), [("", URL), ("WithoutFragment", PAGE)])
def test_widths_and_fragments(or_null, suffix, form):
    hashes = f"""
        lower(hex(urlHash{or_null}{suffix}(url))), lower(hex(urlHash128{or_null}{suffix}(url))),
        toString(urlHash64{or_null}{suffix}(url))
    """
    rows = query(f"""
        SELECT {hashes}, urlCanonical{suffix}(url), urlProfile{suffix}('')
        FROM (SELECT arrayJoin(['{URL}', 'no url']) AS url)
    """)
    word = int.from_bytes(bytes.fromhex(digest(form, 8)), "little")
    profile = "url/1+unicode18;exclude-fragment" if suffix else "url/1+unicode18"
    no_hash = [None, None, None] if or_null else ["0" * 64, "0" * 32, "0"]
    assert [json.loads(row) for row in rows.splitlines()] == [
        [digest(form, 32), digest(form, 16), str(word), form, profile],
        [*no_hash, None, profile],
    ]


@pytest.mark.parametrize(("bits", "byte_length"), [("", 32), ("128", 16), ("64", 8)])
def test_widths_of_expressions(bits, byte_length):
    function = f"urlExpressions{bits}"
    answer = query(f"SELECT arrayMap(hash -> lower(hex(hash)), {function}('{URL}')), toTypeName({function}(''))")
    hashes = [digest(text, byte_length) for text in ("a.example/1?q", "a.example/1", "a.example/")]
    assert json.loads(answer) == [hashes, f"Array(FixedString({byte_length}))"]


def test_null_the_profile_and_rows_that_break_lines():
    answers = query("SELECT urlHashOrNull(NULL) IS NULL, urlCanonical(NULL) IS NULL, urlProfile(''), urlProfile('x')")
    assert answers.strip() == '[1, 1, "url\\/1+unicode18", "url\\/1+unicode18"]'
    odd = query(
        "SELECT urlCanonical(url) FROM (SELECT arrayJoin(['http://a/s?\\\\', 'http://a/\\nb', 'http://a/\\0']) AS url)"
    )
    assert odd.split() == ['["http:\\/\\/a\\/s?\\\\"]', '["http:\\/\\/a\\/b"]', '["http:\\/\\/a\\/"]']


def test_null_for_a_function_that_takes_none_is_an_error():
    with pytest.raises(RuntimeError, match=r"Code: \d+"):
        query("SELECT urlHash(NULL)")


def test_a_server_without_node_says_so(monkeypatch):
    monkeypatch.setenv("URLSUM_NODE", "/nonexistent/node")
    with pytest.raises(RuntimeError, match=r"Code: \d+"):
        query("SELECT urlHash('http://a/')")


def test_distinct_by_hash(source, rows):
    [count] = query(f"SELECT uniqExact(urlHashOrNull(url)) FROM {source}").strip("[]\n").split(",")
    assert int(count) == len(rows.hashes.unique().drop_null())


def test_a_killed_child_fails_its_query_and_the_next_one_works(source, rows):
    def kill() -> None:
        end = time.monotonic() + 120
        while time.monotonic() < end:
            for child in children.serving(psutil.Process()):
                arguments = child.cmdline()
                if "hash" in arguments and "--nullable" not in arguments:
                    os.kill(child.pid, signal.SIGKILL)
                    return
            time.sleep(0.01)

    query("SELECT hex(urlHash('http://a/'))")
    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(RuntimeError, match=r"Code: \d+"):
        query(
            f"SELECT hex(max(urlHash(url))) FROM (SELECT url FROM {source} LIMIT 100000) "
            "WHERE sleepEachRow(0.00004) = 0 SETTINGS max_threads = 1"
        )
    killer.join()
    [count] = query(f"SELECT uniqExact(urlHash(url)) FROM {source}").strip("[]\n").split(",")
    assert int(count) == len(rows.hashes.unique().drop_null()) + 1
