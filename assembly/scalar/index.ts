// The exports of the scalar kernel, for hosts without SIMD: hashes alone. Rows are found by JavaScript, and each goes
// through the parser (src/kernel/row-by-row.ts).
export { hash } from '../batch';
export { final, init, sha256, update } from '../sha256';
