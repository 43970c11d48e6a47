"""DuckDB: all rows, nulls, Parquet in and out."""

import hashlib

import duckdb
import numpy as np
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


def functions_of(connection):
    names = "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_name LIKE 'url@_%' ESCAPE '@'"
    return sorted({name for (name,) in connection.execute(names).fetchall()} - {"url_encode", "url_decode"})


def test_null_is_null_in_every_function(connection):
    assert connection.execute("SELECT url_hash_u64('no url'), url_canonical('')").fetchall() == [(None, None)]
    names = functions_of(connection)
    assert len(names) == 9
    for argument in ("NULL", "NULL::VARCHAR", "NULL::BLOB", "url", "encode(url)"):
        calls = ", ".join(f"{name}({argument})" for name in names)
        rows = connection.execute(f"SELECT {calls} FROM (VALUES ('no url'), (NULL)) AS t(url) WHERE url IS NULL")
        assert rows.fetchall() == [(None,) * len(names)], argument


def test_a_blob_is_taken_as_a_text_is(connection):
    for name in functions_of(connection):
        query = f"SELECT {name}(url), {name}(encode(url)) FROM (VALUES ('http://a.b.example/?c'), ('no url')) AS t(url)"
        for text, blob in connection.execute(query).fetchall():
            assert text == blob, name
    assert connection.execute("SELECT url_canonical('http://a/\\xFF'::BLOB)").fetchall() == [("http://a/%EF%BF%BD",)]
    with pytest.raises(duckdb.BinderException):
        connection.execute("SELECT url_hash(1)")


def test_a_macro_that_has_the_name_of_a_function_is_refused(connection):
    urlsum.duckdb.register(connection)
    connection.execute("ATTACH ':memory:' AS other; CREATE MACRO other.URL_Host(url) AS 'a macro'")
    with pytest.raises(urlsum.UrlsumError, match=r"^the macro other\.main\.URL_Host has the name of a function"):
        urlsum.duckdb.register(connection)
    connection.execute("USE other")
    query = "SELECT url_host('http://a/'), system.main.url_host('http://a/')"
    assert connection.execute(query).fetchall() == [("a macro", "a")]
    connection.execute("DROP MACRO other.url_host")
    urlsum.duckdb.register(connection)
    assert connection.execute(query).fetchall() == [("a", "a")]


def hashes_of(connection, pages):
    table = connection.sql(f"SELECT url_hash(url) AS hash FROM '{pages}/*.parquet' ORDER BY id").to_arrow_table()
    return table["hash"].combine_chunks()


SQL = "SELECT url_hash(url), url_hash_u64(url), url_canonical(url) FROM (SELECT ? AS url)"
URL = "http://a.example/1?q#f"


def digest(text, width):
    return hashlib.sha256(text.encode()).digest()[:width]


@pytest.mark.parametrize("width", [8, 16, 32])
@pytest.mark.parametrize(("exclude_fragment", "form"), [(False, URL), (True, "http://a.example/1?q")])
def test_options(width, exclude_fragment, form):
    word = int.from_bytes(digest(form, 8), "little")
    with duckdb.connect() as connection:
        urlsum.duckdb.register(connection, width=width, exclude_fragment=exclude_fragment)
        assert connection.execute(SQL, [URL]).fetchall() == [(digest(form, width), word, form)]
        assert connection.execute(SQL, [None]).fetchall() == [(None,) * 3]


def test_parameters_are_dropped_and_sorted_and_url_profile_says_so():
    with duckdb.connect() as connection:
        urlsum.duckdb.register(connection, drop_params=["q"], drop_list="tracking-2026", sort_params=True)
        [row] = connection.execute(
            "SELECT url_canonical(?), url_profile('')", ["http://a/?z&q=1&utm_id=2&b"]
        ).fetchall()
        assert row == ("http://a/?b&z", f"{urlsum.PROFILE};drop-list=tracking-2026;drop-params=q;sort-params")
        with (
            connection.cursor() as cursor,
            pytest.raises(urlsum.UrlsumError, match="registered url_profile with other"),
        ):
            urlsum.duckdb.register(cursor, drop_params=["other"])


