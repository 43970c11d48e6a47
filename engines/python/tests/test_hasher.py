"""UrlHasher: exact on every kind of array, null where a row is invalid."""

import hashlib
import os
import pickle
import random
import threading

import pyarrow as pa
import pytest

import urlsum
from urlsum import columns, tables

# What they become is known from the specification: the canonical form is written beside the URL.
CANONICAL = {
    "https://example.com": "https://example.com/",
    "HTTP://User@Example.COM:80/a/../b c?d=e": "http://User@example.com/b%20c?d=e",
    "http://0x7f.1/": "http://127.0.0.1/",
    "http://[2001:DB8::1]/#x": "http://[2001:db8::1]/#x",
    "https://bu\u0308cher.example/": "https://xn--bcher-kva.example/",
    "http://a.example/\nb": "http://a.example/b",
    "http://a.example/\r\n": "http://a.example/",
    "http://a.example/\0": "http://a.example/",
    "http://a.example/\ufeff": "http://a.example/%EF%BB%BF",
    "no url": None,
    "": None,
    "\ufeffhttp://a.example/": None,
    None: None,
}
URLS = list(CANONICAL)


def digests(width: int) -> list[bytes | None]:
    return [form and hashlib.sha256(form.encode()).digest()[:width] for form in CANONICAL.values()]


@pytest.fixture(scope="module")
def hasher():
    return urlsum.UrlHasher()


@pytest.mark.parametrize("width", [8, 16, 32])
def test_hash_is_the_sha256_of_the_canonical_form(width):
    narrow = urlsum.UrlHasher(width)
    hashes = narrow.hash(URLS)
    assert isinstance(hashes, pa.FixedSizeBinaryArray)
    assert hashes.type == pa.binary(width)
    assert hashes.to_pylist() == digests(width)
    hashes.validate(full=True)


def test_other_outputs():
    words = [digest and int.from_bytes(digest, "little") for digest in digests(8)]
    outputs = {
        "u64": (pa.uint64(), words),
        "i64": (pa.int64(), [word and (word if word < 2**63 else word - 2**64) for word in words]),
        "canonical": (pa.string(), list(CANONICAL.values())),
    }
    for output, (kind, expected) in outputs.items():
        one = urlsum.UrlHasher(output=output)
        answered = one.hash(URLS)
        answered.validate(full=True)
        assert answered.type == kind
        assert answered.to_pylist() == expected


def test_exclude_fragment():
    one = urlsum.UrlHasher(output="canonical", exclude_fragment=True)
    assert one.hash(["http://a/#b"]).to_pylist() == ["http://a/"]
    assert one.profile == f"{urlsum.PROFILE};exclude-fragment"


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
def test_every_kind_of_text_sliced_anywhere(hasher, kind):
    array = pa.array(URLS, kind)
    expected = digests(32)
    for start in range(len(URLS) + 1):
        for length in (0, 1, 3, len(URLS)):
            assert hasher.hash(array.slice(start, length)).to_pylist() == expected[start : start + length]


def test_binary_counts_as_utf8(hasher):
    rows = [None if url is None else url.encode() for url in URLS]
    for kind in (pa.binary(), pa.large_binary(), pa.binary_view()):
        assert hasher.hash(pa.array(rows, kind)).to_pylist() == digests(32)
    [not_utf8] = hasher.hash(pa.array([b"http://a/\xff"], pa.binary())).to_pylist()
    assert not_utf8 == hashlib.sha256(b"http://a/%EF%BF%BD").digest()


def test_dictionaries_nulls_chunks_and_nothing(hasher):
    twice = pa.array(URLS + URLS)
    assert hasher.hash(twice.dictionary_encode()).to_pylist() == digests(32) * 2
    assert hasher.hash(pa.nulls(3)).to_pylist() == [None] * 3
    chunks = pa.chunked_array([URLS[:2], [], URLS[2:]], pa.string())
    assert hasher.hash(chunks).to_pylist() == digests(32)
    for nothing in ([], pa.array([], pa.string()), pa.chunked_array([], pa.string())):
        assert len(hasher.hash(nothing)) == 0
        assert hasher.hash(nothing).type == pa.binary(32)


def test_strings_of_any_iterable(hasher):
    assert hasher.hash(iter(URLS)).to_pylist() == digests(32)
    [lone] = hasher.hash(["http://a/\ud800"]).to_pylist()
    assert lone == hashlib.sha256(b"http://a/%EF%BF%BD").digest()


