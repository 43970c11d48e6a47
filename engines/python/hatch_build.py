"""Before a wheel is built: says what to do where the program that it is to hold has not been built yet."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class NeedsBundle(BuildHookInterface):  # type: ignore[type-arg] # hatchling's configuration, which is not looked at
    """Refuses a wheel that could hash nothing."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """End with a sentence: a traceback would hide it."""
        for name in ("urlsum-serve.mjs", "tables.py"):
            path = Path(self.root, "src/urlsum", name)
            if not path.exists():
                sys.exit(f"{path} is not built yet: run `npm ci && npm run build` in the clone, and then this again.")
