/** whatwg-url ships no types. */
declare module 'whatwg-url' {
  interface Record {
    readonly scheme: string;
    username: string;
    password: string;
    port: number | null;
    fragment: string | null;
  }
  export function basicURLParse(input: string, options?: { baseURL?: Record | null }): Record | null;
  export function serializeURL(url: Record, excludeFragment?: boolean): string;
  export class URL {
    static parse(input: string): URL | null;
    constructor(input: string, base?: string);
    readonly href: string;
    readonly searchParams: URLSearchParams;
    readonly protocol: string;
    readonly hostname: string;
    readonly port: string;
    readonly pathname: string;
    readonly search: string;
    hash: string;
  }
}

/** Neither does tr46. */
declare module 'tr46' {
  export function toASCII(domain: string, options: Readonly<Record<string, boolean>>): string | null;
  export function toUnicode(domain: string, options: Readonly<Record<string, boolean>>): { readonly domain: string };
}

/** The data of the Public Suffix List within tldts. */
declare module 'tldts/dist/es6/src/data/trie.js' {
  export const nodeFlags: Uint8Array;
  export const edgeStart: Uint16Array;
  export const edgeLength: Uint8Array;
  export const edgeChild: Uint16Array;
  export const labelText: string;
  export const rulesRoot: number;
  export const exceptionsRoot: number;
}

/** Written into each consumer by the run of test/runtimes. */
declare module '*/material.json' {
  const material: import('./runtimes/probe/outcome.ts').Material;
  export default material;
}

/** Plain JavaScript, which the build runs. */
declare module '*/tools/entries.mjs' {
  export const ENTRIES: readonly { readonly name: string; readonly file: string; readonly source: string }[];
}

declare module '*/tools/release/repository.mjs' {
  export function fieldsOf(remote: string): object | undefined;
}

declare module '*/tools/release/version.mjs' {
  export function pythonVersion(version: string): string;
  export function versionProblems(): string[];
}

declare module '*/tools/tables/normalization.mjs' {
  export function normalized(text: string, form: string): string;
  export function installNormalization(): void;
}

declare module '*/tools/tables/unicode-versions.mjs' {
  export const VERSIONS: readonly {
    readonly version: import('../src/core/url/parsed-url.ts').UnicodeVersion;
    readonly tr46: string;
    readonly oracle: string;
  }[];
}

declare module '*/tools/tables/unicode.mjs' {
  export interface VersionData {
    readonly kinds: string[];
    readonly mappings: Map<number, string>;
  }
  export function dataOfPackage(name: string): VersionData;
  export function tableText(versions: readonly (VersionData & { readonly version: number })[]): Promise<string>;
  export function tableSource(text: string): string;
  export const CODE_POINTS: number;
  export function isValidKind(kind: string): boolean;
}
