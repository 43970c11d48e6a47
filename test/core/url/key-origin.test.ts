import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jointOrigin, mayMeet } from '../../../src/core/url/key-origin.ts';
import { HashIndex, HashIndexBuilder, HashIndexError } from '../../../src/entries/hash-index.ts';
import { compatible, HashColumn, hashStream, PROFILE, profileOf, UrlHasher } from '../../../src/index.ts';
import { FOLDER as folder } from '../../support/scratch.ts';
import { errorOf as thrown } from '../../support/thrown.ts';

const tests = suite('profiles that may meet');

const [V17, V18, UNKNOWN] = ['url/1+unicode17', 'url/1+unicode18', 'url/1+unicode99'];

tests('profiles are compatible if they differ only by versions without a changed form', () => {
  for (const [one, other, expected] of [
    [V17, V17, true],
    [V17, V18, true],
    [`${V17}+unicode18`, V17, true],
    [`${V17}+unicode18;sort-params`, `${V18};sort-params`, true],
    [V17, `${V17};sort-params`, false],
    [`${V17};sort-params`, `${V18};drop-params=a`, false],
    [V18, UNKNOWN, false], // of which this build knows nothing
    [UNKNOWN, UNKNOWN, true],
    [`${V17}+unicode18`, UNKNOWN, false],
    ['url/2+unicode17', 'url/2+unicode18', false],
    ['url/2+unicode17', 'url/2+unicode17', true],
    ['web-risk/1', 'web-risk/1', true],
    ['web-risk/1', 'v5/1', false],
    ['url/1', V18, false],
    ['url/1+unicode018', V18, false],
    ['', '', true],
  ] as const) {
    assert.is(compatible(one, other), expected, `${one} ${other}`);
    assert.is(compatible(other, one), expected, `${other} ${one}`);
  }
  assert.instance(
    thrown(() => compatible(PROFILE, 17 as never)),
    TypeError,
  );
});

tests('keys of ASCII hosts meet those of every version, under the same options', () => {
  const [old, current] = [
    { profile: V17, hasUnicodeHosts: true },
    { profile: UNKNOWN, hasUnicodeHosts: true },
  ];
  assert.is(mayMeet(old, current), false);
  assert.is(mayMeet({ ...old, hasUnicodeHosts: false }, current), true);
  assert.is(mayMeet(old, { ...current, hasUnicodeHosts: false }), true);
  assert.is(mayMeet({ profile: `${V17};sort-params`, hasUnicodeHosts: false }, current), false);
});

tests('what is kept together names each version that it came from', () => {
  const of = (profile: string, hasUnicodeHosts: boolean) => ({ profile, hasUnicodeHosts });
  assert.equal(jointOrigin([of(V18, true), of(V17, true)]), of(`${V17}+unicode18`, true));
  assert.equal(jointOrigin([of(`${V17};a`, true), of(`${V18};a`, true)]), of(`${V17}+unicode18;a`, true));
  assert.equal(jointOrigin([of(`${V17}+unicode18`, true), of(V17, true)]), of(`${V17}+unicode18`, true));
  // the others are right under every version
  assert.equal(jointOrigin([of(V17, false), of(V18, false)]), of(V18, false));
  assert.equal(jointOrigin([of(V17, false), of(V18, true)]), of(V18, true));
  assert.equal(jointOrigin([of(V17, true), of(UNKNOWN, false)]), of(V17, true));
  assert.equal(jointOrigin([of('web-risk/1', false), of('web-risk/1', true)]), of('web-risk/1', true));
});

const UNICODE_HOSTS = ['http://bücher.example/', 'http://b%C3%BCcher.example/', 'http://ａ.example/', 'file://ü/a'];
const ASCII_HOSTS = ['http://a/ü?ü#ü', 'http://ü@a/', 'HTTP://A%41/', 'mailto:ü@ü', 'foo://ü/', 'http://xn--a/', 'nö'];

