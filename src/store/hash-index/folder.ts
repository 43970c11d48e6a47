import { asciiBytes, asciiText, hasAsciiAt } from '../../core/bytes/text.ts';
import type { Width } from '../../core/kernel/kernel.ts';
import type { KeyOrigin } from '../../core/url/key-origin.ts';
import { isLeftover } from '../files.ts';
import { nodeModule } from '../node-module.ts';
import { HashIndexError, type HashIndexReason, MAGIC, type SegmentOwner, VERSION_REMEDY } from './layout.ts';
import { headerOf, openSegment, pagesOfFile, type Segment } from './segment.ts';

// An index that grows has its hashes in segments, each an index in one file (layout.ts), in a folder beside it: those
// of `seen.idx` in `seen.idx.d/`. The file itself is a manifest, ASCII text with a line feed after each line:
//
//    urlsum index 4
//    id 90c1fa2b3347de65                                      of the index, random
//    generation 12                                            above the manifest's before, and its segments'
//    after 5b0e…                                              SHA-256 of the manifest before; generation 0: none
//    width 8
//    profile url/1+unicode18
//    unicode-hosts some                                       or none
//    segment 7f31c0de9a54b2e8.idx 6819840 850000 3f6c…        name, bytes, hashes, SHA-256 of the file in hex
//    …                                                        the oldest first; an index may have none
//    sha256 91bd…                                             of all lines before, in hex
//
// No hash is in two segments, and each has the width of the manifest, whose profile and flag are those of all segments
// together. Segments never change, and bear the id of the index and the generation that named them first. `manifest` in
// the folder is a copy, made after the file itself: where the two are not the same, and the file is not what came next,
// another generation was put in its place, and no run goes on until a person has said from which.

const MANIFEST_MAGIC = 'urlsum index ';
const VERSION = 4;

/** A segment, as a manifest names it. */
export interface SegmentEntry {
  readonly name: string;
  readonly byteLength: number;
  readonly size: number;
  /** The SHA-256 of the file, in hex. */
  readonly sha256: string;
}

/** A state of an index: each run that adds to it makes one, the next generation. */
export interface Manifest extends KeyOrigin, SegmentOwner {
  /** The SHA-256 of the manifest before, in hex; undefined in generation 0, which no file but the copy is. */
  readonly after: string | undefined;
  readonly width: Width;
  readonly segments: readonly SegmentEntry[];
  /** The SHA-256 of its lines, in hex. */
  readonly sha256: string;
}

export function folderOf(path: string): string {
  return `${path}.d`;
}

/** Returns the path of the copy of the manifest of the index at a path. */
export function copyOf(path: string): string {
  return `${folderOf(path)}/manifest`;
}

/** Whether these bytes begin a manifest. */
export function isManifest(start: Uint8Array): boolean {
  return hasAsciiAt(start, 0, MANIFEST_MAGIC);
}

export function encodeManifest(manifest: Omit<Manifest, 'sha256'>): Uint8Array {
  const { id, generation, after, width, profile, hasUnicodeHosts, segments } = manifest;
  const lines = [
    `${MANIFEST_MAGIC}${VERSION}`,
    `id ${id}`,
    `generation ${generation}`,
    `after ${after ?? 'none'}`,
    `width ${width}`,
    `profile ${profile}`,
    `unicode-hosts ${hasUnicodeHosts ? 'some' : 'none'}`,
    ...segments.map(({ name, byteLength, size, sha256 }) => `segment ${name} ${byteLength} ${size} ${sha256}`),
  ];
  const text = lines.map((line) => `${line}\n`).join('');
  return asciiBytes(`${text}sha256 ${sha256OfText(text)}\n`);
}

const HEAD =
  /^id ([0-9a-f]{16})\ngeneration (\d{1,10})\nafter ([0-9a-f]{64}|none)\nwidth (8|16|32)\nprofile (.+)\nunicode-hosts (some|none)\n/;
const SEGMENT = /^segment ([0-9a-f]{16}\.idx) (\d+) (\d+) ([0-9a-f]{64})$/;

