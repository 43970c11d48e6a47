import { compareBytes } from '../../../bytes/compare.ts';
import { HashedText } from '../../../hash-uri/rdf/hashed-text.ts';
import type { Key, SortedKeys } from '../../../hash-uri/rdf/key-table.ts';

/** A quad that one of two sets has alone. */
export interface LoneQuad {
  /** Its place in the order of its set, from 1. */
  readonly number: number;
  /** What is hashed of it. */
  readonly text: string;
}

/** The first quad that each set has alone; undefined where it has none. */
export function firstLoneQuads(
  left: SortedKeys,
  right: SortedKeys,
): readonly [left: LoneQuad | undefined, right: LoneQuad | undefined] {
  const [mine, theirs] = [new Reading(left), new Reading(right)];
  while ((mine.lone === undefined || theirs.lone === undefined) && !(mine.isAtEnd && theirs.isAtEnd)) {
    const order = compareKeys(mine.key, theirs.key);
    if (order < 0) mine.keep();
    if (order > 0) theirs.keep();
    if (order <= 0) mine.next();
    if (order >= 0) theirs.next();
  }
  return [mine.lone, theirs.lone];
}

class Reading {
  readonly #keys: Iterator<Key>;
  #number = 0;
  key: Key | undefined;
  lone: LoneQuad | undefined;

  constructor(keys: SortedKeys) {
    this.#keys = keys.sorted()[Symbol.iterator]();
    this.next();
  }

  get isAtEnd(): boolean {
    return this.key === undefined;
  }

  next(): void {
    const { done, value } = this.#keys.next();
    this.key = done === true ? undefined : value;
    this.#number++;
  }

  /** Keeps the current quad, if it is the first one that is kept. */
  keep(): void {
    this.lone ??= { number: this.#number, text: textOf(this.key!) };
  }
}

/** An end is after all keys. */
function compareKeys(left: Key | undefined, right: Key | undefined): number {
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
  return compareBytes(left.bytes, left.start, left.end, right.bytes, right.start, right.end);
}

function textOf(key: Key): string {
  const pieces: Uint8Array[] = [];
  const hashed = new HashedText((piece) => pieces.push(piece.slice()), 'code-points');
  hashed.add(key);
  hashed.end();
  return Buffer.concat(pieces).toString();
}