@pytest.mark.parametrize(
    "column",
    [
        lambda pandas: ["http://a/", None, float("nan"), pandas.NA],
        lambda pandas: pandas.Series(["http://a/", None, float("nan"), pandas.NA]),
        lambda pandas: pandas.Series(["http://a/", None, None, None], dtype="string"),
        lambda pandas: pandas.Series(["http://a/", None, None, None], dtype="string[pyarrow]"),
        lambda pandas: pandas.Series(["http://a/", None, None, None], dtype="category"),
        lambda pandas: pandas.array(["http://a/", None, None, None], dtype="string[pyarrow]"),
        lambda pandas: pandas.Series(["http://a/", None, None, None]).to_numpy(),
        lambda pandas: pandas.Series(["http://a/\ud800", None, pandas.NA, float("nan")], dtype=object),
    ],
)
def test_missing_values_of_pandas_are_nulls(hasher, column):
    first, *others = hasher.hash(column(pytest.importorskip("pandas"))).to_pylist()
    assert first in [hashlib.sha256(form).digest() for form in (b"http://a/", b"http://a/%EF%BF%BD")]
    assert others == [None] * 3


def test_a_column_without_any_value_is_null_whatever_its_type(hasher):
    pandas = pytest.importorskip("pandas")
    for column in (pandas.Series([float("nan")] * 2), pandas.Series([pandas.NA] * 2), pa.nulls(2, pa.int64())):
        assert hasher.hash(column).to_pylist() == [None, None]


class HandsOver:
    """An object with Arrow's interface that is not a Python sequence."""

    def __init__(self, column, method):
        setattr(type(self), method, lambda _, requested_schema=None: getattr(column, method)(requested_schema))


def test_what_speaks_arrows_interface_is_taken_without_a_list(hasher):
    class Whole(HandsOver):
        pass

    class Chunked(HandsOver):
        pass

    assert hasher.hash(Whole(pa.array(URLS), "__arrow_c_array__")).to_pylist() == digests(32)
    chunks = pa.chunked_array([URLS[:3], URLS[3:]], pa.string())
    assert hasher.hash(Chunked(chunks, "__arrow_c_stream__")).to_pylist() == digests(32)


def test_a_series_of_polars(hasher, monkeypatch):
    polars = pytest.importorskip("polars")
    series = polars.Series(URLS)
    monkeypatch.setattr(polars.Series, "__iter__", None)
    assert hasher.hash(series).to_pylist() == digests(32)
    assert hasher.hash(polars.concat([series, series[:3]], rechunk=False)[2:]).to_pylist() == (digests(32) * 2)[2:-10]
    assert hasher.hash(series.cast(polars.Categorical)).to_pylist() == digests(32)
    with pytest.raises(TypeError, match="urls must be text, not Arrow's int64"):
        hasher.hash(polars.Series([1]))


def test_what_is_not_text_is_a_type_error(hasher):
    for wrong in ("http://a/", b"http://a/"):
        with pytest.raises(TypeError, match=r"not one (str|bytes): hash_one takes one URL$"):
            hasher.hash(wrong)
    for wrong in (1, None, [1], pa.array([1]), pa.array([["http://a/"]])):
        with pytest.raises(TypeError, match="urls must be"):
            hasher.hash(wrong)
    assert hasher.hash(["http://a/"]).null_count == 0


def tables_of(name):
    columns = {"id": [1], name: ["http://a/"]}
    yield columns
    yield pa.table(columns)
    yield pa.RecordBatch.from_pydict(columns)
    for library in ("pandas", "polars"):
        yield pytest.importorskip(library).DataFrame(columns)


def test_a_table_is_a_type_error_that_names_the_column_to_pass(hasher):
    for table in tables_of("url"):
        with pytest.raises(TypeError, match=r"one column, not a \w+ with the columns id, url: pass table\['url'\]$"):
            hasher.hash(table)
        assert hasher.hash(table["url"]).null_count == 0
    for table in tables_of("link"):
        with pytest.raises(TypeError, match=r"columns id, link: pass table\['id'\]$"):
            hasher.hash(table)


