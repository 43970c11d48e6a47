import { createHash } from 'node:crypto';
import type { ListStore } from '../../../src/entries/safe-browsing/check.ts';
import type { HashList } from '../../../src/entries/safe-browsing/lists.ts';

/** A store in memory. */
export class MemoryStore implements ListStore {
  readonly kept = new Map<string, Uint8Array>();
  async get(name: string): Promise<Uint8Array | undefined> {
    return this.kept.get(name);
  }
  async set(name: string, bytes: Uint8Array): Promise<void> {
    this.kept.set(name, bytes);
  }
}

/** Returns what a checker keeps in its store, written here without the code that is tested. */
export function storedList(list: HashList, server: string, updatedAt: number, nextUpdateAt: number): Buffer {
  const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest();
  const times = Buffer.alloc(16);
  times.writeDoubleLE(updatedAt, 0);
  times.writeDoubleLE(nextUpdateAt, 8);
  const rest = Buffer.concat([times, sha256(server), list.toBytes()]);
  return Buffer.concat([sha256(rest), rest]);
}
