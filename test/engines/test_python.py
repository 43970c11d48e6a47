"""The Python package answers what the library in JavaScript answers: every output, under each option and many."""

import subprocess

import pyarrow as pa
import pytest
from conftest import IS_LONG
from material import COMMAND, Material

import urlsum
from urlsum.tables import OPTIONS, OUTPUTS

RULES = """
* fold www https; sort
*/b* keep id q
en.wikipedia.org drop utm_* title; fold index
www.amazon.com/dp/* fragment; keep th
"""
HEADER = 'key-order, except=("id" "a b" "%C3%A4" "p")'

FORMS = [
    {},
    {"unicode": 17},
    {"exclude_fragment": True},
    {"exclude_fragment": "but-routes"},
    {"preset": "page-2026"},
    {"drop_list": "tracking-2026"},
    {"drop_params": ["id", "utm_*", "a b", "ä", "!'()*"]},
    {"keep_params": ["id", "q*", "p", "page"]},
    {"sort_params": True},
    {"sort_params": True, "drop_params": ["q"], "exclude_fragment": True, "unicode": 17},
    {"no_vary_search": HEADER},
    {"no_vary_search": "key-order", "exclude_fragment": "but-routes"},
    {"no_vary_search": 'params=("id" "utm_source")', "fold": ["https", "www"]},
    {"no_vary_search": "params"},
    *[{"fold": [fold]} for fold in ("empty-query", "escapes", "https", "index", "session", "slash", "www")],
    {"fold": ["empty-query", "escapes", "https", "index", "session", "slash", "www"], "preset": "page-2026"},
    {"site_rules": RULES},
    {"site_rules": RULES, "preset": "page-2026", "fold": ["https"]},
    {"default_scheme": "https"},
    {"default_scheme": "http", "keep_params": ["id"], "fold": ["slash"], "site_rules": RULES},
]
PLACED = [{}, FORMS[21]]
"""Forms of which a short run compares places."""

OUTPUTS_COMPARED = ("hash", "reason", "canonical", "host", "site", "surt")
FLAGS = {"drop_params": "drop-param", "keep_params": "keep-param"}


@pytest.fixture(scope="module")
def asked(rows: Material) -> bytes:
    """The rows as a chunk of RowBinary."""
    return b"%d\n" % len(rows.urls) + packed(rows.urls)


def leb128(number: int) -> bytes:
    encoded = bytearray()
    while number >= 128:
        encoded.append(number & 127 | 128)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def flags_of(options: dict[str, object], folder) -> list[str]:
    """Return options as a command line has them."""
    flags = []
    for name, value in options.items():
        flag = "--" + FLAGS.get(name, name.replace("_", "-"))
        if name == "site_rules":
            (folder / "rules").write_text(value)
            flags.append(f"{flag}={folder / 'rules'}")
        elif value is True:
            flags.append(flag)
        else:
            flags += [f"{flag}={item}" for item in (value if isinstance(value, list) else [value])]
    return flags


def answered(asked: bytes, output: str, flags: list[str]) -> bytes:
    command = [*COMMAND, "serve", "--nullable", "--output", output, *flags]
    return subprocess.run(command, input=asked, stdout=subprocess.PIPE, check=True).stdout


def packed(values: pa.Array) -> bytes:
    """Return texts as Nullable(String), and hashes as Nullable(FixedString)."""
    has_lengths = not pa.types.is_fixed_size_binary(values.type)
    texts = values.cast(pa.binary()).to_pylist()
    return b"".join(
        b"\1" if text is None else b"\0" + (leb128(len(text)) if has_lengths else b"") + text for text in texts
    )


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_every_row_is_what_javascript_says(rows, asked, options, tmp_path):
    flags = flags_of(options, tmp_path)
    profile = packed(pa.array([urlsum.UrlHasher(**options).profile]))
    assert profile == answered(b"1\n\0\0", "profile", flags)
    for output in OUTPUTS_COMPARED if IS_LONG or options in PLACED else OUTPUTS_COMPARED[:2]:
        answers = urlsum.hash(rows.urls, output=output, **options)
        assert packed(answers) == answered(asked, output, flags), output
        assert 0 < answers.null_count < len(answers)


def test_every_option_and_output_is_compared():
    assert {name for options in FORMS for name in options} | {"base"} == {option.name for option in OPTIONS}
    assert set(OUTPUTS) == {"hash", "u64", "i64", "canonical", "reason", "host", "site", "surt"}
