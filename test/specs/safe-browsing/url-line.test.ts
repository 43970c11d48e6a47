import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { halvedCases, random } from '../../support/seed.ts';
import { readEntries } from './read-list.ts';

const test = suite('safe-browsing: lines as people paste them');
const next = random();
const oneOf = <T>(all: readonly T[]): T => all[next(all.length)]!;
const someOf = <T>(all: readonly T[]): T[] => all.filter(() => next(all.length) < 2);
const host = () => `h${next(100)}.${oneOf(['evil', 'b-1', '7'])}.example`;

test('what nobody sees around a line is left out, and within a host it is named; so are marks that were pasted', () => {
  const unseen = ['\u00a0', '\u200b', '\ufeff', '\u2060', '\u200e', '\u3000', '\u2009', '\u00ad', ' ', '\t'];
  const marks = [
    '\u201c',
    '\u201d',
    '\u2018',
    '\u2019',
    '\u00ab',
    '\u00bb',
    '\u2022',
    '\u25cf',
    '\u2013',
    '\u2014',
    '(',
    ')',
    '"',
    "'",
    '`',
    ';',
    ',',
  ];
  const named = (mark: string) => `U+${mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
  for (let count = halvedCases(2000); count > 0; count--) {
    const name = host();
    const input = oneOf(['lines', 'auto'] as const);
    const around = `${someOf(unseen).join('')}${name}${oneOf(['', '/', '/x'])}${someOf(unseen).join('')}`;
    assert.equal(
      readEntries(around, { input }),
      readEntries(around.replace(/[^\x21-\x7e]/g, ''), { input }),
      JSON.stringify(around),
    );
    const mark = oneOf(marks);
    const at = next(2) === 0 && mark !== '"' ? 0 : name.length; // a " before it begins a row of a table
    const pasted = name.slice(0, at) + mark + name.slice(at);
    const [reason, message = ''] = readEntries(pasted, { input });
    assert.is(reason, 'host-character', pasted);
    assert.ok(message.includes(`cannot contain ${named(mark)}`), message);
    const hidden = oneOf(unseen.slice(0, 8).filter((each) => each !== '\u3000'));
    const within = name.slice(0, 2) + hidden + name.slice(2);
    assert.ok(readEntries(within, { input })[1]?.includes(named(hidden)), JSON.stringify(within));
  }
  assert.is(readEntries('joe@gmail.example', {})[0], 'email-address');
  assert.equal(readEntries('http://joe@gmail.example/', {}), ['gmail.example/']);
  assert.equal(readEntries('http://evil.example/X_(y)', {}), ['evil.example/X_(y)']);
  assert.is(readEntries('http://evil.example/x)', {})[0], 'unbalanced');
});

test('a defanged URL is refused with the option that reads it, as which it is the URL; its path stays as it is', () => {
  for (let count = halvedCases(2000); count > 0; count--) {
    const [name, port, path] = [host(), oneOf(['', ':8080']), oneOf(['', '/', '/a[.]b', '/x(.)y?q=hxxp://z'])];
    const scheme = oneOf(['http', 'https', '']);
    const [open, close] = oneOf([
      ['[', ']'],
      ['(', ')'],
      ['{', '}'],
    ] as const);
    const dot = oneOf([`${open}.${close}`, `${open}dot${close}`, `${open}DOT${close}`]);
    const at = name.lastIndexOf('.');
    const shown = name.slice(0, at).replaceAll('.', () => oneOf(['.', dot])) + dot + name.slice(at + 1);
    const before =
      scheme === '' ? '' : scheme.replace('http', oneOf(['hxxp', 'hXXp', 'http'])) + oneOf(['://', '[:]//', '[://]']);
    const line = `${before}${shown}${port}${path}`;
    const url = `${scheme === '' ? '' : `${scheme}://`}${name}${port}${path}`;
    for (const input of ['lines', 'auto'] as const) {
      assert.is(readEntries(line, { input })[0], 'defanged', line);
      assert.equal(readEntries(line, { input, refang: true }), readEntries(url, { input }), line);
    }
  }
});

test.run();
