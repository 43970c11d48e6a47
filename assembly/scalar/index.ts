// The exports of the scalar kernel, for hosts without SIMD: hashing only. JavaScript finds the rows, and each goes
// through the parser (src/kernel/row-by-row.ts).
export { hash } from '../batch';
export { final, init, sha256, update } from '../sha256';
