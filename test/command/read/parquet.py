"""Writes the same rows by pyarrow, DuckDB, polars and, if asked, Spark, for parquet.test.ts, and prints the names."""

import base64
import datetime
import decimal
import glob
import random
import shutil
import sys

import duckdb
import polars
import pyarrow
import pyarrow.parquet as parquet
import pyarrow.parquet.encryption as encryption

folder = sys.argv[1]
day = datetime.date(1969, 12, 31)
deep = pyarrow.list_(pyarrow.struct({"x": pyarrow.int32(), "y": pyarrow.list_(pyarrow.int32())}))
table = pyarrow.table(
    {
        "id": pyarrow.array([1, 2**62, None], pyarrow.int64()),
        "url": ["HTTP://example.com/a", None, "not a url"],
        "price": pyarrow.array([decimal.Decimal("12.340"), None, decimal.Decimal("-0.001")], pyarrow.decimal128(20, 3)),
        "day": [day, None, day],
        "at": pyarrow.array([datetime.datetime(2024, 1, 2, 3, 4, 5, 678901)] * 3, pyarrow.timestamp("us")),
        "small": pyarrow.array([0.1, float("nan"), None], pyarrow.float32()),
        "data": pyarrow.array([b"\xff\x00", None, b""], pyarrow.binary()),
        "page": [{"url": "https://b.example/ü", "status": 200}, None, {"url": None, "status": 404}],
        "links": [["https://c.example/"], [], None],
        "pairs": pyarrow.array([[("a", 1), ("b", None)], [], None], pyarrow.map_(pyarrow.string(), pyarrow.int32())),
        "deep": pyarrow.array([[{"x": 1, "y": [1, 2]}], None, [None, {"x": None, "y": None}]], deep),
    }
)


def write(name, table=table, **options):
    parquet.write_table(table, f"{folder}/{name}.parquet", **options)
    print(f"{name}.parquet")


for codec in ["none", "snappy", "gzip", "brotli", "zstd", "lz4"]:
    for version in ["1.0", "2.0"]:
        write(f"pa-{codec}-{version}", compression=codec, data_page_version=version)
write("pa-groups", row_group_size=2, use_dictionary=False, write_page_index=True, write_page_checksum=True)
for encoding in ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY", "PLAIN"]:
    encodings = {"url": encoding, "id": "DELTA_BINARY_PACKED", "small": "BYTE_STREAM_SPLIT"}
    write(f"pa-{encoding}", use_dictionary=False, column_encoding=encodings, data_page_version="2.0")

source = f"{folder}/pa-zstd-1.0.parquet"
for version, codec in [("v1", "zstd"), ("v2", "lz4"), ("v2", "snappy")]:
    name = f"duck-{version}-{codec}.parquet"
    duckdb.sql(f"COPY (FROM '{source}') TO '{folder}/{name}' (PARQUET_VERSION {version}, COMPRESSION {codec})")
    print(name)


# Many pages, with and without a dictionary, and the same rows as lines.
random.seed(1)
urls = [random.choice([None, f"http://A.example/{row // 3}", f"http://é.example/{row}/a?b"]) for row in range(12000)]
many = pyarrow.table({"url": urls})
with open(f"{folder}/many.txt", "w", encoding="utf-8") as lines:
    lines.writelines(f"{url or ''}\n" for url in urls)
for version in ["1.0", "2.0"]:
    for encoding in [None, "PLAIN", "DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"]:
        options = {"use_dictionary": encoding is None, "column_encoding": encoding and {"url": encoding}}
        write(f"many-{version}-{encoding}", many, data_page_version=version, data_page_size=4096, **options)
for version in ["v1", "v2"]:
    options = f"PARQUET_VERSION {version}, ROW_GROUP_SIZE 4096"
    duckdb.sql(f"COPY (FROM '{folder}/many-1.0-None.parquet') TO '{folder}/many-duck-{version}.parquet' ({options})")
    print(f"many-duck-{version}.parquet")
polars.read_parquet(f"{folder}/many-1.0-None.parquet").write_parquet(
    f"{folder}/many-polars.parquet", row_group_size=5000, data_page_size=4096
)
print("many-polars.parquet")

# A page of 4.6 MB, as each codec packs it.
long = pyarrow.table({"url": [url and f"{url}/{row}" * 20 for row, url in enumerate(urls)]})
with open(f"{folder}/long.txt", "w", encoding="utf-8") as lines:
    lines.writelines(f"{url or ''}\n" for url in long["url"].to_pylist())
page = {"use_dictionary": False, "data_page_size": 2**26, "max_rows_per_page": 2**20, "write_page_checksum": True}
for codec in ["none", "snappy", "gzip", "brotli", "zstd", "lz4"]:
    for version in ["1.0", "2.0"]:
        write(f"long-{codec}-{version}", long, compression=codec, data_page_version=version, **page)
        column = parquet.read_metadata(f"{folder}/long-{codec}-{version}.parquet").row_group(0).column(0)
        assert column.total_uncompressed_size > 2**22


class PlainKeys(encryption.KmsClient):
    """Wraps keys by no more than base 64."""

    def __init__(self, configuration):
        super().__init__()

    def wrap_key(self, key_bytes, master_key_identifier):
        return base64.b64encode(key_bytes)

    def unwrap_key(self, wrapped_key, master_key_identifier):
        return base64.b64decode(wrapped_key)


factory = encryption.CryptoFactory(PlainKeys)
locked = encryption.EncryptionConfiguration(footer_key="f", column_keys={"key": ["url"]}, plaintext_footer=True)
properties = factory.file_encryption_properties(encryption.KmsConnectionConfig(), locked)
with parquet.ParquetWriter(f"{folder}/locked.parquet", table.schema, encryption_properties=properties) as writer:
    writer.write_table(table)

# Its maps are lists of structs.
polars.read_parquet(source).drop("pairs").write_parquet(f"{folder}/polars.parquet", compression="zstd")
print("polars.parquet")

if "spark" in sys.argv:
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", False).getOrCreate()
    rows = spark.read.parquet(source).coalesce(1)
    long_rows = spark.read.parquet(f"{folder}/many-1.0-None.parquet").coalesce(1)
    for codec in ["none", "snappy", "gzip", "zstd", "lz4_raw"]:
        for version in ["v1", "v2"]:
            name = f"spark-{codec}-{version}"
            options = {"compression": codec, "parquet.writer.version": version}
            for name, frame in [(name, rows), (f"many-{name}", long_rows)]:
                frame.write.options(**options, **{"parquet.page.size": 4096}).parquet(f"{folder}/{name}")
                (part,) = glob.glob(f"{folder}/{name}/*.parquet")
                shutil.move(part, f"{folder}/{name}.parquet")
                print(f"{name}.parquet")
