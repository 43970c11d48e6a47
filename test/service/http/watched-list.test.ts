// When a file counts as a whole list: slow programs that write it in every way, on the file system, in a time of the
// test's; after each step the list that is served is one that was written whole.
import { createHash } from 'node:crypto';
import { closeSync, ftruncateSync, futimesSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HashList } from '../../../src/entries/safe-browsing/lists.ts';
import { HostedList } from '../../../src/service/http/list-server.ts';
import { SettlingClock } from '../../store/settling-clock.ts';
import { FOLDER as folder } from '../../support/scratch.ts';
import { cases, random, SEED } from '../../support/seed.ts';
import { sha256 } from '../check/scripted-server.ts';
import { watching } from './list-files.ts';

const tests = suite('http: watched lists');

const ENTRIES = 12;
const HOUR = 3_600_000;
const endMarkOf = (lines: string | Uint8Array, count: number) =>
  `# END ${count} entries, SHA-256 ${createHash('sha256').update(lines).digest('hex')}\n`;
type Step = () => void;
type Below = ReturnType<typeof random>;

const expressionsOf = (version: number) =>
  Array.from({ length: ENTRIES }, (_, row) => `v${version}h${String(row).padStart(2, '0')}.example/`);
const linesOf = (version: number) => `# version ${'x'.repeat(version)}\n${expressionsOf(version).join('\n')}\n`;

/** Kinds of files: whether one says itself that it is whole, and whether that holds for bytes that are mixed. */
const FORMS = {
  lines: { content: (version: number) => Buffer.from(linesOf(version)), saysWhole: false, isProof: false },
  'lines with a count': {
    content: (version: number) => Buffer.from(`${linesOf(version)}# END ${ENTRIES} entries\n`),
    saysWhole: true,
    isProof: false,
  },
  'lines with a checksum': {
    content(version: number) {
      const lines = Buffer.from(linesOf(version));
      return Buffer.concat([lines, Buffer.from(endMarkOf(lines, ENTRIES))]);
    },
    saysWhole: true,
    isProof: true,
  },
  'a built list': {
    content: (version: number) => HashList.from(Buffer.concat(expressionsOf(version).map(sha256)), 32).toBytes(),
    saysWhole: true,
    isProof: true,
  },
} as const;

type Writer = (path: string, pieces: readonly Uint8Array[]) => Step[];

const inPlace: Writer = (path, pieces) => {
  let file: number;
  const write = (piece: Uint8Array) => () => {
    writeSync(file, piece);
    futimesSync(file, 1, 1); // its times are the old ones
  };
  const open = () => {
    file = openSync(path, 'w');
  };
  return [open, ...pieces.map(write), () => closeSync(file)];
};

const atItsSize: Writer = (path, pieces) => {
  const sizes = pieces.map(({ length }) => length);
  let file: number;
  const open = () => {
    file = openSync(path, 'w');
    ftruncateSync(file, sum(sizes));
  };
  return [open, ...atTheirPlaces(() => file, pieces), () => closeSync(file)];
};

/** The ways in which programs write a file piece by piece, each as steps. */
const WRITERS: Readonly<Record<string, Writer>> = {
  'in place': inPlace,
  'unlinked and created': (path, pieces) => [() => rmSync(path), ...inPlace(path, pieces)],
  renamed: (path, pieces) => [...inPlace(`${path}.new`, pieces), () => renameSync(`${path}.new`, path)],
  'renamed before it is whole': (path, pieces) => {
    const [open, first, ...rest] = inPlace(`${path}.new`, pieces);
    return [open!, first!, () => renameSync(`${path}.new`, path), ...rest];
  },
  'opened again for each piece': (path, pieces) => [
    () => writeFileSync(path, ''),
    ...pieces.map((piece) => () => writeFileSync(path, piece, { flag: 'a' })),
  ],
  'at its size from the start': atItsSize,
  'at its size, from the end': (path, pieces) => {
    const [open, ...rest] = atItsSize(path, pieces);
    return [open!, ...rest.slice(0, -1).reverse(), rest.at(-1)!];
  },
  overwritten: (path, pieces) => {
    let file: number;
    return [
      () => void (file = openSync(path, 'r+')),
      ...atTheirPlaces(() => file, pieces),
      () => ftruncateSync(file, sum(pieces.map(({ length }) => length))),
      () => closeSync(file),
    ];
  },
};

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

