/** A file of vectors, as JSON.parse gives it. README.md beside it says what each field means. */
export interface VectorFile {
  readonly title: string;
  readonly specification: 'url' | 'site' | 'safe-browsing' | 'hashed-uri' | 'hash-uri';
  /** The names of what the expectations depend on: the profile, the edition of the Public Suffix List. */
  readonly madeWith: Readonly<Record<string, string>>;
  /** The meaning of each field of a case, by its name. */
  readonly fields: Readonly<Record<string, string>>;
  readonly cases: readonly Vector[];
}

export type Vector = UrlVector | SiteVector | SafeBrowsingVector | HashedUriVector | HashUriVector;

/** A case: its input beside `clause`; all that must come of it, in `expect`. */
interface Case {
  readonly clause: string;
  readonly expect: unknown;
}

/** Exactly one of the three: text, text as runs of [part, how many times], or bytes. */
export interface Given {
  readonly input?: string;
  readonly inputParts?: readonly Part[];
  readonly inputBase64?: string;
}

export type Part = readonly [text: string, count: number];

export interface UrlVector extends Case, Given {
  readonly base?: string;
  /** docs/parameters.md defines them. */
  readonly options?: UrlOptions;
}

export interface UrlOptions {
  readonly unicode?: 17 | 18;
  readonly excludeFragment?: boolean | 'but-routes';
  /** The value of a header, which may be invalid. */
  readonly noVarySearch?: string;
  readonly dropParams?: readonly string[];
  readonly dropList?: string;
  readonly keepParams?: readonly string[];
  readonly fold?: readonly ('https' | 'index' | 'slash' | 'www')[];
  /** The text of the rules. */
  readonly siteRules?: string;
  readonly sortParams?: boolean;
  /** How the input is read, which is not part of the form. */
  readonly defaultScheme?: 'http' | 'https';
}

export interface SiteVector extends Case, Given {
  readonly base?: string;
}

export interface SafeBrowsingVector extends Case, Given {
  readonly profile: 'web-risk' | 'v5';
  readonly privateSuffixes?: boolean;
}

export type HashedUriVector = HashVector | MatchVector | ParseVector;

export interface HashVector extends Case, Given {
  readonly operation: 'hash';
  readonly base?: string;
  readonly variant: 'N' | 'P';
  readonly keep: readonly ('frag' | 'query')[];
}

export interface MatchVector extends Case, Given {
  readonly operation: 'match';
  readonly base?: string;
  readonly variant: 'N' | 'P' | 'both';
  readonly hashed: string;
}

export interface ParseVector extends Case, Given {
  readonly operation: 'parse';
}

export type HashUriVector = PartsVector | MakeVector | VerifyVector;

export interface PartsVector extends Case, Given {
  readonly operation: 'parts';
}

/** `base64` the given number of times, 1 where `count` is not there. */
export interface Content {
  readonly base64: string;
  readonly count?: number;
}

export interface MakeVector extends Case {
  readonly operation: 'make';
  readonly base: string;
  readonly separator?: '.' | '/' | '#';
  readonly content: Content;
}

export interface VerifyVector extends Case, Given {
  readonly operation: 'verify';
  readonly content: Content;
}

/** Without what is to be computed: a case as its author writes it. */
export type Question<T extends Vector> = T extends Vector ? Omit<T, 'expect'> : never;

/** The text of a case whose input is not bytes. */
export function textOf({ input, inputParts }: Given): string {
  if (input !== undefined) return input;
  if (inputParts !== undefined) return inputParts.map(([text, count]) => text.repeat(count)).join('');
  throw new TypeError('a case has neither input nor inputParts');
}

export function textOrBytesOf(given: Given): string | Uint8Array {
  return given.inputBase64 === undefined ? textOf(given) : bytesOfBase64(given.inputBase64);
}

export function bytesOfContent({ base64, count = 1 }: Content): Uint8Array {
  const part = bytesOfBase64(base64);
  const bytes = new Uint8Array(part.length * count);
  for (let at = 0; at < bytes.length; at += part.length) bytes.set(part, at);
  return bytes;
}

function bytesOfBase64(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
