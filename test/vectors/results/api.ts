/** The modules of the package, by the entries they are imported from: `urlsum` and those below it. */
export interface PublicApi {
  readonly url: typeof import('../../../src/index.ts');
  readonly site: typeof import('../../../src/entries/site.ts');
  readonly safeBrowsing: typeof import('../../../src/entries/safe-browsing.ts');
  readonly hashedUri: typeof import('../../../src/entries/hashed-uri.ts');
  readonly hashUri: typeof import('../../../src/entries/hash-uri.ts');
}
