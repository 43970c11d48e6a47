"""Spark on this machine: executors in processes of their own, as on a cluster."""

import contextlib
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyspark
from pyspark.sql import SparkSession

HOST = "127.0.0.1"
LOCAL_CLUSTER = "local-cluster[2,1,1024]"
_SPARK_CLASS = Path(pyspark.__file__).parent / "bin" / "spark-class"


@contextlib.contextmanager
def session(master: str, options: dict[str, str] | None = None) -> Iterator[SparkSession]:
    """Run a session on a master, with options of its own, and stop it."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = (
        SparkSession.builder.master(master)
        .config("spark.driver.host", HOST)
        .config("spark.driver.bindAddress", HOST)
        .config("spark.driver.memory", "1g")
        .config("spark.executor.memory", "1g")
        .config("spark.executor.cores", "1")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "ERROR")
        .config("spark.sql.files.minPartitionNum", "8")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "10000")
        .config(map=options or {})
        .getOrCreate()
    )
    try:
        yield spark
    finally:
        spark.stop()


def shuffled_bytes(spark: SparkSession) -> dict[str, tuple[int, int]]:
    """Return the bytes that each executor has read and written for shuffles, compressed, as Spark counts them."""
    context = spark.sparkContext._jsc.sc()
    context.listenerBus().waitUntilEmpty()
    summaries = context.statusStore().executorList(True)
    executors = [summaries.apply(index) for index in range(summaries.size())]
    return {
        executor.id(): (executor.totalShuffleRead(), executor.totalShuffleWrite())
        for executor in executors
        if executor.id() != "driver"
    }


@contextlib.contextmanager
def standalone(folder: Path) -> Iterator[str]:
    """Run a standalone master and two workers of one core each; give the master's URL.

    The workers know nothing of this process's Python path: what executors import must come from the driver.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"SPARK_LOCAL_IP": HOST, "SPARK_NO_DAEMONIZE": "1"}
    with contextlib.ExitStack() as stack:
        start = ["org.apache.spark.deploy.master.Master", "--host", HOST, "--port", "0"]
        _run(stack, folder / "master.log", [*start, "--webui-port", "0"], environment)
        [url] = _wait_for(folder / "master.log", r"Starting Spark master at (\S+)", 1)
        for index in range(2):
            worker = ["org.apache.spark.deploy.worker.Worker", "--host", HOST, "--cores", "1", "--memory", "1g"]
            options = ["--webui-port", "0", "--work-dir", str(folder / f"work{index}"), url]
            _run(stack, folder / f"worker{index}.log", [*worker, *options], environment)
        _wait_for(folder / "master.log", r"Registering worker", 2)
        yield url


def _run(stack: contextlib.ExitStack, log: Path, arguments: list[str], environment: dict[str, str]) -> None:
    with log.open("wb") as output:
        process = subprocess.Popen([_SPARK_CLASS, *arguments], stdout=output, stderr=output, env=environment)
    stack.callback(process.wait)
    stack.callback(process.terminate)


def _wait_for(log: Path, pattern: str, count: int) -> list[str]:
    """Return what a pattern matches in a log, once it matches so often."""
    end = time.monotonic() + 120
    while len(found := re.findall(pattern, log.read_text())) < count:
        if time.monotonic() > end:
            raise TimeoutError(f"{log} does not have {count} lines of {pattern!r} after 120 s:\n{log.read_text()}")
        time.sleep(0.2)
    return found
