import { deepEqual } from 'node:assert/strict';
import { URL } from 'whatwg-url';
import type { Material } from '../probe/outcome.ts';
import { differences } from '../probe/own-url.ts';
import { allQuestions } from '../probe/question.ts';
import type { Row } from '../row.ts';

/** An independent implementation of the standard, so that what runtimes are measured against is not our word alone. */
export function witness(material: Material): Row {
  return {
    name: 'whatwg-url, as a witness for the standard',
    async run() {
      const questions = allQuestions(material);
      const differing = differences(questions, (input, base) => new URL(input, base).href);
      deepEqual(
        differing.map(([index, form]) => ({ ...questions[index], form })),
        [],
      );
      return `0 of ${questions.length} URLs differ`;
    },
  };
}
