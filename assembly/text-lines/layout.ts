// Every address in the memory of text-lines.wasm, for it and for JavaScript alike (src/cli/format/whole-lines.ts reads
// this very file).
//
//      1 KiB         STOPPED     3 words: where the last call stopped (the module has no static data there)
//                    TEMPLATE    how a line is written, at most TEMPLATE_BYTES, and slack
//      2 ─ 34 KiB    DIGESTS     packed, of up to ROW_CAPACITY rows
//     34 ─ 38 KiB    PLACES      addresses in LINES, of up to ROW_CAPACITY rows
//                    LINES       up to LINES_BYTES of whole lines, and slack
//                    FORMS       up to FORMS_BYTES of their canonical forms, a line feed after each, and slack
//                    WRITTEN     up to FIXED_BYTES per row, and its line and its form; and slack

export const STOPPED: usize = 1024;
export const TEMPLATE: usize = 1040;
export const DIGESTS: usize = 2048;
export const ROW_CAPACITY: u32 = 1024;
export const PLACES: usize = 34816; //      DIGESTS + 32 * ROW_CAPACITY
export const LINES: usize = 38912; //       PLACES + 4 * ROW_CAPACITY
export const LINES_BYTES: u32 = 65536;
export const FORMS: usize = 104512; //      LINES + LINES_BYTES + 64
export const FORMS_BYTES: u32 = 131072;
export const WRITTEN: usize = 235648; //    FORMS + FORMS_BYTES + 64

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
export const HEX: u8 = 5;
/** The words in decimal, joined by `-`, or by `","`. */
export const WORDS: u8 = 6;
export const QUOTED_WORDS: u8 = 7;
