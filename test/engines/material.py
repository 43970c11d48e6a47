"""URLs by the million, and what the command makes of them: the reference that every engine is compared with."""

import gzip
import random
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

PROJECT = Path(__file__).parents[2]
COMMAND = ["node", str(PROJECT / "dist/esm/cli.js")]
CORPORA = PROJECT.parent / "shared/data/corpus"
"""Real URLs, which may lie beside the project; where they do not, the rows are made from bench/sample."""

OTHERS = ["changed", "files", "intl", "schemeless"]
"""The corpora of URLs that are not as most are."""

ODD_ROWS = [
    "http://a.example/\nb",
    "http://a.example/\r",
    "\nhttp://a.example/\r\n",
    "\ufeffhttp://a.example/",
    "http://a.example/s?\\",
    "http://a.example/\t",
    "",
    " ",
    "no url",
    "http://a.example/" + "x" * 300_000,
]
"""What breaks protocols that are made of lines."""


@dataclass(frozen=True)
class Material:
    """Rows, and what the command says of them: row by row, in order."""

    urls: pa.Array

    @cached_property
    def hashes(self) -> pa.Array:
        """The 32 bytes of ``--format bin``, null where they are zero: an invalid row."""
        packed = self._answer("--format", "bin")
        words = np.frombuffer(packed, "<u8").reshape(-1, 4)
        assert len(words) == len(self.urls)
        validity = pa.array(words.any(axis=1)).buffers()[1]
        return pa.Array.from_buffers(pa.binary(32), len(words), [validity, pa.py_buffer(packed)])

    @property
    def words(self) -> pa.Array:
        """The first 8 bytes of each hash as a little-endian unsigned integer."""
        words = np.frombuffer(self.hashes.buffers()[1], "<u8").reshape(-1, 4)[:, 0]
        return pa.array(words, mask=~self.hashes.is_valid().to_numpy(zero_copy_only=False))

    @cached_property
    def canonical(self) -> pa.Array:
        """What ``urlsum canon`` says, null where the row is invalid."""
        forms = self._answer("canon").decode("ascii").split("\0")[:-1]
        return pa.array([form or None for form in forms])

    def expression_hashes(self, start: int, count: int) -> list[list[str]]:
        """What ``urlsum expressions --hash`` says of some rows, none of which holds a line feed: hashes in hex."""
        lines = "\n".join(self.urls.slice(start, count).to_pylist()) + "\n"
        command = [*COMMAND, "expressions", "--hash"]
        answer = subprocess.run(
            command, input=lines.encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
        )
        hashes: list[list[str]] = [[] for _ in range(count)]
        for line in answer.stdout.decode("ascii").splitlines():
            row, _, digest = line.split("\t")
            hashes[int(row) - 1].append(digest)
        return hashes

    def _answer(self, *options: str) -> bytes:
        terminated = pc.binary_join_element_wise(self.urls, "", "\0")
        ended = subprocess.run(
            [*COMMAND, *options, "--zero"],
            input=terminated.buffers()[2],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        assert ended.returncode == 1, "some rows are invalid, so the command says 1"
        return ended.stdout

    def write_parquet(self, folder: Path, file_count: int) -> Path:
        """Write columns ``id`` and ``url``, in as many files."""
        folder.mkdir(parents=True)
        table = pa.table({"id": np.arange(len(self.urls)), "url": self.urls})
        length = -(-len(table) // file_count)
        for index in range(file_count):
            pq.write_table(table.slice(index * length, length), folder / f"{index}.parquet")
        return folder


def material(row_count: int) -> Material:
    """Return rows of every kind: the odd ones first, after one that is not."""
    real = corpus_rows([*OTHERS, "main"]) if has_corpora() else made_rows(row_count)
    rows = ["http://first.example/", *ODD_ROWS, *real * -(-row_count // len(real))]
    return Material(pa.array(rows[:row_count]))


def has_corpora() -> bool:
    """Tell whether real URLs lie beside the project, and say so where they do not."""
    has_all = all((CORPORA / f"{name}.txt.gz").exists() for name in [*OTHERS, "main"])
    if not has_all:
        print("\n!!! no corpora beside the project: the rows are made from bench/sample\n")
    return has_all


def corpus_rows(names: list[str]) -> list[str]:
    """Return the URLs of corpora."""
    return [row for name in names for row in _lines(gzip.decompress((CORPORA / f"{name}.txt.gz").read_bytes()))]


def made_rows(row_count: int) -> list[str]:
    """Return URLs made from those of bench/sample."""
    sample = _lines((PROJECT / "bench/sample/urls.txt").read_bytes())
    pick = random.Random(1)
    return [pick.choice(sample) + pick.choice(("", "?", "#a", f"/{row}", " ", "é")) for row in range(row_count)]


def _lines(text: bytes) -> list[str]:
    return [line.removesuffix("\r") for line in text.decode("utf-8", "replace").split("\n")[:-1] if "\0" not in line]
