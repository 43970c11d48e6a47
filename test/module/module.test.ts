import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DOMAIN_HEADS, DOMAIN_SLOTS } from '../../assembly/layout.ts';
import { SiteRules, SiteRulesError } from '../../src/core/sites/site-rules.ts';
import { failure, type UrlReason } from '../../src/core/url/failure.ts';
import type { Options } from '../../src/core/url/options.ts';
import { optionsOf, ProfileError, profileOf } from '../../src/core/url/profile.ts';
import { corpusLines, sampled } from '../support/data.ts';
import { mustBeLinear } from '../support/linear.ts';
import { assembled, mutated } from '../support/samples.ts';
import { cases, random, SCALE } from '../support/seed.ts';
import { ModuleInV8, type Question } from './answers.ts';
import {
  mustBeAnswers,
  questionsOfVectors,
  reasonNumber,
  someOptions,
  somePage,
  someSiteRules,
  URL_VECTORS,
} from './questions.ts';

const tests = suite('urlsum.wasm in V8');

const PROFILE = 'url/1+unicode18';
const module = new ModuleInV8();
const base64 = (rows: readonly string[]) => rows.map((row) => Buffer.from(row).toString('base64'));
const answered = (questions: readonly Question[]) => questions.map((question) => module.answer(question));

tests('it imports nothing, and says its version', () => {
  assert.is(module.exports.abi(), 1);
  assert.is(module.text('profile'), PROFILE);
});

tests('its reasons are those of the library', () => {
  const names = module.text('reasonNames').trimEnd().split('\n');
  for (const name of names) assert.is(failure(name as UrlReason).reason, name);
  assert.is(names.length, new Set(names).size);
  assert.ok(names.every((name) => failure(name as UrlReason).sentence !== undefined));
});

tests('vectors', () => {
  const questions = [
    ...questionsOfVectors(URL_VECTORS, ['form', 32]),
    ...questionsOfVectors(['site.json'], ['host', 'site', 'surt']),
  ];
  assert.ok(mustBeAnswers(questions, answered(questions)) > 10_000);
});

tests('lines put together, and with edits', () => {
  const next = random();
  const urls = ['https://user@example.com:8080/a/../b?c=d#e', 'http://bücher.example/ä', 'file:///C|/x'];
  const rows = Array.from({ length: cases(6000) }, (_, index) =>
    index % 2 === 0 ? assembled(next) : mutated(urls[next(urls.length)]!, next),
  );
  const profiles = [PROFILE, 'url/1+unicode17;exclude-fragment'];
  const questions = profiles.flatMap((profile): Question[] => [
    { profile, output: 'form', rows: base64(rows) },
    { profile, output: 8, scheme: 'http', rows: base64(rows) },
    { profile, output: 'form', base: 'http://h/a/b?c', rows: base64(rows) },
  ]);
  mustBeAnswers(questions, answered(questions));
});

tests('Punycode: labels by chance, and what is none, as the package of the library', () => {
  const next = random();
  const planes = [0x80, 0x600, 0x3040, 0x4e00, 0xac00, 0x1f600, 0x20000];
  const character = () => String.fromCodePoint(planes[next(planes.length)]! + next(0x300));
  const digits = 'abcxyz0189-';
  const label = () =>
    next(3) === 0
      ? `xn--${Array.from({ length: 1 + next(20) }, () => digits[next(digits.length)]).join('')}`
      : Array.from({ length: 1 + next(12) }, () => (next(3) === 0 ? digits[next(8)] : character())).join('');
  const rows = Array.from({ length: cases(4000) }, () => `http://${label()}.${label()}.ä/`);
  const questions: Question[] = [{ profile: PROFILE, output: 'form', rows: base64(rows) }];
  mustBeAnswers(questions, answered(questions));
});

