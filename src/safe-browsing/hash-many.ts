import { mustBeBytes, mustBeList } from '../argument.ts';
import type { KernelName } from '../kernel/kernel.ts';
import { openKernel } from '../kernel/open.ts';
import type { ExpressionColumn } from './column.ts';
import { ColumnBuilder } from './column-builder.ts';
import { checkWidth, HASH_BYTES } from './hashes.ts';
import type { UrlInput } from './input.ts';
import { EXPRESSION_OPTIONS, type ExpressionOptions, settingsOf } from './settings.ts';

/** What `hashManyExpressions` and `hashLinesExpressions` take. */
export interface HashManyOptions extends ExpressionOptions {
  /** Bytes of each hash that are kept: 4 to 32 (default). */
  readonly width?: number;
  /** Forces a kernel; the default is the best that this host runs. */
  readonly kernel?: KernelName;
}

/**
 * The hashes of all expressions of many URLs. A URL without a host costs nothing but its own row.
 *
 * @param urls strings and bytes; not one of them alone
 * @param options those of `expressions`, the width in bytes, and the kernel
 * @returns one row per URL, in order; rows without a host have no hashes
 * @throws {TypeError} on one string or bytes in place of a list, and on options that are not an object; never on a URL
 * @throws {RangeError} on a width outside of 4 to 32, and on an option, or a value of one, that does not exist
 * @example
 * const column = hashManyExpressions(['http://a.example.com/b', 'http://example.com/'], { width: 4 });
 * column.offsets; //=> Uint32Array(3) [0, 4, 5]
 */
export function hashManyExpressions(urls: Iterable<UrlInput>, options: HashManyOptions = {}): ExpressionColumn {
  const builder = builderOf(options, Array.isArray(urls) ? HASHES_PER_URL * urls.length : 0);
  for (const url of mustBeList('urls', urls)) builder.add(url);
  return builder.build();
}

/**
 * The hashes of all expressions of a text's lines, in about 15 % less time than its lines take as strings. Each line
 * is read as `expressions` reads bytes; LF or CR LF ends it, and a last line without one counts.
 *
 * @param text one URL per line
 * @param options those of `expressions`, the width in bytes, and the kernel
 * @returns one row per line, in order; rows without a host have no hashes
 * @throws {TypeError} on what is not a Uint8Array, and on options that are not an object; never on a line
 * @throws {RangeError} on a width outside of 4 to 32, and on an option, or a value of one, that does not exist
 * @example
 * const lines = new TextEncoder().encode('http://a.example.com/b\nmailto:x\n');
 * hashLinesExpressions(lines, { width: 4 }).offsets; //=> Uint32Array(3) [0, 4, 4]
 */
export function hashLinesExpressions(text: Uint8Array, options: HashManyOptions = {}): ExpressionColumn {
  const builder = builderOf(options, mustBeBytes('text', text).length / BYTES_PER_HASH);
  builder.addLines(text);
  return builder.build();
}

const HASH_MANY_OPTIONS = [...EXPRESSION_OPTIONS, 'width', 'kernel'];

/** Of real URLs, roughly: they have 5.6 to 5.9 expressions, and 64 bytes with the line feed. */
const HASHES_PER_URL = 6;
const BYTES_PER_HASH = 10;
/** 64 MiB of hashes: more is reserved only when it is there. */
const MOST_EXPECTED = 1 << 21;

function builderOf(options: HashManyOptions, expectedCount: number): ColumnBuilder {
  const settings = settingsOf(options, HASH_MANY_OPTIONS);
  const { width = HASH_BYTES, kernel } = options;
  checkWidth('width', width);
  return new ColumnBuilder(openKernel(kernel), width, settings, Math.min(MOST_EXPECTED, Math.ceil(expectedCount)));
}
