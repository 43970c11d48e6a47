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
import { beforeEndingSignal, makeFolderLike } from '../files.ts';
import { Lock, LockedError } from '../lock.ts';
import {
  encodeManifest,
  folderOf,
  type Manifest,
  removeOrphans,
  type SegmentEntry,
  segmentNamesIn,
  segmentsToMerge,
  sha256Of,
} from './folder.ts';
import type { HashIndex } from './hash-index.ts';
import { HashIndexBuilder } from './hash-index-builder.ts';
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

type NamedManifest = Manifest & { readonly id: string };

/**
 * An index that gains hashes: it is locked until this process ends, and `commit` adds the new hashes as a segment.
 * Nothing that stands is written again but the few segments that are merged with the new one; an earlier end leaves the
 * index as it was.
 */
export class GrowingIndex {
  /** The index as it was opened; undefined if there was none. */
  readonly known: HashIndex | undefined;
  readonly #name: string;
  readonly #path: string;
  readonly #width: Width;
  readonly #writeFile: GrowingIndexOptions['writeFile'];
  readonly #lock: Lock;
  /** The state of the file as this process left it last; undefined if there is none. */
  #stats: BigIntStats | undefined;
  readonly #added: HashIndexBuilder;
  #addedCount = 0;

  /**
   * @param name of the index in errors
   * @param path of its file, which is not a link
   * @throws {GrowingIndexError} where another run has the lock, or the folder of the segments may be another index's
   */
  constructor(name: string, path: string, { width, profile, memoryBytes, open, writeFile }: GrowingIndexOptions) {
    this.#name = name;
    this.#path = path;
    this.#writeFile = writeFile;
    this.#lock = lockUntilEnd(path);
    this.#stats = statsOf(path);
    mustBeWholeFolder(name, folderOf(path), this.#stats !== undefined);
    this.known = this.#stats === undefined ? undefined : open();
    const named = this.known?.manifest ?? { id: undefined, segments: [] };
    if (this.known !== undefined) this.#withOtherLinks(() => removeOrphans(path, named));
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
   * @throws {GrowingIndexError} where another program has replaced it, or removed the lock; or the error of `writeFile`:
   *   the index stays as it was
   */
  async commit(): Promise<void> {
    if (this.#addedCount > 0 || this.known === undefined) await this.#grow();
    this.#added.close();
    this.known?.close();
  }

  /** Writes the new hashes as a segment, with those of smaller segments, and a manifest that names it. */
  async #grow(): Promise<void> {
    const written: string[] = [];
    try {
      const { id, segments: entries } = await this.#begun();
      if (this.#addedCount === 0) return;
      const segments = this.known?.segments ?? [];
      const standing = segments.map((segment, at) => ({ segment, entry: entries[at]!, size: segment.size }));
      const merged = segmentsToMerge(standing, this.#addedCount);
      const segmentsOfMerged = merged.map(({ segment }) => segment);
      const added = await this.#written(segmentsOfMerged, id, written);
      const kept = standing.filter((each) => !merged.includes(each)).map(({ entry }) => entry);
      const manifest = this.#manifestOf(id, [...kept, added]);
      await this.#replace(manifest);
      for (const { entry } of merged) rmSync(join(folderOf(this.#path), entry.name), { force: true });
      removeOrphans(this.#path, manifest);
    } catch (error) {
      this.#undo(written);
      throw error;
    }
  }

  /** Removes what this process has written, unless another changed the index: also an empty index that it has created. */
  #undo(written: readonly string[]): void {
    for (const path of written) rmSync(path, { force: true });
    if (this.known !== undefined || this.#stats === undefined || this.#isReplaced()) return;
    const folder = folderOf(this.#path);
    if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
    rmSync(this.#path);
  }

  /** Makes sure of a manifest with an id before a segment carries it, so that no segment is without its manifest. */
  async #begun(): Promise<NamedManifest> {
    const { manifest, segments = [] } = this.known ?? {};
    if (manifest?.id !== undefined) return { ...manifest, id: manifest.id };
    const entries = manifest?.segments ?? this.#withOtherLinks(() => segments.map((segment) => this.#linked(segment)));
    const begun = this.#manifestOf(randomBytes(8).toString('hex'), entries);
    await this.#replace(begun);
    return begun;
  }

  /** Does what gives the index another link, or takes one: that changes its ctime, which no other program may change. */
  #withOtherLinks<T>(change: () => T): T {
    const isReplaced = this.#isReplaced();
    const result = change();
    if (!isReplaced) this.#stats = statsOf(this.#path);
    return result;
  }

  #manifestOf(id: string, segments: readonly SegmentEntry[]): NamedManifest {
    const origins = [...(this.known === undefined ? [] : [this.known]), this.#added.origin];
    return { id, width: this.#width, ...jointOrigin(origins), segments };
  }

  async #replace(manifest: NamedManifest): Promise<void> {
    await this.#writeFile(this.#path, this.#checked(encodeManifest(manifest)));
    this.#stats = statsOf(this.#path);
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
    const found = statsOf(this.#path);
    return STATE.some((name) => found?.[name] !== this.#stats?.[name]);
  }

  /** Writes a segment, which is on the disk when this returns. */
  async #written(merged: readonly Segment[], id: string, written: string[]): Promise<SegmentEntry> {
    const name = newName();
    const hash = createHash('sha256');
    const size = merged.reduce((sum, segment) => sum + segment.size, this.#addedCount);
    let byteLength = 0;
    function* measured(pages: Iterable<Uint8Array>): Generator<Uint8Array> {
      for (const page of pages) {
        hash.update(page);
        byteLength += page.length;
        yield page;
      }
    }
    const path = this.#segmentPath(name);
    written.push(path);
    await this.#writeFile(path, measured(this.#added.pages(merged, id)), this.#path);
    return { name, byteLength, size, sha256: hash.digest('hex') };
  }

  /** Makes an index in one file, all of which is read once, the first segment: a link, or a copy where there are none. */
  #linked(segment: Segment): SegmentEntry {
    const name = newName();
    segment.mustBeIntact();
    const sha256 = sha256Of(segment.bytes());
    const path = this.#segmentPath(name);
    this.#named(() => linkOrCopy(this.#path, path));
    return { name, byteLength: segment.byteLength, size: segment.size, sha256 };
  }

  /** Returns the path of a segment, in a folder that is there. */
  #segmentPath(name: string): string {
    const folder = folderOf(this.#path);
    this.#named(() => makeFolderLike(folder, this.#path));
    return join(folder, name);
  }

  /** Names the index in errors of the system. */
  #named(work: () => void): void {
    try {
      work();
    } catch (error) {
      throw new GrowingIndexError(this.#name, (error as Error).message, error);
    }
  }
}

/** @throws {GrowingIndexError} where the folder may be another index's, or holds the segments of an index that is gone */
function mustBeWholeFolder(name: string, folder: string, hasIndex: boolean): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new GrowingIndexError(
      name,
      `its folder ${folder} is a link, and may be that of another index: replace it by a folder`,
    );
  const count = hasIndex ? 0 : segmentNamesIn(folder).length;
  if (count === 0) return;
  const segments = `${count} ${count === 1 ? 'segment' : 'segments'}`;
  const restore = `urlsum index --merge --out NEW ${folder}/*.idx makes an index of them`;
  throw new GrowingIndexError(name, `it is missing, but ${folder} holds ${segments} of it: put it back, or ${restore}`);
}

/** Keeps other runs off an index until this process ends, by a signal too. @throws {GrowingIndexError} */
function lockUntilEnd(index: string): Lock {
  const path = `${index}.lock`;
  let lock: Lock | undefined;
  const release = () => lock?.release();
  const forgetSignals = beforeEndingSignal(release); // before the file exists: none is handled while this thread makes it
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

/** Returns a name for a segment that no other has. */
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

function statsOf(path: string): BigIntStats | undefined {
  return statSync(path, { throwIfNoEntry: false, bigint: true });
}

/** What tells the states of a file apart: the ctime one that was written in place, and given its size and mtime again. */
const STATE = ['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const;
