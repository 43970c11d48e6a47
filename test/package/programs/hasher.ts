// One URL on a hasher, in the class of its width; options are found again by their values, never by their object.
import { equal, notEqual, throws } from 'node:assert/strict';
import { canonicalize, UrlHash, UrlHasher, type UrlShortHash, type UrlVeryShortHash } from 'urlsum';

const url = 'https://example.com/?utm_source=x&id=7';
const short: UrlShortHash = new UrlHasher({ width: 16, dropList: 'tracking-2026' }).hash(url);
equal(short.hex, UrlHash.of('https://example.com/?id=7').short().hex);
const veryShort: UrlVeryShortHash | null = new UrlHasher({ width: 8 }).tryHash('no URL');
equal(veryShort, null);
// @ts-expect-error a width there is not
throws(() => new UrlHasher({ width: 7 }), RangeError);

const dropParams = ['utm_source'];
const options = { dropParams, base: new URL('https://example.com/') };
const before = UrlHash.of(url, options);
equal(before.hex, UrlHash.of('https://example.com/?id=7').hex);
equal(UrlHash.of(url, { ...options, dropParams: [...dropParams] }).hex, before.hex);
dropParams[0] = 'id';
notEqual(UrlHash.of(url, options).hex, before.hex);
equal(canonicalize(url, options), 'https://example.com/?utm_source=x');
options.base.href = 'https://other.example/';
equal(canonicalize('x', options), 'https://other.example/x');
