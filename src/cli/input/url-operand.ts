import { existsSync } from 'node:fs';
import { canonicalForm } from '../../url/canonicalize.ts';

/** Two letters at least: with one, C:\x on Windows would have a scheme. */
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;

/** Labels with dots between them, the last of letters, and what may follow a host. */
const HOST = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+(?:\p{L}{2,}|xn--[a-z0-9-]+)(?::\d+)?(?:[/?#]|$)/iu;

/** What files that urlsum reads or writes end in; those that are top-level domains, too (.zip) are rather files here. */
const FILE_EXTENSION =
  /^[^/?#]*\.(?:txt|lst|list|csv|tsv|json|jsonl|ndjson|gz|zst|xz|bz2|zip|7z|parquet|arrow|idx|bin|cdx|cdxj|sums?|log|ttl|trig|nq|nt|html?|pdf|md|py|sh|rs)$/i;

/** Is an operand, in place of a file's name, one line that is an absolute URL? */
export function isUrl(operand: string): boolean {
  return SCHEME.test(operand) && !/[\n\r\0]/.test(operand) && typeof canonicalForm(operand) === 'string';
}

/** Is it a host with a dot, and perhaps a path, as URLs are written without their scheme? */
export function looksLikeUrl(operand: string): boolean {
  return HOST.test(operand) && !FILE_EXTENSION.test(operand) && isUrl(`https://${operand}`);
}

/** The same where there is no file of that name. */
export function isUrlOperand(operand: string): boolean {
  return isUrl(operand) && !existsSync(operand);
}
