"""The examples that docs/ shows, in Python and SQL, do what they say."""

import os
import re
import subprocess
from collections.abc import Callable, Iterable, Mapping

import chdb
import pandas as pd
import pyarrow as pa
import pytest
from chdb import session
from datatrove.data import Document
from material import PROJECT

import urlsum.spark

SECTION_OR_BLOCK = re.compile(
    r"^## (?P<section>.+?)$|^```(?P<language>python|sql|console)\n(?P<code>.*?)^```$", re.DOTALL | re.MULTILINE
)
COMMAND = re.compile(r"^(?:\$|>) (.*)$", re.MULTILINE)
COMMENT = re.compile(r"^-- (.*)$", re.MULTILINE)

Query = Callable[[str], Iterable[Iterable[object]]]


def run(
    path: str,
    names: dict[str, object] | None = None,
    engines: Mapping[str, Query] | None = None,
    shell: Callable[[str], None] = lambda _: None,
) -> dict:
    """Run the blocks of a document, one after another: SQL in the engine that its section is named after.

    Commands go to ``shell``, one block at a time; what they print is compared by test/docs.

    Returns:
        The names that the blocks in Python define.
    """
    names = {} if names is None else names
    section, block_count = "", 0
    for match in SECTION_OR_BLOCK.finditer((PROJECT / path).read_text()):
        section = match["section"] or section
        if match["language"] == "python":
            exec(compile(match["code"], path, "exec"), names)
        elif match["language"] == "sql":
            run_sql(engines[section], match["code"])
        elif match["language"] == "console":
            shell("\n".join(COMMAND.findall(match["code"])))
        block_count += match["code"] is not None
    assert block_count > 0
    return names


def run_sql(query: Query, block: str) -> None:
    """Run statements; the last one gives the values that the comments of the block say."""
    rows: Iterable[Iterable[object]] = []
    for statement in filter(str.strip, COMMENT.sub("", block).split(";")):
        rows = query(statement)
    assert [str(value) for row in rows for value in row] == COMMENT.findall(block) != []


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """A shell in an empty folder, where ``npm install --global`` has installed this package."""
    monkeypatch.chdir(tmp_path)
    modules, programs = tmp_path / ".global/lib/node_modules", tmp_path / ".global/bin"
    for folder in (modules, programs):
        folder.mkdir(parents=True)
    (modules / "urlsum").symlink_to(PROJECT)
    (programs / "urlsum").symlink_to(PROJECT / "dist/esm/cli.js")
    environment = {**os.environ, "npm_config_prefix": str(tmp_path / ".global")}
    environment["PATH"] = f"{programs}:{environment['PATH']}"
    return lambda script: subprocess.run(["bash", "-c", script], env=environment, check=False)


def test_the_tutorial(shell):
    assert run("docs/tutorial.md", shell=shell)["missing"].item() > 0


def test_tables_md(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    run("docs/tables.md", names, {"In Python": lambda sql: names["connection"].execute(sql).fetchall()})


def test_the_cookbook(clickhouse):
    run("docs/cookbook.md", engines={"Join in ClickHouse": clickhouse})


@pytest.fixture
def with_functions(spark):
    """Spark, which has the functions without options again when the test has ended."""
    yield spark
    urlsum.spark.register(spark)


@pytest.fixture
def clickhouse(monkeypatch):
    monkeypatch.setattr(chdb, "g_udf_path", str(PROJECT / "engines/clickhouse"))
    with session.Session() as engine:
        yield lambda sql: [line.split("\t") for line in str(engine.query(sql, "TSV")).splitlines()]


def test_engines_md(clickhouse, monkeypatch, tmp_path):
    (tmp_path / "clickhouse").symlink_to(PROJECT / "engines/clickhouse")
    monkeypatch.chdir(tmp_path)
    run("docs/engines.md", engines={"ClickHouse": clickhouse})


def test_the_readme_of_the_package(with_functions, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    spark = with_functions
    names = {"spark": spark}
    engines = {
        "Spark": lambda sql: spark.sql(sql).collect(),
        "DuckDB": lambda sql: names["connection"].execute(sql).fetchall(),
    }
    run("engines/python/README.md", names, engines)
    frame = pd.DataFrame({"url": ["http://a/", "no url"]})
    hashed = names["hash_partition"](frame, names["urlsum"].UrlHasher(width=16))
    assert [value and len(value) for value in hashed["url_hash"]] == [16, None]
    table = names["AppendHash"]()(pa.table({"url": ["http://a/", None]}))
    assert table["url_hash"].null_count == 1
    urls = ["https://example.com/?utm_id=1", "https://example.com/#top", "https://example.com/a"]
    documents = [Document(text="", id=url, metadata={"url": url}) for url in urls]
    assert [document.id for document in names["one_per_page"](documents, tmp_path)] == [urls[0], urls[2]]