def test_hash_one_is_hash_of_one(hasher):
    urls = [*URLS, "http://a/\ud800", "http://a/" + "x" * 5000, b"http://a/\xff", b"http://b/"]
    for output in tables.OUTPUTS:
        one = urlsum.UrlHasher(16, output)
        expected = [
            one.hash(pa.array([url], pa.binary()) if isinstance(url, bytes) else [url])[0].as_py() for url in urls
        ]
        assert [one.hash_one(url, errors="null") for url in urls] == expected
    for wrong in (1, ["http://a/"], pa.array(["http://a/"])):
        with pytest.raises(TypeError, match="url must be a text, not a"):
            hasher.hash_one(wrong)


@pytest.mark.parametrize("piece_rows", [1, 3, 5000])
def test_columns_are_handed_over_in_pieces(monkeypatch, piece_rows):
    rows = ["no url" if row % 7 == 0 else f"http://a.example/{'x' * row}" for row in range(300)]
    array = pa.array(rows, pa.large_string())[5:]
    expected = {output: urlsum.hash(array, output=output) for output in tables.OUTPUTS}
    monkeypatch.setattr(columns, "PIECE_ROWS", piece_rows)
    for output, answers in expected.items():
        assert urlsum.hash(array, output=output).equals(answers), output
    digests = [hashlib.sha256(row.encode()).digest() if row != "no url" else None for row in rows]
    assert expected["hash"].to_pylist() == digests[5:]


def test_a_row_of_any_length(hasher):
    """What is longer than 4 MiB is not a URL here, and says so."""
    for length in (1 << 17, 1 << 20, (1 << 22) - 9, 1 << 22):
        row = b"http://a/" + b"x" * length
        digest, reason = (None, "length-limit") if length == 1 << 22 else (hashlib.sha256(row).digest(), None)
        column = pa.array([b"http://a/", row, b"http://b/"], pa.large_binary())
        assert hasher.hash(column)[1].as_py() == digest
        assert hasher.hash(column).null_count == (digest is None)
        assert hasher.hash_one(row, errors="null") == digest
        assert urlsum.hash(column, output="reason").to_pylist() == [None, reason, None]


def test_garbage_under_a_null_is_not_hashed(hasher):
    array = pa.array(["http://a/", "http://b/"])
    validity = pa.py_buffer(bytes([0b01]))
    masked = pa.Array.from_buffers(pa.string(), 2, [validity, *array.buffers()[1:]])
    assert masked.to_pylist() == ["http://a/", None]
    assert hasher.hash(masked).to_pylist() == [hashlib.sha256(b"http://a/").digest(), None]


def test_random_slices_of_random_text():
    seed = int(os.environ.get("URLSUM_SEED", "20261122"))
    print(f"seed {seed}")
    pick = random.Random(seed)
    rows = [
        None if pick.random() < 0.1 else "http://h/" + "".join(pick.choices("ab/?#-_~12", k=pick.randrange(300)))
        for _ in range(5000)
    ]
    array = pa.array(rows)
    expected = [row and hashlib.sha256(row.encode()).digest() for row in rows]
    one = urlsum.UrlHasher()
    for _ in range(50):
        start, end = sorted(pick.choices(range(len(rows) + 1), k=2))
        assert one.hash(array[start:end]).to_pylist() == expected[start:end]


