/** The modules of the package, by the entries they are imported from: `urlsum` and those below it. */
export interface PublicApi {
  readonly url: typeof import('../../src/index.ts');
  readonly safeBrowsing: typeof import('../../src/safe-browsing/index.ts');
  readonly hashedUri: typeof import('../../src/hashed-uri/index.ts');
  readonly hashUri: typeof import('../../src/hash-uri/index.ts');
}
