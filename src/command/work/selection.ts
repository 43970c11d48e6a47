import { createHash, randomBytes } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Width } from '../../core/kernel/kernel.ts';
import { jointOrigin } from '../../core/url/profile.ts';
import {
  encodeManifest,
  folderOf,
  type Manifest,
  removeOrphans,
  type SegmentEntry,
  segmentNamesIn,
  segmentsToMerge,
  sha256Of,
} from '../../store/hash-index/folder.ts';
import type { HashIndex } from '../../store/hash-index/hash-index.ts';
import { HashIndexBuilder } from '../../store/hash-index/hash-index-builder.ts';
import { HashTable } from '../../store/hash-index/hash-table.ts';
import type { Segment } from '../../store/hash-index/segment.ts';
import { Lock, LockedError } from '../../store/lock.ts';
import { beforeEndingSignal, makeFolderLike } from '../../store/replace-file.ts';
import { counted } from '../arguments/diagnostics.ts';
import { fileFault, sentenceOf, tried } from '../fault.ts';
import { targetOf, writeWholeFile } from '../write/output.ts';
import { expectedFalseMatches, Membership, openIndex, openKnownHashes } from './against.ts';
import { EMPTY, type KeptRows, keepOnly, type Results, type Selection, unitsOf } from './results.ts';

export interface SelectionOptions extends UnseenOptions {
  readonly dedup: boolean;
  /** Indexes, or files of sorted words. */
  readonly against: readonly string[];
  readonly not: boolean;
  /** An index that gains the hashes of this run. */
  readonly unseen: string | undefined;
}

/**
 * Selects the members, of these the unseen rows, and of these the first of each hash: each selection sees only the rows
 * that those before it have kept.
 *
 * @throws as the files it opens
 */
export function openSelections(options: SelectionOptions): Selection[] {
  const { dedup, against, not, unseen, width } = options;
  const selections: Selection[] = [];
  if (against.length > 0) selections.push(new Membership(openKnownHashes(against, options), !not));
  if (unseen !== undefined) selections.push(new Unseen(unseen, options));
  else if (dedup) selections.push(new FirstOfEach(width));
  return selections;
}

/** Selects the first row of each hash, across all inputs: `--dedup`. A row without a hash duplicates nothing. */
class FirstOfEach implements Selection {
  readonly #seen: HashTable;

  constructor(width: Width) {
    this.#seen = new HashTable(width);
  }

  keep(results: Results, kept: KeptRows): void {
    const units = unitsOf(results);
    keepOnly(kept, (row) => kept.fields[row] === EMPTY || this.#add(units, (row * results.width) / 4));
  }

  #add(units: Uint32Array, at: number): boolean {
    try {
      return this.#seen.add(units, at);
    } catch (error) {
      throw new RangeError(`--dedup: no memory for more than the ${this.#seen.size} different hashes so far`, {
        cause: error,
      });
    }
  }
}

export interface UnseenOptions {
  /** Bytes per hash in this run. */
  readonly width: Width;
  /** Bytes per hash in an index that is created. */
  readonly newWidth: Width;
  readonly profile: string;
  /** Says that the index has hashes of another version of Unicode. */
  readonly tell?: ((message: string) => void) | undefined;
  /** Memory for the new hashes; those that do not fit are spilled to a file next to the index. */
  readonly memoryBytes: number;
}

/**
 * Selects the rows whose hash is neither in an index nor earlier in the input, and rows without a hash: `--unseen`.
 * Once all output is complete, the index gains their hashes as a segment, and nothing that stands is written again but
 * the few segments that are merged with it; an earlier end leaves the index as it was.
 */
export class Unseen implements Selection {
  readonly #path: string;
  readonly #target: string;
  readonly #lock: Lock;
  /** The index as this run left it last; undefined if there is none. */
  #stats: BigIntStats | undefined;
  readonly #seen: HashIndex | undefined;
  readonly #found: HashIndexBuilder;
  /** Hashes in `found`. */
  #newCount = 0;
  readonly #newWidth: Width;

