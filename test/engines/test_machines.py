"""What engines/spark gives a machine: the steps of its Dockerfile, and its script, in a Python of their own."""

import shlex
import shutil
import subprocess
import sys
import sysconfig
import venv
from importlib.metadata import version
from pathlib import Path

import pytest
from material import PROJECT

ENGINES = PROJECT / "engines"
SCRIPT = ENGINES / "spark/init.sh"
SAYS = f"urlsum {version('urlsum')} hashes here, profile url/1+unicode18"


@pytest.fixture
def machine(tmp_path):
    """The environment of a machine whose Python has pip and all packages of this one, and no urlsum of its own."""
    venv.create(tmp_path / "venv")
    [packages] = (tmp_path / "venv/lib").glob("python*/site-packages")
    (packages / "installed.pth").write_text(sysconfig.get_path("purelib"))
    programs = tmp_path / "programs"
    programs.mkdir()
    return {
        "PATH": f"{tmp_path}/venv/bin:{programs}:/usr/bin:/bin",
        "HOME": str(tmp_path),
        "PIP_NO_BUILD_ISOLATION": "0",  # it means that there is none: hatchling is installed
        "PIP_NO_INDEX": "1",
    }


def steps(dockerfile):
    """Yield the words of each instruction."""
    text = dockerfile.read_text().replace("\\\n", " ")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            yield line.split(maxsplit=1)


def test_the_steps_of_the_dockerfile(machine, tmp_path):
    said = []
    for instruction, rest in steps(ENGINES / "spark/Dockerfile"):
        here = rest.replace("/opt/", f"{tmp_path}/opt/")
        if instruction == "COPY":
            source, target = shlex.split(here)
            Path(target).parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if (ENGINES / source).is_dir() else shutil.copy
            copy(ENGINES / source, target)
        elif instruction == "RUN":
            said += subprocess.check_output(["sh", "-c", here], text=True, env=machine).splitlines()
        else:
            assert instruction in ("ARG", "FROM", "USER")
    assert said == [SAYS]
    where = subprocess.check_output(["python", "-c", "import urlsum; print(urlsum.__file__)"], text=True, env=machine)
    assert where.startswith(f"{tmp_path}/venv/")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", folder]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, ENGINES / "python"], check=True)
    [path] = folder.glob("*.whl")
    return path


def put_bucket(folder, program, arguments, wheel):
    """Put a stand-in for a cloud's program into a folder: for these arguments it copies a wheel to one more."""
    (folder / program).write_text(f'#!/bin/sh\n[ "$1 $2 $3" = "{arguments}" ] && cp {wheel} "$4"\n')
    (folder / program).chmod(0o755)


def test_the_script_takes_a_wheel_from_s3_as_its_argument(machine, tmp_path, wheel):
    address = f"s3://bucket/{wheel.name}"
    put_bucket(tmp_path / "programs", "aws", f"s3 cp {address}", wheel)
    assert subprocess.check_output([SCRIPT, address], text=True, env=machine) == f"{SAYS}\n"


def test_the_script_takes_a_wheel_from_google_by_its_environment(machine, tmp_path, wheel):
    address = f"gs://bucket/{wheel.name}"
    put_bucket(tmp_path / "programs", "gcloud", f"storage cp {address}", wheel)
    named = machine | {"URLSUM_PACKAGE": address, "URLSUM_PYTHON": str(tmp_path / "venv/bin/python")}
    assert subprocess.check_output(SCRIPT, text=True, env=named) == f"{SAYS}\n"


def test_the_script_says_what_it_lacks(machine):
    process = subprocess.run(SCRIPT, capture_output=True, text=True, env=machine, check=False)
    assert process.returncode != 0
    assert "URLSUM_PACKAGE: is the path of the wheel of urlsum" in process.stderr
