"""A stable identity for URLs: the canonical form that a published specification defines, and its SHA-256."""

from importlib.metadata import PackageNotFoundError, version

from urlsum.errors import UrlError, UrlsumError
from urlsum.functions import canonicalize, hash, hash_one
from urlsum.hasher import UrlHasher
from urlsum.tables import PROFILE, Options

try:
    __version__ = version("urlsum")
except PackageNotFoundError:  # on a Spark executor, where the modules come in a zip file
    __version__ = "unknown"

__all__ = [
    "PROFILE",
    "Options",
    "UrlError",
    "UrlHasher",
    "UrlsumError",
    "__version__",
    "canonicalize",
    "hash",
    "hash_one",
]
