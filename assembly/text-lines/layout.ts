// Every address in the memory of text-lines.wasm, for it and for JavaScript alike (src/cli/format/whole-lines.ts reads
// this very file).
//
//      1 KiB         STOPPED     2 words: where the last call stopped (the module has no static data there)
//      2 ─ 66 KiB    DIGESTS     packed, of up to ROW_CAPACITY rows
//                    LINES       up to LINES_BYTES of whole lines, and slack
//                    SUMS        what is written: up to 66 bytes per row and its line, and slack

export const STOPPED: usize = 1024;
export const DIGESTS: usize = 2048;
export const ROW_CAPACITY: u32 = 2048;
export const LINES: usize = 67584; //       DIGESTS + 32 * ROW_CAPACITY
export const LINES_BYTES: u32 = 131072;
export const SUMS: usize = 198720; //       LINES + LINES_BYTES + 64
