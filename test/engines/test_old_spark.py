"""Spark 3.5, the first that `urlsum.spark` works on: `map_hash`, and a sentence for what needs 4.1."""

import hashlib
import json
import os
import subprocess
import sys

JOB = """
import json
import pyspark
from pyspark.sql import SparkSession
import urlsum.spark

spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
urlsum.spark.ship(spark)
pages = spark.createDataFrame([("http://a.example/1",), ("",), (None,)], "url string")


def answers(output, kind):
    mapped = pages.mapInArrow(urlsum.spark.map_hash("url", "answer", output=output), f"url string, answer {kind}")
    return [row.answer for row in mapped.collect()]


def refusal(function, argument):
    try:
        return function(argument)
    except urlsum.UrlsumError as error:
        return str(error)


print(json.dumps({
    "version": pyspark.__version__,
    "hash": [answer and answer.hex() for answer in answers("hash", "binary")],
    "u64": [answer and int(answer) for answer in answers("u64", "decimal(20,0)")],
    "refusals": [refusal(urlsum.spark.url_hash, "url"), refusal(urlsum.spark.register, spark)],
}))
"""


def digest(text):
    return hashlib.sha256(text.encode())


def test_map_hash_works_and_what_needs_more_says_so(pytestconfig):
    path = pytestconfig.getoption("--old-spark")
    environment = os.environ | {"PYTHONPATH": path, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    job = subprocess.run([sys.executable, "-c", JOB], env=environment, capture_output=True, text=True, check=False)
    assert job.returncode == 0, job.stderr
    said = json.loads(job.stdout.splitlines()[-1])
    assert said["version"].startswith("3.5.")
    assert said["hash"] == [digest("http://a.example/1").hexdigest(), None, None]
    word = int.from_bytes(digest("http://a.example/1").digest()[:8], "little")
    assert said["u64"] == [word, None, None]
    for refusal in said["refusals"]:
        assert refusal.startswith("url_hash needs Spark 4.1, and this is 3.5.")
        assert "urlsum.spark.map_hash" in refusal
