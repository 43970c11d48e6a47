// The built package and what its user would write instead, in whatever runtime this is started: a program of the
// protocol that program.ts describes. Not TypeScript, since every runtime runs it as it is.

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { canonicalize, UrlHash, UrlHasher } from '../../dist/esm/index.js';

const text = readFileSync(process.argv[2]);
const lines = text
  .toString()
  .replace(/\n$/, '')
  .split('\n')
  .map((line) => Buffer.from(line).toString()); // each a string of its own, not a slice of the whole text
const hasher = new UrlHasher();

const invalid = new Set(hasher.hashMany(lines).invalid);
const isOurs = (_, row) => !invalid.has(row);
/** A runtime with the tables of another Unicode version takes other hosts. */
const isTheirs = (line) => URL.canParse(line);

const { Bun, Deno } = globalThis;
const sha256 =
  Bun === undefined ? (string) => hash('sha256', string, 'hex') : (string) => Bun.SHA256.hash(string, 'hex');
const bySha256 = Bun === undefined ? bySha256OfNode : bySha256OfBun;

// Each has a loop of its own: in one that all share, no call would be inlined.
function byUrlHash() {
  let length = 0;
  for (const line of lines) length += UrlHash.of(line).toHex().length;
  return length;
}

function bySha256OfNode() {
  let length = 0;
  for (const line of lines) length += hash('sha256', new URL(line).href, 'hex').length;
  return length;
}

function bySha256OfBun() {
  let length = 0;
  for (const line of lines) length += Bun.SHA256.hash(new URL(line).href, 'hex').length;
  return length;
}

function byCanonicalize() {
  let length = 0;
  for (const line of lines) length += canonicalize(line).length;
  return length;
}

function byHref() {
  let length = 0;
  for (const line of lines) length += new URL(line).href.length;
  return length;
}

/** By the name of the way: what is timed, and its digests; of a canonical form, those of the form. */
const WAYS = {
  hashLines: [() => hasher.hashLines(text), () => hexOf(hasher.hashLines(text))],
  hashMany: [() => hasher.hashMany(lines), () => hexOf(hasher.hashMany(lines))],
  'UrlHash.of(url).toHex()': [byUrlHash, () => ofEach(isOurs, (line) => UrlHash.of(line).toHex())],
  "new URL(url).href and the runtime's SHA-256": [
    bySha256,
    () => ofEach(isTheirs, (line) => sha256(new URL(line).href)),
  ],
  'canonicalize(url)': [byCanonicalize, () => ofEach(isOurs, (line) => sha256(canonicalize(line)))],
  'new URL(url).href': [byHref, () => ofEach(isTheirs, (line) => sha256(new URL(line).href))],
};

function hexOf(column) {
  return Buffer.from(column.bytes).toString('hex');
}

function ofEach(isUrl, digest) {
  return lines.map((line, row) => (isUrl(line, row) ? digest(line) : ''.padEnd(64, '0'))).join('');
}

function timed(run) {
  const processor = process.cpuUsage();
  const start = performance.now();
  const result = run();
  const elapsed = performance.now() - start;
  const { user, system } = process.cpuUsage(processor);
  if (result === timed) throw new Error('never: it only keeps the result in use');
  return { elapsed: (elapsed * 1e6) / lines.length, processor: ((user + system) * 1e3) / lines.length };
}

function introduction() {
  const ways = Object.keys(WAYS);
  if (Bun !== undefined) return { name: 'Bun', version: Bun.version, ways };
  if (Deno !== undefined) return { name: 'Deno', version: Deno.version.deno, ways };
  return { name: 'Node', version: process.versions.node, ways };
}

function answer(request) {
  const [, kind, way] = /^(digests|round) (.+)$/.exec(request);
  const [run, digests] = WAYS[way];
  return kind === 'round' ? JSON.stringify(timed(run)) : digests();
}

process.stdout.write(`${JSON.stringify(introduction())}\n`);
for await (const request of createInterface({ input: process.stdin })) process.stdout.write(`${answer(request)}\n`);
