import { decodeLine } from '../../bytes/utf8.ts';

/** A scalar of a record, as it is spelled there; `empty` is a field of a table without a character. */
export interface Cell {
  readonly kind: 'text' | 'number' | 'boolean' | 'null' | 'empty' | 'nested';
  readonly text: string;
}

/** The cells of a record by the names of their columns. */
export type Cells = ReadonlyMap<string, Cell>;

/** Takes a record apart. */
export type CellsOf = (record: Uint8Array) => Cells;

/** RFC 8259, section 6. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const BOOLEAN = /^(?:true|false)$/i;

/** A token of JSON: a string, a bracket or comma or colon, or any other scalar. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

const NESTED: Cell = { kind: 'nested', text: '' };

/** Of a JSON object that was found to be one: its members, the last of each name. */
export function membersOf(record: Uint8Array): Cells {
  const cells = new Map<string, Cell>();
  let depth = 0;
  let name: string | undefined;
  for (const [token] of decodeLine(record).matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      if (depth === 1) cells.set(name!, NESTED);
      depth++;
    } else if (token === '}' || token === ']') {
      depth--;
    } else if (depth === 1 && token === ',') {
      name = undefined;
    } else if (depth === 1 && token !== ':') {
      if (name === undefined) name = stringOf(token);
      else cells.set(name, scalarOf(token));
    }
  }
  return cells;
}

function scalarOf(token: string): Cell {
  if (token === 'null') return { kind: 'null', text: '' };
  if (token.startsWith('"')) return { kind: 'text', text: stringOf(token) };
  return { kind: token === 'true' || token === 'false' ? 'boolean' : 'number', text: token };
}

function stringOf(token: string): string {
  return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
}

/** Of a table's record, in the order of its columns. */
export function fieldsOf(names: readonly string[], values: readonly Uint8Array[]): Cells {
  return new Map(names.map((name, index) => [name, fieldOf(decodeLine(values[index]!))]));
}

function fieldOf(text: string): Cell {
  if (text === '') return { kind: 'empty', text };
  if (NUMBER.test(text)) return { kind: 'number', text };
  return { kind: BOOLEAN.test(text) ? 'boolean' : 'text', text };
}
