import { cutterAfter } from '../../core/bytes/lines.ts';
import { decodeLine } from '../../core/bytes/text.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { quote } from '../../core/quote.ts';
import { failure, UrlError, type UrlReason } from '../../core/url/failure.ts';
import { BatchBuilder } from './batch.ts';
import type { Framing } from './framing.ts';
import { type LinkOptions, REASON_MARK, UNRESOLVED_ENTITY } from './link-lines.ts';

/** Returns the framing of links of markup, one row each: a value, or bad for the reason that is in its line. */
export function linkRows(kernel: Kernel, options: LinkOptions): Framing {
  const lineEnd = options.lineEnd.charCodeAt(0);
  const builder = new BatchBuilder(kernel);
  return {
    /** Loads the parsers when there is markup to read. */
    async *transform(text) {
      yield* (await import('./links.ts')).linksIn(text, options);
    },
    cutter: () => cutterAfter(lineEnd),
    *batches(block) {
      builder.begin(block);
      for (let start = 0, end: number; start < block.length; start = end + 1) {
        end = block.indexOf(lineEnd, start);
        if (!builder.hasRoom(1, end - start)) yield builder.take();
        const mark = block.subarray(start, end).indexOf(REASON_MARK.charCodeAt(0));
        if (mark === -1) builder.add(start, end, start, end);
        else {
          const [link, reason] = decodeLine(block.subarray(start, end)).split(REASON_MARK) as [string, string];
          builder.addBad(start, start + mark, reason, () => sentenceOf(link, reason));
        }
      }
      if (builder.length > 0) yield builder.take();
    },
  };
}

function sentenceOf(link: string, reason: string): string {
  if (reason !== UNRESOLVED_ENTITY) return UrlError.from(link, failure(reason as UrlReason)).message;
  return `not a URL: ${quote(link)}: an entity of its own document is not resolved (${reason})`;
}
