// Hashes the URLs of a request, some rounds long; a Worker's own clock stands still while it answers, so that it is
// timed from outside. Every use gives the digests packed, 32 bytes per URL.
import { UrlHash, UrlHasher } from 'urlsum';

/** `lines` are the same URLs as bytes, as the body of a request brings them. */
type Way = (urls: readonly string[], lines: Uint8Array) => Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>;

const WAYS: Readonly<Record<string, Way>> = {
  hashLines: (_, lines) => new UrlHasher().hashLines(lines).bytes,
  hashMany: (urls) => new UrlHasher().hashMany(urls).bytes,
  of: (urls) => packed(urls.map((url) => UrlHash.of(url).bytes)),
  async subtle(urls) {
    const digests: Uint8Array[] = [];
    for (const url of urls) digests.push(await subtleDigest(url));
    return packed(digests);
  },
  subtleAtOnce: async (urls) => packed(await Promise.all(urls.map(subtleDigest))),
};

const encoder = new TextEncoder();

async function subtleDigest(url: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(new URL(url).href)));
}

function packed(digests: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(32 * digests.length);
  for (const [row, digest] of digests.entries()) bytes.set(digest, 32 * row);
  return bytes;
}

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const urls = (await request.json()) as readonly string[];
    const lines = encoder.encode(urls.join('\n'));
    let digests = new Uint8Array();
    for (let rounds = Number(searchParams.get('rounds')); rounds > 0; rounds--)
      digests = await WAYS[pathname.slice(1)]!(urls, lines);
    return new Response(digests);
  },
};
