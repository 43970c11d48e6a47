import { MARKED_BYTES, ROW_CAPACITY, TEXT } from '../../../assembly/layout.ts';
import { mustBeUrl } from '../argument.ts';
import { LINE_FEED } from '../bytes/code-points.ts';
import { textEncoderIfAny } from '../bytes/utf8.ts';
import type { HashColumn } from '../digest/column.ts';
import type { Kernel, Width } from '../kernel/kernel.ts';
import { hashColumn } from './hash-column.ts';
import { type Canonicalizing, type Hashing, UrlBatch } from './url-batch.ts';

/** UTF-16 units per batch: as UTF-8 they fit in TEXT with room to spare, unless most of them are not ASCII. */
const BATCH_UNITS = 128 * 1024;

export function hashStrings<W extends Width>(hashing: Hashing<W>, urls: Iterable<string | URL>): HashColumn<W> {
  return hashColumn(hashing, batchesOfStrings(hashing, urls));
}

/** Yields the URLs in batches of canonical forms; each is valid until the next. */
function* batchesOfStrings(canonicalizing: Canonicalizing, urls: Iterable<string | URL>): Generator<UrlBatch> {
  const strings: string[] = []; // written over by each batch: a new list each time takes 6 ns per URL more
  let [rowCount, unitCount] = [0, 0];
  for (const url of urls) {
    const text = mustBeUrl('each of urls', url);
    strings[rowCount++] = text;
    unitCount += text.length + 1;
    if (rowCount < ROW_CAPACITY && unitCount < BATCH_UNITS) continue;
    yield canonicalized(canonicalizing, strings, rowCount);
    rowCount = unitCount = 0;
  }
  if (rowCount > 0) yield canonicalized(canonicalizing, strings, rowCount);
}

function canonicalized(canonicalizing: Canonicalizing, strings: readonly string[], rowCount: number): UrlBatch {
  const batch = new UrlBatch(canonicalizing);
  const inputOf = (row: number) => strings[row];
  const textEnd = copyStrings(canonicalizing.kernel, strings, rowCount);
  if (textEnd === undefined) batch.parse(rowCount, inputOf);
  else batch.canonicalize(rowCount, textEnd, inputOf);
  return batch;
}

/** Strings that are joined and encoded at once: 57 ns per URL, 110 one at a time, 190 with all 2048 joined. */
const JOINED = 64;

/**
 * Copies the first `rowCount` strings to the kernel's memory as lines and returns their end; undefined if they do not
 * fit or hold line feeds.
 */
function copyStrings(kernel: Kernel, strings: readonly string[], rowCount: number): number | undefined {
  const encoder = textEncoderIfAny();
  if (encoder === undefined) return undefined;
  const { memory } = kernel;
  let end = TEXT;
  for (let index = 0; index < rowCount; index += JOINED) {
    const text = strings.slice(index, Math.min(index + JOINED, rowCount)).join('\n');
    const room = memory.bytes.subarray(end, TEXT + MARKED_BYTES - 1);
    const { read, written } = encoder.encodeInto(text, room);
    if (read < text.length) return undefined;
    end += written;
    memory.bytes[end++] = LINE_FEED;
  }
  // that many lines must reach the end: findLines never counts more than ROW_CAPACITY
  const isOneLineEach = kernel.findLines(TEXT, end, LINE_FEED) === rowCount && memory.scannedEnd === end;
  return isOneLineEach ? end : undefined;
}
