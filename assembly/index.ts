// The kernel's exports. It imports nothing from its host.
export { hash } from './batch';
export { addDomain } from './domains';
export { findLines, separateRows } from './rows';
export { classifyRows, rewriteRow } from './scan';
export { final, init, sha256, update } from './sha256';
