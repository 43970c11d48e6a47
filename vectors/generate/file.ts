import type { PublicApi } from '../results/api.ts';
import { resultOf } from '../results/result.ts';
import type { Question, Vector, VectorFile } from '../vector.ts';
import { SEED } from './random.ts';

/** A file without its answers. */
export interface Draft extends Omit<VectorFile, 'cases' | 'seed'> {
  readonly questions: readonly Question<Vector>[];
}

/** Each question once, under the first clause that asks it, with what the API answers. */
export function fileOf({ questions, ...head }: Draft, api: PublicApi): VectorFile {
  const asked = new Map<string, Question<Vector>>();
  for (const question of questions) {
    const key = JSON.stringify({ ...question, clause: undefined });
    if (!asked.has(key)) asked.set(key, question);
  }
  const cases = [...asked.values()].map(
    (question) => ({ ...question, expect: resultOf(head.specification, question, api) }) as Vector,
  );
  const { fields, ...rest } = head;
  return { ...rest, seed: SEED, fields, cases };
}

/** The file's text: a line for each field of the head, and for each case. */
export function textOfFile({ fields, cases, ...head }: VectorFile): string {
  const heads = Object.entries(head).map(([name, value]) => `  "${name}": ${asciiJson(value)},\n`);
  const described = Object.entries(fields).map(([name, meaning]) => `    "${name}": ${asciiJson(meaning)}`);
  const lines = cases.map((each) => `    ${asciiJson(each)}`);
  return `{\n${heads.join('')}  "fields": {\n${described.join(',\n')}\n  },\n  "cases": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

/** Beyond ASCII all is escaped: half of these characters cannot be seen, and an editor may compose others. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\x7f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
