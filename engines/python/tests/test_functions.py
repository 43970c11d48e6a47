"""The functions of the module: one URL, and a column."""

import hashlib
import pickle

import pyarrow as pa
import pytest

import urlsum
from urlsum import tables

URL = "HTTP://User@Example.COM:80/a/../b c?d=e#f"
FORM = "http://User@example.com/b%20c?d=e#f"
NO_SCHEME = "missing-scheme-non-relative-URL"


def test_canonicalize_gives_the_form_that_options_choose():
    assert urlsum.canonicalize(URL) == urlsum.canonicalize(URL.encode()) == FORM
    assert urlsum.canonicalize(URL, exclude_fragment=True, drop_params=["d"]) == "http://User@example.com/b%20c"


def test_hash_one_is_the_hash_of_the_form():
    digest = hashlib.sha256(FORM.encode()).digest()
    assert urlsum.hash_one(URL) == digest
    assert urlsum.hash_one(URL, width=8) == digest[:8]
    assert urlsum.hash_one(URL, output="u64") == int.from_bytes(digest[:8], "little")
    assert urlsum.hash_one(URL, exclude_fragment=True) == hashlib.sha256(FORM.removesuffix("#f").encode()).digest()


def test_hash_is_that_of_a_hasher_for_every_output():
    column = ["http://a.example/1?q", "no url", None, "http://1.2.3.4/"]
    for output in tables.OUTPUTS:
        hasher = urlsum.UrlHasher(16, output)
        assert urlsum.hash(column, width=16, output=output).equals(hasher.hash(column))
        for url in filter(None, column):
            assert urlsum.hash_one(url, width=16, output=output, errors="null") == hasher.hash_one(url, errors="null")


def hasher_of_one(url, *, errors="raise", **options):
    hasher = urlsum.UrlHasher(**options)
    return hasher.hash_one(url, errors=errors)


@pytest.mark.parametrize(("url", "reason"), [("no url", NO_SCHEME), ("http://a:99999/", "port-out-of-range")])
def test_a_wrong_url_is_an_error_with_its_reason_or_none(url, reason):
    for function in (urlsum.canonicalize, urlsum.hash_one, hasher_of_one):
        with pytest.raises(ValueError, match=f"^'{url}' is not a URL: {reason}$") as caught:
            function(url, exclude_fragment=True)
        assert isinstance(caught.value, urlsum.UrlError)
        again = pickle.loads(pickle.dumps(caught.value))
        assert (again.url, again.reason, again.row, str(again)) == (url, reason, None, str(caught.value))
        assert function(url, errors="null") is None


def test_a_url_without_an_answer_is_not_wrong():
    assert urlsum.hash_one("http://1.2.3.4/", output="site") is None
    assert urlsum.hash(["http://1.2.3.4/", None], output="site", errors="raise").to_pylist() == [None, None]
    assert urlsum.hash_one(URL, output="reason") is None


def test_none_is_null_where_errors_are():
    for function in (urlsum.canonicalize, urlsum.hash_one, hasher_of_one):
        assert function(None, errors="null") is None
        with pytest.raises(TypeError, match="url must be a text, not None; with errors='null' None stays None"):
            function(None)
        with pytest.raises(TypeError, match="url must be a text, not a list"):
            function([URL])
        with pytest.raises(ValueError, match="errors must be one of raise, null, not 'coerce'"):
            function(URL, errors="coerce")
        with pytest.raises(TypeError, match="there is no option 'width_of'"):
            function(URL, width_of=8)


def test_an_error_of_a_column_names_its_first_row():
    columns = [["http://a/", None, "no url", ""], pa.chunked_array([["http://a/", None], [], ["no url", ""]])]
    for column in [*columns, columns[1].dictionary_encode()]:
        with pytest.raises(urlsum.UrlError, match=f"^'no url' in row 2 is not a URL: {NO_SCHEME}$") as caught:
            urlsum.hash(column, errors="raise")
        assert caught.value.row == 2
        with pytest.raises(urlsum.UrlError, match=r"^'no url' in row 2 is not a URL"):
            urlsum.UrlHasher(8).hash(column, errors="raise")
        assert urlsum.hash(column[:2], errors="raise").null_count == 1


def test_a_long_url_is_cut_in_a_message():
    with pytest.raises(urlsum.UrlError) as caught:
        urlsum.hash_one("x" * 100_000)
    assert len(str(caught.value)) < 300
    assert len(caught.value.url) == 100_000


def test_columns_of_pandas_and_polars_get_a_key():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    urls, keys = ["https://example.com", "no url"], [15978973112404087055, None]
    frame = pandas.DataFrame({"url": urls}, index=["x", "y"])
    key = urlsum.hash(frame["url"], output="u64")
    frame["key"] = pandas.Series(key, frame.index, pandas.ArrowDtype(key.type))
    assert frame["key"]["x"] == keys[0]
    assert frame["key"].isna()["y"]
    assert frame["url"].map(lambda url: urlsum.hash_one(url, output="u64", errors="null")).isna().to_list() == [
        False,
        True,
    ]
    table = polars.DataFrame({"url": urls})
    assert table.with_columns(key=polars.from_arrow(urlsum.hash(table["url"], output="u64")))["key"].to_list() == keys
