import { kindOf, mustBeOptions, mustBeUrl, textOfUrlObject } from '../argument.ts';
import { UrlError } from './error.ts';
import { Failure } from './failure.ts';
import { FULL_FORM, formOf, OPTION_NAMES, type Options, type UrlForm } from './options.ts';
import { parseUrl } from './parser.ts';
import type { UrlRecord } from './record.ts';

// What options compile to is kept and found again by their values: a literal is a new object in each call, and one that
// the caller changed must not give the keys that it gave before.

/** What is done with one URL after another: the form that they are brought to, and the base that they are relative to. */
export interface CompiledOptions {
  readonly form: UrlForm;
  readonly base?: UrlRecord | undefined;
}

const NO_OPTIONS: CompiledOptions = { form: FULL_FORM };

/** Options as they were when they were compiled, in copies: `values` has that of each of `keys`. */
interface Kept {
  readonly keys: readonly string[];
  readonly values: readonly unknown[];
  readonly compiled: CompiledOptions;
}

/** More sets of options than a program alternates between. */
const KEPT_COUNT = 8;
const kept: Kept[] = [];

/**
 * @throws {UrlError} where the base is not a URL
 * @throws {TypeError} on what is not an object, and on an option of the wrong kind
 * @throws {RangeError} on an option that does not exist, and on a list or name that cannot be one
 */
export function compiledOptions(options: Options | undefined): CompiledOptions {
  if (options === undefined) return NO_OPTIONS;
  return keptFor(options) ?? newlyCompiled(options);
}

/** Returns what `compiledOptions` does; undefined where the base is not a URL. */
export function compiledOptionsIfUrl(options: Options | undefined): CompiledOptions | undefined {
  try {
    return compiledOptions(options);
  } catch (error) {
    if (error instanceof UrlError) return undefined;
    throw error;
  }
}

function keptFor(options: Options): CompiledOptions | undefined {
  if (kept.length === 0 || kindOf(options) !== 'Object') return undefined;
  const keys = Object.keys(options);
  for (const each of kept) if (hasValues(options, keys, each)) return each.compiled;
  return undefined;
}

function hasValues(options: Options, keys: readonly string[], { keys: keptKeys, values }: Kept): boolean {
  if (keys.length !== keptKeys.length) return false;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    if (key !== keptKeys[index] || !isSame(options[key as keyof Options], values[index])) return false;
  }
  return true;
}

/** Compares an option with its copy: a list by its items, a `URL` by its text. */
function isSame(value: unknown, copy: unknown): boolean {
  if (value === copy) return true;
  if (Array.isArray(copy))
    return Array.isArray(value) && value.length === copy.length && copy.every((item, index) => item === value[index]);
  return typeof copy === 'string' && textOfUrlObject(value) === copy;
}

function newlyCompiled(given: Options): CompiledOptions {
  const options = mustBeOptions('options', given, OPTION_NAMES);
  const form = formOf(options);
  const compiled = { form, base: parseBase(options.base, form) };
  // Those that are undefined, too: a wrapper passes on what it was not given.
  const keys = Object.keys(given);
  kept.unshift({ keys, values: keys.map((key) => copyOf(options[key as keyof Options])), compiled });
  kept.length = Math.min(kept.length, KEPT_COUNT);
  return compiled;
}

function copyOf(value: unknown): unknown {
  return Array.isArray(value) ? [...value] : (textOfUrlObject(value) ?? value);
}

/**
 * @throws {UrlError} where the base is not a URL
 * @throws {TypeError} where it is neither a string nor a URL
 */
export function parseBase(base: string | URL | undefined, { unicode }: UrlForm): UrlRecord | undefined {
  if (base === undefined) return undefined;
  const input = mustBeUrl('base', base);
  const record = parseUrl(input, undefined, unicode);
  if (record instanceof Failure) throw UrlError.from(input, record, 'base');
  return record;
}
