"""What the package says of itself agrees with the program it carries."""

import json
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import urlsum
from urlsum import profiles

PROJECT = Path(__file__).parents[3]


def test_the_version_is_that_of_the_npm_package():
    manifest = json.loads((PROJECT / "package.json").read_text())
    written = re.search(r'^version = "(.+)"$', (PROJECT / "engines/python/pyproject.toml").read_text(), re.MULTILINE)
    assert written.group(1) == manifest["version"]
    assert urlsum.__version__ == version("urlsum") == manifest["version"]


def test_every_profile_is_what_the_process_computes():
    for name, exclude_fragment in profiles._PROFILES:
        with urlsum.UrlHasher(output="canonical", profile=name, exclude_fragment=exclude_fragment) as hasher:
            assert hasher.profile == profiles.profile_of(name, exclude_fragment)


def test_type_checkers_see_the_types(tmp_path):
    """From a folder where only the installed package is found: its wheel holds `py.typed`."""

    def complaint(call):
        command = [sys.executable, "-m", "mypy", "--strict", "-c", f"import urlsum\n{call}"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout

    assert complaint("urlsum.UrlHasher(8, 'i64').profile.upper()").startswith("Success")
    assert "incompatible type" in complaint("urlsum.UrlHasher(7)")
