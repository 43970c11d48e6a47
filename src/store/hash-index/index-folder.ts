import { nodeModule } from '../node-module.ts';
import { HashIndexError } from './error.ts';
import { decodeManifest, folderOf, isManifest, MANIFEST_MAGIC, type Manifest, type SegmentEntry } from './manifest.ts';
import { pagesOfFile } from './pages.ts';
import { Segment } from './segment.ts';

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
 * @throws {HashIndexError} where it cannot be read, is cut or damaged, or a segment is missing or another
 */
export function openIndexParts(path: string, memoryBytes: number): IndexParts {
  for (let tries = 1; ; tries++) {
    const pages = pagesOfFile(path);
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
function openSegment(path: string, { width }: Manifest, entry: SegmentEntry, memoryBytes: number): Segment {
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
  if (segment.size === entry.size && segment.width === width) return segment;
  segment.close();
  return fail(`has ${segment.size} hashes of ${segment.width} bytes, not ${entry.size} of ${width}`);
}
