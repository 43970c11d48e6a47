/** A record: its text, line end included, and the values of its fields, or why it has none. */
export type DefinedRecord =
  | { readonly text: string; readonly fields: readonly string[] }
  | { readonly text: string; readonly malformation: string };

const FIELD = '(?:"(?:[^"]|"")*"|(?!")[^,\\n]*?)';
const FIELDS = new RegExp(`,(${FIELD})(?=,|$)`, 'g');
/** RFC 4180, section 2; the end of the input, or a CR before it, ends a record too. */
const RECORD = new RegExp(`(${FIELD}(?:,${FIELD})*)(?:\\r?\\n|\\r?$)`, 'y');
/** The start of a record, up to a quoted field that does not end. */
const OPEN = new RegExp(`^(?:${FIELD},)*"(?:[^"]|"")*$`);

/** The records of a text as they are defined: the longest one, and where there is none, a malformed line. */
export function definedRecords(text: string): DefinedRecord[] {
  const records: DefinedRecord[] = [];
  for (let start = 0; start < text.length; start += records.at(-1)!.text.length) records.push(recordAt(text, start));
  return records;
}

function recordAt(text: string, start: number): DefinedRecord {
  RECORD.lastIndex = start;
  const found = RECORD.exec(text);
  if (found === null) return malformed(text.slice(start, text.indexOf('\n', start) + 1 || text.length));
  return { text: found[0], fields: [...`,${found[1]}`.matchAll(FIELDS)].map(([, field]) => valueOf(field!)) };
}

function malformed(line: string): DefinedRecord {
  const isOpen = OPEN.test(line);
  return {
    text: line,
    malformation: isOpen ? 'a quotation mark is left open' : 'text follows a closing quotation mark',
  };
}

function valueOf(field: string): string {
  return field[0] === '"' ? field.slice(1, -1).replaceAll('""', '"') : field;
}
