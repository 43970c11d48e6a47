// What a verdict is made of, and that it is counted as it was answered: nobody is told "safe" by omission.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AnswerReason } from '../../../src/service/check/answer.ts';
import type { CheckerOptions } from '../../../src/service/check/options.ts';
import { OwnList } from '../../../src/service/http/own-list.ts';
import { file } from '../../support/scratch.ts';
import { refusal } from '../check/scripted-server.ts';
import { watching } from './list-files.ts';
import { type LookUps, lookUpsOf, typesOf } from './look-ups.ts';

const tests = suite('http: checks of URLs');
const { opened, started } = lookUpsOf(tests);

tests('a URL that is listed for another type, where the rest was not answered, is not safe', async () => {
  const server = await started();
  await server.v4(['http://both.example/']); // from now on, this expression is cached
  const ask = (type: string) => server.v4(['http://new.both.example/'], { threatTypes: [type] });
  server.service.answers.push(refusal, refusal);
  const listed = await ask('SOCIAL_ENGINEERING');
  assert.equal([listed.status, typesOf(listed.json.matches)], [200, ['http://new.both.example/ SOCIAL_ENGINEERING']]);
  const other = await ask('UNWANTED_SOFTWARE');
  assert.equal([other.status, other.json.error.details[0].reason], [503, 'INCOMPLETE']);
  const whole = await ask('UNWANTED_SOFTWARE');
  assert.equal([whole.status, whole.json], [200, {}], 'now the server has answered');
});

tests('a threat that counts in frames alone is answered only with --frames', async () => {
  for (const [withFrames, count] of [
    [false, 0],
    [true, 1],
  ] as const) {
    const server = await started({ withFrames });
    assert.is((await server.v4(['http://frame.example/'])).json.matches?.length ?? 0, count);
    assert.is((await server.v5(['http://frame.example/'])).json.threats?.length ?? 0, count);
  }
});

tests('a URL without a host is 400 that names the entry', async () => {
  for (const whenUnsure of ['block', 'allow'] as const) {
    const server = await started({ whenUnsure });
    for (const url of ['mailto:x', '', 'http://', ' ']) {
      const v4 = await server.v4(['http://evil.example/', url]);
      assert.equal([v4.status, v4.json.error.status], [400, 'INVALID_ARGUMENT'], url);
      assert.is(v4.json.error.details[0].fieldViolations[0].field, 'threatInfo.threatEntries[1].url');
      const v5 = await server.v5([url]);
      assert.equal([v5.status, v5.json.error.details[0].fieldViolations[0].field], [400, 'urls[0]']);
    }
  }
});

tests('what is logged has no URL, unless it is asked for', async () => {
  const urls: string[] = [];
  const server = await started({ logUrl: (url, types) => urls.push(`${types} ${url}`), whenUnsure: 'allow' });
  await server.v5(['http://evil.example/', 'http://good.example/']);
  server.service.answers.push(refusal);
  await server.v5(['http://both.example/']);
  assert.equal(urls, ['MALWARE http://evil.example/', ' http://good.example/', 'unsure http://both.example/']);
  assert.not.match(server.logged.join(), /evil|good|both/);
});

/** The answers of a server, as its clients see them, beside what its counters say of them. */
interface Way {
  readonly name: string;
  readonly urls: readonly string[];
  /** URLs that were safe, unsafe and unsure. */
  readonly told: readonly [safe: number, unsafe: number, unsure: number];
  readonly reasons: Readonly<Partial<Record<Reason, number>>>;
  readonly types?: readonly string[];
  /** The answer of the server of hashes, in place of what it lists. */
  readonly answer?: () => Response | Promise<Response>;
  readonly whenUnsure?: 'allow' | 'block';
  readonly checker?: Partial<CheckerOptions>;
  /** Happens before the lists are fetched. */
  prepare?(server: LookUps): void;
  /** Happens before the URLs are asked for. */
  before?(server: LookUps): unknown;
}

type Reason = AnswerReason | 'own-list' | 'not-asked';

const EVIL = ['http://evil.example/'];
const GOOD = ['http://good.example/'];
const DAY_MS = 86_400_000;

