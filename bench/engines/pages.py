"""Write the URLs that are measured as Parquet: corpus/main twice and half of the others, 3.6 % of all."""

import sys
from pathlib import Path

import pyarrow as pa

sys.path.append(str(Path(__file__).parents[2] / "test/engines"))

import material

FILES = 8


def rows() -> list[str]:
    """Return real URLs, or where there are none beside the project made ones."""
    others, main = material.OTHERS, ["main"]
    if material.has_corpora():
        return material.corpus_rows(main) * 2 + material.corpus_rows(others)[::2]
    return material.made_rows(1_400_000)


if __name__ == "__main__":
    material.Material(pa.array(rows())).write_parquet(Path(sys.argv[1]), FILES)
