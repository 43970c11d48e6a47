// Hashes the URLs of a request, some rounds long; a Worker's own clock stands still while it answers, so that it is
// timed from outside.
import { UrlHash, UrlHasher } from 'urlsum';

type Way = (urls: readonly string[]) => readonly string[] | Promise<readonly string[]>;

const WAYS: Readonly<Record<string, Way>> = {
  hashMany(urls) {
    const column = new UrlHasher().hashMany(urls);
    return urls.map((_, row) => column.hex(row)!);
  },
  of: (urls) => urls.map((url) => UrlHash.of(url).toHex()),
  async subtle(urls) {
    const digests: string[] = [];
    for (const url of urls) digests.push(await subtleHex(url));
    return digests;
  },
  subtleAtOnce: (urls) => Promise.all(urls.map(subtleHex)),
};

const encoder = new TextEncoder();

async function subtleHex(url: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', encoder.encode(new URL(url).href));
  return Array.from(new Uint8Array(digest), (byte) => HEX[byte]).join('');
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const urls = (await request.json()) as readonly string[];
    let digests: readonly string[] = [];
    for (let rounds = Number(searchParams.get('rounds')); rounds > 0; rounds--) digests = await WAYS[pathname.slice(1)]!(urls);
    return Response.json(digests);
  },
};
