const SPECIAL = /[.*+?^${}()|[\]\\]/g;

/**
 * Whether a line is as a document shows it. There `…` stands for one or more characters that it leaves out, or that
 * differ from run to run: a rate, a time, the rest of a hash.
 */
export function isLine(expected: string, actual: string): boolean {
  const pieces = expected.split('…').map((piece) => piece.replace(SPECIAL, '\\$&'));
  return new RegExp(`^${pieces.join('.+')}$`, 'su').test(actual);
}

/** The same for several lines, where a line `…` alone stands for any number of lines. */
export function areLines(expected: readonly string[], actual: readonly string[]): boolean {
  const [first, ...rest] = expected;
  if (first === undefined) return actual.length === 0;
  if (first !== '…') return actual.length > 0 && isLine(first, actual[0]!) && areLines(rest, actual.slice(1));
  return actual.some((_, skipped) => areLines(rest, actual.slice(skipped))) || rest.length === 0;
}

/** A value as `util.inspect` prints it, on one line and without the spaces within brackets that formatters move. */
export function compact(value: string): string {
  return value
    .replace(/\s+/g, ' ')
    .replace(/([[{]) /g, '$1')
    .replace(/,? ([\]}])/g, '$1')
    .trim();
}
