"""What the package says of itself agrees with the program it carries."""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import urlsum
from urlsum import native

PROJECT = Path(__file__).parents[3]
PACKAGE = PROJECT / "engines/python"


def test_the_version_is_that_of_the_npm_package():
    manifest = json.loads((PROJECT / "package.json").read_text())
    written = re.search(r'^version = "(.+)"$', (PROJECT / "engines/python/pyproject.toml").read_text(), re.MULTILINE)
    # PEP 440 writes 1.0.0-rc.1 as 1.0.0rc1
    assert written.group(1) == manifest["version"].replace("-rc.", "rc")
    assert urlsum.__version__ == version("urlsum") == written.group(1)


def test_the_profile_is_what_the_library_computes():
    assert urlsum.UrlHasher().profile == urlsum.PROFILE


def built(folder, target):
    """Build a wheel of a folder, with what is installed; return the process that has ended."""
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", target, folder]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_wheel_holds_the_library_its_licence_and_links(tmp_path):
    assert built(PACKAGE, tmp_path).returncode == 0
    [path] = tmp_path.glob("*.whl")
    assert path.name.startswith(f"urlsum-{version('urlsum')}-py3-none-")
    assert path.stat().st_size < 500_000
    document = (PACKAGE / "README.md").read_text()
    assert set(re.findall(r"urlsum-([\w.]+)-py3-none-\w+\.whl", document)) == {version("urlsum")}
    with zipfile.ZipFile(path) as wheel:
        information = f"urlsum-{version('urlsum')}.dist-info"
        assert wheel.read("urlsum/tables.py") == (PACKAGE / "src/urlsum/tables.py").read_bytes()
        assert f"urlsum/{native.LIBRARY_NAME}" in wheel.namelist()
        for name in ["LICENSE", "THIRD-PARTY-NOTICES"]:
            assert wheel.read(f"{information}/licenses/{name}") == (PROJECT / name).read_bytes()
        metadata = wheel.read(f"{information}/METADATA").decode()
    assert "Project-URL: npm package, https://www.npmjs.com/package/urlsum\n" in metadata
    assert [line for line in metadata.splitlines() if "Requires-Dist" in line and "extra" not in line] == [
        "Requires-Dist: pyarrow>=16"
    ]


def test_the_source_distribution_builds_without_the_clone(tmp_path):
    hatchling = [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", tmp_path]
    subprocess.run(hatchling, cwd=PACKAGE, check=True, capture_output=True)
    [path] = tmp_path.glob("*.tar.gz")
    assert built(path, tmp_path).returncode == 0
    [wheel] = tmp_path.glob("*.whl")
    code = "import sys; sys.path.insert(0, '.'); import urlsum; print(urlsum.__file__, urlsum.canonicalize('HTTP://A'))"
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    said = subprocess.check_output([sys.executable, "-c", code], cwd=tmp_path / "installed", text=True)
    assert said == f"{tmp_path}/installed/urlsum/__init__.py http://a/\n"


def test_before_the_build_pip_says_what_to_run(tmp_path):
    for missing, command in [
        ("tables.py", "npm ci && npm run build"),
        ("*.so", "npm ci && npm run build && node tools"),
    ]:
        folder = tmp_path / missing / "engines/python"
        shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns(missing, ".*", "__pycache__"))
        process = built(folder, tmp_path)
        assert process.returncode != 0
        assert f"run `{command}" in process.stderr
        assert "Traceback" not in process.stderr


def test_type_checkers_see_the_types(tmp_path):
    """From a folder where only the installed package is found: its wheel holds `py.typed`."""

    def complaint(call):
        command = [sys.executable, "-m", "mypy", "--strict", "-c", f"import urlsum\n{call}"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout

    assert complaint("urlsum.UrlHasher(8, 'i64').profile.upper()").startswith("Success")
    assert complaint("urlsum.canonicalize('http://a/', fold=['www']).upper()").startswith("Success")
    assert 'has no attribute "upper"' in complaint("urlsum.canonicalize('http://a/', errors='null').upper()")
    assert "incompatible type" in complaint("urlsum.UrlHasher(7)")
    assert complaint("urlsum.UrlHasher(fold=['www'], drop_list='tracking-2026', sort_params=True)").startswith(
        "Success"
    )
    assert "incompatible type" in complaint("urlsum.UrlHasher(fold=['http'])")
    assert 'Unexpected keyword argument "drop_parms"' in complaint("urlsum.UrlHasher(drop_parms=['a'])")
