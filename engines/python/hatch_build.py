"""Builds liburlsum, and names the platform of the wheel that holds it; a source distribution holds its sources in C."""

import os
import platform
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LIBRARY_NAME = {"darwin": "liburlsum.dylib", "win32": "urlsum.dll"}.get(sys.platform, "liburlsum.so")
FLAGS = ["-std=c11", "-O2", "-fPIC", "-shared", "-fvisibility=hidden"]
X86_FLAGS = ["-march=x86-64-v2"]
"""A row takes 1.8 times as long without; pyarrow needs SSE4.2 as well."""


class Library(BuildHookInterface):  # type: ignore[type-arg] # hatchling's configuration, which is not looked at
    """Adds what is built, as $URLSUM_LIBRARY for $URLSUM_PLATFORM where a release names them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """End with a sentence where something is missing: a traceback would hide it."""
        root = Path(self.root)
        self._must_exist(root / "src/urlsum/tables.py", "npm ci && npm run build")
        sources = root / "native"
        if not sources.exists():  # in a clone
            sources = root.parents[1] / "build/native"
        named = os.environ.get("URLSUM_LIBRARY")
        if named is None:
            self._must_exist(sources / "urlsum.c", "npm ci && npm run build && node tools/native.mjs")
        if self.target_name == "sdist":
            build_data["force_include"][str(sources)] = "native"
            return
        library = Path(named) if named else self._compiled(sources)
        tag = os.environ.get("URLSUM_PLATFORM") or sysconfig.get_platform()
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{tag.replace('-', '_').replace('.', '_')}"
        build_data["force_include"][str(library)] = f"urlsum/{library.name}"

    def _compiled(self, sources: Path) -> Path:
        library = Path(self.directory) / LIBRARY_NAME
        library.parent.mkdir(parents=True, exist_ok=True)
        flags = [*FLAGS, *(X86_FLAGS if platform.machine().lower() in ("x86_64", "amd64") else [])]
        command = [*shlex.split(os.environ.get("CC", "cc")), *flags, f"-I{sources}", "-o", str(library)]
        try:
            subprocess.run([*command, str(sources / "urlsum.c"), "-lm"], check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            sys.exit(f"liburlsum cannot be compiled: {error}. A compiler for C is needed, cc or that of $CC.")
        return library

    @staticmethod
    def _must_exist(path: Path, command: str) -> None:
        if not path.exists():
            sys.exit(f"{path} is not built yet: run `{command}` in the clone, and then this again.")
