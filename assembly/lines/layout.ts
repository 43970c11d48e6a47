// Every address that the module `lines` adds to the kernel's memory (assembly/layout.ts), for it and for JavaScript
// alike (src/cli/format/line-writer.ts reads this very file). All of it lies in SCRATCH.
//
//                    STOPPED     1 word: the first of the kept rows that was not written
//                    TEMPLATE    how a line is written, at most TEMPLATE_BYTES, and slack
//                    WRITTEN     lines, up to WRITTEN_END, and slack
//
// The rows to write are listed where the scan listed those that need the parser, KEPT; `insert` takes the places where
// ends of rows were.

export const STOPPED: usize = 524288; //    SCRATCH
export const TEMPLATE: usize = 524304; //   SCRATCH + 16
export const WRITTEN: usize = 525312; //    SCRATCH + 1024
export const WRITTEN_END: usize = 1048320; // SCRATCH_END

export const KEPT: usize = 24576; //        PENDING
export const PLACES: usize = 106496; //     ROW_ENDS

export const TEMPLATE_BYTES: u32 = 512;

/** What a row takes besides its line and form: 64 hex digits, words of 20 digits, and the template. */
export const FIXED_BYTES: u32 = 688;

// The fields of a template: one byte each. Anything else is LITERAL, its length (up to 255), and its bytes.
export const END: u8 = 0;
export const LITERAL: u8 = 1;
/** The line as it is. */
export const LINE: u8 = 2;
/** The line, and the canonical form, where they hold nothing to escape: from U+0020 to U+007F, but for `"` and `\`. */
export const PLAIN_LINE: u8 = 3;
export const PLAIN_FORM: u8 = 4;
/** The line where it is printable ASCII, U+0020 to U+007E. */
export const PRINTABLE_LINE: u8 = 5;
export const HEX: u8 = 6;
/** The words in decimal, joined by `-`, or by `","`. */
export const WORDS: u8 = 7;
export const QUOTED_WORDS: u8 = 8;
