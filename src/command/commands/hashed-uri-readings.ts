import { parse } from '../../specs/hashed-uri/hashed-uri.ts';
import { DEFAULT_READINGS, type Readings } from '../../specs/hashed-uri/reference.ts';
import { counted, tableText } from '../arguments/diagnostics.ts';
import { oneOf, optionOf, texts } from '../arguments/flag.ts';
import { usageFault } from '../fault.ts';
import type { ExplainedUrl } from './explain.ts';

/** The words for each reading: those of the library, or yes and no for what is true or false there. */
const WORDS: Readonly<Record<Exclude<keyof Readings, 'unescapedSchemes'>, readonly string[]>> = {
  unescapeKept: ['no', 'yes'],
  lowercaseKept: ['yes', 'no'],
  defaultPort: ['number', 'text'],
  opaqueQuery: ['no', 'yes'],
  excluded: ['reject', 'escape'],
};

const SCHEMES = 'unescapedSchemes';

const NAMES = (Object.keys(DEFAULT_READINGS) as (keyof Readings)[]).map((name) => [writtenName(name), name] as const);

/** `--reading excluded=escape`, repeated for several. */
export const READING_FLAG = {
  reading: texts(
    'NAME=VALUE',
    'read what the draft leaves open in another way; the default comes first: excluded=reject|escape, ' +
      'default-port=number|text, lowercase-kept=yes|no, unescape-kept=no|yes, opaque-query=no|yes, ' +
      'unescaped-schemes=http,https',
  ),
};

/** Returns the option as it is written, without its hyphens. */
function writtenName(name: string): string {
  return optionOf(name).slice(2);
}

/** @throws {Fault} on a reading, or a value of one, that does not exist */
export function readingsIn(values: readonly string[]): Readings {
  return Object.fromEntries(values.map(readingIn));
}

function readingIn(text: string): readonly [name: string, value: unknown] {
  const [, written = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (written === '') throw usageFault(`--reading must be NAME=VALUE, not '${text}'`);
  oneOf(
    '--reading',
    written,
    NAMES.map(([each]) => each),
  );
  const name = NAMES.find(([each]) => each === written)![1];
  if (name === SCHEMES) return [name, value === '' ? [] : value.toLowerCase().split(',')];
  const word = oneOf(`--reading ${written}`, value, WORDS[name]);
  return [name, word === 'yes' ? true : word === 'no' ? false : word];
}

/** Shows what a hashed URI says, and whether anything can match it. @throws {HashedUriError} */
export function explainHashed(text: string): ExplainedUrl {
  const hashed = parse(text);
  const { algorithm, value, keep, problems } = hashed;
  const rows = [
    ['given', text],
    ['written', hashed.toString()],
    ['algorithm', algorithm],
    ['value', `${value} (${counted(value.length / 2, 'byte')})`],
    ['retained', keep.map((flag) => (flag === 'frag' ? 'fragment' : flag)).join(', ') || 'neither fragment nor query'],
    [
      'matches',
      problems.length === 0 ? 'URIs with that hash, in the variant it was made by' : `nothing: ${problems.join(', ')}`,
    ],
  ] as const;
  return { text: tableText(rows), hasFailed: problems.length > 0 };
}