  /** @throws {HashIndexError | Fault} */
  constructor(path: string, { width, newWidth, profile, memoryBytes, tell }: UnseenOptions) {
    this.#path = path;
    this.#target = replaceable(path);
    this.#lock = lockUntilEnd(this.#target);
    this.#stats = statsOf(this.#target);
    mustBeWholeFolder(path, folderOf(this.#target), this.#stats !== undefined);
    this.#seen = this.#stats === undefined ? undefined : openIndex(path, { width, profile, tell });
    const known = this.#seen?.manifest ?? NO_SEGMENTS;
    if (this.#seen !== undefined) this.#withOtherLinks(() => removeOrphans(this.#target, known));
    this.#newWidth = this.#seen?.width ?? newWidth;
    this.#found = HashIndexBuilder.in(dirname(this.#target), { width: this.#newWidth, profile, memoryBytes });
  }

  keep(results: Results, kept: KeptRows): void {
    const units = unitsOf(results);
    if (results.counts['unicodeHosts'] !== undefined) this.#found.addUnicodeHosts();
    keepOnly(kept, (row) => kept.fields[row] === EMPTY || this.#isNew(units, (row * results.width) / 4));
  }

  #isNew(units: Uint32Array, at: number): boolean {
    if (this.#found.hasAt(units, at) || this.#seen?.hasAt(units, at) === true) return false;
    const isNew = this.#found.addAt(units, at);
    if (isNew) this.#newCount++;
    return isNew;
  }

  expectedFalseMatches(validCount: number): number {
    return this.#seen === undefined ? 0 : expectedFalseMatches(this.#seen, validCount);
  }

  /** @throws {Fault | HashIndexError | Fault} where the index stays as it was */
  async commit(): Promise<void> {
    if (this.#newCount > 0 || this.#seen === undefined) await this.#grow();
    this.#found.close();
    this.#seen?.close();
  }

  /** Writes the new hashes as a segment, with those of smaller segments, and a manifest that names it. */
  async #grow(): Promise<void> {
    const written: string[] = [];
    try {
      const { id, segments: entries } = await this.#begun();
      if (this.#newCount === 0) return;
      const segments = this.#seen?.segments ?? [];
      const standing = segments.map((segment, at) => ({ segment, entry: entries[at]!, size: segment.size }));
      const merged = segmentsToMerge(standing, this.#newCount);
      const added = await this.#written(
        merged.map(({ segment }) => segment),
        id,
        written,
      );
      const kept = standing.filter((each) => !merged.includes(each)).map(({ entry }) => entry);
      const manifest = this.#manifestOf(id, [...kept, added]);
      await this.#replace(manifest);
      for (const { entry } of merged) rmSync(join(folderOf(this.#target), entry.name), { force: true });
      removeOrphans(this.#target, manifest);
    } catch (error) {
      this.#undo(written);
      throw error;
    }
  }

  /** Removes what this run has written, where the index was not changed: also an empty index, where there was none. */
  #undo(written: readonly string[]): void {
    for (const path of written) rmSync(path, { force: true });
    if (this.#seen !== undefined || this.#stats === undefined || !isUnchanged(this.#stats, statsOf(this.#target)))
      return;
    const folder = folderOf(this.#target);
    if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
    rmSync(this.#target);
  }

  /** Makes sure of a manifest with an id before a segment carries it, so that no segment is without its manifest. */
  async #begun(): Promise<Manifest & { readonly id: string }> {
    const { manifest, segments = [] } = this.#seen ?? {};
    if (manifest?.id !== undefined) return { ...manifest, id: manifest.id };
    const entries = manifest?.segments ?? this.#withOtherLinks(() => segments.map((segment) => this.#linked(segment)));
    const begun = this.#manifestOf(randomBytes(8).toString('hex'), entries);
    await this.#replace(begun);
    return begun;
  }

  /** Does what gives the index another link, or takes one: that changes its ctime, which no other program may change. */
  #withOtherLinks<T>(change: () => T): T {
    const isOurs = isUnchanged(this.#stats, statsOf(this.#target));
    const result = change();
    if (isOurs) this.#stats = statsOf(this.#target);
    return result;
  }

  #manifestOf(id: string, segments: readonly SegmentEntry[]) {
    const origins = [...(this.#seen === undefined ? [] : [this.#seen]), this.#found.origin];
    return { id, width: this.#newWidth, ...jointOrigin(origins), segments };
  }

  async #replace(manifest: Manifest & { readonly id: string }): Promise<void> {
    await writeWholeFile(this.#target, this.#checked(encodeManifest(manifest)));
    this.#stats = statsOf(this.#target);
  }

  /** Yields the manifest. What follows it is the rename, so that is when nobody may have changed the old one. */
  *#checked(manifest: Uint8Array): Generator<Uint8Array> {
    yield manifest;
    if (!this.#lock.isHeld()) throw fileFault(this.#target, 'its lock was removed during this run; it was not changed');
    if (!isUnchanged(this.#stats, statsOf(this.#target)))
      throw fileFault(this.#path, 'another program replaced it during this run; it was not changed');
  }

  /** Writes a segment, which is on the disk when this returns. */
  async #written(merged: readonly Segment[], id: string, written: string[]): Promise<SegmentEntry> {
    const name = newName();
    const hash = createHash('sha256');
    const size = merged.reduce((sum, segment) => sum + segment.size, this.#newCount);
    let byteLength = 0;
    function* measured(pages: Iterable<Uint8Array>): Generator<Uint8Array> {
      for (const page of pages) {
        hash.update(page);
        byteLength += page.length;
        yield page;
      }
    }
    const path = this.#pathOf(name);
    written.push(path);
    await writeWholeFile(path, measured(this.#found.pages(merged, id)), this.#target);
    return { name, byteLength, size, sha256: hash.digest('hex') };
  }

  /** Makes an index in one file, all of which is read once, the first segment: a link, or a copy where there are none. */
  #linked(segment: Segment): SegmentEntry {
    const name = newName();
    segment.mustBeIntact();
    const sha256 = sha256Of(segment.bytes());
    const path = this.#pathOf(name);
    tried(this.#path, () => linkOrCopy(this.#target, path), true);
    return { name, byteLength: segment.byteLength, size: segment.size, sha256 };
  }

  /** Returns the path of a segment, in a folder that is there. */
  #pathOf(name: string): string {
    const folder = folderOf(this.#target);
    tried(this.#path, () => makeFolderLike(folder, this.#target), true);
    return join(folder, name);
  }
}

const NO_SEGMENTS = { id: undefined, segments: [] };

/** @throws {Fault} where the folder may be another index's, or holds the segments of an index that is gone */
function mustBeWholeFolder(path: string, folder: string, hasIndex: boolean): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
    throw fileFault(path, `its folder ${folder} is a link, and may be that of another index: replace it by a folder`);
  const count = hasIndex ? 0 : segmentNamesIn(folder).length;
  if (count === 0) return;
  const restore = `urlsum index --merge --out NEW ${folder}/*.idx makes an index of them`;
  const message = `it is missing, but ${folder} holds ${counted(count, 'segment')} of it: put it back, or ${restore}`;
  throw fileFault(path, message);
}

/** Keeps other runs off an index until this process ends, by a signal too. @throws {Fault} */
function lockUntilEnd(index: string): Lock {
  let lock: Lock | undefined;
  const release = () => lock?.release();
  const forgetSignals = beforeEndingSignal(release); // before the file exists: none is handled while this thread makes it
  try {
    lock = new Lock(`${index}.lock`);
  } catch (error) {
    forgetSignals();
    throw fileFault(error instanceof LockedError ? index : `${index}.lock`, sentenceOf(error, true));
  }
  process.once('exit', release);
  return lock;
}

/** Of a segment: no other has it. */
function newName(): string {
  return `${randomBytes(8).toString('hex')}.idx`;
}

/** A copy is on the disk when this returns, and so is a link's target; the name is when the next file in the folder is. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    const file = openSync(to, 'r');
    fsyncSync(file);
    closeSync(file);
  }
}

/** Returns the target of a path. @throws {Fault} where that is neither a plain file nor new */
function replaceable(path: string): string {
  const target = tried(path, () => targetOf(path), true);
  if ('path' in target && !path.endsWith('/') && statsOf(target.path)?.isFile() !== false) return target.path;
  throw fileFault(path, 'it is not a plain file, so it cannot be replaced');
}

function statsOf(path: string): BigIntStats | undefined {
  return statSync(path, { throwIfNoEntry: false, bigint: true });
}

/** The ctime tells of a file that was written in place and given its size and mtime again. */
const STATE = ['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const;

function isUnchanged(one: BigIntStats | undefined, other: BigIntStats | undefined): boolean {
  return STATE.every((name) => one?.[name] === other?.[name]);
}
