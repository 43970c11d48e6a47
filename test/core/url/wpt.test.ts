import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { UnicodeVersion } from '../../../src/core/url/parsed-url.ts';
import { canonicalize, UrlError } from '../../../src/index.ts';
import { wptCases } from '../../support/data.ts';
import { oracle } from './oracle.ts';

const wpt = suite('web-platform-tests');

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
  wpt(`${file}: ${cases.length} cases`, () => {
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
  wpt(`${file}: ${cases.length} cases, with 17 no exception, with 18 those that have a new character`, () => {
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

wpt('percent-encoding.json: UTF-8', () => {
  for (const { input, output } of wptCases<{ input: string; output: Record<string, string> }>(
    'percent-encoding.json',
  )) {
    assert.is(href(`https://example.com/?${input}`), `https://example.com/?${output['utf-8']}`, JSON.stringify(input));
    assert.is(href(`https://example.com/#${input}`), `https://example.com/#${output['utf-8']}`, JSON.stringify(input));
  }
});

wpt.run();
