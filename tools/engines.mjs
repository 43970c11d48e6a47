// The tables of options and outputs, for what `npm run build` writes for engines.

import { sourceModule } from './sources.mjs';

/** Returns the tables of the sources. */
export function engineTables() {
  return sourceModule(`
    export { FORM_FLAGS, FORM_OPTIONS, formOf } from './src/core/url/options.ts';
    export { DEFAULT_SCHEMES } from './src/core/url/parsed-url.ts';
    export { profileOfForm } from './src/core/url/profile.ts';
    export { OUTPUTS, WIDTHS } from './src/tables/outputs.ts';`);
}

// The functions of ClickHouse. There a function has one type and no options, so that each width, and the form without
// the fragment, has a name of its own; its process starts with the first query that uses it.

const HASHES = [
  { bits: '', returns: 'FixedString(32)', output: 'hash' },
  { bits: '128', returns: 'FixedString(16)', output: 'hash --width 16' },
  { bits: '64', returns: 'UInt64', output: 'u64' },
];

const EXPRESSIONS = [
  { bits: '', width: 32 },
  { bits: '128', width: 16 },
  { bits: '64', width: 8 },
].map(({ bits, width }) => ({
  name: `urlExpressions${bits}`,
  takes: 'String',
  returns: `Array(FixedString(${width}))`,
  options: `expressions --width ${width}`,
}));

/** An invalid row is zero. */
const hash = (suffix, flag, { bits, returns, output }) => ({
  name: `urlHash${bits}${suffix}`,
  takes: 'String',
  returns,
  options: `${output}${flag}`,
});

/** An invalid row is NULL. */
const hashOrNull = (suffix, flag, { bits, returns, output }) => ({
  name: `urlHash${bits}OrNull${suffix}`,
  takes: 'Nullable(String)',
  returns: `Nullable(${returns})`,
  options: `${output} --nullable${flag}`,
});

/** `canonical` and the like. */
const text = (suffix, flag, output) => ({
  name: `url${output[0].toUpperCase()}${output.slice(1)}${suffix}`,
  takes: 'Nullable(String)',
  returns: 'Nullable(String)',
  options: `${output} --nullable${flag}`,
});

/** ClickHouse sends nothing to a function without arguments: this one's is ignored. */
const profile = (suffix, flag) => ({
  name: `urlProfile${suffix}`,
  takes: 'String',
  returns: 'String',
  options: `profile${flag}`,
});

const ofOneProfile = (suffix, flag, texts) => [
  ...HASHES.flatMap((each) => [hash(suffix, flag, each), hashOrNull(suffix, flag, each)]),
  ...texts.map((output) => text(suffix, flag, output)),
  profile(suffix, flag),
];

/** Timeouts of 60 s, where ClickHouse has 10: a busy machine may take that for a block. */
const element = ({ name, takes, returns, options }) => `    <function>
        <type>executable_pool</type>
        <name>${name}</name>
        <return_type>${returns}</return_type>
        <argument>
            <name>url</name>
            <type>${takes}</type>
        </argument>
        <format>RowBinary</format>
        <command>urlsum-serve --output ${options}</command>
        <execute_direct>1</execute_direct>
        <send_chunk_header>1</send_chunk_header>
        <deterministic>1</deterministic>
        <pool_size>2</pool_size>
        <max_command_execution_time>60</max_command_execution_time>
        <command_read_timeout>60000</command_read_timeout>
        <command_write_timeout>60000</command_write_timeout>
    </function>
`;

/** Returns what engines/clickhouse/udf_config.xml holds. */
export function clickhouseFunctions({ FORM_FLAGS, OUTPUTS }) {
  const texts = Object.keys(OUTPUTS).filter((name) => name !== 'profile' && OUTPUTS[name].values === 'text');
  const functions = [
    ...ofOneProfile('', '', texts),
    ...EXPRESSIONS,
    ...ofOneProfile('WithoutFragment', ` --${FORM_FLAGS.excludeFragment.flag}`, ['canonical']),
  ];
  return `<!-- Functions on \`urlsum serve\`, made by \`npm run build\`; docs/engines.md says what they give and how to install them.
     chdb takes this folder as its udf_path; a server reads this file as /etc/clickhouse-server/urlsum_function.xml. -->
<functions>
${functions.map(element).join('')}</functions>
`;
}

// The module of the Python package that has the tables of options and outputs.

const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const pythonText = (value) => JSON.stringify(value);
const tuple = (values) => `(${values.map((value) => `${pythonText(value)},`).join(' ')})`;
const literal = (values) => `Literal[${values.map(pythonText).join(', ')}]`;

const TYPES = {
  switch: ({ choices }) => (choices === undefined ? 'bool' : `bool | ${literal(choices)}`),
  value: ({ choices }) => `${literal(choices)} | None`,
  list: ({ choices }) => `Iterable[${choices === undefined ? 'str' : literal(choices)}]`,
  text: () => 'str | None',
  header: () => 'str | None',
  file: () => 'str | None',
};

