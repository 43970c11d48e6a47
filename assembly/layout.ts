// Every address of linear memory, in bytes, shared by the kernel and JavaScript (src/core/kernel/kernel.ts and what fills it
// import this file). Memory never grows: 36 pages hold it all, so no view of it is ever detached. Each area holds one
// thing.
//
//      0 ─ 1 KiB     unused                        the compiler folds address sums on that promise
//      1 KiB         its static data
//      2.75 KiB      SCANNED, STATE, BLOCK         what the scan found, and what update has taken in
//                    UNICODE_ROWS                  a bit for each row whose host was beyond ASCII
//                    LABEL     to 4 KiB            the code points of a label, mapped
//      4 ─ 5 KiB     SCHEDULE                      64 vectors: W of four messages, word by word; or 64 words
//                                                  each of W and K + W of one message
//      5 ─ 6 KiB     CONSTANTS                     computed when the kernel is opened
//      6 ─ 8 KiB     BUCKETS                       rows that wait for others of their block count
//                    KEEP, END_MARK                the padding of four messages, computed when the kernel is opened
//      8 KiB         SPANS     8 bytes per row     address and byte length of its message
//                    PENDING   4 bytes per row     the rows that need the parser
//                    DIGESTS   32 bytes per row    packed results, 8, 16 or 32 bytes each
//                    ROW_STARTS, ROW_ENDS          4 bytes per row each: where its line is, without its line end
//                    LISTED    16 bytes per row    queries that rules may change, for JavaScript
//                    TEXT      to 540 KiB          messages, wherever the spans say; separateRows takes rows from ROWS
//    540 KiB         SCRATCH   to 960 KiB          a message that is hashed between two stages, or the command's output
//    960 KiB         MARKS, HOST_MARKS             two bits for each byte of TEXT that is scanned
//      1 MiB         SITES     to 1.5 MiB          rules for sites, as src/core/sites/host-table.ts lays them out
//      1.5 MiB       DOMAIN_HEADS, DOMAINS         the domains beyond ASCII seen last, with their ASCII forms
//      1.75 MiB      LETTERS                       what UTS #46 says of the code points that such domains had
//
// The kernel may read SLACK_BYTES after a message (and ignores them), so TEXT and SCRATCH end that much earlier.

export const SCANNED: usize = 2816; //      5 words that the scan writes apart from the spans:
export const SCANNED_END: usize = 2816; //  where findLines stopped
export const ROOM_END: usize = 2820; //     where free room after the text begins
export const PENDING_COUNT: usize = 2824;
export const REWRITTEN_COUNT: usize = 2828;
export const LISTED_COUNT: usize = 2832;
export const STATE: usize = 2848; //        8 words: the hash value H between calls of update
export const BLOCK: usize = 2944; //        64 bytes: the padded end of one message
export const UNICODE_ROWS: usize = 3008; // a bit per row, the first row in the lowest
export const UNICODE_ROWS_BYTES: u32 = 256; // ROW_CAPACITY / 8
export const UNICODE_VERSION: usize = 3264; // the version of Unicode that domains are read by
export const LABEL: usize = 3328; //        4 * DOMAIN_LIMIT bytes
export const SCHEDULE: usize = 4096;
export const CONSTANTS: usize = 5120; //    H0 and K of SHA-256, 8 and 64 words
export const BUCKETS: usize = 6144; //      a bucket per block count: how many rows wait, and up to four of them
export const BUCKET_BYTES: u32 = 20;
export const KEEP: usize = 7424; //         BUCKETS + BUCKET_BYTES * LONG_BLOCK_COUNT
export const END_MARK: usize = 7568; //     KEEP + 144
export const SPANS: usize = 8192;

/** Messages of this many blocks (4 KiB) or more go one at a time: they are rare, and four of one length rarer. */
export const LONG_BLOCK_COUNT: u32 = 64;

export const ROW_CAPACITY: u32 = 2048;
export const PENDING: usize = 24576; //     SPANS + 8 * ROW_CAPACITY
export const DIGESTS: usize = 32768; //     PENDING + 4 * ROW_CAPACITY
export const ROW_STARTS: usize = 98304; //  DIGESTS + 32 * ROW_CAPACITY
export const ROW_ENDS: usize = 106496; //   ROW_STARTS + 4 * ROW_CAPACITY
export const LISTED: usize = 114944; //     ROW_ENDS + 4 * ROW_CAPACITY + LINE_END_SLACK_BYTES
export const TEXT: usize = 147712; //       LISTED + 16 * ROW_CAPACITY
/** Line ends are found 64 bytes at a time, so that up to 64 may be written after the last row's. */
export const LINE_END_SLACK_BYTES: u32 = 256;
/** Rows end before TEXT + MARKED_BYTES: there is room for the marks of this much text, 8 * 32768 less a step. */
export const MARKED_BYTES: u32 = 258048;
/** Rows without line ends move from here down to TEXT, 16 bytes at a time, and each gains a byte. */
export const ROWS: usize = 149776; //       TEXT + ROW_CAPACITY + 16

