import { UrlError, UrlHash } from 'urlsum/slim';
import { digestOf } from './digest.ts';
import type { Results } from './outcome.ts';
import type { Question } from './question.ts';

/** What needs no Unicode tables, which `urlsum/slim` leaves to its host. */
const ASCII = /^(?:(?!%[89a-f])[\0-\x7f])*$/i;

export function slimResults(questions: readonly Question[]): Results {
  const lines = questions.filter(({ input, base = '' }) => ASCII.test(input + base)).map(resultOf);
  return { count: lines.length, digest: digestOf(lines.join('\n')) };
}

function resultOf({ input, base }: Question): string {
  try {
    return UrlHash.of(input, base).toHex();
  } catch (error) {
    if (error instanceof UrlError) return `${error.place} ${error.reason}`;
    throw error;
  }
}
