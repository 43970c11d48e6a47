"""A stable identity for URLs: the canonical form that a published specification defines, and its SHA-256."""

from importlib.metadata import PackageNotFoundError, version

from urlsum.errors import ChildDiedError, ProfileMismatchError, ProtocolError, UrlError, UrlsumError
from urlsum.functions import canonicalize, hash, hash_one
from urlsum.hasher import UrlHasher
from urlsum.tables import PROFILES, FormOptions

try:
    __version__ = version("urlsum")
except PackageNotFoundError:  # on a Spark executor, where the modules come in a zip file
    __version__ = "unknown"

PROFILE = PROFILES["url"]
"""The profile of ``UrlHasher()``: it changes whenever the hash of any URL could."""

__all__ = [
    "PROFILE",
    "ChildDiedError",
    "FormOptions",
    "ProfileMismatchError",
    "ProtocolError",
    "UrlError",
    "UrlHasher",
    "UrlsumError",
    "__version__",
    "canonicalize",
    "hash",
    "hash_one",
]
