import { hashes } from 'urlsum/safe-browsing';
import { type Fetch, type Procedure, SafeBrowsingChecker } from 'urlsum/safe-browsing/check';
import { BATCH_GET_HASH_LISTS_RESPONSE, HashList, SEARCH_HASHES_RESPONSE } from 'urlsum/safe-browsing/lists';
import { digestOf, type Results } from './outcome.ts';

const PROCEDURES: readonly Procedure[] = ['local-list', 'real-time', 'no-storage'];
const URLS = Array.from({ length: 400 }, (_, row) => `HTTP://www.h${row}.example/${row}?x`);

/** Each procedure with a server in memory, which fails in the end; undefined where there are no streams to read. */
export async function checkerResults(): Promise<Results | undefined> {
  if (typeof ReadableStream === 'undefined') return undefined;
  const listed = Array.from({ length: 40 }, (_, row) => hashes(`http://h${7 * row}.example/`)[0]!);
  const rows: string[] = [];
  for (const procedure of PROCEDURES) {
    let isFailing = false;
    const checker = new SafeBrowsingChecker({
      server: 'https://lists.example/v5/',
      procedure,
      whenUnsure: 'block',
      ...(procedure === 'no-storage' ? {} : { lists: ['mw-4b'] }),
      fetch: async (url) => (isFailing ? responseOf(503) : responseOf(200, answerTo(url, listed))),
    });
    for (const { name, status, size } of await checker.update()) rows.push(`${name} ${status} ${size}`);
    for (const { reason, expression } of await checker.checkMany(URLS)) rows.push(`${reason} ${expression}`);
    isFailing = true;
    const others = URLS.slice(0, 30).concat('http://h7.example/new', 'http://other.example/');
    for (const { reason, isAllowed } of await checker.checkMany(others)) rows.push(`${reason} ${isAllowed}`);
  }
  return { count: rows.length, digest: digestOf(rows.join('\n')) };
}

/** Makes an answer that is not a `Response`: Node's needs WebAssembly. */
function responseOf(status: number, bytes = new Uint8Array(0)): Awaited<ReturnType<Fetch>> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
  return { status, headers: { get: () => null }, body };
}

function answerTo(url: string, listed: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  if (url.includes('hashLists:batchGet')) return BATCH_GET_HASH_LISTS_RESPONSE.encode([listOf(listed).toUpdate()]);
  const prefixes = new URL(url).searchParams.getAll('hashPrefixes');
  const found = listed.filter((hash) => prefixes.includes(base64Url(hash.subarray(0, 4))));
  const details = [{ threatType: 'MALWARE', attributes: [] } as const];
  return SEARCH_HASHES_RESPONSE.encode({ fullHashes: found.map((hash) => ({ hash, details })), cacheMs: 300_000 });
}

function listOf(hashes: readonly Uint8Array[]): HashList {
  const prefixes = Uint8Array.from(hashes.flatMap((hash) => [...hash.subarray(0, 4)]));
  return HashList.from(prefixes, 4, { name: 'mw-4b' });
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}
