import { nodeModule } from '../node-module.ts';
import { HashIndexError } from './error.ts';
import { decodeManifest, folderOf, isManifest, MANIFEST_MAGIC, type Manifest, type SegmentEntry } from './manifest.ts';
import { pagesOfFile } from './pages.ts';
import { headerOf, Segment } from './segment.ts';

/** An index in one file has one segment, and no manifest. */
export interface IndexParts {
  readonly segments: readonly Segment[];
  readonly manifest: Manifest | undefined;
}

/** How often a manifest is read, if a run of `--unseen` puts another in its place meanwhile. */
const MAX_TRIES = 10;

/**
 * Opens the index at a path: one file, or a manifest and the segments that it names.
 *
 * @param memoryBytes up to which size all of it is read into memory; of a larger one the smallest segments are
 * @param opened the file itself
 * @throws {HashIndexError} where it cannot be read, is cut or damaged, or a segment is missing or another
 */
export function openIndexParts(path: string, memoryBytes: number, opened = pagesOfFile(path)): IndexParts {
  for (let [tries, pages] = [1, opened]; ; tries++, pages = pagesOfFile(path)) {
    const start = new Uint8Array(MANIFEST_MAGIC.length);
    pages.read(start, 0);
    if (!isManifest(start)) return { segments: [new Segment(pages, memoryBytes)], manifest: undefined };
    const bytes = new Uint8Array(pages.byteLength);
    pages.read(bytes, 0);
    pages.close();
    try {
      const manifest = decodeManifest(bytes, path);
      return { segments: openSegments(path, manifest, memoryBytes), manifest };
    } catch (error) {
      if (tries === MAX_TRIES || !isReplaced(path, bytes)) throw error;
    }
  }
}

function isReplaced(path: string, bytes: Uint8Array): boolean {
  return !nodeModule('node:fs').readFileSync(path).equals(bytes);
}

/** Opens the smallest first: of those that do not fit in memory, look-ups read a page at a time. */
function openSegments(path: string, manifest: Manifest, memoryBytes: number): Segment[] {
  const opened = new Map<SegmentEntry, Segment>();
  let memoryLeft = memoryBytes;
  try {
    for (const entry of manifest.segments.toSorted((one, other) => one.byteLength - other.byteLength)) {
      opened.set(entry, openSegment(path, manifest, entry, memoryLeft));
      memoryLeft = Math.max(0, memoryLeft - entry.byteLength);
    }
  } catch (error) {
    for (const segment of opened.values()) segment.close();
    throw error;
  }
  return manifest.segments.map((entry) => opened.get(entry)!);
}

/** @throws {HashIndexError} 'wrong-segment' where it is not what the manifest says */
function openSegment(path: string, { id, width }: Manifest, entry: SegmentEntry, memoryBytes: number): Segment {
  const { existsSync, realpathSync } = nodeModule('node:fs');
  const file = nodeModule('node:path').join(folderOf(realpathSync(path)), entry.name);
  const fail = (message: string): never => {
    throw new HashIndexError(path, 'wrong-segment', `its segment ${entry.name} ${message}`);
  };
  if (!existsSync(file)) fail(`is not in ${folderOf(path)}`);
  const pages = pagesOfFile(file);
  if (pages.byteLength !== entry.byteLength) {
    pages.close();
    fail(`has ${pages.byteLength} bytes, not ${entry.byteLength}`);
  }
  const segment = new Segment(pages, memoryBytes);
  const isOwn = segment.indexId === undefined || segment.indexId === id;
  if (isOwn && segment.size === entry.size && segment.width === width) return segment;
  segment.close();
  if (!isOwn) fail('belongs to another index');
  return fail(`has ${segment.size} hashes of ${segment.width} bytes, not ${entry.size} of ${width}`);
}

/** What a segment is called, and what it is called while it is written. */
const SEGMENT_NAME = /^(?:[0-9a-f]{16}\.idx|\.urlsum-[0-9a-f]+\.tmp)$/;

/** Returns the names of an index's folder that segments have, none where there is no folder. */
export function segmentNamesIn(folder: string): string[] {
  const { existsSync, readdirSync } = nodeModule('node:fs');
  return existsSync(folder) ? readdirSync(folder).filter((name) => SEGMENT_NAME.test(name)) : [];
}

/**
 * Removes what runs have left in the folder that were killed, while no other run writes there. What the index names
 * stays, and so does all that is younger than its manifest, which may be an older one that was put back, and all that
 * does not carry its id, unless nothing is lost with it: an empty file, and another name of the index itself.
 */
export function removeOrphans(path: string, { id, segments }: Pick<Manifest, 'id' | 'segments'>): void {
  const { rmSync, statSync } = nodeModule('node:fs');
  const folder = folderOf(path);
  const named = new Set(segments.map(({ name }) => name));
  const index = statSync(path, { bigint: true });
  for (const name of segmentNamesIn(folder)) {
    const file = nodeModule('node:path').join(folder, name);
    const found = statSync(file, { throwIfNoEntry: false, bigint: true });
    if (named.has(name) || found === undefined || found.mtimeNs > index.mtimeNs) continue;
    const isCopy = found.size === 0n || (found.ino === index.ino && found.dev === index.dev);
    if (isCopy || (id !== undefined && indexIdOf(file) === id)) rmSync(file, { force: true });
  }
}

/** Returns the id in the first page of a file, or undefined where there is none. */
function indexIdOf(file: string): string | undefined {
  const pages = pagesOfFile(file);
  try {
    return headerOf(pages).indexId;
  } catch (error) {
    if (error instanceof HashIndexError) return undefined;
    throw error;
  } finally {
    pages.close();
  }
}
