// The kernel's exports. It imports nothing from its host.
export { hash } from './batch';
export { findLines, separateRows } from './rows';
export { classifyRows } from './scan';
export { final, init, sha256, update } from './sha256';
