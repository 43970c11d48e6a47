import { SiteRules, SiteRulesError } from '../../core/sites/site-rules.ts';
import { canonicalForm } from '../../core/url/canonicalize.ts';
import { Failure, UrlError } from '../../core/url/failure.ts';
import {
  FORM_FLAGS,
  FORM_OPTIONS,
  type FormFlag,
  type FormOption,
  formOf,
  type Options,
  type UrlForm,
} from '../../core/url/options.ts';
import { type Base, DEFAULT_SCHEMES, parsedUrl, type UnicodeVersion } from '../../core/url/parsed-url.ts';
import { profileOfForm } from '../../core/url/profile.ts';
import type { UrlRecord } from '../../core/url/record.ts';
import { NoVarySearchError } from '../../core/url/search-variance.ts';
import { PROFILE_LIMIT_BYTES } from '../../store/hash-index/layout.ts';
import { tried, usageFault, usageFaultsFrom } from '../fault.ts';
import { bufferOf } from '../read/framing.ts';
import type { OptionFile } from '../read/inputs.ts';
import { choice, type Flag, file, group, text, texts, toggle, type ValuesOf } from './flag.ts';

type FormFlagValue = boolean | string | readonly string[] | OptionFile | undefined;
type CamelCase<Text extends string> = Text extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Text;
type FormFlagName = CamelCase<(typeof FORM_FLAGS)[keyof typeof FORM_FLAGS]['flag']>;

/** The value of a switch that is given without one, as `--exclude-fragment`. */
const ON = 'all';

/** Flags that choose the canonical form of the profile `url`. */
export const FLAGS_OF_FORM = Object.fromEntries(
  Object.values(FORM_FLAGS).map((each) => [camelCase(each.flag), flagOf(each)]),
) as Readonly<Record<FormFlagName, Flag<FormFlagValue>>>;

/** The flag for URLs without a scheme. */
export const DEFAULT_SCHEME = choice('S', DEFAULT_SCHEMES, undefined, 'read what lacks a scheme with S: https or http');

/** The flag for the kernel: the only one of the flags for lines that `urlsum serve` has, too. */
export const KERNEL = choice('NAME', ['simd', 'js'], undefined, 'hash with this kernel: simd or js');

/** Flags of every command on the profile `url`. */
export const URL_FLAGS = group('Input', {
  base: text('URL', 'resolve relative URLs against URL'),
  defaultScheme: { ...DEFAULT_SCHEME, without: ['base'] },
  ...FLAGS_OF_FORM,
});

type UrlFlags = ValuesOf<typeof URL_FLAGS>;
type FormFlags = ValuesOf<typeof FLAGS_OF_FORM>;

/** The settings for reading URLs. */
interface UrlReading {
  readonly base: Base | undefined;
  readonly form: UrlForm;
  readonly profile: string;
  formOf(url: string): string | Failure;
}

/** @throws {Fault} where the base is not a URL, and on an option that does not have such a value */
export function urlReading(values: UrlFlags): UrlReading {
  const form = urlForm(values);
  const base = baseUnder(values, form);
  return { base, form, profile: profileOfForm(form), formOf: (url) => canonicalForm(url, base, form) };
}

/** Returns the base of the same flags under another form. @throws {Fault} where it is not a URL */
export function baseUnder({ base, defaultScheme }: UrlFlags, { unicode }: UrlForm): Base | undefined {
  return base === undefined ? defaultScheme : baseUrl(base, unicode);
}

/** Reads the URL of `--base`. @throws {Fault} where it is not one */
export function baseUrl(text: string, unicode?: UnicodeVersion): UrlRecord {
  const base = parsedUrl(text, undefined, unicode);
  if (base instanceof Failure) throw usageFault(`--base: ${UrlError.from(text, base, 'base').message}`);
  return base;
}

