import { existsSync } from 'node:fs';
import { canonicalForm } from '../../core/url/canonicalize.ts';

/** A scheme has at least two letters: with one, C:\x on Windows would be a URL. */
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;

/** Labels with dots between them, the last of letters, and then a port, a path, a query, a fragment or the end. */
const DOMAIN = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+(?:\p{L}{2,}|xn--[a-z0-9-]+)(?::\d+)?(?:[/?#]|$)/iu;

/** Hosts that rarely speak HTTPS. */
const LOCAL_HOST = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?(?:[/?#]|$)/i;

/** Extensions of files that urlsum reads or writes. Some are top-level domains, too (.zip), but count as files here. */
const FILE_EXTENSION =
  /^[^/?#]*\.(?:txt|lst|list|csv|tsv|json|jsonl|ndjson|gz|zst|xz|bz2|zip|7z|parquet|arrow|idx|bin|cdx|cdxj|sums?|log|ttl|trig|nq|nt|html?|pdf|md|py|sh|rs)$/i;

/** Whether an operand is one line with an absolute URL, not the name of a file. */
export function isUrl(operand: string): boolean {
  return SCHEME.test(operand) && !/[\n\r\0]/.test(operand) && typeof canonicalForm(operand) === 'string';
}

/** Whether an operand is an absolute URL, and no file has that name. */
export function isUrlOperand(operand: string): boolean {
  return isUrl(operand) && !existsSync(operand);
}

/** Completes "no such file" if a URL was probably meant. */
export function aboutUrl(operand: string): string {
  if (isUrl(operand)) return ', and a URL is not fetched';
  const meant = meantUrl(operand);
  if (meant !== undefined) return `; did you mean ${meant}?`;
  const form = operand.includes('://') ? canonicalForm(operand) : '';
  return typeof form === 'string' ? '' : `, and not a URL: ${form.sentence}`;
}

/** A notice for each operand such as localhost:3000, since the URL Standard takes that host for a scheme. */
export function schemeNotices(operands: readonly string[]): string[] {
  return operands.flatMap((operand) => {
    const meant = meantUrl(operand);
    return meant === undefined || !isUrlOperand(operand)
      ? []
      : [`${operand}: its scheme is '${schemeOf(operand)}'; did you mean ${meant}?`];
  });
}

function schemeOf(url: string): string {
  return url.slice(0, url.indexOf(':')).toLowerCase();
}

/** The URL that was meant by a host, perhaps with a port and a path. */
function meantUrl(operand: string): string | undefined {
  const isLocal = LOCAL_HOST.test(operand);
  if (!isLocal && (!DOMAIN.test(operand) || FILE_EXTENSION.test(operand))) return undefined;
  const url = `${isLocal ? 'http' : 'https'}://${operand}`;
  return isUrl(url) ? url : undefined;
}
