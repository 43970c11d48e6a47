"""Figures of the ClickHouse engine in chdb, with the functions as shipped and one in Python beside them."""

import json
import shutil
import sys
import tempfile
from pathlib import Path

import chdb
from chdb import session
from measure import Run

SHIPPED = Path(__file__).parents[2] / "engines/clickhouse"

RIVAL = """
    <function>
        <type>executable_pool</type>
        <name>rival</name>
        <return_type>String</return_type>
        <argument><name>url</name><type>String</type></argument>
        <format>TabSeparated</format>
        <command>rival_function.py</command>
        <execute_direct>1</execute_direct>
        <send_chunk_header>1</send_chunk_header>
        <pool_size>2</pool_size>
        <max_command_execution_time>60</max_command_execution_time>
        <command_read_timeout>60000</command_read_timeout>
    </function>
</functions>
"""

RIVAL_SCRIPT = """#!{python}
import sys
sys.path.insert(0, {folder!r})
import rival
for count in sys.stdin:
    for _ in range(int(count)):
        digest = rival.digest(sys.stdin.readline().rstrip("\\n"))
        print(digest.hex() if digest else "")
    sys.stdout.flush()
"""

FUNCTIONS = {
    "scan": "length(url)",
    "`cityHash64(url)`, not canonical": "cityHash64(url)",
    "`SHA256(url)`, not canonical": "cityHash64(SHA256(url))",
    "**`urlHash`**": "cityHash64(urlHash(url))",
    "**`urlHashOrNull`**": "cityHash64(assumeNotNull(urlHashOrNull(url)))",
    "**`urlHash64`**": "urlHash64(url)",
    "**`urlCanonical`**": "length(assumeNotNull(urlCanonical(url)))",
    "**`urlExpressions`**": "length(urlExpressions(url))",
    "ada-url + hashlib, Python function, TabSeparated": "length(rival(url))",
}


def with_rival(folder: Path) -> Path:
    """Copy the functions as shipped, and add that in Python."""
    shutil.copytree(SHIPPED, folder)
    config = folder / "udf_config.xml"
    config.write_text(config.read_text().replace("</functions>", RIVAL))
    script = folder / "rival_function.py"
    script.write_text(RIVAL_SCRIPT.format(python=sys.executable, folder=str(Path(__file__).parent)))
    script.chmod(0o755)
    return folder


def main(run: Run, folder: Path) -> list[dict]:
    """Measure each function over all rows."""
    chdb.g_udf_path = str(with_rival(folder))
    source = f"file('{run.pages}/*.parquet', Parquet, 'id Int64, url String')"
    with session.Session() as engine:  # it keeps the processes; each chdb.query starts others
        for way, expression in FUNCTIONS.items():
            sql = f"SELECT sum({expression}) FROM {source} SETTINGS max_threads = 2"
            run.add(way, lambda sql=sql: engine.query(sql, "CSV"))
        return run.measure()


if __name__ == "__main__":
    run = Run("ClickHouse", Path(sys.argv[1]))
    with tempfile.TemporaryDirectory() as scratch:
        json.dump(main(run, Path(scratch) / "functions"), sys.stdout)
