import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { explain } from '../../../src/entries/explain.ts';
import { canonicalize, expressions, hashes, SafeBrowsingUrlError } from '../../../src/entries/safe-browsing.ts';
import { READINGS } from '../../../src/specs/safe-browsing/settings.ts';
import { mustBeLinear, mustTakeAtMost } from '../../support/linear.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { halvedCases, random, SCALE } from '../../support/seed.ts';
import { checkExplanation, marked, told } from './steps.ts';

const tests = suite('explain: Safe Browsing');
const MUTATION_COUNT = halvedCases(1_500);

tests('Safe Browsing, step by step: the whole URL at each, as text', () => {
  assert.equal(told(explain(' http://u:p@GOOD..example:80%252Fa/./b\u00e9//%FF\t?q#f', { specification: 'v5' })), [
    'whole: tabs, carriage returns and line feeds removed:  http://u:p@GOOD..example:80%252Fa/./b\u00e9//%FF?q#f',
    'whole: fragment left out:  http://u:p@GOOD..example:80%252Fa/./b\u00e9//%FF?q',
    'whole: spaces and control characters around it removed: http://u:p@GOOD..example:80%252Fa/./b\u00e9//%FF?q',
    'whole: percent-unescaped until no escape is left: http://u:p@GOOD..example:80/a/./b\u00e9//\\xff?q',
    'whole: user, password and port left out: http://GOOD..example/a/./b\u00e9//\\xff?q',
    'host: leading, trailing and repeated dots removed: http://GOOD.example/a/./b\u00e9//\\xff?q',
    'host: lower-cased: http://good.example/a/./b\u00e9//\\xff?q',
    'path: dot segments resolved: http://good.example/a/b\u00e9//\\xff?q',
    'path: runs of slashes replaced by one: http://good.example/a/b\u00e9/\\xff?q',
    'whole: percent-escaped: http://good.example/a/b%C3%A9/%FF?q',
  ]);
  assert.equal(told(explain('0x7F.1?\\', { specification: 'web-risk' })), [
    'scheme: http:// written before it: http://0x7F.1?\\',
    'host: IP address in its one form: http://127.0.0.1?\\',
    'path: an empty path written as a slash: http://127.0.0.1/?\\',
  ]);
  assert.equal(told(explain('HTTP://u@H/a\\b#f', { specification: 'v5', mode: 'browser' })), [
    'whole: as a browser visits it, without user, password, port and fragment: http://h/a/b',
  ]);
});

tests('Safe Browsing: each step names its clause, and the pages differ where they do', () => {
  const placeOf = (specification: 'v5' | 'web-risk', change: string) =>
    explain('http://A/', { specification }).steps.find((step) => step.change === change)?.clause.name;
  assert.is(
    placeOf('v5', 'lower-cased'),
    'Safe Browsing v5, URLs and Hashing, canonicalization: to canonicalize the hostname (5)',
  );
  assert.is(
    placeOf('web-risk', 'lower-cased'),
    'Web Risk, Hashing URLs, canonicalization: to canonicalize the hostname (4)',
  );
});

tests('Safe Browsing: samples, mutations and random bytes in all four readings', () => {
  const next = random();
  let valid = 0;
  for (let count = 0; count < MUTATION_COUNT; count++) {
    const sample = mutated(SAMPLE_URLS[next(SAMPLE_URLS.length)]!, next);
    const url = next(3) === 0 ? Uint8Array.from(sample, (each) => each.charCodeAt(0)) : sample;
    for (const { profile, mode } of READINGS) {
      const explanation = explain(url, { specification: profile, mode });
      const canonical = formOf(() => canonicalize(url, { profile, mode }));
      checkExplanation(explanation, canonical);
      if (explanation.canonical === undefined) continue;
      valid++;
      assert.equal(
        explanation.expressions.map(({ expression }) => expression),
        expressions(url, { profile, mode }),
      );
      if (count % 50 === 0) {
        for (const { expression, readings } of explanation.expressions)
          assert.equal(
            readings,
            READINGS.filter((reading) => formsOf(() => expressions(url, reading)).includes(expression)),
          );
        assert.equal(
          explanation.expressions.map((each) => each.hash),
          hashes(url, { profile, mode }).map((digest) => Buffer.from(digest).toString('hex')),
        );
      }
    }
  }
  assert.ok(valid > MUTATION_COUNT, `only ${valid} had a canonical form`);
});

/** None where there is no host to look up. */
function formsOf(list: () => string[]): string[] {
  try {
    return list();
  } catch (error) {
    assert.instance(error, SafeBrowsingUrlError);
    return [];
  }
}

function formOf(canonical: () => string): string | undefined {
  try {
    return canonical();
  } catch (error) {
    assert.instance(error, SafeBrowsingUrlError);
    return undefined;
  }
}

tests('Safe Browsing: a failure lies at its place in the input', () => {
  const at = (url: string, mode: 'spec' | 'browser' = 'spec') => marked(explain(url, { specification: 'v5', mode }));
  assert.is(at(' mai\tlto:x'), '1 mai\tlto');
  assert.is(at('http://u@[abc/'), '9 [abc');
  assert.is(at('\ufeffhttp://\u00e9@.../'), '10 ...');
  assert.is(at('http://'), '7 ');
  assert.is(at('exa mple.example/', 'browser'), '3  ');
  assert.is(at('http://h:80x/', 'browser'), '11 x');
  assert.is(at('mailto:x', 'browser'), '0 mailto');
  for (const url of ['http:%2F/%2E/', 'mailt%6f:x'])
    assert.is(explain(url, { specification: 'v5' }).failure?.span, undefined, url);
});

