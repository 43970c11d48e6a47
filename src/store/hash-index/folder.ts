import { asciiBytes, asciiText, hasAsciiAt } from '../../core/bytes/text.ts';
import type { Width } from '../../core/kernel/kernel.ts';
import type { KeyOrigin } from '../../core/url/profile.ts';
import { nodeModule } from '../node-module.ts';
import { HashIndexError, type HashIndexReason } from './layout.ts';
import { headerOf, openSegment, pagesOfFile, type Segment } from './segment.ts';

// An index that grows has its hashes in segments, each an index in one file (layout.ts), in a folder beside it: those of
// `seen.idx` in `seen.idx.d/`. The file itself is a manifest, ASCII text with a line feed after each line:
//
//    urlsum index 3
//    id 90c1fa2b3347de65                                      of the index, random; version 2 has none
//    width 8
//    profile url/1+unicode18
//    unicode-hosts some                                       or none
//    segment 7f31c0de9a54b2e8.idx 6819840 850000 3f6c…        name, bytes, hashes, SHA-256 of the file in hex
//    …                                                        the oldest first; an index may have none
//    sha256 91bd…                                             of all lines before, in hex
//
// No hash is in two segments, and each has the width of the manifest, whose profile and flag are those of all segments
// together. Segments never change: they are written whole and on the disk, with the id of the index in them, before a
// manifest that names them takes the place of the one before, and those that it names no more are removed after that.
// Files that lack the id do not belong to the index, unless the manifest names them: an index in one file that became a
// segment lacks it, and so do segments of version 2.

export const MANIFEST_MAGIC = 'urlsum index ';
const VERSION = 3;
const VERSION_WITHOUT_ID = 2;

/** A segment, as a manifest names it. */
export interface SegmentEntry {
  readonly name: string;
  readonly byteLength: number;
  readonly size: number;
  /** The SHA-256 of the file, in hex. */
  readonly sha256: string;
}

export interface Manifest extends KeyOrigin {
  /** 16 hex digits, random: what tells the segments of this index from those of another. Version 2 has none. */
  readonly id: string | undefined;
  readonly width: Width;
  readonly segments: readonly SegmentEntry[];
}

export function folderOf(path: string): string {
  return `${path}.d`;
}

/** Whether these bytes begin a manifest. */
export function isManifest(start: Uint8Array): boolean {
  return hasAsciiAt(start, 0, MANIFEST_MAGIC);
}

export function encodeManifest(manifest: Manifest & { readonly id: string }): Uint8Array {
  const { id, width, profile, hasUnicodeHosts, segments } = manifest;
  const lines = [
    `${MANIFEST_MAGIC}${VERSION}`,
    `id ${id}`,
    `width ${width}`,
    `profile ${profile}`,
    `unicode-hosts ${hasUnicodeHosts ? 'some' : 'none'}`,
    ...segments.map(({ name, byteLength, size, sha256 }) => `segment ${name} ${byteLength} ${size} ${sha256}`),
  ];
  const text = lines.map((line) => `${line}\n`).join('');
  return asciiBytes(`${text}sha256 ${sha256OfText(text)}\n`);
}

const HEAD = /^(?:id ([0-9a-f]{16})\n)?width (8|16|32)\nprofile (.+)\nunicode-hosts (some|none)\n/;
const SEGMENT = /^segment ([0-9a-f]{16}\.idx) (\d+) (\d+) ([0-9a-f]{64})$/;

/** @throws {HashIndexError} where the bytes are not a manifest of this version, or damaged */
export function decodeManifest(bytes: Uint8Array, source: string): Manifest {
  const fail = (reason: HashIndexReason, message: string): never => {
    throw new HashIndexError(source, reason, message);
  };
  const text = asciiText(bytes);
  const [first = '', content = '', sum] = /^(.*\n)([\s\S]*?)(?:sha256 ([0-9a-f]{64})\n)?$/.exec(text)?.slice(1) ?? [];
  const version = first.slice(MANIFEST_MAGIC.length).trimEnd();
  if (version !== String(VERSION) && version !== String(VERSION_WITHOUT_ID))
    fail('unknown-version', `its version is ${version}, not ${VERSION}`);
  if (sum === undefined) fail('truncated', 'it does not end with its checksum');
  if (sum !== sha256OfText(first + content)) fail('wrong-checksum', 'it is damaged: its checksum differs');
  const [head, id, width, profile, hosts] = HEAD.exec(content) ?? fail('not-an-index', 'it lacks width or profile');
  if ((id === undefined) !== (version === String(VERSION_WITHOUT_ID)))
    fail('not-an-index', `its version is ${version}, which ${id === undefined ? 'has' : 'lacks'} an id`);
  const lines = content.slice(head.length).split('\n').slice(0, -1);
  const segments = lines.map((line): SegmentEntry => {
    const [, name, byteLength, size, sha256] = SEGMENT.exec(line) ?? fail('not-an-index', 'a line is not a segment');
    return { name: name!, byteLength: Number(byteLength), size: Number(size), sha256: sha256! };
  });
  return { id, width: Number(width) as Width, profile: profile!, hasUnicodeHosts: hosts === 'some', segments };
}

function sha256OfText(text: string): string {
  return sha256Of([asciiBytes(text)]);
}

/** Returns the SHA-256 of pieces, in hex. */
export function sha256Of(pieces: Iterable<Uint8Array>): string {
  const hash = nodeModule('node:crypto').createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

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
    if (!isManifest(start)) return { segments: [openSegment(pages, memoryBytes)], manifest: undefined };
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
      opened.set(entry, openNamed(path, manifest, entry, memoryLeft));
      memoryLeft = Math.max(0, memoryLeft - entry.byteLength);
    }
  } catch (error) {
    for (const segment of opened.values()) segment.close();
    throw error;
  }
  return manifest.segments.map((entry) => opened.get(entry)!);
}

/** @throws {HashIndexError} 'wrong-segment' where it is not what the manifest says */
function openNamed(path: string, { id, width }: Manifest, entry: SegmentEntry, memoryBytes: number): Segment {
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
  const segment = openSegment(pages, memoryBytes);
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

/** Segments of fewer hashes (512 KiB of 8 bytes each) are of one tier: a merge of these costs nothing. */
const LEAST_TIER_SIZE = 2 ** 16;
const TIER_FACTOR = 4;

/** Tier 0 has up to 65,536 hashes, each further one four times as many as the one before. */
function tierOf(size: number): number {
  return Math.max(0, Math.ceil(Math.log2(size / LEAST_TIER_SIZE) / Math.log2(TIER_FACTOR)));
}

/**
 * The segments that become one with `newSize` new hashes: all up to a tier, if with the new ones there are four or more;
 * and again, with what that makes. So there are at most three segments to a tier, and a hash is written again once for
 * each tier that it rises: five times while 10^9 are gathered a million at a time.
 */
export function segmentsToMerge<Each extends { readonly size: number }>(
  segments: readonly Each[],
  newSize: number,
): Each[] {
  let [merged, size]: [Each[], number] = [[], newSize];
  for (;;) {
    const tier = tierOf(size);
    const candidates = segments.filter((each) => !merged.includes(each) && tierOf(each.size) <= tier);
    if (candidates.length < TIER_FACTOR - 1) return merged;
    merged = [...merged, ...candidates];
    size += candidates.reduce((sum, each) => sum + each.size, 0);
  }
}
