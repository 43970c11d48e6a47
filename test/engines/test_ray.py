"""Ray Data: the hasher on Arrow batches, in actors."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import urlsum

ray = pytest.importorskip("ray")


def test_every_row_is_what_the_command_says(rows, pages, tmp_path):
    class AppendHash:
        """A class, so that an actor keeps its process from batch to batch."""

        def __init__(self) -> None:
            self._hasher = urlsum.UrlHasher()

        def __call__(self, batch: pa.Table) -> pa.Table:
            return batch.append_column("hash", self._hasher.hash(batch["url"]))

    ray.init(num_cpus=4, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
    try:
        dataset = ray.data.read_parquet(str(pages))
        hashed = dataset.map_batches(AppendHash, batch_format="pyarrow", concurrency=2)
        hashed.drop_columns(["url"]).write_parquet(str(tmp_path))
    finally:
        ray.shutdown()
    table = pq.read_table(tmp_path).sort_by("id").combine_chunks()
    assert table["id"].chunk(0).equals(pa.array(np.arange(len(rows.urls))))
    assert table["hash"].chunk(0).cast(pa.binary(32)).equals(rows.hashes)
