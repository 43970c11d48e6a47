#!/usr/bin/env node
import { StandardOutput } from './output/standard-output.ts';
import { Diagnostics, TROUBLE } from './terminal/diagnostics.ts';
import { HELP, UsageError } from './terminal/usage.ts';

/** Beside dist/esm/cli.js, two folders up. */
const PACKAGE_URL = new URL('../../package.json', import.meta.url);

/** Alone or with -z; no other option without a value has one letter. */
const CHECK = /^(?:--check|-z*cz*)$/;

type Action = (args: readonly string[], diagnostics: Diagnostics) => Promise<void>;

/** Each action is loaded when it is asked for: `urlsum --version` reads none of them. */
async function actionOf(args: readonly string[]): Promise<readonly [Action, readonly string[]]> {
  if (args[0] === 'canon') return [(await import('./commands/canon.ts')).canon, args.slice(1)];
  if (args[0] === 'hashed-uri') return [(await import('./commands/hashed-uri.ts')).hashedUri, args.slice(1)];
  if (args[0] === 'hash-uri') return [(await import('./commands/hash-uri.ts')).hashUri, args.slice(1)];
  if (args[0] === 'expressions') return [(await import('./commands/expressions.ts')).expressions, args.slice(1)];
  if (args.some((arg) => CHECK.test(arg))) return [(await import('./commands/check.ts')).check, args];
  return [(await import('./commands/sum.ts')).sum, args];
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) return print(HELP);
  if (args.includes('--version')) return print(await (await import('./terminal/version.ts')).versionLine(PACKAGE_URL));
  const diagnostics = new Diagnostics();
  const [action, rest] = await actionOf(args);
  await action(rest, diagnostics);
  return diagnostics.status;
}

async function print(text: string): Promise<number> {
  await new StandardOutput().write(Buffer.from(text));
  return 0;
}

Error.stackTraceLimit = 0; // messages are all that is shown, and a stack takes 4 µs a bad line
process.stderr.on('error', () => undefined); // nobody hears the complaints: the data and the status are still right
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const hint = error instanceof UsageError ? "\nTry 'urlsum --help'." : '';
  process.stderr.write(`urlsum: ${error instanceof Error ? error.message : String(error)}${hint}\n`);
  process.exitCode = TROUBLE;
}
