// The built package and what its user would write instead: what is timed in every JavaScript runtime. Not TypeScript,
// since every runtime runs it as it is.

import { canonicalize, UrlHash, UrlHasher } from '../../dist/esm/index.js';

/** Of what is not a URL. */
const ZEROS = ''.padEnd(64, '0');

/**
 * What a runtime has of its own.
 * @typedef {object} Host
 * @property {(lines: readonly string[]) => unknown} hashAll hashes `new URL(line).href` of each line
 * @property {(text: string) => string | Promise<string>} sha256 in hexadecimal
 * @property {() => number | undefined | Promise<number | undefined>} processorNanoseconds used so far, where it is known
 * @property {number} share its own hash gets one line of so many: 10 where it takes microseconds, 1 elsewhere
 */

/** By name: what is timed, the lines it takes, and its digests; of a canonical form, those of the form. */
export function waysOf(text, { hashAll, sha256, share }) {
  const lines = linesOf(text);
  const hasher = new UrlHasher();
  const invalid = new Set(hasher.hashMany(lines).invalid);
  const isOurs = (_, row) => !invalid.has(row);
  /** A runtime with the tables of another Unicode version takes other hosts. */
  const isTheirs = (line) => URL.canParse(line);
  const some = lines.filter((_, row) => row % share === 0);
  const ofEach = (isUrl, digest) => digestsOfEach(lines, isUrl, digest);
  const way = (kind, run, digests, lineCount = lines.length) => ({ kind, run, digests, lineCount });
  return {
    hashLines: way(
      'hash',
      () => hasher.hashLines(text),
      () => hexOf(hasher.hashLines(text)),
    ),
    hashMany: way(
      'hash',
      () => hasher.hashMany(lines),
      () => hexOf(hasher.hashMany(lines)),
    ),
    'UrlHash.of(url).hex': way(
      'hash',
      () => byUrlHash(lines),
      () => ofEach(isOurs, (line) => UrlHash.of(line).hex),
    ),
    "new URL(url).href and the runtime's SHA-256": way(
      'hash',
      () => hashAll(some),
      () => ofEach(isTheirs, (line) => sha256(new URL(line).href)),
      some.length,
    ),
    'canonicalize(url)': way(
      'form',
      () => byCanonicalize(lines),
      () => ofEach(isOurs, (line) => sha256(canonicalize(line))),
    ),
    'new URL(url).href': way(
      'form',
      () => byHref(lines),
      () => ofEach(isTheirs, (line) => sha256(new URL(line).href)),
    ),
  };
}

/** What a program introduces itself with. */
export function introductionOf({ name, version }, ways) {
  const named = (kind) => Object.keys(ways).filter((way) => ways[way].kind === kind);
  return JSON.stringify({ name, version, ways: { hash: named('hash'), form: named('form') } });
}

/** Of the request `digests WAY` or `round WAY`. */
export async function answerTo(request, ways, { processorNanoseconds }) {
  const [, kind, name] = /^(digests|round) (.+)$/.exec(request);
  return kind === 'round' ? JSON.stringify(await timed(ways[name], processorNanoseconds)) : ways[name].digests();
}

/** In nanoseconds per line. */
async function timed({ run, lineCount }, processorNanoseconds) {
  const processor = await processorNanoseconds();
  const start = performance.now();
  const result = await run();
  const elapsed = (performance.now() - start) * 1e6;
  if (result === timed) throw new Error('never: it only keeps the result in use');
  const used = processor === undefined ? undefined : (await processorNanoseconds()) - processor;
  return { elapsed: elapsed / lineCount, processor: used === undefined ? undefined : used / lineCount };
}

// Each has a loop of its own: in one that all share, no call would be inlined.
function byUrlHash(lines) {
  let length = 0;
  for (const line of lines) length += UrlHash.of(line).hex.length;
  return length;
}

function byCanonicalize(lines) {
  let length = 0;
  for (const line of lines) length += canonicalize(line).length;
  return length;
}

function byHref(lines) {
  let length = 0;
  for (const line of lines) length += new URL(line).href.length;
  return length;
}

function linesOf(text) {
  const whole = new TextDecoder().decode(text);
  return whole.replace(/\n$/, '').split('\n').map(ownString);
}

/** A string of its own, not a slice of the whole text. */
function ownString(line) {
  return new TextDecoder().decode(new TextEncoder().encode(line));
}

function hexOf(column) {
  return Array.from({ length: column.length }, (_, row) => column.hex(row) ?? ZEROS).join('');
}

async function digestsOfEach(lines, isUrl, digest) {
  const digests = await Promise.all(lines.map((line, row) => (isUrl(line, row) ? digest(line) : ZEROS)));
  return digests.join('');
}
