import type { Output } from './output.ts';
import { openStandardOutput } from './standard-output.ts';

/** Standard output, also by the name -, or a file that appears under its name when it is whole. @throws {OutputError} */
export async function openOutput(path: string | undefined): Promise<Output> {
  return path === undefined || path === '-'
    ? openStandardOutput()
    : (await import('./file-output.ts')).openFileOutput(path);
}
