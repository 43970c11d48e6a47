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
        <command>urlsum-serve --format rowbinary --output ${options}</command>
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
