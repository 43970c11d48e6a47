import { readFileSync } from 'node:fs';

// The files as one reads them who has nothing but README.md beside them: no type or function of vectors/.

export interface Stored {
  readonly fields: Readonly<Record<string, string>>;
  readonly cases: readonly StoredCase[];
}

// biome-ignore lint/suspicious/noExplicitAny: each file has fields of its own, which its test reads
export type StoredCase = Readonly<Record<string, any>>;

export const NAMES = [
  'url.json',
  'url-base.json',
  'url-parameters.json',
  'url-unicode.json',
  'url-pages.json',
  'site.json',
  'url-lone-surrogates.json',
  'safe-browsing-v5.json',
  'web-risk.json',
  'safe-browsing-lone-surrogates.json',
  'hashed-uri.json',
  'hashed-uri-match.json',
  'hash-uri.json',
] as const;

export function stored(name: (typeof NAMES)[number]): Stored {
  return JSON.parse(readFileSync(`vectors/${name}`, 'utf8'));
}

export function inputOf({ input, inputParts }: StoredCase): string {
  return input ?? inputParts.map(([text, count]: [string, number]) => text.repeat(count)).join('');
}

/** Names a case for the message of an assertion. */
export function shown(vector: StoredCase): string {
  return JSON.stringify({ ...vector, expect: undefined }).slice(0, 300);
}

/** A canonical form as a case has it: whole, or by its length. */
export function formOf(canonical: string): object {
  return canonical.length > 1024 ? { canonicalLength: canonical.length } : { canonical };
}
