import { oracleOf } from './unicode-oracles.ts';

// url/unicode-versions compares the other versions with their oracles.
export const VERSION = 18;

/** Code points that are valid in a domain. */
export const VALID = oracleOf(VERSION)
  .mappingTable.filter(([, status]) => status === 2 || status === 6)
  .flatMap(([range]) => {
    const [first, last] = typeof range === 'number' ? [range, range] : range;
    return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
  });

/** Characters that compose: every mark, and those that it may meet. */
export const COMBINING = VALID.filter(
  (character) => /\p{M}/u.test(character) || character.normalize('NFD') !== character,
);

/** Letters that marks may follow. */
export const LETTERS = [...'aeiouönü', 'ε', 'и', 'क', 'ব', 'က', 'ك', '가', '각'];
