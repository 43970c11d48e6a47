import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

/** Where programs are built. */
export const FOLDER = resolve('build/native');

/** What a tool printed, or why it printed nothing. */
export type Outcome = { readonly output: string } | { readonly failure: string };

/** A failure of a command that is not here. */
export const MISSING = 'the command does not exist';

const MAX_BYTES = 1 << 26;

export async function outcomeOf(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const options = { env: { ...process.env, ...environment }, maxBuffer: MAX_BYTES };
  try {
    return { output: (await promisify(execFile)(command, args, options)).stdout };
  } catch (error) {
    const { code, stderr, message } = error as NodeJS.ErrnoException & { readonly stderr?: string };
    return { failure: code === 'ENOENT' ? MISSING : stderr || message };
  }
}

/** `undefined` where it succeeds. */
export async function failureOf(...call: Parameters<typeof outcomeOf>): Promise<string | undefined> {
  const outcome = await outcomeOf(...call);
  return 'failure' in outcome ? outcome.failure : undefined;
}

/** The first line of what a tool said that names an error, or its first line. */
export function reasonIn(failure: string): string {
  const lines = failure.trim().split('\n');
  return lines.find((line) => line.includes('error')) ?? lines[0]!;
}
