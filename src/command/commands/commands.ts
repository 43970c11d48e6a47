import type { Diagnostics } from '../arguments/diagnostics.ts';
import { didYouMean } from '../arguments/did-you-mean.ts';
import { optionsEnd, parseArguments } from '../arguments/flag.ts';
import { usageFault } from '../fault.ts';
import { Input, type ReadFiles } from '../read/inputs.ts';
import type { Plan } from '../work/work.ts';
import type { Command, Entry } from './command.ts';

// The files of commands; each is loaded when one of its commands is.
const canon = () => import('./canon.ts');
const check = () => import('./check.ts');
const command = () => import('./command.ts');
const completion = () => import('./completion.ts');
const expressions = () => import('./expressions.ts');
const hashUriCheck = () => import('./hash-uri-check.ts');
const hashUriFind = () => import('./hash-uri-find.ts');
const hashUriMake = () => import('./hash-uri-make.ts');
const hashUriText = () => import('./hash-uri-text.ts');
const hashedUri = () => import('./hashed-uri.ts');
const index = () => import('./hash-index.ts');
const list = () => import('./list.ts');
const listBuild = () => import('./list-build.ts');
const listServe = () => import('./list-serve.ts');
const lookup = () => import('./lookup.ts');
const safeBrowsing = () => import('./safe-browsing.ts');
const safeBrowsingCheck = () => import('./safe-browsing-check.ts');
const same = () => import('./same.ts');
const serve = () => import('../serve/serve.ts');
const sites = () => import('./site-rules.ts');
const sql = () => import('./sql.ts');
const sum = () => import('./sum.ts');

/** All commands. `index --merge` comes before `index`: the first name that fits is taken. */
export const COMMANDS: readonly Entry[] = [
  // the default command has no name; --check is a flag that takes its place
  entry('', 'the hash of each URL', sum, 'SUM'),
  entry('--check', 'whether hashes match their lines', check, 'CHECK'),
  entry('canon', 'the canonical form of each URL', canon, 'CANON'),
  entry('expressions', 'the expressions of each URL for Web Risk and Safe Browsing', expressions, 'EXPRESSIONS'),
  entry('hashed-uri', 'the hashed URI of each URI, or whether it matches one', hashedUri, 'HASHED_URI'),
  entry('hash-uri make', 'the hash-URI of a file, or of RDF', hashUriMake, 'MAKE'),
  entry('hash-uri name', 'the name of a file with its code in it', hashUriMake, 'NAME'),
  entry('hash-uri check', 'whether files fit their hash-URIs', hashUriCheck, 'CHECK_FILES'),
  entry('hash-uri text', 'the hashed text of RDF, and how two files differ', hashUriText, 'TEXT'),
  entry('hash-uri parse', 'the parts of each hash-URI as JSON', hashUriFind, 'PARSE'),
  entry('hash-uri find', 'the codes of hash-URIs in each line', hashUriFind, 'FIND'),
  entry('same', 'whether two URLs have one key, and what keeps them apart', same, 'SAME'),
  entry('index --merge', 'the union of several indexes', index, 'MERGE'),
  entry('index --info', 'what an index holds', index, 'INFO'),
  entry('index', 'an index of the hashes of all URLs', index, 'INDEX'),
  entry('lookup', 'the URLs that are on a list', lookup, 'LOOKUP'),
  entry('list build', 'a list of URLs, to look others up in', listBuild, 'BUILD'),
  entry('list info', 'what a list holds', list, 'INFO'),
  entry('list merge', 'the union of several lists', list, 'MERGE'),
  entry('list diff', 'the update from one version of a list to another', list, 'DIFF'),
  entry('list apply', 'a list with updates applied', list, 'APPLY'),
  entry('site-rules', 'what rules for sites say, and of which URLs', sites, 'SITE_RULES'),
  entry('list serve', 'lists for clients of Safe Browsing v5', listServe, 'LIST_SERVE'),
  entry('safe-browsing update', "Google's lists, or another server's, in a folder", safeBrowsing, 'UPDATE'),
  entry('safe-browsing check', 'whether each URL is safe', safeBrowsingCheck, 'CHECK'),
  entry('safe-browsing serve', 'look-ups of v5 and v4 for programs of this machine', safeBrowsing, 'SERVE'),
  entry('sql', "rows of DuckDB's, with functions for URLs", sql, 'SQL'),
  entry('serve', 'answers for engines, over pipes', serve, 'SERVE'),
  entry('completion', 'completions for bash, zsh or fish', completion, 'COMPLETION'),
  entry('help', 'the help of a command', command, 'HELP'),
];

function entry<Name extends string>(
  name: string,
  summary: string,
  file: () => Promise<Readonly<Record<Name, Command>>>,
  command: Name,
): Entry {
  return { name, summary, load: async () => (await file())[command] };
}

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

/** The files of a run that a thread of -j gets as the main thread has read them. */
export interface FilesRead {
  /** The first bytes of each input, if they were looked at. */
  readonly starts: readonly (Uint8Array | undefined)[];
  /** The bytes of files that options name. */
  readonly files: ReadFiles;
}

/** Makes the plan of a command line that reads lines, once for each thread of -j. */
export async function planOf(args: readonly string[], diagnostics: Diagnostics, read?: FilesRead): Promise<Plan> {
  const { entry, rest } = commandOf(args);
  const command = await entry.load();
  if (!('plan' in command)) throw new TypeError(`urlsum ${entry.name} reads no lines`);
  const { values, operands } = parseArguments(command.flags, rest, read?.files);
  const inputs = operands.map((name, at) => new Input(name, read?.starts[at]));
  return command.plan(values, inputs, diagnostics);
}
