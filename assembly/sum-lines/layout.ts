// Every address in the memory of sum-lines.wasm, for it and for JavaScript alike (src/cli/stage/sum-lines.ts reads this
// very file).
//
//      1 KiB         STOPPED    1 word: where the last call stopped (the module has no static data there)
//      2 ─ 12 KiB    OFFSETS    4 bytes per row, and 4: where each URL begins in URLS, and where the last ends
//     16 ─ 80 KiB    DIGESTS    what the hex digits spell, packed
//                    LINES      up to LINES_BYTES of whole lines, and slack
//                    URLS       one after another, and slack
//                    ANSWERS    a line that says OK per URL, and slack

export const STOPPED: usize = 1024;
export const OFFSETS: usize = 2048;
export const ROW_CAPACITY: u32 = 2048;
export const DIGESTS: usize = 16384;
export const LINES: usize = 81920; //       DIGESTS + 32 * ROW_CAPACITY
export const LINES_BYTES: u32 = 131072;
export const URLS: usize = 213120; //       LINES + LINES_BYTES + 128
export const ANSWERS: usize = 344256; //    URLS + LINES_BYTES + 64
