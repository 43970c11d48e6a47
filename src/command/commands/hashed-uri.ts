import { LINE_FEED } from '../../core/bytes/code-points.ts';
import { decodeLine } from '../../core/bytes/text.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { counted } from '../../core/quote.ts';
import { Failure } from '../../core/url/failure.ts';
import { canonicalizer } from '../../specs/hashed-uri/canonicalize.ts';
import { HashedUriError, type UriFailure } from '../../specs/hashed-uri/failure.ts';
import { type HashedUri, hasher, parse, parseHashed } from '../../specs/hashed-uri/hashed-uri.ts';
import { HashedUriSet } from '../../specs/hashed-uri/match.ts';
import { KEEP_FLAGS, type Readings, type VariantOptions } from '../../specs/hashed-uri/reference.ts';
import type { Diagnostics } from '../arguments/diagnostics.ts';
import { choice, group, oneOf, optionOf, parsed, text, texts, type ValuesOf } from '../arguments/flag.ts';
import { usageFault } from '../fault.ts';
import { UTF_8 } from '../read/encoding.ts';
import { addedName } from '../read/framing.ts';
import { Input } from '../read/inputs.ts';
import { linesEndingIn } from '../read/lines.ts';
import { badRows, SHOWN_LIMIT } from '../work/bad-rows.ts';
import { addTo } from '../work/results.ts';
import { type Form, openTextFormat, textStage } from '../work/texts.ts';
import { type Plan, reportsOf } from '../work/work.ts';
import { lineCommand } from './command.ts';
import { ALL_LINE_FLAGS, ORIGIN_FLAGS } from './line-flags.ts';
import { linePlan } from './line-plan.ts';

/**
 * The values of each reading: the words of the library, or yes and no for what is true or false there; undefined for a
 * list of schemes.
 */
const WORDS: Readonly<Record<keyof Readings, readonly string[] | undefined>> = {
  unescapedSchemes: undefined,
  unescapeKept: ['no', 'yes'],
  lowercaseKept: ['yes', 'no'],
  defaultPort: ['number', 'text'],
  opaqueQuery: ['no', 'yes'],
  excluded: ['reject', 'escape'],
};

/** The readings by their names on command lines. */
const READINGS = new Map(Object.keys(WORDS).map((name) => [optionOf(name).slice(2), name as keyof Readings]));

/** `--reading excluded=escape`, repeated for several. */
export const READING_FLAG = {
  reading: texts(
    'NAME=WORD',
    'read what the draft leaves open in another way; the default comes first: excluded=reject|escape, ' +
      'default-port=number|text, lowercase-kept=yes|no, unescape-kept=no|yes, opaque-query=no|yes, ' +
      'unescaped-schemes=http,https',
  ),
};

const VARIANTS = {
  N: 'equal URIs may get different hashes (default)',
  P: 'different URIs may get equal hashes',
  both: 'with --match, both variants (its default)',
} as const;

const FLAGS = {
  ...group('Hashed URIs', {
    variant: choice('V', VARIANTS, undefined, 'variant of the canonical form:'),
    algorithm: choice(
      'NAME',
      ['sha1', 'md5'],
      undefined,
      'sha1 (default) or md5; neither hides a URI that can be guessed',
    ),
    keep: parsed('PARTS', 'parts to keep: frag, query, or frag,query', undefined, (keep, option) =>
      keep === '' ? [] : keep.split(',').map((part) => oneOf(option, part, KEEP_FLAGS)),
    ),
    base: text('URI', 'resolve relative URIs against URI'),
    match: texts(
      'HASHED',
      'print match, no-match or unsupported, and the line; repeat it for several. HASHED names its flags and algorithm',
    ),
    matchFile: texts('LIST', 'the same for each line of LIST', { isPath: true }),
    ...READING_FLAG,
  }),
  ...ALL_LINE_FLAGS,
  defaultScheme: ORIGIN_FLAGS.defaultScheme,
};

/** `urlsum hashed-uri`: the hashed URI of each line, or whether it matches a given one. */
export const HASHED_URI = lineCommand({
  examples: [
    ['uris.txt', 'a hashed URI for each line'],
    ['--keep frag,query --algorithm md5 uris.txt', 'keep the fragment and the query'],
    ['--match "$hashed" uris.txt', 'the lines that match a hashed URI'],
    ['--match-file blocked.txt uris.txt', 'the same for a list'],
  ],
  operands: '[FILE…]',
  about: [
    'Prints the hashed URI of each URI (draft-feather-hashed-uri-03). With --match, the exit status is that of grep: 0 ' +
      'if a line matches, 1 if none does, and 2 if none does and a HASHED cannot be compared.',
  ],
  flags: FLAGS,
  plan: (values, inputs, diagnostics) =>
    values.match.length === 0 && values.matchFile.length === 0
      ? hashPlan(values, inputs)
      : matchPlan(values, inputs, diagnostics),
});

type Values = ValuesOf<typeof FLAGS>;