/** Said of a file, whose text a program has. */
const help = ({ kind, operand, help }) => (kind === 'file' ? help.replace(operand, 'this text') : help);

const pythonOptions = (options) =>
  `{${Object.entries(options)
    .map(([name, value]) => `${pythonText(snakeCase(name))}: ${value === true ? 'True' : pythonText(value)}`)
    .join(', ')}}`;

/** Values of an option by which the profile begins otherwise: another version of what is computed. */
function otherProfiles({ formOf, profileOfForm }, name, { choices = [], kind }) {
  const full = profileOfForm(formOf({}));
  if (kind !== 'value') return [];
  const profiles = choices.map((choice) => [choice, profileOfForm(formOf({ [name]: choice })).split(';')[0]]);
  return profiles.filter(([, profile]) => profile !== full);
}

/** The options of the form, and how URLs are read, which has no place in a profile. */
function pythonRows(tables) {
  const { DEFAULT_SCHEMES, FORM_FLAGS, FORM_OPTIONS } = tables;
  const ofForm = FORM_OPTIONS.map(({ name, setting, excludes = [], standsFor = {} }) => {
    const flag = FORM_FLAGS[name];
    const kind = flag.kind === 'value' && flag.choices === undefined ? 'header' : flag.kind;
    const profiles = otherProfiles(tables, name, flag);
    return { ...flag, name, kind, setting, excludes, standsFor, profiles, help: help(flag) };
  });
  const reading = [
    { name: 'base', kind: 'text', help: 'resolve relative URLs against this URL' },
    {
      name: 'defaultScheme',
      kind: 'value',
      choices: DEFAULT_SCHEMES,
      excludes: ['base'],
      help: 'read what lacks a scheme with this one',
    },
  ];
  return [...ofForm, ...reading];
}

function optionRow({ name, kind, setting, choices = [], needsItem, excludes = [], standsFor = {}, profiles = [] }) {
  return `    Option(
        name=${pythonText(snakeCase(name))},
        kind=${pythonText(kind)},
        setting=${setting === undefined ? 'None' : pythonText(setting)},
        choices=${tuple(choices)},
        needs_item=${needsItem === true ? 'True' : 'False'},
        excludes=${tuple(excludes.map(snakeCase))},
        stands_for={${Object.entries(standsFor).map(([value, options]) => `${pythonText(value)}: ${pythonOptions(options)}`)}},
        profiles={${profiles.map((entry) => entry.map(pythonText).join(': '))}},
    ),`;
}

/** Returns what engines/python/src/urlsum/tables.py holds. */
export function pythonTables(tables) {
  const { OUTPUTS, WIDTHS, formOf, profileOfForm } = tables;
  const options = pythonRows(tables);
  const outputs = Object.entries(OUTPUTS).filter(([name, { profiles }]) => name !== 'profile' && profiles[0] === 'url');
  return `"""Options and outputs: \`npm run build\` made this of src/core/url/options.ts and src/tables/outputs.ts."""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, TypedDict

Width = Literal[${WIDTHS.join(', ')}]
OutputName = Literal[${outputs.map(([name]) => pythonText(name)).join(', ')}]

PROFILE = ${pythonText(profileOfForm(formOf({})))}
"""The profile of URLs without options: it changes whenever the hash of any URL could."""

class Options(TypedDict, total=False):
    """Which canonical form is meant, which docs/parameters.md defines, and how URLs are read.

    Attributes:
${options.map((option) => `        ${snakeCase(option.name)}: ${option.help}.`).join('\n')}
    """

${options.map((option) => `    ${snakeCase(option.name)}: ${TYPES[option.kind](option)}`).join('\n')}

class Option(NamedTuple):
    """An option, and how the library is told it."""

    name: str
    kind: Literal["switch", "value", "list", "text", "header", "file"]
    setting: str | None
    """Its name in a profile, if it has one there."""
    choices: tuple[str | int, ...]
    """What the value, or each item, is one of; without any, an item is the name of a parameter."""
    needs_item: bool
    excludes: tuple[str, ...]
    """Options that it cannot be combined with."""
    stands_for: Mapping[object, Mapping[str, object]]
    """By value: the options that it is another name of."""
    profiles: Mapping[str | int, str]
    """By value: the beginning of the profile where that is another one."""

OPTIONS: tuple[Option, ...] = (
${options.map(optionRow).join('\n')}
)

OUTPUTS: Mapping[OutputName, Literal["digest", "uint64", "int64", "text"]] = {
${outputs.map(([name, { values }]) => `    ${pythonText(name)}: ${pythonText(values)},`).join('\n')}
}
"""What each output makes of a row."""


def function_name(output: OutputName, prefix: str = "url_") -> str:
    """Return what an output is called in SQL: \`\`url_canonical\`\`; a number is one form of the hash."""
    return f"{prefix}hash_{output}" if OUTPUTS[output] in ("uint64", "int64") else f"{prefix}{output}"
`;
}
