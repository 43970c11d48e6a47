"""Write the figures of all engines as Markdown, from the JSON files of their runs."""

import importlib.metadata
import json
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil

PACKAGES = ("pyspark", "chdb-core", "duckdb", "pyarrow", "ada-url")
RIVAL = "ada-url"


class Line:
    """One way of one engine, over its rounds."""

    def __init__(self, line: dict) -> None:
        self.engine: str = line["engine"]
        self.way: str = line["way"]
        rows = line["rows"]
        self.rates = sorted(rows / seconds for seconds, _ in line["rounds"])
        self.costs = sorted(cpu / rows * 1e6 for _, cpu in line["rounds"])
        self.shuffled: float | None = line.get("shuffled")
        self.note: str | None = line.get("note")

    def cells(self) -> list[str]:
        """Return the way, its best rate and its least cost, each with the other end of the rounds."""
        rate = _spread(f"{self.rates[-1] / 1000:,.0f}k", f"{self.rates[0] / 1000:,.0f}k")
        cells = [self.way, rate, _spread(f"{self.costs[0]:.2f}", f"{self.costs[-1]:.2f}")]
        return cells if self.shuffled is None else [*cells, f"{self.shuffled:.1f}"]


def _spread(best: str, worst: str) -> str:
    return best if best == worst else f"{best} ({worst})"


def report(lines: list[Line], row_count: int) -> Iterator[str]:
    """Yield the lines of the report."""
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in PACKAGES)
    load = psutil.getloadavg()[0]
    yield "# Engines"
    yield ""
    yield f"{row_count:,} URLs on two cores of {_processor()}, Python {platform.python_version()}; {versions}."
    yield f"Load average at the end: {load:.1f}. The machine is shared: compare the lines of one run."
    yield ""
    yield "`bench/engines/run` measures this. Each figure is the best round's, the worst in brackets; CPU s/Mrow is"
    yield "the processor time of all processes that take part, per million rows. In bold: this package."
    for engine in dict.fromkeys(line.engine for line in lines):
        yield from ("", f"## {engine}", "")
        yield from _table([line for line in lines if line.engine == engine])
    yield from ("", "## Against the goals", "", "| | goal | measured |", "| --- | --- | --- |")
    yield from targets({(line.engine, line.way): line for line in lines})


def _table(lines: list[Line]) -> Iterator[str]:
    heads = ["way", "rows/s", "CPU s/Mrow"]
    if lines[-1].shuffled is not None:
        heads.append("bytes shuffled per row")
    yield _row(heads)
    yield _row(["---"] * len(heads))
    for line in lines:
        yield _row([*line.cells(), ""][: len(heads)])
    for line in lines:
        if line.note is not None:
            yield from ("", line.note)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def targets(lines: dict[tuple[str, str], Line]) -> Iterator[str]:
    """Yield a row for each target."""

    def cost(engine: str, way: str) -> float:
        return lines[engine, way].costs[0]

    hashed, floor = "**`mapInArrow(map_hash)`**", "`mapInArrow`, identity"
    over = cost("Spark", hashed) - cost("Spark", floor)
    rivals = [line for (engine, way), line in lines.items() if engine == "Spark" and RIVAL in way]
    rate_ratio = lines["Spark", hashed].rates[-1] / max(line.rates[-1] for line in rivals)
    rival_over = min(line.costs[0] for line in rivals) - cost("Spark", floor)
    yield f"| Spark, CPU s/Mrow over the identity | 0.6 | {over:.2f} |"
    yield f"| Spark, ada-url + hashlib over the identity, times that | 6 | {rival_over / over:.1f} |"
    yield f"| Spark, times the rate of ada-url + hashlib | 6 | {rate_ratio:.1f} |"
    yield f"| ClickHouse, CPU s/Mrow | 0.8 | {cost('ClickHouse', '**`urlHash`**'):.2f} |"
    yield f"| DuckDB, CPU s/Mrow | 0.7 | {cost('DuckDB', '**`url_hash`**'):.2f} |"


def _processor() -> str:
    text = Path("/proc/cpuinfo").read_text()
    names = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.machine()


if __name__ == "__main__":
    measured = [line for path in sys.argv[1:] for line in json.loads(Path(path).read_text())]
    print("\n".join(report([Line(line) for line in measured], measured[0]["rows"])))
