import { fstatSync } from 'node:fs';
import type { Output } from './output.ts';
import { STANDARD_OUTPUT, StandardFile, StandardOutput } from './standard-output.ts';
import { WriteBehind } from './write-behind.ts';

/** Standard output, or with a path a file that appears under its name when it is whole. @throws {OutputError} */
export async function openOutput(path: string | undefined): Promise<Output> {
  if (path !== undefined) return new WriteBehind(await (await import('./file-output.ts')).openFileOutput(path));
  return isFile(STANDARD_OUTPUT) ? new WriteBehind(new StandardFile()) : new StandardOutput();
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false; // closed, where the runtime has not opened /dev/null in its place, as Node does: writing will tell
  }
}
