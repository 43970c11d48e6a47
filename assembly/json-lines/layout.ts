// Every address in the memory of json-lines.wasm, for it and for JavaScript alike (src/cli/rows/json-scanner.ts reads
// this very file).
//
//      1 KiB         STOPPED     1 word: where the last call stopped (the module has no static data there)
//      2 KiB         NAME_ENDS   2 bytes per name of the path: where it ends in NAMES
//                    NAMES       up to NAMES_BYTES
//     16 ─ 64 KiB    ROWS        3 words per row: END, VALUE_END, CLOSING_BRACE
//                    LINES       up to LINES_BYTES of whole lines, and slack
//                    VALUES      the values that were found, one after another, and slack

export const STOPPED: usize = 1024;
export const NAME_ENDS: usize = 2048;
export const NAME_CAPACITY: u32 = 32;
export const NAMES: usize = 4096;
export const NAMES_BYTES: u32 = 4096;

export const ROWS: usize = 16384;
export const ROW_CAPACITY: u32 = 4096;
/** In words: of a row, and of what is in it. */
export const ROW_WORDS: u32 = 3;
/** Address of the line feed that ends the line. */
export const END: u32 = 0;
/** Where the value ends in VALUES; it begins where that of the row before ends. */
export const VALUE_END: u32 = 1;
/** Address of the brace that closes the object; 0 where the line is left to JavaScript, and has no value. */
export const CLOSING_BRACE: u32 = 2;

export const LINES: usize = 65536; //       ROWS + 12 * ROW_CAPACITY
export const LINES_BYTES: u32 = 131072;
export const VALUES: usize = 196672; //     LINES + LINES_BYTES + 64
