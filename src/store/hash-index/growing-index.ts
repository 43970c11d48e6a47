import { createHash, randomBytes } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Width } from '../../core/kernel/kernel.ts';
import { jointOrigin } from '../../core/url/key-origin.ts';
import { beforeEndingSignal, type FileState, isSameState, makeFolderLike, stateOf } from '../files.ts';
import { Lock, LockedError } from '../lock.ts';
import {
  copyOf,
  decodeManifest,
  encodeManifest,
  folderOf,
  lastGeneration,
  type Manifest,
  removeUnfinished,
  type SegmentEntry,
  segmentsToMerge,
  type UnnamedSegment,
  unnamedSegments,
} from './folder.ts';
import type { HashIndex } from './hash-index.ts';
import { HashIndexBuilder } from './hash-index-builder.ts';
import type { SegmentOwner } from './layout.ts';
import type { Segment } from './segment.ts';

/** An index cannot grow; `cause` is the error of the system, if there was one. */
export class GrowingIndexError extends Error {
  readonly path: string;

  constructor(path: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.path = path;
  }
}

export interface GrowingIndexOptions {
  /** Bytes per hash in an index that is created. */
  readonly width: Width;
  readonly profile: string;
  /** Memory for the new hashes; those that do not fit are spilled to a file next to the index. */
  readonly memoryBytes: number;
  /** Opens the index that is there. @throws where it does not fit */
  open(): HashIndex;
  /** Writes a file that appears when it is whole, with the permissions of `like`, or of the file that it replaces. */
  writeFile(path: string, pieces: Iterable<Uint8Array>, like?: string): Promise<void>;
}

/**
 * An index that gains hashes: it is locked until this process ends, and `commit` adds the new hashes as a segment, in
 * the next generation of the index. Nothing that stands is written again but the few segments that are merged with the
 * new one; an earlier end leaves the index as it was.
 */
export class GrowingIndex {
  /** The index as it was opened; undefined if there was none. */
  readonly known: HashIndex | undefined;
  readonly #name: string;
  readonly #path: string;
  readonly #width: Width;
  readonly #writeFile: GrowingIndexOptions['writeFile'];
  readonly #lock: Lock;
  /** The generation that this one comes after; undefined if there was none. */
  readonly #last: Manifest | undefined;
  /** Segments that the index does not name: a killed run has left them, or an earlier generation was put back. */
  readonly #unnamed: readonly UnnamedSegment[];
  /** The state of the file as this process left it last; undefined if there is none. */
  #state: FileState | undefined;
  /** Files that this process has written, and that the index does not name yet. */
  readonly #written: string[] = [];
  readonly #added: HashIndexBuilder;
  #addedCount = 0;

  /**
   * @param name of the index in errors
   * @param path of its file, which is not a link
   * @throws {GrowingIndexError} where another run has the lock, or the folder of the segments may be another index's
   * @throws {HashIndexError} where the file and its folder are not of one generation, and what `open` throws
   */
  constructor(name: string, path: string, { width, profile, memoryBytes, open, writeFile }: GrowingIndexOptions) {
    this.#name = name;
    this.#path = path;
    this.#writeFile = writeFile;
    this.#lock = lockUntilEnd(path);
    this.#state = stateOf(path);
    mustBeOwnFolder(name, folderOf(path));
    this.#last = lastGeneration(path);
    this.known = this.#state === undefined ? undefined : open();
    removeUnfinished(path);
    this.#unnamed = this.#last === undefined ? [] : unnamedSegments(path, this.#last);
    this.#remove(this.#unnamed.map((each) => each.path));
    this.#width = this.known?.width ?? width;
    this.#added = HashIndexBuilder.in(dirname(path), { width: this.#width, profile, memoryBytes });
  }

