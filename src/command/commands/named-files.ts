import { type BigIntStats, fstatSync, statSync } from 'node:fs';
import { type Flags, optionOf } from '../arguments/flag.ts';
import { usageFault } from '../fault.ts';
import { OptionFile } from '../read/inputs.ts';
import { isTerminal, STANDARD_OUTPUT, targetOf } from '../write/output.ts';

const STANDARD_STREAM = '-';
const STANDARD_INPUT = 0;

/** An option and the file that it names. */
type NamedFile = readonly [option: string, path: string];

/**
 * Refuses files that get in each other's way before anything is written: an output that would replace a file that the
 * run keeps open or replaces later (an index, a list), standard input that would be read twice, and standard output that
 * is an input. `--out` may replace an input at the end, but for an index, which is not URLs any more.
 *
 * @param isInputRead whether operands are inputs, so that standard input is read where there are none
 * @throws {Fault}
 */
export function mustNotClash(
  flags: Flags,
  values: Readonly<Record<string, unknown>>,
  operands: readonly string[],
  isInputRead: boolean,
): void {
  const { out } = values as { readonly out?: string };
  const kept = keptFiles(flags, values);
  const nameless = kept.find(([, path]) => path === '');
  if (nameless !== undefined) throw usageFault(`${nameless[0]}: the name of a file cannot be empty`);
  for (const [option, path] of kept) mustNotReplace(out, path, `the file of ${option}`);
  const read = kept.filter(([option]) => option !== '--list'); // lookup refuses - itself, with its reason
  mustBeReadByOneThread(read, values);
  const inputs = isInputRead && operands.length === 0 ? [STANDARD_STREAM] : operands;
  mustReadOnce(read, inputs);
  if (isInputRead && (out === undefined || out === STANDARD_STREAM)) mustNotFeedItself(inputs);
}

/** Returns the file of `--out`, for bytes. @throws {Fault} where there is none, or it is a terminal */
export function mustHaveOut(command: string, out: string | undefined): string {
  if (out === undefined) throw usageFault(`${command} needs --out FILE`);
  mustNotBeTerminal(out, `what urlsum ${command} writes`);
  return out;
}

/** @throws {Fault} where the output, `out` or else standard output, is a terminal */
export function mustNotBeTerminal(out: string | undefined, what: string): void {
  if (isTerminal(out)) throw usageFault(`${what} is not for a terminal: write to a file with --out, or to a pipe`);
}

/** @throws {Fault} where the output is an input, of which it holds only hashes: a list, or an `index` */
export function mustNotReplaceInputs(out: string | undefined, inputs: readonly { name: string }[], kind: string): void {
  const paths = inputs.length === 0 ? [STANDARD_STREAM] : inputs.map(({ name }) => name);
  const path = paths.find((each) => isOutput(out, each));
  if (path === undefined) return;
  throw usageFault(`--out ${out} is the input ${path}: the ${kind} would replace what it is made of`);
}

/** @throws {Fault} where the output, `out` or else standard output, is the file at `path` */
export function mustNotReplace(out: string | undefined, path: string, name: string): void {
  if (!isOutput(out, path)) return;
  const output = out === undefined || out === STANDARD_STREAM ? 'standard output' : `--out ${out}`;
  throw usageFault(`${output} is ${name}, which this run still needs: write to another file`);
}

function keptFiles(flags: Flags, values: Readonly<Record<string, unknown>>): NamedFile[] {
  const names = Object.keys(flags).filter((name) => flags[name]!.isPath === true && name !== 'out');
  return names.flatMap((name) => [values[name] ?? []].flat().map((file) => [optionOf(name), pathOf(file)] as const));
}

function pathOf(file: unknown): string {
  return file instanceof OptionFile ? file.path : (file as string);
}

/** Each thread opens the files that its plan names; one thread looks hashes up for --against and runs SQL of --file. */
function mustBeReadByOneThread(kept: readonly NamedFile[], values: Readonly<Record<string, unknown>>): void {
  const [option] = kept.find(([name, path]) => !READ_BY_ONE_THREAD.includes(name) && path === STANDARD_STREAM) ?? [];
  if (option !== undefined && ((values['jobs'] as number | undefined) ?? 1) !== 1)
    throw usageFault(`${option} - and --jobs cannot be combined: standard input is read by one thread`);
}

const READ_BY_ONE_THREAD: readonly string[] = ['--against', '--file'];

function mustReadOnce(kept: readonly NamedFile[], operands: readonly string[]): void {
  const readers = kept.filter(([, path]) => path === STANDARD_STREAM).map(([option]) => option);
  if (operands.includes(STANDARD_STREAM)) readers.push('FILE');
  if (readers.length > 1)
    throw usageFault(`standard input can be read only once, not as both ${readers.join(' and ')}`);
}

/** A shell has emptied such an input for `>`; with `>>`, each read finds what was written. */
function mustNotFeedItself(inputs: readonly string[]): void {
  const path = inputs.find((each) => isOutput(undefined, each));
  if (path === undefined) return;
  throw usageFault(
    `standard output is the input ${path}: write to another file, or with --out to replace it at the end`,
  );
}

/** Compares paths where neither file exists yet; otherwise hard links to one file count as the same file, too. */
function isOutput(out: string | undefined, path: string): boolean {
  const isStream = path === STANDARD_STREAM;
  const found = statsOf(isStream ? STANDARD_INPUT : path);
  if (out === undefined || out === STANDARD_STREAM) return isSameFile(found, statsOf(STANDARD_OUTPUT));
  const known = statsOf(out);
  if (isStream || found !== undefined || known !== undefined) return isSameFile(found, known);
  const [one, other] = [path, out].map((each) => attempt(() => targetOf(each)));
  return one !== undefined && other !== undefined && 'path' in one && 'path' in other && one.path === other.path;
}

/** @param file a path, or a descriptor */
function statsOf(file: string | number): BigIntStats | undefined {
  const options = { bigint: true } as const;
  return attempt(() => (typeof file === 'number' ? fstatSync(file, options) : statSync(file, options)));
}

function isSameFile(one: BigIntStats | undefined, other: BigIntStats | undefined): boolean {
  return one?.isFile() === true && one.ino === other?.ino && one.dev === other.dev;
}

/** Returns undefined where there is no such file: opening it gives the reason. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
