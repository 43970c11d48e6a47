import { HashIndexError } from '../../hash-index/error.ts';
import { HashIndex } from '../../hash-index/hash-index.ts';
import { wholeInput } from '../input/inputs.ts';
import { sentenceOf } from '../input/system-error.ts';

/** The index in a file, or in standard input under the name '-'. @throws {HashIndexError} */
export function openIndexFile(path: string, memoryBytes: number): HashIndex {
  try {
    return HashIndex.open(path === '-' ? wholeInput(path) : path, { memoryBytes });
  } catch (error) {
    if (!(error instanceof HashIndexError) || error.reason !== 'unreadable') throw error;
    throw new HashIndexError(path, 'unreadable', sentenceOf(error.cause), error.cause);
  }
}
