export const PROFILES = ['url', 'web-risk', 'v5'] as const;
export const WIDTHS = ['8', '16', '32'] as const;

export type ProfileName = (typeof PROFILES)[number];

/** What a row can become. */
export interface OutputRow {
  /** How the values are laid out: `width` bytes of a hash, a number, a text, a list of hashes. */
  readonly values: 'digest' | 'uint64' | 'int64' | 'text' | 'digests';
  /** Those that have it; the first is the default. */
  readonly profiles: readonly ProfileName[];
  /** Whether `frames` has it. */
  readonly isFramed: boolean;
  readonly help: string;
}

const URL_ONLY: readonly ProfileName[] = ['url'];

/**
 * Every output, in the order of their codes in the greeting of `frames`. DuckDB's functions in Node, and the packages for
 * engines, are made from it.
 */
export const OUTPUTS = {
  hash: {
    values: 'digest',
    profiles: URL_ONLY,
    isFramed: true,
    help: 'the first bytes of the SHA-256 (default)',
  },
  u64: { values: 'uint64', profiles: URL_ONLY, isFramed: true, help: 'the first 8 as an unsigned integer' },
  i64: { values: 'int64', profiles: URL_ONLY, isFramed: true, help: 'the same as a signed integer' },
  canonical: { values: 'text', profiles: PROFILES, isFramed: true, help: 'the canonical form' },
  expressions: {
    values: 'digests',
    profiles: ['v5', 'web-risk'],
    isFramed: true,
    help: 'the hashes that Safe Browsing looks up',
  },
  profile: {
    values: 'text',
    profiles: PROFILES,
    isFramed: false,
    help: 'the name of the canonical form (rowbinary)',
  },
  reason: { values: 'text', profiles: PROFILES, isFramed: true, help: 'why it is not a URL, in a word' },
  host: { values: 'text', profiles: URL_ONLY, isFramed: true, help: 'the host' },
  site: { values: 'text', profiles: URL_ONLY, isFramed: true, help: 'the registrable domain' },
  surt: { values: 'text', profiles: URL_ONLY, isFramed: true, help: 'the Sort-friendly URI' },
} as const satisfies Readonly<Record<string, OutputRow>>;

export type OutputName = keyof typeof OUTPUTS;
