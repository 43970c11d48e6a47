"""Figures of DuckDB."""

import json
import sys
from pathlib import Path

import duckdb
import rival
from measure import Run

import urlsum.duckdb

FUNCTIONS = {
    "scan": "length(url)",
    "`hash(url)`, not canonical": "hash(url)",
    "`sha256(url)`, not canonical": "sha256(url)",
    "**`url_hash`**": "url_hash(url)",
    "**`url_hash_u64`**": "url_hash_u64(url)",
    "**`url_canonical`**": "url_canonical(url)",
    "ada-url + hashlib, Arrow function": "rival(url)",
}


def main(run: Run) -> list[dict]:
    """Measure each function over all rows."""
    with duckdb.connect(config={"threads": 2}) as connection:
        urlsum.duckdb.register(connection)
        connection.create_function(
            "rival", rival.hash_array, ["VARCHAR"], "BLOB", type="arrow", null_handling="special"
        )
        for way, expression in FUNCTIONS.items():
            sql = f"SELECT count({expression}) FROM '{run.pages}/*.parquet'"
            run.add(way, lambda sql=sql: connection.execute(sql).fetchall())
        return run.measure()


if __name__ == "__main__":
    json.dump(main(Run("DuckDB", Path(sys.argv[1]))), sys.stdout)