/** @throws {HashIndexError} where the bytes are not a manifest of this version, or damaged */
export function decodeManifest(bytes: Uint8Array, source: string): Manifest {
  const fail = (reason: HashIndexReason, message: string): never => {
    throw new HashIndexError(source, reason, message);
  };
  if (!isManifest(bytes)) fail('not-an-index', 'it is not an index; urlsum index makes one');
  const text = asciiText(bytes);
  const [first = '', content = '', sum] = /^(.*\n)([\s\S]*?)(?:sha256 ([0-9a-f]{64})\n)?$/.exec(text)?.slice(1) ?? [];
  const version = first.slice(MANIFEST_MAGIC.length).trimEnd();
  if (version !== String(VERSION))
    fail('unknown-version', `its version is ${version}, not ${VERSION}; ${VERSION_REMEDY}`);
  if (sum === undefined) return fail('truncated', 'it does not end with its checksum');
  if (sum !== sha256OfText(first + content)) fail('wrong-checksum', 'it is damaged: its checksum differs');
  const [head, id, generation, after, width, profile, hosts] =
    HEAD.exec(content) ?? fail('not-an-index', 'it lacks its id, generation, width or profile');
  const lines = content.slice(head.length).split('\n').slice(0, -1);
  const segments = lines.map((line): SegmentEntry => {
    const [, name, byteLength, size, sha256] = SEGMENT.exec(line) ?? fail('not-an-index', 'a line is not a segment');
    return { name: name!, byteLength: Number(byteLength), size: Number(size), sha256: sha256! };
  });
  return {
    id: id!,
    generation: Number(generation),
    after: after === 'none' ? undefined : after,
    width: Number(width) as Width,
    profile: profile!,
    hasUnicodeHosts: hosts === 'some',
    segments,
    sha256: sum,
  };
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

/** Returns the manifest at a path; undefined where there is no file, or an index in one. @throws {HashIndexError} */
function manifestAt(path: string): Manifest | undefined {
  const { existsSync, readFileSync } = nodeModule('node:fs');
  if (!existsSync(path)) return undefined;
  const pages = pagesOfFile(path);
  const start = new Uint8Array(MAGIC.length);
  pages.read(start, 0);
  pages.close();
  return hasAsciiAt(start, 0, MAGIC) ? undefined : decodeManifest(readFileSync(path), path);
}

/**
 * Returns the generation that a run goes on from; undefined where the index has none yet.
 *
 * @throws {HashIndexError} 'wrong-segment' where the folder has come further than the index, or elsewhere: an earlier
 *   manifest was put back, or the index is gone
 */
export function lastGeneration(path: string): Manifest | undefined {
  const [manifest, copy] = [manifestAt(path), manifestAt(copyOf(path))];
  const isMissing = !nodeModule('node:fs').existsSync(path);
  const fail = (message: string): never => {
    throw new HashIndexError(path, 'wrong-segment', message);
  };
  if (copy === undefined) {
    const count = isMissing ? namesIn(path, isSegmentName).length : 0;
    if (count === 0) return manifest;
    return fail(`it is missing, but ${folderOf(path)} holds ${count} of its segments: index --merge reads them`);
  }
  if (manifest === undefined ? copy.generation === 0 : isNext(manifest, copy)) return manifest ?? copy;
  const found = `${copyOf(path)} is generation ${copy.generation}`;
  if (manifest !== undefined)
    return fail(`it is generation ${manifest.generation}, but ${found}: copy the one to keep over the other`);
  if (isMissing) return fail(`it is missing, but ${found}: copy that to its place`);
  return fail(`it is an index in one file, but ${found}: copy that to its place, or remove ${folderOf(path)}`);
}

/** Whether a manifest is the copy, or the next one: a run that was killed may not have made its copy. */
function isNext({ sha256, after }: Manifest, copy: Manifest): boolean {
  return copy.sha256 === sha256 || copy.sha256 === after;
}

/** @throws {HashIndexError} where an index in one file would replace one that grows, and leave its segments */
export function mustHaveNoSegments(path: string): void {
  const { existsSync, realpathSync } = nodeModule('node:fs');
  const target = existsSync(path) ? realpathSync(path) : path;
  if (!existsSync(copyOf(target)) && namesIn(target, isSegmentName).length === 0) return;
  const message = `it grows by --unseen, in ${folderOf(path)}: write to another file, or remove both`;
  throw new HashIndexError(path, 'unwritable', message);
}

/** The parts of an index: one in one file has one segment, and no manifest. */
export interface IndexParts {
  readonly segments: readonly Segment[];
  readonly manifest?: Manifest;
}

/** The most attempts to open an index, while runs of `--unseen` put another manifest in place. */
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
    if (!isManifest(start)) return { segments: [openSegment(pages, memoryBytes)] };
    const bytes = new Uint8Array(pages.byteLength);
    pages.read(bytes, 0);
    pages.close();
    try {
      const manifest = decodeManifest(bytes, path);
      return { segments: openSegments(path, manifest, memoryBytes), manifest };
    } catch (error) {
      const isReplaced = !nodeModule('node:fs').readFileSync(path).equals(bytes);
      if (tries === MAX_TRIES || !isReplaced) throw error;
    }
  }
}

