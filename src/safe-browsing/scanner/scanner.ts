/**
 * Finds the rows and the expressions of lines in a memory that is laid out as the kernel's: lines from TEXT on, and the
 * address and byte length of each expression. Its views change when it is told to `use` another list of suffixes.
 */
export interface Scanner {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Two numbers per expression: address and byte length. */
  readonly spans: Uint32Array<ArrayBuffer>;
  /** The address of the line feed before each row, and of that after the last. */
  readonly rowBounds: Uint32Array<ArrayBuffer>;
  /** The number of expressions up to each row's end. */
  readonly spanEnds: Uint32Array<ArrayBuffer>;
  /** Expressions so far. */
  spanCount: number;
  /** Where the room after the lines is still free. */
  room: number;

  /** Sets the sections that count of a list of suffixes, as bits; 0 for the last five components of a host. */
  use(sections: number, suffixTable: () => Uint8Array): void;

  /**
   * Gives a row to each line in [start, end), whose last byte is a line feed, up to ROW_CAPACITY; returns their number.
   */
  splitLines(start: number, end: number): number;

  /**
   * Adds the expressions of rows from `row` on. Returns the first that has to go through the steps, or may find no
   * room.
   */
  expand(row: number, rowCount: number): number;
}