def test_threads_share_a_hasher(hasher):
    wrong = []

    def work(name):
        rows = [f"http://{name}.example/{row}" for row in range(3000)]
        for _ in range(5):
            if hasher.hash(rows).to_pylist() != [hashlib.sha256(row.encode()).digest() for row in rows]:
                wrong.append(name)

    threads = [threading.Thread(target=work, args=(f"t{index}",)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"width": 7}, ValueError, "width must be one of 8, 16, 32, not 7"),
        ({"output": "hex"}, ValueError, "output must be one of hash, u64, i64, canonical, reason"),
        ({"drop_list": "tracking-2025"}, ValueError, "drop_list must be one of tracking-2026, not 'tracking-2025'"),
        ({"drop_params": "utm_*"}, TypeError, r"drop_params must be a list, not 'utm_\*'"),
        ({"drop_params": [1]}, TypeError, "drop_params must be names of parameters, not 1"),
        ({"keep_params": []}, ValueError, "keep_params must have an item, and the list is empty"),
        ({"keep_params": ["a"], "drop_params": ["b"]}, ValueError, "drop_params and keep_params cannot be combined"),
        ({"keep_params": ["a"], "drop_list": "tracking-2026"}, ValueError, "drop_list and keep_params cannot be"),
        ({"preset": "page-2026", "keep_params": ["a"]}, ValueError, "preset and keep_params cannot be combined"),
        ({"preset": "page-2026", "sort_params": False}, ValueError, "preset and sort_params cannot be combined"),
        ({"preset": "page-2027"}, ValueError, "preset must be one of page-2026, not 'page-2027'"),
        ({"fold": "www"}, TypeError, "fold must be a list, not 'www'"),
        (
            {"fold": ["http"]},
            ValueError,
            "fold must be one of empty-query, escapes, https, index, session, slash, www, not 'http'",
        ),
        ({"sort_params": 1}, TypeError, "sort_params must be True or False, not 1"),
        (
            {"no_vary_search": "params=1"},
            ValueError,
            "no_vary_search cannot be 'params=1': params must be a list of strings",
        ),
        ({"no_vary_search": 1}, TypeError, "no_vary_search must be a text, not a int"),
        ({"base": "no url"}, ValueError, "base: "),
        ({"base": "http://a/", "default_scheme": "https"}, ValueError, "base and default_scheme cannot be combined"),
        ({"default_scheme": "ftp"}, ValueError, "default_scheme must be one of http, https, not 'ftp'"),
        ({"site_rules": ["a.example sort"]}, TypeError, "site_rules must be a text, not a list"),
        ({"site_rules": "a.example sort\nb.example jump"}, ValueError, "^line 2 of the site rules: an action must"),
        ({"site_rules": "A.example sort"}, ValueError, "^line 1 of the site rules: HOST must"),
        (
            {"drop_parms": ["a"]},
            TypeError,
            "there is no option 'drop_parms': the options are .*drop_params",
        ),
        *[
            ({option: ["a", name]}, ValueError, f"{option} must")
            for option in ("drop_params", "keep_params")
            for name in ["", "*", "**", "a*b", "a**", "\ud800", "\0"]
        ],
    ],
)
def test_wrong_options_fail_where_a_hasher_is_made(options, error, message):
    with pytest.raises(error, match=message):
        urlsum.UrlHasher(**options)


RULES = "h.example drop s\n# a comment\nb.example/x* keep id; sort\n"
RULES_ID = hashlib.sha256(b"b.example/x* keep id; sort\nh.example drop s\n").hexdigest()[:32]

FORMS = [
    ({"drop_list": "tracking-2026"}, "drop-list=tracking-2026", "http://a/?b=2&a+b&-x=1&a=1&%C3%A4#f"),
    ({"drop_params": ["a b", "-x", "ä", "utm_*"]}, "drop-params=-x,a%20b,utm_*,%C3%A4", "http://a/?b=2&a=1#f"),
    (
        {"drop_params": {"a", "!'(),;=~"}, "exclude_fragment": True},
        "exclude-fragment;drop-params=%21%27%28%29%2C%3B%3D~,a",
        "http://a/?b=2&a+b&-x=1&utm_id=3&%C3%A4",
    ),
    (
        {"sort_params": True, "drop_params": ["a*"], "drop_list": "tracking-2026"},
        "drop-list=tracking-2026;drop-params=a*;sort-params",
        "http://a/?-x=1&b=2&%C3%A4#f",
    ),
    (
        {"preset": "page-2026"},
        "exclude-fragment=but-routes;drop-list=tracking-2026;sort-params",
        "http://a/?-x=1&a=1&a+b&b=2&%C3%A4",
    ),
    ({"keep_params": iter(["b", "a", "b"])}, "keep-params=a,b", "http://a/?b=2&a=1#f"),
    (
        {"no_vary_search": 'params=("utm_id")'},
        "no-vary-search=params(utm_id)",
        "http://a/?b=2&a+b=&-x=1&a=1&%C3%A4=#f",
    ),
    ({"fold": ["www", "https", "www"]}, "fold=https,www", "https://a/?b=2&a+b&-x=1&utm_id=3&a=1&%C3%A4#f"),
    ({"site_rules": RULES}, f"site-rules={RULES_ID}", "http://a/?b=2&a+b&-x=1&utm_id=3&a=1&%C3%A4#f"),
    (
        {"site_rules": "a keep b\n" * 60_000, "fold": ["https"]},
        f"fold=https;site-rules={hashlib.sha256(b'a keep b' + bytes([10])).hexdigest()[:32]}",
        "https://a/?b=2#f",
    ),
    ({"drop_params": [], "fold": (), "drop_list": None, "exclude_fragment": False}, None, None),
]


