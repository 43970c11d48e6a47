import { mustBeOptions, mustBeString } from '../../argument.ts';

/** The characters that `make` puts around a code; each is one UTF-16 unit. */
export interface Settings {
  /** Before the number of a blank node; doubled before a suffix that begins with it. */
  readonly bnodeChar: string;
  /** Between the base and the code, where the base ends in a Base64 character. */
  readonly preAcChar: string;
  /** Between the code and a suffix. */
  readonly postAcChar: string;
  /** The same, where `postAcChar` is '#' and the base has one already. */
  readonly postAcFallbackChar: string;
}

const DEFAULT_SETTINGS: Settings = { bnodeChar: '_', preAcChar: '.', postAcChar: '#', postAcFallbackChar: '.' };

/**
 * Those of nanopublications: `…/RA…/assertion`.
 *
 * @example
 * const { uri } = make('http://example.org/np1', [], { module: 'RA', settings: NANOPUB });
 * uri; //=> 'http://example.org/np1/RA47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU'
 */
export const NANOPUB: Settings = { bnodeChar: '_', preAcChar: '/', postAcChar: '/', postAcFallbackChar: '/' };

const NAMES = Object.keys(DEFAULT_SETTINGS) as (keyof Settings)[];

/** @throws {RangeError} where one is not one character that may stand in an IRI */
export function checkedSettings(settings: Partial<Settings>): Settings {
  mustBeOptions('settings', settings, NAMES);
  const all = { ...DEFAULT_SETTINGS, ...settings };
  for (const name of NAMES)
    if (!/^[^\0- ]$/.test(mustBeString(name, all[name])))
      throw new RangeError(`${name} must be one character, got ${JSON.stringify(all[name])}`);
  if (/[A-Za-z0-9_-]/.test(all.preAcChar)) throw new RangeError(`preAcChar must not be a Base64 character`);
  return all;
}
