"""Figures of Spark: two executors of one core each."""

import json
import sys
from pathlib import Path

import pyarrow as pa
import rival
from measure import Run
from pyspark.sql import functions
from pyspark.sql.types import BinaryType

import urlsum.spark

sys.path.append(str(Path(__file__).parents[2] / "test/engines"))

import cluster


def identity(batches):
    yield from batches


def rival_batches():
    hash_array = rival.hash_array

    def append(batches):
        for batch in batches:
            hashes = hash_array(batch.column("url"))
            yield pa.RecordBatch.from_arrays([*batch.columns, hashes], [*batch.schema.names, "hash"])

    return append


def main(run: Run) -> list[dict]:
    with cluster.session(cluster.LOCAL_CLUSTER) as spark:
        urlsum.spark.register(spark)
        spark.sparkContext.addPyFile(rival.__file__)
        pages = spark.read.parquet(str(run.pages))
        pages.createOrReplaceTempView("pages")
        schema, hashed = "id bigint, url string", "id bigint, url string, hash binary"
        rival_udf = functions.arrow_udf(_rival_function(), BinaryType())

        def sink(frame):
            return lambda: frame.write.format("noop").mode("overwrite").save()

        run.add("scan", sink(pages))
        run.add("`xxhash64(url)`, not canonical", sink(pages.select(functions.xxhash64("url"))))
        run.add("`sha2(url, 256)`, not canonical", sink(pages.select(functions.sha2("url", 256))))
        run.add("`mapInArrow`, identity", sink(pages.mapInArrow(identity, schema)))
        run.add("**`mapInArrow(map_hash)`**", sink(pages.mapInArrow(urlsum.spark.map_hash("url", "hash"), hashed)))
        run.add("**SQL `url_hash`**", sink(spark.sql("SELECT url_hash(url) FROM pages")))
        run.add("**SQL `url_hash_i64`**", sink(spark.sql("SELECT url_hash_i64(url) FROM pages")))
        run.add("**SQL `url_canonical`**", sink(spark.sql("SELECT url_canonical(url) FROM pages")))
        run.add("ada-url + hashlib, `mapInArrow`", sink(pages.mapInArrow(rival_batches(), hashed)))
        run.add("ada-url + hashlib, Arrow UDF", sink(pages.select(rival_udf("url"))))
        return run.measure()


def _rival_function():
    hash_array = rival.hash_array

    def function(urls: pa.Array) -> pa.Array:
        return hash_array(urls)

    return function


if __name__ == "__main__":
    json.dump(main(Run("Spark", Path(sys.argv[1]))), sys.stdout)
