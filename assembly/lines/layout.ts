// Every address that the module `lines` adds to the kernel's memory (assembly/layout.ts), shared with JavaScript
// (src/command/write/line-writer.ts imports this file). All of it is in SCRATCH.
//
//                    STOPPED     1 word: the first kept row that was not written
//                    TEMPLATE    how a line is written, at most TEMPLATE_BYTES, and slack
//                    KEPT        4 bytes per row: the rows to write
//                    WRITTEN     lines, up to WRITTEN_END, and slack

export const STOPPED: usize = 552960; //    SCRATCH
export const TEMPLATE: usize = 552976; //   SCRATCH + 16
export const KEPT: usize = 553984; //       SCRATCH + 1024
export const WRITTEN: usize = 562176; //    KEPT + 4 * ROW_CAPACITY
export const WRITTEN_END: usize = 982784; // SCRATCH_END

export const TEMPLATE_BYTES: u32 = 512;

/** Bytes of a row besides its line and form: 64 hex digits, words of 20 digits, and the template. */
export const FIXED_BYTES: u32 = 688;

// The fields of a template, one byte each. Other text is LITERAL, its length (up to 255), and its bytes.
export const END: u8 = 0;
export const LITERAL: u8 = 1;
/** The line as it is. */
export const LINE: u8 = 2;
/** The line, and the canonical form, if they have nothing to escape: only U+0020 to U+007F except `"` and `\`. */
export const PLAIN_LINE: u8 = 3;
export const PLAIN_FORM: u8 = 4;
/** The line, if it is printable ASCII, U+0020 to U+007E. */
export const PRINTABLE_LINE: u8 = 5;
export const HEX: u8 = 6;
/** The words in decimal, joined by `-`, or by `","`. */
export const WORDS: u8 = 7;
export const QUOTED_WORDS: u8 = 8;
