import type { ExplainOptions } from '../../explain/index.ts';
import { PROFILE_LIMIT_BYTES } from '../../hash-index/index.ts';
import {
  canonicalForm,
  Failure,
  formOf,
  optionsOfForm,
  parseUrl,
  profileOfForm,
  UrlError,
  type UrlForm,
  type UrlRecord,
} from '../../url/index.ts';
import { TAG_PROFILE_BYTES } from '../rows/sum-tag.ts';
import { group, text, texts, toggle, type ValuesOf } from '../terminal/flag.ts';
import { UsageError } from '../terminal/usage-error.ts';

/** Flags that choose the canonical form of the profile `url`. */
export const FORM_FLAGS = {
  excludeFragment: toggle('leave out the fragment and its #'),
  dropParam: texts('NAME', "remove this parameter; 'NAME*' removes all that begin with NAME"),
  dropList: text('LIST', 'remove the parameters on a list: tracking-2026'),
  sortParams: toggle('sort the parameters by name'),
};

/** Flags of every command on the profile `url`. */
export const URL_FLAGS = group('Input', { base: text('URL', 'resolve relative URLs against URL'), ...FORM_FLAGS });

type UrlFlags = ValuesOf<typeof URL_FLAGS>;
type FormFlags = ValuesOf<typeof FORM_FLAGS>;

/** The settings for reading URLs. */
export interface UrlReading {
  readonly base: UrlRecord | undefined;
  readonly form: UrlForm;
  readonly profile: string;
  formOf(url: string): string | Failure;
}

/** @throws {UsageError} where the base is not a URL, and on a parameter or list that cannot be one */
export function urlReading(values: UrlFlags): UrlReading {
  const base = values.base === undefined ? undefined : baseOf(values.base);
  const form = urlForm(values);
  return { base, form, profile: profileOfForm(form), formOf: (url) => canonicalForm(url, base, form) };
}

/** Returns the options of `explain` for the same flags. @throws {UsageError} as `urlReading` */
export function urlOptions(values: UrlFlags): ExplainOptions {
  const { base } = values;
  const options = optionsOfForm(urlForm(values));
  if (base === undefined) return options;
  baseOf(base);
  return { base, ...options };
}

/** @throws {UsageError} on a parameter or list that cannot be one */
export function urlForm({ excludeFragment, dropParam, dropList, sortParams }: FormFlags): UrlForm {
  try {
    return formOf({ excludeFragment, dropParams: dropParam, ...(dropList !== undefined && { dropList }), sortParams });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(
      error.message.replace(/^dropParams\[\d+\]/, '--drop-param').replace(/^dropList/, '--drop-list'),
    );
  }
}

/** @throws {UsageError} where an index could not name the form of its hashes */
export function mustFitIndex({ profile }: UrlReading): void {
  mustFit(profile, PROFILE_LIMIT_BYTES, 'the first page of an index');
}

/** @throws {UsageError} where the comment of --tag could not name the form of its hashes */
export function mustFitTag({ profile }: UrlReading): void {
  mustFit(profile, TAG_PROFILE_BYTES, 'the comment of --tag');
}

function mustFit({ length }: string, limitBytes: number, place: string): void {
  if (length <= limitBytes) return;
  throw new UsageError(`the profile of these parameters has ${length} bytes, but ${place} has room for ${limitBytes}`);
}

function baseOf(text: string): UrlRecord {
  const base = parseUrl(text, undefined);
  if (base instanceof Failure) throw new UsageError(`--base: ${UrlError.from(text, base, 'base').message}`);
  return base;
}
