// The built package and what its user would write instead, in Node, Deno, Bun or a page, whichever starts this: a program
// of the protocol that program.ts describes. Not TypeScript, since every runtime runs it as it is.

import { canonicalize, UrlHash, UrlHasher } from '../../dist/esm/index.js';

/** The digest of what is not a URL. */
const ZEROS = ''.padEnd(64, '0');

const host = globalThis.document === undefined ? await processHost() : await pageHost();
const ways = waysOf(host);
const named = (kind) => Object.keys(ways).filter((way) => ways[way].kind === kind);
const { name, version } = host;
const kinds = { hash: named('hash'), form: named('form'), single: named('single') };
await host.serve(JSON.stringify({ name, version, ways: kinds }), answerTo);

/**
 * The means that a runtime has of its own.
 * @typedef {object} Host
 * @property {string} name
 * @property {string} version
 * @property {Uint8Array} text the lines
 * @property {(lines: readonly string[]) => unknown} hashAll hashes `new URL(line).href` of each line
 * @property {(lines: readonly string[]) => unknown} hashAllForms hashes `canonicalize(line)` of each line
 * @property {(text: string) => string | Promise<string>} sha256 in hexadecimal
 * @property {() => number | undefined | Promise<number | undefined>} processorNanoseconds used so far, where it is known
 * @property {number} share its own hash gets one line of so many: 10 where it takes microseconds, 1 elsewhere
 * @property {(introduction: string, answer: (request: string) => Promise<string>) => Promise<void>} serve
 */

/** @returns {Promise<Host>} */
async function processHost() {
  const { hash } = await import('node:crypto');
  const { readFileSync } = await import('node:fs');
  const { default: process } = await import('node:process');
  const { createInterface } = await import('node:readline');
  const { Bun, Deno } = globalThis;
  const say = (text) => process.stdout.write(`${text}\n`);
  return {
    name: Bun !== undefined ? 'Bun' : Deno !== undefined ? 'Deno' : 'Node',
    version: Bun?.version ?? Deno?.version.deno ?? process.versions.node,
    text: readFileSync(process.argv[2]),
    hashAll: Bun === undefined ? hashAllByNode : hashAllByBun,
    hashAllForms: Bun === undefined ? hashAllFormsByNode : hashAllFormsByBun,
    sha256: Bun === undefined ? (text) => hash('sha256', text, 'hex') : (text) => Bun.SHA256.hash(text, 'hex'),
    share: 1,
    processorNanoseconds() {
      const { user, system } = process.cpuUsage();
      return (user + system) * 1e3;
    },
    async serve(introduction, answer) {
      say(introduction);
      for await (const request of createInterface({ input: process.stdin })) say(await answer(request));
    },
  };

  function hashAllByNode(lines) {
    let length = 0;
    for (const line of lines) length += hash('sha256', new URL(line).href, 'hex').length;
    return length;
  }

  function hashAllByBun(lines) {
    let length = 0;
    for (const line of lines) length += Bun.SHA256.hash(new URL(line).href, 'hex').length;
    return length;
  }

  function hashAllFormsByNode(lines) {
    let length = 0;
    for (const line of lines) length += hash('sha256', canonicalize(line), 'hex').length;
    return length;
  }

  function hashAllFormsByBun(lines) {
    let length = 0;
    for (const line of lines) length += Bun.SHA256.hash(canonicalize(line), 'hex').length;
    return length;
  }
}

/**
 * Its requests are server-sent events, its answers are posted; what opens the page tells its browser's name and version.
 * @returns {Promise<Host>}
 */
async function pageHost() {
  const encoder = new TextEncoder();
  /** The only SHA-256 of a page is asynchronous. With each awaited, as in a loop of its user, it takes microseconds. */
  const digestOf = (text) => crypto.subtle.digest('SHA-256', encoder.encode(text));
  const say = (text) => fetch('/answer', { method: 'POST', body: `${text}\n` });
  return {
    ...Object.fromEntries(new URLSearchParams(location.search)),
    text: new Uint8Array(await (await fetch('/lines')).arrayBuffer()),
    async hashAll(lines) {
      let length = 0;
      for (const line of lines) length += (await digestOf(new URL(line).href)).byteLength;
      return length;
    },
    async hashAllForms(lines) {
      let length = 0;
      for (const line of lines) length += (await digestOf(canonicalize(line))).byteLength;
      return length;
    },
    async sha256(text) {
      const bytes = new Uint8Array(await digestOf(text));
      return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    },
    share: 10,
    processorNanoseconds: async () => (await (await fetch('/processor')).json()).nanoseconds,
    async serve(introduction, answer) {
      new EventSource('/requests').onmessage = async ({ data }) => say(await answer(data));
      await say(introduction);
    },
  };
}

/** The ways by name: what is timed, the lines it takes, and its digests; of a canonical form, those of the form. */
function waysOf({ text, hashAll, hashAllForms, sha256, share }) {
  const lines = linesOf(text);
  const hasher = new UrlHasher();
  const invalid = new Set(hasher.hashMany(lines).invalid);
  const isOurs = (_, row) => !invalid.has(row);
  /** A runtime with the tables of another Unicode version takes other hosts. */
  const isTheirs = isUrlOfHost;
  const some = lines.filter((_, row) => row % share === 0);
  const ofEach = (isUrl, digest) => () => digestsOfEach(lines, isUrl, digest);
  const href = ofEach(isTheirs, (line) => sha256(new URL(line).href));
  const way = (kind, run, digests, lineCount = lines.length) => ({ kind, run, digests, lineCount });
  const ofColumn = (run) => way('hash', run, () => hexOf(run()));
  return {
    hashLines: ofColumn(() => hasher.hashLines(text)),
    hashMany: ofColumn(() => hasher.hashMany(lines)),
    'UrlHash.of(url).hex': way(
      'hash',
      () => byUrlHash(lines),
      ofEach(isOurs, (line) => UrlHash.of(line).hex),
    ),
    "new URL(url).href and the runtime's SHA-256": way('hash', () => hashAll(some), href, some.length),
    'canonicalize(url)': way(
      'form',
      () => byCanonicalize(lines),
      ofEach(isOurs, (line) => sha256(canonicalize(line))),
    ),
    'new URL(url).href': way('form', () => byHref(lines), href),
    "canonicalize(url) and the runtime's SHA-256": way(
      'single',
      () => hashAllForms(some),
      ofEach(isOurs, (line) => sha256(canonicalize(line))),
      some.length,
    ),
  };
}

/** Asks the constructor, since Node 20 answers URL.canParse wrongly for some texts beyond ASCII, once it is compiled. */
function isUrlOfHost(line) {
  try {
    return new URL(line) !== undefined;
  } catch {
    return false;
  }
}

/** Answers the request `digests WAY` or `round WAY`. */
async function answerTo(request) {
  const [, kind, way] = /^(digests|round) (.+)$/.exec(request);
  return kind === 'round' ? JSON.stringify(await timed(ways[way])) : ways[way].digests();
}

/** Returns the time in nanoseconds per line. */
async function timed({ run, lineCount }) {
  const processor = await host.processorNanoseconds();
  const start = performance.now();
  const result = await run();
  const elapsed = (performance.now() - start) * 1e6;
  if (result === timed) throw new Error('never: it only keeps the result in use');
  const used = processor === undefined ? undefined : (await host.processorNanoseconds()) - processor;
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
