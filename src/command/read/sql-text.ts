// Statements of DuckDB's SQL, told apart as its scanner does: https://duckdb.org/docs/stable/sql/query_syntax/overview

/** A word, a text, a sign or a comment. */
interface Token {
  readonly kind: 'word' | 'text' | 'sign' | 'comment';
  readonly start: number;
  readonly end: number;
}

/** What a token may be, but for comments, which may hold comments. */
const TOKEN = new RegExp(
  [
    String.raw`(?<comment>--[^\n]*|/\*|\s+)`,
    `(?<text>'(?:[^']|'')*'(?!'))`,
    String.raw`(?<other>[eE]'(?:[^'\\]|\\[^]|'')*'|"(?:[^"]|"")*"|\$(?<tag>\w*)\$[^]*?\$\k<tag>\$)`,
    String.raw`(?<word>[\p{L}_][\p{L}\p{N}_$]*)`,
    '(?<sign>[^])',
  ].join('|'),
  'uy',
);

function* tokensIn(sql: string): Generator<Token> {
  for (let start = 0; start < sql.length; start = TOKEN.lastIndex) {
    TOKEN.lastIndex = start;
    const { groups } = TOKEN.exec(sql)!;
    if (groups!['comment'] === '/*') TOKEN.lastIndex = endOfComment(sql, start);
    const kind = (['comment', 'text', 'word'] as const).find((each) => groups![each] !== undefined) ?? 'sign';
    const end = TOKEN.lastIndex;
    yield { kind, start, end };
    TOKEN.lastIndex = end; // another scan may have moved it
  }
}

function endOfComment(sql: string, start: number): number {
  let depth = 0;
  for (const { 0: mark, index } of sql.slice(start).matchAll(/\/\*|\*\//g)) {
    depth += mark === '/*' ? 1 : -1;
    if (depth === 0) return start + index + mark.length;
  }
  return sql.length;
}

/**
 * Returns the statements of a query, each with white space in the place of what is before it: the places that errors
 * name are then those of the query.
 */
export function statementsIn(query: string): string[] {
  const statements: string[] = [];
  let start = 0;
  let isEmpty = true;
  const end = (at: number) => {
    if (!isEmpty) statements.push(query.slice(0, start).replace(/[^\n]/g, ' ') + query.slice(start, at));
    start = at + 1;
    isEmpty = true;
  };
  for (const token of tokensIn(query)) {
    if (query[token.start] === ';' && token.kind === 'sign') end(token.start);
    else if (token.kind !== 'comment') isEmpty = false;
  }
  end(query.length);
  return statements;
}

/** Where a COPY statement writes to. */
export interface CopyTarget {
  readonly path: string;
  /** The place of the quoted name in the statement. */
  readonly start: number;
  readonly end: number;
}

/** A COPY whose target is not a name in quotes. */
export const UNNAMED = 'unnamed';

/** Returns the target of a statement that copies rows to one file; undefined for any other. */
export function copyTargetIn(statement: string): CopyTarget | typeof UNNAMED | undefined {
  const words: string[] = [];
  let target: CopyTarget | typeof UNNAMED | undefined;
  let depth = 0;
  for (const token of tokensIn(statement)) {
    if (token.kind === 'comment') continue;
    const text = statement.slice(token.start, token.end);
    const isAfterTarget = target !== undefined && words.at(-1) === TARGET;
    if (isAfterTarget && token.kind !== 'word' && text !== '(') target = UNNAMED; // it is the first part of a name
    if (depth === 0 && words.at(-1) === 'TO' && target === undefined) {
      target = token.kind === 'text' ? { ...token, path: text.slice(1, -1).replaceAll("''", "'") } : UNNAMED;
      words.push(TARGET);
      continue;
    }
    if (text === '(') depth++;
    else if (text === ')') depth--;
    words.push(depth === 0 || target !== undefined ? text.toUpperCase() : '');
  }
  const copies = words[0] === 'COPY' && words[1] !== 'FROM';
  const isHidden = (words[0] === 'PREPARE' || words[0] === 'EXPLAIN') && words.includes('COPY') && target !== undefined;
  if (isHidden) return UNNAMED;
  return copies && !words.some((word) => FOLDER_OPTIONS.has(word)) ? target : undefined;
}

/** Stands for the target among words. */
const TARGET = "'";

/** Options by which COPY writes many files. */
const FOLDER_OPTIONS: ReadonlySet<string> = new Set(['PARTITION_BY', 'PER_THREAD_OUTPUT', 'FILE_SIZE_BYTES']);

/** Returns a text as SQL writes it. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns a name as SQL writes it. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
