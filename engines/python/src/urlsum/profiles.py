"""The names of the canonical forms that this version of the package computes: hashes compare only where they agree."""

from typing import Literal

ProfileName = Literal["url", "web-risk", "v5"]

PROFILE = "url/1+unicode17"
"""The profile of ``UrlHasher()``: it changes whenever the hash of any URL could."""

_PROFILES: dict[tuple[ProfileName, bool], str] = {
    ("url", False): PROFILE,
    ("url", True): "url/1+unicode17;exclude-fragment",
    ("web-risk", False): "web-risk/1",
    ("v5", False): "v5/1+tldts/7.5.4",
}


def profile_of(name: ProfileName, exclude_fragment: bool) -> str:
    """Return the profile under given options; raise ValueError where they exclude each other."""
    try:
        return _PROFILES[name, exclude_fragment]
    except KeyError:
        raise ValueError(f"there is no profile {name!r} with exclude_fragment={exclude_fragment}") from None
