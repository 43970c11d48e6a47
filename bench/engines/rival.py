"""What people write today: ada-url for the canonical form, hashlib for its SHA-256, row by row."""

import hashlib

import ada_url
import pyarrow as pa


def digest(url: str | None) -> bytes | None:
    """Hash one URL; None where it is not one."""
    try:
        return hashlib.sha256(ada_url.normalize_url(url).encode()).digest()
    except (ValueError, TypeError):
        return None


def hash_array(urls: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Hash an array of URLs."""
    return pa.array([digest(url) for url in urls.to_pylist()], pa.binary())
