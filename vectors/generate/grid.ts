import type { Given, Part } from '../vector.ts';

/** A text, or one too long to be written out. */
export type Input = string | readonly Part[];

export function givenOf(input: Input): Given {
  return typeof input === 'string' ? { input } : { inputParts: input };
}

/** Every way to take one piece of each list, the last list running fastest. */
export function grid(...lists: readonly (readonly string[])[]): string[] {
  return lists.reduce<string[]>(
    (starts, pieces) => starts.flatMap((start) => pieces.map((piece) => start + piece)),
    [''],
  );
}

/** U+0000 to U+007F. */
export const ASCII: readonly string[] = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** Around the ends of SHA-256's blocks: 55 bytes are the most that one block takes, 64 fill it, 119 fit two. */
export const BLOCK_LENGTHS: readonly number[] = [
  ...range(50, 68),
  ...range(115, 131),
  ...range(181, 195),
  ...range(246, 259),
  311,
  312,
  319,
  320,
  375,
  376,
  383,
  384,
  447,
  448,
  511,
  512,
  513,
  1023,
  1024,
];

/** Longer ones are given by their parts. */
export const LONG_LENGTHS: readonly number[] = [
  1025, 4095, 4096, 4097, 16_383, 65_535, 65_536, 65_537, 100_000, 1_000_000,
];

export function range(first: number, end: number): number[] {
  return Array.from({ length: end - first }, (_, index) => first + index);
}

/** `start`, filled up with one character to so many. */
export function ofLength(start: string, length: number): Input {
  const rest = length - start.length;
  return length <= 1024
    ? start + 'x'.repeat(rest)
    : [
        [start, 1],
        ['x', rest],
      ];
}