// The folds, in the order of FOLD_NAMES in src/core/url/folds.ts. A new one is the last: profiles keep this order.
export const FOLD_EMPTY_QUERY: u32 = 1;
export const FOLD_ESCAPES: u32 = 2;
export const FOLD_HTTPS: u32 = 4;
export const FOLD_INDEX: u32 = 8;
export const FOLD_SESSION: u32 = 16;
export const FOLD_SLASH: u32 = 32;
export const FOLD_WWW: u32 = 64;

// The messages that are listed: those with a query, those with two parameters, and what the rule for a page's site lists.
export const LIST_QUERIES: u32 = 1;
export const LIST_UNSORTED: u32 = 2;
export const LIST_SITES: u32 = 4;

// The rows that are left to the parser: those that may be `host:port`, as they lack a scheme; those with a fragment, which
// the rules for some sites keep; and those whose fragment may be a route, where all others are excluded.
export const LEAVE_HOSTS: u32 = 1;
export const LEAVE_FRAGMENTS: u32 = 2;
export const LEAVE_ROUTES: u32 = 4;

// A rule in SITES: the byte length of its path, its number, and what it folds and lists; they fit in RULE_BYTES.
export const RULE_NUMBER: u32 = 4; //      2 bytes: a table of more rules does not fit in SITES
export const RULE_FOLDS: u32 = 6; //      a byte, as RULE_LISTS
export const RULE_LISTS: u32 = 7;
export const RULE_BYTES: u32 = 8;

// What is known of the rule for a message: not yet which, that there is none, or numbers of rules.
export const UNKNOWN_RULE: u32 = 0;
export const NO_RULE: u32 = 1;
export const FIRST_RULE: u32 = 2;

export const MEMORY_BYTES: u32 = 2359296;
export const SLACK_BYTES: u32 = 256;
export const TEXT_END: usize = 552704; //   SCRATCH - SLACK_BYTES
export const SCRATCH: usize = 552960;
export const SCRATCH_END: usize = 982784; // MARKS - SLACK_BYTES
export const MARKS: usize = 983040; //      SITES - 65536
export const HOST_MARKS: usize = 1015808; // MARKS + 32768
export const SITES: usize = 1048576;
export const SITES_BYTES: u32 = 524032; //  to DOMAIN_HEADS - SLACK_BYTES: a table of 8,000 rules fits
/** SITES begins with a bit for each hash of a HOST or its last two labels: of 3,000, one other name in 24 has one. */
export const HOST_BITS_BYTES: u32 = 16384;
/** Where in SITES the slots of hosts begin; the word before them is one less than their number, or 0 without a table. */
export const SLOTS: u32 = 16388; //         HOST_BITS_BYTES + 4

export const DOMAIN_HEADS: usize = 1572864;
export const DOMAINS: usize = 1576960; //   DOMAIN_HEADS + 4 * DOMAIN_SLOTS
export const DOMAIN_SLOTS: u32 = 1024;
export const DOMAIN_BYTES: u32 = 256;
/** The most bytes of a domain in memory, and of its ASCII form: with a byte before them they are in a slot. */
export const DOMAIN_LIMIT: u32 = 124;
export const ASCII_DOMAIN_LIMIT: u32 = 128;

/** The code points that memory has room for: those of the first two planes, emoji included. */
export const LETTER_COUNT: u32 = 0x1fb00;
export const LETTERS: usize = 1839360; //   DOMAINS + DOMAIN_BYTES * DOMAIN_SLOTS + SLACK_BYTES
// A letter is the code point that one is mapped to, or 0 if no rule of the kernel's applies; bits; and the version of
// Unicode for which that holds.
export const LETTER_CODE: u32 = 0x1ffff;
/** It is mapped to nothing. */
export const LETTER_IGNORED: u32 = 0x20000;
/** A mark, with which no label begins. */
export const LETTER_MARK: u32 = 0x40000;
/** A mark with a combining class: two of them may change places. */
export const LETTER_REORDERS: u32 = 0x80000;
/** A bit for each Bidi_Class that src/core/url/unicode.ts tells apart. */
export const BIDI: u32 = 0x7f00000;
export const BIDI_L: u32 = 0x100000;
export const BIDI_R: u32 = 0x200000;
export const BIDI_E: u32 = 0x400000;
export const BIDI_A: u32 = 0x800000;
export const BIDI_N: u32 = 0x1000000;
export const BIDI_O: u32 = 0x2000000;
export const BIDI_F: u32 = 0x4000000;
export const LETTER_VERSION_SHIFT: u32 = 27;

/** The length in the span of a row that has no message, and whose digest is zero. */
export const NO_MESSAGE: u32 = 0xffffffff;
