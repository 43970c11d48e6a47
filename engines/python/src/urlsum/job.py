"""What a process computes for each row: an output, its width, and the canonical form behind it."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import pyarrow as pa

from urlsum.errors import ChildDiedError, ProfileMismatchError
from urlsum.form import Form, form_of
from urlsum.frames import type_of
from urlsum.tables import OUTPUTS, OutputName, ProfileName, Width


@dataclass(frozen=True)
class Job:
    """Equal ones are computed alike: the options of ``urlsum serve``."""

    output: OutputName
    width: Width
    profile: ProfileName
    form: Form

    @property
    def type(self) -> pa.DataType:
        """The type of its answers."""
        return type_of(self.output, self.width)

    @contextlib.contextmanager
    def arguments(self) -> Iterator[list[str]]:
        """Give its command line, whose texts are files meanwhile; what the process says of one is a ValueError."""
        has_width = OUTPUTS[self.output].values in ("digest", "digests")
        width = ["--width", str(self.width)] if has_width else []
        own = ["--output", self.output, "--profile", self.profile, *width]
        if not self.form.has_texts:
            yield [*own, *self.form.arguments(Path())]
            return
        with tempfile.TemporaryDirectory(prefix="urlsum-") as folder:
            try:
                yield [*own, *self.form.arguments(Path(folder))]
            except ChildDiedError as error:
                _, _, problem = str(error).partition(folder)
                if problem == "":
                    raise
                raise ValueError(problem.partition(": ")[2]) from error

    def must_be_of(self, profile: str) -> None:
        """Raise ProfileMismatchError where a process says that it computes another profile."""
        computed, _, _ = profile.partition(";")
        named = self.form.profile_start(self.profile)
        if computed != named:
            raise ProfileMismatchError(
                f"the process computes {computed}, this package names {named}: "
                "install the same version of urlsum everywhere"
            )


def job_of(width: Width, output: OutputName, profile: ProfileName | None, options: Mapping[str, object] | Form) -> Job:
    """Return a job of options; where ``profile`` is None it is the output's first.

    Raises:
        TypeError: an option that does not exist, or a value of the wrong kind.
        ValueError: another value that an option does not have, and options that exclude each other.
    """
    must_be_one_of("width", width, get_args(Width))
    must_be_one_of("output", output, tuple(OUTPUTS))
    form = options if isinstance(options, Form) else form_of(options)
    profiles = OUTPUTS[output].profiles
    profile = profiles[0] if profile is None else profile
    must_be_one_of("profile", profile, get_args(ProfileName))
    if profile not in profiles:
        raise ValueError(f"output {output!r} needs profile {' or '.join(map(repr, profiles))}, not {profile!r}")
    if profile != "url" and form.values:
        raise ValueError(f"{form.values[0][0]} needs profile 'url', not {profile!r}")
    return Job(output, width, profile, form)


def must_be_one_of(name: str, value: object, choices: tuple[object, ...]) -> None:
    """Raise ValueError where a value is none of them."""
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(str, choices))}, not {value!r}")
