// Every address in the memory of expression-lines.wasm, shared with JavaScript (src/command/commands/
// expression-lines.ts imports this file). SPANS, DIGESTS and TEXT are where the kernel has them (../layout.ts), and are
// copied from there.
//
//      1 KiB         WRITTEN_LENGTH  1 word: bytes written (the module has no static data there)
//      8 KiB         SPANS, DIGESTS, TEXT
//    512 KiB         SPAN_ENDS       4 bytes per row: the number of expressions up to its end
//                    LINES_ENDS      4 bytes per row: where its lines end in WRITTEN
//    576 KiB         WRITTEN         up to WRITTEN_BYTES, and slack

export const WRITTEN_LENGTH: usize = 1024;
export const SPAN_ENDS: usize = 524288;
export const LINES_ENDS: usize = 532480; // SPAN_ENDS + 4 * ROW_CAPACITY
export const WRITTEN: usize = 589824;
/** The lines of a batch: 128 KiB of URLs become some 1.4 MiB. 39 pages in all, and one for the slack. */
export const WRITTEN_BYTES: u32 = 1966080;

/** Bytes of a line besides its expression: a number of 20 digits, two tabs, 64 hex digits, its end; and slack. */
export const FIXED_BYTES: u32 = 128;
