import { dirname } from 'node:path';
import type { Width } from '../../core/kernel/kernel.ts';
import { jointOrigin, mayMeet } from '../../core/url/key-origin.ts';
import { shownProfile } from '../../core/url/profile.ts';
import { mustHaveNoSegments } from '../../store/hash-index/folder.ts';
import type { HashIndex } from '../../store/hash-index/hash-index.ts';
import { HashIndexBuilder, mergedIndex } from '../../store/hash-index/hash-index-builder.ts';
import { HashIndexError } from '../../store/hash-index/layout.ts';
import { tableText } from '../arguments/diagnostics.ts';
import { choice, group, parsed, text } from '../arguments/flag.ts';
import { DEFAULT_MEMORY_BYTES, NUMBER } from '../arguments/numbers.ts';
import { mustFitIndex, URL_FLAGS, urlReading } from '../arguments/url-flags.ts';
import { usageFault } from '../fault.ts';
import { expectedCollisions, falseMatchesText } from '../work/chances.ts';
import { openIndexFile } from '../work/indexes.ts';
import { hashStage } from '../work/urls.ts';
import { indexPages } from '../write/hashes.ts';
import { print, writeWholeFile } from '../write/output.ts';
import { action, lineCommand } from './command.ts';
import { COMPLAINT_FLAGS, ROW_FLAGS, RUN_FLAGS } from './line-flags.ts';
import { linePlan } from './line-plan.ts';
import { mustHaveOut, mustNotReplace, mustNotReplaceInputs } from './named-files.ts';

const OUT = text('FILE', 'the index, which appears when it is complete', { short: 'o', isPath: true });

const FLAGS = {
  ...group('Output', {
    out: OUT,
    width: choice('BYTES', ['8', '16', '32'], '8', 'bytes of each SHA-256 to keep: 8 (default), 16 or 32'),
  }),
  ...URL_FLAGS,
  ...ROW_FLAGS,
  ...group('Input', {
    memory: parsed('SIZE', 'memory for hashes, and for Parquet; default 256M', DEFAULT_MEMORY_BYTES, NUMBER.bytes),
  }),
  ...COMPLAINT_FLAGS,
  ...group('Run', { stats: RUN_FLAGS.stats, kernel: RUN_FLAGS.kernel, jobs: RUN_FLAGS.jobs }),
};

/** `urlsum index`: the distinct hashes of all lines, sorted, in one file. */
export const INDEX = lineCommand({
  examples: [
    ['--out seen.idx crawl-1.txt.gz crawl-2.txt.gz', 'the URLs of two crawls'],
    ['--out seen.idx --json url crawl.jsonl', 'URLs from JSON lines'],
    ['--merge --out all.idx a.idx b.idx', 'the union of several indexes'],
    ['--info seen.idx', 'what an index holds; checks all of it'],
  ],
  operands: '[FILE…]',
  about: [
    'Writes the hash of each line to an index, once: sorted pages, each with a checksum. urlsum --against looks lines ' +
      'up in it. Beyond --memory, it sorts hashes in unnamed temporary files beside the index.',
  ],
  flags: FLAGS,
  async plan(values, inputs) {
    const out = mustHaveOut('index', values.out);
    mustNotReplaceInputs(out, inputs, 'index');
    mustHaveNoSegments(out);
    const lines = await linePlan({ ...values, out }, inputs);
    const width = Number(values.width) as Width;
    const reading = urlReading(values);
    const { profile } = reading;
    mustFitIndex(reading);
    return {
      ...lines,
      onError: 'skip',
      stage: hashStage({ kernel: lines.kernel, width, ...reading }, 'skip'),
      openFormat: () => indexPages(HashIndexBuilder.in(dirname(out), { width, profile, memoryBytes: values.memory })),
      isOrdered: true,
      facts: (count) => ({ profile, width, expectedCollisions: expectedCollisions(count, width) }),
    };
  },
});

/** `urlsum index --merge`: the union of indexes. */
export const MERGE = action({
  examples: [['--out all.idx a.idx b.idx', 'every hash of either']],
  operands: 'INDEX…',
  about: ['Writes the union of several indexes of one width and of compatible profiles.'],
  flags: group('Output', { out: OUT }),
  async run(values, operands) {
    if (operands.length === 0) throw usageFault('index --merge needs an index');
    const path = mustHaveOut('index --merge', values.out);
    for (const each of operands) mustNotReplace(path, each, `the index ${each}`);
    mustHaveNoSegments(path);
    const sources = operands.map((each) => openIndexFile(each, 0));
    const [first] = sources as [HashIndex];
    for (const [at, source] of sources.entries()) mustAgree(operands[at]!, source, sources.slice(0, at));
    await writeWholeFile(path, mergedIndex({ width: first.width, ...jointOrigin(sources) }, sources));
  },
});

/** The relation between profiles is not transitive: each must be compatible with all before it. */
function mustAgree(path: string, index: HashIndex, others: readonly HashIndex[]): void {
  for (const { width, profile, hasUnicodeHosts } of others) {
    if (index.width !== width)
      throw new HashIndexError(path, 'other-width', `its hashes have ${index.width} bytes; another index has ${width}`);
    if (mayMeet(index, { profile, hasUnicodeHosts })) continue;
    throw new HashIndexError(
      path,
      'other-profile',
      `its profile is ${shownProfile(index.profile)}; another index has ${profile}`,
    );
  }
}

/** `urlsum index --info`: the contents of an index. Every page is read and checked. */
export const INFO = action({
  examples: [['seen.idx', 'rows, width and profile']],
  operands: 'INDEX',
  about: ['Reads a whole index, verifies every page and the order, and prints what it holds.'],
  flags: {},
  async run(_values, operands) {
    if (operands.length !== 1) throw usageFault('index --info needs one index');
    const index = openIndexFile(operands[0]!, 0);
    index.mustBeIntact();
    await print(describe(index));
    index.close();
  },
});

/** Describes an index whose pages have all been checked. */
function describe(index: HashIndex): string {
  const sizes = index.segments.map(({ size }) => size);
  return tableText([
    ['hashes', String(index.size)],
    ['width', `${index.width} bytes`],
    ['profile', index.profile],
    ['Unicode hosts', index.hasUnicodeHosts ? 'some' : 'none: right under every version'],
    [
      'segments',
      index.manifest && [sizes.length, ...(sizes.length === 0 ? [] : [`of ${sizes.join(', ')} hashes`])].join(', '),
    ],
    ['checksums', `of ${index.pageCount} pages, all right`],
    ['false matches', falseMatchesText([index])],
  ]);
}
