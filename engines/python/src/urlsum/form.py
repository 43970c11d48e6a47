"""The canonical form that options choose, and its name: a profile, by which the library is told it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, cast

from urlsum import search_variance
from urlsum.search_variance import escaped, sorted_names
from urlsum.tables import OPTIONS, PROFILE, Option, Options

Value: TypeAlias = bool | str | int | tuple[str | int, ...]


@dataclass(frozen=True)
class Form:
    """A canonical form, and how what is relative or lacks a scheme is read: equal ones are computed alike."""

    values: tuple[tuple[str, Value], ...] = ()
    """The options that differ from their defaults, in the order of the table."""

    @property
    def options(self) -> Options:
        """The same for ``UrlHasher`` and the like."""
        return cast(Options, dict(self.values))

    def profile(self, site_rules_id: Callable[[str], str]) -> str:
        """Return its name, such as ``url/1+unicode18;exclude-fragment``: equal options have equal names."""
        values = dict(self.values)
        given = [(option, values[option.name]) for option in OPTIONS if option.name in values]
        others = (option.profiles[value] for option, value in given if value in option.profiles)  # type: ignore[index]
        start = next(others, PROFILE)
        settings = [_setting(option, value, site_rules_id) for option, value in given if option.setting]
        return ";".join([start, *settings])


def _setting(option: Option, value: Value, site_rules_id: Callable[[str], str]) -> str:
    if value is True:
        return cast(str, option.setting)
    if isinstance(value, tuple):
        written = ",".join(map(str, value) if option.choices else map(escaped, map(str, value)))
    elif option.kind == "header":
        written = search_variance.setting_of(str(value))
    elif option.kind == "file":
        written = site_rules_id(str(value))
    else:
        written = str(value)
    return f"{option.setting}={written}"


def form_of(options: Mapping[str, object]) -> Form:
    """Return the form of given options; None is an option's default.

    Raises:
        TypeError: an option that does not exist, or a value of the wrong kind.
        ValueError: another value that it does not have, and options that exclude each other.
    """
    names = [option.name for option in OPTIONS]
    for name in options:
        if name not in names:
            raise TypeError(f"there is no option {name!r}: the options are {', '.join(names)}")
    spelled = _spelled_out(options)
    given = [(option, spelled[option.name]) for option in OPTIONS if spelled.get(option.name) is not None]
    checked = [(option, _checked(option, value)) for option, value in given]
    values = {option.name: value for option, value in checked if value not in (False, (), "")}
    for option in OPTIONS:
        for other in option.excludes:
            if option.name in values and other in values:
                raise ValueError(f"{other} and {option.name} cannot be combined")
    return Form(tuple(values.items()))


def _spelled_out(options: Mapping[str, object]) -> Mapping[str, object]:
    """Return the options with those in place of a value that is another name of them."""
    spelled = dict(options)
    for option in OPTIONS:
        if not option.stands_for or spelled.get(option.name) is None:
            continue
        meant = option.stands_for[_checked_choice(option, spelled.pop(option.name))]
        for other in OPTIONS:
            value = spelled.get(other.name)
            if other.name in meant:
                contradicts = value not in (meant[other.name], _more_than(other, meant[other.name]))
            else:
                contradicts = not meant.keys().isdisjoint(other.excludes)
            if value is not None and contradicts:
                raise ValueError(f"{option.name} and {other.name} cannot be combined")
        spelled.update({name: value for name, value in meant.items() if spelled.get(name) is None})
    return spelled


def _more_than(option: Option, value: object) -> object:
    """Return the value that asks for more than one of a switch, and may be beside it: True."""
    return True if option.kind == "switch" else value


def _checked(option: Option, value: object) -> Value:
    if option.kind == "switch":
        if not isinstance(value, bool) and value not in option.choices:
            values = " or ".join(["True", "False", *map(repr, option.choices)])
            raise TypeError(f"{option.name} must be {values}, not {value!r}")
        return cast(Value, value)
    if option.kind in ("text", "header", "file"):
        if not isinstance(value, str):
            raise TypeError(f"{option.name} must be a text, not a {type(value).__name__}")
        return _checked_header(option, value) if option.kind == "header" else value
    return _checked_items(option, value) if option.kind == "list" else _checked_choice(option, value)


def _checked_header(option: Option, value: str) -> str:
    try:
        search_variance.setting_of(value)
    except ValueError as error:
        raise ValueError(f"{option.name} cannot be {value!r}: {error}") from None
    return value


def _checked_items(option: Option, value: object) -> tuple[str | int, ...]:
    """Return each item once, in an order that does not depend on that of ``value``."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"{option.name} must be a list, not {value!r}")
    items = list(value)
    if option.needs_item and not items:
        raise ValueError(f"{option.name} must have an item, and the list is empty")
    if option.choices:
        chosen = {_checked_choice(option, item) for item in items}
        return tuple(choice for choice in option.choices if choice in chosen)
    return tuple(sorted_names(_checked_name(option, item) for item in items))


def _checked_choice(option: Option, value: object) -> str | int:
    for choice in option.choices:
        if choice == value:
            return choice
    raise ValueError(f"{option.name} must be one of {', '.join(map(str, option.choices))}, not {value!r}")


def _checked_name(option: Option, name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"{option.name} must be names of parameters, not {name!r}")
    if name.rstrip("*") == "" or "*" in name[:-1]:
        raise ValueError(f"{option.name} must be names, with '*' only at their end, not {name!r}")
    if "\0" in name or any("\ud800" <= character <= "\udfff" for character in name):
        raise ValueError(f"{option.name} must not hold a NUL or a lone surrogate: {name!r}")
    return name