function atTheirPlaces(file: () => number, pieces: readonly Uint8Array[]): Step[] {
  return pieces.map((piece, index) => {
    const at = sum(pieces.slice(0, index).map(({ length }) => length));
    return () => void writeSync(file(), piece, 0, piece.length, at);
  });
}

function inPieces(content: Uint8Array, next: Below): Uint8Array[] {
  const ends = Array.from({ length: 2 + next(4) }, () => 1 + next(content.length - 1));
  const bounds = [0, ...new Set(ends.sort((one, other) => one - other)), content.length];
  return bounds.slice(1).map((end, index) => content.subarray(bounds[index], end));
}

const VERSIONS = 4;
const HEADS = Array.from({ length: VERSIONS }, (_, version) =>
  expressionsOf(version).map((each) => sha256(each).subarray(0, 4)),
);

/** The versions whose entries are all, or partly, served. */
function servedOf(list: HostedList): { readonly versions: readonly number[]; readonly size: number } {
  const isServed = (head: Uint8Array) => list.hashesUnder(head).length > 0;
  return { versions: [...HEADS.keys()].filter((version) => HEADS[version]!.some(isServed)), size: list.size };
}

async function interleaving(form: keyof typeof FORMS, writer: string, next: Below): Promise<void> {
  const { content, saysWhole, isProof } = FORMS[form];
  const mayPause = isProof || (saysWhole && writer !== 'overwritten');
  const path = join(folder, 'slow');
  writeFileSync(path, content(0));
  const clock = new SettlingClock();
  const { settleMs } = clock.options;
  const list = new HostedList('mw-4b', path, watching({ ...clock.options, maxShrink: 1, waitMs: 0 }));
  await list.load();
  const story: string[] = [];
  const mustBeWhole = (version: number) => {
    const served = servedOf(list);
    const what = `${form}, ${writer}: ${JSON.stringify(served)} while ${version} is written: ${story} (seed ${SEED})`;
    assert.ok(served.versions.length === 1 && served.size === ENTRIES, what);
    return served.versions[0];
  };
  let earlyCount = 0;
  for (let version = 1; version < VERSIONS; version++) {
    let steps: Step[] = WRITERS[writer]!(path, inPieces(content(version), next));
    let left = settleMs;
    while (steps.length > 0) {
      // what is not seen to be a part of a list is for programs that pause for less than the time to settle
      const pauseMs = next(2) === 0 ? 1 : mayPause ? next(10 * HOUR) : next(settleMs / 2);
      if (!mayPause && pauseMs >= left) {
        [left, steps] = [settleMs, stepped(steps)];
        continue;
      }
      clock.time += pauseMs;
      left -= pauseMs;
      if (next(3) > 0) [left, steps] = [settleMs, stepped(steps)];
      story.push(`${pauseMs} ms, ${steps.length} left`);
      if (next(3) > 0) await list.look();
      mustBeWhole(version);
    }
    await list.look();
    if (mustBeWhole(version) === version) earlyCount++;
    await clock.settle(() => list.look());
    assert.is(mustBeWhole(version), version, `${form}, ${writer}: what stays is served: ${list.trouble}`);
    if (mayPause) assert.is(earlyCount, version, `${form}, ${writer}: not at once: ${story}`);
  }
}

function stepped(steps: readonly Step[]): Step[] {
  steps[0]!();
  return steps.slice(1);
}

tests('no part of a list is served, whatever its writer does to size, inode and times', async () => {
  const next = random();
  let count = 0;
  for (let round = 0; round < cases(7); round++)
    for (const form of Object.keys(FORMS) as (keyof typeof FORMS)[])
      for (const writer of Object.keys(WRITERS)) {
        await interleaving(form, writer, next);
        count++;
      }
  assert.ok(count >= 200, `${count} interleavings`);
});

