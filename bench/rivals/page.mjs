// In the page of a browser: a program of the protocol that program.ts describes, whose requests come as server-sent
// events and whose answers are posted (page-site.ts).

import { answerTo, waysOf } from './ways.mjs';

const encoder = new TextEncoder();
/** The only SHA-256 of a page is asynchronous. With each awaited, as in a loop of its user, it takes microseconds. */
const HOST = { hashAll, sha256, share: 10, processorNanoseconds };

async function hashAll(lines) {
  let length = 0;
  for (const line of lines) length += (await digestOf(new URL(line).href)).byteLength;
  return length;
}

function digestOf(text) {
  return crypto.subtle.digest('SHA-256', encoder.encode(text));
}

async function sha256(text) {
  const bytes = new Uint8Array(await digestOf(text));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function processorNanoseconds() {
  return (await (await fetch('/processor')).json()).nanoseconds;
}

function answer(text) {
  return fetch('/answer', { method: 'POST', body: `${text}\n` });
}

/** Which the page cannot tell in full: what opens it gives them to it. */
function nameAndVersion() {
  return Object.fromEntries(new URLSearchParams(location.search));
}

const ways = waysOf(new Uint8Array(await (await fetch('/lines')).arrayBuffer()), HOST);
new EventSource('/requests').onmessage = async ({ data }) => answer(await answerTo(data, ways, HOST));
await answer(JSON.stringify({ ...nameAndVersion(), ways: Object.keys(ways) }));
