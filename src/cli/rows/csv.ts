import { parse } from 'papaparse';
import type { Cutter } from '../../bulk/line-blocks.ts';
import { LINE_FEED } from '../../bytes/code-points.ts';
import { type Table, TableError } from './table.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;

/** Where an end is looked for in vain so long, a quotation mark was left open. */
const RECORD_LIMIT_BYTES = 1 << 24;

/** Comma-separated values (RFC 4180): a field in quotation marks may hold commas, line feeds and, doubled, quotation marks. */
export const CSV: Table = {
  delimiter: ',',
  cutter,
  eachRecord(block, visit) {
    let start = 0;
    parse<string[]>(block, {
      delimiter: ',',
      newline: '\n',
      step({ data, meta: { cursor }, errors: [error] }, parser) {
        if (start === block.length) return; // behind the last line feed it sees one more, empty record
        const record = { start, end: cursor, fields: withoutReturn(data), problem: error?.message };
        start = cursor;
        if (visit(record) === false) parser.abort();
      },
    });
  },
};

/** Of CR LF the parser takes the LF. */
function withoutReturn(fields: readonly string[]): readonly string[] {
  const last = fields.at(-1);
  return last?.endsWith('\r') ? [...fields.slice(0, -1), last.slice(0, -1)] : fields;
}

type State = 'field start' | 'unquoted' | 'quoted' | 'quote in quoted';

/** Finds line feeds outside of quotation marks. */
function cutter(): Cutter {
  let state: State = 'field start';
  let pendingBytes = 0;
  return (chunk) => {
    let end = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (state === 'quoted') {
        if (byte === QUOTE) state = 'quote in quoted';
      } else if (byte === QUOTE && state !== 'unquoted') {
        state = 'quoted';
      } else if (byte === LINE_FEED) {
        state = 'field start';
        end = at + 1;
      } else {
        state = byte === COMMA ? 'field start' : 'unquoted';
      }
    }
    pendingBytes = end === 0 ? pendingBytes + chunk.length : chunk.length - end;
    if (pendingBytes > RECORD_LIMIT_BYTES)
      throw new TableError('a record is longer than 16 MiB: is a quotation mark left open?');
    return end;
  };
}
