import { nodeModule } from './node-module.ts';
import { temporaryName } from './replace-file.ts';
import { readWhole, writeWhole } from './whole.ts';

/** A sorted source, which stands at one of its items until `next` is called. No two of its items are the same. */
export interface Cursor {
  /** Goes on to the next item, at first to the first one; false where there is none. */
  next(): boolean;
}

/**
 * The union of sorted sources in ascending order, an item at a time, each different item once: a binary heap of cursors,
 * which takes log2(sources) steps per item.
 */
export class Merge<Source extends Cursor> {
  readonly #heap: Source[];
  readonly #compare: (one: Source, other: Source) => number;

  /** @param compare the items that two sources stand at: negative where that of `one` comes first */
  constructor(sources: readonly Source[], compare: (one: Source, other: Source) => number) {
    this.#compare = compare;
    this.#heap = sources.filter((source) => source.next());
    for (let root = Math.floor(this.#heap.length / 2) - 1; root >= 0; root--) this.#sink(root);
    this.#skipSame();
  }

  /** The source that stands at the least item; undefined after the last. */
  get current(): Source | undefined {
    return this.#heap[0];
  }

  /** Goes on to the next item that differs. */
  advance(): void {
    this.#advanceFirst();
    this.#skipSame();
  }

  /** Leaves an item that another source has, too, to that source: it is then in a child of the root. */
  #skipSame(): void {
    while (this.#isFirstIn(1) || this.#isFirstIn(2)) this.#advanceFirst();
  }

  #isFirstIn(child: number): boolean {
    return child < this.#heap.length && this.#compare(this.#heap[0]!, this.#heap[child]!) === 0;
  }

  /** Advances the first source; one that has ended is replaced by the last of the heap. */
  #advanceFirst(): void {
    const heap = this.#heap;
    if (!heap[0]!.next()) {
      const last = heap.pop()!;
      if (heap.length > 0) heap[0] = last;
    }
    this.#sink(0);
  }

  /** Restores the order below `root`: no source is after one of its children. */
  #sink(root: number): void {
    const heap = this.#heap;
    for (let parent = root, child; (child = 2 * parent + 1) < heap.length; parent = child) {
      if (child + 1 < heap.length && this.#compare(heap[child + 1]!, heap[child]!) < 0) child++;
      if (this.#compare(heap[child]!, heap[parent]!) >= 0) return;
      const moved = heap[parent]!;
      heap[parent] = heap[child]!;
      heap[child] = moved;
    }
  }
}

/**
 * What does not fit in memory, in a file without a name: it loses it as soon as it is open, so that it vanishes with the
 * process, however that ends; only a SIGKILL in the 12 µs between leaves an empty file.
 */
export class SpillFile {
  readonly descriptor: number;
  readonly #path: string;
  #length = 0;

  constructor(folder: string = nodeModule('node:os').tmpdir()) {
    const { openSync, rmSync } = nodeModule('node:fs');
    this.#path = nodeModule('node:path').join(folder, temporaryName('run'));
    this.descriptor = openSync(this.#path, 'wx+', 0o600);
    if (!keepsNames()) rmSync(this.#path);
  }

  /** Writes bytes after those that were written. */
  append(bytes: Uint8Array): void {
    writeWhole(this.descriptor, bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Fills `into` from `position` on. @returns the number of bytes read, less than its length only at the end */
  read(into: Uint8Array, position: number): number {
    return readWhole(this.descriptor, into, position);
  }

  empty(): void {
    nodeModule('node:fs').ftruncateSync(this.descriptor);
    this.#length = 0;
  }

  close(): void {
    const { closeSync, rmSync } = nodeModule('node:fs');
    closeSync(this.descriptor);
    if (keepsNames()) rmSync(this.#path);
  }
}

/** Whether open files keep their names: then they are removed at the end, and a killed process leaves them. */
function keepsNames(): boolean {
  return process.platform === 'win32';
}
