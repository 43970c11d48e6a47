"""The names of the canonical forms that this version of the package computes: hashes compare only where they agree."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote

ProfileName = Literal["url", "web-risk", "v5"]

PROFILE = "url/1+unicode17"
"""The profile of ``UrlHasher()``: it changes whenever the hash of any URL could."""

_SAFE_BROWSING: dict[ProfileName, str] = {"web-risk": "web-risk/1", "v5": "v5/1+tldts/7.5.4"}

_LISTS = ("tracking-2026",)

_LIMIT_BYTES = 0xFFFF
"""What the greeting of a process has room for."""


@dataclass(frozen=True)
class Form:
    """A canonical form of the profile ``url``: docs/parameters.md defines it, and the name that it has."""

    exclude_fragment: bool = False
    drop_params: tuple[str, ...] = ()
    """Sorted by their bytes, each once."""
    drop_list: str | None = None
    sort_params: bool = False

    @property
    def settings(self) -> list[str]:
        """What a profile says of it, in order."""
        return [
            *(["exclude-fragment"] if self.exclude_fragment else []),
            *([f"drop-list={self.drop_list}"] if self.drop_list is not None else []),
            *([f"drop-params={','.join(map(_escaped, self.drop_params))}"] if self.drop_params else []),
            *(["sort-params"] if self.sort_params else []),
        ]

    @property
    def arguments(self) -> list[str]:
        """The options of ``urlsum serve`` that ask for it."""
        return [
            *(["--exclude-fragment"] if self.exclude_fragment else []),
            *([f"--drop-list={self.drop_list}"] if self.drop_list is not None else []),
            *(f"--drop-param={name}" for name in self.drop_params),
            *(["--sort-params"] if self.sort_params else []),
        ]


def _escaped(name: str) -> str:
    return quote(name, safe="*")


def form_of(exclude_fragment: bool, drop_params: Iterable[str], drop_list: str | None, sort_params: bool) -> Form:
    """Return the form of given options; raise ValueError on a name or a list that cannot be one."""
    if isinstance(drop_params, str):
        raise TypeError(f"drop_params must be names, not one string: {drop_params!r}")
    names = set(drop_params)
    for name in names:
        _must_be_name(name)
    if drop_list is not None and drop_list not in _LISTS:
        raise ValueError(f"drop_list must be one of {', '.join(_LISTS)}, not {drop_list!r}")
    return Form(exclude_fragment, tuple(sorted(names, key=str.encode)), drop_list, sort_params)


def _must_be_name(name: str) -> None:
    if name.rstrip("*") == "" or "*" in name[:-1]:
        raise ValueError(f"drop_params must be names, with '*' only at their end, not {name!r}")
    if "\0" in name or any("\ud800" <= character <= "\udfff" for character in name):
        raise ValueError(f"drop_params must not hold a NUL or a lone surrogate: {name!r}")


def profile_of(name: ProfileName, form: Form) -> str:
    """Return the profile under given options; raise ValueError where they exclude each other, or are too many."""
    if name == "url":
        profile = ";".join([PROFILE, *form.settings])
        if len(profile) > _LIMIT_BYTES:
            raise ValueError(f"the profile has {len(profile)} bytes, and at most {_LIMIT_BYTES} can be told")
        return profile
    if name not in _SAFE_BROWSING or form != Form():
        raise ValueError(f"there is no profile {';'.join([name, *form.settings])!r}")
    return _SAFE_BROWSING[name]
