import { mustBeString } from '../argument.ts';
import { isPotentialTrustyUri } from './hash-uri.ts';
import { CODE_LENGTH } from './module.ts';

const LAST_EXTENSION = /\.[A-Za-z0-9_-]{0,20}$/;

/**
 * The name of the file that holds the content of `code`, as the trusty URI tools form it: the code stands
 * before the last extension, after a dot, so that `file1.txt` becomes `file1.FA….txt`. What begins a name is
 * not an extension, and folders stay before it.
 *
 * @param name the name of a file, with or without its folders
 * @param code 45 characters
 * @returns the name with the code in it
 * @throws {TypeError} where `name` is not a string
 * @throws {RangeError} where `code` is not 45 Base64 characters that begin with FA, RA or RB
 * @example
 * fileNameOf('hello.txt', 'FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ');
 * //=> 'hello.FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ.txt'
 */
export function fileNameOf(name: string, code: string): string {
  if (!isPotentialTrustyUri(code) || code.length !== CODE_LENGTH)
    throw new RangeError(`not a code: ${JSON.stringify(code)}`);
  const folderEnd = mustBeString('name', name).lastIndexOf('/') + 1;
  const dot = name.search(LAST_EXTENSION);
  const stemEnd = dot > folderEnd ? dot : name.length;
  const stem = name.slice(folderEnd, stemEnd);
  const separator = stem === '' || stem.endsWith('.') ? '' : '.';
  return name.slice(0, stemEnd) + separator + code + name.slice(stemEnd);
}