/** Returns what becomes of a list of one entry whose file says that it is whole, when the file gets another content. */
async function after(content: string | Uint8Array) {
  const path = join(folder, 'marked');
  writeFileSync(path, 'x.example\n# END 1 entries\n');
  const clock = new SettlingClock();
  const said: string[] = [];
  const log = (message: string) => void said.push(message);
  const list = new HostedList('mw-4b', path, watching({ ...clock.options, log, waitMs: 0 }));
  await list.load();
  writeFileSync(path, content);
  await list.look();
  assert.equal([clock.time, said], [0, []], 'the first content was read at once');
  const early = { size: list.size, waitingFor: list.waitingFor.replace(path, 'FILE') };
  await clock.settle(() => list.look());
  return { early, size: list.size, trouble: list.trouble.replace(path, 'FILE'), said };
}

const LINES = 'a.example\n# the same twice\n\nb.example\nb.example\r\n';
const CHECKED = LINES + endMarkOf(LINES, 3);

tests('lines with an end mark that holds are read at once', async () => {
  for (const text of [
    `${LINES}# END 3 entries`,
    `${LINES}# END 3 entries \r\n\n \n`,
    `${LINES}${' '.repeat(200)}\n# END 3 entries\n`,
    CHECKED,
    CHECKED.trimEnd(),
  ])
    assert.equal(await after(text), { early: { size: 2, waitingFor: '' }, size: 2, trouble: '', said: [] }, text);
});

tests('an end mark that does not hold is waited for, and is the trouble of a file that has settled', async () => {
  for (const [text, problem] of [
    [`${LINES}# END 4 entries\n`, ':6: the end mark counts 4 entries, but 3 come before it'],
    [`${LINES}# END 2 entries\nc.example\n# END 3 entries`, ':7: the line follows the end mark of the list'],
    [`${LINES}# END 3 entries\n# END 3 entries\n`, ':7: the line follows the end mark of the list'],
    [CHECKED.replace('a.example', 'c.example'), ':6: the SHA-256 in the end mark is not that of the lines before it'],
    [CHECKED.replace('a.example\n', ''), ':5: the end mark counts 3 entries, but 2 come before it'],
    ['# END 0 entries\n', ': it has 0 entries in place of 1, more than 50 % at once (--shrink)'],
  ] as const) {
    const waitingFor = `FILE${problem}; waiting until it has stayed so for 60 s (--settle)`;
    const { said, ...found } = await after(text);
    assert.equal(found, { early: { size: 1, waitingFor }, size: 1, trouble: `FILE${problem}` }, text);
    assert.is(said.length, 1);
  }
});

tests('a list that has said that it is whole has to say so from then on', async () => {
  const waitingFor = 'nothing in it says that it is whole; waiting until it has stayed so for 60 s (--settle)';
  const trouble = 'FILE: nothing in it says that it is whole, as its last content did; a restart takes it';
  for (const text of [
    LINES,
    '',
    `${LINES}# END 3 entries, SHA-256 0\n`,
    `${LINES}## END 3 entries\n`,
    `${LINES}# END 3`,
  ]) {
    const { said, ...found } = await after(text);
    assert.equal(found, { early: { size: 1, waitingFor }, size: 1, trouble }, text);
    assert.is(said.length, 1);
  }
});

tests('a list that was built with whole hashes is read at once, and others are refused', async () => {
  const built = (width: number, options = {}) =>
    HashList.from(
      Buffer.concat(['a.example/', 'b.example/'].map((each) => sha256(each).subarray(0, width))),
      width,
      options,
    );
  assert.equal(await after(built(32).toBytes()), {
    early: { size: 2, waitingFor: '' },
    size: 2,
    trouble: '',
    said: [],
  });
  for (const [bytes, problem] of [
    [built(8).toBytes(), ': its prefixes have 8 bytes; a list that is served here needs 32 (list build --prefix 32)'],
    [built(32, { profile: 'web-risk' }).toBytes(), ': its profile is web-risk, not safe-browsing'],
    [built(32).toBytes().subarray(0, -1), /^FILE: file: not a list: its prefixes are cut at \d+ bytes$/],
  ] as const) {
    const { early, size, trouble } = await after(bytes);
    assert.equal([early.size, size], [1, 1]);
    if (problem instanceof RegExp) assert.match(trouble, problem);
    else assert.is(trouble, `FILE${problem}`);
  }
});

tests.run();
