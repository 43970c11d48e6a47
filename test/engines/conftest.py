"""The rows that all engines hash, and the faults that they meet."""

from pathlib import Path

import material
import pytest

ROW_COUNT = 2_000_000


@pytest.fixture(scope="session")
def rows() -> material.Material:
    """Two million rows, with the command's answers."""
    return material.material(ROW_COUNT)


@pytest.fixture(scope="session")
def pages(rows: material.Material, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of Parquet files of those rows: columns ``id`` and ``url``."""
    return rows.write_parquet(tmp_path_factory.mktemp("pages") / "parquet", 8)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take what `test/engines/run` has installed."""
    parser.addoption("--clickhouse-library", help="libchdb.so, which takes the command line of clickhouse local")
