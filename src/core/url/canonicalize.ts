import { kindOf, mustBeOneOf, mustBeOptions, mustBeUrl, textOfUrlObject } from '../argument.ts';
import { Failure, failure, UrlError } from './failure.ts';
import { FULL_FORM, formOf, OPTION_NAMES, type Options, type UrlForm } from './options.ts';
import { beforeLine } from './page-rules.ts';
import { type Base, DEFAULT_SCHEMES, isProven, parsedUrl } from './parsed-url.ts';
import { serialize } from './record.ts';

/**
 * The WHATWG serialization of a URL: ASCII, and the same on every runtime.
 *
 * @param url a string or a `URL`
 * @param options which canonical form: without its fragment, or without some parameters; and the base of relative URLs
 * @returns the canonical form; by default all of it, the fragment included
 * @throws {UrlError} where `url`, or the base, is not a URL
 * @throws {TypeError} where `url` is neither a string nor a `URL`, and on options of the wrong kind
 * @throws {RangeError} on an option that does not exist
 * @see https://url.spec.whatwg.org/#concept-url-serializer, in the version PROFILE names
 * @example
 * canonicalize('HTTP://Example.com:80/a/../b?q#top'); //=> 'http://example.com/b?q#top'
 * canonicalize('../b#top', { base: 'http://example.com/a/', excludeFragment: true }); //=> 'http://example.com/b'
 */
export function canonicalize(url: string | URL, options?: Options): string {
  const input = mustBeUrl('url', url);
  const { base, form } = compiledOptions(options);
  const canonical = canonicalForm(input, base, form);
  if (typeof canonical === 'string') return canonical;
  throw UrlError.from(input, canonical);
}

/**
 * The WHATWG serialization of a URL, or null where `canonicalize` throws a UrlError.
 *
 * @param url a string or a `URL`
 * @param options which canonical form: without its fragment, or without some parameters; and the base of relative URLs
 * @returns what `canonicalize` returns; null where `url`, or the base, is not a URL
 * @throws {TypeError} where `url` is neither a string nor a `URL`, and on options of the wrong kind
 * @throws {RangeError} on an option that does not exist
 * @example
 * tryCanonicalize('not a url'); //=> null
 */
export function tryCanonicalize(url: string | URL, options?: Options): string | null {
  const input = mustBeUrl('url', url);
  const compiled = compiledOptionsIfUrl(options);
  if (compiled === undefined) return null;
  const canonical = canonicalForm(input, compiled.base, compiled.form);
  return typeof canonical === 'string' ? canonical : null;
}

/** Returns the canonical form, or why there is none; calls `onUnicodeHost` if it comes from a host beyond ASCII. */
export function canonicalForm(
  url: string,
  base?: Base,
  form: UrlForm = FULL_FORM,
  onUnicodeHost?: () => unknown,
): string | Failure {
  const serialized = serialization(url, base, form, onUnicodeHost);
  return typeof serialized === 'string' ? withRules(serialized, form) : serialized;
}

/**
 * Returns the canonical form as it is when a line of site rules is selected.
 *
 * @throws {UrlError | TypeError | RangeError} as `canonicalize`
 */
export function formBeforeLine(url: string | URL, options?: Options): string {
  const input = mustBeUrl('url', url);
  const { base, form } = compiledOptions(options);
  const serialized = serialization(input, base, form, undefined);
  if (typeof serialized === 'string') return beforeLine(serialized, form.options.fold ?? []);
  throw UrlError.from(input, serialized);
}

/** Applies the rules of `form` to a full canonical form. */
export function withRules(serialized: string, { rules }: UrlForm): string {
  return rules?.applyToText(serialized) ?? serialized;
}

function serialization(
  url: string,
  base: Base | undefined,
  { excludeFragment, unicode }: UrlForm,
  onUnicodeHost: (() => unknown) | undefined,
): string | Failure {
  if (isProven(url)) return excludeFragment ? withoutFragment(url) : url;
  try {
    const record = parsedUrl(url, base, unicode);
    if (record instanceof Failure) return record;
    if (record.hasUnicodeHost) onUnicodeHost?.();
    return serialize(record, excludeFragment);
  } catch (error) {
    if (error instanceof RangeError) return failure('length-limit'); // a string that became too long
    throw error;
  }
}

function withoutFragment(canonical: string): string {
  const start = canonical.indexOf('#');
  return start === -1 ? canonical : canonical.slice(0, start);
}

// What options compile to is kept and found again by their values: a literal is a new object in each call, and one that
// the caller changed must not give the keys that it gave before.

/**
 * Options that are compiled once for many URLs: the form that these are brought to, and what those without a scheme are
 * read by.
 */
export interface CompiledOptions {
  readonly form: UrlForm;
  readonly base?: Base | undefined;
}

const NO_OPTIONS: CompiledOptions = { form: FULL_FORM };

/** Options as they were when they were compiled, in copies: `values` has that of each of `keys`. */
interface Kept {
  readonly keys: readonly string[];
  readonly values: readonly unknown[];
  readonly compiled: CompiledOptions;
}

/** The size of the cache of compiled options: programs alternate between fewer. */
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
  const compiled = { form, base: parseBase(options, form) };
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
 * @throws {RangeError} on a default scheme that cannot be one, and on one beside a base
 */
export function parseBase({ base, defaultScheme }: Options, { unicode }: UrlForm): Base | undefined {
  const scheme = defaultScheme === undefined ? undefined : mustBeOneOf('defaultScheme', defaultScheme, DEFAULT_SCHEMES);
  if (base === undefined) return scheme;
  if (scheme !== undefined) throw new RangeError('base and defaultScheme cannot be combined');
  const input = mustBeUrl('base', base);
  const record = parsedUrl(input, undefined, unicode);
  if (record instanceof Failure) throw UrlError.from(input, record, 'base');
  return record;
}
