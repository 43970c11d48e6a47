import { COLON, codeAt, isAsciiAlpha, isAsciiDigit } from '../bytes/code-points.ts';

// https://url.spec.whatwg.org/#special-scheme
const DEFAULT_PORTS: ReadonlyMap<string, number | null> = new Map([
  ['ftp', 21],
  ['file', null],
  ['http', 80],
  ['https', 443],
  ['ws', 80],
  ['wss', 443],
]);

export function isSpecialScheme(scheme: string): boolean {
  return DEFAULT_PORTS.has(scheme);
}

export function isDefaultPort(scheme: string, port: number): boolean {
  return DEFAULT_PORTS.get(scheme) === port;
}

/**
 * Returns the position of the colon that ends a scheme, or -1 if the input begins with none.
 * https://url.spec.whatwg.org/#scheme-start-state and #scheme-state
 */
export function schemeEnd(input: string): number {
  if (!isAsciiAlpha(codeAt(input, 0))) return -1;
  let at = 1;
  while (isSchemeCodePoint(codeAt(input, at))) at++;
  return codeAt(input, at) === COLON ? at : -1;
}

function isSchemeCodePoint(code: number): boolean {
  return isAsciiAlpha(code) || isAsciiDigit(code) || code === 0x2b || code === 0x2d || code === 0x2e;
}

/** Returns the scheme that ends at `colon`, in lower case; for the two of nearly all URLs without making a string. */
export function schemeOf(input: string, colon: number): string {
  if (colon === 5 && input.startsWith('https')) return 'https';
  if (colon === 4 && input.startsWith('http')) return 'http';
  return input.slice(0, colon).toLowerCase();
}
