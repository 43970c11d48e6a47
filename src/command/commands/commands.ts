import type { Diagnostics } from '../arguments/diagnostics.ts';
import { didYouMean, meantArguments, optionsEnd, parseArguments } from '../arguments/flag.ts';
import { usageFault } from '../fault.ts';
import type { Plan } from '../work/work.ts';
import type { Entry } from './command.ts';

// The files with several commands; each is loaded when one of its commands is.
const hashUri = () => import('./hash-uri.ts');
const index = () => import('./hash-index.ts');
const help = () => import('./help.ts');
const list = () => import('./list.ts');
const safeBrowsing = () => import('./safe-browsing.ts');

/** The default command has no name; --check is a flag that takes its place. */
const TABLE: readonly (readonly [name: string, summary: string, load: Entry['load']])[] = [
  ['', 'the hash of each URL', async () => (await import('./sum.ts')).SUM],
  ['--check', 'whether hashes match their lines', async () => (await import('./check.ts')).CHECK],
  ['canon', 'the canonical form of each URL', async () => (await import('./canon.ts')).CANON],
  [
    'expressions',
    'the expressions of each URL for Web Risk and Safe Browsing',
    async () => (await import('./expressions.ts')).EXPRESSIONS,
  ],
  [
    'hashed-uri',
    'the hashed URI of each URI, or whether it matches one',
    async () => (await import('./hashed-uri.ts')).HASHED_URI,
  ],
  ['hash-uri make', 'the hash-URI of a file, or of RDF', async () => (await hashUri()).MAKE],
  ['hash-uri name', 'the name of a file with its code in it', async () => (await hashUri()).NAME],
  ['hash-uri check', 'whether files fit their hash-URIs', async () => (await hashUri()).CHECK_FILES],
  [
    'hash-uri text',
    'the hashed text of RDF, and how two files differ',
    async () => (await import('./hash-uri-text.ts')).TEXT,
  ],
  ['hash-uri parse', 'the parts of each hash-URI as JSON', async () => (await hashUri()).PARSE],
  ['hash-uri find', 'the codes of hash-URIs in each line', async () => (await hashUri()).FIND],
  ['index --merge', 'the union of several indexes', async () => (await index()).MERGE],
  ['index --info', 'what an index holds', async () => (await index()).INFO],
  ['index', 'an index of the hashes of all URLs', async () => (await index()).INDEX],
  ['lookup', 'the URLs that are on a list', async () => (await import('./lookup.ts')).LOOKUP],
  ['list build', 'a list of URLs, to look others up in', async () => (await import('./list-build.ts')).BUILD],
  ['list info', 'what a list holds', async () => (await list()).INFO],
  ['list merge', 'the union of several lists', async () => (await list()).MERGE],
  ['list diff', 'the update from one version of a list to another', async () => (await list()).DIFF],
  ['list apply', 'a list with updates applied', async () => (await list()).APPLY],
  [
    'site-rules',
    'what rules for sites say, and of which URLs',
    async () => (await import('./site-rules.ts')).SITE_RULES,
  ],
  ['list serve', 'lists for clients of Safe Browsing v5', async () => (await list()).SERVE],
  [
    'safe-browsing update',
    "Google's lists, or another server's, in a folder",
    async () => (await safeBrowsing()).UPDATE,
  ],
  ['safe-browsing check', 'whether each URL is safe', async () => (await import('./safe-browsing-check.ts')).CHECK],
  [
    'safe-browsing serve',
    'look-ups of v5 and v4 for programs of this machine',
    async () => (await safeBrowsing()).SERVE,
  ],
  ['sql', "rows of DuckDB's, with functions for URLs", async () => (await import('./sql.ts')).SQL],
  ['serve', 'answers for engines, over pipes', async () => (await import('./serve.ts')).SERVE],
  ['completion', 'completions for bash, zsh or fish', async () => (await help()).COMPLETION],
  ['help', 'the help of a command', async () => (await help()).HELP],
];

/** All commands. `index --merge` comes before `index`: the first name that fits is taken. */
export const COMMANDS: readonly Entry[] = TABLE.map(([name, summary, load]) => ({ name, summary, load }));

/** Matches --check, or -c alone or with -z: no other switch that goes with it has a short form. */
const CHECK = /^(?:--check|-z*cz*)$/;

/** Returns the name of the command that a line begins with or asks help for, or the first word of a group. */
export function commandName(args: readonly string[]): string {
  const named = COMMANDS.find(({ name }) => name !== '' && name.split(' ').every((word, at) => word === args[at]));
  if (named !== undefined) return named.name;
  if (COMMANDS.some(({ name }) => name.startsWith(`${args[0]} `))) return args[0]!;
  return args.slice(0, optionsEnd(args)).some((arg) => CHECK.test(arg)) ? '--check' : '';
}

/** Returns the command that a command line asks for, and the rest of the line. @throws {Fault} */
export function commandOf(args: readonly string[]): { readonly entry: Entry; readonly rest: readonly string[] } {
  const name = commandName(args);
  const entry = COMMANDS.find((each) => each.name === name);
  if (entry !== undefined) return { entry, rest: /^[a-z]/.test(name) ? args.slice(name.split(' ').length) : args };
  const actions = COMMANDS.filter((each) => each.name.startsWith(`${name} `)).map((each) => each.name.split(' ')[1]!);
  const [, action = ''] = args;
  const given = action === '' ? '' : `, not '${action}'${didYouMean(action, actions)}`;
  throw usageFault(`${name} needs one of ${actions.join(', ')}${given}`);
}

/** Returns the line with its command before the options; undefined if no command comes after them. */
export function commandFirst(args: readonly string[]): readonly string[] | undefined {
  const words = COMMANDS.filter(({ name }) => /^[a-z]/.test(name)).map(({ name }) => name.split(' ')[0]!);
  const at = args.slice(0, optionsEnd(args)).findIndex((arg) => words.includes(arg));
  if (at < 1) return undefined;
  const end = at + commandName(args.slice(at)).split(' ').length;
  return [...args.slice(at, end), ...args.slice(0, at), ...args.slice(end)];
}

/** Returns a line that is in order as a shell reads it, with the options that were meant, or else as the help has it. */
export async function lineInOrder(args: readonly string[]): Promise<string> {
  const { entry, rest } = commandOf(args);
  const { flags, operands } = await entry.load();
  const meant = meantArguments(flags, rest)?.map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
  );
  return ['urlsum', entry.name, ...(meant ?? ['[OPTION]…', operands])].join(' ');
}

/** Makes the plan of a command line that reads lines, once for each thread of -j. */
export async function planOf(args: readonly string[], diagnostics: Diagnostics): Promise<Plan> {
  const { entry, rest } = commandOf(args);
  const command = await entry.load();
  if (!('plan' in command)) throw new TypeError(`urlsum ${entry.name} reads no lines`);
  const { values, operands } = parseArguments(command.flags, rest);
  return command.plan(values, operands, diagnostics);
}
