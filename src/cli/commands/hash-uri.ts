import { createHash } from 'node:crypto';
import { decodeLine } from '../../bytes/utf8.ts';
import type { Chunks } from '../../hash-uri/chunks.ts';
import { findCodes } from '../../hash-uri/code.ts';
import { HashUriError } from '../../hash-uri/error.ts';
import { fileNameOf } from '../../hash-uri/file-name.ts';
import { parse } from '../../hash-uri/hash-uri.ts';
import { makeFromStream } from '../../hash-uri/make.ts';
import { verifyStream } from '../../hash-uri/verify.ts';
import { InputError, inputsOf } from '../input/inputs.ts';
import type { Output } from '../output/output.ts';
import { StandardOutput } from '../output/standard-output.ts';
import type { Diagnostics } from '../terminal/diagnostics.ts';
import { ON_ERROR, oneOf, parseOptions } from '../terminal/options.ts';
import { UsageError } from '../terminal/usage.ts';
import { runLines } from './line-run.ts';

type Action = (args: readonly string[], diagnostics: Diagnostics) => Promise<void>;

const ACTIONS: Readonly<Record<string, Action>> = { make, name, check, parse: parseLines, find };

/** `urlsum hash-uri`: makes, checks, parses and finds hash-URIs. */
export async function hashUri([action = '', ...args]: readonly string[], diagnostics: Diagnostics): Promise<void> {
  if (!Object.hasOwn(ACTIONS, action))
    throw new UsageError(`hash-uri needs one of ${Object.keys(ACTIONS).join(', ')}, not '${action}'`);
  await ACTIONS[action]!(args, diagnostics);
}

/** The hash-URI of one file. */
async function make(args: readonly string[], diagnostics: Diagnostics): Promise<void> {
  const [base, path, ...rest] = parseOptions(args, {}).positionals;
  if (base === undefined || path === undefined || rest.length > 0)
    throw new UsageError('hash-uri make needs BASE and FILE');
  await writeOf(path, new StandardOutput(), diagnostics, (chunks) =>
    makeFromStream(base, chunks, { sha256: createHash('sha256') }),
  );
}

/** The name each file would have with its code in it. */
async function name(args: readonly string[], diagnostics: Diagnostics): Promise<void> {
  const output = new StandardOutput();
  for (const path of filesOf('name', args)) {
    await writeOf(path, output, diagnostics, async (chunks) =>
      fileNameOf(path, await makeFromStream('', chunks, { sha256: createHash('sha256') })),
    );
  }
}

const VERDICTS = {
  verified: 'OK',
  mismatch: 'FAILED',
  unsupported: 'UNSUPPORTED',
  'not-a-hash-uri': 'NO HASH-URI',
} as const;

/** Whether each file is the content of the hash-URI its name ends in. Whatever is not verified has failed. */
async function check(args: readonly string[], diagnostics: Diagnostics): Promise<void> {
  const output = new StandardOutput();
  for (const path of filesOf('check', args)) {
    await writeOf(path, output, diagnostics, async (chunks) => {
      const result = await verifyStream(path, chunks, { sha256: createHash('sha256') });
      if (result !== 'verified') diagnostics.failed();
      return `${path}: ${VERDICTS[result]}`;
    });
  }
}

/** The parts of each line as JSON; null for a line that is no hash-URI. */
async function parseLines(args: readonly string[], diagnostics: Diagnostics): Promise<void> {
  const { values, positionals } = parseOptions(args, { 'on-error': { type: 'string', default: 'null' } });
  const onError = oneOf('on-error', values['on-error'], ON_ERROR);
  const form = (bytes: Uint8Array) => {
    const line = decodeLine(bytes);
    const parts = parse(line);
    return parts === undefined ? new HashUriError('hash-URI', line, 'not-a-hash-uri') : JSON.stringify(parts);
  };
  await runLines(positionals, form, { onError, empty: 'null' }, diagnostics);
}

/** Each code in each line, before the line it was found in. */
async function find(args: readonly string[], diagnostics: Diagnostics): Promise<void> {
  let found = 0;
  const form = (bytes: Uint8Array) => {
    const line = decodeLine(bytes);
    const codes = findCodes(line);
    found += codes.length;
    return codes.length === 0 ? undefined : codes.map(({ code }) => `${code}  ${line}`).join('\n');
  };
  await runLines(parseOptions(args, {}).positionals, form, { onError: 'null' }, diagnostics);
  if (found === 0) diagnostics.failed();
}

/** Writes one line about a file. An unreadable one is reported, and the next has its turn. */
async function writeOf(
  path: string,
  output: Output,
  diagnostics: Diagnostics,
  lineOf: (chunks: Chunks) => Promise<string>,
): Promise<void> {
  const line = await lineOf(inputsOf([path])[0]!.chunks).catch((error: unknown) =>
    diagnostics.trouble(new InputError(path, error)),
  );
  if (line !== undefined) await output.write(Buffer.from(`${line}\n`));
}

/** What is read by name has one: standard input does not. */
function filesOf(action: string, args: readonly string[]): string[] {
  const paths = parseOptions(args, {}).positionals;
  if (paths.length === 0 || paths.includes('-')) throw new UsageError(`hash-uri ${action} needs the names of files`);
  return paths;
}
