import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalForm } from '../../src/url/canonicalize.ts';
import { type ExplainedPart, type Explanation, explain } from '../../src/url/explain.ts';
import { Failure } from '../../src/url/failure.ts';
import { partsOf } from '../../src/url/parts.ts';
import { placeOf } from '../../src/url/place.ts';
import { mutated, SAMPLE_URLS } from '../samples.ts';
import { random } from '../seed.ts';

const tests = suite('explain');

function explanation(url: string): Explanation {
  const found = explain(url);
  assert.not.instance(found, Failure, url);
  return found as Explanation;
}

function changes(url: string, name: string): string[] {
  return explanation(url)
    .parts.find((part) => part.name === name)!
    .steps.map(({ text, change }) => `${change}: ${text}`);
}

tests('a host, step by step', () => {
  assert.equal(changes('http://B%C3%9CCHER.Example/', 'host'), [
    'percent-decoded: BÜCHER.Example',
    'mapped and normalized by UTS #46: bücher.example',
    'labels beyond ASCII in Punycode: xn--bcher-kva.example',
  ]);
  assert.equal(changes('http://0X7F.1/', 'host'), [
    'lower-cased: 0x7f.1',
    'the IPv4 address in four decimal parts: 127.0.0.1',
  ]);
  assert.equal(changes('http://１.2.3.4/', 'host'), ['mapped and normalized by UTS #46: 1.2.3.4']);
  assert.equal(changes('http://[0:0::FFFF]/', 'host'), ['the IPv6 address in its shortest form: [::ffff]']);
  assert.equal(changes('file://localhost/x', 'host'), ['localhost is the empty host: ']);
  assert.equal(changes('web+demo://h ost/'.replace(' ', '\u00e9'), 'host'), ['percent-encoded: h%C3%A9ost']);
});

tests('the other parts', () => {
  assert.equal(changes('HTTP:\\\\\\h', 'slashes'), [
    'a backslash is taken for a slash: ///',
    'an authority is written behind two slashes: //',
  ]);
  assert.equal(changes('HTTP://h', 'path'), ['an empty path is a slash: /']);
  assert.equal(changes('http://h:0080', 'port'), [
    'leading zeroes removed: 80',
    'left out: it is the default port of http: ',
  ]);
  assert.equal(changes('http://h\\a b\\..\\%2e', 'path'), [
    'a backslash is taken for a slash: /a b/../%2e',
    'percent-encoded: /a%20b/../%2e',
    '. and .. segments resolved: /',
  ]);
  assert.equal(changes('file:C|/x', 'path'), [
    'a path begins with a slash: /C|/x',
    'a drive letter has a colon: /C:/x',
  ]);
  assert.equal(changes('a:/.//b', 'path'), [
    '. and .. segments resolved: //b',
    'behind /. it cannot be taken for an authority: /.//b',
  ]);
  assert.equal(changes("http://h/?'", 'query'), ['percent-encoded: %27']);
  assert.equal(
    explanation(' \thttp://h/\n').cleaning.map(({ text }) => text),
    ['http://h/'],
  );
  assert.equal(
    explanation(' ht\ntp://h/').cleaning.map(({ text }) => text),
    ['ht\ntp://h/', 'http://h/'],
  );
});

/** The canonical form, put together from its parts as the standard's serializer would. */
function rejoined(parts: readonly ExplainedPart[]): string {
  const text = new Map(parts.map(({ name, canonical }) => [name, canonical]));
  const before = (delimiter: string, part: string | undefined) => (part === undefined ? '' : delimiter + part);
  const credentials = `${text.get('username') ?? ''}${before(':', text.get('password'))}`;
  const authority = `${credentials === '' ? '' : `${credentials}@`}${text.get('host') ?? ''}${before(':', text.get('port'))}`;
  return `${text.get('scheme')}:${text.get('slashes') ?? ''}${authority}${text.get('path')}${before('?', text.get('query'))}${before('#', text.get('fragment'))}`;
}

function checkExplanation(url: string): boolean {
  const canonical = canonicalForm(url);
  const found = explain(url);
  if (found instanceof Failure || canonical instanceof Failure) {
    assert.is(found, canonical, JSON.stringify(url));
    const [start, end] = placeOf(url, found as Failure);
    assert.ok(start >= 0 && start <= end && end <= url.length, `${JSON.stringify(url)}: ${start} to ${end}`);
    return false;
  }
  const { parts } = found;
  assert.is(rejoined(parts), canonical, JSON.stringify(url));
  for (const { given, canonical: text, steps } of parts) checkSteps(url, given?.text ?? '', text ?? '', steps);
  return true;
}

function checkSteps(url: string, given: string, canonical: string, steps: ExplainedPart['steps']): void {
  let before = given;
  for (const { text, change, clause } of steps) {
    assert.ok(
      text !== before && change !== '' && clause !== '',
      `${JSON.stringify(url)}: ${JSON.stringify({ before, text, change })}`,
    );
    before = text;
  }
  assert.is(before, canonical, JSON.stringify(url));
}

/** The parts lie in order, each with the text it names, and nothing but delimiters lies between them. */
function checkParts(url: string): void {
  let at = 0;
  for (const { name, text, start, end } of partsOf(url)) {
    assert.match(url.slice(at, start), at === 0 ? /^[\0- ]*$/ : /^[:@?#\t\n\r]*$/, `${name} of ${JSON.stringify(url)}`);
    assert.is(
      url
        .slice(start, end)
        .toWellFormed()
        .replace(/[\t\n\r]/g, ''),
      text.toWellFormed(),
      `${name} of ${JSON.stringify(url)}`,
    );
    at = end;
  }
  if (at > 0) assert.match(url.slice(at), /^[?#@:\0- ]*$/, JSON.stringify(url));
}

tests('samples and mutations: the steps lead to the canonical form, the parts cover the input', () => {
  const next = random();
  let valid = 0;
  for (let count = 0; count < 40_000; count++) {
    const sample = SAMPLE_URLS[next(SAMPLE_URLS.length)]!;
    const url = count < SAMPLE_URLS.length ? SAMPLE_URLS[count]! : mutated(sample, next);
    if (checkExplanation(url)) valid++;
    checkParts(url);
  }
  assert.ok(valid > 20_000, `only ${valid} were URLs`);
});

tests('a failure lies at its place', () => {
  const at = (url: string) => {
    const [start, end] = placeOf(url, explain(url) as Failure);
    return `${start} ${url.slice(start, end)}`;
  };
  assert.is(at('http://exa mple.com/'), '10  ');
  assert.is(at('http://u:p@h:80x/'), '15 x');
  assert.is(at('http://h:65536/'), '9 65536');
  assert.is(at('\thttp://[::1/'), '8 [::1');
  assert.is(at('http://a\tb.999/'), '7 a\tb.999');
  assert.is(at('http:///'), '8 ');
  assert.is(at('no url'), '0 ');
});

tests.run();
