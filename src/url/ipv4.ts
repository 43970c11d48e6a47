import { FULL_STOP, hexDigitValue, isAsciiDigit } from './code-points.ts';
import { Failure, failure } from './failure.ts';

/** Is the last part a number, so that the whole host must be an IPv4 address? https://url.spec.whatwg.org/#ends-in-a-number-checker */
export function endsInNumber(host: string): boolean {
  const end = host.charCodeAt(host.length - 1) === FULL_STOP ? host.length - 1 : host.length;
  const last = host.slice(host.lastIndexOf('.', end - 1) + 1, end);
  if (last === '' || !isAsciiDigit(last.charCodeAt(0))) return false;
  return hasOnlyDigits(last, 0, 10) || parseNumber(last) !== undefined;
}

/** The address as an unsigned 32-bit number. https://url.spec.whatwg.org/#concept-ipv4-parser */
export function parseIpv4(host: string): number | Failure {
  const parts = splitParts(host);
  if (parts === undefined) return failure('IPv4-too-many-parts');
  const numbers: number[] = [];
  for (const part of parts) {
    const number = parseNumber(part);
    if (number === undefined) return failure('IPv4-non-numeric-part');
    numbers.push(number);
  }
  return combine(numbers) ?? failure('IPv4-out-of-range-part');
}

/** At most five pieces are ever made, however many dots a hostile host has. */
function splitParts(host: string): string[] | undefined {
  const parts = host.split('.', 6);
  if (parts.length > 1 && parts.length < 6 && parts[parts.length - 1] === '') parts.pop();
  return parts.length > 4 ? undefined : parts;
}

/** Leading parts are bytes; the last fills the bytes that remain. Undefined where one is out of range. */
function combine(numbers: readonly number[]): number | undefined {
  let address = numbers[numbers.length - 1]!;
  if (address >= 256 ** (5 - numbers.length)) return undefined;
  for (let index = 0; index < numbers.length - 1; index++) {
    if (numbers[index]! > 255) return undefined;
    address += numbers[index]! * 256 ** (3 - index);
  }
  return address;
}

/** Decimal, 0 octal or 0x hex; a bare `0x` is zero. https://url.spec.whatwg.org/#ipv4-number-parser */
function parseNumber(part: string): number | undefined {
  if (part === '') return undefined;
  const isHex = part.startsWith('0x') || part.startsWith('0X');
  const radix = isHex ? 16 : part.length > 1 && part.startsWith('0') ? 8 : 10;
  const start = radix === 16 ? 2 : radix === 8 ? 1 : 0;
  if (!hasOnlyDigits(part, start, radix)) return undefined;
  return start === part.length ? 0 : Number.parseInt(part.slice(start), radix);
}

function hasOnlyDigits(text: string, start: number, radix: number): boolean {
  for (let at = start; at < text.length; at++) {
    const value = hexDigitValue(text.charCodeAt(at));
    if (value === -1 || value >= radix) return false;
  }
  return true;
}

// https://url.spec.whatwg.org/#concept-ipv4-serializer
export function serializeIpv4(address: number): string {
  return `${address >>> 24}.${(address >>> 16) & 0xff}.${(address >>> 8) & 0xff}.${address & 0xff}`;
}
