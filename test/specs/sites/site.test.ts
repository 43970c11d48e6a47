import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hostOf, siteOf, surtOf } from '../../../src/entries/site.ts';
import { canonicalize, tryCanonicalize, UrlError } from '../../../src/index.ts';
import { sampleLines } from '../../support/data.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { halvedCases, random } from '../../support/seed.ts';
import { errorOf } from '../../support/thrown.ts';
import { groupKeysOf, hasEmptyLabel } from './group-key.oracle.ts';

const tests = suite('host, site, SURT');

/** A URL, its host, its site, its SURT. */
const EXAMPLES: readonly (readonly [string, string | null, string | null, string])[] = [
  ['http://example.com/', 'example.com', 'example.com', 'com,example)/'],
  ['HTTP://WWW.Example.COM:80', 'www.example.com', 'example.com', 'com,example,www)/'],
  [
    'https://u:p@a.b.example.co.uk:8080/p/?q=1&p#f',
    'a.b.example.co.uk',
    'example.co.uk',
    'uk,co,example,b,a:8080)/p/?q=1&p',
  ],
  ['http://a.b.github.io/', 'a.b.github.io', 'b.github.io', 'io,github,b,a)/'],
  ['http://github.io/x', 'github.io', null, 'io,github)/x'],
  ['http://co.uk/', 'co.uk', null, 'uk,co)/'],
  ['http://localhost/', 'localhost', null, 'localhost)/'],
  ['http://a.localhost/', 'a.localhost', 'a.localhost', 'localhost,a)/'],
  ['http://a.www.ck/', 'a.www.ck', 'www.ck', 'ck,www,a)/'],
  ['http://a.b.ck/', 'a.b.ck', 'a.b.ck', 'ck,b,a)/'],
  ['http://example.com./', 'example.com.', 'example.com.', 'com,example)/'],
  ['http://a..com/', 'a..com', '.com', 'com,,a)/'],
  ['http://bücher.example/ü', 'xn--bcher-kva.example', 'xn--bcher-kva.example', 'example,xn--bcher-kva)/%C3%BC'],
  ['http://0x7f.1/a?', '127.0.0.1', null, '127.0.0.1)/a?'],
  ['http://[0:0::1]:81/', '[::1]', null, '[::1]:81)/'],
  ['ftp://ftp.example.com/x', 'ftp.example.com', 'example.com', 'com,example,ftp)/x'],
  ['file:///etc/hosts', null, null, 'file:///etc/hosts'],
  ['file://server.example/a', 'server.example', 'server.example', 'example,server)/a'],
  ['foo://A.example:8/x', 'A.example', null, 'example,A:8)/x'],
  ['foo://1.2.3.4?q', '1.2.3.4', null, '1.2.3.4)?q'],
  ['foo://u@[::1]:8#f', '[::1]', null, '[::1]:8)'],
  ['foo:///x', null, null, 'foo:///x'],
  ['foo:/x//y', null, null, 'foo:/x//y'],
  ['mailto:a@b.example#f', null, null, 'mailto:a@b.example'],
  ['data:,http://h/#x', null, null, 'data:,http://h/'],
];

tests('the examples of the definition', () => {
  for (const [url, host, site, surt] of EXAMPLES) {
    assert.equal([hostOf(url), siteOf(url), surtOf(url)], [host, site, surt], url);
  }
});

tests('they are those of the form that the options choose', () => {
  assert.is(hostOf('http://www.a.example/', { fold: ['www'] }), 'a.example');
  assert.is(surtOf('/x/?b&a', { base: 'http://h.example/y', sortParams: true, fold: ['slash'] }), 'example,h)/x?a&b');
  for (const of of [hostOf, siteOf, surtOf]) {
    assert.instance(
      errorOf(() => of('bad')),
      UrlError,
    );
    assert.instance(
      errorOf(() => of(1 as never)),
      TypeError,
    );
    assert.instance(
      errorOf(() => of('http://a/', { x: 1 } as never)),
      RangeError,
    );
    assert.type(of(new URL('http://a.example/')), 'string');
  }
});

tests('mutated URLs: as whatwg-url and tldts say', () => {
  const next = random();
  const corpus = [...SAMPLE_URLS, ...sampleLines(), ...EXAMPLES.map(([url]) => url)];
  let [count, sites] = [0, 0];
  for (let left = halvedCases(20_000); left > 0; left--) {
    const url = mutated(corpus[next(corpus.length)]!, next);
    const canonical = tryCanonicalize(url);
    if (canonical === null || hasEmptyLabel(canonical)) continue;
    const found = [hostOf(url), siteOf(url), surtOf(url)];
    assert.equal(found, groupKeysOf(canonical), JSON.stringify(url));
    count++;
    if (found[1] !== null) sites++;
  }
  assert.ok(count > halvedCases(10_000) && sites > count / 2, `${count} URLs, ${sites} sites`);
});

tests('long hosts take linear time and no more than memory', () => {
  const host = `${'a.'.repeat(100_000)}example`;
  assert.is(surtOf(`http://${host}/`), `example,${'a,'.repeat(99_999)}a)/`);
  assert.is(siteOf(`http://${host}/`), 'a.example');
  assert.is(canonicalize(`http://${host}/`).length, host.length + 8);
});

tests.run();
