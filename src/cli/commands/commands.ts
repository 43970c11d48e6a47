import type { Diagnostics } from '../terminal/diagnostics.ts';
import { optionsEnd, parseArguments } from '../terminal/flag.ts';
import { didYouMean, UsageError } from '../terminal/usage-error.ts';
import type { Entry } from './command.ts';
import type { Plan } from './plan.ts';

/** The table of commands. The default command has no name; --check is a flag that takes its place. */
export const COMMANDS: readonly Entry[] = [
  { name: '', summary: 'the hash of each URL', load: async () => (await import('./sum.ts')).SUM },
  {
    name: '--check',
    summary: 'whether hashes match their lines',
    load: async () => (await import('./check.ts')).CHECK,
  },
  { name: 'canon', summary: 'the canonical form of each URL', load: async () => (await import('./canon.ts')).CANON },
  {
    name: 'expressions',
    summary: 'the expressions of each URL for Web Risk and Safe Browsing',
    load: async () => (await import('./expressions.ts')).EXPRESSIONS,
  },
  {
    name: 'hashed-uri',
    summary: 'the hashed URI of each URI, or whether it matches one',
    load: async () => (await import('./hashed-uri.ts')).HASHED_URI,
  },
  {
    name: 'hash-uri make',
    summary: 'the hash-URI of a file, or of RDF',
    load: async () => (await import('./hash-uri/make.ts')).MAKE,
  },
  {
    name: 'hash-uri name',
    summary: 'the name of a file with its code in it',
    load: async () => (await import('./hash-uri/make.ts')).NAME,
  },
  {
    name: 'hash-uri check',
    summary: 'whether files fit their hash-URIs',
    load: async () => (await import('./hash-uri/check.ts')).CHECK_FILES,
  },
  {
    name: 'hash-uri text',
    summary: 'the hashed text of RDF, and how two files differ',
    load: async () => (await import('./hash-uri/text.ts')).TEXT,
  },
  {
    name: 'hash-uri parse',
    summary: 'the parts of each hash-URI as JSON',
    load: async () => (await import('./hash-uri/lines.ts')).PARSE,
  },
  {
    name: 'hash-uri find',
    summary: 'the codes of hash-URIs in each line',
    load: async () => (await import('./hash-uri/lines.ts')).FIND,
  },
  {
    name: 'index --merge',
    summary: 'the union of several indexes',
    load: async () => (await import('./hash-index.ts')).MERGE,
  },
  {
    name: 'index --info',
    summary: 'what an index holds',
    load: async () => (await import('./hash-index.ts')).INFO,
  },
  {
    name: 'index',
    summary: 'an index of the hashes of all URLs',
    load: async () => (await import('./hash-index.ts')).INDEX,
  },
  {
    name: 'lookup',
    summary: 'the URLs that are on a list',
    load: async () => (await import('./lookup.ts')).LOOKUP,
  },
  {
    name: 'list build',
    summary: 'a list of URLs, to look others up in',
    load: async () => (await import('./list/build.ts')).BUILD,
  },
  {
    name: 'list info',
    summary: 'what a list holds',
    load: async () => (await import('./list/info.ts')).INFO,
  },
  {
    name: 'list merge',
    summary: 'the union of several lists',
    load: async () => (await import('./list/merge.ts')).MERGE,
  },
  {
    name: 'list diff',
    summary: 'the update from one version of a list to another',
    load: async () => (await import('./list/diff.ts')).DIFF,
  },
  {
    name: 'list apply',
    summary: 'a list with updates applied',
    load: async () => (await import('./list/apply.ts')).APPLY,
  },
  {
    name: 'serve',
    summary: 'answers for engines, over pipes',
    load: async () => (await import('./serve.ts')).SERVE,
  },
  {
    name: 'completion',
    summary: 'completions for bash, zsh or fish',
    load: async () => (await import('./completion.ts')).COMPLETION,
  },
  { name: 'help', summary: 'the help of a command', load: async () => (await import('./help.ts')).HELP },
];

/** Matches --check, or -c alone or with -z: no other switch that goes with it has a short form. */
const CHECK = /^(?:--check|-z*cz*)$/;

/** Returns the name of the command that a line begins with or asks help for, or the first word of a group. */
export function commandName(args: readonly string[]): string {
  const named = COMMANDS.find(({ name }) => name !== '' && name.split(' ').every((word, at) => word === args[at]));
  if (named !== undefined) return named.name;
  if (COMMANDS.some(({ name }) => name.startsWith(`${args[0]} `))) return args[0]!;
  return args.slice(0, optionsEnd(args)).some((arg) => CHECK.test(arg)) ? '--check' : '';
}

/** Returns the command that a command line asks for, and the rest of the line. @throws {UsageError} */
export function commandOf(args: readonly string[]): { readonly entry: Entry; readonly rest: readonly string[] } {
  const name = commandName(args);
  const entry = COMMANDS.find((each) => each.name === name);
  if (entry !== undefined) return { entry, rest: /^[a-z]/.test(name) ? args.slice(name.split(' ').length) : args };
  const actions = COMMANDS.filter((each) => each.name.startsWith(`${name} `)).map((each) => each.name.split(' ')[1]!);
  const [, action = ''] = args;
  const given = action === '' ? '' : `, not '${action}'${didYouMean(action, actions)}`;
  throw new UsageError(`${name} needs one of ${actions.join(', ')}${given}`);
}

/** Makes the plan of a command line that reads lines, once for each thread of -j. */
export async function planOf(args: readonly string[], diagnostics: Diagnostics): Promise<Plan> {
  const { entry, rest } = commandOf(args);
  const command = await entry.load();
  if (!('plan' in command)) throw new TypeError(`urlsum ${entry.name} reads no lines`);
  const { values, operands } = parseArguments(command.flags, rest);
  return command.plan(values, operands, diagnostics);
}
