import { type HashColumn, hashStream } from 'urlsum';
import { digestOf, type Results } from './outcome.ts';
import type { Question } from './question.ts';

/** Cuts fall everywhere in a line, since no line is as long as another. */
const CHUNK_LENGTH = 1009;

/** The inputs as lines of one stream; undefined where there are no streams, as in jsdom. */
export async function streamResults(questions: readonly Question[]): Promise<Results | undefined> {
  if (typeof TransformStream === 'undefined') return undefined;
  const text = new TextEncoder().encode(questions.map(({ input }) => input).join('\n'));
  const rows: string[] = [];
  for await (const column of columns(text)) {
    for (let row = 0; row < column.length; row++) rows.push(column.hex(row) ?? column.errorAt(row)!.reason);
  }
  return { count: rows.length, digest: digestOf(rows.join('\n')) };
}

/** Read by hand: in Chromium and Safari streams were not iterable for long. */
async function* columns(text: Uint8Array): AsyncGenerator<HashColumn> {
  const reader = chunks(text).pipeThrough(hashStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

function chunks(text: Uint8Array): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= text.length) controller.close();
      else controller.enqueue(text.slice(at, (at += CHUNK_LENGTH)));
    },
  });
}
