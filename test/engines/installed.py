"""The examples of the README on Arrow, pandas, Spark and DuckDB, with the package as installed; and polars."""

import re
import sys
from pathlib import Path

import polars
from pyspark.sql import SparkSession

import urlsum

SECTION_OR_BLOCK = re.compile(
    r"^## (?P<section>.+?)$|^```(?P<language>python|sql)\n(?P<code>.*?)^```$", re.DOTALL | re.MULTILINE
)
COMMENT = re.compile(r"^-- (.*)$", re.MULTILINE)

session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
names = {"spark": session}
PLAIN = ("", "One URL", "Columns", "Options")
"""The sections, before the first one too, that need no engine."""
ENGINES = {
    "Spark": lambda sql: session.sql(sql).collect(),
    "DuckDB": lambda sql: names["connection"].execute(sql).fetchall(),
}


def run_sql(section: str, block: str) -> None:
    """Run statements; the last one gives the values that the comments of the block say."""
    rows = []
    for statement in filter(str.strip, COMMENT.sub("", block).split(";")):
        rows = ENGINES[section](statement)
    assert [str(value) for row in rows for value in row] == COMMENT.findall(block) != []


section, counts = "", {}
for match in SECTION_OR_BLOCK.finditer(Path(sys.argv[1]).read_text()):
    section = match["section"] or section
    if match["code"] is None or section not in (*PLAIN, *ENGINES):
        continue
    if match["language"] == "python":
        exec(compile(match["code"], section, "exec"), names)
    else:
        run_sql(section, match["code"])
    counts[section] = counts.get(section, 0) + 1
assert counts.keys() == {*PLAIN, *ENGINES}

frame = polars.DataFrame({"url": ["https://example.com", "no url"]})
hasher = urlsum.UrlHasher(output="u64")
keyed = frame.with_columns(polars.from_arrow(hasher.hash(frame["url"])).alias("key"))
assert keyed["key"].to_list() == [15978973112404087055, None]
session.stop()
print(f"{urlsum.__version__}: blocks of {counts}, and polars")
