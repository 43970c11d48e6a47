// A URL is a string or a URL in every entry, and bytes in Safe Browsing; a path is a string or a URL of a file.
import { equal, throws } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseOldUrl, pathToFileURL } from 'node:url';
import { canonicalize, tryCanonicalize, UrlHash, UrlHasher } from 'urlsum';
import { explain } from 'urlsum/explain';
import * as hashUri from 'urlsum/hash-uri';
import * as hashedUri from 'urlsum/hashed-uri';
import { UrlHashPool } from 'urlsum/pool';
import * as safeBrowsing from 'urlsum/safe-browsing';
import { SafeBrowsingChecker } from 'urlsum/safe-browsing/check';

const text = 'https://example.com/';
const url = new URL(text);
const hash: string = UrlHash.of(text).hex;
equal(UrlHash.of(url).hex, hash);
equal(new UrlHasher().hash(url).hex, hash);
equal(new UrlHasher().hashMany([url, text]).hex(0), hash);
equal(explain(url).hash, hash);
equal(safeBrowsing.canonicalize(url), text);
equal(safeBrowsing.canonicalize(new TextEncoder().encode(text)), text);
equal(safeBrowsing.listEntry(url).expression, 'example.com/');
equal(safeBrowsing.hashes(url).length, new safeBrowsing.ExpressionHasher().hashMany([url]).at(0).length);
equal(new hashedUri.HashedUriSet([], { variant: 'both', base: url }).has(url), false);
const named = new URL(hashUri.make(url, new Uint8Array(0)));
equal(hashUri.isPotentialHashUri(named) && hashUri.verify(named, new Uint8Array(0)), true);
equal(hashUri.parse(named).uri, named.href);
equal(hashUri.fromNi(new URL(hashUri.toNi(named))), `${hashUri.parse(named).identifier}${hashUri.parse(named).hash}`);
new SafeBrowsingChecker({ server: url, procedure: 'no-storage', whenUnsure: 'block' });

const file = join(import.meta.dirname ?? '.', 'urls.txt');
writeFileSync(file, `${text}\n`);
const pool = new UrlHashPool({ threads: 1 });
for await (const column of pool.hashFile(pathToFileURL(file))) equal(column.hex(0), hash);
await pool.close();

const old = parseOldUrl(text);
// @ts-expect-error the result of Node's old url.parse is not a URL, by its type and when it runs
throws(() => UrlHash.of(old), TypeError);
// @ts-expect-error
throws(() => canonicalize('x', { base: old }), TypeError);
// @ts-expect-error
throws(() => tryCanonicalize(old), TypeError);
// @ts-expect-error
throws(() => new UrlHasher().hashMany([old]), TypeError);
// @ts-expect-error
throws(() => hashedUri.canonicalize(old, { variant: 'N' }), TypeError);
// @ts-expect-error
throws(() => hashUri.parse(old), TypeError);
// @ts-expect-error
throws(() => explain(old), TypeError);
// @ts-expect-error
throws(() => safeBrowsing.expressions(old), TypeError);
