// What Node itself has for the SHA-256 of a message, as a program of the protocol that program.ts describes: only of
// lines as they are.

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** `crypto.subtle` is awaited message by message, as in a loop of its user: it gets one line of so many. */
const SUBTLE_SHARE = 8;

const lines = readFileSync(process.argv[2])
  .toString('latin1')
  .trimEnd()
  .split('\n')
  .map((line) => Buffer.from(line, 'latin1'));
const some = lines.slice(0, Math.ceil(lines.length / SUBTLE_SHARE));

const hashedTo = (encoding) => ({ lines, run: () => lines.map((line) => hash('sha256', line, encoding)), encoding });
const ways = {
  'crypto.hash to hex': hashedTo('hex'),
  'crypto.hash to base64url': hashedTo('base64url'),
  'crypto.hash to a buffer': hashedTo('buffer'),
  'crypto.subtle.digest': { lines: some, run: digestsOfSubtle, encoding: 'buffer' },
};

async function digestsOfSubtle() {
  const digests = [];
  for (const line of some) digests.push(Buffer.from(await crypto.subtle.digest('SHA-256', line)));
  return digests;
}

const hexOf = (digest, encoding) => (encoding === 'buffer' ? digest : Buffer.from(digest, encoding)).toString('hex');

async function answerTo(request) {
  const [, kind, name] = /^(digests|round) (.+)$/.exec(request);
  const { lines, run, encoding } = ways[name];
  if (kind === 'digests') return (await run()).map((digest) => hexOf(digest, encoding)).join('');
  const before = process.cpuUsage();
  const start = performance.now();
  const digests = await run();
  const elapsed = (performance.now() - start) * 1e6;
  const { user, system } = process.cpuUsage(before);
  if (digests.length !== lines.length) throw new Error('never: it only keeps the result in use');
  return JSON.stringify({ elapsed: elapsed / lines.length, processor: ((user + system) * 1e3) / lines.length });
}

const introduction = { name: 'Node', version: process.versions.node, ways: { message: Object.keys(ways) } };
console.log(JSON.stringify(introduction));
for await (const request of createInterface({ input: process.stdin })) console.log(await answerTo(request));