@pytest.mark.parametrize(("options", "settings", "form"), FORMS)
def test_every_option_changes_the_form_and_the_profile_says_so(options, settings, form):
    given = "http://a/?b=2&a+b&-x=1&utm_id=3&a=1&ä#f"
    form = form or given.replace("ä", "%C3%A4")
    one = urlsum.UrlHasher(output="canonical", **options)
    two = pickle.loads(pickle.dumps(one))
    assert one.profile == ";".join(filter(None, [urlsum.PROFILE, settings]))
    assert one.hash([given, "no url", None]).to_pylist() == two.hash([given, "no url", None]).to_pylist()
    assert one.hash([given]).to_pylist() == [form]
    options = one._form.options
    hashes = urlsum.UrlHasher(**options)
    assert hashes.hash([given, "no url", None]).to_pylist() == [hashlib.sha256(form.encode()).digest(), None, None]


def test_every_option_of_the_table_is_tried():
    used = {name for options, _, _ in FORMS for name in options} | {"unicode", "base", "default_scheme"}
    assert used == {option.name for option in tables.OPTIONS}


def test_a_version_of_unicode_is_named_by_the_start_of_the_profile():
    new = "http://a\u209db.example/"  # a modifier letter that is new in Unicode 18
    for version, expected in [(17, None), (18, "http://awb.example/"), (None, "http://awb.example/")]:
        one = urlsum.UrlHasher(output="canonical", unicode=version, sort_params=True)
        assert one.profile == f"url/1+unicode{version or 18};sort-params"
        assert one.hash([new]).to_pylist() == [expected]
    with pytest.raises(ValueError, match="unicode must be one of 17, 18, not 16"):
        urlsum.UrlHasher(unicode=16)


def test_reason_has_a_word_for_each_text_that_is_null_in_the_others():
    urls = [*URLS, "http://a:99999/", "http://[::1", "https://xn--a.\u00ad/", "http://"]
    for output in ("hash", "canonical", "host", "surt"):
        answered, words = urlsum.hash(urls, output=output), urlsum.hash(urls, output="reason")
        words.validate(full=True)
        assert words.type == pa.string()
        expected = [value is None and url is not None for url, value in zip(urls, answered.to_pylist(), strict=True)]
        assert [word is not None for word in words.to_pylist()] == expected
        assert answered.null_count >= 4
    reasons = urlsum.UrlHasher(output="reason")
    assert reasons.hash(["http://a:99999/", "http://a/", "no url", None, "http://[::1"]).to_pylist() == [
        "port-out-of-range",
        None,
        "missing-scheme-non-relative-URL",
        None,
        "IPv6-unclosed",
    ]
    for nulls in ([None, None], pa.nulls(2), pa.array(["a", None]).dictionary_encode(), pa.array([b"", None])):
        assert reasons.hash(nulls)[1].as_py() is None
    assert reasons.hash_one(None, errors="null") is None


def test_a_pickled_hasher_answers_alike():
    one = urlsum.UrlHasher(16, base="http://a/", preset="page-2026")
    two = pickle.loads(pickle.dumps(one))
    assert one.hash([*URLS, "b"]) == two.hash([*URLS, "b"])
    assert two.profile == one.profile


def test_relative_urls_and_what_lacks_a_scheme():
    urls = ["b?c", "//x/y", "http://z/", "#f", ""]
    based = ["http://a/b?c", "http://x/y", "http://z/", "http://a/d#f", "http://a/d"]
    assert urlsum.hash(urls, output="canonical", base="http://a/d#e").to_pylist() == based
    assert [urlsum.canonicalize(url, base="http://a/d#e") for url in urls] == based
    schemeless = ["example.com:8080/x", "example.com", "ftp://a/", "", "/x"]
    completed = ["https://example.com:8080/x", "https://example.com/", "ftp://a/", None, None]
    assert urlsum.hash(schemeless, output="canonical", default_scheme="https").to_pylist() == completed
    for reading in ({"base": "http://a/"}, {"default_scheme": "http"}):
        assert urlsum.UrlHasher(**reading).profile == urlsum.PROFILE
