import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalize, hash } from '../../../src/entries/hashed-uri.ts';
import { corpusLines } from '../../support/data.ts';
import { folderWith } from '../../support/scratch.ts';
import { mustGive, textOf } from '../command.ts';

const test = suite('urlsum hashed-uri');
const SHA1 = 'hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481';
const FRAG = 'hashed:sha1=31a79a96e0404778a3b95cb426b04b6114a604a5+frag';

test('one hashed URI per line, in order: variant N and sha1 unless asked', () => {
  const { stdout, stderr, status } = textOf(['hashed-uri'], 'http://www.thus.net\r\nHTTP://www.Thus.net#end');
  assert.equal([stdout, stderr, status], [`${SHA1}\n${SHA1}\n`, '', 0]);
  assert.is(
    textOf(['hashed-uri', '--keep', 'frag,query'], 'http://www.thus.net#end\nhttp://www.thus.net\n').stdout,
    `${FRAG}\n${SHA1}\n`,
  );
  assert.is(
    textOf(['hashed-uri', '--algorithm', 'md5'], 'mailto:clive@demon.net').stdout,
    'hashed:md5=cd933f3b87ee60e58917448c9678ee32\n',
  );
  const lowered = hash('http://h/a.html', { variant: 'P', algorithm: 'sha1' });
  assert.is(textOf(['hashed-uri', '--variant', 'P'], 'http://h/A.HTM').stdout, `${lowered}\n`);
  assert.is(textOf(['hashed-uri', '--base', 'http://h/x', '--variant', 'P'], 'a.html').stdout, `${lowered}\n`);
});

test('--match says of each line whether it is the URI', () => {
  const lines = 'http://www.thus.net#end\nhttp://www.thus.net\nhttp://other/\n';
  const one = textOf(['hashed-uri', '--match', FRAG], lines);
  assert.equal(
    [one.stdout, one.stderr, one.status],
    ['match  http://www.thus.net#end\nno-match  http://www.thus.net\nno-match  http://other/\n', '', 0],
  );
  const two = textOf(['hashed-uri', '--match', FRAG, '--match', SHA1], lines);
  assert.is(two.stdout, 'match  http://www.thus.net#end\nmatch  http://www.thus.net\nno-match  http://other/\n');
  const none = textOf(['hashed-uri', '--match', FRAG], 'http://other/\n');
  assert.equal([none.stdout, none.status], ['no-match  http://other/\n', 1], 'as grep does');
  assert.is(textOf(['hashed-uri', '--match', FRAG], '').status, 1, 'nothing was read');
});

test('--match takes both variants unless one is given', () => {
  const made = String(hash('http://h/A', { variant: 'P', algorithm: 'sha1' }));
  assert.is(textOf(['hashed-uri', '--match', made], 'http://h/A').stdout, 'match  http://h/A\n');
  assert.is(textOf(['hashed-uri', '--match', made, '--variant', 'N'], 'http://h/A').stdout, 'no-match  http://h/A\n');
});

test('a hashed URI that can never match is not silently a no-match', () => {
  const { stdout, stderr, status } = textOf(
    ['hashed-uri', '--match', 'hashed:sha256=00', '--match', SHA1],
    'http://h/\nhttp://www.thus.net\n',
  );
  assert.is(stdout, 'unsupported  http://h/\nmatch  http://www.thus.net\n');
  assert.is(stderr, 'urlsum: hashed:sha256=00: cannot be matched: unregistered-algorithm\n');
  assert.is(status, 0, 'as grep does: something matched');
  const none = textOf(['hashed-uri', '--match', 'hashed:sha256=00', '--match', SHA1], 'http://h/\n');
  assert.equal([none.stdout, none.stderr, none.status], ['unsupported  http://h/\n', stderr, 2]);
});

test('--match-file reads a list, and a malformed line of it costs itself', () => {
  const folder = folderWith({ list: `${FRAG}\nnonsense\n${SHA1.toUpperCase()}`, uris: 'http://www.thus.net\n' });
  const { stdout, stderr, status } = textOf(['hashed-uri', '--match-file', `${folder}/list`, `${folder}/uris`]);
  assert.is(stdout, 'match  http://www.thus.net\n');
  assert.is(
    stderr,
    `urlsum: ${folder}/list:2: not a hashed URI: "nonsense": it does not begin with 'hashed:' (not-hashed at 0)\n`,
  );
  assert.is(status, 0, 'as grep does: something matched');
  const none = textOf(['hashed-uri', '--match-file', `${folder}/list`], 'http://h/\n');
  assert.equal([none.stdout, none.status], ['no-match  http://h/\n', 2]);
  assert.is(none.stderr, `${stderr}urlsum: 1 line of --match-file cannot be matched\n`);
});

test('a bad line is told, and does not hide that another matched', () => {
  const bad = /^urlsum: -:1: not a URI: "no uri": .*\n$/;
  const some = textOf(['hashed-uri', '--match', FRAG], 'no uri\nhttp://www.thus.net#end\n');
  assert.equal([some.stdout, some.status], ['\nmatch  http://www.thus.net#end\n', 0]);
  assert.match(some.stderr, bad);
  const none = textOf(['hashed-uri', '--match', FRAG], 'no uri\nhttp://h/\n');
  assert.equal([none.stdout, none.status], ['\nno-match  http://h/\n', 1]);
  assert.match(none.stderr, bad);
  assert.is(
    textOf(['hashed-uri', '--match', FRAG, '--on-error', 'fail'], 'http://www.thus.net#end\nno uri\n').status,
    1,
  );
  assert.is(textOf(['hashed-uri', '--match', FRAG, '-', '/nowhere/at/all'], 'http://www.thus.net#end\n').status, 2);
});

