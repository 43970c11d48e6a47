import { readFileSync, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { readToEnd } from '../../store/whole.ts';

// A run opens each file once: a name may lead to another file a moment later, and the output would be of two. What a
// plan looks into stays open for whoever reads it, and the threads of -j, which make the plan anew, get what it has read.

const STANDARD_INPUT = 0;

/** What a plan has read, by the paths of the files. */
export interface PlanFiles {
  /** The first bytes of operands. */
  readonly starts: Map<string, Uint8Array>;
  /** All bytes of what options name. */
  readonly wholes: Map<string, Uint8Array>;
}

let read: PlanFiles = { starts: new Map(), wholes: new Map() };
const lookedInto = new Map<string, FileHandle>();

/** Opens a file to read it, or takes the one that a look has opened. The caller closes it. */
export async function openFile(path: string): Promise<FileHandle> {
  const opened = lookedInto.get(path);
  lookedInto.delete(path);
  return opened ?? (await open(path));
}

/** Returns up to `byteLength` first bytes, none of what is not a plain file: a pipe would wait for its writer. */
export async function startOf(path: string, byteLength: number): Promise<Uint8Array> {
  const known = read.starts.get(path);
  if (known !== undefined) return known;
  if (!(await stat(path)).isFile()) return new Uint8Array(0);
  const file = lookedInto.get(path) ?? (await open(path));
  lookedInto.set(path, file);
  const { buffer, bytesRead } = await file.read(new Uint8Array(byteLength), 0, byteLength, 0);
  const start = buffer.subarray(0, bytesRead);
  read.starts.set(path, start);
  return start;
}

/** Returns all bytes of a file that an option names, or of standard input under the name '-'. @throws as reading does */
export function wholeInput(path: string): Uint8Array {
  const known = read.wholes.get(path);
  if (known !== undefined) return known;
  const bytes = path === '-' ? readToEnd(STANDARD_INPUT) : readFileSync(path);
  read.wholes.set(path, bytes);
  return bytes;
}

/** The same of a plain file; undefined for anything else. */
export function plainInput(path: string): Uint8Array | undefined {
  return read.wholes.has(path) || statSync(path).isFile() ? wholeInput(path) : undefined;
}

/** Gives away what the plan has read, so that its memory is free where nobody needs it. */
export function takePlanFiles(): PlanFiles {
  const taken = read;
  read = { starts: new Map(), wholes: new Map() };
  return taken;
}

/** In a thread: what its plan reads is what the main thread has read. */
export function givePlanFiles(files: PlanFiles): void {
  read = files;
}