  /** Adds the hash whose 32-bit units begin at `at`. Returns false if the index has it, or it was added before. */
  add(units: Uint32Array, at: number): boolean {
    if (this.#added.hasAt(units, at) || this.known?.hasAt(units, at) === true) return false;
    const isNew = this.#added.addAt(units, at);
    if (isNew) this.#addedCount++;
    return isNew;
  }

  /** Says that some of the hashes come from hosts beyond ASCII. */
  addUnicodeHosts(): void {
    this.#added.addUnicodeHosts();
  }

  /**
   * Puts the new hashes on the disk, and closes the index.
   *
   * @throws {GrowingIndexError} where another program has replaced it, or removed the lock; or the error of
   *   `writeFile`: the index stays as it was
   */
  async commit(): Promise<void> {
    if (this.#addedCount > 0 || this.known === undefined) await this.#grow();
    this.#added.close();
    this.known?.close();
  }

  /** Writes the new hashes as a segment, with those of smaller segments, and puts a manifest that names it in place. */
  async #grow(): Promise<void> {
    const { segments = [], manifest } = this.known ?? {};
    // An index in one file has no manifest: it is written again, so that each segment bears an id
    const merged = manifest === undefined ? segments : segmentsToMerge(segments, this.#addedCount);
    const kept = manifest?.segments.filter((_, at) => !merged.includes(segments[at]!)) ?? [];
    try {
      const last = this.#last ?? (await this.#begin());
      const generations = [last, ...this.#unnamed].map(({ generation }) => generation);
      const owner = { id: last.id, generation: 1 + Math.max(...generations) };
      const added = this.#addedCount === 0 ? [] : [await this.#writeSegment(merged, owner)];
      await this.#replaceManifest(this.#manifestOf(owner, last.sha256, [...kept, ...added]));
    } catch (error) {
      this.#undo();
      throw error;
    }
    if (manifest !== undefined) this.#remove(merged.map(({ source }) => source));
  }

  /**
   * Whether a segment is of a later generation than the index: a run was killed before its manifest was in place, or
   * just after, and an earlier one was put back. No file tells which, so all stays until the index is of a later
   * generation.
   */
  get #hasLater(): boolean {
    return this.#unnamed.some(({ generation }) => generation > this.#last!.generation);
  }

  /** Removes segments that the index does not need. */
  #remove(paths: readonly string[]): void {
    if (!this.#hasLater && !this.#isReplaced()) for (const path of paths) rmSync(path, { force: true });
  }

  /** Removes what this process has written, unless the index names it. */
  #undo(): void {
    for (const path of this.#written) rmSync(path, { force: true });
    const folder = folderOf(this.#path);
    if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  }

  /** Gives the index an id before a segment bears it: the copy of a manifest that there is not yet. */
  async #begin(): Promise<Manifest> {
    const owner = { id: randomBytes(8).toString('hex'), generation: 0 };
    try {
      makeFolderLike(folderOf(this.#path), this.#path);
    } catch (error) {
      throw new GrowingIndexError(this.#name, (error as Error).message, error);
    }
    const manifest = this.#manifestOf(owner, undefined, []);
    await this.#write(copyOf(this.#path), [manifest]);
    return decodeManifest(manifest, copyOf(this.#path));
  }

  /** Writes a segment of the new hashes and those of others, which is on the disk when this returns. */
  async #writeSegment(merged: readonly Segment[], owner: SegmentOwner): Promise<SegmentEntry> {
    const name = `${randomBytes(8).toString('hex')}.idx`;
    const hash = createHash('sha256');
    let byteLength = 0;
    function* measured(pages: Iterable<Uint8Array>): Generator<Uint8Array> {
      for (const page of pages) {
        hash.update(page);
        byteLength += page.length;
        yield page;
      }
    }
    await this.#write(join(folderOf(this.#path), name), measured(this.#added.pages(merged, owner)));
    const size = merged.reduce((sum, each) => sum + each.size, this.#addedCount);
    return { name, byteLength, size, sha256: hash.digest('hex') };
  }

  /** Writes a file that the index does not name yet, with the permissions of the index. */
  async #write(path: string, pieces: Iterable<Uint8Array>): Promise<void> {
    this.#written.push(path);
    await this.#writeFile(path, pieces, this.#path);
  }

  #manifestOf(owner: SegmentOwner, after: string | undefined, segments: readonly SegmentEntry[]): Uint8Array {
    const origins = [...(this.known === undefined ? [] : [this.known]), this.#added.origin];
    return encodeManifest({ ...owner, after, width: this.#width, ...jointOrigin(origins), segments });
  }

  /** Puts a manifest in place, and then its copy. */
  async #replaceManifest(manifest: Uint8Array): Promise<void> {
    const next = `${copyOf(this.#path)}.next`;
    await this.#write(next, [manifest]); // before the manifest: a full disk is noticed while all can be undone
    await this.#writeFile(this.#path, this.#checked(manifest));
    this.#written.length = 0;
    this.#state = stateOf(this.#path);
    renameSync(next, copyOf(this.#path));
  }

  /** Yields the manifest. What follows it is the rename, so that is when nobody may have changed the old one. */
  *#checked(manifest: Uint8Array): Generator<Uint8Array> {
    yield manifest;
    if (!this.#lock.isHeld())
      throw new GrowingIndexError(this.#path, 'its lock was removed during this run; it was not changed');
    if (this.#isReplaced())
      throw new GrowingIndexError(this.#name, 'another program replaced it during this run; it was not changed');
  }

  #isReplaced(): boolean {
    return !isSameState(stateOf(this.#path), this.#state);
  }
}

/** @throws {GrowingIndexError} where the folder may be another index's */
function mustBeOwnFolder(name: string, folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  const cure = 'replace it by a folder';
  throw new GrowingIndexError(name, `its folder ${folder} is a link, and may be that of another index: ${cure}`);
}

/** Keeps other runs off an index until this process ends, by a signal too. @throws {GrowingIndexError} */
function lockUntilEnd(index: string): Lock {
  const path = `${index}.lock`;
  let lock: Lock | undefined;
  const release = () => lock?.release();
  const forgetSignals = beforeEndingSignal(release); // before the file exists: this thread handles none meanwhile
  try {
    lock = new Lock(path);
  } catch (error) {
    forgetSignals();
    const isLocked = error instanceof LockedError;
    throw new GrowingIndexError(isLocked ? index : path, (error as Error).message, isLocked ? undefined : error);
  }
  process.once('exit', release);
  return lock;
}
