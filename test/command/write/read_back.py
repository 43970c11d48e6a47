"""
Reads files by pyarrow, DuckDB and polars, for read-back.test.ts: a line of JSON for each. `make` writes a file with
columns of many types instead, and `equal` compares such a file with copies of it.
"""

import datetime
import decimal
import json
import sys
import uuid

import duckdb
import polars
import pyarrow
import pyarrow.parquet as parquet


def table(path):
    return pyarrow.ipc.open_stream(path).read_all() if path.endswith(".arrow") else parquet.read_table(path)


def plain(value):
    if isinstance(value, bytes):
        return value.hex()
    return value if value is None or isinstance(value, (bool, float)) else str(value)


def rows(names, values):
    return [dict(zip(names, map(plain, row))) for row in values]


def make(path):
    zone = datetime.timezone.utc
    moment = datetime.datetime(1969, 12, 31, 23, 59, 59, 987654)
    columns = {
        "boolean": pyarrow.array([True, False, None]),
        "url": pyarrow.array(["http://a.example/", "http://b.example/", None]),
        "half": pyarrow.array([1.5, -0.0, None], pyarrow.float32()),
        "double": pyarrow.array([0.1, float("inf"), None]),
        "nan": pyarrow.array([float("nan"), -5e-324, None]),
        "day": pyarrow.array([datetime.date(1960, 1, 1), datetime.date(2100, 12, 31), None]),
        "data": pyarrow.array([b"\xff\x00", b"", None]),
        "fixed": pyarrow.array([b"\xff\x00\x01", b"abc", None], pyarrow.binary(3)),
        "uuid": pyarrow.array([uuid.uuid5(uuid.NAMESPACE_URL, "a").bytes, bytes(16), None], pyarrow.uuid()),
        "time": pyarrow.array([datetime.time(23, 59, 59, 123000), datetime.time(), None], pyarrow.time32("ms")),
    }
    for bits in [8, 16, 32, 64]:
        least = -(1 << (bits - 1))
        columns[f"int{bits}"] = pyarrow.array([least, -1 - least, None], f"int{bits}")
        columns[f"uint{bits}"] = pyarrow.array([0, (1 << bits) - 1, None], f"uint{bits}")
    for digits, scale in [(4, 2), (9, 0), (18, 18), (19, 5), (38, 10), (39, 3), (76, 20)]:
        kind = pyarrow.decimal128 if digits <= 38 else pyarrow.decimal256
        ends = [decimal.Decimal((sign, (9,) * digits, -scale)) for sign in (0, 1)]
        columns[f"decimal{digits}"] = pyarrow.array([*ends, None], kind(digits, scale))
    for unit in ["us", "ns"]:
        columns[f"time {unit}"] = pyarrow.array([datetime.time(1, 2, 3, 4), datetime.time(), None], pyarrow.time64(unit))
    for unit in ["ms", "us", "ns"]:
        times = [moment.replace(microsecond=987000), moment.replace(year=2026, microsecond=0), None]
        columns[f"at {unit}"] = pyarrow.array(times, pyarrow.timestamp(unit))
        columns[f"utc {unit}"] = pyarrow.array([t and t.replace(tzinfo=zone) for t in times], pyarrow.timestamp(unit, "UTC"))
    parquet.write_table(pyarrow.table(columns), path, store_schema=False, version="2.6")


if sys.argv[1] == "make":
    make(sys.argv[2])
    sys.exit()

if sys.argv[1] == "equal":
    source, *copies = map(table, sys.argv[2:])
    for copy in copies:
        found = copy.select(source.column_names)
        assert found.schema.equals(source.schema), f"{found.schema}\n{source.schema}"
        for name in source.column_names:  # as text: no NaN equals another, and -0 equals 0
            assert repr(found[name].to_pylist()) == repr(source[name].to_pylist()), f"{name}: {found[name]}"
    sys.exit()

for path in sys.argv[1:]:
    read = table(path)
    types = {field.name: str(field.type) for field in read.schema}
    metadata = {key.decode(): value.decode() for key, value in read.schema.metadata.items()}
    print(json.dumps({"types": types, "metadata": metadata, "rows": rows(types, zip(*read.to_pydict().values()))}))
    duck = duckdb.sql("FROM read") if path.endswith(".arrow") else duckdb.sql(f"FROM '{path}'")
    types = dict(zip(duck.columns, map(str, duck.types)))
    print(json.dumps({"types": types, "metadata": {}, "rows": rows(types, duck.fetchall())}))
    frame = polars.read_ipc_stream(path) if path.endswith(".arrow") else polars.read_parquet(path)
    types = {name: str(kind) for name, kind in frame.schema.items()}
    print(json.dumps({"types": types, "metadata": {}, "rows": rows(types, frame.iter_rows())}))
