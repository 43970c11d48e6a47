import { createHash } from 'node:crypto';
import type { Chunks } from '../../../hash-uri/chunks.ts';
import { fileChunks, InputError } from '../../input/inputs.ts';
import { OutputError } from '../../output/output.ts';
import { StandardOutput } from '../../output/standard-output.ts';
import type { Diagnostics } from '../../terminal/diagnostics.ts';
import { UsageError } from '../../terminal/usage-error.ts';

/** A SHA-256 that is fed piece by piece: node:crypto's uses the processor's instructions. */
export function sha256() {
  return createHash('sha256');
}

/** Writes one line about each file. An unreadable one is reported, and the others are still read. */
export async function writeOfEach(
  paths: readonly string[],
  diagnostics: Diagnostics,
  lineOf: (path: string, chunks: Chunks) => Promise<string>,
): Promise<void> {
  const output = new StandardOutput();
  for (const path of paths) {
    try {
      const line = await lineOf(path, fileChunks(path));
      await output.write(Buffer.from(`${line}\n`));
    } catch (error) {
      diagnostics.trouble(troubleOf(path, error));
    }
  }
}

/** Why a file could not be read. @throws what is not trouble with a file */
export function troubleOf(path: string, error: unknown): InputError {
  if (error instanceof OutputError || error instanceof UsageError) throw error;
  return new InputError(path, error);
}

/** What is checked by its name needs one, and standard input has none. @throws {UsageError} */
export function mustHaveNames(action: string, paths: readonly string[]): void {
  if (paths.length === 0 || paths.includes('-')) throw new UsageError(`hash-uri ${action} needs the names of files`);
}
