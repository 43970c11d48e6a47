import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { UnicodeVersion } from '../../../src/core/url/parsed-url.ts';
import {
  canonicalize,
  hashStream,
  type Options,
  profileOf,
  tryCanonicalize,
  UrlError,
  UrlHash,
  UrlHasher,
} from '../../../src/index.ts';
import { wptCases } from '../../support/data.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { halvedCases, random } from '../../support/seed.ts';
import { errorOf } from '../../support/thrown.ts';
import { KERNELS } from '../kernel/kernels.ts';
import { oracle } from './oracle.ts';
import { withScheme } from './page-rules.oracle.ts';

const published = suite('web-platform-tests');

/** The href, or undefined where the URL or its base is none; anything else thrown fails the test. */
function href(input: string, base?: string | null, unicode?: UnicodeVersion): string | undefined {
  try {
    return canonicalize(input, { base: base ?? undefined, unicode });
  } catch (error) {
    assert.instance(error, UrlError);
    return undefined;
  }
}

interface UrlCase {
  readonly input: string;
  readonly base?: string | null;
  readonly href?: string;
  readonly failure?: boolean;
}

for (const file of ['urltestdata.json', 'urltestdata-javascript-only.json']) {
  const cases = wptCases<UrlCase>(file);
  published(`${file}: ${cases.length} cases`, () => {
    for (const { input, base, href: expected, failure } of cases) {
      assert.is(href(input, base), failure ? undefined : expected, `${JSON.stringify(input)} against ${base}`);
    }
  });
}

interface AsciiCase {
  readonly input: string;
  readonly output: string | null;
}

/** Cases made for Unicode 17, of which 18 allows a character that they have refused. */
const OF_UNICODE_17 = { 'IdnaTestV2.json': 2 } as Readonly<Record<string, number>>;

// An empty input is left out, as the files' own runner does: `https:///x` has a host, x.
for (const file of ['toascii.json', 'IdnaTestV2.json', 'IdnaTestV2-removed.json']) {
  const cases = wptCases<AsciiCase>(file).filter(({ input }) => input !== '');
  published(`${file}: ${cases.length} cases, with 17 no exception, with 18 those that have a new character`, () => {
    let newCount = 0;
    for (const { input, output } of cases) {
      const url = `https://${input}/x`;
      const expected = output === null ? undefined : `https://${output}/x`;
      assert.is(href(url, null, 17), expected, JSON.stringify(input));
      if (href(url) === expected) continue;
      assert.is(expected, undefined, JSON.stringify(input));
      assert.is(href(url), oracle(url), JSON.stringify(input));
      newCount++;
    }
    assert.is(newCount, cases.length === 0 ? 0 : (OF_UNICODE_17[file] ?? 0));
  });
}

published('percent-encoding.json: UTF-8', () => {
  for (const { input, output } of wptCases<{ input: string; output: Record<string, string> }>(
    'percent-encoding.json',
  )) {
    assert.is(href(`https://example.com/?${input}`), `https://example.com/?${output['utf-8']}`, JSON.stringify(input));
    assert.is(href(`https://example.com/#${input}`), `https://example.com/#${output['utf-8']}`, JSON.stringify(input));
  }
});

published.run();

const tests = suite('defaultScheme');

