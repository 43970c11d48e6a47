// The exports of the scalar kernel, for hosts without SIMD: it finds rows and hashes messages. It proves no row canonical
// and rewrites none, so each goes through the parser (src/kernel/row-by-row.ts).
export { hash } from '../batch';
export { findLines, separateRows } from '../rows';
export { final, init, sha256, update } from '../sha256';
