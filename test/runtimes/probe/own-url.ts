import { canonicalize, UrlError } from 'urlsum';
import type { Difference } from './outcome.ts';
import type { Question } from './question.ts';

type Canonical = (input: string, base?: string) => string;

/** Where the runtime's own `URL` differs. */
export function ownDifferences(questions: readonly Question[]): Difference[] {
  return differences(questions, (input, base) => new URL(input, base).href);
}

/** Where `other` differs. What urlsum refuses by a limit of its own does not count. */
export function differences(questions: readonly Question[], other: Canonical): Difference[] {
  return questions.flatMap((question, index): Difference[] => {
    const ours = formOf(question, (input, base) => canonicalize(input, { base }));
    const own = formOf(question, other);
    return own === ours || ours === 'IDNA-limit' ? [] : [[index, own]];
  });
}

function formOf({ input, base }: Question, canonical: Canonical): string | null {
  try {
    return canonical(input, base);
  } catch (error) {
    return error instanceof UrlError && error.reason === 'IDNA-limit' ? error.reason : null;
  }
}
