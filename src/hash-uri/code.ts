import { mustBeString } from '../argument.ts';
import { CODE_LENGTH, isModule, type ModuleName } from './module.ts';

/** A code inside a text: an identifier part and a data part. */
export interface FoundCode {
  /** 45 characters. */
  readonly code: string;
  readonly module: ModuleName;
  /** The UTF-16 unit of the text it begins at. */
  readonly position: number;
}

const RUNS = /[A-Za-z0-9_-]+/g;

/**
 * The codes anywhere in a text, as in a hash-URI with a suffix (`…RA5Abx#Part1`): runs of exactly 45 Base64
 * characters that begin with FA, RA or RB. What only ends in 25 of them is not looked for.
 */
export function findCodes(text: string): FoundCode[] {
  const found: FoundCode[] = [];
  for (const { 0: code, index } of mustBeString('text', text).matchAll(RUNS)) {
    const module = code.slice(0, 2);
    if (code.length === CODE_LENGTH && isModule(module)) found.push({ code, module, position: index });
  }
  return found;
}
