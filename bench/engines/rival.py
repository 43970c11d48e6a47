"""What people write today: ada-url for the canonical form, hashlib for its SHA-256, row by row.

Spark ships this file to its executors.
"""

import hashlib
from collections.abc import Callable, Iterator

import ada_url
import pyarrow as pa

Batches = Iterator[pa.RecordBatch]


def digest(url: str | None) -> bytes | None:
    """Hash one URL; None where it is not one."""
    try:
        return hashlib.sha256(ada_url.normalize_url(url).encode()).digest()
    except (ValueError, TypeError):
        return None


def hash_array(urls: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Hash an array of URLs."""
    return pa.array([digest(url) for url in urls.to_pylist()], pa.binary())


def identity(batches: Batches) -> Batches:
    """Return what mapInArrow gives."""
    yield from batches


def batches() -> Callable[[Batches], Batches]:
    """Return a function for mapInArrow that appends the hashes."""

    def append(batches: Batches) -> Batches:
        for batch in batches:
            hashes = hash_array(batch.column("url"))
            yield pa.RecordBatch.from_arrays([*batch.columns, hashes], [*batch.schema.names, "hash"])

    return append


def arrow_function() -> Callable[[pa.Array], pa.Array]:
    """Return hash_array as Spark wants it, with types that it reads."""

    def function(urls: pa.Array) -> pa.Array:
        return hash_array(urls)

    return function