def test_every_option_and_every_output_has_a_function():
    url = "http://www.a.example/?b&q=1&a"
    with duckdb.connect() as connection:
        urlsum.duckdb.register(connection, fold=["www", "https"], keep_params=["a", "b"], site_rules="a.example sort")
        [row] = connection.execute("SELECT url_canonical(?), url_reason(?)", [url, url]).fetchall()
        assert row == ("https://a.example/?a&b", None)
        [[profile]] = connection.execute("SELECT url_profile('')").fetchall()
        rules = hashlib.sha256(b"a.example sort\n").hexdigest()[:32]
        assert profile == f"{urlsum.PROFILE};keep-params=a,b;fold=https,www;site-rules={rules}"
        [places] = connection.execute(
            "SELECT url_host(?), url_site(?), url_surt(?)", ["http://b.a.co.uk/?a"] * 3
        ).fetchall()
        assert places == ("b.a.co.uk", "a.co.uk", "uk,co,a,b)/?a")
        reasons = connection.execute("SELECT url_reason(url) FROM unnest(['http://a:b', 'no url', NULL]) AS t(url)")
        no_scheme = "missing-scheme-non-relative-URL"
        assert reasons.fetchall() == [("port-invalid",), (no_scheme,), (None,)]
        with pytest.raises(ValueError, match="line 1 of the site rules"):
            urlsum.duckdb.register(connection, site_rules="a.example jump")
        with pytest.raises(TypeError, match="there is no option 'widht'"):
            urlsum.duckdb.register(connection, widht=8)


def test_registering_again_replaces_the_functions(connection):
    urlsum.duckdb.register(connection)
    urlsum.duckdb.register(connection, width=8, exclude_fragment=True)
    assert connection.execute("SELECT url_hash(?)", [URL]).fetchall() == [(digest("http://a.example/1?q", 8),)]


def test_registering_through_a_cursor_changes_nothing_or_says_why(connection):
    with connection.cursor() as cursor:
        urlsum.duckdb.register(cursor)
        assert cursor.execute("SELECT url_hash(?)", [URL]).fetchall() == [(digest(URL, 32),)]
        with pytest.raises(urlsum.UrlsumError, match="another connection to this database has registered url_hash "):
            urlsum.duckdb.register(cursor, width=8)
        assert cursor.execute("SELECT url_hash(?)", [URL]).fetchall() == [(digest(URL, 32),)]


def test_functions_of_two_forms_are_beside_each_other_by_their_prefix(connection):
    urlsum.duckdb.register(connection, prefix="page_", preset="page-2026", width=16)
    for _ in range(2):
        forms = connection.execute(
            "SELECT url_canonical(u), page_canonical(u), page_hash(u) FROM (SELECT ? AS u)", [URL]
        )
        page = "http://a.example/1?q"
        assert forms.fetchall() == [(URL, page, digest(page, 16))]
        urlsum.duckdb.register(connection)  # which replaces the others, and not those of the page
    [[profile]] = connection.execute("SELECT page_profile('')").fetchall()
    assert profile == f"{urlsum.PROFILE};exclude-fragment=but-routes;drop-list=tracking-2026;sort-params"
    for prefix in ("", "Page_", "1", "p;"):
        with pytest.raises(ValueError, match=r"^prefix must be of a-z, 0-9 and '_', without a digit first"):
            urlsum.duckdb.register(connection, prefix=prefix)


def test_distinct_and_join_by_hash(connection, rows, pages):
    [[distinct, joined]] = connection.execute(f"""
        WITH hashed AS (SELECT id, url_hash(url) AS hash FROM '{pages}/*.parquet'),
             first AS (SELECT hash, min(id) AS id FROM hashed WHERE hash IS NOT NULL GROUP BY hash)
        SELECT (SELECT count(*) FROM first), (SELECT count(*) FROM hashed JOIN first USING (hash))
    """).fetchall()
    assert distinct == len(rows.hashes.unique().drop_null())
    assert joined == len(rows.hashes) - rows.hashes.null_count


def test_threads_share_functions(rows, pages):
    with duckdb.connect(config={"threads": 3}) as connection:
        urlsum.duckdb.register(connection, default_scheme="https")
        for _ in range(3):
            functions = "count(url_hash(url)), count(url_canonical(url)), count(url_reason(url))"
            [counts] = connection.execute(f"SELECT {functions} FROM '{pages}/*.parquet'").fetchall()
            assert counts[0] == counts[1] == len(rows.urls) - counts[2]
        with connection.cursor() as cursor, pytest.raises(urlsum.UrlsumError, match="with other options"):
            urlsum.duckdb.register(cursor, default_scheme="http")
