import type { TextPosition } from './error.ts';

const LINE_END = /\r\n|\r|\n/;

/** Where a token lies: lines count from 1, columns from 0. */
interface TokenEnd {
  readonly line: number;
  readonly end: number;
  readonly endLine?: number;
}

/** The last piece of a text from the start of its first line, for an error to quote and to find its column in. */
export class RecentText {
  #start = '';
  #piece = '';
  /** The line that #start begins. */
  #line = 1;

  push(piece: string): void {
    const end = endOfLines(this.#piece);
    if (end > 0) this.#line += (this.#start + this.#piece.slice(0, end)).split(LINE_END).length - 1;
    this.#start = (end > 0 ? '' : this.#start) + this.#piece.slice(end);
    this.#piece = piece;
  }

  /** Where text stands again after a token, if that is on `line`, or else from the start of `line`. */
  nextAfter(token: TokenEnd | undefined, line: number): TextPosition {
    const after = (token?.endLine ?? token?.line) === line ? token!.end + 1 : 1;
    return { line, column: after + /^\s*/.exec(this.from({ line, column: after }))![0].length };
  }

  /** The rest of a line, as far as it is known. */
  from({ line, column }: TextPosition): string {
    const lines = (this.#start + this.#piece).split(LINE_END);
    return (lines[line - this.#line] ?? '').slice(column - 1, column + 200);
  }
}

/** Where the last whole line ends, or 0; a carriage return at the very end may be half of a line end. */
function endOfLines(piece: string): number {
  return Math.max(piece.lastIndexOf('\n'), piece.slice(0, -1).lastIndexOf('\r')) + 1;
}
