import { COLON, isAsciiAlpha, isAsciiDigit } from './code-points.ts';

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
 * The position of the colon that ends a scheme, or -1 where the input begins with none.
 * https://url.spec.whatwg.org/#scheme-start-state and #scheme-state
 */
export function schemeEnd(input: string): number {
  if (!isAsciiAlpha(input.charCodeAt(0))) return -1;
  let at = 1;
  while (isSchemeCodePoint(input.charCodeAt(at))) at++;
  return input.charCodeAt(at) === COLON ? at : -1;
}

function isSchemeCodePoint(code: number): boolean {
  return isAsciiAlpha(code) || isAsciiDigit(code) || code === 0x2b || code === 0x2d || code === 0x2e;
}
