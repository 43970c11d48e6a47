import type { Output } from './output.ts';
import { openStandardOutput } from './standard-output.ts';

/** Standard output, also by the name '-', or a file that appears when it is whole. @throws {OutputError} */
export async function openOutput(path = '-'): Promise<Output> {
  return path === '-' ? openStandardOutput() : (await import('./file-output.ts')).openFileOutput(path);
}