tests('bytes that are not UTF-8 stand as escapes, and nothing else does', () => {
  const input = Uint8Array.from([...Buffer.from('http://h/é\u{1f600}'), 0xc3, 0x28, 0xf0, 0x9f, 0xff]);
  assert.is(explain(input, { specification: 'v5' }).input, 'http://h/é\u{1f600}\\xc3(\\xf0\\x9f\\xff');
  const fatal = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const next = random();
  for (let count = 0; count < halvedCases(5_000); count++) {
    const bytes = Uint8Array.from({ length: 1 + next(6) }, () => EDGES[next(EDGES.length)]!);
    const shown = explain(bytes, { specification: 'v5' }).input;
    const text = formOrUndefined(() => fatal.decode(bytes));
    if (text === undefined) assert.match(shown, /\\x[89a-f][0-9a-f]/);
    else assert.is(shown, text);
    const back = shown.replace(/[^\\]+/g, (part) => Buffer.from(part).toString('latin1'));
    assert.is(
      back.replace(/\\x(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
      Buffer.from(bytes).toString('latin1'),
    );
  }
});

/** Bytes at the borders of the ranges in RFC 3629. */
const EDGES = [
  0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xec, 0xed, 0xef, 0xf0, 0xf4, 0xf5,
];

function formOrUndefined(form: () => string): string | undefined {
  try {
    return form();
  } catch {
    return undefined;
  }
}

tests('takes linear time', () => {
  const shapes: readonly ((length: number) => string)[] = [
    (length) => `http://h/${'%FF'.repeat(length / 2)}`,
    (length) => `http://h/${'\t/../a%'.repeat(length / 4)}`,
    (length) => `${' '.repeat(length)}x`,
  ];
  for (const shape of shapes)
    for (const specification of ['url', 'v5', 'web-risk'] as const)
      mustBeLinear(`${specification}, ${shape(4)}`, shape, (url) => explain(url, { specification }));
});

tests('what is not ASCII, or not UTF-8, takes no multiple of the time that expressions take', () => {
  for (const unit of ['\ud800', '\u00e9'])
    mustTakeAtMost(
      9,
      JSON.stringify(unit),
      `http://h/${unit.repeat(SCALE >= 10 ? 1 << 18 : 1 << 16)}`,
      (url) => explain(url, { specification: 'v5' }),
      (url) => expressions(url, { mode: 'union' }),
    );
});

tests('bytes that are not UTF-8 are shown one by one, as a decoder finds them', () => {
  const next = random();
  const bytes = [0x41, 0x80, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xa0, 0xed, 0x9f, 0xef, 0xf0, 0x90, 0xf4, 0x8f, 0xf5, 0xff];
  for (let count = halvedCases(4000); count > 0; count--) {
    const given = Uint8Array.from({ length: next(9) }, () => bytes[next(bytes.length)]!);
    const { input } = explain(given, { specification: 'v5' });
    const shown = Buffer.concat(
      input
        .split(/(\\x..)/)
        .map((part) => (part.startsWith('\\x') ? Buffer.from(part.slice(2), 'hex') : Buffer.from(part))),
    );
    assert.equal(shown, Buffer.from(given));
    assert.not.match(input, /\ufffd/);
    const valid = new TextDecoder('utf-8', { ignoreBOM: true }).decode(given).includes('\ufffd');
    assert.is(input.includes('\\x'), valid);
  }
});

tests('wrong arguments are thrown', () => {
  const thrown = (run: () => unknown, pattern: RegExp) =>
    assert.throws(run, (error: Error) => pattern.test(`${error}`));
  thrown(() => explain(5 as never), /TypeError: url must be a string or a URL, got number/);
  thrown(() => explain(5 as never, { specification: 'v5' }), /TypeError: url must be a string, a URL or a Uint8Array/);
  thrown(
    () => explain('x', { specification: 'v4' as never }),
    /RangeError: specification must be one of url, web-risk/,
  );
  thrown(() => explain('x', { variant: 'N' } as never), /RangeError: options has no "variant"/);
  thrown(
    () => explain('x', { specification: 'v5', mode: 'union' as never }),
    /RangeError: mode must be one of spec, browser/,
  );
  for (const specification of ['hashed-uri', 'hash-uri'])
    thrown(
      () => explain('x', { specification } as never),
      /RangeError: specification must be one of url, web-risk, v5, got/,
    );
  thrown(() => explain('x', 'v5' as never), /^TypeError: options must be an object, such as \{ base: … \}, got string/);
  for (const options of [null, 5, []])
    thrown(() => explain('x', options as never), /^TypeError: options must be an object, got /);
  thrown(() => explain('x', { specification: Object.create(null) }), /^RangeError: specification must be one of url, /);
  thrown(() => explain('x', { base: 5 as never }), /TypeError: base must be a string or a URL, got number/);
});

tests.run();
