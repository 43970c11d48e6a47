import { textOf, type UrlVector } from '../../vectors/vector.ts';
import type { Material } from './outcome.ts';

/** A URL to parse, or a line of the corpus. */
export interface Question {
  readonly input: string;
  readonly base: string | undefined;
}

/** The URL vectors that a `URL` can answer: those without options. */
export function urlVectors({ files }: Material): UrlVector[] {
  const vectors = files
    .filter(({ specification }) => specification === 'url')
    .flatMap(({ cases }) => cases as readonly UrlVector[]);
  return vectors.filter(({ options }) => options === undefined);
}

/** Their inputs; the index in it is what a Difference tells. */
export function vectorQuestions(material: Material): Question[] {
  return urlVectors(material).map((vector) => ({ input: textOf(vector), base: vector.base }));
}

/** Returns the questions, and the lines of the corpus after them. */
export function allQuestions(material: Material): Question[] {
  return [...vectorQuestions(material), ...material.lines.map((input) => ({ input, base: undefined }))];
}