const WAYS: readonly Way[] = [
  { name: 'the lists have nothing', urls: GOOD, told: [1, 0, 0], reasons: { list: 1 } },
  {
    name: 'a whole hash, now and from the cache',
    urls: EVIL,
    told: [0, 2, 0],
    reasons: { server: 1, cache: 1 },
    before: (server) => server.v4(EVIL),
  },
  {
    name: 'the server has no whole hash',
    urls: ['http://gone.example/'],
    told: [1, 0, 0],
    reasons: { server: 1 },
    prepare: ({ service }) => void service.lists.set('mw-4b', ['gone.example/']),
  },
  { name: 'a list of one’s own', urls: ['http://own.example/'], told: [0, 1, 0], reasons: { 'own-list': 1 } },
  {
    name: 'a list of one’s own, where the server is down',
    urls: ['http://own.example/', 'http://evil.example/x'],
    told: [0, 1, 1],
    reasons: { 'own-list': 1, 'unsure: status': 1 },
    answer: refusal,
    whenUnsure: 'allow',
  },
  {
    name: 'unsure, and blocked: the request has no answer for the others',
    urls: [...GOOD, ...EVIL],
    told: [0, 0, 1],
    reasons: { 'unsure: status': 1 },
    answer: refusal,
  },
  {
    name: 'a list that is trusted',
    urls: EVIL,
    told: [0, 1, 0],
    reasons: { list: 1 },
    checker: { trustedLists: ['mw-4b'] },
    answer: refusal,
  },
  { name: 'no host', urls: ['mailto:x'], told: [0, 0, 1], reasons: { 'unsure: no-host': 1 } },
  {
    name: 'listed for a type that the request does not ask',
    urls: EVIL,
    types: ['SOCIAL_ENGINEERING'],
    told: [1, 0, 0],
    reasons: { 'not-asked': 1 },
  },
  { name: 'listed in frames', urls: ['http://frame.example/'], told: [1, 0, 0], reasons: { 'not-asked': 1 } },
  ...(['block', 'allow'] as const).flatMap((whenUnsure): Way[] => [
    {
      name: `${whenUnsure}: no connection`,
      urls: EVIL,
      told: [0, 0, 1],
      reasons: { 'unsure: network': 1 },
      answer: () => Promise.reject(new TypeError('fetch failed')),
      whenUnsure,
    },
    {
      name: `${whenUnsure}: no answer in time`,
      urls: EVIL,
      told: [0, 0, 1],
      reasons: { 'unsure: time-out': 1 },
      answer: () => new Promise(() => undefined),
      checker: { timeoutMs: 1 },
      whenUnsure,
    },
    {
      name: `${whenUnsure}: an answer that is not one`,
      urls: EVIL,
      told: [0, 0, 1],
      reasons: { 'unsure: malformed': 1 },
      answer: () => new Response('<html>'),
      whenUnsure,
    },
    {
      name: `${whenUnsure}: the server is left alone after a refusal`,
      urls: ['http://both.example/'],
      told: [0, 0, 2],
      reasons: { 'unsure: status': 1, 'unsure: back-off': 1 },
      answer: refusal,
      checker: { backOff: { refusedMs: 60_000 } },
      before: (server) => server.v4(EVIL),
      whenUnsure,
    },
    {
      name: `${whenUnsure}: no list has come yet`,
      urls: GOOD,
      told: [0, 0, 1],
      reasons: { 'unsure: list-missing': 1 },
      prepare: ({ service }) => {
        service.listAnswers.push(refusal);
      },
      checker: { backOff: { refusedMs: 60_000 } },
      whenUnsure,
    },
    {
      name: `${whenUnsure}: lists that are too old`,
      urls: GOOD,
      told: [0, 0, 1],
      reasons: { 'unsure: list-stale': 1 },
      before: (server) => {
        server.service.time += 30 * DAY_MS;
      },
      whenUnsure,
    },
  ]),
];

for (const { name, urls, told, reasons, types, answer, whenUnsure = 'block', checker = {}, prepare, before } of WAYS)
  tests(`a verdict is counted once, as it was answered: ${name}`, async () => {
    const own = new OwnList(file('own.txt', 'own.example/\n# END 1 entries\n'), 'MALWARE', watching());
    await own.load();
    const server = opened({ ownLists: [own], whenUnsure }, checker);
    prepare?.(server);
    await server.start();
    if (answer !== undefined) server.service.answers.push(answer);
    await before?.(server);
    const { status, json } = await server.v4(urls, types === undefined ? {} : { threatTypes: types });
    const unsafe = new Set((json.matches ?? []).map(({ threat }: { threat: { url: string } }) => threat.url)).size;
    const sum = told[0] + told[1] + told[2];
    const [asked, toldNow] = before === undefined ? [urls.length, told[1]] : [sum, Math.min(told[1], 1)];
    assert.is(unsafe, toldNow);
    if (status === 200) assert.is(sum, asked);
    else assert.equal([told[0], told[1]], [0, 0]);
    const [safe, , unsure] = told;
    const verdicts = { safe, unsafe: told[1], unsure };
    const counted = (await server.send('/status')).json;
    assert.equal([counted.verdicts, counted.answers], [verdicts, reasons]);
    assert.is(counted.unsureAllowed, whenUnsure === 'allow' ? unsure : 0);
    const metrics = (await server.send('/metrics')).body.toString();
    for (const [verdict, count] of Object.entries(verdicts))
      assert.ok(metrics.includes(`urlsum_verdicts_total{verdict="${verdict}"} ${count}\n`));
    for (const [reason, count] of Object.entries(reasons))
      assert.ok(metrics.includes(`urlsum_answers_total{reason="${reason}"} ${count}\n`));
  });

/** Each reason that there is: the compiler names one that is missing. */
const REASONS: Readonly<Record<Reason, true>> = {
  ...{ list: true, cache: true, server: true, 'own-list': true, 'not-asked': true },
  ...{ 'unsure: no-host': true, 'unsure: list-missing': true, 'unsure: list-stale': true, 'unsure: network': true },
  ...{ 'unsure: time-out': true, 'unsure: status': true, 'unsure: malformed': true, 'unsure: back-off': true },
};

tests('the ways to a verdict have every reason', () => {
  const found = new Set(WAYS.flatMap(({ reasons }) => Object.keys(reasons)));
  assert.equal([...found].sort(), Object.keys(REASONS).sort());
});

tests.run();
