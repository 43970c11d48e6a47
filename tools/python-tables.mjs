// The module of the Python package that has the tables of options and outputs.

const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const text = (value) => JSON.stringify(value);
const tuple = (values) => `(${values.map((value) => `${text(value)},`).join(' ')})`;
const literal = (values) => `Literal[${values.map(text).join(', ')}]`;

const TYPES = {
  switch: () => 'bool',
  value: ({ choices }) => `${choices === undefined ? 'str' : literal(choices)} | None`,
  list: ({ choices }) => `Iterable[${choices === undefined ? 'str' : literal(choices)}]`,
  file: () => 'str | None',
};

/** Said of a file, whose text a program has. */
const help = ({ kind, operand, help }) => (kind === 'file' ? help.replace(operand, 'this text') : help);

const pythonOptions = (options) =>
  `{${Object.entries(options)
    .map(([name, value]) => `${text(snakeCase(name))}: ${value === true ? 'True' : text(value)}`)
    .join(', ')}}`;

/** Values of an option by which the profile begins otherwise: another version of what is computed. */
function otherProfiles({ formOf, profileOfForm }, name, { choices = [], kind }) {
  const full = profileOfForm(formOf({}));
  if (kind !== 'value') return [];
  const profiles = choices.map((choice) => [choice, profileOfForm(formOf({ [name]: choice })).split(';')[0]]);
  return profiles.filter(([, profile]) => profile !== full);
}

function optionRow(tables, { name, excludes = [], standsFor = {} }) {
  const flag = tables.FORM_FLAGS[name];
  return `    Option(
        name=${text(snakeCase(name))},
        kind=${text(flag.kind)},
        flag=${text(`--${flag.flag}`)},
        choices=${tuple(flag.choices ?? [])},
        needs_item=${flag.needsItem === true ? 'True' : 'False'},
        excludes=${tuple(excludes.map(snakeCase))},
        stands_for={${Object.entries(standsFor).map(([value, options]) => `${text(value)}: ${pythonOptions(options)}`)}},
        profiles={${otherProfiles(tables, name, flag).map((entry) => entry.map(text).join(': '))}},
    ),`;
}

/** Returns what engines/python/src/urlsum/tables.py holds. */
export function pythonTables(tables) {
  const { FORM_FLAGS, FORM_OPTIONS, OUTPUTS, PROFILES, WIDTHS, formOf, profileOfForm, profileName } = tables;
  const framed = Object.entries(OUTPUTS).filter(([, { isFramed }]) => isFramed);
  const codes = Object.keys(OUTPUTS);
  return `"""Options and outputs: \`npm run build\` made this of src/core/url/options.ts and src/tables/outputs.ts."""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, TypedDict

ProfileName = ${literal(PROFILES)}
Width = Literal[${WIDTHS.join(', ')}]
OutputName = ${literal(framed.map(([name]) => name))}

PROFILES: Mapping[ProfileName, str] = {
    "url": ${text(profileOfForm(formOf({})))},
${PROFILES.filter((name) => name !== 'url')
  .map((name) => `    ${text(name)}: ${text(profileName(name))},`)
  .join('\n')}
}
"""The full names of canonical forms without options: hashes compare only where they agree."""


class FormOptions(TypedDict, total=False):
    """Which canonical form is meant; docs/parameters.md defines each option.

    Attributes:
${FORM_OPTIONS.map(({ name }) => `        ${snakeCase(name)}: ${help(FORM_FLAGS[name])}.`).join('\n')}
    """

${FORM_OPTIONS.map(({ name }) => `    ${snakeCase(name)}: ${TYPES[FORM_FLAGS[name].kind](FORM_FLAGS[name])}`).join('\n')}


class Option(NamedTuple):
    """An option of the form, and how the process is told it."""

    name: str
    kind: Literal["switch", "value", "list", "file"]
    flag: str
    choices: tuple[str | int, ...]
    """What the value, or each item, is one of; without any, an item is the name of a parameter."""
    needs_item: bool
    excludes: tuple[str, ...]
    """Options that it cannot be combined with."""
    stands_for: Mapping[object, Mapping[str, object]]
    """By value: the options that it is another name of."""
    profiles: Mapping[str | int, str]
    """By value: the full name of a form that begins otherwise."""


OPTIONS: tuple[Option, ...] = (
${FORM_OPTIONS.map((option) => optionRow(tables, option)).join('\n')}
)


class Output(NamedTuple):
    """What a row becomes."""

    code: int
    """Its number in the greeting."""
    values: Literal["digest", "uint64", "int64", "text", "digests"]
    profiles: tuple[ProfileName, ...]
    """The first is the default."""


OUTPUTS: Mapping[OutputName, Output] = {
${framed
  .map(
    ([name, { values, profiles }]) =>
      `    ${text(name)}: Output(${codes.indexOf(name)}, ${text(values)}, ${tuple(profiles)}),`,
  )
  .join('\n')}
}
`;
}
