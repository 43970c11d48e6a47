import { DIGESTS, NO_MESSAGE, ROW_CAPACITY } from '../../../assembly/layout.ts';
import { type Canonicalizing, type Hashing, UrlBatch } from '../../core/bulk/hash-rows.ts';
import { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { rowIn, type Spans, withoutReturns } from '../../core/bytes/lines.ts';
import { decodeLine } from '../../core/bytes/text.ts';
import { hashBytesInto } from '../../core/digest/digest.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { canonicalForm } from '../../core/url/canonicalize.ts';
import { failure, UrlError } from '../../core/url/failure.ts';
import type { UrlForm } from '../../core/url/options.ts';
import type { Base } from '../../core/url/parsed-url.ts';
import type { Refusal } from '../../specs/safe-browsing/block-list.ts';
import { type SafeBrowsingFailure, SafeBrowsingUrlError } from '../../specs/safe-browsing/failure.ts';
import { type Batch, givenIn, lineCountOf, type RowProblem, rowProblem, valueText } from '../read/batch.ts';
import { allProblems, type Counts, type OnError, type Stage, unhashed } from './results.ts';

/** The reason of a text that is not an absolute URL, where there is no base. */
export const MISSING_SCHEME = 'missing-scheme-non-relative-URL';

/** Hashes URLs. The hashes and the canonical forms are in the kernel's memory. */
export function hashStage(hashing: Hashing, onError: OnError): Stage {
  const { width } = hashing;
  return (batch) => {
    const urls = canonicalized(hashing, batch);
    const digests = urls.hash(width);
    const problems = allProblems(batch, problemsOf(urls));
    if (onError === 'keep') {
      for (const { row, reason } of problems) {
        keepInvalid(hashing, batch, row);
        if (reason === 'domain-to-ASCII') urls.unicodeHostRows.push(row); // another version of Unicode may accept it
      }
    }
    return { batch, problems, digests, width, counts: countsOf(urls, batch) };
  };
}

/** Makes the canonical forms of URLs. */
export function canonicalStage(canonicalizing: Canonicalizing): Stage {
  const { kernel } = canonicalizing;
  const formsOf = formReader(kernel);
  return (batch) => {
    const urls = canonicalized(canonicalizing, batch);
    return { ...unhashed(batch, problemsOf(urls), countsOf(urls, batch)), texts: formsOf(urls) };
  };
}

/** The form that the lines had before. */
interface EarlierForm {
  readonly form: UrlForm;
  readonly base: Base | undefined;
  /** Whether only the version of Unicode differs: then only hosts beyond ASCII are looked at again. */
  readonly isOtherVersion: boolean;
}

/** Makes the canonical forms of URLs, and compares them with those of another form. */
export function changedStage(canonicalizing: Canonicalizing, { form, base, isOtherVersion }: EarlierForm): Stage {
  const { kernel } = canonicalizing;
  const formsOf = formReader(kernel);
  const isChanged = new Uint8Array(ROW_CAPACITY);
  return (batch) => {
    const urls = canonicalized(canonicalizing, batch);
    const texts = formsOf(urls);
    const invalid = new Set(urls.invalidRows.map(({ row }) => row));
    isChanged.fill(0, 0, batch.length);
    const affected = isOtherVersion ? [...urls.unicodeHostRows, ...invalid] : Array(batch.length).keys();
    let changed = 0;
    for (const row of affected) {
      const text = valueText(batch, row);
      if (text === undefined) continue;
      const before = canonicalForm(text, base, form);
      const now = invalid.has(row) ? undefined : decodeLine(rowIn(texts, row));
      if ((typeof before === 'string' ? before : undefined) === now) continue;
      isChanged[row] = 1;
      changed++;
    }
    return { ...unhashed(batch, problemsOf(urls), { ...countsOf(urls, batch), changed }), texts, isChanged };
  };
}

function canonicalized(canonicalizing: Canonicalizing, batch: Batch): UrlBatch {
  const urls = new UrlBatch(canonicalizing);
  if (batch.isLong) urls.parseLong(rowIn(batch.values, 0));
  else urls.canonicalize(batch.length, canonicalizing.kernel.memory.scannedEnd, (row) => valueText(batch, row));
  return urls;
}

/** Returns a function that locates forms in the kernel's memory; if one does not fit there, it copies all of them. */
function formReader({ memory: { bytes, spans } }: Kernel): (urls: UrlBatch) => Spans {
  const starts = new Uint32Array(ROW_CAPACITY);
  const ends = new Uint32Array(ROW_CAPACITY);
  const own = new GrowingBytes();
  return ({ rowCount, longForms }) => {
    for (let row = 0; row < rowCount; row++) {
      const start = spans[2 * row]!;
      const byteLength = spans[2 * row + 1]!;
      starts[row] = start;
      ends[row] = start + (byteLength === NO_MESSAGE ? 0 : byteLength);
    }
    if (longForms.size === 0) return { bytes, starts, ends };
    for (let row = 0; row < rowCount; row++) {
      const start = own.length;
      const form = longForms.get(row);
      if (form === undefined) own.bytes(bytes, starts[row]!, ends[row]!);
      else own.text(form);
      starts[row] = start;
      ends[row] = own.length;
    }
    return { bytes: own.take(), starts, ends };
  };
}

/** Counts how rows reached their canonical form, and how many lost a parameter, if any did. */
function countsOf(
  { provenCount: proven, rewrittenCount: rewritten, strippedCount: stripped, unicodeHostRows }: UrlBatch,
  batch: Batch,
): Counts {
  const parsed = lineCountOf(batch) - proven - rewritten;
  const unicodeHosts = unicodeHostRows.length;
  return { proven, rewritten, parsed, ...(stripped > 0 && { stripped }), ...(unicodeHosts > 0 && { unicodeHosts }) };
}

function problemsOf({ invalidRows }: UrlBatch): readonly RowProblem[] {
  return invalidRows.map(({ row, input, reason }) => {
    const message = () => UrlError.from(input, failure(reason)).message;
    return rowProblem(row, reason, message, reason === MISSING_SCHEME);
  });
}

/**
 * Gives an invalid row the hash of the bytes in place of its URL: `--on-error keep`. Carriage returns at their end are
 * left out, here and where `--check` hashes what it reads.
 */
function keepInvalid({ kernel, width }: Hashing, batch: Batch, row: number): void {
  hashBytesInto(kernel, withoutReturns(givenIn(batch, row)), DIGESTS + row * width, width);
}

/** Makes the problem of a URL without a host to look up, or of a line that is not a list entry. */
export function safeBrowsingProblem(
  row: number,
  input: Uint8Array,
  failure: SafeBrowsingFailure | Refusal,
  isUnlike = false,
): RowProblem {
  const shown = shownBytes(input);
  return rowProblem(row, failure.reason, () => new SafeBrowsingUrlError(shown, failure).message, isUnlike);
}

/** Bytes of a URL that are kept for a message, which shows fewer. */
const SHOWN_BYTES = 1 << 10;

/** Copies as much of a URL as a message shows: by the time it is made, the URL may have left the kernel's memory. */
export function shownBytes(input: Uint8Array): Uint8Array {
  return Uint8Array.from(input.subarray(0, SHOWN_BYTES));
}
