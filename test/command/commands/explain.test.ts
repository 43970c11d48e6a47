import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mustGive, urlsum } from '../command.ts';

const tests = suite('--explain');

function explained(...args: readonly string[]): readonly [status: number | null, lines: readonly string[]] {
  const { status, stdout } = urlsum(args);
  return [status, stdout.toString().split('\n').slice(0, -1)];
}

const sha = (algorithm: 'sha1' | 'sha256', text: string) => createHash(algorithm).update(text).digest('hex');

tests('a URL: what each step left, what it did and by which clause, and the hash', () => {
  assert.equal(explained('--explain', 'HTTPS://B\u00fccher.example:443/a/../b c'), [
    0,
    [
      'profile    url/1+unicode18',
      'given      HTTPS://B\u00fccher.example:443/a/../b c',
      'scheme     https://B\u00fccher.example:443/a/../b c',
      '           lower-cased: URL Standard, scheme-state',
      'host       https://xn--bcher-kva.example:443/a/../b c',
      '           mapped and normalized by UTS #46, labels beyond ASCII in Punycode: URL Standard, concept-domain-to-ascii',
      'port       https://xn--bcher-kva.example/a/../b c',
      '           left out, because it is the default port of https: URL Standard, port-state',
      'path       https://xn--bcher-kva.example/a/../b%20c',
      '           percent-encoded: URL Standard, path-percent-encode-set',
      'path       https://xn--bcher-kva.example/b%20c',
      '           dot segments resolved: URL Standard, path-state',
      'canonical  https://xn--bcher-kva.example/b%20c',
      `hash       ${sha('sha256', 'https://xn--bcher-kva.example/b%20c')}`,
    ],
  ]);
});

tests('what is not a URL: the reason and its place, status 1', () => {
  assert.equal(explained('--explain', 'http://exa mple.com/'), [
    1,
    [
      'profile   url/1+unicode18',
      'given     http://exa mple.com/',
      'rejected  the host holds a forbidden code point: " ", at character 11 (domain-invalid-code-point)',
    ],
  ]);
});

tests('what a terminal would obey is escaped', () => {
  const [, lines] = explained('--explain', 'http://h/\u001b[31m\u202e\nprofile');
  assert.is(lines[1], 'given      http://h/\\u001b[31m\\u202e\\nprofile');
  assert.is(lines.length, 8);
});

tests('--base and --exclude-fragment are explained too', () => {
  const [, lines] = explained('--base', 'http://h/a/', '--exclude-fragment', '--explain', '../b#c');
  assert.equal(lines.slice(2, 4), [
    'URL        http://h/a/../b#c',
    '           resolved against the base URL: URL Standard, relative-state',
  ]);
  assert.is(lines.at(-2), 'canonical  http://h/b');
  assert.is(lines[0], 'profile    url/1+unicode18;exclude-fragment');
});

tests('canon, under the profiles that have steps', () => {
  const canonicalOf = (...args: readonly string[]) =>
    explained(...args)[1].find((line) => line.startsWith('canonical'));
  assert.is(canonicalOf('canon', '--explain', 'HTTP://H'), 'canonical  http://h/');
  for (const [profile, canonical] of [
    ['safe-browsing', 'http://1.2.3.4/A'],
    ['v5', 'http://1.2.3.4/A'],
    ['web-risk', 'http://[::ffff:1.2.3.4]/A'],
  ] as const)
    assert.is(
      canonicalOf('canon', '--profile', profile, '--explain', 'http://[::FFFF:1.2.3.4]:81/%41'),
      `canonical  ${canonical}`,
    );
  const refused = urlsum(['canon', '--profile', 'hashed-uri-n', '--explain', 'http://h/']);
  assert.equal([refused.status, refused.stdout.length], [2, 0]);
  assert.match(refused.stderr, '--explain belongs to the profiles url, web-risk and safe-browsing');
});

tests('wrong usage: a file as well, or options that do not go together', () => {
  for (const args of [
    ['--explain', 'http://h/', 'file'],
    ['--explain', 'x', '--base', 'no url'],
    ['canon', '--mode', 'spec', '--explain', 'http://h/'],
    ['canon', '--explain'],
  ]) {
    mustGive(urlsum(args), { status: 2, stdout: '', says: /--help/ }, args.join(' '));
  }
});

tests.run();