/** Opens segments, the smallest first: of those that do not fit in memory, look-ups read a page at a time. */
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
function openNamed(path: string, { id, width, sha256 }: Manifest, entry: SegmentEntry, memoryBytes: number): Segment {
  const { existsSync, realpathSync } = nodeModule('node:fs');
  const target = realpathSync(path);
  const file = nodeModule('node:path').join(folderOf(target), entry.name);
  const fail = (message: string): never => {
    throw new HashIndexError(path, 'wrong-segment', `its segment ${entry.name} ${message}`);
  };
  if (!existsSync(file)) {
    const copy = manifestAt(copyOf(target));
    const isOther = copy !== undefined && copy.sha256 !== sha256;
    const advice = isOther ? `: ${copyOf(path)} is generation ${copy.generation}, copy that to its place` : '';
    fail(`is not in ${folderOf(path)}${advice}`);
  }
  const pages = pagesOfFile(file);
  if (pages.byteLength !== entry.byteLength) {
    pages.close();
    fail(`has ${pages.byteLength} bytes, not ${entry.byteLength}`);
  }
  const segment = openSegment(pages, memoryBytes);
  const isOwn = segment.owner?.id === id;
  if (isOwn && segment.size === entry.size && segment.width === width) return segment;
  segment.close();
  if (!isOwn) fail('belongs to another index');
  return fail(`has ${segment.size} hashes of ${segment.width} bytes, not ${entry.size} of ${width}`);
}

function isSegmentName(name: string): boolean {
  return /^[0-9a-f]{16}\.idx$/.test(name);
}

/** A file in the folder of an index that bears its id, and that its manifest does not name. */
export interface UnnamedSegment {
  readonly path: string;
  readonly generation: number;
}

/** Returns the unnamed segments of an index. Files with another id are ignored. */
export function unnamedSegments(path: string, { id, segments }: Pick<Manifest, 'id' | 'segments'>): UnnamedSegment[] {
  const named = new Set(segments.map(({ name }) => name));
  return namesIn(path, isSegmentName).flatMap((name) => {
    if (named.has(name)) return [];
    const file = nodeModule('node:path').join(folderOf(path), name);
    const owner = ownerOf(file);
    return owner?.id === id ? [{ path: file, generation: owner.generation }] : [];
  });
}

/** Removes what killed runs had begun to write, while no other run writes there. */
export function removeUnfinished(path: string): void {
  const { rmSync } = nodeModule('node:fs');
  for (const name of namesIn(path, isLeftover))
    rmSync(nodeModule('node:path').join(folderOf(path), name), { force: true });
}

function namesIn(path: string, isOne: (name: string) => boolean): string[] {
  const { existsSync, readdirSync } = nodeModule('node:fs');
  const folder = folderOf(path);
  return existsSync(folder) ? readdirSync(folder).filter(isOne) : [];
}

/** Returns the index that a file belongs to, if it is a segment. */
function ownerOf(file: string): SegmentOwner | undefined {
  const pages = pagesOfFile(file);
  try {
    return headerOf(pages).owner;
  } catch (error) {
    if (error instanceof HashIndexError) return undefined;
    throw error;
  } finally {
    pages.close();
  }
}

/** The hashes of a segment of the lowest tier, at most (512 KiB of 8 bytes each): merging such takes no time. */
const LEAST_TIER_SIZE = 2 ** 16;
const TIER_FACTOR = 4;

/** Returns the tier of a segment: tier 0 has up to 65,536 hashes, each further one four times as many. */
function tierOf(size: number): number {
  return Math.max(0, Math.ceil(Math.log2(size / LEAST_TIER_SIZE) / Math.log2(TIER_FACTOR)));
}

/**
 * The segments that become one with `newSize` new hashes: all up to a tier, if with the new ones there are four or
 * more; and again, with what that makes. So there are at most three segments to a tier, and a hash is written again
 * once for each tier that it rises: five times while 10^9 are gathered a million at a time.
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
