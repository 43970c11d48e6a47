"""Functions for Apache Spark: ``map_hash`` from 3.5 on, Arrow UDFs from 4.1 on.

Example:
    >>> import urlsum.spark
    >>> urlsum.spark.register(spark)
    >>> spark.sql("SELECT url, url_hash(url), url_hash_i64(url), url_canonical(url) FROM pages")
    >>> pages.select(urlsum.spark.url_hash("url"))
"""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pyspark
from pyspark.sql import Column, SparkSession, functions
from pyspark.sql.types import BinaryType, DataType, LongType, StringType

from urlsum.errors import UrlsumError
from urlsum.form import Form, form_of
from urlsum.hasher import UrlHasher
from urlsum.native import LIBRARY_NAME
from urlsum.tables import OUTPUTS, Options, OutputName, Width, function_name

if TYPE_CHECKING:  # Python has it from 3.11 on
    from typing_extensions import Unpack

MODULES = "urlsum-modules.zip"
"""The name under which executors get this package."""


_TYPES: dict[str, DataType] = {
    "digest": BinaryType(),
    "int64": LongType(),
    "text": StringType(),
}
"""Spark has no unsigned numbers."""


def register(spark: SparkSession, *, width: Width = 32, **options: Unpack[Options]) -> None:
    """Register ``url_hash``, ``url_hash_i64``, ``url_canonical`` and the like: an SQL function for each output.

    ``url_profile`` gives the name of the canonical form. The functions of columns, such as ``urlsum.spark.url_hash``,
    have these options from then on, where they are called without options of their own.

    Executors get this package from the driver, for its kind of machine; they need Python with pyarrow, as for any Arrow
    UDF. Functions that were registered before are replaced.

    Args:
        spark: the session that gets them.
        width: bytes of each hash of ``url_hash``: 8, 16 or 32.
        **options: those of ``Options``.

    Raises:
        TypeError: an option that does not exist, or a value of the wrong kind.
        ValueError: another value that an option does not have, and options that exclude each other.
        UrlsumError: this is a Spark before 4.1.
    """
    form = form_of(options)
    outputs = [output for output, values in OUTPUTS.items() if values in _TYPES]
    udfs = {function_name(output): _udf(output, width, form) for output in outputs}
    udfs["url_profile"] = _profile_udf(form)
    ship(spark)
    for name, udf in udfs.items():
        spark.udf.register(name, udf)
    spark.conf.set(_REGISTERED, json.dumps({"width": width, "options": form.options}))


# The functions of columns: with options of their own, these alone choose the form; without, it is that of ``register``.


def url_hash(url: Column | str, *, width: Width | None = None, **options: Unpack[Options]) -> Column:
    """Return the SHA-256 of the canonical form, ``width`` bytes of binary; null where the URL is null or invalid."""
    return _column("hash", url, options, width)


def url_hash_i64(url: Column | str, **options: Unpack[Options]) -> Column:
    """Return its first 8 bytes as a signed little-endian bigint: Spark has no unsigned one."""
    return _column("i64", url, options)


def url_canonical(url: Column | str, **options: Unpack[Options]) -> Column:
    """Return the canonical form."""
    return _column("canonical", url, options)


def url_host(url: Column | str, **options: Unpack[Options]) -> Column:
    """Return the host of the canonical form."""
    return _column("host", url, options)


def url_site(url: Column | str, **options: Unpack[Options]) -> Column:
    """Return its registrable domain; null where it has none, as an address."""
    return _column("site", url, options)


def url_surt(url: Column | str, **options: Unpack[Options]) -> Column:
    """Return it as a Sort-friendly URI, whose order is that of sites."""
    return _column("surt", url, options)


def url_reason(url: Column | str, **options: Unpack[Options]) -> Column:
    """Return why it is not a URL, in a word such as ``port-invalid``; null where it is one."""
    return _column("reason", url, options)


def url_profile(url: Column | str, **options: Unpack[Options]) -> Column:
    """Return the name of the canonical form, such as ``url/1+unicode18``, for any URL."""
    form, _ = _chosen(options)
    return _profile_udf(form)(url)


