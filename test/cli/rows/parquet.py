"""Writes the same rows by pyarrow, DuckDB and polars, for parquet.test.ts."""

import base64
import datetime
import sys

import duckdb
import polars
import pyarrow
import pyarrow.parquet as parquet
import pyarrow.parquet.encryption as encryption

folder = sys.argv[1]
table = pyarrow.table(
    {
        "id": pyarrow.array([1, 2**62, None], pyarrow.int64()),
        "url": ["HTTP://example.com/a#x", None, "not a url"],
        "score": [1.0, 2.5, None],
        "when": [datetime.datetime(2024, 1, 2, 3, 4, 5, 678901)] * 3,
        "page": [{"url": "https://b.example/ü", "status": 200}, None, {"url": None, "status": 404}],
        "links": [["https://c.example/"], [], None],
    }
)
for codec in ["none", "snappy", "gzip", "brotli", "zstd", "lz4"]:
    for version in ["1.0", "2.0"]:
        path = f"{folder}/pa-{codec}-{version}.parquet"
        parquet.write_table(table, path, compression=codec, data_page_version=version)
parquet.write_table(table, f"{folder}/index.parquet", write_page_index=True, row_group_size=2, use_dictionary=False)

source = f"{folder}/pa-zstd-1.0.parquet"
duckdb.sql(f"COPY (FROM '{source}') TO '{folder}/duck.parquet' (COMPRESSION zstd)")
duckdb.sql(f"COPY (FROM '{source}') TO '{folder}/duck2.parquet' (PARQUET_VERSION v2, COMPRESSION lz4)")
polars.read_parquet(source).write_parquet(f"{folder}/polars.parquet")


class PlainKeys(encryption.KmsClient):
    """Wraps keys by no more than base 64."""

    def __init__(self, configuration):
        super().__init__()

    def wrap_key(self, key_bytes, master_key_identifier):
        return base64.b64encode(key_bytes)

    def unwrap_key(self, wrapped_key, master_key_identifier):
        return base64.b64decode(wrapped_key)


factory = encryption.CryptoFactory(PlainKeys)
properties = factory.file_encryption_properties(
    encryption.KmsConnectionConfig(), encryption.EncryptionConfiguration(footer_key="footer", column_keys={"key": ["url"]})
)
with parquet.ParquetWriter(f"{folder}/locked-footer.parquet", table.schema, encryption_properties=properties) as writer:
    writer.write_table(table)
