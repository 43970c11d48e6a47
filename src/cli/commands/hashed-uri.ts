import { decodeLine } from '../../bytes/utf8.ts';
import { canonicalizer } from '../../hashed-uri/canonicalize.ts';
import { HashedUriError } from '../../hashed-uri/error.ts';
import { Failure } from '../../hashed-uri/failure.ts';
import { hexDigest } from '../../hashed-uri/hash.ts';
import { HashedUri } from '../../hashed-uri/hashed-uri.ts';
import type { CanonicalizeOptions, Part } from '../../hashed-uri/options.ts';
import { parse, parseHashed } from '../../hashed-uri/parse.ts';
import { HashedUriSet, type MatchOptions } from '../../hashed-uri/set.ts';
import { blocksOf, inputsOf } from '../input/inputs.ts';
import { eachLine } from '../rows/each-row.ts';
import type { Diagnostics } from '../terminal/diagnostics.ts';
import { ON_ERROR, oneOf, parseOptions } from '../terminal/options.ts';
import { UsageError } from '../terminal/usage.ts';
import { type LineForm, runLines } from './line-run.ts';
import { reported } from './reported.ts';

/** `urlsum hashed-uri`: the hashed URI of each line, or whether it matches one of those given. */
export async function hashedUri(args: readonly string[], diagnostics: Diagnostics): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    variant: { type: 'string' },
    algorithm: { type: 'string' },
    keep: { type: 'string' },
    base: { type: 'string' },
    match: { type: 'string', multiple: true },
    'match-file': { type: 'string', multiple: true },
    'on-error': { type: 'string', default: 'null' },
  });
  const onError = oneOf('on-error', values['on-error'], ON_ERROR);
  if (values.match === undefined && values['match-file'] === undefined) {
    const { variant = 'N', algorithm = 'sha1', keep = '', base } = values;
    const options = { variant: oneOf('variant', variant, ['N', 'P']), keep: partsOf(keep), base };
    return runLines(
      positionals,
      hashedLine(options, oneOf('algorithm', algorithm, ['md5', 'sha1'])),
      { onError },
      diagnostics,
    );
  }
  if (values.algorithm !== undefined || values.keep !== undefined)
    throw new UsageError('a hashed URI says its algorithm and what to keep itself');
  const options = { variant: oneOf('variant', values.variant ?? 'both', ['N', 'P', 'both']), base: values.base };
  const list = await listOf(values.match ?? [], values['match-file'] ?? [], options, diagnostics);
  const run = new MatchRun(list);
  await runLines(positionals, (line) => run.add(decodeLine(line)), { onError }, diagnostics);
  run.end(diagnostics);
}

/** The canonical form of a line. */
export function canonicalLine(options: CanonicalizeOptions): LineForm {
  const canonicalFormOf = canonicalizer(options);
  return (bytes) => {
    const line = decodeLine(bytes);
    const form = canonicalFormOf(line);
    return form instanceof Failure ? new HashedUriError('URI', line, form) : form.text;
  };
}

function hashedLine(options: CanonicalizeOptions, algorithm: string): LineForm {
  const canonicalFormOf = canonicalizer(options);
  return (bytes) => {
    const line = decodeLine(bytes);
    const form = canonicalFormOf(line);
    if (form instanceof Failure) return new HashedUriError('URI', line, form);
    return new HashedUri(algorithm, hexDigest(algorithm, form.text), form.keep).toString();
  };
}

function partsOf(keep: string): Part[] {
  return keep === '' ? [] : keep.split(',').map((part) => oneOf('keep', part, ['frag', 'query']));
}

/** A malformed line of a list costs itself; one given as an option is a wrong call. */
async function listOf(
  texts: readonly string[],
  paths: readonly string[],
  options: MatchOptions,
  diagnostics: Diagnostics,
): Promise<HashedUriSet> {
  const list = new HashedUriSet(texts.map(parse), options);
  for (const input of paths.length === 0 ? [] : inputsOf(paths)) {
    let lineNumber = 0;
    for await (const block of reported(blocksOf(input), diagnostics)) {
      eachLine(block, (start, end) => {
        const line = decodeLine(block.subarray(start, end));
        const hashed = parseHashed(line);
        lineNumber++;
        if (hashed instanceof Failure)
          diagnostics.badLine(input.name, lineNumber, new HashedUriError('hashed URI', line, hashed));
        else list.add(hashed);
      });
    }
  }
  return list;
}

class MatchRun {
  readonly #list: HashedUriSet;
  #matched = 0;

  constructor(list: HashedUriSet) {
    this.#list = list;
  }

  add(line: string): string | Error {
    const found = this.#list.findMatching(line);
    if (found instanceof Failure) return new HashedUriError('URI', line, found);
    if (found.length > 0) this.#matched++;
    return `${found.length > 0 ? 'match' : this.#noMatch}  ${line}`;
  }

  /** As grep does: a run that matched nothing has failed. */
  end(diagnostics: Diagnostics): void {
    for (const hashed of this.#list.unsupported)
      diagnostics.failed(`${hashed}: cannot be matched: ${hashed.problems.join(', ')}`);
    if (this.#matched === 0) diagnostics.failed();
  }

  /** Where part of the list cannot be compared, that a line matches nothing else does not say it is not listed. */
  get #noMatch(): 'no-match' | 'unsupported' {
    return this.#list.unsupported.length > 0 ? 'unsupported' : 'no-match';
  }
}
