"""The header No-Vary-Search: draft-ietf-httpbis-no-vary-search-10, a dictionary of structured fields (RFC 9651)."""

import re
from collections.abc import Iterable
from urllib.parse import quote, unquote_plus, unquote_to_bytes

_KEY = r"[a-z*][-a-z\d_.*]*"
_BARE_ITEM = (
    r"-?\d{1,12}\.\d{1,3}|@?-?\d{1,15}|\"(?:[ !#-\[\]-~]|\\[\"\\])*\"|[A-Za-z*][-!#-'*+.^`|~\w:/]*"
    r"|:[A-Za-z\d+/=]*:|\?[01]|%\"(?:[ !#$&-~]|%[\da-f]{2})*\""
)
_PARAMETERS = rf"(?:; *{_KEY}(?:=(?:{_BARE_ITEM}))?)*"
_ITEM = rf"(?:{_BARE_ITEM}){_PARAMETERS}"
_INNER = rf"\( *(?:{_ITEM}(?: +{_ITEM})*)? *\)"
_MEMBER = re.compile(
    rf"({_KEY})(?:=({_BARE_ITEM}|{_INNER}))?{_PARAMETERS}(?:[ \t]*,[ \t]*(?![ \t]|\Z)|(?= *\Z))", re.ASCII
)
_ITEMS = re.compile(f"({_BARE_ITEM}){_PARAMETERS}", re.ASCII)
_STRINGS = re.compile(r'%"([^"]*)(?:"|\Z)|"(?:[^"\\]|\\[\s\S])*(?:"|\\?\Z)')


def setting_of(value: str) -> str:
    """Return what a profile has for a value of the header: its names decoded, each once, sorted and escaped.

    Raises:
        ValueError: it is not such a value, or lets no parameter vary.
    """
    members = _members(value)
    order, params, named = members.get("key-order", False), members.get("params"), members.get("except")
    if not isinstance(order, bool):
        raise ValueError("key-order must be a boolean")
    drops_named = params is not True and named is None
    names = named if params is True or params is None else params
    if params not in (None, True) and named is not None:
        raise ValueError("params and except exclude each other")
    if names is None:
        names = ()
    if not isinstance(names, tuple):
        raise ValueError(f"{'params' if drops_named else 'except'} must be a list of strings")
    if drops_named and not names and not order:
        raise ValueError("equivalent to no header")
    listed = f"({','.join(map(escaped, sorted_names(names)))})" if names else ""
    settings = ["key-order"] if order else []
    if names or not drops_named:
        settings.append(("params" if drops_named else "except") + listed)
    return ",".join(settings)


def sorted_names(names: Iterable[str]) -> list[str]:
    """Return names in the order of their UTF-8, each once."""
    return sorted(set(names), key=str.encode)


def escaped(name: str) -> str:
    """Return the name of a parameter as a profile spells it: a final ``*`` stays."""
    body = name.removesuffix("*")
    return quote(body, safe="") + name[len(body) :]


def _members(value: str) -> dict[str, object]:
    """Return the members of a dictionary: booleans, tuples of decoded names, and None of another kind as ``...``."""
    members: dict[str, object] = {}
    start = len(value) - len(value.lstrip(" "))
    end = max(start, len(value.rstrip(" ")))
    at = start
    while at < end:
        found = _MEMBER.match(value, at)
        if found is None:
            raise ValueError(f"not a structured field: no member of a dictionary at position {at}")
        members[found[1]] = _member(found[2] or "?1")
        at = found.end()
    for string in _STRINGS.finditer(value):
        try:
            unquote_to_bytes(string[1] or "").decode()
        except UnicodeDecodeError:
            raise ValueError("not a structured field: a display string is not UTF-8") from None
    return members


def _member(text: str) -> object:
    if text[0] == "?":
        return text == "?1"
    items = [item[1] for item in _ITEMS.finditer(text[1:-1])] if text[0] == "(" else [text]
    if text[0] != "(" or any(item[0] != '"' for item in items):
        return ...
    return tuple(unquote_plus(re.sub(r"\\(.)", r"\1", item[1:-1])) for item in items)
