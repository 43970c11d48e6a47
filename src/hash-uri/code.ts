import { mustBeString } from '../argument.ts';
import { CODE_LENGTH, isModule, type ModuleName } from './module.ts';

/** A code inside a text: an identifier part and a data part. */
export interface FoundCode {
  /** 45 characters. */
  readonly code: string;
  /** Its first two characters. */
  readonly module: ModuleName;
  /** The UTF-16 unit of the text it begins at. */
  readonly position: number;
}

const RUNS = /[A-Za-z0-9_-]+/g;

/**
 * The codes anywhere in a text, as in a hash-URI with a suffix (`…RA5Abx#Part1`): runs of exactly 45 Base64
 * characters that begin with FA, RA or RB. What only ends in 25 of them is not looked for.
 *
 * @param text any text
 * @returns the codes in the order of the text
 * @throws {TypeError} on what is not a string
 * @example
 * const [found] = findCodes('http://example.org/hello.FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ#Part1');
 * found?.code; //=> 'FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ'
 * found?.position; //=> 25
 */
export function findCodes(text: string): FoundCode[] {
  const found: FoundCode[] = [];
  for (const { 0: code, index } of mustBeString('text', text).matchAll(RUNS)) {
    const module = code.slice(0, 2);
    if (code.length === CODE_LENGTH && isModule(module)) found.push({ code, module, position: index });
  }
  return found;
}