tests('domains beyond ASCII are remembered, in the version and with the rules of the form', () => {
  const next = random();
  const own = new ModuleInV8();
  const one = (texts: readonly string[]) => texts[next(texts.length)]!;
  const labels = [
    'b\u00fccher',
    'B\u00dcCHER',
    '\u65e5\u672c',
    'a\u0301',
    'xn--bcher-kva',
    '\u05d0',
    'a\u200db',
    '\u{1d7db}',
    '\u3002',
  ];
  const domains = Array.from({ length: 40 }, () => `${one(labels)}${next(9)}.${one(labels)}`);
  domains.push(`${'\u00e9'.repeat(70)}.example`);
  const parts = [
    ['', 'u:p@', '\u00e4@'],
    ['', ':80', ':8080'],
    ['', '/', '/a/../b', '/\u00e4?b&a#c'],
  ] as const;
  const row = () => `http://${one(parts[0])}${one(domains)}${one(parts[1])}${one(parts[2])}`;
  for (const profile of [PROFILE, 'url/1+unicode17;exclude-fragment', `${PROFILE};fold=https;sort-params`]) {
    const rows = base64(Array.from({ length: cases(1000) }, row));
    const questions: Question[] = [{ profile, output: 'form', rows }];
    mustBeAnswers(questions, [own.answer(questions[0]!)]);
  }
  const heads = new Uint32Array(own.exports.memory.buffer, DOMAIN_HEADS, DOMAIN_SLOTS);
  const versions = heads.filter((head) => head !== 0).map((head) => (head >> 8) & 0xff);
  assert.equal([...new Set(versions)].sort(), [17, 18]);
  assert.ok(versions.length > 40);
});

tests('options and pages by chance', () => {
  const next = random();
  for (let round = cases(50); round > 0; round--) {
    const rules = someSiteRules(next);
    const siteRules = next(2) === 0 && typeof rulesOrRefusal(rules) !== 'string' ? rules : undefined;
    const options = {
      ...someOptions(next),
      siteRules: siteRules === undefined ? undefined : SiteRules.parse(siteRules),
    };
    const profile = profileIfAny(options);
    if (profile === undefined) continue;
    const rows = base64(Array.from({ length: 200 }, () => somePage(next)));
    const questions: Question[] = [{ profile, ...(siteRules && { siteRules }), output: 'form', rows }];
    mustBeAnswers(questions, answered(questions));
  }
});

tests('site rules are read and refused as by the library', () => {
  const next = random();
  let refusedCount = 0;
  for (let round = cases(1000); round > 0; round--) {
    const text = someSiteRules(next);
    const { refused, values } = module.siteRules(text);
    const expected = rulesOrRefusal(text);
    if (typeof expected === 'string') refusedCount++;
    assert.is(refused ?? values.toString(), typeof expected === 'string' ? expected : expected.id, text);
  }
  assert.ok(refusedCount > cases(100));
});

tests('profiles are refused with the words of the library', () => {
  const next = random();
  const words = new Set<string>();
  const settings = [
    'exclude-fragment',
    'exclude-fragment=x',
    'drop-list=tracking-2026',
    'drop-list=x',
    'drop-params=a,b',
  ];
  settings.push(
    'drop-params=b,a',
    'drop-params=%C3%A4',
    'drop-params=ä',
    'drop-params=%zz',
    'keep-params=a',
    'keep-params=',
  );
  settings.push('fold=https,www', 'fold=www,https', 'fold=x', 'no-vary-search=key-order', 'no-vary-search=except(b,a)');
  settings.push(
    'no-vary-search=except',
    'no-vary-search=params()',
    'no-vary-search=x',
    'site-rules=00',
    'sort-params',
    'y',
  );
  const starts = [
    'url/1+unicode18',
    'url/1+unicode18',
    'url/1+unicode17',
    'url/1+unicode16',
    'url/2+unicode18',
    'sb',
    '',
  ];
  for (let round = cases(2000); round > 0; round--) {
    const chosen = settings.filter(() => next(12) === 0);
    const profile = [starts[next(starts.length)]!, ...chosen].join(';');
    if (profile === '') continue;
    const [word] = module.configure(profile)?.split(':') ?? [];
    assert.is(word, reasonOf(profile), profile);
    words.add(word ?? '');
  }
  assert.equal([...words].sort(), [
    '',
    'not-a-profile',
    'other-spelling',
    'other-version',
    'unknown-list',
    'unknown-rules',
  ]);
});

