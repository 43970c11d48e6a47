import { expressions } from '../../../src/entries/safe-browsing.ts';
import { sha256 } from './scripted-server.ts';

/** URLs that the server lists, the slow way: a set of whole hashes in hex. */
export class ListedUrls {
  readonly #hashes: ReadonlySet<string>;

  /** @param urls of the threat lists; the first expression of each is listed */
  constructor(urls: readonly string[]) {
    this.#hashes = new Set(urls.map((url) => sha256(expressions(url)[0]!).toString('hex')));
  }

  has(url: string): boolean {
    return expressions(url, { mode: 'union' }).some((each) => this.#hashes.has(sha256(each).toString('hex')));
  }
}
