// Every address in the memory of json-lines.wasm, shared with JavaScript (src/command/read/json-lines.ts imports this
// file).
//
//      1 KiB         STOPPED     1 word: where the last call stopped (the module has no static data there)
//      2 KiB         NAME_ENDS   2 bytes per name of the path, and of the names after it: where it ends in NAMES
//                    NAMES       up to NAMES_BYTES
//     16 ─ 80 KiB    STARTS, ENDS, CLOSING_BRACES, VALUE_ENDS    4 bytes per row each
//                    LINES       up to LINES_BYTES of whole lines, and slack
//                    VALUES      the values that were found, a line feed after each, and slack

export const STOPPED: usize = 1024;
export const NAME_ENDS: usize = 2048;
export const NAME_CAPACITY: u32 = 32;
export const NAMES: usize = 4096;
export const NAMES_BYTES: u32 = 4096;

export const ROW_CAPACITY: u32 = 2048;
/** Where a line begins, where it ends without its LF or CR LF, and its object's closing brace: offsets in LINES. */
export const STARTS: usize = 16384;
export const ENDS: usize = 32768; //            STARTS + 4 * ROW_CAPACITY
export const CLOSING_BRACES: usize = 49152;
/** Where the value ends in VALUES, with its line feed; it begins after the line feed of the row before. */
export const VALUE_ENDS: usize = 65536;

export const LINES: usize = 81920; //           VALUE_ENDS + 4 * ROW_CAPACITY
export const LINES_BYTES: u32 = 131072;
export const VALUES: usize = 213056; //         LINES + LINES_BYTES + 64