def ship(spark: SparkSession) -> None:
    """Ship this package to the executors of a session; ``register`` does."""
    modules = str(_zip_of_modules())
    if hasattr(spark, "_jsparkSession"):
        spark.sparkContext.addPyFile(modules)
    else:  # Spark Connect
        spark.addArtifacts(modules, pyfile=True)


def map_hash(
    column: str,
    into: str = "url_hash",
    width: Width = 32,
    output: OutputName = "hash",
    **options: Unpack[Options],
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return a function for ``DataFrame.mapInArrow`` that appends the hashes of a column: it copies no other column.

    Args:
        column: the name of the column of URLs.
        into: the name of the column that is appended: ``binary`` for the output ``hash``, ``decimal(20,0)`` for
            ``u64``, ``bigint`` for ``i64``, ``string`` for the others.
        width: as in UrlHasher.
        output: as in UrlHasher.
        **options: those of ``Options``.

    Raises:
        TypeError, ValueError: as UrlHasher does.

    Example:
        >>> urlsum.spark.ship(spark)
        >>> pages.mapInArrow(urlsum.spark.map_hash("url"), "url string, url_hash binary")
    """
    form = _checked(output, width, form_of(options))

    def append(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        hasher = _hasher(output, width, form)
        for batch in batches:
            hashes = _for_spark(hasher.hash(batch.column(column)))
            yield pa.RecordBatch.from_arrays([*batch.columns, hashes], [*batch.schema.names, into])

    return append


_REGISTERED = "spark.urlsum.registered"
"""The setting of a session that has what its functions were registered with."""


def _chosen(options: Options) -> tuple[Form, Width]:
    """Return the form that a call chooses, or else that of the session's registration, and that one's width."""
    session = SparkSession.getActiveSession()
    registered = json.loads(session.conf.get(_REGISTERED, "{}") or "{}") if session else {}
    return form_of(options or registered.get("options", {})), registered.get("width", 32)


def _column(output: OutputName, url: Column | str, options: Options, width: Width | None = None) -> Column:
    form, registered_width = _chosen(options)
    return _udf(output, width or registered_width, form)(url)


def _profile_udf(form: Form) -> Callable[..., Column]:
    profile = UrlHasher(**form.options).profile

    def url_profile(urls: pa.Array) -> pa.Array:
        return pc.if_else(urls.is_valid(), profile, None)

    return _arrow_udf(url_profile, StringType())


def _udf(output: OutputName, width: Width, form: Form) -> Callable[..., Column]:
    form = _checked(output, width, form)

    def function(urls: pa.Array) -> pa.Array:
        return _for_spark(_hasher(output, width, form).hash(urls))

    function.__name__ = function_name(output)
    return _arrow_udf(function, _TYPES[OUTPUTS[output]])


def _arrow_udf(function: Callable[[pa.Array], pa.Array], returns: DataType) -> Callable[..., Column]:
    if not hasattr(functions, "arrow_udf"):
        raise UrlsumError(
            f"{function.__name__} needs Spark 4.1, and this is {pyspark.__version__}: "
            "use DataFrame.mapInArrow with urlsum.spark.map_hash"
        )
    udf: Callable[..., Column] = functions.arrow_udf(function, returns)
    return udf


def _checked(output: OutputName, width: Width, form: Form) -> Form:
    """Return it; wrong options are refused here, not in a task."""
    UrlHasher(width, output, **form.options)
    return form


@cache
def _hasher(output: OutputName, width: Width, form: Form) -> UrlHasher:
    """The hasher of this Python worker, which lives as long as it."""
    return UrlHasher(width, output, **form.options)


def _for_spark(column: pa.Array) -> pa.Array:
    """Spark has binary of any length only, and no unsigned numbers."""
    kind = column.type
    if pa.types.is_fixed_size_binary(kind):
        return column.cast(pa.binary())
    return column.cast(pa.decimal128(20, 0)) if pa.types.is_uint64(kind) else column


@cache
def _zip_of_modules() -> Path:
    """One for all sessions: Spark takes a file of the same name again only from the same path."""
    path = Path(tempfile.mkdtemp(prefix="urlsum-")) / MODULES
    with zipfile.ZipFile(path, "w") as archive:
        package = Path(__file__).parent
        for file in [*sorted(package.glob("*.py")), package / LIBRARY_NAME]:
            archive.write(file, f"urlsum/{file.name}")
    return path
