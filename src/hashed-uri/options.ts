/** Appendix A: N tends towards false negatives, P towards false positives. */
export type Variant = 'N' | 'P';

/** A part that is removed unless it is kept, named as its flag is. */
export type Part = 'frag' | 'query';

/** What the draft leaves open. Both sides of a comparison must read it alike; the defaults are what is proposed. */
export interface Readings {
  /** Schemes whose escapes of unreserved characters are decoded, once. Default: http and https. */
  readonly unescapedSchemes?: readonly string[];
  /** Decode them in a kept query and fragment too. Default: false, section 4.3 (2) decodes nothing that it need not. */
  readonly unescapeKept?: boolean;
  /** Variant P lower-cases a kept query and fragment too. Default: true, section 4.3 (1) calls them components. */
  readonly lowercaseKept?: boolean;
  /** Is `:0080` the default port of http? 'number' (default): yes; 'text': no, step 3 comes before step 5. */
  readonly defaultPort?: 'number' | 'text';
  /** Does '?' begin a query in an opaque URI like `mailto:a@b?subject=c`? Default: false, RFC 2396 has none there. */
  readonly opaqueQuery?: boolean;
  /** What no URI may hold, spaces and non-ASCII characters included: 'reject' (default), or 'escape' as UTF-8. */
  readonly excluded?: 'reject' | 'escape';
}

export interface CanonicalizeOptions {
  readonly variant: Variant;
  /** What is not removed. Default: neither. */
  readonly keep?: readonly Part[];
  /** An absolute URI that a relative one is resolved against. */
  readonly base?: string | undefined;
  readonly readings?: Readings;
}

export const DEFAULT_READINGS: Required<Readings> = {
  unescapedSchemes: ['http', 'https'],
  unescapeKept: false,
  lowercaseKept: true,
  defaultPort: 'number',
  opaqueQuery: false,
  excluded: 'reject',
};

/** @throws {RangeError} where a reading is not one of those above */
export function readingsOf(readings: Readings | undefined): Required<Readings> {
  if (readings === undefined) return DEFAULT_READINGS;
  rejectUnknown('readings', readings, Object.keys(DEFAULT_READINGS));
  const chosen = { ...DEFAULT_READINGS, ...readings };
  mustBeOneOf('defaultPort', chosen.defaultPort, ['number', 'text']);
  mustBeOneOf('excluded', chosen.excluded, ['reject', 'escape']);
  return chosen;
}

/** @throws {TypeError} where `options` is no object @throws {RangeError} where it has a key that is none of `known` */
export function rejectUnknown(what: string, options: object, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null) throw new TypeError(`${what} must be an object, got ${String(options)}`);
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) throw new RangeError(`${what} has no ${JSON.stringify(key)}, only ${known.join(', ')}`);
  }
}

/** @throws {RangeError} where `value` is none of `choices` */
export function mustBeOneOf<T extends string>(name: string, value: T, choices: readonly T[]): T {
  if (choices.includes(value)) return value;
  throw new RangeError(`${name} must be one of ${choices.join(', ')}, got ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`);
}

/** @throws {TypeError} where `keep` is no array @throws {RangeError} where it names another part */
export function mustBeParts(keep: readonly Part[]): readonly Part[] {
  if (!Array.isArray(keep)) throw new TypeError(`keep must be an array, got ${typeof keep}`);
  for (const part of keep) mustBeOneOf('keep', part, ['frag', 'query']);
  return keep;
}

/** @throws {TypeError} where `value` is no string */
export function mustBeString(name: string, value: string): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`${name} must be a string, got ${value === null ? 'null' : typeof value}`);
}