/** Returns the options of `explain` for the same flags. @throws {Fault} as `urlReading` */
export function urlOptions(values: UrlFlags): Options {
  const { base, defaultScheme } = values;
  const { form } = urlReading(values);
  return { base, defaultScheme, ...form.options };
}

/**
 * `areTyped` is false where a program passes names on, one for each flag.
 *
 * @throws {Fault} on an option that does not have such a value, and on options that exclude each other
 */
export function urlForm(values: FormFlags, areTyped = true): UrlForm {
  const options = FORM_OPTIONS.map(({ name }) => {
    const flag = FORM_FLAGS[name];
    return [name, optionValue(flag, values[camelCase(flag.flag)], areTyped)];
  });
  const label = ({ name }: FormOption) => `--${FORM_FLAGS[name].flag}`;
  return usageFaultsFrom(RangeError, () =>
    usageFaultsFrom(NoVarySearchError, () => formOf(Object.fromEntries(options), label)),
  );
}

/** Returns the first flag by which a form is not the full one, or undefined for the full form. */
export function formFlagOf({ options }: UrlForm): string | undefined {
  const option = FORM_OPTIONS.find(({ name }) => options[name] !== undefined);
  return option && `--${FORM_FLAGS[option.name].flag}`;
}

function flagOf({ kind, operand = '', choices, help }: FormFlag): Flag<FormFlagValue> {
  if (kind === 'switch')
    return choices === undefined
      ? toggle(help)
      : choice(operand, [ON, ...choices.map(String)], undefined, help, { bare: ON });
  if (kind === 'list') return texts(operand, help);
  return kind === 'file' ? file(operand, help) : text(operand, help);
}

/** Returns the value of an option as the library has it; undefined where the flag is not given. */
function optionValue({ kind, flag, choices }: FormFlag, given: FormFlagValue, areTyped: boolean): unknown {
  if (given === undefined || given === false) return undefined;
  if (kind === 'switch') return given === ON || given;
  if (kind === 'value') return choices?.find((choice) => String(choice) === given) ?? given;
  if (kind === 'list') {
    const list = given as readonly string[];
    if (list.length === 0) return undefined;
    if (choices !== undefined) return list.flatMap((each) => each.split(','));
    return areTyped ? typedNames(flag, list) : list;
  }
  return kind === 'file' ? siteRulesIn(given as OptionFile, `--${flag}`) : given;
}

/** Names may hold commas, but whoever writes one means several names. */
function typedNames(flag: string, given: readonly string[]): readonly string[] {
  const list = given.find((each) => each.includes(','));
  if (list === undefined) return given;
  throw usageFault(
    `--${flag} takes one name: give it once for each of '${list}' (names with a comma are for the library)`,
  );
}

function camelCase(flag: string): FormFlagName {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()) as FormFlagName;
}

/** @throws {Fault} on what is not a file, and on a line that is not a rule */
export function siteRulesIn(file: OptionFile, option?: string): SiteRules {
  const prefix = option === undefined ? '' : `${option}: `;
  const text = textIn(file, prefix);
  return usageFaultsFrom(SiteRulesError, () => SiteRules.parse(text), `${prefix}${file.path}: `);
}

/** Returns what a file holds. @throws {Fault} */
export function textIn(file: OptionFile, prefix = ''): string {
  const bytes = tried(file.path, () => file.plainBytes());
  if (bytes === undefined) throw usageFault(`${prefix}'${file.path}' is not a file`);
  return bufferOf(bytes).toString();
}

/** @throws {Fault} where an index could not name the form of its hashes */
export function mustFitIndex({ profile }: UrlReading): void {
  mustBeWithin(profile, PROFILE_LIMIT_BYTES, 'the first page of an index');
}

/** @throws {Fault} where `place` has no room for the name of a form */
export function mustBeWithin({ length }: string, limitBytes: number, place: string): void {
  if (length <= limitBytes) return;
  throw usageFault(`the profile of these parameters has ${length} bytes, but ${place} has room for ${limitBytes}`);
}