async function hashPlan(values: Values, inputs: readonly Input[]): Promise<Plan> {
  const lines = await linePlan(values, inputs, { added: [addedName('hashed')] });
  const { algorithm = 'sha1', keep = [], base } = values;
  const readings = readingsIn(values.reading);
  const variant = oneOf('--variant', values.variant ?? 'N', ['N', 'P']);
  return {
    ...lines,
    stage: textStage(formOfUris(hasher({ variant, keep, base, algorithm, readings }))),
    openFormat: () => openTextFormat(lines),
    facts: () => ({ profile: `hashed-uri-${variant.toLowerCase()}` }),
  };
}

async function matchPlan(values: Values, inputs: readonly Input[], diagnostics: Diagnostics): Promise<Plan> {
  const lines = await linePlan({ ...values, exitZero: true }, inputs, { added: [addedName('match')] });
  if (values.algorithm !== undefined || values.keep !== undefined)
    throw usageFault('--match takes neither --algorithm nor --keep: the hashed URI names both');
  if (lines.threadCount !== 1) throw usageFault('--match and --jobs cannot be combined');
  const list = new HashedUriSet(values.match.map(parse), {
    variant: values.variant ?? 'both',
    base: values.base,
    readings: readingsIn(values.reading),
  });
  const badCount = await addListFiles(list, values.matchFile, lines.kernel, diagnostics);
  return {
    ...lines,
    stage: textStage(matchForm(list, lines.records === undefined)),
    openFormat: () => openTextFormat(lines),
    // as in grep: 0 if anything matched, 1 if nothing did, 2 if nothing did and not all could be compared
    conclude({ matched = 0 }) {
      const messages = list.unsupported.map((each) => `${each}: cannot be matched: ${each.problems.join(', ')}`);
      if (matched > 0) {
        void diagnostics.tell(messages);
        return;
      }
      if (badCount > 0) messages.push(`${counted(badCount, 'line')} of --match-file cannot be matched`);
      for (const message of messages) diagnostics.trouble(message);
      diagnostics.failed();
    },
  };
}

/**
 * Adds the lines of files to a list of hashed URIs, except malformed lines. Returns the number of those.
 *
 * @throws {Fault} where a file cannot be read to its end: without the rest of it, no answer would be right
 */
async function addListFiles(
  list: HashedUriSet,
  paths: readonly string[],
  kernel: Kernel,
  diagnostics: Diagnostics,
): Promise<number> {
  const framing = linesEndingIn({ lineEnd: LINE_FEED, skipsBlank: false, kernel });
  const plan = { framing, encoding: UTF_8, stage: textStage(addingForm(list)), shownLimit: SHOWN_LIMIT };
  const bad = badRows(diagnostics, SHOWN_LIMIT);
  let badCount = 0;
  for (const path of paths) {
    let firstLine = 1;
    for await (const { problems, recordCount } of reportsOf(plan, new Input(path), () => undefined)) {
      badCount += problems.length;
      await bad.add(path, firstLine, problems);
      firstLine += recordCount;
    }
  }
  await bad.end();
  return badCount;
}

/** Makes the text that a hashed URI is the hash of. */
export function canonicalUriForm(options: VariantOptions): Form {
  const canonicalFormOf = canonicalizer(options);
  return formOfUris((uri) => {
    const form = canonicalFormOf(uri);
    return form instanceof Failure ? form : form.text;
  });
}

/**
 * Tells whether a URI is in a list. If part of the list cannot be compared, the lack of a match proves nothing. Matches
 * are counted.
 */
function matchForm(list: HashedUriSet, withUri: boolean): Form {
  const noMatch = list.unsupported.length > 0 ? 'unsupported' : 'no-match';
  return formOfUris((uri, counts) => {
    const found = list.findMatching(uri);
    if (found instanceof Failure) return found;
    if (found.length > 0) addTo(counts, 'matched');
    const verdict = found.length > 0 ? 'match' : noMatch;
    return withUri ? `${verdict}  ${uri}` : verdict;
  });
}

/** `resultOf` returns a text, a value with a text, or a failure. */
function formOfUris(resultOf: (uri: string, counts: Record<string, number>) => string | HashedUri | UriFailure): Form {
  return (value, counts) => {
    const uri = decodeLine(value);
    const result = resultOf(uri, counts);
    return result instanceof Failure ? new HashedUriError('URI', uri, result) : String(result);
  };
}

/** Adds each hashed URI to a list; the texts of the rows are empty. */
function addingForm(list: HashedUriSet): Form {
  return (value) => {
    const line = decodeLine(value);
    const hashed = parseHashed(line);
    if (hashed instanceof Failure) return new HashedUriError('hashed URI', line, hashed);
    list.add(hashed);
    return '';
  };
}

/** @throws {Fault} on a reading, or a value of one, that does not exist */
export function readingsIn(values: readonly string[]): Readings {
  return Object.fromEntries(values.map(readingIn));
}

function readingIn(text: string): readonly [name: string, value: unknown] {
  const [, written = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (written === '') throw usageFault(`--reading must be NAME=WORD, not '${text}'`);
  const name = READINGS.get(oneOf('--reading', written, [...READINGS.keys()]))!;
  const words = WORDS[name];
  if (words === undefined) return [name, value === '' ? [] : value.toLowerCase().split(',')];
  const word = oneOf(`--reading ${written}`, value, words);
  return [name, word === 'yes' ? true : word === 'no' ? false : word];
}