/** Texts that take the most time or memory for their length, of about `length` bytes. */
const HOSTILE: Readonly<Record<string, (length: number) => string>> = {
  marks: (length) => `http://a${'\u0301\u0323'.repeat(length / 4)}.de/`,
  'labels of marks': (length) => `http://${`a${'\u0301\u0323\u0345'.repeat(150)}.`.repeat(length / 902)}de/`,
  'one-letter labels from right to left': (length) => `http://${'\u05d0.'.repeat(length / 3)}de/`,
  'escaped labels': (length) => `http://${'%C3%A4.'.repeat(length / 7)}/`,
  'labels of Punycode': (length) => `http://${'xn--bcher-kva.'.repeat(length / 14)}ä/`,
  ideographs: (length) => `http://${`${'\u4e2d'.repeat(330)}.`.repeat(length / 991)}/`,
  'percent signs': (length) => `http://h/${'%'.repeat(length)}`,
  'a query beyond ASCII': (length) => `http://h/?${"ä'".repeat(length / 3)}`,
  'dot segments': (length) => `http://h/${'a/'.repeat(length / 2)}${'%2e%2e/'.repeat(length / 14)}`,
  parameters: (length) => `http://h/?${'b&a&'.repeat(length / 4)}`,
};
const MIB = 1 << 20;

for (const [name, textOf] of Object.entries(HOSTILE)) {
  tests(`${name}: linear in time`, () => {
    const own = new ModuleInV8();
    own.configure(`${PROFILE};sort-params`);
    mustBeLinear(
      name,
      (length) => Buffer.from(textOf(length)),
      (text) => own.one(text, 32),
      50_000,
    );
  });
}

tests('the longest URL fits into memory, a longer one has a reason', () => {
  for (const textOf of SCALE >= 10 ? Object.values(HOSTILE) : []) {
    const longest = Buffer.from(textOf(4 * MIB - 1000));
    assert.is(new ModuleInV8().one(longest, 'form').reasons[0], 0);
  }
  const tooLong = Buffer.from(`http://h/${'a'.repeat(4 * MIB)}`);
  assert.is(module.one(tooLong, 32).reasons[0], reasonNumber('length-limit'));
  assert.equal([...module.lines(Buffer.concat([tooLong, Buffer.from('\nhttp://h/')]), 32).reasons], [22, 0]);
});

tests('single calls take no more and more memory', () => {
  const own = new ModuleInV8();
  const urls = ['http://bücher.example/ä', 'http://h/../%zz?b=ä', 'x', 'http://a/b'].map((url) => Buffer.from(url));
  const bytesAfter = (count: number) => {
    for (let index = 0; index < count; index++) own.one(urls[index % urls.length]!, 32);
    return own.exports.memory.buffer.byteLength;
  };
  const before = bytesAfter(20_000);
  assert.is(bytesAfter(SCALE >= 10 ? 1e7 : 50_000), before);
});

tests('lines of a text are its rows', () => {
  module.configure(PROFILE);
  const text = 'http://a/\r\n\n x\r\r\nhttp://b/\r';
  const { reasons, values, offsets } = module.lines(Buffer.from(text), 'form');
  assert.equal([...reasons], [0, 1, 1, 0]);
  assert.equal([...offsets!], [0, 9, 9, 9, 18]);
  assert.is(values.toString(), 'http://a/http://b/');
  assert.is(module.lines(Buffer.alloc(0), 'form').reasons.length, 0);
});

for (const name of ['main', 'intl', 'changed', 'files']) {
  const lines = sampled(corpusLines(name), 20);
  if (lines.length === 0) continue;
  tests(`corpus/${name}: ${lines.length} lines`, () => {
    const questions: Question[] = [{ profile: PROFILE, output: 32, rows: base64(lines) }];
    mustBeAnswers(questions, answered(questions));
  });
}

/** Returns the message of a refusal without what it quotes, as the module has it. */
function rulesOrRefusal(text: string): SiteRules | string {
  try {
    return SiteRules.parse(text);
  } catch (error) {
    if (error instanceof SiteRulesError) return error.message.replace(/, got ".*"(?=[^"]*$)/s, '');
    throw error;
  }
}

function profileIfAny(options: Options): string | undefined {
  try {
    return profileOf(options);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function reasonOf(profile: string): string | undefined {
  try {
    optionsOf(profile);
    return undefined;
  } catch (error) {
    if (error instanceof ProfileError) return error.reason;
    throw error;
  }
}

tests.run();