/** Given, and read with `https`; null for what is still not a URL. */
const EXAMPLES: readonly (readonly [string, string | null])[] = [
  ['example.com', 'https://example.com/'],
  ['example.com/a?b#c', 'https://example.com/a?b#c'],
  ['example.com:8080/x', 'https://example.com:8080/x'],
  ['EXAMPLE.com:443', 'https://example.com/'],
  ['example.com:80?q', 'https://example.com:80/?q'],
  ['example.com:80#f', 'https://example.com:80/#f'],
  ['example.com:', 'example.com:'],
  ['example.com:80a', 'example.com:80a'],
  ['example.com:80\\x', 'example.com:80\\x'],
  ['example.com:99999', null],
  ['localhost:80/', 'https://localhost:80/'],
  ['LocalHost:80', 'https://localhost:80/'],
  ['localhost', 'https://localhost/'],
  ['xlocalhost:80', 'xlocalhost:80'],
  ['a-b+c:80', 'a-b+c:80'],
  ['tel:112', 'tel:112'],
  ['mailto:a@example.com', 'mailto:a@example.com'],
  ['http:example.com', 'http://example.com/'],
  ['ftp://example.com:80', 'ftp://example.com:80/'],
  ['user:secret@example.com', 'user:secret@example.com'],
  ['user@example.com', 'https://user@example.com/'],
  ['a.user:1@example.com', 'a.user:1@example.com'],
  ['127.0.0.1:80/', 'https://127.0.0.1:80/'],
  ['[::1]:80', 'https://[::1]:80/'],
  ['täst.example', 'https://xn--tst-qla.example/'],
  [' \texample.com\n', 'https://example.com/'],
  ['exa\nmple.com:8\t0', 'https://example.com:80/'],
  ['hello world', null],
  ['', null],
  ['  ', null],
  ['/x', null],
  ['//example.com', null],
  ['\\\\example.com', null],
  ['?q', null],
  ['#f', null],
  [' /x', null],
];

tests('what lacks a scheme is read with the default one, and all else as it was', () => {
  for (const [given, expected] of EXAMPLES)
    assert.is(tryCanonicalize(given, { defaultScheme: 'https' }), expected, given);
  assert.is(canonicalize('example.com:80/', { defaultScheme: 'http' }), 'http://example.com/');
});

const STARTS = ['', '', 'a.b', 'A.B:80', 'a.b:80/', 'localhost:', 'localhost:8', 'x:80', '1.2.3.4:5', 'a.b:8?', 'foo:'];

for (const kernel of KERNELS) {
  tests(`any line is that with the scheme written out: ${kernel.name}`, async () => {
    const next = random();
    const forms: Options[] = [{}, { excludeFragment: true }, { sortParams: true }, { fold: ['https', 'escapes'] }];
    const lines = Array.from({ length: halvedCases(4000) }, () => {
      const url = mutated(SAMPLE_URLS[next(SAMPLE_URLS.length)]!, next);
      const start = STARTS[next(STARTS.length)]!;
      return (start + (next(2) === 0 ? url.replace(/^[^:]*:[/\\]*/, '') : url)).replace(/[\r\n]/g, '').toWellFormed();
    });
    for (const form of forms) {
      const defaultScheme = next(2) === 0 ? 'http' : 'https';
      const hasher = new UrlHasher({ ...form, defaultScheme, kernel: kernel.name });
      const text = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''));
      const column = hasher.hashLines(text);
      const expected = lines.map((line) => tryCanonicalize(withScheme(line, defaultScheme), form));
      for (const [row, line] of lines.entries()) {
        const canonical = expected[row] ?? null;
        assert.is(tryCanonicalize(line, { ...form, defaultScheme }), canonical, JSON.stringify(line));
        const hex = canonical === null ? undefined : UrlHash.of(canonical, form).hex;
        assert.is(column.hex(row), hex, JSON.stringify(line));
        if (row % 20 === 0) assert.is(UrlHash.tryOf(line, { ...form, defaultScheme })?.hex, hex, JSON.stringify(line));
      }
      const stream = new Response(text).body!.pipeThrough(hashStream({ ...form, defaultScheme, kernel: kernel.name }));
      const streamed: (string | undefined)[] = [];
      for await (const part of stream) for (let row = 0; row < part.length; row++) streamed.push(part.hex(row));
      assert.equal(
        streamed,
        lines.map((_, row) => column.hex(row)),
      );
    }
  });
}

tests('it is an option of reading: no base beside it, and no profile names it', () => {
  const options = { defaultScheme: 'https', base: 'http://h/' } as const;
  assert.is(errorOf(() => canonicalize('x', options)).message, 'base and defaultScheme cannot be combined');
  assert.throws(() => new UrlHasher(options), /cannot be combined/);
  assert.throws(() => canonicalize('x', { defaultScheme: 'ftp' as 'http' }), /must be one of http, https, got "ftp"/);
  assert.is(profileOf({ defaultScheme: 'https', sortParams: true } as Options), 'url/1+unicode18;sort-params');
});

tests.run();
