import type { Base } from '../../core/url/parser.ts';
import type { LogFlags } from './access-log.ts';
import type { Framing, RowForm } from './framing.ts';
import { type LineOptions, linesEndingIn, urlLines } from './lines.ts';

export interface FramingOptions extends LineOptions {
  readonly records: RowForm['records'];
  readonly added?: RowForm['added'];
  /** Whether lines are any text, not one URL each. */
  readonly isText?: boolean;
  /** The byte that comments of tables and logs begin with. */
  readonly comment?: number | undefined;
  /** Whether comments of tables are rows whose value is all of them. Others are left out. */
  readonly keepsComments?: boolean;
  /** What a log does not say of URLs. */
  readonly logFlags?: LogFlags;
  /** Present if inputs are markup, whose links are the rows; they are resolved against the base. */
  readonly links?: { readonly base: Base | undefined } | undefined;
}

/** Opens the framing that cuts a command's inputs into rows. Each kind is loaded on demand. */
export async function openFraming(options: FramingOptions): Promise<Framing> {
  const { lineEnd, records, skipsBlank, links, isText = false, comment, keepsComments = false, added = [] } = options;
  if (records === undefined) {
    const lines = linesEndingIn(options);
    if (links !== undefined) {
      const { linksIn } = await import('./links.ts');
      return {
        ...lines,
        transform: (text) => linksIn(text, links.base, String.fromCharCode(lineEnd)),
        *batches(block, state) {
          for (const batch of lines.batches(block, state)) yield { ...batch, areLinks: true };
        },
      };
    }
    return isText ? lines : urlLines(lines, lineEnd);
  }
  const { kind, delimiter, column } = records;
  if (kind === 'json') return (await import('./json-lines.ts')).jsonLines(column, skipsBlank, added);
  if (kind === 'cdx') return (await import('./cdx.ts')).cdxRecords(skipsBlank, added);
  if (kind === 'log') return new (await import('./access-log.ts')).AccessLog(options.logFlags ?? {}, options);
  const { TableFraming } = await import('./table.ts');
  const form = { separator: delimiter.charCodeAt(0), isQuoted: kind === 'csv' };
  return new TableFraming(form, column, { skipsBlank, comment, keepsComments, added });
}