tests('a column says whether a key came from a host beyond ASCII', async () => {
  const hasher = new UrlHasher({ width: 8 });
  const lines = (urls: readonly string[]) => new TextEncoder().encode(urls.join('\n'));
  assert.is(hasher.hashMany(ASCII_HOSTS).hasUnicodeHosts, false);
  assert.is(hasher.hashLines(lines(ASCII_HOSTS)).hasUnicodeHosts, false);
  for (const url of UNICODE_HOSTS) {
    const urls = [...ASCII_HOSTS, url, ...ASCII_HOSTS];
    assert.is(hasher.hashMany(urls).hasUnicodeHosts, true, url);
    assert.is(hasher.hashLines(lines(urls)).hasUnicodeHosts, true, url);
    const columns = new Response(lines(urls)).body!.pipeThrough(hashStream({ width: 8 }));
    let hasSome = false;
    for await (const column of columns) hasSome ||= column.hasUnicodeHosts;
    assert.is(hasSome, true, url);
  }
});

tests('a base beyond ASCII counts for the lines that take its host', () => {
  const hasher = new UrlHasher({ width: 8, base: 'http://bücher.example/a/b' });
  assert.is(hasher.hashMany(['http://a/', '//b/']).hasUnicodeHosts, false);
  for (const relative of ['c', '/c', '?c', '#c', ''])
    assert.is(hasher.hashMany([relative]).hasUnicodeHosts, true, relative);
  const files = new UrlHasher({ base: 'file://bücher/a/b' });
  for (const relative of ['c', '/c', 'C|/d', '?'])
    assert.is(files.hashMany([relative]).hasUnicodeHosts, true, relative);
});

tests('a column that was posted has the same flag; of other parts nothing is known', () => {
  for (const urls of [ASCII_HOSTS, UNICODE_HOSTS]) {
    const column = new UrlHasher().hashMany(urls);
    assert.is(HashColumn.from(structuredClone(column)).hasUnicodeHosts, column.hasUnicodeHosts);
    const { bytes, width, profile, invalid } = column;
    assert.is(HashColumn.from({ bytes, width, profile, invalid }).hasUnicodeHosts, true);
  }
});

/** The column of some URLs, as one of another profile. */
function columnOf(urls: readonly string[], profile: string): HashColumn<8> {
  return HashColumn.from({ ...structuredClone(new UrlHasher({ width: 8 }).hashMany(urls)), profile });
}

function indexOf(name: string, ...added: (HashColumn | HashIndex)[]): HashIndex {
  const builder = new HashIndexBuilder();
  for (const each of added) builder.add(each);
  builder.write(join(folder, name));
  return HashIndex.open(join(folder, name));
}

tests('an index names the versions of its keys, and meets those that are compatible with each', () => {
  const [old, current, later] = [V17, V18, UNKNOWN].map((profile) => columnOf(UNICODE_HOSTS, profile)) as HashColumn[];
  const ascii = columnOf(ASCII_HOSTS, UNKNOWN);
  const index = indexOf('17.idx', old!);
  assert.equal([index.profile, index.hasUnicodeHosts], [V17, true]);
  for (const met of [old!, current!]) assert.equal([...index.matches(met)], [0, 1, 2, 3]);
  assert.equal([...index.matches(ascii)], []);
  const error = thrown(() => index.matches(later!)) as HashIndexError;
  assert.instance(error, HashIndexError);
  assert.is(error.reason, 'other-profile');
  assert.is(error.message, `the column: its profile is ${UNKNOWN}, that of the index ${V17}`);

  const both = indexOf('both.idx', current!, index, ascii);
  assert.equal(
    [both.profile, both.hasUnicodeHosts, both.size],
    [`${V17}+unicode18`, true, index.size + ascii.length - 1],
  );
  assert.ok(compatible(both.profile, V17) && compatible(both.profile, V18) && compatible(both.profile, profileOf()));
  for (const met of [old!, current!]) assert.equal([...both.matches(met)], [0, 1, 2, 3]);
  assert.is((thrown(() => indexOf('no.idx', both, later!)) as HashIndexError).reason, 'other-profile');
});

tests('an index without hosts beyond ASCII is right under every version', () => {
  const index = indexOf('ascii.idx', columnOf(ASCII_HOSTS, V17));
  assert.equal([index.profile, index.hasUnicodeHosts], [V17, false]);
  assert.equal([...index.matches(columnOf(['http://a/ü?ü#ü', ...UNICODE_HOSTS], UNKNOWN))], [0]);
  const later = indexOf('later.idx', index, columnOf(UNICODE_HOSTS, UNKNOWN));
  assert.equal([later.profile, later.hasUnicodeHosts], [UNKNOWN, true]);
});

tests.run();
