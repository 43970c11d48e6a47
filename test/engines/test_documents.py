"""The examples in Python that docs/ shows do what they say."""

import os
import re
import shutil
import types

import cluster
import pandas as pd
import pyarrow as pa
import pytest
from material import PROJECT

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def run(path, names=None):
    """Run the blocks of a document, one after another, and return the names that they define."""
    names = {} if names is None else names
    blocks = BLOCK.findall((PROJECT / path).read_text())
    assert blocks
    for block in blocks:
        exec(compile(block, path, "exec"), names)
    return names


def test_the_client_of_serve_md(tmp_path, monkeypatch):
    shutil.copy(PROJECT / "dist/urlsum-serve.mjs", tmp_path)
    monkeypatch.chdir(tmp_path)
    names = run("docs/serve.md")
    answers = names["hashes"]([b"https://example.com", b"no url", b"http://b/#x"])
    assert [answer and answer.hex() for answer in answers] == ["0f115db062b7c0dd", None, "bdb12d51e80a55ba"]
    names["child"].stdin.close()
    assert names["child"].wait() == 0


def test_the_readme_of_the_package():
    assert run("engines/python/README.md")["hashes"].null_count == 2


@pytest.fixture
def spark():
    with cluster.session("local[1]") as session:
        yield session


def test_engines_md(spark, monkeypatch):
    monkeypatch.chdir(PROJECT)
    names = run("docs/engines.md", {"spark": spark})
    frame = pd.DataFrame({"url": ["http://a/", "no url"]})
    hashed = names["hash_partition"](frame, names["urlsum"].UrlHasher(width=16))
    assert [value and len(value) for value in hashed["url_hash"]] == [16, None]
    table = names["AppendHash"]()(pa.table({"url": ["http://a/", None]}))
    assert table["url_hash"].null_count == 1
    documents = [types.SimpleNamespace(metadata={"url": url}) for url in ("HTTP://A", "no url")]
    canonical = [document.metadata for document in names["canonical_urls"](documents)]
    assert canonical == [{"given_url": "HTTP://A", "url": "http://a/"}, {"given_url": "no url", "url": "no url"}]
    assert os.getcwd() == str(PROJECT)