test('--match-file that cannot be read to its end: no answers', () => {
  const folder = folderWith({ uris: 'http://www.thus.net\n' });
  const { stdout, stderr, status } = textOf(['hashed-uri', '--match-file', `${folder}/none`, `${folder}/uris`]);
  assert.equal([stdout, stderr, status], ['', `urlsum: ${folder}/none: no such file\n`, 2]);
});

test('wrong usage and unreadable files have status 2', () => {
  for (const args of [
    ['--variant', 'X'],
    ['--variant', 'both'],
    ['--algorithm', 'sha256'],
    ['--keep', 'fragment'],
    ['--match', 'nonsense'],
    ['--match', SHA1, '--keep', 'frag'],
    ['--match', SHA1, '--algorithm', 'md5'],
    ['--base', 'a'],
    ['--nonsense'],
    ['/nowhere/at/all'],
    ['--match-file', '/nowhere/at/all'],
  ]) {
    const { stdout, stderr, status } = textOf(['hashed-uri', ...args]);
    assert.equal([stdout, status], ['', 2], args.join(' '));
    assert.match(stderr, /^urlsum: .+\n/, args.join(' '));
    assert.not.match(stderr, /\n\s+at /, 'no stack');
  }
});

test('the command and the library agree on real URLs', () => {
  const uris = corpusLines('changed').filter((_, row) => row % 5 === 0);
  const expected = uris.map((uri) => {
    try {
      return String(hash(uri, { variant: 'P', algorithm: 'md5', keep: ['query'] }));
    } catch {
      return ''; // test/specs/hashed-uri/failure.test.ts says which error
    }
  });
  const { stdout } = textOf(
    ['hashed-uri', '--variant', 'P', '--algorithm', 'md5', '--keep', 'query'],
    uris.map((uri) => `${uri}\n`).join(''),
  );
  assert.equal(stdout.split('\n').slice(0, -1), expected);
  for (const variant of ['N', 'P'] as const) {
    const forms = uris.map((uri, row) => (expected[row] === '' ? '' : canonicalize(uri, { variant })));
    const canon = textOf(['canon', '--profile', `hashed-uri-${variant.toLowerCase()}`], uris.join('\n'));
    assert.equal(canon.stdout.split('\n').slice(0, -1), forms, variant);
  }
});

test('--reading reads what the draft leaves open in another way, in every use', () => {
  const uri = 'HTTP://h:0080/%41 b?C=%41#';
  for (const [flags, readings] of [
    [['excluded=escape'], { excluded: 'escape' }],
    [['excluded=escape', 'default-port=text'], { excluded: 'escape', defaultPort: 'text' }],
    [['excluded=escape', 'lowercase-kept=no'], { excluded: 'escape', lowercaseKept: false }],
    [['excluded=escape', 'unescape-kept=yes'], { excluded: 'escape', unescapeKept: true }],
    [['excluded=escape', 'unescaped-schemes='], { excluded: 'escape', unescapedSchemes: [] }],
    [['excluded=escape', 'opaque-query=yes'], { excluded: 'escape', opaqueQuery: true }],
  ] as const) {
    const args = ['hashed-uri', '--keep', 'query', '--variant', 'P', ...flags.flatMap((flag) => ['--reading', flag])];
    const hashed = String(hash(uri, { variant: 'P', algorithm: 'sha1', keep: ['query'], readings }));
    assert.equal([textOf(args, uri).stdout, textOf(args, uri).status], [`${hashed}\n`, 0]);
    const others = args.filter((each) => each !== '--keep' && each !== 'query');
    assert.is(textOf([...others, '--match', hashed], uri).stdout, `match  ${uri}\n`);
    const canon = ['canon', '--profile', 'hashed-uri-p', ...flags.flatMap((flag) => ['--reading', flag])];
    const form = canonicalize(uri, { variant: 'P', readings });
    assert.equal([textOf(canon, uri).stdout, textOf(canon, uri).status], [`${form}\n`, 0]);
  }
  for (const profile of ['url', 'web-risk'])
    for (const more of [[], ['--explain', 'http://h/']]) {
      const { stderr, status } = textOf(['canon', '--profile', profile, '--reading', 'excluded=escape', ...more]);
      assert.is(status, 2);
      assert.match(stderr, /--reading belongs to the profiles hashed-uri-n and hashed-uri-p\n/);
    }
  for (const [reading, message] of [
    ['excluded', /--reading must be NAME=WORD, not 'excluded'/],
    ['exclude=escape', /--reading must be one of .*, not 'exclude' \(did you mean 'excluded'\?\)/],
    ['excluded=drop', /--reading excluded must be one of reject, escape, not 'drop'/],
    ['opaque-query=true', /--reading opaque-query must be one of no, yes, not 'true'/],
  ] as const) {
    mustGive(textOf(['hashed-uri', '--reading', reading], ''), { status: 2, says: message });
  }
});

test.run();
