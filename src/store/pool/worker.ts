// The thread of a UrlHashPool: takes a block of whole lines, or a range of a file, and answers with a column.

import { workerData } from 'node:worker_threads';
import { hasOwn } from '../../core/argument.ts';
import { hashLines } from '../../core/bulk/hash-rows.ts';
import type { HashColumn } from '../../core/digest/column.ts';
import type { Width } from '../../core/kernel/kernel.ts';
import { openKernel } from '../../core/kernel/open.ts';
import { SiteRules } from '../../core/sites/site-rules.ts';
import { type FormOptions, formOf } from '../../core/url/options.ts';
import type { Base } from '../../core/url/parsed-url.ts';
import { answerEach, type Range, RangeReader } from './workers.ts';

export interface PoolWorkerData {
  readonly width: Width;
  readonly form: Omit<FormOptions, 'siteRules'>;
  /** The text of the rules for sites: an object with methods cannot be posted. */
  readonly siteRules: string | undefined;
  readonly base: Base | undefined;
  /** Programs that stand in urlsum's own files, too, and that build.mjs takes from here. */
  readonly embedded: { readonly simd: string; readonly table: string };
}

/** Lines without a byte order mark, or a range. */
export type PoolJob = { readonly lines: Uint8Array<ArrayBuffer> } | { readonly range: Range };

const { width, base, ...posted } = workerData as PoolWorkerData;
const siteRules = posted.siteRules === undefined ? undefined : SiteRules.parse(posted.siteRules);
const form = formOf({ ...posted.form, siteRules });
const reader = new RangeReader();

function columnOf(job: PoolJob): HashColumn {
  const lines = hasOwn(job, 'range') ? reader.lines(job.range) : job.lines;
  return hashLines({ kernel: openKernel(), width, form, base }, lines);
}

answerEach(columnOf, ({ bytes }) => [bytes.buffer]);
