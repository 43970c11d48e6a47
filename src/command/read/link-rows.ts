import { type Cutter, cutterAfter } from '../../core/bytes/lines.ts';
import { decodeLine } from '../../core/bytes/text.ts';
import { quote } from '../../core/quote.ts';
import { failure, UrlError, type UrlReason } from '../../core/url/failure.ts';
import { type Batch, BatchBuilder, type RowProblem } from './batch.ts';
import type { Framing } from './framing.ts';
import { type LinkOptions, REASON_MARK, UNRESOLVED_ENTITY } from './link-lines.ts';

const MARK = REASON_MARK.charCodeAt(0);

/** Links of markup, one row each: a value, or bad for the reason that is in its line. */
export class LinkRows implements Framing {
  readonly #options: LinkOptions;
  readonly #end: number;
  readonly #builder = new BatchBuilder();

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#end = options.lineEnd.charCodeAt(0);
  }

  /** Loads the parsers when there is markup to read. */
  async *transform(text: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    yield* (await import('./links.ts')).linksIn(text, this.#options);
  }

  cutter(): Cutter {
    return cutterAfter(this.#end);
  }

  *batches(block: Uint8Array): Generator<Batch> {
    const builder = this.#builder;
    builder.begin(block);
    for (let start = 0, end: number; start < block.length; start = end + 1) {
      end = block.indexOf(this.#end, start);
      if (!builder.hasRoom(1, end - start)) yield builder.take();
      const mark = block.subarray(start, end).indexOf(MARK);
      if (mark === -1) builder.add(start, end, start, end);
      else builder.addBad(start, start + mark, problemOf(block.subarray(start, end), mark));
    }
    if (builder.length > 0) yield builder.take();
  }
}

function problemOf(line: Uint8Array, mark: number): Pick<RowProblem, 'reason' | 'message'> {
  const [link, reason] = [line.subarray(0, mark), line.subarray(mark + 1)].map(decodeLine) as [string, string];
  if (reason !== UNRESOLVED_ENTITY) {
    const { message } = UrlError.from(link, failure(reason as UrlReason));
    return { reason, message };
  }
  const sentence = 'an entity of its own document is not resolved';
  return { reason, message: `not a URL: ${quote(link)}: ${sentence} (${reason})` };
}
