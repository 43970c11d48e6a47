import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hostOf, siteOf, surtOf } from '../../../src/entries/site.ts';
import { canonicalize, tryCanonicalize, UrlError } from '../../../src/index.ts';
import { sampleLines } from '../../support/data.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { halvedCases, random } from '../../support/seed.ts';
import { errorOf } from '../../support/thrown.ts';
import { inputOf, stored } from '../../vectors/stored.ts';
import { groupKeysOf, hasEmptyLabel } from './group-key.oracle.ts';

const tests = suite('host, site, SURT');

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
  const corpus = [...SAMPLE_URLS, ...sampleLines(), ...stored('site.json').cases.map(inputOf)];
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
