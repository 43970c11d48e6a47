// SURTs held against the Internet Archive's package for Python and jwarc for Java, on canonical forms of the corpora:
// `npm run test:long -- surt`. It needs pip, a JDK of version 17 or later and Maven, and fetches the two packages, so it is not
// one of the tests that every change runs. Each difference is of a class that docs/sites.md describes.
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { surtOf } from '../../src/entries/site.ts';
import { tryCanonicalize } from '../../src/index.ts';
import { corpusLines } from '../support/data.ts';
import { java } from '../support/java.ts';
import { runAll } from '../support/long-runs.ts';
import { outputOf } from '../support/programs.ts';
import { FOLDER } from '../support/scratch.ts';

const PYPI = 'surt==0.3.1';

/** A difference by its name in docs/sites.md, and a function that undoes it in either text. */
type Undoing = readonly [difference: string, undo: (surt: string) => string];

const FRAGMENT: Undoing = ['the fragment stays', (surt) => surt.replace(/\??#.*$/s, '')];
const EMPTY_QUERY: Undoing = ['an empty query goes', (surt) => surt.replace(/\?$/, '')];
const DOT: Undoing = [
  'a dot at the end of the host is a label',
  (surt) => surt.replace(/^[^)]*/, (host) => host.replace(/^,/, '')),
];
const ADDRESS: Undoing = [
  'an IPv4 address is reversed, an IPv6 address has no brackets',
  (surt) => surt.replace(/^(\d+),(\d+),(\d+),(\d+)(?=[:)])/, '$4.$3.$2.$1').replace(/^\[([^\]]*)\]/, '$1'),
];
const PORT: Undoing = ['the port 0 goes', (surt) => surt.replace(/^([^)]*):0\)/, '$1)')];
const CASE: Undoing = ['lower case', (surt) => surt.toLowerCase()];

/** The changes that `surt` makes to a canonical form without its canonicalizer. */
const KEPT: readonly Undoing[] = [FRAGMENT, EMPTY_QUERY, DOT, ADDRESS, PORT];

/** The changes that it, and jwarc, make with it. */
const CHANGED: readonly Undoing[] = [
  FRAGMENT,
  ['escapes are decoded, again and again', decoded],
  CASE,
  ['leading www, www2 … labels go', (surt) => surt.replace(/(?:(?:^|,)www\d*)+(?=[):])/, '')],
  ADDRESS,
  PORT,
  [
    'empty labels of the host go',
    (surt) => surt.replace(/^[^)]*/, (host) => host.replace(/,,+/g, ',').replace(/^,|,$/g, '')),
  ],
  ['session ids go', withoutSession],
  ['final and repeated slashes, and dot segments, go', foldedPath],
  ['parameters are sorted, empty ones go', sortedQuery],
  EMPTY_QUERY,
];

function decoded(surt: string): string {
  let text = Buffer.from(surt).toString('latin1');
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  return text;
}

function withoutSession(surt: string): string {
  return surt
    .replace(/;?(?:jsessionid|phpsessid|sid)=[0-9a-z]{32}/g, '')
    .replace(/aspsessionid[a-z]{8}=[a-z]{24}|cfid=[^&]+&cftoken=[^&]+/g, '')
    .replace(/\((?:(?:[a-z]\([0-9a-z]{24}\))+|[0-9a-z]{24})\)\//, '');
}

function foldedPath(surt: string): string {
  return surt.replace(/^([^)]*\))([^?]*)/, (_, host: string, path: string) => {
    const folded = path
      .replaceAll('\\', '/')
      .replace(/\/\.(?=\/|$)/g, '/')
      .replace(/\/+/g, '/');
    return host + folded.replace(/\/$/, '');
  });
}

function sortedQuery(surt: string): string {
  const start = surt.indexOf('?');
  if (start === -1) return surt;
  const parameters = surt
    .slice(start + 1)
    .split('&')
    .filter((parameter) => parameter !== '');
  return `${surt.slice(0, start)}?${parameters.sort().join('&')}`;
}

/** Differences that are not undone, but seen in the canonical form. */
const ODD: readonly (readonly [difference: string, isOdd: (form: string) => boolean])[] = [
  ['a ? in the fragment counts as the query', (form) => /#.*\?/.test(form)],
  ['hosts of dots alone', (form) => /^\w+:\/\/(?:[^/@]*@)?\.+[:/]/.test(form)],
  ['a query that is not UTF-8 is decoded as if it were, then sorted', (form) => !isUtf8(form)],
];

function isUtf8(form: string): boolean {
  return !Buffer.from(decoded(form), 'latin1').toString('utf8').includes('\ufffd');
}

/** Says how many SURTs differ, by class. @throws where one is of no class */
function comparison(
  name: string,
  forms: readonly string[],
  theirs: readonly string[],
  undoings: readonly Undoing[],
): string {
  assert.is(theirs.length, forms.length);
  const counts = new Map<string, number>([['equal', 0]]);
  const count = (difference: string) => counts.set(difference, (counts.get(difference) ?? 0) + 1);
  for (const [index, form] of forms.entries())
    for (const difference of differences(form, theirs[index]!, undoings)) count(difference);
  const lines = [...counts].sort(([, one], [, other]) => other - one).map(([each, number]) => `\n  ${number} ${each}`);
  return `\n ${name}:${lines.join('')}`;
}

function differences(form: string, theirs: string, undoings: readonly Undoing[]): readonly string[] {
  const ours = surtOf(form);
  if (ours === theirs) return ['equal'];
  const found: string[] = [];
  let [left, right] = [ours, theirs];
  for (const [difference, undo] of undoings) {
    const [newLeft, newRight] = [undo(left), undo(right)];
    if (newLeft !== left || newRight !== right) found.push(difference);
    [left, right] = [newLeft, newRight];
    if (left === right) return found;
  }
  const odd = ODD.find(([, isOdd]) => isOdd(form));
  if (odd !== undefined) return [odd[0]];
  throw new Error(`${form}\nours:   ${ours}\ntheirs: ${theirs}\n${left}\n${right}`);
}

/** Only of http, https and ftp: the others make hosts of other parts, and have no SURT of other URLs. */
function surts(count: number): string {
  const lines = ['intl', 'changed', 'main'].flatMap((name) => corpusLines(name) ?? []);
  const forms = lines.flatMap((line) => tryCanonicalize(line) ?? []).filter((form) => /^(?:https?|ftp):/.test(form));
  const some = forms.slice(0, count);
  assert.is(some.length, count, 'the corpora are missing');
  const input = some.map((form) => `${form}\n`).join('');
  const archive = pythonSurts(input).map((line) => line.split('\t'));
  const [kept, changed] = [0, 1].map((column) => archive.map((columns) => columns[column]!));
  return [
    `${count} canonical forms`,
    comparison('surt without its canonicalizer', some, kept!, KEPT),
    comparison('surt', some, changed!, CHANGED),
    comparison('jwarc', some, linesOf(java('test/surt/Surts.java', input)), CHANGED),
    '\n ',
  ].join('');
}

function pythonSurts(input: string): string[] {
  const packages = join(FOLDER, 'python');
  outputOf('pip', ['install', '-q', '--target', packages, PYPI]);
  return linesOf(outputOf('env', [`PYTHONPATH=${packages}`, 'python3', 'test/surt/surts.py'], { input }));
}

function linesOf(text: string): string[] {
  return text.split('\n').slice(0, -1);
}

await runAll([['SURTs of real URLs', 100_000, surts]]);
