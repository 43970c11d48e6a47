// Every address in the memory of expressions.wasm, shared with JavaScript (src/specs/safe-browsing/scanner.ts imports this
// file). SPANS and TEXT are where the kernel has them (../layout.ts), so that spans are valid in both memories.
//
//      1 ─ 3 KiB     its static data
//      3 KiB         STATE        2 words that JavaScript reads and writes too
//                    PATH_ENDS    where the expressions of the current row end
//      8 KiB         SPANS        8 bytes per expression: address and byte length
//                    ROW_BOUNDS   4 bytes per row, and 4 more: the address of the line feed before each row, and of the
//                                 one after the last
//                    TEXT         to TEXT_END: whole lines, then rewritten forms, and slack
//    512 KiB         SPAN_ENDS    4 bytes per row: the number of expressions up to its end
//    576 KiB         SUFFIXES     the Public Suffix List, as src/specs/safe-browsing/suffix-list.ts lays it out; memory grows
//                                 for it

export const STATE: usize = 3072;
export const SPAN_COUNT: usize = 3072; //   expressions so far
export const ROOM: usize = 3076; //         where free room after the lines begins
export const PATH_ENDS: usize = 3200;

export const ROW_BOUNDS: usize = 24576; //  SPANS + 8 * ROW_CAPACITY
export const TEXT_END: usize = 524032; //   SPAN_ENDS - SLACK_BYTES
export const SPAN_ENDS: usize = 524288;
export const SUFFIXES: usize = 589824;

/** "At most five different strings" for the host, "at most six" for the path: the whole ones, and four more each. */
export const HOST_SUFFIX_LIMIT: u32 = 4;
export const PATH_PREFIX_LIMIT: u32 = 4;
export const EXPRESSION_LIMIT: u32 = 30;

/** A longer host is left to JavaScript: the dots of this many bytes fit in a word. */
export const HOST_BYTES: u32 = 63;

// The first words of SUFFIXES: byte offsets of its tables, and other values.
export const SLOT_MASK: usize = 0; //       the number of slots, a power of two, less one
export const RULES_ROOT: usize = 4; //      the root node of the rules, and of those with '!'
export const EXCEPTIONS_ROOT: usize = 8;
export const SLOTS: usize = 12; //          4 bytes per slot: an edge's number + 1, or 0; by a hash of node and label
export const EDGES: usize = 16; //          4 words per edge
export const WILDCARDS: usize = 20; //      4 bytes per node: the number + 1 of the edge for '*', or 0
export const LABELS: usize = 24; //         the labels of all edges
export const SUFFIX_WORDS: u32 = 7;

// An edge: the node it leaves, the offset of its label in LABELS, the label's length with the section bits of the node
// that it leads to (from bit 16 on), and that node.
export const EDGE_NODE: usize = 0;
export const EDGE_LABEL: usize = 4;
export const EDGE_LENGTH: usize = 8;
export const EDGE_CHILD: usize = 12;

/** A bit beside an edge's section bits: its label is a last label under which there are rules with '!'. */
export const HAS_EXCEPTIONS: u32 = 0x40000;
