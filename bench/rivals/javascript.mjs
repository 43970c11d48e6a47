// Node, Deno or Bun, whichever starts this: a program of the protocol that program.ts describes.

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { answerTo, introductionOf, waysOf } from './ways.mjs';

const { Bun, Deno } = globalThis;
const HOST = {
  ...(Bun === undefined
    ? { hashAll: hashAllByNode, sha256: sha256OfNode }
    : { hashAll: hashAllByBun, sha256: sha256OfBun }),
  share: 1,
  processorNanoseconds,
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

function sha256OfNode(text) {
  return hash('sha256', text, 'hex');
}

function sha256OfBun(text) {
  return Bun.SHA256.hash(text, 'hex');
}

function processorNanoseconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1e3;
}

function nameAndVersion() {
  if (Bun !== undefined) return { name: 'Bun', version: Bun.version };
  if (Deno !== undefined) return { name: 'Deno', version: Deno.version.deno };
  return { name: 'Node', version: process.versions.node };
}

const ways = waysOf(readFileSync(process.argv[2]), HOST);
process.stdout.write(`${introductionOf(nameAndVersion(), ways)}\n`);
for await (const request of createInterface({ input: process.stdin }))
  process.stdout.write(`${await answerTo(request, ways, HOST)}\n`);
