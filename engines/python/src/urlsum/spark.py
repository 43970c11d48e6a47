"""Functions for Apache Spark 4.1 and later: Arrow UDFs, with one child per Python worker.

Example:
    >>> import urlsum.spark
    >>> urlsum.spark.register(spark)
    >>> spark.sql("SELECT url, url_hash(url), url_hash_i64(url), url_canonical(url) FROM pages")
    >>> pages.select(urlsum.spark.url_hash("url"))
"""

import functools
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
from pyspark import SparkFiles
from pyspark.sql import Column, SparkSession
from pyspark.sql.functions import arrow_udf  # type: ignore[attr-defined] # pyspark's stubs lack it
from pyspark.sql.types import BinaryType, DataType, LongType, StringType

from urlsum.child import BUNDLE
from urlsum.frames import OutputName
from urlsum.hasher import UrlHasher, Width

MODULES = "urlsum-modules.zip"
"""The name under which executors get this package."""


def register(spark: SparkSession) -> None:
    """Register the SQL functions ``url_hash``, ``url_hash_i64`` and ``url_canonical``, and ship what they need.

    Executors get this package's modules and its bundle from the driver; they need Python with pyarrow, as for any
    Arrow UDF, and Node: ``node`` on the PATH, or ``spark.executorEnv.URLSUM_NODE``.
    """
    ship(spark)
    for name, function in (("url_hash", url_hash), ("url_hash_i64", url_hash_i64), ("url_canonical", url_canonical)):
        spark.udf.register(name, function)


def ship(spark: SparkSession) -> None:
    """Ship the bundle and this package's modules to the executors of a session; ``register`` does."""
    modules = _zip_of_modules()
    if hasattr(spark, "_jsparkSession"):
        spark.sparkContext.addFile(str(BUNDLE))
        spark.sparkContext.addPyFile(str(modules))
    else:  # Spark Connect
        spark.addArtifacts(str(BUNDLE), file=True)
        spark.addArtifacts(str(modules), pyfile=True)


def map_hash(
    column: str, into: str = "url_hash", width: Width = 32, output: OutputName = "hash", exclude_fragment: bool = False
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return a function for ``DataFrame.mapInArrow`` that appends the hashes of a column: it copies no other column.

    Args:
        column: the name of the column of URLs.
        into: the name of the column that is appended.
        width: as in UrlHasher.
        output: as in UrlHasher.
        exclude_fragment: as in UrlHasher.

    Example:
        >>> urlsum.spark.ship(spark)
        >>> pages.mapInArrow(urlsum.spark.map_hash("url"), "url string, url_hash binary")
    """

    def append(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        hasher = _hasher(output, width, exclude_fragment)
        for batch in batches:
            hashes = _for_spark(hasher.hash(batch.column(column)))
            yield pa.RecordBatch.from_arrays([*batch.columns, hashes], [*batch.schema.names, into])

    return append


def _udf(name: str, output: OutputName, returns: DataType) -> Callable[..., Column]:
    def function(urls: pa.Array) -> pa.Array:
        return _for_spark(_hasher(output).hash(urls))

    function.__name__ = name
    udf: Callable[..., Column] = arrow_udf(function, returns)
    return udf


@functools.cache
def _hasher(output: OutputName, width: Width = 32, exclude_fragment: bool = False) -> UrlHasher:
    """The hasher of this Python worker, which lives as long as it."""
    shipped = Path(SparkFiles.get(BUNDLE.name))
    return UrlHasher(width, output, exclude_fragment, bundle=shipped if shipped.exists() else BUNDLE)


def _for_spark(column: pa.Array) -> pa.Array:
    """Spark has binary of any length only."""
    return column.cast(pa.binary()) if pa.types.is_fixed_size_binary(column.type) else column


def _zip_of_modules() -> Path:
    path = Path(tempfile.mkdtemp(prefix="urlsum-")) / MODULES
    with zipfile.ZipFile(path, "w") as archive:
        for module in sorted(Path(__file__).parent.glob("*.py")):
            archive.write(module, f"urlsum/{module.name}")
    return path


url_hash = _udf("url_hash", "hash", BinaryType())
"""The SHA-256 of the canonical form, 32 bytes of binary; null where the URL is null or invalid."""

url_hash_i64 = _udf("url_hash_i64", "i64", LongType())
"""Its first 8 bytes as a signed little-endian bigint: Spark has no unsigned one."""

url_canonical = _udf("url_canonical", "canonical", StringType())
"""The canonical form."""
