"""The rows that all engines hash, the clusters of Spark, and what `test/engines/run` has installed."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import cluster
import material
import pytest
from pyspark.sql import SparkSession

import urlsum.spark

SCALE = float(os.environ.get("URLSUM_TEST_SCALE", "1"))
"""1 finds a mistake within seconds; 10 and more is a long run."""

IS_LONG = SCALE >= 10
ROW_COUNT = min(2_000_000, round(100_000 * SCALE))


@pytest.fixture(scope="session")
def rows() -> material.Material:
    """100,000 rows, a million or two in a long run, with the command's answers."""
    return material.material(ROW_COUNT)


@pytest.fixture(scope="session")
def pages(rows: material.Material, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of Parquet files of those rows: columns ``id`` and ``url``."""
    return rows.write_parquet(tmp_path_factory.mktemp("pages") / "parquet", 8)


@pytest.fixture(scope="session", params=["local-cluster", "standalone"] if IS_LONG else ["local-cluster"])
def spark(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """Two executors of one core each; in a long run those of two workers, too."""
    with contextlib.ExitStack() as stack:
        master = cluster.LOCAL_CLUSTER
        if request.param == "standalone":
            master = stack.enter_context(cluster.standalone(tmp_path_factory.mktemp("spark")))
        session = stack.enter_context(cluster.session(master))
        urlsum.spark.register(session)
        yield session


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take what `test/engines/run` has installed."""
    parser.addoption("--clickhouse-library", help="libchdb.so, which takes the command line of clickhouse local")
    parser.addoption("--google-client", help="the folder of Google's Python client")
    parser.addoption("--google-node", help="the folder of Google's client in JavaScript")
    parser.addoption("--old-spark", help="the folder of pyspark 3.5")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests that are marked ``long`` to long runs."""
    left_out = [] if IS_LONG else [item for item in items if item.get_closest_marker("long")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def pytest_configure(config: pytest.Config) -> None:
    """Name the marker."""
    config.addinivalue_line("markers", "long: takes longer than a test of every change may")
