import { textOf } from '../../../vectors/given.ts';
import type { UrlVector } from '../../../vectors/vector.ts';
import type { Material } from './outcome.ts';

/** A URL to parse, or a line of the corpus. */
export interface Question {
  readonly input: string;
  readonly base: string | undefined;
}

/** The inputs of the URL vectors; the index in it is what a Difference tells. */
export function vectorQuestions({ files }: Material): Question[] {
  const vectors = files
    .filter(({ specification }) => specification === 'url')
    .flatMap(({ cases }) => cases as readonly UrlVector[]);
  return vectors.map((vector) => ({ input: textOf(vector), base: vector.base }));
}

/** Those, and the lines of the corpus after them. */
export function allQuestions(material: Material): Question[] {
  return [...vectorQuestions(material), ...material.lines.map((input) => ({ input, base: undefined }))];
}
